"""`jiaokan review`: the undecided entries of an edition, one by one."""

from __future__ import annotations

import datetime
import json
import re
import tomllib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, cast

import click
from rich.table import Table

from pipeline.cli._folder import classes_option, folder_option, lang_option, load, text_names
from pipeline.cli._terminal import console, say
from pipeline.decisions import tables
from pipeline.decisions.filing import Filing, file_decision
from pipeline.decisions.kinds import load as filed
from pipeline.decisions.tables import CharacterPair, ReadingDecision
from pipeline.editions import review
from pipeline.editions.review import Judge, OpenEntry, pairs, settled, undecided
from pipeline.entries.selected import select
from pipeline.errors import CatalogError, Place, visible
from pipeline.model import Certainty, Content, VariantClass
from pipeline.model.pointers import reference_of
from pipeline.model.text import attested
from pipeline.model.variants import VARIANT_CLASSES
from pipeline.model.vocabulary import EDITORS, PROGRAM
from pipeline.settings.catalog import Catalog
from pipeline.settings.toml import UNPRINTABLE
from pipeline.tei.parse import from_tei
from pipeline.tei.persons import declared


@click.command("review")
@click.argument("edition", required=False, shell_complete=text_names)
@click.option("--within", default="", metavar="REF", help="Only this chapter, section or unit: 6 or 6.3.")
@click.option("--list", "listed", is_flag=True, help="Only list the entries.")
@click.option("--decided", is_flag=True, help="List the decided entries instead, with who decided and why.")
@click.option("--json", "as_json", is_flag=True, help="List as JSON.")
@click.option("--check", is_flag=True, help="List; exit code 1 if anything is undecided.")
@click.option("--reported", is_flag=True, help="Include entries in which all collated witnesses agree.")
@click.option("-n", "most", type=click.IntRange(1), help="At most this many entries.")
@click.option("--resp", default=EDITORS, show_default=True, help="Who decides: an id in persons.toml, or all editors.")
@click.option("--when", default="", metavar="DATE", help="The date of the decisions (default: today).")
@lang_option
@classes_option
@folder_option
def command(
    edition: str | None, within: str, listed: bool, decided: bool, as_json: bool, check: bool, reported: bool,
    most: int | None, resp: str, when: str, lang: str, without: frozenset[str], folder: Path,
) -> None:
    """Review undecided entries, the most important first.

    Each entry of EDITION is shown in context, with its readings, their classes, and what notes say about it. An answer
    is written to tei/decisions/lemmas.toml at once and takes effect with the next build. Answered entries are not
    shown again.

    \b
    Keys: a number chooses that reading; o leaves the entry open; c classifies a reading; p classifies these two
    characters wherever they occur (tei/decisions/characters.toml); r: not a variant; n adds a note; e prints words
    that no witness has; s (or Enter) skips, b goes back, u undoes the last answer, q quits.
    Example:  jiaokan review lunyu --within 1 --without script,graphic,loan
              jiaokan review --check --within 1 --without script,graphic
              jiaokan review --decided --json
    """
    catalog = load(folder)
    path = _edition(catalog, edition)
    data = path.read_bytes()
    document, names = from_tei(data, name=path.name), declared(data, name=path.name).printed()
    place = within.replace(":", ".", 1)
    place = place if not place or place.split(".")[0] == document.id else f"{document.id}.{place}"
    without = frozenset((*without, *catalog.editions[path.stem].settled))
    if decided:
        found = settled(document, within=place)[:most]
    else:
        there = filed(catalog.root, ReadingDecision)
        abridged = select(document, catalog.editions[path.stem].apparatus).abridged
        found = undecided(
            document, without=without, within=place, reported=reported, filed=there, abridged=abridged)[:most]
    if as_json:
        say(_json(found))
    elif listed or check or decided:
        _list(found, names, lang, "decided" if decided else "open")
    else:
        _walk(found, _judge(catalog, resp, when), catalog.root, names, lang)
    if check and found and not decided:
        raise SystemExit(1)


