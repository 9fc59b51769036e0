"""What tests of facts share: expressions in a form that can be read and compared exactly."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from importlib import import_module
from textwrap import dedent

import pytest

from ragduck.facts import (
    Argument,
    Awaited,
    Call,
    Choice,
    Element,
    Expression,
    FileFacts,
    Joined,
    Lambda,
    LambdaParameter,
    Member,
    Name,
    New,
    Text,
    Typed,
    TypeOf,
)
from ragduck.model import Document


class Read:
    """The facts of one file, with expressions written out and the language and module left out of keys."""

    def __init__(self, facts: FileFacts) -> None:
        self.facts = facts

    def bare(self, key: str) -> str:
        return key.partition(":")[2].rpartition("|")[0].removeprefix(f"{self.facts.module}.")

    @property
    def calls(self) -> list[tuple[str, str, int]]:
        return [(self.bare(fact.source), written(fact.call), fact.line) for fact in self.facts.calls]

    @property
    def called(self) -> list[str]:
        return [written(fact.call) for fact in self.facts.calls]

    @property
    def accesses(self) -> list[tuple[str, str, str]]:
        return [
            (self.bare(fact.source), written(fact.expression), "set" if fact.is_write else "read")
            for fact in self.facts.accesses
        ]

    @property
    def uses(self) -> list[tuple[str, str, str]]:
        return [(self.bare(fact.source), fact.type, fact.how) for fact in self.facts.uses]

    @property
    def strings(self) -> list[tuple[str, str, str]]:
        """Each string with where it goes: the name of a call, a local or a member."""
        return [
            (
                self.bare(fact.source),
                written(fact.value),
                f"{written(fact.call.function)}()" if fact.call is not None else fact.assigned_to,
            )
            for fact in self.facts.strings
        ]

    @property
    def members(self) -> list[tuple[str, str, str, str]]:
        """Key, type, visibility and sorted modifiers of each member."""
        return [
            (fact.key.partition(":")[2], fact.type, fact.visibility, " ".join(sorted(fact.modifiers)))
            for fact in self.facts.members
        ]

    @property
    def imports(self) -> list[tuple[str, str]]:
        return [(one.name, one.alias) for one in self.facts.imports]


def written(expression: Expression) -> str:
    """Write an expression out; no two kinds look alike."""
    match expression:
        case Name(name):
            return name
        case Member(receiver, name):
            return f"{written(receiver)}.{name}"
        case Text(value):
            return f"'{value}'"
        case Joined(parts):
            return " + ".join(map(written, parts)) if len(parts) > 1 else f"'' + {written(parts[0])}"
        case TypeOf(type_):
            return f"typeof({type_})"
        case New(type_, arguments):
            return f"new {type_}({arguments_written(arguments)})"
        case Typed(type_, name):
            return f"<{name}: {type_}>"
        case Element(collection):
            return f"{written(collection)}[]"
        case Awaited(task):
            return f"(await {written(task)})"
        case Choice(options, is_fallback):
            return f"({(' ?? ' if is_fallback else ' | ').join(map(written, options))})"
        case Lambda():
            return "=>"
        case LambdaParameter(call, position):
            return f"{written(call)}=>{position}"
        case Call(function, arguments, types):
            generic = f"<{', '.join(types)}>" if types else ""
            return f"{written(function)}{generic}({arguments_written(arguments)})"
    return "?"


def arguments_written(arguments: Iterable[Argument]) -> str:
    return ", ".join((f"{one.name}=" if one.name else "") + written(one.value) for one in arguments)


@pytest.fixture(scope="session")
def read() -> Callable[..., Read]:
    """Read the facts of a text in a language; the text may be indented."""

    def reader(language: str, source: str, *, path: str) -> Read:
        text = dedent(source).lstrip("\n")
        module = {"tsx": "typescript", "javascript": "typescript"}.get(language, language)
        outline = import_module(f"ragduck.parse.{module}").outline
        facts = outline(Document(path, text, language, language, "source", len(text), 0)).facts
        assert facts is not None
        return Read(facts)

    return reader


@pytest.fixture(scope="session")
def write() -> Callable[[Expression], str]:
    """Write an expression out."""
    return written
