"""`jiaokan glyphs`: what a transcription could not print, and what its parallels have there."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from pipeline.cli._folder import folder_option, load, source_entry
from pipeline.cli._say import say
from pipeline.model.pointers import reference_of
from pipeline.settings.catalog import Catalog

if TYPE_CHECKING:
    from pipeline.characters.glyphs import Proposal
    from pipeline.characters.parallels import Parallels, SearchText
    from pipeline.decisions.characters import Decisions

_AROUND = 6
"""Characters shown on each side of a graph; only a reader's convenience depends on it."""
_KINDS = {
    "private": "private-use character", "blank": "□", "damaged": "damaged character",
    "substitute": "stands for another", "lost": "lost without trace",
}


@click.command("glyphs")
@click.argument("ids", nargs=-1, metavar="[ID]...")
@click.option("--also", default="", help="Characters that stand for what a font lacked, such as 防.")
@click.option("--toml", "rows", is_flag=True, help="Print rows for tei/decisions/text-ID.toml, of what is proposed.")
@click.option("--resp", default="jiaokan", show_default=True, help="Who decides, for --toml.")
@folder_option
def command(ids: tuple[str, ...], also: str, rows: bool, resp: str, folder: Path) -> None:
    """List what sources could not print and nobody has decided, with what parallel passages have there.

    IDs are sources (default: all). Private-use characters, □, damaged characters, characters that stand for
    others, and characters lost without trace; evidence is where the same words stand in another text, or
    elsewhere in the same, and how many characters agree before and after.

    \b
    Example:  jiaokan glyphs zhushu
              jiaokan glyphs jizhu --toml >> tei/decisions/text-jizhu.toml
    """
    from pipeline.characters.glyphs import proposals, row, substitutes

    catalog = load(folder)
    names = [source_entry(name, catalog).id for name in ids] or list(catalog.sources)
    decisions, texts = _texts(catalog)
    for name in names:
        found = proposals(texts, name, also + substitutes(decisions, name))
        if rows:
            sure = [each for each in found if each.proposed and each.cert != "low"]
            say("\n".join(row(each, texts.witnesses[name], resp) for each in sure))
            continue
        say(f"{name}: {len(found)} open, {sum(bool(each.proposed) for each in found)} with a proposal")
        for each in found:
            say(_line(each, texts.witnesses[name]))


def _texts(catalog: Catalog) -> tuple[Decisions, Parallels]:
    """Read every source of the folder."""
    from pipeline import readers
    from pipeline.characters.parallels import Parallels, witness
    from pipeline.decisions.characters import Decisions

    decisions = Decisions.load(catalog.root)
    return decisions, Parallels(
        witness(readers.as_received(entry, catalog)[1], decisions) for entry in catalog.sources.values()
    )


def _line(found: Proposal, text: SearchText) -> str:
    start, end = found.leaf, found.leaf + len(found.found)
    shown = f"U+{ord(found.found):04X}" if found.kind == "private" else found.found
    around = f"{text.text[max(0, start - _AROUND) : start]}⟦{shown}⟧{text.text[end : end + _AROUND]}"
    head = f"  {reference_of(found.owner)}  {around}  {_KINDS[found.kind]}"
    if not found.proposed:
        return f"{head}: {'genuine' if found.parallels else 'no parallel'}"
    told = "; ".join(f"{reference_of(e.owner)} ({e.before}+{e.after} agree)" for e in found.parallels[:4])
    against = "".join(f"; against: {e.words} {reference_of(e.owner)}" for e in found.against[:3])
    return f"{head} → {found.proposed} ({found.cert}; {len(found.parallels)} parallels: {told}{against})"


COMMANDS = (command,)
