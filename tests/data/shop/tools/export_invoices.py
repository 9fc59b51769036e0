"""Write the invoices of a month to a CSV file, the way the tax adviser wants them.

Usage: python tools/export_invoices.py 2024-06 -o invoices.csv
"""

from __future__ import annotations

import argparse
import csv
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from pathlib import Path

import pyodbc

CONNECTION = "Driver={ODBC Driver 18 for SQL Server};Server=localhost;Database=Shop;Trusted_Connection=yes"

INVOICES_OF_MONTH = """
    SELECT i.InvoiceNumber, i.IssuedOn, c.CustomerNumber, c.VatId, i.Currency, i.NetTotal, i.TaxTotal
    FROM dbo.Invoice AS i
    INNER JOIN dbo.Customer AS c ON c.CustomerId = i.CustomerId
    WHERE i.IssuedOn >= ? AND i.IssuedOn < ? AND i.Status <> 0
    ORDER BY i.InvoiceNumber
"""


@dataclass(frozen=True)
class ExportRow:
    """One invoice or credit note."""

    invoice_number: str
    issued_on: date
    customer_number: str
    vat_id: str | None
    currency: str
    net: Decimal
    tax: Decimal

    @property
    def gross(self) -> Decimal:
        """Return what the customer has to pay."""
        return self.net + self.tax

    def as_fields(self) -> list[str]:
        """Return the fields in the adviser's order, amounts with a comma."""
        amounts = [f"{amount:.2f}".replace(".", ",") for amount in (self.net, self.tax, self.gross)]
        return [
            self.invoice_number,
            self.issued_on.strftime("%d.%m.%Y"),
            self.customer_number,
            self.vat_id or "",
            self.currency,
            *amounts,
        ]


def month_bounds(month: str) -> tuple[date, date]:
    """Return the first day of the month and of the next one."""
    year, number = (int(part) for part in month.split("-"))
    first = date(year, number, 1)
    return first, date(year + number // 12, number % 12 + 1, 1)


def read_invoices(connection: pyodbc.Connection, month: str) -> Iterator[ExportRow]:
    """Yield the invoices of a month in the order of their numbers."""
    for row in connection.execute(INVOICES_OF_MONTH, *month_bounds(month)):
        yield ExportRow(*row)


def main(arguments: list[str]) -> int:
    """Export one month and tell how many invoices it had."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("month", help="for example 2024-06")
    parser.add_argument("-o", "--output", type=Path, default=Path("invoices.csv"))
    options = parser.parse_args(arguments)

    count = 0
    with (
        pyodbc.connect(CONNECTION) as connection,
        options.output.open("w", newline="", encoding="cp1252") as file,
    ):
        writer = csv.writer(file, delimiter=";")
        for row in read_invoices(connection, options.month):
            writer.writerow(row.as_fields())
            count += 1

    print(f"{count} invoices written to {options.output}", file=sys.stderr)
    return 0 if count else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
