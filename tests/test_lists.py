"""The edition folder's own lists, the order of dynasties, and what an encoding says of itself."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from jiaokan import messages
from jiaokan.annotate.identifiers import number
from jiaokan.annotate.index import Index
from jiaokan.annotate.remarks.mark import mark_remarks
from jiaokan.build.stages import steps
from jiaokan.cli import cli
from jiaokan.errors import CatalogError
from jiaokan.model import Division, Document, Glyph, Note, Paragraph, Span, Trailer, Unit
from jiaokan.model.vocabulary import LATEST, REPORTED, dynasties, dynasty, period
from jiaokan.settings import catalog
from jiaokan.settings.catalog import Person
from jiaokan.settings.lists import KINDS, NONE, load
from jiaokan.tei.header.principles import editorial, principle, principles
from jiaokan.tei.header.uses import uses

ROOT = Path(__file__).parents[1]


def folder(root: Path, name: str, text: str) -> Path:
    """An edition folder with one list."""
    home = root / "tei" / "lists"
    home.mkdir(parents=True, exist_ok=True)
    (home / f"{name}.tsv").write_text(text, encoding="utf-8")
    return root


def document(*content: Unit | Note) -> Document:
    """A chapter of one paragraph."""
    return Document(id="x", divisions=(Division(kind="pian", n="1", items=(Paragraph(content=content),)),))


@pytest.mark.parametrize(
    ("name", "text", "line", "said"),
    [
        ("title", "论语\talways\twork-lunyu\n", 0, "unknown list 'title'"),
        ("titles", "# 书\n论语\talways\n", 2, "a row of 2 cells"),
        ("titles", "论语\t\twork-lunyu\n", 1, "with an empty one"),
        ("titles", "论语\talways\tlunyu\n", 1, "'lunyu' is not of the form"),
        ("remarks", "ben\t{B}作(\t某\n", 1, "not a regular expression"),
        ("remarks", "tou\t脱{W}\t脱某\n", 1, "unknown kind of remark 'tou'"),
        ("readings", "ben\tomit\t无{W}\n", 1, "unknown change 'omit'"),
        ("uses", "own\t某\n", 1, "does not mark the place of the titles"),
        ("variants", "# 異體\n發\t𤼵\tgrafic\n", 2, "unknown class of variants 'grafic'"),
        ("variants", "發\t𤼵\tomission\n", 1, "unknown class of variants 'omission'"),
        ("variants", "發\t發\n", 1, "two different characters"),
        ("variants", "發𤼵\n", 1, "of one cell"),
        ("traditions", "闽本\tMin\n", 1, "'Min' is not of the form"),
    ],
)
def test_a_fault_is_told_with_its_line(tmp_path: Path, name: str, text: str, line: int, said: str) -> None:
    with pytest.raises(CatalogError) as caught:
        load(folder(tmp_path, name, text))
    assert caught.value.place is not None
    assert (caught.value.place.line, said in str(caught.value)) == (line, True), str(caught.value)


def test_a_folder_without_lists_has_none(tmp_path: Path) -> None:
    assert load(tmp_path).rows == {}
    assert NONE.reported_traditions() == REPORTED
    assert not (ROOT / "pipeline" / "jiaokan" / "scaffold" / "tei" / "lists").exists()


def test_a_folder_names_its_own_tradition(tmp_path: Path) -> None:
    lists = load(folder(tmp_path, "traditions", "黄本\thuangben\t黄本\n黄校\thuangben\n"))
    assert lists.reported_traditions()["huangben"] == "黄本"
    note = Note(content=("黄校作酬",), subtype="shuo")
    text = document(Unit(content=("酌",)), note)
    for known, wanted in ((NONE, []), (lists, ["huangben"])):
        made = Index.of(mark_remarks(number(text), {}, known)).notes["x.1.0.1.n1"]
        assert [part.ref for part in made.content if isinstance(part, Span)] == wanted


def test_a_change_of_a_list_makes_steps_stale() -> None:
    settings = catalog.load(ROOT)
    files = {ROOT / "tei" / "lists" / f"{name}.tsv" for name in KINDS.keys() - {"variants"}}
    for step in steps(settings, ROOT / "build"):
        if step.stage in ("read", "collate"):
            assert files <= {*step.inputs}, step.name


def test_a_folder_has_its_own_table_of_variant_graphs(tmp_path: Path) -> None:
    files = [tmp_path / "j.txt", tmp_path / "y.txt"]
    for file, words in zip(files, ("時習之不亦說乎有朋來不亦樂乎", "時習之不亦怡乎有朋來不亦喜乎"), strict=True):
        file.write_text(f"第一章\n\n{words}\n", encoding="utf-8")
    run, home = CliRunner().invoke, tmp_path / "e"
    assert run(cli, ["init", str(home), "--from", *map(str, files)]).exit_code == 0
    (plan,) = home.glob("tei/editions/*.toml")
    for source in catalog.load(home).sources:
        text = str(home / f"tei/witnesses/{source}.xml")
        assert run(cli, ["convert", source, "-C", str(home), "-o", text]).exit_code == 0
    collate = ["collate", plan.stem, "-C", str(home), "-f", "json"]

    def judged() -> list[tuple[str, str]]:
        made = json.loads(run(cli, collate, catch_exceptions=False).stdout)
        readings = [reading for entry in made["entries"] for reading in entry["readings"]]
        return [(reading["class"], reading.get("source", "")) for reading in readings]

    assert judged() == [("substantive", "")] * 2
    folder(home, "variants", "怡\t說\n樂\t喜\tlookalike\n")
    assert judged() == [("graphic", "rule:variants-list"), ("lookalike", "rule:variants-list")]


@pytest.mark.parametrize(
    ("declared", "own", "who"),
    [({"zhu": "hexiu"}, "", "hexiu"), ({}, "hexiu", "hexiu"), ({}, "", "kong"), ({"zhu": "nobody"}, "hexiu", "kong")],
)
def test_whom_zhu_yue_means(declared: dict[str, str], own: str, who: str) -> None:
    """注曰 in a 公羊传 is 何休, if he is declared or speaks all 注 of the text; never 郑玄 because of the program."""
    persons = {
        "hexiu": Person(id="hexiu", name="何休", label="何", dynasty="东汉"),
        "zhengxuan": Person(id="zhengxuan", name="郑玄", label="郑", dynasty="东汉"),
        "kong": Person(id="kong", name="孔广森", label="孔", dynasty="清"),
    }
    unit = Unit(content=("元年春王正月",))
    notes = (
        *([Note(content=("惟王者然后改元立号",), subtype="zhu", resp=own)] if own else []),
        Note(content=("注曰正当作政",), subtype="shuo", resp="kong"),
    )
    text = document(unit, *notes)
    made = mark_remarks(number(text), persons, NONE, declared)
    spans = [part for note in Index.of(made).notes.values() for part in note.content if isinstance(part, Span)]
    assert [span.ref for span in spans if span.role == "textcrit"] == [who]


def test_dynasties_stand_in_order() -> None:
    names = ["周", "秦", "西汉", "東漢", "三国魏", "西晋", "梁", "隋", "唐", "五代", "北宋", "南宋", "元", "明", "清"]
    assert names == sorted(names, key=period)
    assert period("辽") < period("金代") < period("明末清初") < period("清") < period("") == LATEST
    assert (dynasty("南朝宋") or dynasties()["宋"]).begin == 420
    assert all(each.begin < each.end for each in dynasties().values())


def test_an_encoding_says_only_what_is_so() -> None:
    bare = document(Unit(content=("學而",)))
    said = "".join(str(text) for text in editorial(uses(bare).features, "lzh-Hant").itertext())
    for absent in ("右……", "「記」", "私用區", "標點悉依", "括號", "一人之言", "trailer", "private-use"):
        assert absent not in said
    assert "原本無標點" in said and "繁簡" in said
    whole = Document(id="x", divisions=(Division(kind="pian", n="1", items=(
        Paragraph(content=(Unit(content=("学而时习之，", Glyph(code="\ue000"))), Note(content=("习也",), rend="【】"))),
        Trailer(content=("右学而",)),
    )),))
    said = "".join(str(text) for text in editorial(uses(whole).features, "lzh-Hans").itertext())
    for present in ("右……", "私用区", "标点悉依", "括号", "一人之言"):
        assert present in said
    assert "「记」" not in said


def test_each_statement_has_its_words_and_is_in_both_scripts() -> None:
    for name, sentences in principles().items():
        assert len(messages.ids(f"principle-{name}-")) == len(sentences)
    assert [form[:20] for form in principle("segmentation-6")[:2]] == [
        "一人之言为一条，各系其人，并记其所注之文", "一人之言為一條，各繫其人，並記其所注之文"]
    assert principle("alone", titles="云为", base="系")[1] == "云为，僅據系一本，無他本可校。"
