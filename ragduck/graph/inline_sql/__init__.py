"""What strings in code name in the database: statements, stored procedures, names put together."""
