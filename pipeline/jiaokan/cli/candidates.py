"""`jiaokan glyphs`, `names`, `speakers`: candidates for decisions, listed with their evidence."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

import click

from jiaokan import readers
from jiaokan.annotate.speakers import strangers
from jiaokan.characters.glyphs import Proposal, code_of, decision_row, proposals, substitutes
from jiaokan.characters.parallels import Parallels, SearchText, search_text
from jiaokan.cli._folder import EXISTING_FILE, TEXT_NAME, folder_option, load
from jiaokan.cli._terminal import say
from jiaokan.decisions.characters import Decisions
from jiaokan.errors import Message, join_messages
from jiaokan.model.pointers import reference_of
from jiaokan.model.walk import notes
from jiaokan.proposals.folder import FolderTexts
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
    "private": Message("character-without-code-point"), "blank": "□", "damaged": Message("damaged-character"),
    "substitute": Message("stands-another"), "lost": Message("lost-without-trace"),
}


@click.command("glyphs")
@click.argument("ids", nargs=-1, metavar="[ID]...")
@click.option("--also", default="", help="option-candidates-also")
@click.option("--toml", "rows", is_flag=True, help="option-candidates-toml")
@click.option("--resp", default="jiaokan", show_default=True, help="option-candidates-resp")
@folder_option
def glyphs(ids: tuple[str, ...], also: str, rows: bool, resp: str, folder: Path) -> None:
    """List lost and damaged characters, with their parallels.

    \b
    Example:  jiaokan glyphs zhushu
              jiaokan glyphs jizhu --toml >> tei/decisions/text-jizhu.toml
    """
    catalog = load(folder)
    names = [catalog.source(name).id for name in ids] or list(catalog.sources)
    decisions, texts = _parallels(catalog)
    for name in names:
        glyph_proposals = proposals(texts, name, also + substitutes(decisions, name))
        if rows:
            sure = [proposal for proposal in glyph_proposals if proposal.proposed and proposal.cert != "low"]
            say("\n".join(decision_row(proposal, texts.witnesses[name], resp) for proposal in sure))
            continue
        say(Message("open-count", what=name, count=len(glyph_proposals),
                    proposals=sum(bool(proposal.proposed) for proposal in glyph_proposals)))
        for proposal in glyph_proposals:
            say(_glyph_line(proposal, texts.witnesses[name]))


def _parallels(catalog: Catalog) -> tuple[Decisions, Parallels]:
    decisions = Decisions.load(catalog.root)
    return decisions, Parallels(
        search_text(readers.load_without_decisions(entry, catalog)[1], decisions) for entry in catalog.sources.values()
    )


def _glyph_line(proposal: Proposal, text: SearchText) -> Message:
    start, end = proposal.leaf, proposal.leaf + len(proposal.character)
    shown = code_of(proposal.character) if proposal.kind == "private" else proposal.character
    around = f"{text.text[max(0, start - _AROUND) : start]}⟦{shown}⟧{text.text[end : end + _AROUND]}"
    head = f"  {reference_of(proposal.owner)}  {around}  {_KINDS[proposal.kind]}"
    if not proposal.proposed:
        return Message("at-where", where=head, problem=Message("genuine" if proposal.parallels else "no-parallel"))
    evidence = join_messages("list-semicolon", [
        Message("parallel-agrees", reference=reference_of(e.owner), before=e.before, after=e.after)
        for e in proposal.parallels[:4]
    ])
    against = join_messages("+", [
        Message("parallels-against", words=e.words, references=reference_of(e.owner)) for e in proposal.against[:3]
    ])
    return Message("glyph-proposal", code=head, proposed=proposal.proposed, cert=proposal.cert,
                   count=len(proposal.parallels),
                   evidence=evidence, against=against)


_EVIDENCE = {
    "declared": Message("declared-persons-toml-places-toml"), "form": Message("form-name"),
    "speech": Message("before-yue"),
}


@click.command("names")
@click.argument("edition", required=False, type=TEXT_NAME)
@click.option("-n", "shown", type=click.IntRange(0), default=3, show_default=True, help="option-candidates-n")
@click.option("--least", type=click.IntRange(1), default=1, show_default=True,
              help="option-candidates-least")
@folder_option
def names(edition: str | None, shown: int, least: int, folder: Path) -> None:
    """List possible names that are not marked.

    \b
    Example:  jiaokan names lunyu
              jiaokan names lunyu -n 10 --least 5
    """
    catalog = load(folder)
    for name in [catalog.edition(edition).id] if edition else catalog.editions:
        frequent = [candidate for candidate in candidates(FolderTexts.of(catalog, name), catalog)
                    if len(candidate.places) >= least]
        for evidence, title in _EVIDENCE.items():
            listed = [candidate for candidate in frequent if candidate.evidence == evidence]
            say(Message("chapter-names-count", chapter=name, title=title, names=len(listed),
                        places=sum(len(candidate.places) for candidate in listed)))
            for candidate in listed:
                marked = Message("names-marked", marked=candidate.marked) if candidate.marked else ""
                meant = f"{candidate.meant}  " if candidate.meant else ""
                say(f"  {candidate.form}  {meant}{len(candidate.places)}{marked}")
                for place in candidate.places[:shown]:
                    say(f"      {place.ref}  {place.context}")


_SPEAKERS = {"unknown": "undeclared", "known": "declared", "formula": Message("formulae-works-words-resume")}
_SpeakerTexts = tuple[Iterable[tuple[str, str]], Iterable[str], Lists]
"""Texts, each with its place; known names; lists of the edition folder."""


@click.command("speakers")
@click.argument("text", type=TEXT_NAME)
@click.option("--verbs", default="曰", show_default=True, help="option-candidates-verbs")
@click.option("--all", "everything", is_flag=True, help="option-candidates-all")
@click.option("-n", "shown", type=click.IntRange(1), default=3, show_default=True, help="option-candidates-n")
@click.option("--persons", type=EXISTING_FILE, help="option-candidates-persons")
@click.option("--write", is_flag=True, help="option-candidates-write")
@folder_option
def speakers(
    text: str, verbs: str, everything: bool, shown: int, persons: Path | None, write: bool, folder: Path
) -> None:
    """List undeclared names before 曰.

    \b
    Example:  jiaokan speakers yishu
              jiaokan speakers yishu --write
              jiaokan speakers new.txt --verbs 曰云
    """
    file = Path(text)
    texts, known, lists = _lines_of_file(file, persons) if file.is_file() else _notes_of_source(text, folder)
    strange_names = strangers(texts, known, verbs, lists)
    for kind, title in _SPEAKERS.items():
        some = [stranger for stranger in strange_names if stranger.kind == kind]
        say(Message("names-count", title=title, names=len(some), places=sum(len(stranger.places) for stranger in some)))
        for stranger in some if everything or kind == "unknown" else ():
            say(Message("of-open", name=stranger.name, opening=stranger.opening, count=len(stranger.places)))
            for place in stranger.places[:shown]:
                say(f"      {place.where}  {place.context}")
    if write:
        if file.is_file():
            raise click.UsageError(Message("write-source-folder-give-id"))
        catalog = load(folder)
        prefixes = {row["prefix"] for row in catalog.convention(catalog.source(text).id).get("speaker", ())}
        names = [stranger.name for stranger in strange_names
                 if stranger.kind != "formula" and stranger.opening >= _DECLARED
                 and f"{stranger.name}{verbs[:1]}" not in prefixes]
        for path in declare_speakers(catalog, catalog.source(text).id, names, verbs[:1]):
            say(Message("speakers-added", path=path, count=len(names), names="、".join(names)))


def _lines_of_file(path: Path, persons: Path | None) -> _SpeakerTexts:
    numbered = enumerate(decode_lines(path.read_bytes(), str(path)), 1)
    declared = catalogs.persons(persons).values() if persons else ()
    names = [name for person in declared for name in (person.name, *person.names)]
    return ((f"{path}:{n}", line.strip()) for n, line in numbered), names, NONE


def _notes_of_source(name: str, folder: Path) -> _SpeakerTexts:
    catalog = load(folder)
    source, document = readers.load_without_decisions(catalog.source(name), catalog)

    def known() -> Iterator[str]:
        yield from (speaker.prefix for speaker in source.speakers)
        yield str(source.convention.get("voice", "")).rstrip(":")
        for person in catalog.persons.values():
            yield from (person.name, *person.names)

    return ((reference_of(note.id), words_of(note)) for note in notes(document)), known(), catalog.lists


COMMANDS = (glyphs, names, speakers)
