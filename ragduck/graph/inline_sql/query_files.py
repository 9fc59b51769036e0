"""Find the scripts that code names: `File.ReadAllText("Queries/GetOrders.sql")`, `"Shop.Queries.GetOrders.sql"`.

What a script reads and writes is told of its file; who runs it, by who names it. A name may be put together:
`$"{Folder}/{nameof(GetOrders)}.sql"`, `Path.Combine(Folder, "GetOrders.sql")`, or end with what callers give.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from itertools import takewhile
from typing import NamedTuple

from ragduck.facts import Call, Choice, Expression, FileFacts, Joined, Name, StringFact, Text
from ragduck.graph.inline_sql.script_loaders import ScriptLoaders
from ragduck.graph.inline_sql.strings import StringEvaluator
from ragduck.graph.types.catalog import Catalog
from ragduck.graph.types.chains import function_name, receiver_of
from ragduck.graph.types.declarations import family_of
from ragduck.graph.types.imports import shared_folders
from ragduck.model import Edge
from ragduck.sqlreader.recognition import UNKNOWN_PIECE

RULE = "sql file"
WHOLE, PART = 0.9, 0.7  # the name stands there, or is the end of a text of which not all is known
_ENDING = ".sql"
_MAX_NAME = 300
_SEPARATOR = re.compile(r"[/\\.]+")
_ODD = re.compile(r"[-\s]")  # an underscore in the name of an embedded resource
_FEWEST = 2  # parts of a name: `GetOrders` and `sql`

_Scripts = Mapping[str, Sequence[FileFacts]]


class _Named(NamedTuple):
    """What a script may be called by, how sure that is, and whether the beginning of it is known."""

    name: str
    confidence: float
    is_begun: bool = True


def query_file_edges(catalog: Catalog) -> Iterator[Edge]:
    """Yield an edge from each member that names a script to the file, where only one can be meant."""
    scripts: defaultdict[str, list[FileFacts]] = defaultdict(list)
    for file in catalog.files.values():
        if file.path.lower().endswith(_ENDING):
            scripts[_parts(file.path)[-_FEWEST]].append(file)
    if not scripts:
        return
    strings = StringEvaluator(catalog)
    loaders = ScriptLoaders(catalog, strings)
    for file in catalog.files.values():
        if family_of(file.language) != "csharp" or file.file_class == "generated":
            continue
        for fact in _texts_in(file, catalog):
            for value in _names_of_scripts(fact.value):
                loaders.note(value, fact, file)
                named = _named(value, fact, file, strings)
                yield from _edges(named, scripts, file, source=fact.source, line=fact.line)
    for call in loaders.calls():
        named = [_known_end(text, PART, without_beginning=PART) for text in call.names]
        yield from _edges(named, scripts, call.file, source=call.fact.source, line=call.fact.line)


def _texts_in(file: FileFacts, catalog: Catalog) -> Iterator[StringFact]:
    """Yield the texts of statements, if any may be a name, and those of constructors: `: base("AddPrices.sql")`."""
    if _ENDING.lstrip(".") in catalog.mentions_of(file).endings:
        yield from file.statements.unpacked().strings
    for member in file.members:
        for one in member.handed_on:
            yield StringFact(member.key, one.value, member.line, member.line)


def _edges(
    named: Sequence[_Named], scripts: _Scripts, file: FileFacts, *, source: str, line: int
) -> Iterator[Edge]:
    """Yield the edge to the script that the first fitting name means."""
    for one in named:
        script = _meant(one.name, scripts, file) if _is_name(one) else None
        if script is not None:
            yield Edge(source, f"file:{script.path}|FILE", "Uses", file.path, line, RULE, one.confidence)
            return


def _names_of_scripts(value: Expression) -> Iterator[Text | Joined]:
    """Yield the texts that end as the name of a script does, of those that a value may be."""
    for one in value.options if isinstance(value, Choice) else (value,):
        end = one.parts[-1] if isinstance(one, Joined) and one.parts else one
        is_one = isinstance(end, Text) and end.value[-len(_ENDING) :].lower() == _ENDING
        if is_one and isinstance(one, (Text, Joined)):
            yield one


def _named(
    value: Text | Joined, fact: StringFact, file: FileFacts, strings: StringEvaluator
) -> Sequence[_Named]:
    """Return what a text may name a script by, the surest first."""
    found: list[_Named] = []
    whole = _in_folder(value, fact.call)
    if isinstance(whole, Joined):
        texts = strings.evaluate(whole, file=file, source=fact.source).texts
        sure = WHOLE if isinstance(value, Text) else PART
        found += [_known_end(text, WHOLE, without_beginning=sure) for text in texts]
    if isinstance(value, Text):
        found.append(_Named(value.value, WHOLE))
    elif isinstance(end := value.parts[-1], Text):
        found.append(_Named(end.value, PART, is_begun=False))
    return found


def _in_folder(value: Text | Joined, call: Call | None) -> Text | Joined:
    """Put the folders before a name that `Path.Combine(folder, name)` puts there."""
    is_combined = call is not None and function_name(call) in ("Combine", "Join")
    if call is None or not is_combined or receiver_of(call) != Name("Path"):
        return value
    values = [one.value for one in call.arguments]
    if len(values) < _FEWEST or values[-1] != value:
        return value
    folders = (part for folder in values[:-1] for part in (folder, Text("/")))
    return Joined((*folders, value))


def _known_end(text: str, confidence: float, *, without_beginning: float) -> _Named:
    """Return what is known of a name: all of it, or what stands behind the last unknown piece."""
    _, unknown, end = text.rpartition(UNKNOWN_PIECE)
    return _Named(end, without_beginning if unknown else confidence, is_begun=not unknown)


def _is_name(named: _Named) -> bool:
    """Say whether a text can be the name of a script; where its beginning is not known, it has to begin a part."""
    text = named.name
    is_begun = named.is_begun or text.startswith(("/", "\\", "."))
    return is_begun and len(text) <= _MAX_NAME and "\n" not in text and "://" not in text


def _meant(name: str, scripts: _Scripts, file: FileFacts) -> FileFacts | None:
    """Return the script whose path ends as the name does; of several the nearest.

    All parts of the file's own name have to be there. What stands before them, folders of a path or a namespace of an
    embedded resource, has to agree with a folder at least.
    """
    wanted = _parts(name)
    if len(wanted) < _FEWEST:
        return None
    is_path = "/" in name or "\\" in name
    found: list[tuple[int, int, FileFacts]] = []
    for one in scripts.get(wanted[-_FEWEST], ()):
        path = _parts(one.path)
        shared, own = _shared(wanted, path), len(_parts(one.path.rpartition("/")[2]))
        fits = shared in (len(wanted), len(path)) if is_path else shared > own or shared == len(wanted)
        if fits and shared >= own:
            found.append((shared, shared_folders(one.path, file.path), one))
    best = max((key[:2] for key in found), default=None)
    nearest = [one for shared, near, one in found if (shared, near) == best]
    return nearest[0] if len(nearest) == 1 else None


def _parts(path: str) -> Sequence[str]:
    parts = _SEPARATOR.split(_ODD.sub("_", path.lower()))
    return [part for part in parts if part not in ("", "~")]


def _shared(one: Sequence[str], other: Sequence[str]) -> int:
    """Count the parts that two paths end with alike."""
    pairs = zip(reversed(one), reversed(other), strict=False)
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))
