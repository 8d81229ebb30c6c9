"""`jiaokan speakers`: who speaks in a text without being declared."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

import click

from pipeline.cli._folder import EXISTING_FILE, folder_option, load, source_entry
from pipeline.cli._say import say
from pipeline.model.pointers import reference_of
from pipeline.settings import catalog as catalogs
from pipeline.settings.lists import NONE, Lists

_TITLES = {"unknown": "nobody declared", "known": "declared", "formula": "formulae, works, words that resume"}


Asked = tuple[Iterable[tuple[str, str]], Iterable[str], Lists]
"""Texts, each with where it stands; names that are known; lists of the edition folder."""


@click.command("speakers")
@click.argument("text")
@click.option("--verbs", default="曰", show_default=True, help="Words of speech before which a name is sought: 曰云谓.")
@click.option("--all", "everything", is_flag=True, help="List also declared speakers, and what names nobody.")
@click.option("-n", "shown", type=click.IntRange(1), default=3, show_default=True, help="How many contexts to show.")
@click.option("--persons", type=EXISTING_FILE, help="For a file: a persons.toml of those who are known.")
@folder_option
def command(text: str, verbs: str, everything: bool, shown: int, persons: Path | None, folder: Path) -> None:
    """List names before 曰 that nobody declared, with how often and where, to build the list of speakers from.

    TEXT is the id of a source in the folder's catalog, of which the notes are searched, or any text file. Names
    that open comments come first: `8 of 9 open` means that one is inside a comment, likely a quotation.

    \b
    Example:  jiaokan speakers yishu
              jiaokan speakers new.txt --verbs 曰云
    """
    from pipeline.annotate.speakers import strangers

    texts, known, lists = _file(Path(text), persons) if Path(text).is_file() else _source(text, folder)
    found = strangers(texts, known, verbs, lists)
    for kind, title in _TITLES.items():
        some = [each for each in found if each.kind == kind]
        say(f"{title}: {len(some)} names, {sum(len(each.places) for each in some)} places")
        for each in some if everything or kind == "unknown" else ():
            say(f"  {each.name}  {each.opening} of {len(each.places)} open")
            for place in each.places[:shown]:
                say(f"      {place.where}  {place.context}")


def _file(path: Path, persons: Path | None) -> Asked:
    """Give the lines of a file, the names in a list of persons, and no lists."""
    from pipeline.readers.common.source import lines

    numbered = enumerate(lines(path.read_bytes(), str(path)), 1)
    declared = catalogs.persons(persons).values() if persons else ()
    names = [name for person in declared for name in (person.name, *person.names)]
    return ((f"{path}:{n}", line.strip()) for n, line in numbered), names, NONE


def _source(name: str, folder: Path) -> Asked:
    """Give the notes of a source, the words that name its declared speakers, and its folder's lists."""
    from pipeline import readers
    from pipeline.model.walk import notes
    from pipeline.readers.common.evidence import plain

    catalog = load(folder)
    source, document = readers.as_received(source_entry(name, catalog), catalog)

    def known() -> Iterator[str]:
        yield from (speaker.prefix for speaker in source.speakers)
        yield str(source.convention.get("voice", "")).rstrip(":")
        for person in catalog.persons.values():
            yield from (person.name, *person.names)

    return ((reference_of(note.id), plain(note)) for note in notes(document)), known(), catalog.lists


COMMANDS = (command,)