def _edition(catalog: Catalog, name: str | None) -> Path:
    critical = [plan.id for plan in catalog.editions.values() if plan.kind == "critical"]
    if name is None and len(critical) != 1:
        raise CatalogError(
            "name the edition to review", place=Place(str(catalog.root / "tei" / "editions")),
            mend=f"there is: {', '.join(critical) or 'no critical edition'}",
        )
    wanted = name or critical[0]
    if wanted not in critical:
        raise CatalogError(
            f"no critical edition is called {wanted!r}", place=Place(str(catalog.root / "tei" / "editions")),
            mend=f"there is: {', '.join(critical) or 'none'}",
        )
    path = catalog.root / "tei" / "editions" / f"{wanted}.xml"
    if not path.exists():
        raise CatalogError("the edition is not built yet", place=Place(str(path)), mend="run `jiaokan build`")
    return path


def _judge(catalog: Catalog, resp: str, when: str) -> Judge:
    if resp not in (*catalog.persons, EDITORS, PROGRAM):
        raise click.BadParameter(f"{resp!r} is not in tei/persons.toml", param_hint="--resp")
    try:
        return Judge(resp=resp, when=datetime.date.fromisoformat(when) if when else datetime.date.today())
    except ValueError:
        raise click.BadParameter(f"{when!r} is not a date; write 2026-11-20", param_hint="--when") from None


def _list(found: Sequence[OpenEntry], names: Mapping[str, str], lang: str, what: str) -> None:
    for number, each in enumerate(found, 1):
        show(each, f"{number}/{len(found)}", names, lang)
    say(WORDS[lang][what].format(open=len(found)))


def _json(found: Sequence[OpenEntry]) -> str:
    return json.dumps([
        {
            "unit": reference_of(each.unit), "speaker": each.speaker, "context": each.context, "class": each.variant,
            "readings": [
                {"words": attested(r.content), "witnesses": r.witnesses, "resp": r.resp, "class": r.variant,
                 "source": r.source, "cert": r.cert} for r in each.readings
            ],
            "remarks": each.remarks, "notes": [attested(note.content) for note in each.app.notes],
        }
        for each in found
    ], ensure_ascii=False, indent=1)


def _walk(found: Sequence[OpenEntry], judge: Judge, root: Path, names: Mapping[str, str], lang: str) -> None:
    words, at = WORDS[lang], 0
    written: list[tuple[int, Filing]] = []
    while at < len(found):
        last = {place: filing.decision for place, filing in written}
        settled = {frozenset((each.left, each.right)): place for place, each in last.items()
                   if isinstance(each, CharacterPair)}
        if (own := pairs(found[at])) and own <= settled.keys() and at not in settled.values():
            at += 1
            continue
        show(found[at], f"{at + 1}/{len(found)}", names, lang)
        answer = ask(found[at], judge, lang, found)
        if answer == "q":
            break
        if answer == "u":
            say(f"  {words['undone' if written else 'nothing']}")
            if written:
                at, filing = written.pop()
                filing.undo()
        elif isinstance(answer, str):
            at = max(0, at + {"s": 1, "b": -1, "": 0}[answer])
        else:
            # the first answer may have changed the words that a second one is about: the second replaces it
            earlier = [filing for place, filing in written if place == at]
            written.append((at, file_decision(root, answer, instead=earlier)))
            say("  " + words["instead" if earlier else "written"].format(path=written[-1][1].path))
            at += 1
    say(words["end"].format(done=len({place for place, _ in written}), open=len(found)))


COMMANDS = (command,)


WORDS: dict[str, dict[str, Any]] = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))
"""Messages by language."""
PRIVATE = re.compile("[\ue000-\uf8ff\U000f0000-\U0010ffff]")
CERTAINTIES = ("high", "medium", "low")


def show(entry: OpenEntry, number: str, names: Mapping[str, str], lang: str) -> None:
    """Print an entry: its words in context, a table of readings, and what notes say about it."""
    words = WORDS[lang]
    speaker = f" {names.get(entry.speaker, entry.speaker)}" if entry.speaker else ""
    screen = console()
    lemma = _words(entry.app.lemma.content)
    around = f"…{_printable(entry.before)}⟦{lemma}⟧{_printable(entry.after)}…"
    screen.print(f"\n{number}  {reference_of(entry.unit)}{speaker}  {around}")
    table = Table(*words["heads"])
    for n, each in enumerate(entry.readings, 1):
        who = "、".join(names.get(name, name) for name in (*each.witnesses, *([each.resp] if each.resp else [])))
        kind = f"{VARIANT_CLASSES[each.variant]} {each.variant}" if each.variant in VARIANT_CLASSES else ""
        table.add_row(str(n), _words(each.content), visible(who), kind, visible(each.source))
    screen.print(table)
    for remark in entry.remarks:
        screen.print(f"  {words['remark']}: {visible(remark)}")
    for note in entry.app.notes:
        who = f" ({names.get(note.resp, note.resp)})" if note.resp else ""
        screen.print(f"  {words['said']}{who}: {visible(attested(note.content))}")


