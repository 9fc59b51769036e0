"""Offer each bundle of a path as a source: recognised and named at once, read when it is wanted."""

from __future__ import annotations

import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import SpooledTemporaryFile

from ragduck.errors import SourceError
from ragduck.imports.contract import Imported
from ragduck.imports.roslyn.archive import DAMAGED, BundleFiles, FolderFiles, opened_zip
from ragduck.imports.roslyn.bundle import Bundle
from ragduck.imports.roslyn.ledger import Ledger
from ragduck.imports.roslyn.naming import Names, names_of
from ragduck.imports.roslyn.pieces import Databases
from ragduck.imports.roslyn.places import bundle_prefixes, bundles_in
from ragduck.imports.roslyn.reading import read_bundle
from ragduck.imports.roslyn.texts import read_object
from ragduck.model import EmbeddingModel, Snapshot

KIND = "RoslynIndexer bundle"
READER = "2"  # changes when the same bundle gives another result
MAX_INNER_ZIPS = 200
_BLOCK = 1 << 20


@dataclass(frozen=True, slots=True)
class _Place:
    """Where a bundle lies: in a folder, in a zip, or in a zip within a zip, below ``prefix``."""

    path: Path
    inner: str = ""
    prefix: str = ""

    @property
    def label(self) -> str:
        """Name it for people."""
        return "!".join(part for part in (self.path.name, self.inner, self.prefix) if part)

    @property
    def full_name(self) -> str:
        """Return all folders it lies in, one within the other."""
        return "/".join((self.path.resolve().as_posix(), self.inner, self.prefix)).rstrip("/") + "/"

    def stem(self, *, is_alone: bool) -> str:
        """Return what it is called: a folder's own name, else that of the zip around it."""
        if self.path.is_dir():
            return self.path.resolve().name
        is_named = self.prefix.count("/") > 1 or (self.prefix and not is_alone)
        if is_named:
            return self.prefix.rstrip("/").rpartition("/")[2]
        name = self.inner.rpartition("/")[2] or self.path.name
        return name[:-4] if name.lower().endswith(".zip") else name

    @contextmanager
    def opened(self, ledger: Ledger) -> Iterator[BundleFiles]:
        """Open what the bundle lies in."""
        if self.path.is_dir():
            yield FolderFiles(self.path)
            return
        with opened_zip(self.path, label=self.path.name, ledger=ledger) as outer:
            if not self.inner:
                yield outer
                return
            with _inner_zip(outer, self.inner, ledger=ledger) as files:
                yield files


@dataclass(frozen=True, slots=True)
class RoslynSource:
    """A bundle under the repository and branch that its name and its repo_meta.json give."""

    place: _Place
    names: Names
    fingerprint: str
    kind: str = KIND
    model: EmbeddingModel | None = field(default=None)
    takes_database: bool = True

    @property
    def snapshot(self) -> Snapshot:
        """What the bundle is put under."""
        return Snapshot(self.names.repo, self.names.branch, self.names.commit, self.place.path.resolve())

    def read(self, *, max_chars: int, database: str | None = None) -> Imported:
        """Read the bundle; raise SourceError when it holds neither code nor database objects.

        Without ``database`` it is what a bundle that ragduck wrote says, else the repository's name.
        """
        ledger = Ledger()
        with self.place.opened(ledger) as files:
            bundle = Bundle(files, self.place.prefix, ledger)
            names = Databases(chosen=database or "", default=self.names.repo)
            imported = read_bundle(bundle, databases=names, max_chars=max_chars)
        if not any(imported.taken.values()):
            reasons = "; ".join(f"{one.file}: {one.rule}" for one in imported.findings[:3]) or "it is empty"
            raise SourceError(
                f"nothing could be read from {self.place.label}: {reasons}", hint="make the bundle again"
            )
        return imported


def roslyn_sources(
    path: Path, *, repo: str | None = None, branch: str | None = None
) -> tuple[RoslynSource, ...]:
    """Return the bundles that a zip or folder is or holds, in order of their places.

    Empty for a path that holds none. Raises SourceError for a damaged zip and for a bomb.
    """
    places = _places_in(path)
    sources = (_source(place, is_alone=len(places) == 1) for place in places)
    return tuple(_renamed(source, repo=repo, branch=branch) for source in sources)


def _places_in(path: Path) -> list[_Place]:
    """Return the places of bundles; what cannot be read matters only where bundles are."""
    places: list[_Place] = []
    failures: list[SourceError] = []
    for each in _paths(path):
        try:
            places += _places_at(each)
        except SourceError as error:
            failures.append(error)
    if failures and (places or path.is_file()):
        raise failures[0]
    return places


def _paths(path: Path) -> list[Path]:
    if path.is_dir():
        inside = [child for child in path.iterdir() if not child.name.startswith(".")]
        found = bundles_in(path)
        if not found and len(inside) == 1 and inside[0].is_dir() and not inside[0].is_symlink():
            found = bundles_in(inside[0])
        return found
    return [path] if path.is_file() and zipfile.is_zipfile(path) else []


def _places_at(path: Path) -> list[_Place]:
    if path.is_dir():
        return [_Place(path)]
    if not zipfile.is_zipfile(path):
        return []
    ledger = Ledger()
    with opened_zip(path, label=path.name, ledger=ledger) as files:
        names = files.names()
        places = [_Place(path, prefix=prefix) for prefix in bundle_prefixes(names)]
        zips = () if places else (name for name in names if name.lower().endswith(".zip"))
        inner = sorted(zips)[:MAX_INNER_ZIPS]
        for name in inner:
            with _inner_zip(files, name, ledger=ledger) as zipped:
                places += [_Place(path, name, prefix) for prefix in bundle_prefixes(zipped.names())]
    return places


@contextmanager
def _inner_zip(files: BundleFiles, name: str, *, ledger: Ledger) -> Iterator[BundleFiles]:
    """Open a zip within a zip; those within that are left alone."""
    with SpooledTemporaryFile(max_size=64 << 20) as copy:
        try:
            with files.open(name) as file:
                while block := file.read(_BLOCK):
                    copy.write(block)
        except DAMAGED as error:
            raise SourceError(
                f"{name} cannot be unpacked: {error}", hint="copy or download it again"
            ) from error
        copy.seek(0)
        with opened_zip(copy, label=name, ledger=ledger) as zipped:
            yield zipped


def _source(place: _Place, *, is_alone: bool) -> RoslynSource:
    ledger = Ledger()
    with place.opened(ledger) as files:
        bundle = Bundle(files, place.prefix, ledger)
        meta = read_object(files, bundle.meta, ledger=ledger) if bundle.meta else {}
        names = names_of(meta, stem=place.stem(is_alone=is_alone), place=place.full_name)
        return RoslynSource(place, names, f"{READER}:{files.fingerprint(bundle.all_names())}")


def _renamed(source: RoslynSource, *, repo: str | None, branch: str | None) -> RoslynSource:
    names = source.names._replace(repo=repo or source.names.repo, branch=branch or source.names.branch)
    return RoslynSource(source.place, names, source.fingerprint)
