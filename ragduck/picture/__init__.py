"""Draw a part of the graph: as a page to click, as text, as Mermaid or for Graphviz."""

from ragduck.picture.drawing import short_name
from ragduck.picture.page import graph_page

__all__ = ["graph_page", "short_name"]
