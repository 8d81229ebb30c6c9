"""The forms in which users have texts: what `init --from` makes of each, and what it refuses by name."""

from __future__ import annotations

import tomllib
import zipfile
from datetime import date
from pathlib import Path

import pytest

from jiaokan.desk import begin
from jiaokan.errors import JiaokanError, SourceError
from jiaokan.scaffold.folder import make_folder
from jiaokan.scaffold.gather import gather
from jiaokan.scaffold.survey import Survey, survey
from jiaokan.scaffold.works import group_by_work

ONE, TWO, THREE = "鐘鼎列於東序而不言其數", "盤盂陳於西廂以待賓客之來", "劍戟藏於武庫非有事不出"
NOTE = "序者堂之牆也"


def surveyed(text: str, name: str, folder: Path) -> Survey:
    (folder / name).write_text(text, encoding="utf-8")
    return survey(folder / name)


@pytest.mark.parametrize(("text", "levels", "title"), [
    (f"#+TITLE: 器略\n* 上\n** 東\n{ONE}\n** 西\n{TWO}\n* 下\n** 庫\n{THREE}\n", [1, 2, 2, 1, 2], "器略"),
    (f"#+title: 器略\n#+PROPERTY: ID X1\n* 東 :draft:\n:PROPERTIES:\n:END:\n{ONE}\n# remark\n* 西\n{TWO}\n", [1, 1],
     "器略"),
    (f"* 上\n** 東\n{ONE}\n{TWO}\n{THREE}\n* 下\n** 西\n{THREE}\n{TWO}\n", [1, 2, 1, 2], "a"),
    (f"器略\n====\n\n東序\n----\n\n{ONE}\n\n西廂\n----\n\n{TWO}\n", [1, 2, 2], "器略"),
    (f"器略\n\n* {ONE}\n* {TWO}\n* {THREE}\n", [], "器略"),  # a list
    (f"# 器略\n\n{ONE}\n----------\n{TWO}\n", [1], "器略"),  # a rule between paragraphs
])
def test_an_outline_keeps_its_levels(text: str, levels: list[int], title: str, tmp_path: Path) -> None:
    found = surveyed(text, "a.txt", tmp_path)
    assert [row.level for row in found.rows if row.level] == levels
    assert found.title == title
    assert not {":", "#"} & {*"".join(row.text for row in found.rows)}


@pytest.mark.parametrize(("name", "text"), [
    ("a.txt", f"東序第一\n{ONE}<small>{NOTE}</small>\n西廂第二\n{TWO}\n"),
    ("a.html", f"<h2>東序</h2><p>{ONE}<small>{NOTE}</small></p><h2>西廂</h2><p>{TWO}</p>"),
    ("b.html", f'<h2>東序</h2><p>{ONE}<span class="jiazhu">{NOTE}</span></p><h2>西廂</h2><p>{TWO}</p>'),
    ("a.wiki", f"==東序==\n{ONE}{{{{*|{NOTE}}}}}\n==西廂==\n{TWO}\n"),
    ("b.wiki", f"==東序==\n{ONE}{{{{註|{NOTE}}}}}\n==西廂==\n{TWO}\n"),
    ("c.wiki", f"==東序==\n{ONE}<small>{NOTE}</small>\n==西廂==\n{TWO}\n"),
    ("d.wiki", f"==東序==\n{ONE}{{{{small|序者{{{{SKchar|堂}}}}之牆也}}}}\n==西廂==\n{TWO}\n"),
])
def test_a_note_by_its_markup_is_one_though_it_is_alone(name: str, text: str, tmp_path: Path) -> None:
    found = surveyed(text, name, tmp_path)
    assert found.notes.count == 1 and NOTE in "".join(row.text for row in found.rows)
    assert found.base_text() == f"{found.rows[0].text}{ONE}{found.rows[2].text}{TWO}"


@pytest.mark.parametrize(("name", "page", "kind"), [
    ("a.hocr", "<div class='ocr_page' title='bbox 0 0 9 9'><span class='ocr_line'> </span></div>", "hOCR"),
    ("a.html", '<!DOCTYPE html><html><body><div class="ocr_page"><p>鐘</p></div></body></html>', "hOCR"),
    ("a.txt", "<p class='ocr_par'>鐘鼎</p>", "hOCR"),
    ("b.txt", "<alto><Layout><Page><String CONTENT='鐘'/></Page></Layout></alto>", "ALTO"),
    ("b.xml", "<PcGts xmlns='urn:x'><Page><Unicode>鐘</Unicode></Page></PcGts>", "PAGE"),
    ("c.txt", "<leaf><part>鐘鼎</part></leaf>\n", "<leaf>"),
])
def test_another_vocabulary_is_named(name: str, page: str, kind: str, tmp_path: Path) -> None:
    with pytest.raises(SourceError, match=kind):
        surveyed(page, name, tmp_path)


