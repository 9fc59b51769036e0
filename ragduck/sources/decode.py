"""Turn the bytes of a file into text, or tell that they are none."""

from __future__ import annotations

import codecs

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


def decode(data: bytes) -> str | None:
    r"""Return text with ``\n`` line ends, without byte order mark, NUL and surrogates; None for binary data.

    UTF-8 and UTF-16 are recognised with and without a mark; what is neither is taken for Windows-1252.
    """
    text = _decode_characters(data)
    if text is None:
        return None
    if "\0" in text:
        text = text.replace("\0", "\ufffd")
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    return text


def _decode_characters(data: bytes) -> str | None:
    for mark, encoding in _BYTE_ORDER_MARKS:
        if data.startswith(mark):
            text = data[len(mark) :].decode(encoding, errors="replace")
            return None if _has_binary_content(text.encode("utf-8")) else text
    if b"\0" in data:
        return _decode_unmarked_utf16(data)
    if _has_binary_content(data):
        return None
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        return data.decode("latin-1").translate(_WINDOWS_1252_SPECIALS)


def _decode_unmarked_utf16(data: bytes) -> str | None:
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
    return None if _has_binary_content(text.encode("utf-8")) else text


def _has_binary_content(data: bytes) -> bool:
    controls = len(data) - len(data.translate(None, delete=_CONTROL_CHARACTERS))
    return controls > 2 and controls > _CONTROL_SHARE * len(data)
