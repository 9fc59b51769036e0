"""Find entry points, walk the graph around them and fetch texts by identity."""
