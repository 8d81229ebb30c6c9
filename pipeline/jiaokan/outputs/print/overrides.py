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
    found_definitions: list[Definition] = []
    for match in _LET.finditer(source):
        names = (match["name"],) if match["name"] else tuple(name.strip() for name in match["names"].split(","))
        text = match[0].rstrip()
        found_definitions.append(Definition(names, bool(match["call"]), match.start(), match.start() + len(text), text))
    return tuple(found_definitions)


def with_press(templates: Mapping[str, str], press: str, place: str, plan: Iterable[str]) -> dict[str, str]:
    """Return all templates of a book with a press's own file: by their names, and in ``set/`` those that set it.

    `plan`: the layouts to make, first the one of these `templates`. Raises RenderError, with the line, for a definition
    of the press's that changes nothing.
    """
    press_definitions = definitions(press)
    _refuse_unused(press_definitions, press, place, tuple(plan))
    theirs = {name: definition for definition in press_definitions for name in definition.names}
    ours = {name: definition for text in templates.values() for definition in definitions(text)
            for name in definition.names}
    measured = _measures(theirs, ours)
    above = {name: _with_measures(text, measured) for name, text in templates.items()}
    calls = frozenset(name for name in theirs if name in ours and ours[name].function)
    return {**above, **{f"{SET}/{name}": _calling_press(text, calls) for name, text in above.items()}}


def _measures(theirs: Mapping[str, Definition], ours: Mapping[str, Definition]) -> dict[str, str]:
    """Return, for each measure of ours that the press sets, what follows ours: the press's, with what it uses."""
    overridden = {}
    for name, definition in theirs.items():
        if name in ours and not ours[name].function:
            helpers = _helpers(definition, theirs, ours)
            text = re.sub(rf"(?<![\w.-]){re.escape(name)}(?![\w-])", _OURS.format(name), definition.text)
            text = text.replace(_OURS.format(name), name, 1)  # what it is called, and not what it is made from
            overridden[name] = "\n".join([*helpers, text])
    return overridden


def _helpers(measure: Definition, theirs: Mapping[str, Definition], ours: Mapping[str, Definition]) -> list[str]:
    """Return the press's own definitions that one of its measures uses, directly or through others, in order."""
    helpers: dict[int, str] = {}
    todo = [measure]
    while todo:
        for word in _words(todo.pop().text):
            helper = theirs.get(word)
            if helper and word not in ours and helper.start != measure.start and helper.start not in helpers:
                helpers[helper.start] = helper.text
                todo.append(helper)
    return [helpers[start] for start in sorted(helpers)]


def _with_measures(template: str, measured: Mapping[str, str]) -> str:
    for definition in reversed(definitions(template)):
        names = [name for name in definition.names if name in measured]
        if names:
            keep = "".join(f"\n#let {_OURS.format(name)} = {name}\n{measured[name]}" for name in names)
            template = template[:definition.end] + keep + template[definition.end:]
    return template


def _calling_press(template: str, calls: frozenset[str]) -> str:
    for definition in reversed(definitions(template)):
        (name, *_) = definition.names
        if definition.function and name in calls:
            call = f'#let {name}(..given) = {{ import "../{PRESS}": {name} as theirs; theirs(..given) }}\n'
            rest = template[definition.start:].replace(f"#let {name}(", f"#let {_OURS.format(name)}(", 1)
            template = template[:definition.start] + call + rest
    return template


def _refuse_unused(press_definitions: Iterable[Definition], press: str, place: str, plan: tuple[str, ...]) -> None:
    known = {name for layout in plan for path in layouts.templates(layout).values()
             for definition in definitions(path.read_text(encoding="utf-8")) for name in definition.names}
    helping = {word for definition in press_definitions for word in _words(definition.text.partition("=")[2])}
    ends = [0, *(definition.end for definition in press_definitions)]
    for end, start in zip(ends, [*(definition.start for definition in press_definitions), len(press)], strict=True):
        helping |= _words(press[end:start])  # what stands between the definitions uses them too: #import p
    for definition in press_definitions:
        if not {*definition.names} & (known | helping):
            name, line = definition.names[0], press.count("\n", 0, definition.start) + 1
            why = Message("no-function-no-measure-layout", plan=" or ".join(plan))
            raise RenderError(Message("changes-nothing", name=name, why=why), place=Place(place, line),
                              mend=suggestion(name, known, Message("delete-shows")))


def _words(source: str) -> set[str]:
    return set(_WORD.findall(source))
