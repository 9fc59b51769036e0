"""Templates of components of Vue lead to what handles their events."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import pytest

from ragduck.facts import FileFacts
from ragduck.graph.code.template_events import template_event_graph
from ragduck.graph.types.catalog import Catalog
from tests.graph.conftest import bare

FactsOf = Callable[[Mapping[str, str]], list[FileFacts]]
Handling = Callable[[str], set[tuple[str, int]]]

OPTIONS = (
    "<script>\nexport default { methods: { save() {}, load() {} }, computed: { total() {} } }\n</script>"
)
SETUP = "<script setup>\nfunction save() {}\nconst load = () => {}\nconst total = 1\n</script>"


@pytest.fixture(params=[OPTIONS, SETUP], ids=["options", "setup"])
def handling(facts_of: FactsOf, request: pytest.FixtureRequest) -> Handling:
    """Which functions a template of two lines names, and where."""

    def found(tag: str) -> set[tuple[str, int]]:
        text = f"<template>\n<p {tag} />\n</template>\n{request.param}\n"
        edges = template_event_graph(Catalog(facts_of({"web/Orders.vue": text}))).edges
        assert {(one.from_key, one.relation) for one in edges} <= {("file:web/Orders.vue|FILE", "Handles")}
        return {(bare(one.to_key).rpartition(".")[2], one.line) for one in edges}

    return found


@pytest.mark.parametrize(
    "tag",
    [
        '@click="save"',
        "v-on:click='save'",
        '@click.prevent="save($event)"',
        '@update:modelValue="(value) => save(value)"',
        '@click="open = false; save()"',
        '@click="this.save"',
    ],
)
def test_an_event_is_handled_by_the_function_that_is_named(handling: Handling, tag: str) -> None:
    assert handling(tag) == {("save", 2)}


@pytest.mark.parametrize(
    "tag",
    [
        ':click="save"',
        '@click="total"',
        '@click="other"',
        '@click="store.save()"',
        "@click=\"say('save()')\"",
        '/><!-- <p @click="save" /> --><p',
        '/><slot v-slot="{ save }" @click="save" /><p',
        'v-for="save in saves" @click="save()"',
    ],
)
def test_what_the_component_does_not_have_or_is_no_event_handles_nothing(
    handling: Handling, tag: str
) -> None:
    assert handling(tag) == set()


def test_what_is_mixed_in_handles_events_too(facts_of: FactsOf) -> None:
    files = {
        "web/saving.js": "export default { methods: { save() {} } };\n",
        "web/Orders.vue": """
            <template><p @click="save" /></template>
            <script>
            import saving from './saving';
            export default { mixins: [saving], methods: { load() {} } };
            </script>
        """,
    }

    edges = template_event_graph(Catalog(facts_of(files))).edges

    assert [bare(edge.to_key) for edge in edges] == ["web.saving.default.save"]
