"""Replace functions and measures of our templates by those of a press's own Typst file, wherever they are used.

Typst binds a name where it is written, so a file imported last changes the calls of the document itself, but not those
among our templates. Therefore Typst gets the templates twice. Those in ``set/`` set the book; in them a function that
the press has too calls the press's. Those above are for the press's file to import (``#import "edition.typ": *``), with
our functions. A measure (any name that is not a function) gets the press's expression in both, so that all values
computed from it follow.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from jiaokan.errors import Message, Place, RenderError, suggestion
from jiaokan.settings import layouts

SET = "set"  # folder of the templates that set the book, where a press has a file of its own
PRESS = "press.typ"

_LET = re.compile(
    r"^#let[ \t]+(?:(?P<name>[\w-]+)|\((?P<names>[\w\s,-]+)\))(?P<call>\()?.*(?:\n(?:[ \t)\]}]|else\b).*|\n(?=\n))*",
    re.M)
"""A definition: a line and those after it that are indented, close a bracket or go on with ``else``, as all of our
templates are written."""
_WORD = re.compile(r"(?<![\w.-])[A-Za-z_][\w-]*")
_OURS = "{}--ours"


@dataclass(frozen=True, slots=True)
class Definition:
    """A ``#let`` at the top of a Typst file."""

    names: tuple[str, ...]
    function: bool  # whether it is written with parameters
    start: int
    end: int  # its end in the file, in characters: before the line's end
    text: str


def definitions(source: str) -> tuple[Definition, ...]:
    """Return the definitions at the top level of a Typst file in their order."""
    found: list[Definition] = []
    for match in _LET.finditer(source):
        names = (match["name"],) if match["name"] else tuple(name.strip() for name in match["names"].split(","))
        text = match[0].rstrip()
        found.append(Definition(names, bool(match["call"]), match.start(), match.start() + len(text), text))
    return tuple(found)


def with_press(templates: Mapping[str, str], press: str, place: str, plan: Iterable[str]) -> dict[str, str]:
    """Return all templates of a book with a press's own file: by their names, and in ``set/`` those that set it.

    `plan`: the layouts to make, first the one of these `templates`. Raises RenderError, with the line, for a definition
    of the press's that changes nothing.
    """
    own = definitions(press)
    _refuse_unused(own, press, place, tuple(plan))
    theirs = {name: each for each in own for name in each.names}
    ours = {name: each for text in templates.values() for each in definitions(text) for name in each.names}
    measured = _measures(theirs, ours)
    above = {name: _with_measures(text, measured) for name, text in templates.items()}
    calls = frozenset(name for name in theirs if name in ours and ours[name].function)
    return {**above, **{f"{SET}/{name}": _calling_press(text, calls) for name, text in above.items()}}


def _measures(theirs: Mapping[str, Definition], ours: Mapping[str, Definition]) -> dict[str, str]:
    """Return, for each measure of ours that the press sets, what follows ours: the press's, with what it uses."""
    found = {}
    for name, each in theirs.items():
        if name in ours and not ours[name].function:
            helpers = _helpers(each, theirs, ours)
            text = re.sub(rf"(?<![\w.-]){re.escape(name)}(?![\w-])", _OURS.format(name), each.text)
            text = text.replace(_OURS.format(name), name, 1)  # what it is called, and not what it is made from
            found[name] = "\n".join([*helpers, text])
    return found


def _helpers(each: Definition, theirs: Mapping[str, Definition], ours: Mapping[str, Definition]) -> list[str]:
    """Return the press's own definitions that one of its measures uses, directly or through others, in order."""
    found: dict[int, str] = {}
    todo = [each]
    while todo:
        for word in _words(todo.pop().text):
            helper = theirs.get(word)
            if helper and word not in ours and helper.start != each.start and helper.start not in found:
                found[helper.start] = helper.text
                todo.append(helper)
    return [found[start] for start in sorted(found)]


def _with_measures(template: str, measured: Mapping[str, str]) -> str:
    for each in reversed(definitions(template)):
        names = [name for name in each.names if name in measured]
        if names:
            keep = "".join(f"\n#let {_OURS.format(name)} = {name}\n{measured[name]}" for name in names)
            template = template[:each.end] + keep + template[each.end:]
    return template


def _calling_press(template: str, calls: frozenset[str]) -> str:
    for each in reversed(definitions(template)):
        (name, *_) = each.names
        if each.function and name in calls:
            call = f'#let {name}(..given) = {{ import "../{PRESS}": {name} as theirs; theirs(..given) }}\n'
            rest = template[each.start:].replace(f"#let {name}(", f"#let {_OURS.format(name)}(", 1)
            template = template[:each.start] + call + rest
    return template


def _refuse_unused(own: Iterable[Definition], press: str, place: str, plan: tuple[str, ...]) -> None:
    known = {name for layout in plan for path in layouts.templates(layout).values()
             for each in definitions(path.read_text(encoding="utf-8")) for name in each.names}
    helping = {word for each in own for word in _words(each.text.partition("=")[2])}
    ends = [0, *(each.end for each in own)]
    for end, start in zip(ends, [*(each.start for each in own), len(press)], strict=True):
        helping |= _words(press[end:start])  # what stands between the definitions uses them too: #import p
    for each in own:
        if not {*each.names} & (known | helping):
            name, line = each.names[0], press.count("\n", 0, each.start) + 1
            why = Message("no-function-no-measure-layout", plan=" or ".join(plan))
            raise RenderError(Message("changes-nothing", name=name, why=why), place=Place(place, line),
                              mend=suggestion(name, known, Message("delete-shows")))


def _words(source: str) -> set[str]:
    return set(_WORD.findall(source))
