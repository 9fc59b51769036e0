"""Tell whether a system saves around what its code changes: in a decorator of handlers, a pipeline, a middleware."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice

from ragduck.facts import FileFacts, Parameter
from ragduck.graph.code.senders import called
from ragduck.graph.entities.linq_saving import Savers
from ragduck.graph.file_rows import FileRows, FileRule, Reach, ReadOff, Row
from ragduck.graph.types.catalog import Catalog, TypeInfo
from ragduck.graph.types.chains import function_name
from ragduck.graph.types.expressions import Evaluators

_TURNED_ON = frozenset(("AddUnitOfWork", "UseUnitOfWork"))  # of packages, which save at the end of a request
_UNTRACKED = frozenset(("AsNoTracking", "AsNoTrackingWithIdentityResolution"))
_HANDLER = re.compile(r"I\w*Handler\w*")
_AROUND = frozenset(("IPipelineBehavior", "IMiddleware"))
_CONTEXT = "DbContext"
_INVOKED = ("Invoke", "InvokeAsync")


def saves_around(catalog: Catalog, savers: Savers) -> bool:
    """Say whether code of a snapshot, or a package that it turns on, saves around what handlers change."""
    return any(_is_around(catalog, info) for info in _saving(catalog, savers)) or _turns_on(catalog)


def makers(catalog: Catalog, entities: Mapping[str, str], *, rows: FileRows) -> Iterator[str]:
    """Yield the declarations that make entities, or read them untracked; ``entities`` has their names by key."""
    files = {file.path: file for name in set(entities.values()) for file in catalog.files_making(name)}
    making = FileRule("makers of entities", Reach.NAMES, sorted(entities))
    for _, found in rows.read(
        making, files.values(), lambda file: ReadOff(_rows(_making(file, catalog, entities)))
    ):
        yield from (str(source) for (source,) in found)
    for file in catalog.files_calling(_UNTRACKED):
        yield from (fact.source for fact in file.calls if function_name(fact.call) in _UNTRACKED)


def _making(file: FileFacts, catalog: Catalog, entities: Mapping[str, str]) -> Iterator[str]:
    within = Evaluators(catalog, file).within
    for use in file.uses:
        info = within(use.source).resolve(use.type).info if use.how == "new" else None
        if info is not None and info.key in entities:
            yield use.source


def _rows(sources: Iterable[str]) -> Sequence[Row]:
    return [(source,) for source in dict.fromkeys(sources)]


def _turns_on(catalog: Catalog) -> bool:
    for file in catalog.files_calling(_TURNED_ON):
        within = Evaluators(catalog, file).within
        for fact in file.calls if file.file_class != "test" else ():
            if function_name(fact.call) in _TURNED_ON and called(fact.call, within(fact.source)) is None:
                return True
    return False


def _saving(catalog: Catalog, savers: Savers) -> Iterator[TypeInfo]:
    """Yield the types of which a method saves."""
    for file in savers.files():
        statements = file.statements.unpacked() if file.file_class != "test" else None
        within = Evaluators(catalog, file).within
        for source in sorted(savers.sources(statements, within)) if statements is not None else ():
            owner = catalog.owner_of(source)
            if owner is not None:
                yield owner


def _is_around(catalog: Catalog, info: TypeInfo) -> bool:
    bases = list(catalog.ancestors(info))
    if any(one.info is None and one.name.rpartition(".")[2] in _AROUND for one in bases):
        return True
    invoked = (member for name in _INVOKED for member in info.members.get(name, ()))
    if any(member.parameters and member.parameters[0].type == "HttpContext" for member in invoked):
        return _has_one_context(catalog)  # else it may save what is its own, such as a log
    decorated = {
        one.name.rpartition(".")[2] for one in bases if _HANDLER.fullmatch(one.name.rpartition(".")[2])
    }
    return any(_bare(one.type) in decorated for one in _taken(info))


def _has_one_context(catalog: Catalog) -> bool:
    contexts = (
        info
        for info in catalog.types.values()
        if info.files[0].file_class != "test"
        and any(ref.name.rpartition(".")[2].endswith(_CONTEXT) for ref in catalog.ancestors(info))
    )
    return len(list(islice(contexts, 2))) == 1


def _taken(info: TypeInfo) -> Iterator[Parameter]:
    """Yield what the constructors of a type take."""
    for declaration in info.declarations:
        yield from declaration.parameters
    for constructor in info.members.get(info.name, ()):
        yield from constructor.parameters


def _bare(type_: str) -> str:
    return type_.partition("<")[0].rpartition(".")[2]
