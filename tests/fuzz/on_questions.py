"""What a person asks and answers: `explain` of anything, and `review` with any answers typed.

The law: a documented exit code; what `review` wrote is read again, fits, and a second edition is collated with it.
"""

from __future__ import annotations

import json
import random
import shutil
import tempfile
from functools import cache
from pathlib import Path

from tests.fuzz import text, words
from tests.fuzz.commands import jiaokan
from tests.fuzz.on_decisions import built

NAME = "questions"
FIRST = words("""
catalog persons places edition print convention reader decisions lists layout lunyu jizhu jijie yishu nobody
scope-unresolved collate-speaker decision-untrue 说/悦 说/ /悦 a/b 𠀀/说 / // : . .. lunyu: jizhu. con ../x
""")
SECOND = words("""
brackets paragraphs plain tei lemma glyph layers traditional x 1 1.1 1.1.1 1.1.1.n1 1.1.1.a1 1.1.1.r1 1.1.1.a999999
9.9.9 0.0.0 -1 1.1.1.n1.n1 １.１ 一.二 1.1.1.n1+2 t1 h1 1.t1 .n1 .a1 a1
""")
ANSWERS = words("""
1 2 3 9 0 -1 o c p r n e s b u q graphic 通假 loan substantive gra g high low medium hi 存疑 悅 說 ' " \\ ''' []
注〈 〉 = # lemma
""")
OPTIONS = ((), ("--lang", "zh"), ("--reported",), ("--within", "1.1"), ("--without", "script,graphic"), ("-n", "2"),
           ("--within", "9"), ("--when", "2026-11-20"), ("--resp", "zhuxi"))


@cache
def collated() -> Path:
    """An edition folder with the TEI of its witnesses and of its edition."""
    place = Path(tempfile.mkdtemp(prefix="jiaokan-fuzz-")) / "demo"
    shutil.copytree(built(), place)
    code, _, said = jiaokan("collate", "lunyu", "-C", place, "-o", place / "tei/editions/lunyu.xml")
    assert code == 0, said
    return place


def made(chance: random.Random) -> str:
    """As JSON: the command, its arguments and the lines that are typed."""
    if chance.random() < 0.7:
        what = chance.choice((chance.choice(FIRST), text(chance), _joined(chance)))
        more = chance.choice(([], [_second(chance)], [_second(chance), "--lang", "zh"]))
        return json.dumps(["explain", [what, *more], []])
    lines = [chance.choice((*ANSWERS, *ANSWERS, "", text(chance))) for _ in range(chance.randint(0, 14))]
    return json.dumps(["review", [*chance.choice(OPTIONS)], lines])


def _second(chance: random.Random) -> str:
    return chance.choice((*SECOND, text(chance)))


def _joined(chance: random.Random) -> str:
    return chance.choice(FIRST) + chance.choice((":", ".", "/", "")) + _second(chance)


def hold(given: str) -> None:
    """The command ends as documented; decisions that it wrote are taken by the next collation."""
    command, arguments, typed = json.loads(given)
    folder = collated()
    arguments = [each.encode("utf-8", "replace").decode() for each in arguments]
    if command == "explain":
        jiaokan("explain", "-C", folder, "--", *arguments)
        return
    home = folder / "tei/decisions"
    kept = {path: path.read_bytes() for path in home.iterdir()}
    try:
        jiaokan("review", "lunyu", "-C", folder, *arguments,
                typed="".join(f"{line}\n" for line in typed).encode("utf-8", "replace").decode())
        code, _, said = jiaokan("collate", "lunyu", "-C", folder, "-o", folder / "again.xml")
        assert code == 0, said
    finally:
        for path in home.iterdir():
            path.write_bytes(kept[path]) if path in kept else path.unlink()