def _words(content: Content) -> str:
    return _printable(attested(content)) or "∅"


def _printable(text: str) -> str:
    """Return text with private-use characters as 〓 and their codes, which every font can show."""
    return PRIVATE.sub(lambda found: f"〓(U+{ord(found[0]):X})", visible(text))


def ask(
    entry: OpenEntry, judge: Judge, lang: str, every: Sequence[OpenEntry] = ()
) -> ReadingDecision | CharacterPair | str:
    """Return the editor's decision on an entry, or the letter of another action; Ctrl-C drops a half-given answer.

    `every` are the open entries; the question says how many of them a decision on two characters would decide.
    """
    words, numbers = WORDS[lang], [str(n) for n in range(1, len(entry.readings) + 1)]
    try:
        answer = _ask_choice(words["keys"].format(n=len(numbers)), (*numbers, *"ocprnesbuq"), lang, default="s")
    except click.Abort:
        say()
        return "q"
    if answer in "sbuq":
        return answer
    try:
        return _decision(entry, answer, judge, lang, every)
    except click.Abort:
        say(f"\n  {words['left']}")
        return ""


def _decision(
    entry: OpenEntry, answer: str, judge: Judge, lang: str, every: Sequence[OpenEntry]
) -> ReadingDecision | CharacterPair:
    words, numbers = WORDS[lang], [str(n) for n in range(1, len(entry.readings) + 1)]
    chosen, variant, text = entry.readings[int(answer) - 1 if answer in numbers else 0], "", ""
    if answer in "cp":
        many = len(numbers) > 2
        which = _ask_choice(words["which"].format(n=len(numbers)), numbers[1:], lang) if many else numbers[1]
        chosen = entry.readings[int(which) - 1]
        if answer == "p":
            shown = [_words(each.content) for each in (entry.app.lemma, chosen)]
            own = frozenset(attested(each.content) for each in (entry.app.lemma, chosen))
            if len(own - {""}) < 2:
                say("  " + words["no-pair"])
                raise click.Abort
            n = sum(own in review.pairs(each) for each in every)
            say("  " + words["places"].format(pair="/".join(shown), n=n))
        variant = _ask_choice(f"{words['class']} ({', '.join(VARIANT_CLASSES)})", tuple(VARIANT_CLASSES), lang)
    if answer == "e":
        text = _ask_text(words["words"], lang, default="")
    why = _ask_text(words["why"], lang)
    sure = "low" if answer == "o" else _ask_choice(words["cert"], CERTAINTIES, lang, default="medium")
    cert = cast(Certainty, sure)
    match answer:
        case "c":
            return review.decide(tables.Class, entry, judge, why, cert, reading=attested(chosen.content),
                                 variant=cast(VariantClass, variant))
        case "p":
            return review.pair(entry, chosen, cast(VariantClass, variant), judge, why, cert)
        case "r":
            return review.decide(tables.Reject, entry, judge, why, cert)
        case "n":
            return review.decide(tables.Comment, entry, judge, why, cert)
        case "e":
            return review.decide(tables.Emendation, entry, judge, why, cert, reading=text)
    return review.choose(entry, chosen, judge, why, cert)


def _ask_text(question: str, lang: str, default: str | None = None) -> str:
    """Ask for words until they contain no control character, which settings files must not contain."""
    while True:
        answer = str(click.prompt(question, default=default, show_default=False))
        if not (found := UNPRINTABLE.search(answer)):
            return answer
        say("  " + WORDS[lang]["unfit"].format(code=ord(found[0])))


def _ask_choice(question: str, known: tuple[str, ...] | list[str], lang: str, default: str | None = None) -> str:
    """Ask until the answer is one of `known`, or an unambiguous beginning, or the Chinese name of a class."""
    while True:
        answer = str(click.prompt(question, default=default)).strip()
        named = {printed: name for name, printed in VARIANT_CLASSES.items()}.get(answer, answer)
        near = [each for each in known if each.startswith(named)]
        if named in known or len(near) == 1:
            return named if named in known else near[0]
        say("  " + WORDS[lang]["again"].format(all=", ".join(known)))
