"""Find the prompts of a pipeline, and put texts in the place of their `{placeholders}`."""

from __future__ import annotations

import difflib
import re
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from ragduck.errors import PipelineError
from ragduck.llm.protocol import Message
from ragduck.pipeline.definition import Pipeline
from ragduck.resources import resource_folder

MAX_PROMPT = 100_000  # characters; longer files are no prompts
PARTS = "---"  # the line between what the system says and what the user says
_key = re.compile(r"[a-z0-9_]+(?:/[a-z0-9_]+)*", re.IGNORECASE)
_placeholder = re.compile(r"\{\{([a-z][a-z0-9_]*)\}\}|\{([a-z][a-z0-9_]*)\}")


class Prompts:
    """Prompts by key: `router` is the first `router.md` in the folders; `team/router` lies in a folder below."""

    def __init__(self, folders: Sequence[Path]) -> None:
        self.folders = tuple(folders)
        self._read: dict[str, str] = {}

    def get(self, key: str) -> str:
        """Return a prompt as it is written. Raises PipelineError when there is none of that key."""
        if key not in self._read:
            self._read[key] = self._text(key)
        return self._read[key]

    def keys(self) -> list[str]:
        """Return the keys of all prompts, sorted."""
        found = {
            path.relative_to(folder).with_suffix("").as_posix()
            for folder in self.folders
            for path in folder.rglob("*.md")
        }
        return sorted(key for key in found if _key.fullmatch(key))

    def path_of(self, key: str) -> Path | None:
        """Return the file of a prompt; None when there is none, or when it lies outside of its folder."""
        if not _key.fullmatch(key):
            return None
        for folder in self.folders:
            path = folder / f"{key}.md"
            if path.is_file() and path.resolve().is_relative_to(folder.resolve()):
                return path
        return None

    def _text(self, key: str) -> str:
        path = self.path_of(key)
        if path is None:
            close = difflib.get_close_matches(key, self.keys(), n=1)
            where = " or ".join(str(folder) for folder in self.folders)
            raise PipelineError(
                f"there is no prompt {key!r}",
                hint=f"did you mean {close[0]}?" if close else f"write it as {key}.md in {where}",
            )
        try:
            text = path.read_text(encoding="utf-8-sig")
        except (OSError, UnicodeDecodeError) as error:
            raise PipelineError(
                f"the prompt {path} cannot be read: {error}", hint="save it as UTF-8 text"
            ) from error
        if len(text) > MAX_PROMPT:
            raise PipelineError(
                f"the prompt {path} has {len(text):,} characters", hint="keep prompts to a few pages"
            )
        return text


def prompts_of(pipeline: Pipeline) -> Prompts:
    """Return the prompts of a pipeline: first those of its `prompts_dir`, then those of ragduck."""
    shipped = resource_folder("pipelines") / "prompts"
    own = pipeline.settings.get("prompts_dir")
    if not own:
        return Prompts([shipped])
    place = pipeline.setting_places.get("prompts_dir", pipeline.place)
    folder = Path(place.file).parent / str(own)
    if not folder.is_dir():
        raise PipelineError(
            f"{place}: there is no folder {folder}", hint="prompts_dir is taken from the file"
        )
    return Prompts([folder, shipped])


def split_prompt(prompt: str) -> tuple[str, str]:
    """Return what the system and what the user says: before and after the line `---`; the user's may be empty."""
    lines = prompt.replace("\r\n", "\n").split("\n")
    cut = next((number for number, line in enumerate(lines) if line.strip() == PARTS), len(lines))
    return "\n".join(lines[:cut]).strip(), "\n".join(lines[cut + 1 :]).strip()


def placeholders(text: str) -> list[str]:
    """Return the names of the placeholders of a text, in order and once each."""
    return list(dict.fromkeys(found[2] for found in _placeholder.finditer(text) if found[2]))


def filled(text: str, values: Mapping[str, Callable[[], str]], *, name: str) -> str:
    """Put values in the place of `{placeholders}`, once and as they are; `{{name}}` stands for `{name}`.

    ``name`` is that of the prompt. Raises PipelineError for a placeholder that has no value.
    """
    for wanted in placeholders(text):
        if wanted not in values:
            close = difflib.get_close_matches(wanted, values, n=1)
            meant = f"did you mean {{{close[0]}}}? " if close else ""
            raise PipelineError(
                f"prompt {name!r} has an unknown placeholder {{{wanted}}}",
                hint=f"{meant}known: {', '.join(sorted(values))}; write {{{{{wanted}}}}} for the text itself",
            )
    made = {wanted: values[wanted]() for wanted in placeholders(text)}
    return _placeholder.sub(lambda found: made[found[2]] if found[2] else f"{{{found[1]}}}", text)


def messages_of(prompt: str, values: Mapping[str, Callable[[], str]], *, name: str) -> list[Message]:
    """Return the chat that a prompt makes; when it has no user part, the user says the question."""
    system, user = split_prompt(prompt)
    return chat(system, user or "{question}", values=values, name=name)


def chat(system: str, user: str, *, values: Mapping[str, Callable[[], str]], name: str) -> list[Message]:
    """Return the messages of a system and a user part, both filled; ``name`` is that of the prompt."""
    said = Message("user", filled(user, values, name=name))
    return [Message("system", filled(system, values, name=name)), said] if system else [said]
