"""Measure how well a store answers: query sets, metrics, comparisons with a test of significance."""

from ragduck.evaluation.compare import Comparison, compare
from ragduck.evaluation.queries import Query, read_queries
from ragduck.evaluation.results import Evaluation, pool
from ragduck.evaluation.run import evaluate

__all__ = ["Comparison", "Evaluation", "Query", "compare", "evaluate", "pool", "read_queries"]
