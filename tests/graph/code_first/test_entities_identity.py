"""What the managers of ASP.NET Identity read and write."""

from __future__ import annotations

import pytest

MODEL = """
    namespace Shop;

    public class Account : IdentityUser<long> { public string FullName { get; set; } }
    public class Group : IdentityRole<long> { }
    public class Member : IdentityUserRole<long> { }

    public class ShopContext : IdentityDbContext<Account, Group, long>
    {
        protected override void OnModelCreating(ModelBuilder builder)
        {
            builder.Entity<Account>().ToTable("Account");
            builder.Entity<Group>().ToTable("Group");
            builder.Entity<Member>().ToTable("Member");
        }
    }

    public class AccountManager : UserManager<Account>
    {
        public Task<Account> FindByEmailAsync(string email) { return null; }
        public override Task<IdentityResult> CreateAsync(Account account) { return base.CreateAsync(account); }
        public Task<Account> Anyone() { return FindByIdAsync("1"); }
    }
"""
METHOD = "Shop.Service.Run|METHOD"


def files(body: str, *, path: str = "Shop/Service.cs") -> dict[str, str]:
    return {
        "Shop/Model.cs": MODEL,
        "Database/Identity.sql": "CREATE TABLE dbo.AspNetUserLogins (UserId BIGINT, LoginProvider NVARCHAR(99));",
        path: f"""
            namespace Shop;
            public class Service
            {{
                private readonly UserManager<Account> _users;
                private readonly AccountManager _accounts;
                private readonly RoleManager<Group> _groups;
                private readonly RoleManager<Draft> _drafts;
                private readonly ICache<Account> _cache;
                public async Task Run(Account account, Group group, string name) {{ {body} }}
            }}
        """,
    }


def used(graph, *, source: str = METHOD) -> set[str]:
    """What a method does: `reads Account`."""
    return {
        f"{verb} {table.removeprefix('dbo.').removesuffix('|TABLE')}"
        for verb, relation in (("reads", "ReadsFrom"), ("writes", "WritesTo"))
        for one, table in graph.pairs(relation, rule="identity")
        if one == source
    }


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("await _users.CreateAsync(account, name);", {"writes Account"}),
        ("_users.Update(account);", {"writes Account"}),
        ("await _users.ResetPasswordAsync(account, name, name);", {"writes Account"}),
        ("await _users.AddToRoleAsync(account, name);", {"writes Account", "writes Member"}),
        ("await _users.AddLoginAsync(account, null);", {"writes Account", "writes AspNetUserLogins"}),
        ("await _users.AddClaimAsync(account, null);", {"writes Account"}),
        ("var a = await _users.FindByIdAsync(name);", {"reads Account"}),
        ("var a = await _users.FindByLoginAsync(name, name);", {"reads Account", "reads AspNetUserLogins"}),
        ("var r = await _users.GetRolesAsync(account);", {"reads Member"}),
        ("var a = _users.Users.Where(u => u.FullName == name).ToList();", {"reads Account"}),
        ("foreach (var a in _users.Users) { }", {"reads Account"}),
        ("await _groups.DeleteAsync(group);", {"writes Group"}),
        ("if (await _groups.RoleExistsAsync(name)) { }", {"reads Group"}),
        ("await _accounts.DeleteAsync(account);", {"writes Account"}),
    ],
)
def test_managers_use_the_tables_of_users_and_roles(graph_of, body, expected):
    graph = graph_of(files(body))

    assert used(graph) == expected
    assert {edge.confidence for edge in graph.edges if edge.rule == "identity"} <= {0.9}


@pytest.mark.parametrize(
    "body",
    [
        "var id = _users.GetUserId(null); await _users.CheckPasswordAsync(account, name);",
        "var a = await _accounts.FindByEmailAsync(name);",
        "await _drafts.CreateAsync(null);",
        "await _cache.UpdateAsync(account);",
        "await FindByIdAsync(name);",
    ],
)
def test_what_is_no_manager_or_asks_no_table_has_no_edge(graph_of, body):
    assert used(graph_of(files(body))) == set()


def test_a_class_that_is_derived_from_a_manager_calls_its_members(graph_of):
    graph = graph_of(files(""))

    assert used(graph, source="Shop.AccountManager.CreateAsync|METHOD") == {"writes Account"}
    assert used(graph, source="Shop.AccountManager.Anyone|METHOD") == {"reads Account"}


def test_a_manager_may_be_null(graph_of):
    texts = files("await _accounts.DeleteAsync(account); await _users.FindByIdAsync(name);")
    service = (
        texts["Shop/Service.cs"].replace("AccountManager _", "AccountManager? _").replace("t> _u", "t>? _u")
    )

    assert used(graph_of({**texts, "Shop/Service.cs": service})) == {"writes Account", "reads Account"}


def test_managers_in_tests_are_doubles(graph_of):
    found = graph_of(files("await _users.CreateAsync(account);", path="tests/Shop.Tests/ServiceTests.cs"))

    assert used(found) == set()
