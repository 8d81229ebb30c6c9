"""Patterns of schemas, which may be a stranger's: matching them takes bounded time, in RELAX NG as in XSD."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache
from time import perf_counter

import regex

from jiaokan.errors import Message, TeiError

_SECONDS, _EACH = 1.0, 1e-5
"""What a pattern may take in a process: at first, and more for each character that it is matched against."""
_ATOM = r"(?:[^\\\[\](){}*+?|]|\\[pP]\{\w+\}|\\[^pP]|\[(?:[^\[\]\\]|\\.)*\])"
_LINEAR = re.compile(rf"{_ATOM}*(?:{_ATOM}(?:[*+]|\{{\d+(?:,\d*)?\}}))?{_ATOM}*")
"""A pattern that repeats one atom at most, and has no groups: it takes time in proportion to the text."""


_PLAIN = re.compile(r"(?:[\w :/#@%&=,;!'\"<>~`|()*+?._-]|\{\d+(?:,\d*)?\}|\\(?:[pP]\{[A-Z][a-z]?\}|[dsS.*+?()|/-])"
                    r"|\[\^?(?:[\w :/#@%=,;!+*?_.()]|\\(?:[pP]\{[A-Z][a-z]?\}|[ds.*+?()/-])|-(?!\[))+\])*")
"""Patterns that mean the same in XML Schema and, white space and the full stop aside, in the regex module. To translate
them would take time for categories of characters."""
_SPACE = r" \t\n\r"  # of XML, not of Unicode
_ALIKE = {".": r"[^\n\r]", r"\s": f"[{_SPACE}]", r"\S": f"[^{_SPACE}]"}
_TOKEN = re.compile(r"\\.|\[(?:\\.|[^\]\\])*\]|.", re.S)


def _native(pattern: str) -> str:
    """Return a plain pattern of XML Schema as one of the regex module."""
    return _TOKEN.sub(lambda token: _ALIKE.get(token[0]) or (
        token[0].replace(r"\s", _SPACE) if token[0][0] == "[" else token[0]), pattern)


class TimedPattern:
    """A pattern that raises TeiError when its time is over, which grows in proportion to the text."""

    def __init__(self, pattern: str, written: str) -> None:
        self.pattern = pattern  # as the schema has it
        self._match: Callable[..., re.Match[str] | None] = regex.compile(written).match
        self._left = _SECONDS

    def match(self, text: str) -> re.Match[str] | None:
        """Match the whole of a text, since patterns of schemas are anchored. Raises TeiError as the class."""
        self._left += len(text) * _EACH
        begun = perf_counter()
        try:
            return self._match(text, timeout=self._left)
        except TimeoutError:
            raise TeiError(Message("pattern-takes-too-long", pattern=self.pattern[:60], text=text[:20]),
                           mend=Message("put-after-character-never-end")) from None
        finally:
            self._left = max(self._left - (perf_counter() - begun), 0.001)


@cache
def compile_pattern(pattern: str, version: str = "1.0") -> re.Pattern[str] | TimedPattern:
    """Return the compiled form of a pattern of XML Schema; of `re` if it cannot take long. Raises re.error
    if it is invalid."""
    if _PLAIN.fullmatch(pattern):  # the regex module knows the same
        native = regex.compile(f"^(?:{_native(pattern)})$(?!\\n\\Z)")
        return native if _LINEAR.fullmatch(pattern) else TimedPattern(pattern, native.pattern)
    from elementpath.regex import RegexError, translate_pattern  # a tenth of a second that few grammars need

    try:
        written = translate_pattern(pattern, xsd_version=version, back_references=False, lazy_quantifiers=False,
                                    anchors=False)
    except RegexError as error:
        raise re.error(str(error)) from None
    compiled = re.compile(written)
    return compiled if _LINEAR.fullmatch(pattern) else TimedPattern(pattern, written)
