"""From the facts of single files to the graph of a system: nodes, and edges with their evidence."""
