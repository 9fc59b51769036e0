"""Read the facts for the graph off syntax trees, one module or more per language."""
