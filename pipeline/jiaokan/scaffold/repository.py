"""Read the branches of a Kanripo repository: which are witnesses, and which repeat another in normalised characters.

A repository has a branch for each edition and ``master``, which mostly is the text of one of them, line by line, with
common characters for its rare forms and for characters without code point. Such a branch is no witness of its own: its
differences are of the transcription, not of a printed book. It shows what the codes of the edition mean. A branch with
any other reading is a witness, though nearly all its text is that of another: ``T@SONG`` is the text of the Taishō with
the readings of the Song edition. Branches are compared by their words, since the property ``BASEEDITION`` is missing or
wrong in some (盐铁论 KR3a0006).
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cache
from itertools import chain, starmap
from pathlib import Path

from jiaokan.characters.equality import norm
from jiaokan.errors import Message
from jiaokan.scaffold.files import format_of
from jiaokan.scaffold.gaiji import CodeVotes
from jiaokan.structure.rows import CODE
from jiaokan.system.atomic import write_file
from jiaokan.system.repository import branches, is_repository, texts

_MARKS = re.compile(r"(?m)^#.*$|<[^<>]*>|^\*+[ \t]+(?:\d+[ \t]+)?|[¶\s()/]")
"""What is not text in a Mandoku file."""
_PAGE = re.compile("<pb:([^<>]*)>")
_HALVES = re.compile(r"\(([^()/¶]*)/([^()/¶]*)\)")
_CHARACTER = re.compile(f"{CODE.pattern}|.")
_MAIN = ("master", "main")
_EDITION_FILE = ".edition"
"""File in the folder of a branch with the name of its edition."""

_EDITION = re.compile(r"<pb:[^_<>]+_([^_<>]+)_[^<>]*>")
_PROPERTY = re.compile(r"^#\+PROPERTY: (?:WITNESS|BASEEDITION) +(\S+)", re.M)
_TITLES = {
    "SBCK": "四部叢刊本", "WYG": "文淵閣四庫全書本", "CHANT": "漢達文庫本", "tls": "漢學文典本", "TLS": "漢學文典本",
    "master": "底本",
}
"""Editions by their names in Kanripo, of which not every Readme.org has a title."""


@dataclass(slots=True)
class Branches:
    """The texts of repositories as folders, and what was found out about them."""

    paths: list[Path] = field(default_factory=list)
    report: list[str] = field(default_factory=list)
    evidence: list[CodeVotes] = field(default_factory=list)
    """What normalised branches have for the codes of the editions."""


def expand_repositories(paths: Sequence[Path], into: Path) -> Branches:
    """Return the paths with each Kanripo repository replaced by folders of its editions (WYG, SBCK) below `into`. Left
    out are branches without Mandoku (``_data``), and those whose only differences are of the transcription. Raises
    SourceError if git cannot read them."""
    outcome = Branches()
    for path in paths:
        by_branch = _branches(path) if path.is_dir() and is_repository(path) else {}
        if not by_branch or (len(by_branch) == 1 and any(path.glob("*.txt"))):  # rather the files as they are now
            outcome.paths.append(path)
            continue
        witnesses, repeats = _editions(by_branch)
        for name in witnesses:
            files = {**by_branch[name], _EDITION_FILE: _edition_of_branch(name, by_branch[name], witnesses).encode()}
            outcome.paths.append(_write(into / path.name / name.replace("/", "-"), files))
        outcome.report.append(Message("branch-editions", name=path.name, count=len(witnesses),
                                      editions=", ".join(witnesses)))
        for name, home in repeats.items():
            evidence = _evidence(f"{path.name} {name}", by_branch[home], by_branch[name])
            outcome.evidence.append(evidence)
            codes = sum(counts.total() for counts in evidence.votes.values())
            explains = Message("explains-characters", count=codes) if codes else ""
            outcome.report.append(Message("repeats-text-no-witness-own", name=name, home=home, explains=explains))
    return outcome


def _branches(repository: Path) -> dict[str, dict[str, bytes]]:
    """Return the Mandoku files of each branch, with its Readme.org; ``master`` and ``main`` last."""
    files: dict[str, dict[str, bytes]] = {}
    for name, commit in sorted(branches(repository).items(), key=lambda row: (row[0] in _MAIN, row[0])):
        mandoku = {Path(path).name: data for path, data in sorted(texts(repository, commit).items())
                   if format_of(data.decode("utf-8-sig", "replace")) == "mandoku"}
        if mandoku:
            files[name] = {**mandoku, **texts(repository, commit, "Readme.org")}
    return files


def _editions(by_branch: Mapping[str, Mapping[str, bytes]]) -> tuple[list[str], dict[str, str]]:
    """Return the branches that are witnesses, and for each other one the branch that it repeats."""
    witnesses: list[str] = []
    repeats: dict[str, str] = {}

    def lacks_name(name: str) -> bool:  # first come those whose pages have the name of the branch
        return not any(f"_{name}_".encode() in data for data in by_branch[name].values())

    for name in sorted(by_branch, key=lacks_name):
        home = next((other for other in witnesses if _repeats(by_branch[name], by_branch[other], name in _MAIN)), None)
        if home is None:
            witnesses.append(name)
        else:
            repeats[name] = home
    return [name for name in by_branch if name in witnesses], repeats


def _edition_of_branch(name: str, files: Mapping[str, bytes], witnesses: Collection[str]) -> str:
    """Return the name of the edition of a branch: the branch's own, but for ``master`` that of its pages."""
    if name not in _MAIN:
        return name
    printed = edition_of("".join(data.decode("utf-8-sig", "replace") for data in files.values()))
    return name if not printed or printed in witnesses else printed


