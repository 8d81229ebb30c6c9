"""Books of collation notes: what they report of a chapter, and what cannot be placed."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from msgspec.structs import replace

from jiaokan.annotate.identifiers import number
from jiaokan.collate import testimony
from jiaokan.collate.reports import with_reports
from jiaokan.collate.testimony.grammar import Authorities, read_note
from jiaokan.collate.testimony.order import fix_in_order
from jiaokan.collate.testimony.statements import StatementRow, rows
from jiaokan.model import App, Division, Document, Note, Paragraph, Unit
from jiaokan.model.pointers import Range
from jiaokan.model.text import counted
from jiaokan.model.walk import items
from jiaokan.settings import plans
from jiaokan.settings.catalog import Catalog, Licence, NamedPerson, Project
from tests.collations import LISTS, edition, witness

PERSONS = {"敖繼公": "aojigong", "臣紱": "chenfu"}
CASES = sorted((Path(__file__).parent / "cases" / "testimony").glob("*.txt"))


CATALOG = Catalog(
    root=Path(), project=Project(title="t", publisher="p", editors=("e",), date="2026-01-01",
                                 licence=Licence(name="CC0")),
    sources={}, works={}, persons={}, editions={}, lists=LISTS)


def book(lines: list[str]) -> Division:
    """Return a chapter of notes, one a line: heads before a wide space, glosses in brackets."""
    made = []
    for line in lines:
        parts = re.findall(r"\(([^()]*)\)|([^()\u3000]+)", line)
        made.append(Paragraph(content=tuple(Unit(content=(words,)) if words else Note(content=(note,), kind="gloss")
                                            for note, words in parts)))
    section = Division(kind="section", items=tuple(made))
    return number(Document(id="book", divisions=(Division(kind="pian", n="6", items=(section,)),))).divisions[0]


def case(path: Path) -> tuple[Division, testimony.Testimony, list[str]]:
    """Read a case: the chapter, the notes on it, and what is expected."""
    given, _, wanted = path.read_text(encoding="utf-8").partition("---\n")
    lines = [line for line in given.splitlines() if not line.startswith("#")]
    keys = dict(line.split(": ", 1) for line in lines if ": " in line)
    plan = plans.TestimonyPlan(source="book", **{key: keys[key] for key in ("form", "witness", "base") if key in keys})
    chapter = edition([witness("a", keys["text"]), witness("b", keys["text"])])[0].divisions[0]
    return chapter, testimony.Testimony(plan, book([line for line in lines if ": " not in line])), wanted.splitlines()


@pytest.mark.parametrize("path", CASES, ids=lambda path: path.stem)
def test_case(path: Path) -> None:
    chapter, notes, wanted = case(path)
    names = {**LISTS.tradition_ids(), "宋本": "songben"}
    readings, findings = testimony.testimony_readings(chapter, [notes], names, PERSONS)
    told = [f"{each.place.id} {_words(chapter, each.place)} {each.tradition} {each.words or '–'}" for each in readings]
    assert told + [f"{each.rule} {each.message}" for each in findings] == wanted


def _words(chapter: Division, place: Range) -> str:
    item = next(each for each in items([chapter]) if isinstance(each, (Unit, Note)) and each.id == place.id)
    return counted(item.content)[place.offset : place.offset + place.length]


def test_what_a_book_reports_is_a_reading_with_the_book_as_source() -> None:
    chapter, notes, _ = case(next(path for path in CASES if path.stem == "stated"))
    found, _ = testimony.testimony_readings(chapter, [notes], LISTS.tradition_ids())
    made = with_reports(chapter, LISTS, found)
    apps = [item for item in items([made]) if isinstance(item, App)]
    made_of = [(reading.witnesses, reading.content, reading.source) for app in apps for reading in app.readings]
    assert (("jianben",), ("酢",), "w:book.6.1.1") in made_of
    assert all(reading.source.startswith("w:book.") for app in apps for reading in app.readings)


@pytest.mark.parametrize("row", rows(), ids=lambda row: row.example)
def test_an_example_of_the_grammar_is_read_by_its_row(row: StatementRow) -> None:
    names = Authorities({**LISTS.tradition_ids(), "岳本": "yueben"}, {}, "jianben")
    before = "酌监本作酢" if row.change in ("again", "text") else ""
    read = read_note(before + row.example, names)
    if row.change == "none":
        assert not read.statements
    else:
        assert read.statements and not read.unread
        assert read.statements[-1].same == (row.change == "text")
        assert row.change in ("again", "text") or read.statements[0].change == row.change


def test_copies_and_persons_that_only_the_notes_name_are_declared() -> None:
    notes = book(["升酌于堂○酌楊本作酢", "升酌○楊本朱子本無升字", "升酌于堂○李如圭云酌當作酢", "辭○(臣紱)按辭字當衍"])
    document = Document(id="zhengwu", divisions=(notes,))
    plan = plans.EditionPlan(id="e", kind="critical", title="e", testimony=(plans.TestimonyPlan(source="zhengwu"),))
    named = {"chenfu": NamedPerson(id="chenfu", name="陈福")}
    extended = testimony.with_books(plan, {"zhengwu": document}, replace(CATALOG, named=named))
    assert [person.id for person in extended.persons.values() if person.name == "臣紱"] == ["chenfu-2"]
    assert {"yangben": "楊本", "zhuziben": "朱子本"}.items() <= extended.lists.reported_traditions().items()
    assert {person.name for person in extended.persons.values()} >= {"李如圭", "臣紱"}
    assert testimony.with_books(plan, {}, CATALOG) is CATALOG


def test_a_second_reading_of_one_witness_is_reported() -> None:
    chapter = edition([witness("a", "主人升酌于堂。"), witness("b", "主人升取于堂。")])[0].divisions[0]
    lines = ["主人升酌于堂○酌監本作酢", "主人升酌于堂○酌監本作醋", "主人升酌于堂○監本主下有人字"]
    notes = testimony.Testimony(plans.TestimonyPlan(source="book"), book(lines))
    readings, findings = testimony.testimony_readings(chapter, [notes], {"監本": "jianben"})
    assert [report.words for report in readings] == ["酢", "醋", "人"] and not findings
    lost = list(testimony.lost_readings(with_reports(chapter, LISTS, readings), [notes], readings))
    assert [finding.message.partition(" (")[2] for finding in lost] == [
        "other entries divide its words, or one of them already says what this witness reads)",
        "the text reads so, and there is no entry)"]


def test_copies_that_a_note_names_together_share_a_reading() -> None:
    chapter = edition([witness("a", "主人升酌于堂。"), witness("b", "主人升酌于堂。")])[0].divisions[0]
    names = {"監本": "jianben", "石經": "shijing", "敖本": "aoben"}
    notes = testimony.Testimony(plans.TestimonyPlan(source="book"), book(["主人升酌于堂○石經及敖本酌作酢監本無酌字"]))
    readings, findings = testimony.testimony_readings(chapter, [notes], names)
    division = with_reports(chapter, LISTS, readings)
    (app,) = [item for item in items([division]) if isinstance(item, App)]
    assert not findings
    assert [(reading.witnesses, reading.content) for reading in app.readings] == [
        (("shijing", "aoben"), ("酢",)), (("jianben",), ())]


def test_glosses_name_texts_by_surname_and_a_chain_of_names_is_read_whole_or_listed() -> None:
    lines = ["體仁(如字京房荀爽董遇本作體信)擊蒙(經歷反王肅云治也馬鄭作繫)掇(都活反鄭本作惙憂也)"
             "三驅(匡愚反鄭云田也馬云三也)不佑(音又鄭云助也費直某氏本作右)有孚(如字馬作旉云信也)"]
    book_of_glosses = Document(id="shiwen", divisions=(book(lines),))
    plan = plans.EditionPlan(id="e", kind="critical", title="e", testimony=(plans.TestimonyPlan(source="shiwen"),))
    names = testimony.with_books(plan, {"shiwen": book_of_glosses}, CATALOG).lists.tradition_ids()
    text = "君子體仁足以長人擊蒙不利爲寇患至掇也王用三驅不佑行矣有孚惠心"
    chapter = edition([witness("a", text), witness("b", text)])[0].divisions[0]
    notes = testimony.Testimony(plans.TestimonyPlan(source="shiwen"), book_of_glosses.divisions[0])
    readings, findings = testimony.testimony_readings(chapter, [notes], names)
    by_words: dict[str, set[str]] = {}
    for report in readings:
        by_words.setdefault(report.words, set()).add(report.tradition)
    texts = {name: names[name] for name in ("京房本", "荀爽本", "董遇本", "馬")}
    assert by_words["體信"] == {texts["京房本"], texts["荀爽本"], texts["董遇本"]}
    assert by_words["繫"] == {texts["馬"], names["郑本"]}
    assert by_words["惙"] == {names["郑本"]} and by_words["旉"] == {texts["馬"]}
    assert [finding.place for finding in findings] and any("費直" in finding.message for finding in findings)


@pytest.mark.parametrize(("starts", "weights", "fixed"), [
    pytest.param([[5], [2, 7], [9]], [1, 1, 1], {0: 5, 1: 7, 2: 9}, id="one of two lies between the others"),
    pytest.param([[5], [6, 7], [9]], [1, 1, 1], {0: 5, 2: 9}, id="two lie between them"),
    pytest.param([[5], [1], [9]], [3, 1, 3], {0: 5, 2: 9}, id="a lighter one out of order"),
    pytest.param([[5], [1]], [1, 1], {}, id="either of two"),
    pytest.param([[], [3]], [1, 1], {1: 3}, id="one that is nowhere"),
])
def test_the_order_of_quotations_fixes_places(
    starts: list[list[int]], weights: list[int], fixed: dict[int, int]
) -> None:
    assert fix_in_order(starts, weights) == fixed


def test_a_gloss_on_no_words_of_the_text_is_listed() -> None:
    chapter = edition([witness("a", "君子體仁足以長人"), witness("b", "君子體仁足以長人")])[0].divisions[0]
    for reading in ("體信", "信"):
        notes = testimony.Testimony(
            plans.TestimonyPlan(source="book"), book([f"君子(如字)體仁(如字)。(本又作{reading}音同)長人(丁丈反)"]))
        readings, findings = testimony.testimony_readings(chapter, [notes], {"或本": "huoben"})
        assert not readings and [reading in finding.message for finding in findings] == [True]
