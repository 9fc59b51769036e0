"""Facts come out of bytes as they went in, those of statements when they are looked at; nothing else comes out."""

from __future__ import annotations

import os
import pickle
import struct

import pyarrow as pa
import pytest

from ragduck.facts import (
    Argument,
    Call,
    CallFact,
    Expression,
    FileFacts,
    Import,
    MemberFact,
    Mentions,
    Name,
    New,
    Parameter,
    StatementFacts,
    Text,
    Typed,
)
from ragduck.facts.packing import (
    Room,
    head_of,
    in_words,
    packed_facts,
    read_facts,
    read_head,
    statements_in_words,
)

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


def declaring(path: str, *members: MemberFact) -> FileFacts:
    return FileFacts(path, "csharp", "source", None, 1, imports=(Import("System"),), members=members)


def member(name: str, value: Expression) -> MemberFact:
    parameters = (Parameter("one", "int"), Parameter("two", "int", default=value))
    return MemberFact(
        f"csharp:{name}|METHOD", name, "", "METHOD", "method", 1, 1, "Order", parameters, value=value
    )


def test_files_have_in_common_what_is_equal_and_of_one_kind() -> None:
    values = (
        Name("x"),
        Text("x"),
        Typed("x"),
        New("x", (Argument(Name("y")),)),
        New("x", (Argument(Text("y")),)),
    )
    files = [declaring(f"{place}.cs", member("Go", value)) for place, value in enumerate(values * 2)]
    facts = [packed_facts(file) for file in files]

    found = list(read_facts(facts, Room(0), is_shared=True))

    plain = list(read_facts(facts, Room(0)))
    assert list(map(repr, (one._replace(statements=None) for one in found))) == list(
        map(repr, (one._replace(statements=None) for one in plain))
    )
    (first, *_), (last, *_) = found[0].members, found[-1].members
    assert first.parameters[0] is last.parameters[0]
    assert first.name is last.name
    assert found[0].imports[0] is found[-1].imports[0]
    assert plain[0].imports[0] is not plain[-1].imports[0]


def test_what_statements_name_is_told_without_them() -> None:
    (read,) = read_facts([packed_facts(FACTS)], Room())

    assert read.statements.mentions() == STATEMENTS.mentions() == Mentions(called=("g",))


def test_declarations_come_back_without_statements() -> None:
    assert read_head(head_of(packed_facts(FACTS))) == FACTS._replace(statements=StatementFacts())


def test_words_stand_in_the_part_that_says_them() -> None:
    calling = StatementFacts(calls=(CallFact("python:a.f|METHOD", Call(Name("größe")), 3),))

    packed = packed_facts(FACTS._replace(statements=calling, module="läden"))
    declared, said = in_words(head_of(packed)), statements_in_words(packed)

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


@pytest.mark.parametrize("is_shared", [False, True], ids=["apart", "shared"])
@pytest.mark.parametrize("head", [os.getcwd, "text", STATEMENTS])
def test_nothing_but_facts_comes_out(head: object, is_shared: bool) -> None:
    with pytest.raises(pickle.UnpicklingError, match=r"is no (fact|FileFacts)"):
        list(read_facts([head_and_statements(head, STATEMENTS)], Room(), is_shared=is_shared))


@pytest.mark.parametrize("statements", [os.getcwd, "text", FACTS])
def test_nothing_but_statements_comes_out_of_statements(statements: object) -> None:
    (read,) = read_facts(
        [head_and_statements(FACTS._replace(statements=StatementFacts()), statements)], Room()
    )

    with pytest.raises(pickle.UnpicklingError, match=r"is no (fact|StatementFacts)"):
        read.statements.unpacked()
