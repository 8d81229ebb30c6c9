"""Ids come from structure, targets from what stands before."""

from __future__ import annotations

from jiaokan.annotate.identifiers import ENCLOSING, number
from jiaokan.model import Division, Document, Head, Note, NoteGroup, Paragraph, Trailer, Unit


def chapter(*sections: Division) -> Document:
    return Document(id="a", divisions=(Division(kind="pian", n="6", items=(Head(content=("燕礼",)), *sections)),))


def section(*units: str, note: str = "") -> Division:
    paragraph = Paragraph(content=tuple(Unit(content=(u,)) for u in units))
    return Division(kind="section", items=(
        paragraph, Note(content=("注", Note(content=("夹注",))), target=note), Trailer(content=("右",)),
        NoteGroup(notes=(Note(content=("一",)), Note(content=("二",)))),
    ))


def ids(thing: object) -> dict[str, str]:
    """Every id in a document with its target, in order."""
    found: dict[str, str] = {}

    def walk(each: object) -> None:
        if getattr(each, "id", ""):
            found[each.id] = getattr(each, "target", "")  # type: ignore[attr-defined]
        for name in ("divisions", "items", "content", "notes"):
            for child in getattr(each, name, ()) or ():
                if not isinstance(child, str):
                    walk(child)

    walk(thing)
    return found


def test_ids_and_targets() -> None:
    assert ids(number(chapter(section("经", "文"), section("又")))) == {
        "a": "", "a.6": "", "a.6.h": "",
        "a.6.1": "", "a.6.1.1": "", "a.6.1.2": "", "a.6.1.2.n1": "a.6.1.2", "a.6.1.2.n1.n1": "a.6.1.2.n1",
        "a.6.1.t": "", "a.6.1.t.n1": "a.6.1.t", "a.6.1.t.n2": "a.6.1.t",
        "a.6.2": "", "a.6.2.1": "", "a.6.2.1.n1": "a.6.2.1", "a.6.2.1.n1.n1": "a.6.2.1.n1",
        "a.6.2.t": "", "a.6.2.t.n1": "a.6.2.t", "a.6.2.t.n2": "a.6.2.t",
    }


def test_a_note_on_the_whole_section() -> None:
    assert ids(number(chapter(section("经", note=ENCLOSING))))["a.6.1.n1"] == "a.6.1"


def test_an_edit_in_one_section_changes_no_id_in_another() -> None:
    before = ids(number(chapter(section("一"), section("二", "三"))))
    after = ids(number(chapter(section("一", "又一"), section("二", "三"))))
    assert {i for i in before if i.startswith("a.6.2")} == {i for i in after if i.startswith("a.6.2")}


def test_numbering_twice_changes_nothing() -> None:
    once = number(chapter(section("一", "二")))
    assert number(once) == once