def begun(*paths: Path) -> tuple[list[str], list[list[str]]]:
    """The titles of the works of a new folder, and of their chapters; with those of its sources."""
    files = begin.detect(paths).files
    catalog = tomllib.loads(files["tei/catalog.toml"].decode())
    return ([source["title"] for source in catalog["source"]],
            [[chapter["title"] for chapter in work["chapters"]] for work in catalog["work"]])


def filled(home: Path, files: dict[str, str]) -> Path:
    for name, text in files.items():
        (home / name).parent.mkdir(parents=True, exist_ok=True)
        (home / name).write_text(text, encoding="utf-8")
    return home


OTHER = ONE.replace("而不言", "者不言")


@pytest.mark.parametrize(("files", "heads"), [
    ({"01東房/text.txt": ONE, "02西廂/text.txt": TWO}, ["1東房", "1西廂"]),
    ({"卷一/text.txt": ONE, "卷二/text.txt": TWO, "卷十/text.txt": THREE}, ["1卷一", "1卷二", "1卷十"]),
    ({"卷上/東/a.txt": ONE, "卷上/西/a.txt": TWO, "卷下/庫/a.txt": THREE}, ["1卷上", "2東", "2西", "1卷下", "2庫"]),
    ({"1.txt": ONE, "2.txt": TWO, "10.txt": THREE}, ["11", "12", "110"]),
    ({"1.txt": ONE, "2.txt": TWO, "more/3.txt": THREE}, ["11", "12", "1more"]),
    ({"第一篇東房.txt": f"第一篇東房\n{ONE}", "第二篇西廂.txt": TWO}, ["1第一篇東房", "1第二篇西廂"]),
    ({"甲/01.md": f"# 東房\n{ONE}", "乙/02.md": f"# 西廂\n{TWO}"}, ["1乙", "2西廂", "1甲", "2東房"]),
    ({"卷一/text.txt": f"== 東 ==\n{ONE}", "卷二/text.txt": f"== 西 ==\n{TWO}"}, ["2卷一", "3東", "2卷二", "3西"]),
])
def test_sub_folders_and_numbered_files_are_heads(files: dict[str, str], heads: list[str], tmp_path: Path) -> None:
    (text,) = gather([filled(tmp_path / "器略", files)]).texts
    found = survey(*text.files, home=text.home, above=text.above)
    assert [f"{row.level}{row.text}" for row in found.rows if row.level] == heads
    assert found.title == "器略" and {row.text for row in found.rows} >= {ONE, TWO}


def test_a_folder_is_the_work_and_its_sub_folders_are_chapters(tmp_path: Path) -> None:
    home = filled(tmp_path / "器略", {"01東房/text.txt": ONE, "02西廂/text.txt": TWO})
    assert begun(home) == (["器略"], [["東房", "西廂"]])


def test_parts_with_the_same_words_are_witnesses(tmp_path: Path) -> None:
    files = {"甲本/1東/t.txt": ONE, "甲本/2西/t.txt": TWO, "乙本/1東/t.txt": OTHER, "乙本/2西/t.txt": TWO}
    assert begun(filled(tmp_path / "器略", files)) == (["器略（乙本）", "器略（甲本）"], [["東", "西"]])
    titles, chapters = begun(filled(tmp_path / "器書", {"1.txt": ONE + TWO, "2.txt": OTHER + TWO}))
    assert len(titles) == 2 and len(chapters) == 1


def packed(path: Path, files: dict[str, str]) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in files.items():
            archive.writestr(name, text)
    return path


@pytest.mark.parametrize(("files", "titles"), [
    ({"器略/01東序.txt": ONE, "器略/02西廂.txt": TWO}, ["器略"]),
    ({"器略.txt": f"器略\n{ONE}\n"}, ["器略"]),
    ({"01.txt": ONE, "02.txt": TWO, "__MACOSX/._01.txt": "x", "cover.png": "x"}, ["packed"]),
])
def test_an_archive_is_the_texts_in_it(files: dict[str, str], titles: list[str], tmp_path: Path) -> None:
    assert begun(packed(tmp_path / "packed.zip", files))[0] == titles


