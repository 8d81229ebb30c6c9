"""Spans put into a string, the only place where that is done: whatever was found, the characters stay as they were."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from msgspec.structs import replace

from pipeline.model import Content, Role, Span


@dataclass(frozen=True, slots=True)
class FoundSpan:
    """A span that was found in a string, from `start` to before `end`; its content is taken from the string."""

    start: int
    end: int
    span: Span


def placed(text: str, found: Iterable[FoundSpan]) -> Content:
    """Give `text` with what was found in it as spans. All strings of what it gives, joined, are `text` again.

    The rule where two overlap: what begins first stands, of two that begin together the longer one, of two with the
    same words the one found first. What lies inside another becomes content of that if it has another role; what
    crosses the end of another, or lies inside one of its own role, is no span.
    """
    open_ = [_OpenSpan(0, len(text), None, 0)]
    for each in sorted(found, key=lambda each: (each.start, -each.end)):
        while len(open_) > 1 and open_[-1].end <= each.start:
            _close(open_, text)
        if 0 <= each.start < each.end <= open_[-1].end and each.span.role not in (part.role for part in open_):
            open_.append(_OpenSpan(each.start, each.end, each.span, each.start))
    while len(open_) > 1:
        _close(open_, text)
    return open_[0].content(text)


@dataclass(slots=True)
class _OpenSpan:
    """A span that more can still come into; the outermost is the string itself."""

    start: int
    end: int
    span: Span | None
    done: int
    """How far its characters have been taken over."""
    parts: list[str | Span] = field(default_factory=list)

    @property
    def role(self) -> Role | None:
        return self.span.role if self.span else None

    def add(self, text: str, until: int) -> None:
        """Take over the words that come before a place."""
        self.parts += [text[self.done : until]] if self.done < until else []
        self.done = until

    def content(self, text: str) -> Content:
        self.add(text, self.end)
        return tuple(self.parts)


def _close(open_: list[_OpenSpan], text: str) -> None:
    """End the innermost span."""
    inner = open_.pop()
    if inner.span is not None:
        open_[-1].add(text, inner.start)
        open_[-1].parts.append(replace(inner.span, content=inner.content(text)))
        open_[-1].done = inner.end
