"""The database part of the graph: objects of SQL files and what they name."""
