"""SQL is told from texts that begin like it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragduck.sqlreader.recognition import Certainty, has_unknown_piece, readable_text, recognize

HOLE = "\ufffc"

STATEMENTS = f"""
SELECT 1
SELECT @@IDENTITY
select null as [Value]
select sum(i) from #t drop table #t
SELECT * FROM nation WHERE region = ?region?
SELECT dbo.fn_CurrentPrice(@productId, @customerId)
SELECT cast(1 as bigint) Id
select Id = 1, Name = 'x'
select * from Users
select Foo as [Value] from Bar
SELECT Id, Name FROM dbo.Users u WHERE u.Id = @id
SELECT TOP (20) c.CustomerId FROM dbo.Customer AS c
SELECT TOP 5 PERCENT WITH TIES a FROM t ORDER BY a
Select Id, Name from Users where Id = ?
SELECT {HOLE} FROM {HOLE} WHERE x = {HOLE}
SELECT COUNT(1) FROM [dbo].[{HOLE}]
SELECT * FROM {HOLE}Orders{HOLE}
SELECT a, b FROM t /**where**/
SELECT t.x.value('.', 'int') FROM @x.nodes('/a') AS t(x)
SELECT * INTO #tmp FROM dbo.X
SELECT SUM(a) OVER (PARTITION BY b ORDER BY c) total FROM t
select value from string_split('a,b', ',')
select * from Foo for update skip locked
select * from openjson(@j) with (a int)
select 1 as A, 2 as B, 3 as C from foo f join bar b on f.x = b.y
(SELECT 1) UNION (SELECT 2)
INSERT INTO dbo.ImportLog (FileName) VALUES (@f)
INSERT dbo.X SELECT 1
INSERT INTO t (a, b) {HOLE}
INSERT OR REPLACE INTO t (a) VALUES (?)
UPDATE dbo.Invoice SET DunningLevel = 0 WHERE InvoiceId = {{0}}
update p set p.x = 1 from dbo.Products p
UPDATE {HOLE} SET {HOLE}
DELETE FROM X
delete dbo.X where id = 1
DELETE c FROM dbo.Customer AS c
MERGE INTO dbo.T AS t USING (VALUES (1)) s(a) ON s.a = t.a WHEN MATCHED THEN DELETE
EXEC dbo.Payment_Match @PaymentId = @paymentId
EXEC WebApi.DeleteCustomer @CustomerID = {HOLE}
EXEC @result = dbo.Payment_Match
execute dbo.GetStuff 1, 'a'
{{call dbo.Foo(?)}}
{{? = call Foo}}
;WITH cte AS (SELECT 1 a) SELECT * FROM cte
WITH c AS (SELECT Id FROM sales.Source) SELECT Id FROM c
WITH c AS (SELECT Id FROM sales.Source) SELECT Id FROM c WHERE c.Id = 1
WITH c AS (SELECT Id FROM sales.Source) INSERT INTO x SELECT * FROM c
with d as (select 1 as a), [C] (Id, Name) as (select a, b from sales.Source) delete from C
WITH RECURSIVE c(n) AS NOT MATERIALIZED (VALUES (1)) SELECT n FROM c
WITH RECURSIVE t(n) AS (VALUES (1)) SELECT n FROM t
CREATE TABLE #t (Id int)
CREATE TABLE IF NOT EXISTS users (id int)
create procedure #sp @a int as select 1
CREATE UNIQUE INDEX ix ON dbo.T (a)
ALTER TABLE dbo.T ADD x int
DROP TABLE IF EXISTS dbo.T
TRUNCATE TABLE dbo.T
SET NOCOUNT ON; SELECT 1
DECLARE @x int = 1 SELECT @x
IF NOT EXISTS (SELECT * FROM dbo.X) INSERT INTO dbo.X VALUES (1)
IF OBJECT_ID('dbo.X') IS NOT NULL DROP TABLE dbo.X
BEGIN TRAN UPDATE x SET y = 1 COMMIT
REPLACE INTO t (a) VALUES (1)
BULK INSERT dbo.T FROM 'file'
select a from t where id = #{{id}} and name = ${{name}} or x = {{=x}}
USE [Shop]; SELECT 1
SET TRANSACTION ISOLATION LEVEL READ UNCOMMITTED; SELECT Id FROM dbo.Orders WHERE Id = @id
SELECT Id FROM [dbo].[Orders] WHERE Id = @id SET TRANSACTION ISOLATION LEVEL READ COMMITTED
SELECT o.Created AT TIME ZONE 'UTC' AS At FROM dbo.Orders o WHERE Id = @id
SELECT Created AT TIME ZONE Zone AT TIME ZONE 'UTC' FROM dbo.Orders
DELETE FROM dbo.T WHERE Id = @id; DECLARE c CURSOR LOCAL FAST_FORWARD FOR SELECT Id FROM dbo.Orders
DECLARE c INSENSITIVE SCROLL CURSOR FOR SELECT Id FROM dbo.Orders
PRINT 'Start'; SELECT Id FROM dbo.Orders
PRINT N'Start' + @x UPDATE dbo.Orders SET Total = 1
RAISERROR('Start', 0, 1) WITH NOWAIT; SELECT Id FROM dbo.Orders
WAITFOR DELAY '00:00:01'; EXEC dbo.Work @id
DBCC CHECKIDENT ('dbo.Orders', RESEED, 0); DELETE FROM dbo.Orders
EXECUTE AS USER = 'reader'; SELECT Id FROM dbo.Orders
OPEN SYMMETRIC KEY k DECRYPTION BY CERTIFICATE c; SELECT Id FROM dbo.Orders
UPDATE STATISTICS dbo.Orders WITH FULLSCAN; SELECT Id FROM dbo.Orders
UPDATE Statistics SET Total = @total
""".strip().splitlines()

UNMARKED = """
select Foo from Bar order by Foo
insert into users values (%s, %s)
exec sp_who
delete from cache
SELECT {columns} FROM {table}
""".strip().splitlines()

OTHER_TEXTS = """
Select between 1 and {MaxLines} products from the catalogue.
Update the print queue from the intranet.
Create invoice {InvoiceId} from order {OrderId}
Cancel invoice {InvoiceNumber} with credit note {CreditNoteId}: {Reason}
Select an option
Select item
Select all that apply
Select file(s) from disk
Select items from the list of products
Select 'Save' to continue
Select a file: {0}
SELECT CASE
select-none
Delete account
Delete user {UserId}
DELETE
DELETE accounts
Delete the item from the cart
Update available
Update settings for {0}
Update failed for {Id} set to {Status}
Insert coin
Insert into the form
Insert a new row (optional)
Execute order 66
Execute the command
Exec summary for the team
With love from us
With name as (optional)
Create table for two
Create a new table
Alter ego (table)
Drop table reservations please
Truncate text
Declare war
Set password
Set the value of @x
If exists, delete
Use the force
Merge branch 'x' into y
Begin transaction failed
SELECT * FROM Win32_Process
SELECT * FROM c WHERE c.id = @id
SELECT c.id, c.total FROM c
SELECT c.id, c AS whole FROM c
SELECT c.id AS [With] FROM c
WITH d AS (SELECT a FROM t) SELECT Id FROM c
update-ref HEAD
Go to the list
Print 'Save' to continue
Print (draft) and update the list
PRINT 'done'
Open symmetric key dialog; select a file
Open master key
Waitfor delay of the train, then select a seat
Update statistics of the shop
Execute as user the command
Raiserror (see the manual); update the driver
Declare war at time zone local static level read
WHERE InvoiceId = @id
ORDER BY l.LineNumber
""".strip().splitlines()


@pytest.mark.parametrize("text", STATEMENTS)
def test_statements_are_sql(text: str) -> None:
    assert recognize(text) is Certainty.SURE


@pytest.mark.parametrize("text", UNMARKED)
def test_statements_without_any_mark_are_possible(text: str) -> None:
    assert recognize(text) is Certainty.POSSIBLE


@pytest.mark.parametrize("text", OTHER_TEXTS)
def test_other_texts_are_no_sql(text: str) -> None:
    assert recognize(text) is Certainty.NONE


def test_comments_may_come_before_a_statement() -> None:
    assert recognize("-- of today\n/* and\n more */ SELECT a FROM dbo.T") is Certainty.SURE


def test_a_statement_may_span_lines() -> None:
    assert recognize("\n    SELECT l.Id,\n        l.Name\n    FROM dbo.Line AS l\n    ") is Certainty.SURE


@pytest.mark.parametrize(
    "text",
    [
        f"SELECT a FROM t WHERE id = {HOLE}",
        f"SELECT a FROM t WHERE name LIKE {HOLE} AND x IN ({HOLE})",
        f"EXEC dbo.P @id = {HOLE}, @name = {HOLE}",
        f"EXEC dbo.P {HOLE}, {HOLE}",
        "UPDATE t SET a = {0}",
        f"SELECT a FROM t WHERE name = '%{HOLE}%'",
    ],
)
def test_values_are_no_unknown_pieces(text: str) -> None:
    assert not has_unknown_piece(text)


@pytest.mark.parametrize(
    "text",
    [
        f"SELECT a FROM {HOLE}",
        f"SELECT {HOLE} FROM t",
        f"SELECT a FROM t {HOLE}",
        f"EXEC dbo.{HOLE}",
        f"SELECT a FROM Orders_{HOLE}",
    ],
)
def test_names_and_clauses_are_unknown_pieces(text: str) -> None:
    assert has_unknown_piece(text)


def test_placeholders_become_unknown_pieces() -> None:
    text = readable_text("UPDATE t SET a = {0}, b = #{b} WHERE c = {=c}")

    assert text == f"UPDATE t SET a = {HOLE}, b = {HOLE} WHERE c = {HOLE}"


@given(st.text(alphabet="SELECTFROMWHEREinto \n\t().,*='\"[]@#{}-/;\ufffc", max_size=300))
def test_any_text_is_judged(text: str) -> None:
    assert recognize(f"SELECT {text}") in Certainty


@pytest.mark.parametrize(
    "piece", ["(", "SELECT ", "/*", "-- ", "{", "a.", "'", "[", "{? = call ", "x.  ", "WITH a AS ("]
)
def test_long_repetitions_are_judged_at_once(piece: str) -> None:
    assert recognize("SELECT " + piece * 100_000) in Certainty


@pytest.mark.parametrize(
    "text",
    [
        "select distinct o from Order o join o.Customer c where c.Id = 1",
        "SELECT o FROM Order AS o LEFT JOIN FETCH o.Lines WHERE o.Id = @id",
        "select o.Id from Order o where o.Id in (select l.Id from o.Lines l where l.Name = @name)",
        "select o from Order o, o.Lines l where l.Id = @id",
        "select o.Id from Shop.Domain.Model.Sales.Order o where o.Id = @id",
    ],
)
def test_queries_for_objects_are_no_sql(text: str) -> None:
    assert recognize(text) is Certainty.NONE


@pytest.mark.parametrize(
    "text",
    [
        "select sales.Id from sales.Orders sales join sales.Lines l on l.Id = sales.Id",
        "select n.x from dbo.Orders o cross apply o.Document.nodes('/a') as n(x)",
        "select n.x from dbo.Orders o, o.Document.nodes('/a') as n(x)",
        "select o.Id from dbo.Orders o join dbo.Lines l on l.Id = o.Id",
        "select o.Id from Server.Shop.dbo.Orders o where o.Id = @id",
        "update o set Total = 1 from dbo.Orders o join sales.Lines l on l.Id = o.Id",
        'delete "Order Details" where Id = @id',
    ],
)
def test_names_with_schemas_and_methods_of_columns_are_sql(text: str) -> None:
    assert recognize(text) is Certainty.SURE


def test_a_verb_and_a_quoted_text_are_sql_only_for_who_runs_it() -> None:
    assert recognize('Delete "Not found"') is Certainty.POSSIBLE
