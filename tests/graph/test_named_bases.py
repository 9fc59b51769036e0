"""Types that derive from one are found by the words of their bases, as if the bases of all were resolved."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping

import pytest

from ragduck.facts import FileFacts
from ragduck.graph.types.catalog import Catalog, TypeInfo, TypeRef

FactsOf = Callable[[Mapping[str, str]], list[FileFacts]]
MONEY = {
    "A/Money.cs": "namespace Shop;\npublic class Money { public class Note { } }\npublic class Box<T> { }\n"
}
SCRIPT = "import { Root as R } from './root';\nclass X extends R { }\n"
ALIAS_OF_PROJECT = """<Project Sdk="Microsoft.NET.Sdk"><ItemGroup>
<Using Include="Shop.Money" Alias="Coin" />
</ItemGroup></Project>
"""


@pytest.mark.parametrize(
    ("name", "texts"),
    [
        ("Money", {"A/Euro.cs": "namespace Shop;\nclass Euro : Money { }\n"}),
        ("Money", {"A/Euro.cs": "class Euro : global::Shop.Money, IDisposable { }\n"}),
        ("Money", {"A/Euro.cs": "using Coin = Shop.Money;\nclass Euro : Coin { }\n"}),
        ("Money", {"A/Euro.cs": "class Euro : Coin { }\n", "A/Usings.cs": "global using Coin = Shop.Money;\n"}),
        ("Money", {"A/Euro.cs": "class Euro : Coin { }\n", "A/A.csproj": ALIAS_OF_PROJECT}),
        ("Note", {"A/Euro.cs": "using Coin = Shop.Money;\nclass Euro : Coin.Note { }\n"}),
        ("Box", {"A/Euro.cs": "using Coin = Shop.Box<int>;\nclass Euro : Coin { }\n"}),
        ("Money", {"A/Euro.razor": "@inherits Shop.Money\n<p>x</p>\n"}),
        ("Money", {"A/Euro.vb": "Class Euro\n  Inherits Shop.Money\nEnd Class\n"}),
        ("Root", {"w/root.ts": "export class Root { }\n", "w/x.ts": SCRIPT}),
    ],
)  # fmt: skip
def test_what_derives_from_a_type_is_found(facts_of: FactsOf, name: str, texts: Mapping[str, str]) -> None:
    catalog = Catalog(facts_of({**MONEY, **texts}))
    info = next(one for one in catalog.types.values() if one.name == name)

    assert catalog.derived(info)
    assert {key: list(catalog.derived(one)) for key, one in catalog.types.items()} == by_all_bases(catalog)


def by_all_bases(catalog: Catalog) -> dict[str, list[object]]:
    found: defaultdict[str, list[object]] = defaultdict(list)
    for one in catalog.types.values():
        for info in dict.fromkeys(ref.info for ref in catalog.bases(one)):
            if info is not None:
                found[info.key].append(one)
    return {key: found[key] for key in catalog.types}


def test_bases_of_others_are_not_resolved(facts_of: FactsOf, monkeypatch: pytest.MonkeyPatch) -> None:
    texts = {
        "A/Euro.cs": "namespace Shop;\nclass Euro : Money { }\n",
        "A/Rest.cs": "class Rest : Other { }\n",
    }
    catalog = Catalog(facts_of({**MONEY, **texts}))
    resolved: list[str] = []
    resolve = catalog._written.base

    def noted(written: str, *, file: FileFacts, info: TypeInfo) -> TypeRef:
        resolved.append(written)
        return resolve(written, file=file, info=info)

    monkeypatch.setattr(catalog._inheritance, "_resolve", noted)

    catalog.derived(catalog.types["csharp:Shop.Money|TYPE"])

    assert resolved == ["Money"]
