"""What a component of Vue or Svelte holds: the module of its script, on the lines where that stands."""

from __future__ import annotations

from textwrap import dedent
from time import process_time

import pytest

from ragduck.model import Document, ParsedDocument
from ragduck.parse import ChunkSettings, parse_document
from ragduck.sources import classify

PAGE = """
<template>
  <button @click="save">Größe</button>
</template>

<script>
import { put } from './orders';
export function save() {
  return put('/api/orders');
}
</script>

<style>
b { color: red; }
</style>
"""


def parsed(text: str, *, path: str = "src/views/Orders.vue") -> ParsedDocument:
    text = dedent(text).lstrip("\n")
    kind = classify(path, text)
    document = Document(path, text, kind.language, kind.file_type, kind.file_class, len(text), 0)
    return parse_document(document, settings=ChunkSettings())


def test_the_script_is_a_module_with_the_name_of_the_file() -> None:
    facts = parsed(PAGE).facts

    assert (facts.language, [(one.key, one.line, one.end_line) for one in facts.members]) == (
        "typescript",
        [("typescript:views.Orders.save|METHOD", 7, 9)],
    )
    assert [(one.source, one.line) for one in facts.calls] == [("typescript:views.Orders.save|METHOD", 8)]
    assert [one.name for one in facts.imports] == ["views.orders.put"]


def test_template_script_and_styles_are_in_chunks() -> None:
    found = parsed(PAGE)

    assert "\n".join(chunk.text for chunk in found.chunks) == PAGE.strip()
    assert {chunk.node_key for chunk in found.chunks} <= {
        "file:src/views/Orders.vue|FILE",
        "typescript:views.Orders.save|METHOD",
    }


@pytest.mark.parametrize(
    "script",
    [
        "<script setup lang='ts'>\nconst load = async (id: number): Promise<void> => { send(id); };\n</script>",
        '<script lang="tsx">\nconst load = () => { send(); return <b>{one as string}</b>; };\n</script>',
        "<script>\nconst load = () => { send(); return <b>{one}</b>; };\n</script>",
        '<script\n  setup\n  lang="ts"\n  generic="T extends A<B>"\n>\nconst load = () => send();\n</script>',
        '<script src="./more.js"></script>\n<template/>\n<script>\nconst load = () => send();\n</script>',
    ],
)
def test_the_language_of_the_script_is_told_by_its_tag(script: str) -> None:
    found = parsed(script)

    assert found.problems == ()
    assert [one.key for one in found.facts.members] == ["typescript:views.Orders.load|METHOD"]


def test_scripts_without_an_end_are_read_in_time() -> None:
    def seconds(count: int) -> float:
        began = process_time()
        parsed("<script>\n" * count)
        return process_time() - began

    seconds(100)

    assert min(seconds(40_000) for _ in range(3)) < 16 * max(seconds(5_000), 0.01)


def test_two_scripts_are_one_module() -> None:
    found = parsed(
        """
        <script>
        export const first = () => 1;
        </script>
        <script setup>
        const second = () => first();
        </script>
        """,
        path="src/Orders.svelte",
    )

    assert [(one.name, one.line) for one in found.facts.members] == [("first", 2), ("second", 5)]


@pytest.mark.parametrize(
    "text", ["<template><b/></template>\n", "<script>\nconst one = () => 1;\n", "<script\n"]
)
def test_what_has_no_whole_script_is_markup(text: str) -> None:
    found = parsed(text)

    assert (found.facts.members, [chunk.text for chunk in found.chunks]) == ((), [text.rstrip("\n")])


OPTIONS = """
<script>
import tables from './tables';
import { list } from './api';
export default {
  name: 'Orders',
  mixins: [tables],
  props: { id: { type: Number, default: 0 } },
  data() {
    return { rows: [] };
  },
  computed: {
    total() { return this.rows.length; },
    isLarge: function () { return this.total > 5; },
  },
  watch: { id(value) { this.load(); } },
  methods: {
    load() {
      list(this.id);
    },
    drop: async row => {
      list(row);
    },
  },
};
</script>
"""


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("", ""),
        ("export default {", "export default defineComponent({"),
        ("export default {", "export default Vue.extend({"),
    ],
)
def test_methods_and_computed_values_are_members_of_a_component(before: str, after: str) -> None:
    text = OPTIONS.replace(before, after).replace("\n};\n", "\n});\n" if after else "\n};\n")

    facts = parsed(text).facts

    component = "typescript:views.Orders.default"
    assert [(one.key, one.bases) for one in facts.types] == [(f"{component}|TYPE", ("tables",))]
    assert {(one.key.removeprefix(f"{component}."), one.line, one.owner) for one in facts.members} == {
        (name, line, f"{component}|TYPE")
        for name, line in (
            ("data|METHOD", 8), ("total|PROPERTY", 12), ("isLarge|PROPERTY", 13), ("load|METHOD", 17),
            ("drop|METHOD", 20),
        )
    }  # fmt: skip
    assert {(one.source.removeprefix(component), one.line) for one in facts.calls} >= {
        ("|TYPE", 15), (".load|METHOD", 18), (".drop|METHOD", 21),
    }  # fmt: skip


def test_an_object_without_methods_is_no_component() -> None:
    facts = parsed(
        "<script>\nexport default { path: '/x', meta: { methods: 1 }, run() { return 1; } };\n</script>"
    ).facts

    assert facts.types == ()
    assert [one.key for one in facts.members] == ["typescript:views.Orders.default|FIELD"]
