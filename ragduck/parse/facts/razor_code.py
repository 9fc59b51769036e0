"""Take the C# out of Razor markup: code blocks, control statements and expressions, each on its own line.

The result is the body of a method. Markup becomes line ends, an expression a statement that returns it. Where
markup cannot be told from code the rest is left out rather than misread.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from ragduck.parse.razor_blocks import Block

MAX_EXPRESSION = 10_000  # characters of one expression or condition
TEMPLATE = "item => {"  # what `@<p>…</p>` is to the code around it
MAX_FRAMES = 50  # that are open where an expression with markup in it is still read to its end
MAX_FAILURES = 50  # brackets without end before none is looked for any more

_VOID = frozenset(
    {
        *("area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "param", "source"),
        *("track", "wbr"),
    }
)
_CLOSING = {"(": ")", "[": "]", "{": "}"}
_RAW = frozenset({"script", "style"})
_DIRECTIVE = re.compile(
    r"@(?:page|model|inject|inherits|implements|using|namespace|layout|attribute|typeparam|addTagHelper"
    r"|removeTagHelper|tagHelperPrefix|rendermode|preservewhitespace)(?=\s|$)(?!\s*\()[^\n]*"
)
_MEMBERS = re.compile(r"@(?:code|functions)\s*+\{")
_BRACE = re.compile(r"\s*+\{")
_CONTROL = re.compile(r"@(?P<word>if|for|foreach|while|switch|using|lock|try|do)\b\s*+(?=[({])")
_CONTINUED = re.compile(r"\s*+(?P<word>else\s++if|else|catch|finally|while)\b\s*+(?:when\b\s*+)?(?=[({;])")
_HELPER = re.compile(r"@helper\s++(?=[^\W\d]\w*+(?P<parameters>\s*+\())")
_SECTION = re.compile(r"@section\s++\w++\s*+\{")
_ATTRIBUTE = re.compile(r"""@(?P<name>[\w.-]++(?P<modifier>:\w++)?)\s*+=\s*+(?P<quote>["'])""")
_EXPRESSION = re.compile(r"@(?:await\s++)?[^\W\d]\w*+")
_LINK = re.compile(r"!?\??\.[^\W\d]\w*+|!?\??(?=[\[(])")
_NAME = re.compile(r"[\w.]++")

_MARKUP = re.compile(
    r"@\*.*?(?:\*@|\Z)|<!--.*?(?:-->|\Z)|(?P<close></(?P<closed>[\w:.-]++)\s*+>?)|(?P<open><[A-Za-z!][\w:.-]*+)"
    r"|(?P<end>/?>)|(?P<at>@)|(?P<helper>\basp-(?:for|items)\s*+=\s*+\")",
    re.DOTALL,
)
_CODE = re.compile(
    r"""@\*.*?(?:\*@|\Z)|//[^\n]*|/\*.*?(?:\*/|\Z)
      |\"{3,}.*?(?:\"{3,}|\Z)|(?:\$@|@\$?)"(?:[^"]|"")*+"?|\$?"(?:\\.|[^"\\\n])*+"?|'(?:\\[^\n][^'\n]{0,8}|[^'\\\n])'
      |(?P<line>@:)|(?P<brace>[{}])|(?P<tag><(?=[A-Za-z/!]))|(?P<at>@)""",
    re.DOTALL | re.VERBOSE,
)
_BRACKET = re.compile(
    r"""(?:\$@|@\$?)"(?:[^"]|"")*+"?|\$?"(?:\\.|[^"\\\n])*+"?|'(?:\\[^\n][^'\n]{0,8}|[^'\\\n])'|(?P<bracket>[()\[\]{}])"""
)


@dataclass(slots=True)
class _Frame:
    """A piece of markup or code that is open.

    ``depth`` counts the braces of code, or the tags of markup that stands inside of code; the markup of the file
    itself has none. A template is markup that code hands on as a function of its `item`. An expression that holds
    some is code up to its ``end``, and stands in the pieces from the ``first`` on.
    """

    is_code: bool
    depth: int = 0
    is_braced: bool = True
    is_file: bool = False
    is_template: bool = False
    tag: str = ""
    raw: str = ""
    end: int | None = None
    first: int = 0


def method_body(text: str, blocks: list[Block]) -> str:
    """Return the C# of a Razor file but for the members of its classes, line by line."""
    return _Projection(text, blocks).read()


class _Projection:
    """Go through a file once, with a stack of what is open."""

    def __init__(self, text: str, blocks: list[Block]) -> None:
        self._text = text
        self._members = {block.start: block.end for block in blocks if block.holds_members}
        self._pieces: list[str] = []
        self._position = 0
        self._frames = [_Frame(is_code=False, is_file=True)]
        self._failures = 0
        self._line_end = -1

    def read(self) -> str:
        while self._position < len(self._text):
            frame = self._frames[-1]
            if frame.is_code:
                self._read_code(frame)
            else:
                self._read_markup(frame)
        while self._frames:
            self._leave()
        return "".join(self._pieces)

    def _drop(self, end: int) -> None:
        """Leave text out, but for its line ends."""
        self._pieces.append("\n" * self._text.count("\n", self._position, end))
        self._position = end

    def _copy(self, end: int) -> None:
        self._pieces.append(self._text[self._position : end])
        self._position = end

    def _leave(self) -> None:
        """Close the piece that was opened last."""
        frame = self._frames.pop()
        if frame.end is not None:
            self._pieces.append(f"{_closers(''.join(self._pieces[frame.first :]))};")
        elif frame.is_template or (frame.is_code and frame.is_braced):
            self._pieces.append("}")

    # markup

    def _read_markup(self, frame: _Frame) -> None:
        """Go on to the next tag or transition to code."""
        match = _MARKUP.search(self._text, self._position)
        if match is None:
            self._drop(len(self._text))
            return
        self._drop(match.start())
        if match["at"]:
            self._transition(frame)
        elif match["helper"]:
            self._drop(match.end())
            self._helper(match["helper"])
        else:
            self._drop(match.end())
            _tag(frame, match)
        if not frame.is_file and frame.depth <= 0 and not frame.tag and self._frames[-1] is frame:
            self._leave()

    def _transition(self, frame: _Frame) -> None:
        """Read what begins with an at sign."""
        start = self._position
        attribute = _ATTRIBUTE.match(self._text, start) if frame.tag else None
        if attribute is not None:
            self._drop(attribute.end())
            self._directive_attribute(attribute)
        elif self._text.startswith("@{", start):
            self._drop(start + 2)
            self._frames.append(_Frame(is_code=True, depth=1, is_braced=False))
        elif self._text.startswith("@(", start):
            self._bracketed(start + 1)
        elif start and (self._text[start - 1].isalnum() or self._text[start - 1] == "@"):
            self._drop(start + 1)
        else:
            self._word(start)

    def _word(self, start: int) -> None:
        members = _MEMBERS.match(self._text, start)
        skipped = _SECTION.match(self._text, start) or _DIRECTIVE.match(self._text, start)
        control = _CONTROL.match(self._text, start)
        helper = _HELPER.match(self._text, start)
        if members is not None:
            self._drop(self._members.get(members.end(), members.end() - 1) + 1)
        elif skipped is not None:
            self._drop(skipped.end())
        elif control is not None:
            self._drop(start + 1)
            self._statement(control.end())
        elif helper is not None:
            self._function(helper)
        else:
            self._implicit(start)

    def _function(self, helper: re.Match[str]) -> None:
        """Read `@helper Name(…)` up to its opening brace, as the head of a function."""
        closing = self._closing(helper.end("parameters") - 1)
        brace = _BRACE.match(self._text, closing) if closing is not None else None
        self._drop(helper.end())
        if brace is not None:
            self._pieces.append("void ")
            self._copy(brace.end())
            self._frames.append(_Frame(is_code=True, depth=1))

    def _statement(self, end: int) -> None:
        """Read a control statement up to its opening brace."""
        self._copy(end)
        if self._text[end : end + 1] == "(":
            closing = self._closing(end)
            if closing is None:
                return
            self._copy(closing)
        brace = _BRACE.match(self._text, self._position)
        if brace is None:
            self._pieces.append(";")
            return
        self._copy(brace.end())
        self._frames.append(_Frame(is_code=True, depth=1))

    def _bracketed(self, start: int) -> None:
        """Read `@(…)`."""
        end = self._closing(start)
        self._drop(start)
        if end is None:
            self._drop(start + 1)
            return
        self._give(self._text[start:end], end)

    def _implicit(self, start: int) -> None:
        """Read `@name.member(…)[…]`."""
        match = _EXPRESSION.match(self._text, start)
        if match is None:
            self._drop(start + 1)
            return
        end = match.end()
        while link := _LINK.match(self._text, end):
            after = link.end()
            if self._text[after : after + 1] in ("(", "["):
                closing = self._closing(after)
                if closing is None:
                    break
                after = closing
            end = after
        self._drop(start + 1)
        self._give(self._text[start + 1 : end], end)

    def _give(self, expression: str, end: int) -> None:
        """Put an expression down as a statement; one with templates in it (`@<p>`) is read on as code."""
        template = expression.find("@<")
        is_read_on = template >= 0 and self._text.startswith(expression, self._position)
        if is_read_on and len(self._frames) < MAX_FRAMES:
            self._pieces.append("return ")
            first = len(self._pieces)
            self._frames.append(_Frame(is_code=True, depth=1, is_braced=False, end=end, first=first))
            return
        if template >= 0:
            end -= len(expression) - template
            expression = f"{expression[:template]}null{_closers(expression[:template])}"
        self._pieces.append(f"return {expression};")
        self._position = end

    def _directive_attribute(self, attribute: re.Match[str]) -> None:
        """Read `@onclick="…"`; a bare name there is a method that gets called."""
        value, end = self._quoted(attribute["quote"])
        expression = value.removeprefix("@")
        if attribute["modifier"] not in (None, ":get", ":set", ":after") or not expression.strip():
            self._drop(end)
        elif attribute["name"].startswith("on") and _NAME.fullmatch(expression):
            self._give(f"{expression}()", end)
        else:
            self._give(expression, end)

    def _helper(self, start: str) -> None:
        """Read `asp-for="…"`, which is about the model, and `asp-items="…"`."""
        value, end = self._quoted('"')
        is_bare = start.startswith("asp-for") and not value.startswith("@")
        expression = value.removeprefix("@").strip()
        if expression:
            self._give(f"Model.{expression}" if is_bare else expression, end)

    def _quoted(self, quote: str) -> tuple[str, int]:
        end = self._text.find(quote, self._position, self._position + MAX_EXPRESSION)
        end = self._position if end < 0 else end
        return self._text[self._position : end], end

    def _closing(self, start: int) -> int | None:
        """Return the offset after the bracket that closes the one at ``start``."""
        depth = 0
        position = start
        while self._failures < MAX_FAILURES:
            match = _BRACKET.search(self._text, position, start + MAX_EXPRESSION)
            if match is None:
                self._failures += 1
                return None
            position = match.end()
            if match["bracket"]:
                depth += 1 if match["bracket"] in "([{" else -1
                if depth == 0:
                    return position
        return None

    # code

    def _read_code(self, frame: _Frame) -> None:
        """Go on to the next brace or piece of markup."""
        limit = len(self._text) if frame.end is None else frame.end
        match = _CODE.search(self._text, self._position, limit)
        if frame.end is not None and self._position >= frame.end:
            self._leave()
        elif match is None:
            self._copy(limit)
        elif match["brace"]:
            self._copy(match.start())
            self._brace(frame, match)
        elif match["tag"] and self._begins_statement(match.start()):
            self._copy(match.start())
            self._frames.append(_Frame(is_code=False))
        elif match["line"]:
            self._copy(match.start())
            self._line_of_text(match)
        elif match["at"]:
            self._sign_in_code(match)
        elif match[0].startswith(("@*", "//", "/*")):
            self._copy(match.start())
            self._drop(match.end())
        else:
            self._copy(match.end())

    def _sign_in_code(self, match: re.Match[str]) -> None:
        """Read `@value` where a statement may begin, and templates (`@<p>…</p>`); elsewhere the sign is no news."""
        if self._text.startswith("<", match.end()):
            self._copy(match.start())
            self._position = match.end()
            self._pieces.append(TEMPLATE)
            self._frames.append(_Frame(is_code=False, is_template=True))
        elif self._begins_statement(match.start()):
            self._copy(match.start())
            self._transition(_Frame(is_code=False))
        else:
            self._copy(match.start())
            self._position = match.end()

    def _line_of_text(self, match: re.Match[str]) -> None:
        """Read `@: text @value`."""
        self._position = match.start() + 2
        open_frames = len(self._frames)
        line_end = self._end_of_line()
        while (at := self._text.find("@", self._position, line_end)) >= 0:
            self._drop(at)
            self._transition(_Frame(is_code=False))
            if len(self._frames) != open_frames:
                return
        if self._position < line_end:
            self._drop(line_end)

    def _end_of_line(self) -> int:
        """Return where the line ends, which is looked up once however much of it is code."""
        if self._position > self._line_end:
            found = self._text.find("\n", self._position)
            self._line_end = len(self._text) if found < 0 else found
        return self._line_end

    def _brace(self, frame: _Frame, match: re.Match[str]) -> None:
        frame.depth += 1 if match["brace"] == "{" else -1
        if frame.depth > 0:
            self._copy(match.end())
            return
        if frame.end is not None:
            frame.depth = 1  # a brace too many
            self._position = match.end()
            return
        self._leave()
        self._position = match.end()
        continued = _CONTINUED.match(self._text, match.end()) if frame.is_braced else None
        if continued is not None and not self._frames[-1].is_code:
            self._statement(continued.end())

    def _begins_statement(self, start: int) -> bool:
        """Say whether what stands before is the end of a statement or markup."""
        before = self._text[self._position : start].rstrip()
        if before:
            return before[-1] in "{};:"
        last = next((piece.rstrip()[-1:] for piece in reversed(self._pieces[-20:]) if piece.strip()), "{")
        return last in "{};:"


def _closers(code: str) -> str:
    """Return the brackets that code leaves open, the other way round."""
    brackets = [match["bracket"] for match in _BRACKET.finditer(code) if match["bracket"]]
    open_ones: list[str] = []
    for bracket in brackets:
        if bracket in _CLOSING:
            open_ones.append(_CLOSING[bracket])
        elif open_ones:
            open_ones.pop()
    return "".join(reversed(open_ones))


def _tag(frame: _Frame, match: re.Match[str]) -> None:
    """Follow tags as they open and close."""
    if frame.raw:
        if match["closed"] == frame.raw:
            frame.raw = ""
            frame.depth -= 1
    elif match["open"]:
        frame.tag = match["open"][1:].lower()
    elif match["close"]:
        frame.depth -= 1
        frame.tag = ""
    elif match["end"] and frame.tag:
        if match["end"] == ">" and frame.tag not in _VOID and not frame.tag.startswith("!"):
            frame.depth += 1
            frame.raw = frame.tag if frame.tag in _RAW else ""
        frame.tag = ""
