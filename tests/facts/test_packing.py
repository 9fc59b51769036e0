"""Facts come out of bytes as they went in, those of statements when they are looked at; nothing else comes out."""

from __future__ import annotations

import os
import pickle
import struct

import pyarrow as pa
import pytest

from ragduck.facts import Call, CallFact, FileFacts, Mentions, Name, StatementFacts
from ragduck.facts.packing import Room, head_of, packed_facts, parts_in_words, read_facts, read_head

STATEMENTS = StatementFacts(calls=(CallFact("python:a.f|METHOD", Call(Name("g")), 3),))
FACTS = FileFacts("a.py", "python", "source", None, 5, statements=STATEMENTS, module="a")


def head_and_statements(head: object, statements: object) -> bytes:
    """Pack as `packed_facts` does, behind a path and a hash."""
    packed, named, said = (_zipped(pickle.dumps(one)) for one in (head, Mentions(), statements))
    front = struct.pack("<III16s", 4, len(packed), len(named), b"declares")
    return front + b"a.py" + packed + named + said


def _zipped(content: bytes) -> bytes:
    return struct.pack("<I", len(content)) + pa.Codec("lz4_raw").compress(content, asbytes=True)


def test_facts_come_back_as_they_were() -> None:
    (read,) = read_facts([packed_facts(FACTS)], Room())

    assert read._replace(statements=read.statements.unpacked()) == FACTS
    assert (read.calls, read.accesses, read.uses, read.strings) == STATEMENTS


def test_what_statements_name_is_told_without_them() -> None:
    (read,) = read_facts([packed_facts(FACTS)], Room())

    assert read.statements.mentions() == STATEMENTS.mentions() == Mentions(called=("g",))


def test_declarations_come_back_without_statements() -> None:
    assert read_head(head_of(packed_facts(FACTS))) == FACTS._replace(statements=StatementFacts())


def test_words_stand_in_the_part_that_says_them() -> None:
    calling = StatementFacts(calls=(CallFact("python:a.f|METHOD", Call(Name("größe")), 3),))

    declared, said = parts_in_words(packed_facts(FACTS._replace(statements=calling, module="läden")))

    assert ("läden".encode() in declared, "größe".encode() in declared) == (True, False)
    assert ("läden".encode() in said, "größe".encode() in said) == (False, True)


def test_statements_stay_unpacked_while_there_is_room() -> None:
    packed = packed_facts(FACTS)
    size = len(packed)

    (kept,), (dropped,) = read_facts([packed], Room(size)), read_facts([packed], Room(0))

    assert kept.statements.unpacked() is kept.statements.unpacked()
    assert dropped.statements.unpacked() is not dropped.statements.unpacked()
    assert dropped.statements.unpacked() == kept.statements.unpacked()


def test_room_is_shared() -> None:
    room = Room(10)

    assert [room.take(size) for size in (6, 6, 4, 1)] == [True, False, True, False]


@pytest.mark.parametrize("head", [os.getcwd, "text", STATEMENTS])
def test_nothing_but_facts_comes_out(head: object) -> None:
    with pytest.raises(pickle.UnpicklingError, match=r"is no (fact|FileFacts)"):
        list(read_facts([head_and_statements(head, STATEMENTS)], Room()))


@pytest.mark.parametrize("statements", [os.getcwd, "text", FACTS])
def test_nothing_but_statements_comes_out_of_statements(statements: object) -> None:
    (read,) = read_facts(
        [head_and_statements(FACTS._replace(statements=StatementFacts()), statements)], Room()
    )

    with pytest.raises(pickle.UnpicklingError, match=r"is no (fact|StatementFacts)"):
        read.statements.unpacked()
