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

MOST = 20_000  # classes that are asked what they call a procedure, of all places together


class KeptNames:
    """Answer which classes tell the name that a place takes from an object, once for all places that take it."""

    def __init__(self, catalog: Catalog, *, strings: StringEvaluator, heirs: Heirs) -> None:
        self._catalog = catalog
        self._strings = strings
        self._heirs = heirs
        self._told: set[tuple[str, str]] = set()
        self._asked = 0
        self.places = 0  # that were asked about

    def of(self, site: Site, own: Evaluated) -> Iterator[tuple[str, Evaluated]]:
        """Yield the keys of the concrete classes of an object whose member stands at a place, with its texts.

        Nothing where the place itself tells it, the object is the own one, or an earlier place takes the same: many
        places that many classes have names for would tell the same of them over and over.
        """
        value = site.value
        if not isinstance(value, Member) or not all(has_unknown_piece(text) for text in own.texts):
            return
        if isinstance(value.receiver, Name) and value.receiver.name in SELF_NAMES | BASE_NAMES:
            return
        ref = type_of(value.receiver, catalog=self._catalog, file=site.file, source=site.source)
        if ref is None or ref.info is None or not self._catalog.members(ref.info, value.name):
            return
        self.places += 1
        key = ref.info.key, value.name
        if key not in self._told:
            self._told.add(key)
            yield from self._named(ref.info, value.name)

    def _named(self, info: TypeInfo, name: str) -> Iterator[tuple[str, Evaluated]]:
        classes = (info, *self._heirs.concrete(info)) if is_concrete(info) else self._heirs.concrete(info)
        for one in classes[: MOST - self._asked]:
            self._asked += 1
            found = self._strings.evaluate(Name(name), file=one.files[0], source=one.key, binding=one)
            texts = tuple(text for text in found.texts if not has_unknown_piece(text))
            if texts and not one.is_test:
                yield one.key, Evaluated(texts, is_bound=True)