def _lines(data: bytes) -> dict[tuple[str, int], str]:
    """Return the lines of a Mandoku file, by page and number there."""
    pieces = _PAGE.split(re.sub(r"(?m)^#.*$", "", data.decode("utf-8-sig", "replace")))
    return {(page, number): line for page, text in zip(["", *pieces[1::2]], pieces[::2], strict=True)
            for number, line in enumerate(text.split("¶"))}


def _pairs(branch: Mapping[str, bytes], other: Mapping[str, bytes]) -> Iterator[list[tuple[str, str]]]:
    """Yield for each line of the first its characters, each with the one at its place in the second; a line without
    counterpart has none there. In some branches the half-lines of notes are the other way round."""
    for name in sorted(name for name in branch if name.endswith(".txt")):
        there = _lines(other[name]) if name in other else {}
        for place, line in _lines(branch[name]).items():
            words, turned, counterparts = (_CHARACTER.findall(_MARKS.sub("", text)) for text in (
                line, _HALVES.sub(r"(\2/\1)", line), there.get(place, "")))
            if len(words) != len(counterparts):
                yield [(char, "") for char in words]
            else:
                yield max((list(zip(order, counterparts, strict=True)) for order in (words, turned)), key=_agreeing)


def _agreeing(pairs: Sequence[tuple[str, str]]) -> int:
    return sum(a == b or (len(a) > 1 and b != "") or len(b) > 1 for a, b in pairs)


def _repeats(branch: Mapping[str, bytes], other: Mapping[str, bytes], normalised: bool) -> bool:
    """Whether a branch has no reading that another lacks: line by line, or on other lines and pages, as 周易 KR1a0006
    WYG, which has the text of SBCK. Only a `normalised` branch has common forms for codes and rare forms."""
    same = _is_normalised if normalised else _is_same_graph
    pairs = chain.from_iterable(_pairs(branch, other))
    if all(starmap(same, pairs)) and all(there for line in _pairs(other, branch) for _, there in line):
        return True
    here, there = (_CHARACTER.findall(_text(files)) for files in (branch, other))
    return len(here) == len(there) and all(map(same, here, there))


def _is_same_graph(graph: str, other: str) -> bool:
    return graph == other or (graph != "" != other and norm(graph) == norm(other))


def _is_normalised(common: str, printed: str) -> bool:
    """Whether a difference is of the transcription: a code, a graphic variant, or a common form for a rare one."""
    if _is_same_graph(common, printed):
        return True
    coded = bool(CODE.fullmatch(common) or CODE.fullmatch(printed))
    return common != "" != printed and (coded or (is_common(common) and not is_common(printed)))


@cache
def is_common(graph: str) -> bool:
    """Whether a character is in Big5, GB 2312 or JIS X 0208, in which most transcriptions were typed."""
    for encoding in ("big5", "gb2312", "shift_jis"):
        with suppress(UnicodeEncodeError):
            return bool(graph.encode(encoding))
    return False


def _text(files: Mapping[str, bytes]) -> str:
    names = sorted(name for name in files if name.endswith(".txt"))
    return "".join(_MARKS.sub("", files[name].decode("utf-8-sig", "replace")) for name in names)


def _evidence(source: str, edition: Mapping[str, bytes], normalised: Mapping[str, bytes]) -> CodeVotes:
    """Return what a normalised branch has where the edition has codes, in lines with as many characters."""
    votes: dict[str, Counter[str]] = {}
    for line in _pairs(edition, normalised):
        for a, b in line:
            if CODE.fullmatch(a) and b and not CODE.fullmatch(b):
                votes.setdefault(a, Counter())[b] += 1
    return CodeVotes(source, votes, same=True)


def _write(folder: Path, files: Mapping[str, bytes]) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    for name, data in files.items():
        write_file(folder / name, data)
    return folder


def edition_of(text: str, folder: Path | None = None) -> str:
    """Return the name of the edition of a Mandoku text: of its branch, if its folder was made from one, else that of
    its pages, or that it declares; empty if it names none."""
    if folder and (folder / _EDITION_FILE).is_file():
        return (folder / _EDITION_FILE).read_text(encoding="utf-8")
    pages: Counter[str] = Counter(_EDITION.findall(text))
    if pages:
        return max(pages, key=lambda edition: pages[edition])
    declared = _PROPERTY.search(text)
    return declared[1] if declared else ""


def title_of_edition(name: str, folder: Path) -> str:
    """Return the title of an edition: by the Readme.org of its folder (``| SBCK | 【四部叢刊】 |``), else the usual
    one; if there is none, its name."""
    readme = folder / "Readme.org"
    text = readme.read_text(encoding="utf-8", errors="replace") if readme.is_file() else ""
    row = re.search(rf"^\s*\|\s*{re.escape(name)}\s*\|\s*【?([^|】]+?)】?\s*\|", text, re.M)
    if not row:
        return _TITLES.get(name, name)
    collection, _, copy = row[1].strip().partition("・")  # 四庫全書・文淵閣: the copy of the collection
    return f"{copy}{collection}".removesuffix("本") + "本"


def short_siglum(title: str, used: Collection[str]) -> str:
    """Return a siglum for the apparatus from the Chinese title of an edition: its first character, else two; empty if
    they are taken."""
    title = title.rpartition("→")[2]  # 大→宋: the Song edition as the Taishō reports it
    if title.isascii():
        return ""
    return next((siglum for siglum in (title[:1], title[:2], title[1:2]) if siglum and siglum not in used), "")
