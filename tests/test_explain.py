"""Why a passage was read as it was: every thing of every source can be explained, at its own place."""

from __future__ import annotations

import ast
from functools import cache
from pathlib import Path

import pytest

from jiaokan import readers
from jiaokan.editions.explain import Explainer
from jiaokan.errors import TeiError
from jiaokan.model import Division, Document, Mark, Note, Paragraph, Unit
from jiaokan.settings import catalog
from jiaokan.tei.views import own_references
from jiaokan.tei.witness_text import places, printed_text
from jiaokan.validate.rules import explain_rule, explanations

ROOT = Path(__file__).parents[1]
SETTINGS = catalog.load(ROOT)


@cache
def explainer_of(name: str) -> Explainer:
    return Explainer(SETTINGS.sources[name], SETTINGS)


@pytest.fixture(scope="module", params=list(SETTINGS.sources))
def explainer(request: pytest.FixtureRequest) -> Explainer:
    return explainer_of(request.param)


def test_every_printed_character_has_its_place(explainer: Explainer) -> None:
    lines = explainer.source.lines
    assert len(explainer.places) == len(explainer.printed.text)
    assert all(
        lines[place.line - 1][place.column - 1] == char
        for place, char in zip(explainer.places, explainer.printed.text, strict=True)
    )


def test_every_judgement_is_at_a_place_of_the_text(explainer: Explainer) -> None:
    known = set(explainer.places)
    assert [str(j) for j in explainer.judgements if j.place not in known] == []


def test_everything_is_explained(explainer: Explainer) -> None:
    extents = list(explainer.printed.extents.items())
    for identifier, extent in extents[:: max(1, len(extents) // 60)]:
        found = explainer.explain(identifier)
        assert found.what
        assert found.opening or isinstance(extent.item, Division)


def test_a_speaker_is_explained_with_signs_and_weights() -> None:
    jibian = explainer_of("jibian")
    glued = next(j for j in jibian.judgements if "begin?" in j.question and j.verdict == "yes" and len(j.signs) > 3)
    at = jibian.places.index(glued.place)
    note = next(e.item for e in jibian.printed.extents.values() if e.start == at and isinstance(e.item, Note))
    assert glued in jibian.explain(note.id).opening


def test_decisions_on_boundaries_and_characters_are_told() -> None:
    jibian = explainer_of("jibian")
    decided = next(j for j in jibian.judgements if j.decision and j.verdict == "note")
    at = jibian.places.index(decided.place)
    note = next(i for i, e in jibian.printed.extents.items() if e.start == at and not isinstance(e.item, Division))
    assert any(j.decision for j in jibian.explain(note).opening)
    assert any(jibian.explain(i).characters for i in jibian.printed.extents if i.endswith(".n1"))


def test_an_unknown_passage_is_refused_with_the_nearest() -> None:
    with pytest.raises(TeiError, match="did you mean 'tongjie:6"):
        explainer_of("tongjie").explain("tongjie:6.1.99")


def test_a_passage_of_an_edition_leads_to_its_witnesses() -> None:
    unit = Unit(id="x.1.1.1", content=(
        Mark(witness="a", unit="1.1.1"), "甲", Mark(witness="b", unit="1.2.1+4"), "乙",
        Note(id="x.1.1.1.n1", content=(Mark(witness="a", unit="1.1.1.n1"), "丙")),
    ))
    document = Document(id="x", divisions=(Division(kind="pian", id="x.1", items=(Paragraph(content=(unit,)),)),))
    assert own_references(document, "x:1.1.1") == ["a:1.1.1", "b:1.2.1"]
    assert own_references(document, "x:1.1.1.n1") == ["a:1.1.1.n1"]


def test_what_rules_dropped_has_no_place() -> None:
    document = Document(id="x", divisions=(), dropped=(("head", "甲乙"),))
    assert places(("甲乙", "丙"), document.dropped, "丙", "f") == places(("", "丙"), (), "丙", "f")
    assert printed_text(document).text == ""


def test_every_rule_that_a_finding_names_is_explained() -> None:
    named = set()
    for path in (ROOT / "pipeline" / "jiaokan").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            call = isinstance(node, ast.Call) and ast.unparse(node.func).rpartition(".")[2].lower() == "finding"
            if call and node.args and isinstance(node.args[0], ast.Constant):  # type: ignore[attr-defined]
                named.add(node.args[0].value)  # type: ignore[attr-defined]
    assert named - set(explanations()) == set()
    assert "scope" in explain_rule("scope-unresolved") or explain_rule("scope-unresolved")
    with pytest.raises(TeiError, match="did you mean 'metre'"):
        explain_rule("meter")


def test_the_names_of_readers_are_modules_that_read() -> None:
    assert {*readers.names()} >= {"brackets", "mandoku", "paragraphs", "plain", "tei", "verse", "zhushu"}
    assert {*readers.names()}.isdisjoint({"common", "__init__"})
