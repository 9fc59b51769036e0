"""Turn the bytes of a file into text, or tell that they are none."""

from __future__ import annotations

import codecs
from typing import NamedTuple

WINDOWS_1252 = "cp1252"

_SAMPLE_BYTES = 4_096
_CONTROL_CHARACTERS = bytes(set(range(32)) - set(b"\t\n\v\f\r\x1a\x1b")) + b"\x7f"
_CONTROL_SHARE = 0.02  # compressed and compiled content has about 0.1, text almost none
# The longer marks come first: the UTF-16 mark is a prefix of the UTF-32 one.
_BYTE_ORDER_MARKS = (
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)


def _windows_1252_specials() -> dict[int, str]:
    """Map the bytes in which Windows-1252 differs from Latin-1; five of the range are undefined and stay."""
    specials = {}
    for byte in range(0x80, 0xA0):
        character = bytes([byte]).decode("cp1252", errors="ignore")
        if character:
            specials[byte] = character
    return specials


_WINDOWS_1252_SPECIALS = _windows_1252_specials()


class Decoded(NamedTuple):
    """A text and the code page that its bytes were taken to be in; empty where they say themselves what they are."""

    text: str
    code_page: str = ""


def decode(data: bytes, *, code_page: str = WINDOWS_1252) -> Decoded | None:
    r"""Return text with ``\n`` line ends, without byte order mark, NUL and surrogates; None for binary data.

    UTF-8 and UTF-16 are recognised with and without a mark; what is neither is in the ``code_page``.
    """
    decoded = _decode_characters(data, code_page)
    if decoded is None:
        return None
    text = decoded.text
    if "\0" in text:
        text = text.replace("\0", "\ufffd")
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    return decoded._replace(text=text)


def _decode_characters(data: bytes, code_page: str) -> Decoded | None:
    for mark, encoding in _BYTE_ORDER_MARKS:
        if data.startswith(mark):
            text = data[len(mark) :].decode(encoding, errors="replace").rstrip("\0")
            return None if _has_binary_content(text.encode("utf-8")) else Decoded(text)
    if data.endswith(b"\0") and b"\0" not in data.rstrip(b"\0"):
        data = data.rstrip(b"\0")  # which some editors fill up the last block with
    if b"\0" in data:
        return _decode_unmarked_utf16(data)
    if _has_binary_content(data):
        return None
    try:
        return Decoded(data.decode("utf-8"))
    except UnicodeDecodeError:
        return Decoded(_in_code_page(data, code_page), code_page)


def _in_code_page(data: bytes, code_page: str) -> str:
    if code_page == WINDOWS_1252:
        return data.decode("latin-1").translate(_WINDOWS_1252_SPECIALS)
    text = data.decode(code_page, errors="replace")
    return text.encode("utf-16", errors="surrogatepass").decode("utf-16", errors="replace")


def _decode_unmarked_utf16(data: bytes) -> Decoded | None:
    """Decode UTF-16 that shows by its pattern of NUL bytes, as scripts saved by SQL Server tools do."""
    sample = data[:_SAMPLE_BYTES]
    low, high = sample[0::2].count(0), sample[1::2].count(0)
    half = len(sample) / 2
    if high > 0.4 * half and low < 0.05 * half:
        encoding = "utf-16-le"
    elif low > 0.4 * half and high < 0.05 * half:
        encoding = "utf-16-be"
    else:
        return None
    text = data.decode(encoding, errors="replace")
    return None if _has_binary_content(text.encode("utf-8")) else Decoded(text)


def _has_binary_content(data: bytes) -> bool:
    controls = len(data) - len(data.translate(None, delete=_CONTROL_CHARACTERS))
    return controls > 2 and controls > _CONTROL_SHARE * len(data)
