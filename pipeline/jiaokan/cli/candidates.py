"""`jiaokan glyphs`, `names`, `speakers`: candidates for decisions, listed with their evidence."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

import click

from jiaokan import readers
from jiaokan.annotate.speakers import strangers
from jiaokan.characters.glyphs import Proposal, code_of, decision_row, proposals, substitutes
from jiaokan.characters.parallels import Parallels, SearchText, search_text
from jiaokan.cli._folder import EXISTING_FILE, folder_option, load, text_names
from jiaokan.cli._terminal import say
from jiaokan.decisions.characters import Decisions
from jiaokan.model.pointers import reference_of
from jiaokan.model.walk import notes
from jiaokan.proposals.authorities import authority_rows
from jiaokan.proposals.folder import FolderTexts
from jiaokan.proposals.models import DEFAULT, model_file
from jiaokan.proposals.named import ENDING, NameModel, learn_names
from jiaokan.proposals.names import candidates
from jiaokan.readers.common.evidence import words_of
from jiaokan.readers.common.source import decode_lines
from jiaokan.scaffold.voices import declare_speakers
from jiaokan.settings import catalog as catalogs
from jiaokan.settings.catalog import Catalog
from jiaokan.settings.lists import NONE, Lists

_DECLARED = 3
"""So many comments must a name open for `--write`; a name that opens fewer is mostly that of a book that is quoted."""
_AROUND = 6
"""Characters shown on each side of a graph."""
_KINDS = {
    "private": "character without code point", "blank": "□", "damaged": "damaged character",
    "substitute": "stands for another", "lost": "lost without trace",
}


@click.command("glyphs")
@click.argument("ids", nargs=-1, metavar="[ID]...")
@click.option("--also", default="", help="Also treat these characters as substitutes for missing glyphs, e.g. 防.")
@click.option("--toml", "rows", is_flag=True, help="Print the proposals as rows for tei/decisions/text-ID.toml.")
@click.option("--resp", default="jiaokan", show_default=True, help="Who decides, for --toml.")
@folder_option
def glyphs(ids: tuple[str, ...], also: str, rows: bool, resp: str, folder: Path) -> None:
    """List lost and damaged characters, with their parallels.

    IDs are sources (default: all). Listed are undecided private-use characters, □, damaged characters, substitutes
    for other characters, and characters lost without trace. The evidence is the same passage in another text, or
    elsewhere in this one, and how many characters agree before and after.

    \b
    Example:  jiaokan glyphs zhushu
              jiaokan glyphs jizhu --toml >> tei/decisions/text-jizhu.toml
    """
    catalog = load(folder)
    names = [catalog.source(name).id for name in ids] or list(catalog.sources)
    decisions, texts = _parallels(catalog)
    for name in names:
        found = proposals(texts, name, also + substitutes(decisions, name))
        if rows:
            sure = [each for each in found if each.proposed and each.cert != "low"]
            say("\n".join(decision_row(each, texts.witnesses[name], resp) for each in sure))
            continue
        say(f"{name}: {len(found)} open, {sum(bool(each.proposed) for each in found)} with a proposal")
        for each in found:
            say(_glyph_line(each, texts.witnesses[name]))


def _parallels(catalog: Catalog) -> tuple[Decisions, Parallels]:
    decisions = Decisions.load(catalog.root)
    return decisions, Parallels(
        search_text(readers.as_received(entry, catalog)[1], decisions) for entry in catalog.sources.values()
    )


def _glyph_line(found: Proposal, text: SearchText) -> str:
    start, end = found.leaf, found.leaf + len(found.found)
    shown = code_of(found.found) if found.kind == "private" else found.found
    around = f"{text.text[max(0, start - _AROUND) : start]}⟦{shown}⟧{text.text[end : end + _AROUND]}"
    head = f"  {reference_of(found.owner)}  {around}  {_KINDS[found.kind]}"
    if not found.proposed:
        return f"{head}: {'genuine' if found.parallels else 'no parallel'}"
    evidence = "; ".join(f"{reference_of(e.owner)} ({e.before}+{e.after} agree)" for e in found.parallels[:4])
    against = "".join(f"; against: {e.words} {reference_of(e.owner)}" for e in found.against[:3])
    return f"{head} → {found.proposed} ({found.cert}; {len(found.parallels)} parallels: {evidence}{against})"


_EVIDENCE = {
    "declared": "declared in persons.toml or places.toml", "form": "in the form of a name", "speech": "before 曰",
    "model": "proposed by the model",
}


@click.command("names")
@click.argument("edition", required=False, shell_complete=text_names)
@click.option("-n", "shown", type=click.IntRange(0), default=3, show_default=True, help="How many contexts to show.")
@click.option("--least", type=click.IntRange(1), default=1, show_default=True,
              help="Only names with at least this many places.")
@click.option("--learn", type=click.Path(path_type=Path), multiple=True, metavar="PATH",
              help="Learn a model from a text with marked names or a folder of them (repeatable); no EDITION.")
@click.option("--model", default="", metavar="NAME",
              help="Name of the model to learn ('default'), or to use; without it no model is used.")
@click.option("--sure", type=click.FloatRange(0, 1), default=0.0, metavar="CHANCE",
              help="Of the model's names only the places that are at least this certain (0.9).")
@click.option("--table", "tables", type=EXISTING_FILE, multiple=True, metavar="FILE",
              help="CSV with names, such as an export of CBDB: show its rows beside each name (repeatable).")
@folder_option
def names(
    edition: str | None, shown: int, least: int, learn: tuple[Path, ...], model: str, sure: float,
    tables: tuple[Path, ...], folder: Path,
) -> None:
    """List possible names that are not marked.

    EDITION is the id of an edition (default: all). Lists with counts and contexts: forms declared in persons.toml
    or places.toml; words in the form of a name (某氏, 某公 after an epithet); words before 曰; with --model, what a
    model proposes, with its probability. `12, 3 marked` means: twelve places to check, three others are already marked.
    To mark a name, type _ before and after it in tei/punctuation/EDITION/NN.txt.

    --learn stores a model for you, from TEI with persName, placeName and the like, or from rows of a character and its
    tag (胡 B-PER).

    --table shows who or what may be meant: rows of a table of persons, places or works in which the name stands, with
    their identifiers for persons.toml or places.toml. Its first row names the columns.

    \b
    Example:  jiaokan names lunyu
              jiaokan names lunyu -n 10 --least 5
              jiaokan names --learn corpus/ --model history
              jiaokan names lunyu --model history --table cbdb.csv
    """
    if learn:
        path, passages, count = learn_names(learn, model or DEFAULT)
        say(f"{path}: learned from {passages} passages, {count} names")
        return
    catalog = load(folder)
    learned = NameModel.load(model_file(model, ENDING)) if model else None
    for name in [catalog.edition(edition).id] if edition else catalog.editions:
        listed = candidates(FolderTexts.of(catalog, name), catalog, learned, sure)
        found = [each for each in listed if len(each.places) >= least]
        meant = [authority_rows(table, {each.form for each in found}) for table in tables]
        for evidence, title in _EVIDENCE.items():
            some = [each for each in found if each.evidence == evidence]
            say(f"{name}, {title}: {len(some)} names, {sum(len(each.places) for each in some)} places")
            for each in some:
                more = f", {each.marked} marked" if each.marked else ""
                say(f"  {each.form}  {each.meant + '  ' if each.meant else ''}{len(each.places)}{more}")
                for place in each.places[:shown]:
                    chance = f"  {place.chance:.2f}" if evidence == "model" else ""
                    say(f"      {place.ref}  {place.context}{chance}")
                for row in [row for rows in meant for row in rows.get(each.form, ())]:
                    say(f"      {row.place}  {', '.join(map(' '.join, row.cells.items()))}")


_SPEAKERS = {"unknown": "undeclared", "known": "declared", "formula": "formulae, works, words that resume"}
_SpeakerTexts = tuple[Iterable[tuple[str, str]], Iterable[str], Lists]
"""Texts, each with its place; known names; lists of the edition folder."""


@click.command("speakers")
@click.argument("text")
@click.option("--verbs", default="曰", show_default=True, help="Words of speech that follow a name: 曰云谓.")
@click.option("--all", "everything", is_flag=True, help="Also list declared speakers and formulae.")
@click.option("-n", "shown", type=click.IntRange(1), default=3, show_default=True, help="How many contexts to show.")
@click.option("--persons", type=EXISTING_FILE, help="For a file: a persons.toml with the known persons.")
@click.option("--write", is_flag=True, help="Declare those that open comments at least 3 times.")
@folder_option
def speakers(
    text: str, verbs: str, everything: bool, shown: int, persons: Path | None, write: bool, folder: Path
) -> None:
    """List undeclared names before 曰.

    TEXT is the id of a source, whose notes are searched, or any text file. Use the list to declare the speakers of a
    commentary. Names that open comments come first: `8 of 9 open` means that one occurrence is inside a comment and
    is probably a quotation. --write adds rows to tei/conventions/ID.toml and tei/persons.toml; delete there what is
    wrong.

    \b
    Example:  jiaokan speakers yishu
              jiaokan speakers yishu --write
              jiaokan speakers new.txt --verbs 曰云
    """
    file = Path(text)
    texts, known, lists = _lines_of_file(file, persons) if file.is_file() else _notes_of_source(text, folder)
    found = strangers(texts, known, verbs, lists)
    for kind, title in _SPEAKERS.items():
        some = [each for each in found if each.kind == kind]
        say(f"{title}: {len(some)} names, {sum(len(each.places) for each in some)} places")
        for each in some if everything or kind == "unknown" else ():
            say(f"  {each.name}  {each.opening} of {len(each.places)} open")
            for place in each.places[:shown]:
                say(f"      {place.where}  {place.context}")
    if write:
        if file.is_file():
            raise click.UsageError("--write is for a source of the folder: give its id")
        catalog = load(folder)
        prefixes = {row["prefix"] for row in catalog.convention(catalog.source(text).id).get("speaker", ())}
        names = [each.name for each in found if each.kind != "formula" and each.opening >= _DECLARED
                 and f"{each.name}{verbs[:1]}" not in prefixes]
        for path in declare_speakers(catalog, catalog.source(text).id, names, verbs[:1]):
            say(f"{path}: {len(names)} speakers added: {'、'.join(names)}")


def _lines_of_file(path: Path, persons: Path | None) -> _SpeakerTexts:
    numbered = enumerate(decode_lines(path.read_bytes(), str(path)), 1)
    declared = catalogs.persons(persons).values() if persons else ()
    names = [name for person in declared for name in (person.name, *person.names)]
    return ((f"{path}:{n}", line.strip()) for n, line in numbered), names, NONE


def _notes_of_source(name: str, folder: Path) -> _SpeakerTexts:
    catalog = load(folder)
    source, document = readers.as_received(catalog.source(name), catalog)

    def known() -> Iterator[str]:
        yield from (speaker.prefix for speaker in source.speakers)
        yield str(source.convention.get("voice", "")).rstrip(":")
        for person in catalog.persons.values():
            yield from (person.name, *person.names)

    return ((reference_of(note.id), words_of(note)) for note in notes(document)), known(), catalog.lists


COMMANDS = (glyphs, names, speakers)
