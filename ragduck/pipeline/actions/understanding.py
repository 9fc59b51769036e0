"""Understand the question before anything is searched for (seed 001, phases B and C)."""

from __future__ import annotations

from dataclasses import replace

from ragduck.pipeline.actions.graph import place_of
from ragduck.pipeline.context import StepContext
from ragduck.pipeline.parameters import Parameter
from ragduck.pipeline.prompting.model_call import ask_model
from ragduck.pipeline.prompting.prompt_values import prompt_values
from ragduck.pipeline.prompting.prompts import messages_of
from ragduck.pipeline.prompting.protocol import parse_decision
from ragduck.pipeline.question.joined_verbs import same_verbs
from ragduck.pipeline.question.stack_traces import frames_of
from ragduck.pipeline.question.understanding import (
    MAX_CONCEPTS,
    MAX_SYNONYMS,
    faults_of,
    number_forms,
    understood_by_model,
    understood_by_rules,
    verbs_of,
)
from ragduck.pipeline.question.vocabulary import Vocabulary, last_name, parts_in, read_vocabulary
from ragduck.pipeline.question.words import perhaps_tables, singular, values_in, words_of
from ragduck.pipeline.registry import action
from ragduck.pipeline.retrieval.literal_nodes import nodes_with_literals
from ragduck.pipeline.retrieval.named_nodes import declared_names, named_nodes
from ragduck.pipeline.retrieval.plain_names import named_columns, names_of_words
from ragduck.pipeline.retrieval.traced_nodes import files_with_lines, traced_nodes
from ragduck.pipeline.state import Understanding
from ragduck.search.snippets import fold

OWN_KINDS = ("|TABLE", "|VIEW", "|TYPE")


@action(
    "understand_question",
    parameters=(
        Parameter("use_model", "boolean", "Whether a model is asked, if there is one.", default=True),
        Parameter("prompt_key", "text", "Prompt that the model is asked with.", default="understand"),
        Parameter(
            "domain",
            "text",
            "Side that the pipeline is for, whatever the question says.",
            choices=("code", "db", "mixed"),
        ),
        Parameter("max_output_tokens", "integer", "Tokens of the reply.", default=300, low=1),
        Parameter("temperature", "number", "How freely the model writes.", default=0, low=0, high=2),
    ),
)
def understand_question(context: StepContext) -> None:
    """Find out type, side, concepts and synonyms of the question, and whether the repository is needed."""
    state = context.state
    question = state.question_en or state.question
    context.reads("question", question)
    by_rules = understood_by_rules(
        question,
        tables=_tables(context, question),
        values=_values(context, question),
        things=_things(context, question),
    )
    by_rules = _with_names(context, _pointed_at(context, by_rules, question), question)
    by_rules = _with_literals(context, by_rules, question)
    understood = _with_forms(context, by_rules)
    if context.parameters.get("use_model", True):
        understood = _by_model(context, understood)
    domain = context.parameters.get("domain")
    understood = replace(understood, domain=domain) if domain else understood
    state.understanding = understood = replace(
        understood, concepts=_declared(context, understood.concepts)[:MAX_CONCEPTS]
    )
    side = {"db": "database", "code": "code", "mixed": "code and database"}[understood.domain]
    context.note(f"{understood.type}, about {side}: {', '.join(understood.concepts) or 'no concept found'}")


def _tables(context: StepContext, question: str) -> list[str]:
    """Return the objects of the database that the question calls so, and the store has."""
    called = perhaps_tables(question)
    if not called:
        return []
    repo, branch = place_of(context)
    ends = [f".{name}".lower() for name in called]
    found = [key.lower() for key in named_nodes(context.store.rows, called, repo=repo, branch=branch)]
    return [name for name, end in zip(called, ends, strict=True) if any(key.endswith(end) for key in found)]


def _pointed_at(context: StepContext, understood: Understanding, question: str) -> Understanding:
    """Put what stands at lines and in frames of a trace in place of their files; a trace is about nothing else."""
    repo, branch = place_of(context)
    keys = traced_nodes(context.store.rows, question, repo=repo, branch=branch)
    if not keys:
        return understood
    names = list(map(name_of_member, keys))
    if frames_of(question):
        return replace(understood, type="bug", concepts=tuple(dict.fromkeys(names)), synonyms=())
    files = files_with_lines(question)
    others = [concept for concept in understood.concepts if concept.lower() not in files]
    return replace(understood, concepts=tuple(dict.fromkeys([*names, *others]))[:MAX_CONCEPTS])


def name_of_member(key: str) -> str:
    """Return a node's own name behind that of its owner, as people write it."""
    return ".".join(key.partition("|")[0].rpartition(":")[2].rsplit(".", 2)[-2:])


