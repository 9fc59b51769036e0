"""Two ways to begin that people pick from a menu of their client."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from mcp_types import GetPromptResult, Prompt, PromptArgument, PromptMessage, TextContent

from ragduck.errors import UsageError

MAX_LETTERS = 2_000


@dataclass(frozen=True, slots=True)
class Template:
    """A prompt with one argument."""

    name: str
    title: str
    description: str
    argument: str
    argument_description: str
    text: str

    def described(self) -> Prompt:
        """Return what `prompts/list` tells of it."""
        argument = PromptArgument(name=self.argument, description=self.argument_description, required=True)
        return Prompt(name=self.name, title=self.title, description=self.description, arguments=[argument])

    def filled(self, given: Mapping[str, str]) -> GetPromptResult:
        """Return the message. Raises UsageError without the argument."""
        value = " ".join(given.get(self.argument, "").split())
        if not value or len(value) > MAX_LETTERS:
            raise UsageError(
                f"prompt {self.name} needs {self.argument}", hint=f"at most {MAX_LETTERS:,} letters"
            )
        message = TextContent(type="text", text=self.text.replace("{}", value))
        return GetPromptResult(
            description=self.description, messages=[PromptMessage(role="user", content=message)]
        )


PROMPTS = {
    template.name: template
    for template in (
        Template(
            "explain",
            "Explain how something works",
            "How a feature is implemented, from code to database, with citations.",
            "topic",
            "A feature or a name: creating invoices, OrderService.Place.",
            "Explain how this is implemented: {}\n\n"
            "Use the ragduck tools: ask or search for entry points, graph for what they are tied to, show for the "
            "texts that matter. Describe the way from the outermost code to the tables. Cite path:line for "
            "every claim, and say what the store does not show.",
        ),
        Template(
            "impact",
            "What a change may break",
            "Callers, readers, tests and migrations that a change concerns.",
            "object",
            "A table, procedure, type or method: dbo.Invoice, OrderService.Place.",
            "What may break when this changes: {}\n\n"
            "Use the ragduck tools: graph with question impact, then show the places that are not plain from their "
            "line, and sql with @tests_that_reach_a_node for the tests. Group by code, database and tests; cite "
            "path:line; tell apart what surely breaks from what only might.",
        ),
    )
}
