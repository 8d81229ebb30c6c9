"""What a new edition folder guesses and an editor corrects: titles and base texts of chapters, who speaks in notes."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import msgspec

from jiaokan.errors import DecisionError, Message, Place
from jiaokan.settings.catalog import Catalog
from jiaokan.settings.syntax import key_places
from jiaokan.settings.toml import read_toml
from jiaokan.system.listing import below

_STRING = re.compile(r'"(?:[^"\\\n]|\\.)*"|\'[^\'\n]*\'')


@dataclass(frozen=True, slots=True)
class Setting:
    """One value of the settings, and what it can be."""

    path: str
    key: tuple[str | int, ...]
    about: str
    """The chapter, source or words that it is about."""
    name: str
    value: str
    choices: tuple[str, ...] = ()
    """Empty: any words."""


def settings(catalog: Catalog) -> Iterator[Setting]:
    """Yield the settings that the desk asks about: of critical editions, and of the conventions of their sources."""
    home, people = catalog.root / "tei", tuple(catalog.persons)
    for plan in catalog.editions.values():
        path = home / "editions" / f"{plan.id}.toml"
        table = read_toml(path) if path.exists() else {}
        for n, row in enumerate(table.get("chapters", ())):
            about = f"{row.get('n')} {row.get('title', '')}"
            for name, choices in (("title", ()), ("base", tuple(row.get("witnesses", ())))):
                if isinstance(row.get(name), str):
                    yield Setting(f"tei/editions/{path.name}", ("chapters", n, name), about, name, row[name], choices)
    for source in catalog.sources.values():
        path = home / "conventions" / f"{source.id}.toml"
        table = read_toml(path) if path.exists() else {}
        name = f"tei/conventions/{path.name}"
        if isinstance(who := table.get("unsigned", {}).get("person"), str):
            yield Setting(name, ("unsigned", "person"), source.siglum, "unsigned", who, people)
        for n, row in enumerate(table.get("speaker", ())):
            if isinstance(row.get("person"), str):
                about = f"{source.siglum} {row.get('prefix', '')}"
                yield Setting(name, ("speaker", n, "person"), about, "speaker", row["person"], people)


def change_setting(catalog: Catalog, path: str, key: tuple[str | int, ...], was: str, value: str) -> tuple[str, str]:
    """Return the text of a file of settings as it is and with another value for a key.

    Raises DecisionError for a setting that the desk does not ask about, or that somebody else has changed.
    """
    setting = next((candidate for candidate in settings(catalog) if (candidate.path, candidate.key) == (path, key)),
                   None)
    if setting is None or setting.value != was:
        raise DecisionError(Message("somebody-else-changed-setting"), place=Place(path),
                            mend=Message("load-page-again"))
    if not value or (setting.choices and value not in setting.choices):
        raise DecisionError(Message("value-not-allowed", value=value, key=setting.name),
                            mend=Message("choose-one-of",
                                         choices=", ".join(setting.choices))
                                         if setting.choices else Message("write-title"))
    text = (catalog.root / path).read_bytes().decode("utf-8")
    line, column = key_places(text).of(key, value=True)
    at = sum(map(len, text.split("\n")[: line - 1])) + line - 1 + column - 1
    string = _STRING.match(text, at)
    if string is None:
        raise DecisionError(Message("value-not-written-line"), place=Place(path, line), mend=Message("edit-file"))
    return text, text[:at] + msgspec.json.encode(value).decode() + text[string.end() :]


def file_states(home: Path) -> Mapping[Path, tuple[int, int]]:
    """Return the states of the files that people write: all of ``tei/`` but the TEI that a build makes."""
    states = {}
    for path in below(home):
        if path.suffix == ".xml" and path.parent in (home / "witnesses", home / "editions"):
            continue
        with suppress(FileNotFoundError):  # somebody was just putting another in its place
            stat = path.stat()
            if not path.name.startswith("."):
                states[path] = stat.st_mtime_ns, stat.st_size
    return states
