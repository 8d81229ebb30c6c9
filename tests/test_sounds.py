"""Lists of sounds at the ends of juan: detected by form, and by nobody; a commentator's own notes stay his."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from jiaokan import readers
from jiaokan.cli import cli
from jiaokan.model.walk import notes
from jiaokan.settings import catalog
from jiaokan.structure.back import find_appended_parts
from jiaokan.structure.rows import Row
from jiaokan.structure.sounds import sound_lists

COMMENTED = "天地之初其道甚大（言天地之始也其道廣大而無所不包）萬物由之以生（由用也萬物皆用道而後生）"
SOUNDS = "扆（倚）宧（夷）柣（于結）閾（域）楔（古黠）樞（昌朱）"
GLOSSES = "扆（音倚戸牖之間）宧（音夷室東北隅）柣（于結切門限也）閾（音域亦門限）楔（古黠切門兩旁木）"


def lists(*lines: str) -> list[tuple[int, int, int]]:
    return [(e.first, e.last, e.notes) for e in sound_lists([Row(n, line) for n, line in enumerate(lines, 1)], "（）")]


@pytest.mark.parametrize(("lines", "found"), [
    pytest.param((COMMENTED, "器經音釋卷上", SOUNDS), [(2, 3, 6)], id="with a head"),
    pytest.param((COMMENTED, SOUNDS), [(2, 2, 6)], id="without a head"),
    pytest.param((COMMENTED, "釋音", SOUNDS, "器經卷二", COMMENTED), [(2, 3, 6)], id="between two juan"),
    pytest.param((COMMENTED, "音釋", "第一", SOUNDS, "第二", SOUNDS, COMMENTED), [(2, 6, 12)], id="with heads inside"),
    pytest.param((COMMENTED, "音義", GLOSSES), [(2, 3, 5)], id="glosses below a head"),
    pytest.param((COMMENTED, "音釋", SOUNDS, COMMENTED, "音釋", SOUNDS), [(2, 3, 6), (5, 6, 6)], id="twice"),
    pytest.param((COMMENTED, "音釋", "扆（音倚）"), [], id="a single note"),
    pytest.param((COMMENTED, GLOSSES), [], id="glosses without a head"),
    pytest.param((COMMENTED, "音釋", COMMENTED), [], id="text below such a head"),
    pytest.param((SOUNDS, COMMENTED), [], id="before the text"),
    pytest.param((COMMENTED, *[SOUNDS] * 20), [], id="a book of sounds"),
])
def test_a_list_is_known_by_its_form(lines: tuple[str, ...], found: list[tuple[int, int, int]]) -> None:
    assert lists(*lines) == found


MANDOKU = """#+TITLE: 器經
<pb:KR9z0001_X_001-1a>¶
器經卷一¶
　晉　郭丙　注¶
釋天第一¶
{text}
器經音釋卷一¶
{list}
釋地第二¶
{text}
"""



@pytest.mark.parametrize("form", ["plain", "mandoku"])
def test_nobody_is_named_in_a_list(form: str, tmp_path: Path) -> None:
    if form == "plain":
        text = f"器經\n晉　郭丙　注\n\n釋天第一\n\n{COMMENTED}\n\n器經音釋\n\n{SOUNDS}\n\n釋地第二\n\n{COMMENTED}\n"
    else:
        text = MANDOKU.format(text=f"{COMMENTED}¶", list=f"{SOUNDS[:13]}¶\n{SOUNDS[13:]}¶")
        text = text.replace("（", "(").replace("）", ")")
    (tmp_path / "qijing.txt").write_text(text, encoding="utf-8")
    done = CliRunner().invoke(cli, ["init", str(tmp_path / "f"), "--from", str(tmp_path / "qijing.txt")])
    assert done.exit_code == 0, done.output
    assert "back matter (lists of sounds, colophons)" in done.output
    settings = catalog.load(tmp_path / "f")
    document, _ = readers.read(next(iter(settings.sources.values())), settings)
    assert [division.kind for division in document.divisions] == ["pian", "front", "pian"]
    assert len({note.resp for note in notes(document)} - {""}) == 1 and len([*notes(document)]) == 4


RECIPE = "葛根（四兩）麻黄（三兩去節）桂枝（二兩去皮）芍藥（二兩）生薑（三兩切）大棗（十二枚）"
COLOPHON = "道光某年借來校勘一過"
"""Lines that say who owned a copy."""


@pytest.mark.parametrize(("lines", "expected"), [
    pytest.param(("器經卷一", COMMENTED, "器經卷一", COLOPHON, "器經卷二", COMMENTED), [(3, 4)],
                 id="below a closing line"),
    pytest.param(("器經卷一", COMMENTED, "器經卷一", COLOPHON), [(3, 4)], id="at the end"),
    pytest.param(("器經卷一", COMMENTED, "器經卷一終", "第二", COMMENTED), [], id="a head, which is none"),
    pytest.param(("器經卷一", COMMENTED, "器經卷一", COMMENTED), [], id="as long as the juan"),
    pytest.param(("器經卷一", COMMENTED, "音釋", SOUNDS, "器經卷一", COLOPHON, COMMENTED), [(2, 6)],
                 id="a list, its closing line, a colophon, and text that goes on"),
    pytest.param(("器經卷一", COMMENTED, SOUNDS, COMMENTED), [], id="like a list in the text"),
    pytest.param(("器經卷一", COMMENTED, SOUNDS, "器經卷二", COMMENTED), [(2, 3)], id="at the end of a juan"),
    pytest.param(("器經卷一", COMMENTED, RECIPE, "器經卷二", COMMENTED), [], id="a recipe"),
])
def test_what_is_behind_a_juan(lines: tuple[str, ...], expected: list[tuple[int, int]]) -> None:
    rows = [Row(n, line) for n, line in enumerate(lines)]
    heads = {n for n, line in enumerate(lines) if line.startswith("第")}
    assert [*find_appended_parts(rows, heads, sound_lists(rows, "（）"), ())] == expected
