"""Find what a file imports under a full name, also where modules pass on what they import themselves."""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Iterator, Sequence
from itertools import chain, islice, takewhile
from pathlib import PurePosixPath

from ragduck.facts import FileFacts, MemberFact
from ragduck.graph.types.declarations import Declarations, TypeInfo, family_of
from ragduck.graph.types.visibility import Visibility

MAX_NAMES = 500  # that an index file passes on from others, and these from theirs
MIN_PARTS = 3  # two folders and a name are enough to recognise what lies below another root
ROOTS = frozenset(("src", "lib"))
INDEXES = frozenset(("__init__", "index"))


class Imports:
    """Look up full names; the roots from which they count are not known, so that their ends are compared."""

    def __init__(self, declarations: Declarations, visibility: Visibility) -> None:
        self._declarations = declarations
        self._visibility = visibility
        self._modules: defaultdict[str, dict[str, FileFacts]] = defaultdict(dict)
        for path, file in declarations.files.items():
            if file.imports and family_of(file.language) in ("python", "typescript"):
                self._modules[family_of(file.language)].setdefault(module_of(path), file)

    def type_named(self, name: str, *, file: FileFacts) -> TypeInfo | None:
        """Find a type, the nearest one if only the end of its name is known."""
        family = family_of(file.language)
        by_name = self._declarations.by_name[family]
        if family == "csharp":
            return by_name.get(name)
        for full in self._full_names(name, file=file):
            candidates = self._declarations.top_level[family].get(full.rpartition(".")[2], ())
            alike = [one for one in candidates if _may_mean(full, one.qualified_name, file=file)]
            found = by_name.get(full) or nearest(alike, file=file)
            if found is not None:
                return found
        return None

    def functions_named(self, name: str, *, file: FileFacts) -> Sequence[MemberFact]:
        """Find functions or values outside of types; one that only ends alike must be the only one."""
        family = family_of(file.language)
        functions = self._declarations.functions[family]
        for full in self._full_names(name, file=file) if functions else ():
            if full in functions:
                return functions[full]
            names = self._declarations.function_names[family].get(full.rpartition(".")[2], ())
            candidates = [one for one in names if _may_mean(full, one, file=file)]
            if len(candidates) == 1:
                return functions[candidates[0]]
        return ()

    def _full_names(self, name: str, *, file: FileFacts) -> Iterator[str]:
        """Yield the names under which something may be declared, following modules that pass it on."""
        family = family_of(file.language)
        pending = deque(dict.fromkeys(_beginnings(name, file=file)))
        seen = set(pending)
        while pending:
            full = pending.popleft()
            yield full
            module, _, last = full.rpartition(".")
            source = self._modules[family].get(module)
            if source is not None:
                sight = self._visibility.of(source)
                told = (_dotted(sight.aliases[last]),) if last in sight.aliases else ()
                names = chain(told, (f"{opened}.{last}" for opened in sorted(sight.opened)))
                for one in islice(names, MAX_NAMES - len(seen)):
                    if one not in seen:
                        seen.add(one)
                        pending.append(one)


def _may_mean(name: str, qualified: str, *, file: FileFacts) -> bool:
    """Compare the ends of two names: what is left over must be a source root, as far as that can be told."""
    parts = name.count(".") + 1
    if parts < 2 or file.language == "java" or not qualified.endswith(f".{name}"):
        return False
    root = qualified.removesuffix(f".{name}")
    folder = f"{file.path.replace('/', '.')}."
    return parts >= MIN_PARTS or root.rpartition(".")[2] in ROOTS or folder.startswith(f"{root}.")


def _dotted(name: str) -> str:
    return name.replace("/", ".").strip("@~.")


def _beginnings(name: str, *, file: FileFacts) -> Iterator[str]:
    """Yield a full name; in Go, without the path of its own module, and from further inside."""
    full = _dotted(name)
    if family_of(file.language) != "go":
        yield full
        return
    module = _dotted(file.project or "")
    yield full.removeprefix(f"{module}.")
    parts = full.split(".")
    for start in range(1, len(parts) - MIN_PARTS + 1):
        yield ".".join(parts[start:])


def module_of(path: str) -> str:
    """Return the dotted name of a file, without source root and index file, as its symbols are qualified."""
    pure = PurePosixPath(path)
    parts = [*pure.parts[:-1], pure.name.rpartition(".")[0].removesuffix(".d")]
    if len(parts) > 1 and parts[0] in ROOTS:
        parts = parts[1:]
    if len(parts) > 1 and parts[-1] in INDEXES:
        parts = parts[:-1]
    return ".".join(parts)


def nearest(candidates: Sequence[TypeInfo], *, file: FileFacts) -> TypeInfo | None:
    """Return the candidate whose file lies closest, or nothing if two are equally close."""
    if len(candidates) < 2:
        return candidates[0] if candidates else None
    shared = [shared_folders(one.files[0].path, file.path) for one in candidates]
    best = max(shared)
    return candidates[shared.index(best)] if shared.count(best) == 1 else None


def shared_folders(one: str, other: str) -> int:
    """Count the folders that two paths begin with alike."""
    pairs = zip(one.split("/"), other.split("/"), strict=False)
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))
