"""What one file says about the graph, before anyone has seen the other files.

`parse` reads facts off each document, in worker processes; `graph` ties the facts of a snapshot together. Names
are kept as they are written: only `graph` can tell what they refer to. Facts are named tuples rather than
dataclasses because hundreds of thousands of them cross process borders, and tuples pickle ten times faster.

``source`` is always the node key of the innermost declaration that a fact stands in, as chunks have it:
`csharp:Shop.OrderService.Place|METHOD`, `csharp:Shop.OrderService|TYPE`, or `file:path|FILE` outside of all.
"""

from ragduck.facts.code import (
    ADDRESSES,
    HTTP_HANDLER,
    HTTP_MODULE,
    MADE,
    MODULE,
    OPENED_FORM,
    SET_ITEM,
    AccessFact,
    Assignment,
    Attribute,
    CallFact,
    Import,
    MemberFact,
    Parameter,
    StringFact,
    TypeFact,
    UseFact,
    ViewFact,
)
from ragduck.facts.database import ObjectFact, ObjectName, ReferenceFact
from ragduck.facts.expressions import (
    UNKNOWN,
    Argument,
    Awaited,
    Call,
    Choice,
    Element,
    Expression,
    Joined,
    Lambda,
    LambdaParameter,
    Member,
    Name,
    NameOf,
    New,
    OutArgument,
    Text,
    Typed,
    TypeOf,
    Unknown,
)
from ragduck.facts.files import FileFacts, HeldStatements, StatementFacts

__all__ = [
    "ADDRESSES",
    "HTTP_HANDLER",
    "HTTP_MODULE",
    "MADE",
    "MODULE",
    "OPENED_FORM",
    "SET_ITEM",
    "UNKNOWN",
    "AccessFact",
    "Argument",
    "Assignment",
    "Attribute",
    "Awaited",
    "Call",
    "CallFact",
    "Choice",
    "Element",
    "Expression",
    "FileFacts",
    "HeldStatements",
    "Import",
    "Joined",
    "Lambda",
    "LambdaParameter",
    "Member",
    "MemberFact",
    "Name",
    "NameOf",
    "New",
    "ObjectFact",
    "ObjectName",
    "OutArgument",
    "Parameter",
    "ReferenceFact",
    "StatementFacts",
    "StringFact",
    "Text",
    "TypeFact",
    "TypeOf",
    "Typed",
    "Unknown",
    "UseFact",
    "ViewFact",
]