@pytest.mark.parametrize(("files", "words"), [
    ({"../../outside.txt": ONE}, "leads out"), ({"/outside.txt": ONE}, "leads out"), ({"C:\\x.txt": ONE}, "leads out"),
    ({"a/..\\..\\x.txt": ONE}, "leads out"), ({"a.txt": "鐘" * 3_000_000}, "nearly empty"),
    ({f"{n}.txt": "鐘" for n in range(5001)}, "5001 files"), ({"inner.zip": ONE}, "no text file"),
])
def test_an_archive_that_is_no_texts_is_refused(files: dict[str, str], words: str, tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    with pytest.raises(JiaokanError, match=words):
        begin.detect([packed(tmp_path / "in/a.zip", files)])
    assert [path.name for path in tmp_path.rglob("*")] == ["in", "a.zip"]


LINES = "\n".join((ONE, TWO, THREE) * 6)


@pytest.mark.parametrize(("second", "kind"), [
    (f"{LINES}\n器略經\n", "none"),  # its closing title is no head: it leaves all before it
    (f"唐某甲譯\n{LINES}\n某乙校\n器略經\n", "none"),
    (f"{ONE}\n器略經\n{LINES}\n", "title"),
])
def test_a_title_of_another_witness_is_a_head_where_the_text_follows_it(
    second: str, kind: str, tmp_path: Path
) -> None:
    title = "#+TITLE: 器略經\n"
    witnesses = [surveyed(f"{title}器略經\n{LINES}\n", "a.txt", tmp_path),
                 surveyed(title + second, "b.txt", tmp_path)]
    work, = group_by_work(witnesses)
    assert next(text for text in work.surveys if text.path.name == "b.txt").heads.kind == kind


PROSE = "\n\n".join((
    "Quintus Mucius augur multa narrare de Gaio Laelio socero suo memoriter et iucunde solebat.",
    "Ego autem a patre ita eram deductus ad Scaevolam sumpta virili toga, ut a senis latere numquam discederem.",
    "Quo mortuo me ad pontificem Scaevolam contuli, quem unum nostrae civitatis praestantissimum audeo dicere."))
VERSES = "\n".join(("Arma virumque cano Troiae qui primus ab oris", "Italiam fato profugus Laviniaque venit",
                    "litora multum ille et terris iactatus et alto"))


@pytest.mark.parametrize(("text", "title"), [
    (f"De amicitia\n\n{PROSE}\n", "De amicitia"),
    (f"De amicitia\n\nPrologus\n\n{PROSE}\n", "De amicitia"),
    (f"Aeneis\n{VERSES}\n", "Aeneis"),
    (f"Περὶ φιλίας\n\n{'τὴν φιλίαν λέγουσιν οἱ σοφοὶ μέγιστον ἀγαθόν' * 2}\n\n{'καὶ τοῦτο ἀληθές ἐστιν ἡμῖν' * 3}\n",
     "Περὶ φιλίας"),
    (f"{VERSES}\n", "own"), (f"{PROSE}\n", "own"), (f"Hoc dixit.\n\n{PROSE}\n", "own"),
])
def test_the_first_line_of_a_text_in_letters_can_be_its_title(text: str, title: str, tmp_path: Path) -> None:
    assert surveyed(text, "own.txt", tmp_path).title == title


@pytest.mark.parametrize(("names", "sigla"), [
    (("Parisinus_7774", "Laurentianus_76"), ["P", "L"]),
    (("Parisinus 7774", "Parisinus 7775", "Palatinus"), ["P", "P7775", "Pa"]),
    (("cod. Vaticanus 3868", "ms Bodleianus"), ["V", "B"]),
    (("A", "B", "CBETA"), ["A", "B", "CBETA"]),
    (("宋本", "明本"), ["宋", "明"]),
])
def test_sigla_of_witnesses_are_short(names: tuple[str, ...], sigla: list[str], tmp_path: Path) -> None:
    texts = [surveyed(f"De amicitia\n\n{PROSE} {name}\n", f"{name}.txt", tmp_path) for name in names]
    folder = make_folder(group_by_work(texts), today=date(2026, 1, 1))
    catalog = tomllib.loads(folder.files["tei/catalog.toml"].decode())
    assert [source["siglum"] for source in catalog["source"]] == sigla
