"""The code part of the graph: files, types, members, views, and how they use each other."""
