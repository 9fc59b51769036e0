"""What stands in the options of a component of Vue calls, reads and sets what else stands there or is mixed in."""

from __future__ import annotations

from collections.abc import Callable, Mapping

CodeEdges = Callable[[str, str | Mapping[str, str]], set[tuple[str, str, str]]]

FILES = {
    "src/api.js": "export function list(id) {}\n",
    "src/views/tables.js": "export default { methods: { say(text) {} } };\n",
    "src/views/Orders.vue": """<script>
import tables from './tables';
import { list } from '../api';
export default {
  mixins: [tables],
  computed: { total() { return this.rows.length; } },
  created() { this.load(); },
  methods: {
    load() { list(this.total); },
    drop() { this.say('dropped'); },
  },
};
</script>
""",
}
HERE = "views.Orders.default"


def test_members_call_each_other_what_is_imported_and_what_is_mixed_in(code_edges: CodeEdges) -> None:
    assert code_edges("Calls", FILES) == {
        (f"{HERE}.created", f"{HERE}.load", "receiver type"),
        (f"{HERE}.load", "api.list", "import"),
        (f"{HERE}.drop", "views.tables.default.say", "receiver type"),
    }


def test_computed_values_are_read(code_edges: CodeEdges) -> None:
    uses = code_edges("Uses", FILES)

    assert (f"{HERE}.load", f"{HERE}.total", "reads member") in uses


def test_what_is_mixed_in_is_inherited(code_edges: CodeEdges) -> None:
    assert (HERE, "views.tables.default", "base list") in code_edges("Inherits", FILES)
