"""Lambdas of fluent libraries use the members that they name: validators, mappings, maps of objects, view helpers."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import pytest

CodeEdges = Callable[[str, str | Mapping[str, str]], set[tuple[str, str, str]]]

SHOP = """
    namespace Shop;
    public class Order {
        public int Id { get; set; }
        public string Number { get; set; }
        public int CustomerId { get; set; }
        public Customer Customer { get; set; }
        public List<Line> Lines { get; set; }
        public Address Address { get; set; }
    }
    public class Customer { public int Id { get; set; } public List<Order> Orders { get; set; } }
    public class Line { public int OrderId { get; set; } public Order Order { get; set; } }
    public class Address { public string Street { get; set; } }
    public class OrderDto { public string Number { get; set; } public string Title { get; set; } }
"""


@pytest.fixture
def used_in(code_edges: CodeEdges) -> Callable[[str], set[str]]:
    """The members of the shop that code in a namespace of it names."""

    def used(code: str) -> set[str]:
        edges = code_edges("Uses", {"Shop/Shop.cs": SHOP, "Shop/A.cs": f"namespace Shop;\n{code}"})
        members = {to for _, to, rule in edges if rule in ("reads member", "sets member")}
        return {to.removeprefix("Shop.") for to in members}

    return used


UsedIn = Callable[[str], set[str]]


def test_rules_of_a_validator_are_about_what_it_validates(used_in: UsedIn) -> None:
    found = used_in("""
        class OrderValidator : AbstractValidator<Order> {
            public OrderValidator() {
                RuleFor(x => x.Number).NotEmpty().When(x => x.CustomerId > 0).WithMessage(x => x.Address.Street);
                this.RuleForEach(x => x.Lines).Must(x => x.Id > 0);
                When(x => x.Customer != null, () => { });
            }
        }
    """)

    assert found == {
        "Order.Number", "Order.CustomerId", "Order.Address", "Address.Street", "Order.Lines", "Order.Customer",
    }  # fmt: skip


@pytest.mark.parametrize(
    ("base", "call"),
    [
        (
            "System.Data.Entity.ModelConfiguration.EntityTypeConfiguration",
            "Property(x => x.Number).HasMaxLength(9)",
        ),
        ("EntityTypeConfiguration", "this.HasKey(x => x.Number)"),
        ("ClassMap", "Map(x => x.Number).Not.Nullable()"),
        ("SubclassMap", 'References(x => x.Number, "number_id")'),
        ("ClassMapping", "Id(x => x.Number, m => m.Column(1))"),
    ],
)
def test_a_mapping_names_members_of_what_it_maps(base: str, call: str, used_in: UsedIn) -> None:
    assert used_in(f"class OrderMap : {base}<Order> {{ public OrderMap() {{ {call}; }} }}") == {
        "Order.Number"
    }


def test_what_is_mapped_is_told_through_own_bases(used_in: UsedIn) -> None:
    found = used_in("""
        abstract class Map<TEntity> : EntityTypeConfiguration<TEntity> { }
        class OrderMap : Map<Order> { public OrderMap() { Ignore(x => x.Number); } }
    """)

    assert found == {"Order.Number"}


def test_a_validator_that_is_handed_on_is_told_by_its_type_arguments(used_in: UsedIn) -> None:
    found = used_in("""
        class Rules<T> : AbstractValidator<T> { }
        class Orders { void Run(Rules<Order> rules) { rules.RuleFor(x => x.Number); } }
    """)

    assert found == {"Order.Number"}


@pytest.mark.parametrize(
    "code",
    [
        "class A : Unknown<Order> { void Run() { Property(x => x.Number); } }",
        "class A : EntityTypeConfiguration<Order> { void Run() { Map(x => x.Number); } }",
        'class A : AbstractValidator<Order> { void Run() { Transform("", x => x.Number); } }',
        "class A : AbstractValidator<Order> { void Run() { RuleFor(Id).Must(x => x.Number); } }",
        "class A : EntityTypeConfiguration<Order> { void Property(Func<Line, int> x) { Property(x => x.Number); } }",
    ],
)
def test_of_other_methods_and_bases_nothing_is_told(code: str, used_in: UsedIn) -> None:
    assert used_in(code) == set()


@pytest.mark.parametrize(
    ("chain", "expected"),
    [
        ("HasRequired(x => x.Customer).WithMany(c => c.Orders).HasForeignKey(x => x.CustomerId)",
         {"Order.Customer", "Customer.Orders", "Order.CustomerId"}),
        ("HasMany(x => x.Lines).WithRequired(l => l.Order).HasForeignKey(l => l.OrderId)",
         {"Order.Lines", "Line.Order", "Line.OrderId"}),
        ("b.HasOne(x => x.Customer).WithMany(c => c.Orders).IsRequired().HasForeignKey(x => x.CustomerId)"
         ".HasPrincipalKey(c => c.Id)",
         {"Order.Customer", "Customer.Orders", "Order.CustomerId", "Customer.Id"}),
        ("b.HasOne<Customer>().WithMany(c => c.Orders)", {"Customer.Orders"}),
        ("b.HasOne<Customer>().WithOne().HasForeignKey<Order>(o => o.CustomerId)", {"Order.CustomerId"}),
        ("b.HasMany(x => x.Lines).WithMany().HasForeignKey(x => x.OrderId)", {"Order.Lines"}),
        ("b.OwnsOne(x => x.Address, a => { a.Property(y => y.Street); })", {"Order.Address", "Address.Street"}),
    ],
)  # fmt: skip
def test_a_relation_leads_from_one_type_to_the_other(chain: str, expected: set[str], used_in: UsedIn) -> None:
    code = f"""
        class OrderMap : EntityTypeConfiguration<Order> {{
            void Configure(EntityTypeBuilder<Order> b) {{ {chain}; }}
        }}
    """

    assert used_in(code) == expected


def test_a_map_has_a_source_and_a_target(used_in: UsedIn) -> None:
    found = used_in("""
        class Orders : Profile {
            public Orders() {
                CreateMap<Order, OrderDto>()
                    .ForMember(d => d.Title, o => o.MapFrom(s => s.Address.Street))
                    .AfterMap((s, d) => d.Number = s.Customer.ToString())
                    .ReverseMap()
                    .ForMember(d => d.CustomerId, o => o.Ignore());
            }
        }
    """)

    assert found == {
        "OrderDto.Title", "Order.Address", "Address.Street", "OrderDto.Number", "Order.Customer",
        "Order.CustomerId",
    }  # fmt: skip


def test_a_map_is_known_to_own_extensions(code_edges: CodeEdges) -> None:
    edges = code_edges(
        "Calls",
        """
        class Order { } class Dto { public string Name { get; set; } }
        static class Extensions {
            public static IMappingExpression<A, B> Plain<A, B>(this IMappingExpression<A, B> map) => map;
        }
        class Orders { void Run(IMapperConfigurationExpression c) { c.CreateMap<Order, Dto>().Plain(); } }
    """,
    )

    assert edges == {("Orders.Run", "Extensions.Plain", "extension method")}