def _with_names(context: StepContext, understood: Understanding, question: str) -> Understanding:
    """Put what plain words name in the store in place of them: tables, types, and columns with their tables."""
    (repo, branch), rows = place_of(context), context.store.rows
    columns = named_columns(rows, question, repo=repo, branch=branch)
    words = names_of_words(rows, question, kind=understood.type, repo=repo, branch=branch)
    spoken = {name: column for (_, column), name in columns.items()}
    spoken |= {name: word for word, named in words.items() for name in named}
    if not spoken:
        return understood
    words_said = (*words, *(each for pair in columns for each in pair))
    said = {fold(form) for word in words_said for form in (word, singular(word))}
    kept = [concept for concept in understood.concepts if fold(concept.partition("|")[0]) not in said]
    concepts = tuple(dict.fromkeys([*spoken, *kept]))[:MAX_CONCEPTS]
    return replace(
        understood, concepts=concepts, synonyms=number_forms(concepts), spoken=tuple(spoken.items())
    )


def _with_literals(context: StepContext, understood: Understanding, question: str) -> Understanding:
    """Put what holds a text that the question repeats in place of its words: a constant, what throws a message."""
    repo, branch = place_of(context)
    held = nodes_with_literals(context.store.rows, question, repo=repo, branch=branch)
    spoken = {name_of_member(key): literal for literal, keys in held.items() for key in keys}
    if not spoken:
        return understood
    said = {fold(word) for literal in held for word in (literal, *words_of(literal), *literal.split("."))}
    kept = [
        concept
        for concept in understood.concepts
        if concept not in held and not {fold(concept), *map(fold, words_of(concept))} <= said
    ]
    concepts = tuple(dict.fromkeys([*spoken, *kept]))[:MAX_CONCEPTS]
    context.note(f"hold what is quoted: {', '.join(spoken)}")
    return replace(
        understood,
        concepts=concepts,
        synonyms=number_forms(concepts),
        spoken=(*understood.spoken, *spoken.items()),
    )


def _things(context: StepContext, question: str) -> list[str]:
    """Return which of bugs, errors and exceptions in the question the store has a table or type of."""
    faults = faults_of(question)
    if not faults:
        return []
    repo, branch = place_of(context)
    keys = named_nodes(context.store.rows, faults, repo=repo, branch=branch)
    own = {singular(last_name(key)) for key in keys if key.endswith(OWN_KINDS)}
    return [fault for fault in faults if fault in own]


def _declared(context: StepContext, concepts: tuple[str, ...]) -> tuple[str, ...]:
    repo, branch = place_of(context)
    return declared_names(context.store.rows, concepts, repo=repo, branch=branch)


def _values(context: StepContext, question: str) -> list[str]:
    """Return the words of what looks like a value of a run and does not stand in the store, folded."""
    values = [tuple(map(fold, words)) for words in values_in(question)]
    looked_up = [word for words in values for word in words]
    vocabulary = read_vocabulary(context.store.rows, looked_up, known=context.state.known_terms)
    return [word for words in values if not all(map(vocabulary.knows, words)) for word in words]


def _by_model(context: StepContext, rules: Understanding) -> Understanding:
    if context.model is None:
        context.note("no model: understood by rules")
        return rules
    key = str(context.parameters.get("prompt_key") or "understand")
    context.state.understanding = rules
    messages = messages_of(context.prompts.get(key), prompt_values(context.state), name=key)
    completion = ask_model(
        context,
        messages,
        max_tokens=context.parameters.get("max_output_tokens"),
        temperature=context.parameters.get("temperature"),
    )
    reply = parse_decision(completion.text)
    if reply is None:
        context.note("the model's reply is not one JSON object: understood by rules")
        return rules
    context.reads("reply", reply)
    understood, wrong = understood_by_model(reply, rules)
    if wrong:
        context.note(f"by rules, as the model's reply makes no sense there: {', '.join(wrong)}")
    return understood


def _with_forms(context: StepContext, understood: Understanding) -> Understanding:
    """Add the forms of the concepts that the store has: invoicing beside invoice, logon beside login."""
    state = context.state
    verbs = verbs_of(
        understood, state.question_en or state.question
    )  # for the search, with the same statement
    looked_up = (*understood.concepts, *same_verbs(understood.concepts), *verbs)
    vocabulary = read_vocabulary(context.store.rows, looked_up, known=state.known_terms)
    understood = _as_known(understood, vocabulary)
    same = [verb for verb in same_verbs(understood.concepts) if vocabulary.knows(verb)]
    forms = [
        form
        for concept in understood.concepts
        for part in parts_in(concept)
        for form in vocabulary.forms(part)
    ]
    new = dict.fromkeys(
        form for form in (*same, *understood.synonyms, *forms) if form not in understood.concepts
    )
    return replace(understood, synonyms=tuple(new)[:MAX_SYNONYMS])


def _as_known(understood: Understanding, vocabulary: Vocabulary) -> Understanding:
    """Put the store's own word for a verb of two words that it does not have: logon for login."""
    told = []
    for concept in understood.concepts:
        same = [verb for verb in same_verbs([concept]) if vocabulary.knows(verb)]
        is_other = bool(same) and not vocabulary.knows(concept)
        told.append(min(same, key=vocabulary.weight) if is_other else concept)
    return replace(understood, concepts=tuple(dict.fromkeys(told)))
