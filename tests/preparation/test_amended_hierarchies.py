"""Types change what they derive from, in a store that is amended: members are named by those that inherit them."""

from __future__ import annotations

from pathlib import Path

import duckdb
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.preparation import test_amended_corners as corners
from tests.preparation.test_amended_corners import Same, cs, prepared, put

pytestmark = pytest.mark.skipif(duckdb.__version__.startswith("1."), reason="amends nothing")
cache, source, require_same = corners.cache, corners.source, corners.require_same
_small_ones_too = corners._small_ones_too

CLASSES, INTERFACES, MEMBERS = ("A", "B", "C", "D", "E"), ("I", "J"), ("Load", "Save", "Count")
Declared = tuple[str, frozenset[str], frozenset[str]] | None


def declared(name: str, told: Declared) -> str:
    """Return a file with one type, or with nothing where there is no such type."""
    if told is None:
        return "namespace Shop;\n"
    base, interfaces, members = told
    is_class = name in CLASSES
    bases = ", ".join(
        (*((base,) if base and is_class and base != name else ()), *sorted(interfaces - {name}))
    )
    body = " ".join(
        f"int {one}();" if not is_class else f"public int {one}() => 1;" for one in sorted(members)
    )
    return cs(f"{'class' if is_class else 'interface'} {name}{' : ' if bases else ''}{bases} {{ {body} }}")


types = st.none() | st.tuples(
    st.sampled_from(("", *CLASSES)),
    st.frozensets(st.sampled_from(INTERFACES), max_size=2),
    st.frozensets(st.sampled_from(MEMBERS), max_size=2),
)


@pytest.mark.slow
@settings(max_examples=10, deadline=None, suppress_health_check=list(HealthCheck), derandomize=True)
@given(
    first=st.fixed_dictionaries(dict.fromkeys((*CLASSES, *INTERFACES), types)),
    edits=st.lists(st.tuples(st.sampled_from((*CLASSES, *INTERFACES)), types), min_size=2, max_size=5),
)
def test_whatever_types_derive_from_the_rows_are_those_of_a_store_written_whole(
    source: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    require_same: Same,
    first: dict[str, Declared],
    edits: list[tuple[str, Declared]],
) -> None:
    put(source, {f"{name}.cs": declared(name, told) for name, told in first.items()})
    store = prepared(source, tmp_path / "s.duckdb")
    for name, told in edits:
        put(source, {f"{name}.cs": declared(name, told)})
        prepared(source, store)

        require_same(store)
        monkeypatch.setattr("ragduck.store.amendable.SMALLEST", 0)
