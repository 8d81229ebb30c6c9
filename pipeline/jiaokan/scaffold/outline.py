"""Outlines of org-mode, and the underlined headings of Markdown, as headings of Markdown that keep their level."""

from __future__ import annotations

import re
from collections.abc import Sequence

_STARS = re.compile(r"(\*+)[ \t]+(\S.*?)(?:[ \t]+:[\w@#%:]+:)?[ \t]*")
"""A headline (Org Manual, 2.2): stars, a blank, the words, perhaps tags."""
_STATED = re.compile(r"#\+(?P<key>[A-Za-z_]+):[ \t]*(?P<value>.*)")
_DRAWER = re.compile(r"[ \t]*:[A-Za-z_-]+:(?:[ \t].*)?")
_RULE = {"=": "#", "-": "##"}
"""Level of a heading by the line under it (CommonMark 4.3)."""
_DEEPEST = 6
_BULLETS = 0.6
"""Share of the lines from which on lines with stars are items of a list."""


def outline_as_markdown(text: str) -> str:
    """Return a plain text whose headings are those of an outline with headings of Markdown; any other text as it is."""
    lines = text.split("\n")
    return "\n".join(_org(lines) if _is_org(lines) else _convert_underlined(lines))


def _is_org(lines: list[str]) -> bool:
    """Whether lines are of org-mode: it states a property, or has headlines of two levels; lines with one star alone
    can be a list."""
    heads = [match[1] for line in lines if (match := _STARS.fullmatch(line))]
    if heads and any(_STATED.match(line) for line in lines):
        return True
    if any(re.match(r"#{1,6} \S", line) for line in lines):  # Markdown with lists
        return False
    return len({*heads}) > 1 and len(heads) < _BULLETS * sum(bool(line.strip()) for line in lines)


def _org(lines: list[str]) -> list[str]:
    """Return lines with headlines as headings. The title goes before the text; other properties stay in a comment."""
    title = next((match["value"].strip() for line in lines
                  if (match := _STATED.match(line)) and match["key"].lower() == "title"), "")
    return [*(["---", f"title: {title}", "---"] if title else []), *map(_org_line, lines)]


def _org_line(line: str) -> str:
    """Return a headline as a heading with its tags in a comment, and what is no text as a comment."""
    if head := _STARS.fullmatch(line):
        tags = line[head.end(2) :].strip()
        return f"{'#' * min(_DEEPEST, len(head[1]))} {head[2]}" + (f"\n<!-- {tags} -->" if tags else "")
    stated = _STATED.fullmatch(line)
    if stated and stated["key"].lower() == "title":
        return ""
    if (stated or re.fullmatch(r"#(?:[ \t].*)?", line) or _DRAWER.fullmatch(line)) and "-->" not in line:
        return f"<!-- {line.strip()} -->"
    return line


def _convert_underlined(lines: list[str]) -> list[str]:
    """Return lines with each heading that is underlined, between blank lines, as one with signs. Between lines of text
    such a line is a rule."""
    out: list[str] = []
    for line, following in zip(lines, [*lines[1:], ""], strict=True):
        sign = line.strip()[:1]
        alone = bool(out and out[-1].strip()) and not any(map(str.strip, (*out[-2:-1], following)))
        if alone and sign in _RULE and re.fullmatch(f"{sign}{{3,}}", line.strip()) and not out[-1].startswith("#"):
            out[-1:] = [f"{_RULE[sign]} {out[-1].strip()}", ""]
        else:
            out.append(line)
    return out


def put_under(page: str, heads: Sequence[tuple[int, str]], is_wiki: bool) -> str:
    """Return a page under headings of these levels, its own headings below them; the heading that its first line is
    already is not repeated."""
    depth = heads[-1][0] if heads else 0
    signs = "=" if is_wiki else "#"

    def lower(match: re.Match[str]) -> str:
        whole = signs * min(_DEEPEST, len(match[1]) + depth)
        return f"{whole} {match[2].strip()}" + (f" {whole}" if is_wiki else "")

    body = re.sub(r"(?m)^(={1,6})(.+?)\1[ \t]*$" if is_wiki else r"(?m)^(#{1,6}) +(.*)$", lower, page)
    lines = [f"{signs * (level + is_wiki)} {name}" + (f" {signs * (level + is_wiki)}" if is_wiki else "")
             for level, name in heads]
    first, _, rest = body.lstrip("\n").partition("\n")
    if heads and first.strip("#= \t　") == heads[-1][1]:
        body = rest
    return "\n".join([*lines, body])
