"""Mapper classes say which table a class is kept in: by a text that a constructor gives its base, or by a call."""

from __future__ import annotations

import pytest

from tests.graph.code_first.conftest import GraphOf

TABLES = "create table dbo.Issues (Id int); create table dbo.Orders (Id int);"
ISSUES = "dbo.Issues|TABLE"
TICKET = "public class Ticket { public int Id { get; set; } }"
MAP = "class TicketMap : CrudEntityMapper<Ticket> { TicketMap() : base(NAME) { } }"
TOLD = f"using Griffin.Data.Mapper; {TICKET} {MAP}"


@pytest.mark.parametrize(
    "mapper",
    [
        'class TicketMapper : CrudEntityMapper<Ticket> { public TicketMapper() : base("Issues") { } }',
        'class TicketMapper() : CrudEntityMapper<Ticket>("Issues") { }',
        'class TicketMapper : EntityMap<Ticket> { public TicketMapper() { this.Table("dbo.Issues"); } }',
        'class TicketMapper : EntityMap<Ticket> { public TicketMapper() { ToTable("Issues"); } }',
        """abstract class OwnMap<T> { protected OwnMap(string table) { } }
           class TicketMapper : OwnMap<Ticket> { const string Name = "Issues"; TicketMapper() : base(Name) { } }""",
    ],
)
def test_a_mapper_class_maps_its_class_to_a_known_table(graph_of: GraphOf, mapper: str) -> None:
    graph = graph_of({"db.sql": TABLES, "A.cs": f"{TICKET} {mapper}"})

    assert graph.pairs("MapsTo", rule="mapper class") == {("Ticket|TYPE", ISSUES)}


@pytest.mark.parametrize(
    "other",
    [
        'class TicketMapper : EntityMapper<Ticket> { public TicketMapper() : base("Gone") { } }',
        'class TicketPage : ListPage<Ticket> { public TicketPage() : base("Issues") { } }',
        'class TicketMapper : Page, IMapper<Ticket> { public TicketMapper() : base("Issues") { } }',
        'class TicketMapper : Mapper<Ticket, Ticket> { public TicketMapper() : base("Issues") { } }',
        'class TicketMapper : EntityMapper<Ticket> { public TicketMapper() : base("Issues", "Orders") { } }',
        'class TicketMapper : EntityMapper<Ticket> { public TicketMapper() : this("Issues") { } }',
        'class TicketMapper : EntityMapper<Ticket> { public void Render() { Table("Issues"); } }',
    ],
)
def test_other_texts_name_no_table(graph_of: GraphOf, other: str) -> None:
    graph = graph_of({"db.sql": TABLES, "A.cs": f"{TICKET} {other}"})

    assert graph.pairs("MapsTo") == set()


def test_a_mapper_of_a_known_library_names_a_table_that_no_script_defines(graph_of: GraphOf) -> None:
    graph = graph_of({"A.cs": TOLD.replace("NAME", '"crm.Tickets"')})

    assert graph.only("MapsTo").to_key == "crm.Tickets|TABLE"


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("await _uow.InsertAsync(ticket);", "writes"),
        ("_uow.Update(new Ticket());", "writes"),
        ("_uow.DeleteAsync<Ticket>(new { Id = 1 });", "writes"),
        ('return _uow.FirstAsync<Ticket>("Id=@1", id);', "reads"),
        ("return _uow.FirstOrDefaultAsync<Ticket>(new { Id = id });", "reads"),
        ('return _uow.ToListAsync<Ticket>("Id = @0", id);', "reads"),
        ('return _uow.ToListAsync<Ticket>("SELECT * FROM Orders", id);', ""),
        ('var sql = "SELECT * FROM Orders"; return _uow.First<Ticket>(sql, new { id });', ""),
        ("return command.ToList<Ticket>();", ""),
        ("return all.ToList<Ticket>();", ""),
    ],
)
def test_a_unit_of_work_reads_and_writes_by_class(graph_of: GraphOf, body: str, expected: str) -> None:
    store = f"""
        using Griffin.Data; using Griffin.Data.Mapper;
        class Store {{
            IAdoNetUnitOfWork _uow;
            object Run(Ticket ticket, int id, DbCommand command, List<Ticket> all) {{ {body} }}
        }}"""
    graph = graph_of({"db.sql": TABLES, "A.cs": TOLD.replace("NAME", '"Issues"'), "B.cs": store})

    found = {("Store.Run|METHOD", ISSUES)}
    assert graph.pairs("ReadsFrom") == (found if expected == "reads" else set())
    assert graph.pairs("WritesTo") == (found if expected == "writes" else set())
