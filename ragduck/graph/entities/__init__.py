"""What Entity Framework and its like tie together: entities, tables, keys, and who queries them."""
