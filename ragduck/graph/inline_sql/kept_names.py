"""Find procedures that objects name and others run: `new SqlCommand(query.ProcedureName)`, of a base class."""

from __future__ import annotations

from collections.abc import Iterator

from ragduck.facts import Member, Name
from ragduck.graph.inline_sql.heirs import Heirs, is_concrete
from ragduck.graph.inline_sql.strings import Evaluated, StringEvaluator
from ragduck.graph.types.catalog import Catalog, TypeInfo
from ragduck.graph.types.expressions import type_of
from ragduck.graph.types.roots import BASE_NAMES, SELF_NAMES
from ragduck.sqlreader.recognition import has_unknown_piece
from ragduck.sqlreader.sites import Site


class KeptNames:
    """Answer which classes tell the name that a place takes from an object, keeping what was worked out."""

    def __init__(self, catalog: Catalog, *, strings: StringEvaluator, heirs: Heirs) -> None:
        self._catalog = catalog
        self._strings = strings
        self._heirs = heirs
        self._known: dict[tuple[str, str], tuple[tuple[str, Evaluated], ...]] = {}

    def of(self, site: Site, own: Evaluated) -> tuple[tuple[str, Evaluated], ...]:
        """Return the keys of the concrete classes of an object whose member stands at a place, with its texts.

        Nothing where the place itself tells it, or the object is the own one.
        """
        value = site.value
        if not isinstance(value, Member) or not all(has_unknown_piece(text) for text in own.texts):
            return ()
        if isinstance(value.receiver, Name) and value.receiver.name in SELF_NAMES | BASE_NAMES:
            return ()
        ref = type_of(value.receiver, catalog=self._catalog, file=site.file, source=site.source)
        if ref is None or ref.info is None or not self._catalog.members(ref.info, value.name):
            return ()
        key = ref.info.key, value.name
        if key not in self._known:
            self._known[key] = tuple(self._told(ref.info, value.name))
        return self._known[key]

    def _told(self, info: TypeInfo, name: str) -> Iterator[tuple[str, Evaluated]]:
        classes = (info, *self._heirs.concrete(info)) if is_concrete(info) else self._heirs.concrete(info)
        for one in classes:
            found = self._strings.evaluate(Name(name), file=one.files[0], source=one.key, binding=one)
            texts = tuple(text for text in found.texts if not has_unknown_piece(text))
            if texts and not one.is_test:
                yield one.key, Evaluated(texts, is_bound=True)
