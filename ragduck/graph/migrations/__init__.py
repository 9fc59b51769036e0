"""What migrations in code do to tables."""
