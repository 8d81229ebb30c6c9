"""`jiaokan read`: a passage, a transcription as printed, or what a reader left out of it."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from pathlib import Path

import click

from jiaokan.api import Edition, Finding, TeiText, read_tei
from jiaokan.api.inputs import nearest_file
from jiaokan.cli._folder import TEXT_NAME, folder_option, run_limited, show
from jiaokan.cli._terminal import print_text, say
from jiaokan.errors import CatalogError, Message, Place
from jiaokan.model.marks import STYLES


@click.command("read")
@click.argument("text", type=TEXT_NAME)
@click.argument("reference", default="")
@click.option("-w", "--witness", default="", help="option-read-witness")
@click.option("--punctuated", type=click.Choice([*STYLES]), is_flag=False, flag_value="full", default=None,
              help="option-read-punctuated")
@click.option("--source", "as_source", is_flag=True, help="option-read-source")
@click.option("--omitted", type=click.Choice(["numbers", "all"]), is_flag=False, flag_value="numbers", default=None,
              help="option-read-omitted")
@folder_option
def command(
    text: str, reference: str, witness: str, punctuated: str | None, as_source: bool, omitted: str | None, folder: Path
) -> None:
    """Print a passage, a transcription, or what was left out of it.

    \b
    Example:  jiaokan read lunyu:1.1
              jiaokan read lunyu 1.1 --witness yishu
              jiaokan read some.xml:1.2.1
              jiaokan read lunyu 1.1 --punctuated=judou
              jiaokan read jizhu --source > jizhu.txt
              jiaokan read jizhu --omitted=all
    """
    file, name, passage = _parts(text)
    options = {"reference": reference or passage, "witness": witness, "punctuated": punctuated or ""}
    if file:
        result = run_limited([Path(file)], _read_file, file, as_source, bool(omitted), options)
    elif name.endswith(".xml"):
        raise CatalogError(Message("file-not-found"), place=Place(name), mend=nearest_file(Path(name)))
    else:
        tei_text = Edition(folder).witness(text) if as_source or omitted else Edition(folder).text(name)
        result = _read(tei_text, as_source, bool(omitted), options)
    show(result.findings)
    if omitted and not as_source:
        _print_omitted(result.dropped, everything=omitted == "all")
    else:
        print_text(result.words)


def _parts(text: str) -> tuple[str, str, str]:
    """Return the file that an argument names, if it does, else the text; and the reference after it. A file's name can
    have colons, and so can a reference."""
    if Path(text).is_file():
        return text, "", ""
    colons = [n for n, char in enumerate(text) if char == ":"]
    at = next((n for n in reversed(colons) if Path(text[:n]).is_file()), -1)
    if at >= 0:
        return text[:at], "", text[at + 1 :]
    name, _, passage = text.partition(":")
    return "", name, passage


@dataclass(frozen=True)
class _Passage:
    """What is printed of a text: words, or what a reader left out."""

    findings: tuple[Finding, ...] = ()
    words: str = ""
    dropped: tuple[tuple[str, str], ...] = ()


def _read_file(file: str, as_source: bool, omitted: bool, options: dict[str, str]) -> _Passage:
    return _read(read_tei(file), as_source, omitted, options)


def _read(text: TeiText, as_source: bool, omitted: bool, options: dict[str, str]) -> _Passage:
    if as_source:
        return _Passage(words=text.source())
    if omitted:
        return _Passage(dropped=tuple(text.document.dropped))
    return _Passage(text.findings, text.read(**options, heads=True))


def _print_omitted(dropped: tuple[tuple[str, str], ...], *, everything: bool) -> None:
    times, characters = Counter[str](), Counter[str]()
    for rule, words in dropped:
        times[rule] += 1
        characters[rule] += len(words)
        if everything:
            print_text(f"{rule}\t{words}")
    if not everything:
        for rule in times:
            say(Message("times-characters", rule=rule, time=times[rule], character=characters[rule]))


COMMANDS = (command,)
