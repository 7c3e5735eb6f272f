"""Names and addresses of people, as letters may use them: one person a field, no control characters, nothing but an address.

A name or address that can't be read raises Misfit with one sentence; nothing is guessed or mended in silence.
"""

from __future__ import annotations

import re
import unicodedata

from caseflow.domain.facts import Misfit

_JOINERS = "\u200c\u200d"
"""They belong to the spelling of names in some scripts, and turn or hide nothing."""
_LOCAL = re.compile(r"[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*")
_LABEL = re.compile(r"(?!-)[A-Za-z0-9-]{1,63}(?<!-)")
_SCHEME = re.compile(r"^[A-Za-z][A-Za-z0-9+.-]*:")
MAX_EMAIL = 254
MAX_LINE = 200


def read_email(text: str) -> str:
    """One e-mail address as text, such as ann@example.org. Raises Misfit for anything else: two addresses, a name beside
    it, a link, or letters outside ASCII, which a reader could take for others."""
    shown = visible(text)[:80]
    if _SCHEME.match(text) and "@" not in text.partition(":")[0]:
        raise Misfit(f"'{shown}' is a link, not an e-mail address; write the address alone, such as ann@example.org")
    if any(char in text for char in ',; \t\r\n<>()[]"') or text.count("@") != 1:
        raise Misfit(f"'{shown}' must be one address such as ann@example.org, without a name or a second address")
    if not text.isascii():
        raise Misfit(f"'{shown}' has letters outside A to Z that could be taken for others; write the domain in its ASCII form (xn--...)")
    local, _, domain = text.partition("@")
    labels = domain.split(".")
    if len(text) > MAX_EMAIL or not _LOCAL.fullmatch(local) or len(labels) < 2 or not all(map(_LABEL.fullmatch, labels)):
        raise Misfit(f"'{shown}' is no e-mail address; write one such as ann@example.org")
    return text


def read_line(text: str) -> str:
    """A name or a line of an address: one line of text that shows all it holds. Raises Misfit."""
    line = " ".join(text.split())
    hidden = [char for char in line if _hides(char)]
    if "\n" in text.strip() or "\r" in text.strip():
        raise Misfit(f"'{visible(line)[:80]}' must be one line")
    if hidden:
        raise Misfit(f"'{visible(line)[:80]}' has a character that can't be seen (U+{ord(hidden[0]):04X}); leave it out")
    if len(line) > MAX_LINE:
        raise Misfit(f"'{visible(line)[:80]}...' is longer than {MAX_LINE} characters")
    return line


def visible(text: str) -> str:
    """The text with every character that can't be seen taken out, on one line."""
    return " ".join("".join(" " if _hides(char) else char for char in text).split())


def _hides(char: str) -> bool:
    return unicodedata.category(char) in ("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp") and char not in _JOINERS
