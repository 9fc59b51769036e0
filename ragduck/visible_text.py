"""Show control characters instead of obeying them: names of files and objects may hold any."""

from __future__ import annotations

# ESC and its kin would be obeyed by a terminal; shown as pictures they are only seen.
PICTURES = {
    **{code: 0x2400 + code for code in range(32) if chr(code) not in "\t\n"},
    0x7F: 0x2421,
    **dict.fromkeys(range(0x80, 0xA0), 0xFFFD),
}
LINE_ENDS = dict.fromkeys((0x0A, 0x2028, 0x2029), "␊")


def visible(text: str) -> str:
    """Return text in which control characters are pictures; tabs and line ends stay."""
    return text.translate(PICTURES)


def visible_line(text: str) -> str:
    """Return text on one line, so that a file's name cannot pretend to be a line of its own."""
    return visible(text.translate(LINE_ENDS))
