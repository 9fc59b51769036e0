"""Which scripts are migrations that are called by a number and by what they do."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from time import process_time

import pytest

from ragduck.model import SourceFile
from ragduck.sources import walk_files, with_numbered_scripts

TABLES = "create table dbo.Orders (Id int);\ncreate table dbo.Customers (Id int);\n"
PROCEDURE = "create procedure dbo.Order_Read as select Id from dbo.Orders\n"
COLUMN = "alter table [dbo].[Orders] add Total money;\n"
CHANGED = "create or alter procedure Order_Read as select Total from dbo.Orders\n"
HISTORY = (TABLES, PROCEDURE, COLUMN, CHANGED)
NAMES = ("0010-Tables", "0020-Procedures", "0051-Add-Total", "0100-Read-Total")
RUNNER = '<Project><ItemGroup><PackageReference Include="dbup-sqlserver" /></ItemGroup></Project>'
EMBEDDED = '<EmbeddedResource Include="{}" />'
EMBEDDING = f"<Project><ItemGroup>{EMBEDDED.format('*.sql')}</ItemGroup></Project>"


def marked(folder: Path, files: Mapping[str, str]) -> list[str]:
    for path, text in files.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text, encoding="utf-8")
    found = [file for file in walk_files(folder) if isinstance(file, SourceFile)]
    return [file.path for file in with_numbered_scripts(found) if file.is_in_series]


def scripts(*names: str, texts: tuple[str, ...] = HISTORY) -> dict[str, str]:
    return {f"db/{name}.sql": text for name, text in zip(names, texts, strict=True)}


@pytest.mark.parametrize(
    "names",
    [
        NAMES,
        tuple(f"Script{number:04} - {number}th step" for number in (9, 10, 11, 12)),
        ("2.9.0 - Tables", "2.9.1 - Procedures", "2.10.0 - Total", "2.10.1 - Read total"),
        ("Sprint9/001_Tables", "Sprint9/002_Procedures", "Sprint10/001_Total", "Sprint10/002_Read"),
    ],
    ids=["numbers", "word", "versions", "folders"],
)
def test_scripts_that_change_and_define_again_what_others_made_are_migrations(
    tmp_path: Path, names: tuple[str, ...]
) -> None:
    assert len(marked(tmp_path, scripts(*names))) == 4


@pytest.mark.parametrize(
    "change",
    [
        "alter table Orders drop column Id; create view dbo.Sold as select 1 as One",
        "exec sp_rename 'dbo.Orders', 'Sales'",
        "exec sp_rename 'dbo.Orders.Id', 'Number', 'COLUMN'",
        "alter procedure Order_Read as select 1",
        "drop procedure dbo.Order_Read; create view dbo.Sold as select 1 as One",
    ],
)
def test_a_later_script_builds_on_earlier_ones(tmp_path: Path, change: str) -> None:
    texts = (TABLES, PROCEDURE, COLUMN, change)

    assert len(marked(tmp_path, scripts(*NAMES, texts=texts))) == 4


@pytest.mark.parametrize(
    "texts",
    [
        (TABLES, PROCEDURE, "alter table dbo.Orders add constraint PK primary key (Id)", "select 1"),
        (
            TABLES,
            PROCEDURE,
            "alter table dbo.Orders with check add constraint FK foreign key (Id)",
            "select 1",
        ),
        (TABLES, PROCEDURE, COLUMN, "select 1"),
        (TABLES, PROCEDURE, f"-- {COLUMN}", f"/* {CHANGED} */"),
        (TABLES, PROCEDURE, f"{TABLES}{CHANGED}", f"drop table if exists Orders; {TABLES}{CHANGED}{COLUMN}"),
        (TABLES, PROCEDURE, "drop procedure Order_Read", "drop table Orders"),
    ],
    ids=["keys", "checked-keys", "once", "comments", "lessons", "clean-up"],
)
def test_parts_of_an_installation_and_lessons_are_none(tmp_path: Path, texts: tuple[str, ...]) -> None:
    assert marked(tmp_path, scripts(*NAMES, texts=texts)) == []


@pytest.mark.parametrize(
    "names",
    [
        ("01-tables", "02-procedures", "03-alter", "04-again"),
        ("1.1 Tables", "1.2 Procedures", "1.3 Alter", "1.4 Again"),
        ("Orders001x", "Sales002x", "Customers003x", "Items004x"),
        ("Everytime/001-a", "Everytime/002-b", "Everytime/003-c", "Everytime/004-d"),
    ],
    ids=["lessons", "sections", "words", "every-time"],
)
def test_other_names_are_none(tmp_path: Path, names: tuple[str, ...]) -> None:
    assert marked(tmp_path, scripts(*names)) == []


def test_scripts_of_a_library_that_runs_them_are_migrations(tmp_path: Path) -> None:
    files = {"db/Scripts/1_a.sql": TABLES, "db/Scripts/2_b.sql": PROCEDURE, "db/Scripts/10_c.sql": "select 1"}
    rerun = {f"db/Views/00{number}_v.sql": "create view dbo.v as select 1 as One" for number in (1, 2, 3)}

    found = marked(tmp_path, {**files, **rerun, "db/Upgrade.csproj": RUNNER})

    assert sorted(found) == sorted(files)


@pytest.mark.parametrize(
    ("text", "is_run"),
    [
        ("select Id from dbo.Orders", False),
        ("create table #Sums (Id int); insert into #Sums select Id from dbo.Orders; drop table #Sums", False),
        ("-- update later\nselect UpdatedAt from dbo.Orders", False),
        ("update dbo.Orders set Id = 2", True),
    ],
)
def test_what_a_library_runs_writes_something(tmp_path: Path, text: str, is_run: bool) -> None:
    reports = {f"db/Reports/10{number} Sales.sql": text for number in (1, 2, 3)}

    found = marked(tmp_path, {**reports, "db/Upgrade.csproj": RUNNER})

    assert sorted(found) == (sorted(reports) if is_run else [])


@pytest.mark.parametrize(
    ("items", "is_run"),
    [
        ('<None Update="Scripts\\*.sql" CopyToOutputDirectory="Always" />', True),
        ('<Content Include="Scripts\\1_a.sql" />', True),
        ('<Content Include="Changes\\1_a.sql" />', False),
        ('<Content Include="Scripts\\*.sql" /><EmbeddedResource Include="Changes\\*.sql" />', False),
        ('<None Remove="Changes\\*.sql" />', True),
        ('<Content Include="Logo.png" />', True),
    ],
)
def test_a_project_without_embedded_scripts_runs_those_that_it_copies(
    tmp_path: Path, items: str, is_run: bool
) -> None:
    files = {"db/Scripts/1_a.sql": TABLES, "db/Scripts/2_b.sql": PROCEDURE, "db/Scripts/10_c.sql": "select 1"}
    project = RUNNER.replace("<ItemGroup>", f"<ItemGroup>{items}")

    found = marked(tmp_path, {**files, "db/Upgrade.csproj": project})

    assert sorted(found) == (sorted(files) if is_run else [])


@pytest.mark.parametrize(
    ("include", "is_run"),
    [
        ("Scripts\\**\\*.sql", True),
        ("Scripts/1_a.sql;Scripts/2_b.sql", True),
        ("**/*.sql", True),
        ("..\\db\\Scripts\\**", True),
        ("$(Root)\\Scripts\\*.sql", True),
        ("Scripts/Release 1/*.sql", True),
        ("Scripts\\*.xml", True),
        ("Changes\\*.sql", False),
        ("Script\\*.sql", False),
    ],
)
def test_of_a_project_that_embeds_scripts_the_others_are_not_run(
    tmp_path: Path, include: str, is_run: bool
) -> None:
    files = {"db/Scripts/1_a.sql": TABLES, "db/Scripts/2_b.sql": PROCEDURE, "db/Scripts/10_c.sql": "select 1"}
    project = RUNNER.replace("<ItemGroup>", f"<ItemGroup>{EMBEDDED.format(include)}")

    found = marked(tmp_path, {**files, "db/Upgrade.csproj": project})

    assert sorted(found) == (sorted(files) if is_run else [])


def test_one_change_tells_enough_where_a_project_embeds_its_scripts(tmp_path: Path) -> None:
    files = scripts("001_Tables", "002_Procedures", "003_Total", texts=HISTORY[:3])

    assert marked(tmp_path, files) == []
    assert len(marked(tmp_path, {**files, "db/Upgrade.csproj": EMBEDDING})) == 3


def test_scripts_that_a_tool_runs_once_lie_beside_those_it_runs_again(tmp_path: Path) -> None:
    files = {f"db/up/000{number}_x.sql": "insert into Sales values (1)" for number in (1, 2, 3)}

    assert marked(tmp_path, files) == []
    assert len(marked(tmp_path, {**files, "db/sprocs/Order_Read.sql": PROCEDURE})) == 3


def test_what_stands_below_migrations_and_has_a_number_is_one(tmp_path: Path) -> None:
    below = {"db/Changes/0010-Triggers.sql": "select 1", "db/Changes/readme 1.sql": "select 1"}

    found = marked(tmp_path, {**scripts(*NAMES), **below, "other/0010-Triggers.sql": "select 1"})

    assert [path for path in found if "Changes" in path or "other" in path] == [
        "db/Changes/0010-Triggers.sql"
    ]


def test_what_stands_among_scripts_with_dates_is_one(tmp_path: Path) -> None:
    dated = {f"db/Sprint{day}/202402{day}-1100-x.sql": "select 1" for day in (10, 11, 12)}

    assert marked(tmp_path, {**dated, "db/Sprint12/2024213-1200-y.sql": "select 1"}) == [
        "db/Sprint12/2024213-1200-y.sql"
    ]


def test_many_scripts_that_drop_something_take_a_time_that_grows_with_their_number(tmp_path: Path) -> None:
    def seconds(count: int) -> float:
        folder = tmp_path / f"{count}"
        folder.mkdir()
        for script in range(count):
            tables = "".join(f"create table T{script}_{table} (Id int);\n" for table in range(60))
            (folder / f"{script:04}_x.sql").write_text(f"{tables}drop view V{script};", encoding="utf-8")
        found = [file for file in walk_files(folder) if isinstance(file, SourceFile)]
        began = process_time()
        with_numbered_scripts(found)
        return process_time() - began

    assert seconds(800) < 3 * seconds(400)
