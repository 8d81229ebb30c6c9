"""The law of a witness, held by the program itself: no TEI is written that does not give its source back."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from jiaokan import annotate, readers
from jiaokan.annotate.identifiers import number
from jiaokan.annotate.index import FoundSpan, insert_spans
from jiaokan.cli import cli
from jiaokan.editions import edition
from jiaokan.errors import SourceError, TeiError
from jiaokan.model import Content, Division, Document, Gap, Note, Paragraph, Role, Span, Unit
from jiaokan.tei.lossless import check_source, check_tei, check_text, check_witness
from jiaokan.tei.parse import from_tei
from jiaokan.tei.tree import element
from jiaokan.tei.views import source_text
from jiaokan.tei.write import to_tei
from tests.collations import edition as collated

ROLES: tuple[Role, ...] = ("lemma", "quote", "person")


def words(content: Content) -> str:
    """All strings of some content."""
    return "".join(part if isinstance(part, str) else words(part.content) for part in content
                   if isinstance(part, str | Span))


def roles(content: Content, around: tuple[Role, ...] = ()) -> list[tuple[Role, ...]]:
    """The roles of each span with those of the spans around it."""
    found: list[tuple[Role, ...]] = []
    for part in content:
        if isinstance(part, Span):
            found += [(*around, part.role), *roles(part.content, (*around, part.role))]
    return found


@given(
    st.text("天命之谓性", max_size=12),
    st.lists(st.tuples(st.integers(-2, 14), st.integers(-2, 14), st.sampled_from(ROLES)), max_size=12),
)
def test_whatever_is_found_the_words_stay_and_no_role_stands_in_itself(
    text: str, found: list[tuple[int, int, Role]]
) -> None:
    made = insert_spans(text, [FoundSpan(start, end, Span(role=role, content=())) for start, end, role in found])
    assert words(made) == text
    assert all(len(set(path)) == len(path) for path in roles(made))
    assert all(part for part in made)


@pytest.mark.parametrize(("found", "expected"), [
    ([(0, 3, "lemma"), (2, 5, "lemma")], "[天命之]谓性率"),
    ([(2, 5, "lemma"), (2, 3, "quote")], "天命[[之]谓性]率"),
    ([(0, 2, "lemma"), (2, 4, "lemma")], "[天命][之谓]性率"),
    ([(1, 4, "lemma"), (2, 3, "lemma")], "天[命之谓]性率"),
])
def test_the_rule_where_spans_overlap(found: list[tuple[int, int, Role]], expected: str) -> None:
    def shown(content: Content) -> str:
        return "".join(f"[{shown(p.content)}]" if isinstance(p, Span) else str(p) for p in content)

    spans = [FoundSpan(start, end, Span(role=role, content=())) for start, end, role in found]
    made = insert_spans("天命之谓性率", spans)
    assert shown(made) == expected


def convert(text: str, folder: Path) -> str:
    """The TEI that `convert` writes of a text."""
    (folder / "a.txt").write_text(text, encoding="utf-8")
    (folder / "c.toml").write_text('brackets = "〈〉"\nseparators = " "\n[unsigned]\nperson = ""\n', encoding="utf-8")
    said = CliRunner().invoke(cli, [
        "convert", str(folder / "a.txt"), "--reader", "brackets", "--convention", str(folder / "c.toml"),
        "--chapter", "1=中庸", "--out", str(folder / "a.xml"),
    ])
    assert said.exit_code == 0, said.output
    return source_text(from_tei((folder / "a.xml").read_bytes(), name="a"))


def test_glosses_that_overlap_double_no_character(tmp_path: Path) -> None:
    text = "天命之谓性率性之谓道修道之谓教〈天命之谓性率性之谓道言性命之犹性率也〉"
    assert convert(f"中庸\n{text}\n", tmp_path).replace("\n", "") == f"中庸{text}"


PHRASES = st.sampled_from([
    "天命", "之谓性", "率性", "之谓道", "犹言", "谓", "犹", "云", "者", "也", "“", "”", "中庸曰", "是也",
])


@given(st.lists(PHRASES, max_size=14).map("".join))
def test_no_gloss_of_any_text_doubles_a_character(said: str) -> None:
    paragraph = Paragraph(content=(Unit(content=("天命之谓性率性之谓道",)), Note(content=(said,), subtype="shuo")))
    numbered = number(Document(id="x", divisions=(Division(kind="pian", n="1", items=(paragraph,)),)))
    assert source_text(annotate.annotate(numbered)[0]) == source_text(numbered)


def test_what_a_step_changes_is_refused_by_every_command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def doubling(document: Document, *_: object) -> tuple[Document, tuple[()]]:
        first, *rest = document.divisions
        return replace(document, divisions=(first, first, *rest)), ()

    folder = tmp_path / "demo"
    run = CliRunner().invoke
    assert run(cli, ["init", str(folder)]).exit_code == 0
    monkeypatch.setattr(readers, "annotate", doubling)
    for command in (["convert", "jizhu", "-C", str(folder)], ["build", str(folder), "-j", "1"]):
        said = run(cli, command)
        assert said.exit_code == 2
        assert "annotation: in block" in said.output and "the source would not be given back" in said.output
    assert not (folder / "tei" / "witnesses" / "jizhu.xml").exists()


def test_an_edition_that_lacks_a_word_of_a_witness_is_refused_by_every_command(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def losing(document: Document, *rest: object, **named: str) -> bytes:
        whole = to_tei(document, *rest, **named).decode()  # type: ignore[arg-type]
        return re.sub(r"\w(</rdg>)", r"\1", whole, count=1).encode()

    folder = tmp_path / "demo"
    run = CliRunner().invoke
    assert run(cli, ["init", str(folder)]).exit_code == 0
    assert run(cli, ["build", str(folder), "-j", "1"]).exit_code == 0
    loose = [str(path) for path in sorted((folder / "tei" / "witnesses").glob("*.xml"))]
    made = folder / "tei" / "editions" / "lunyu.xml"
    made.unlink()
    monkeypatch.setattr(edition, "to_tei", losing)
    for command in (["collate", "lunyu", "-C", str(folder)], ["build", str(folder), "-j", "1"], ["collate", *loose]):
        said = run(cli, command)
        assert said.exit_code == 2, command
        assert "the witness would not be given back: it has" in said.output
    assert not made.exists()


def simple(*texts: str) -> Document:
    return Document(id="x", divisions=(Division(kind="pian", n="1", items=tuple(
        Paragraph(content=(Unit(content=(text,)),)) for text in texts)),))


def test_the_place_and_both_texts_are_named() -> None:
    check_source(simple("天命", "之谓性"), ("天命", "", "　之谓性"), "a.txt")
    with pytest.raises(SourceError, match=r"a\.txt:2: .* has '性率' where the TEI has '率'"):
        check_source(simple("天命", "之谓率"), ("天命", "之谓性率"), "a.txt")
    with pytest.raises(SourceError, match=r"a\.txt:1: .* has '' where the TEI has '之谓性'"):
        check_source(simple("天命", "之谓性"), ("天命",), "a.txt")
    with pytest.raises(TeiError, match=r"x: annotation: in block 2 .* has '性' where the TEI has '谓性'"):
        check_text("天命\n之谓性", simple("天命", "之谓谓性"), "annotation")


def test_tei_that_lost_a_character_is_refused() -> None:
    document = simple("天命")
    tei = to_tei(document, element("teiHeader"))
    check_tei(document, tei)
    with pytest.raises(TeiError, match="has '命' where the TEI has ''"):
        check_tei(document, tei.replace("命".encode(), b""))


def test_a_lost_place_that_a_source_does_not_print_is_no_word_of_a_witness() -> None:
    one = number(replace(simple("天命"), id="jia"))
    unit = Unit(content=(Gap(reason="lacuna"), "天", Gap(reason="blank", rend="□")))
    other = number(Document(id="yi", divisions=(Division(kind="pian", n="6", items=(Paragraph(content=(unit,)),)),)))
    one = replace(one, divisions=(replace(one.divisions[0], n="6"),))
    made, _ = collated([number(one), other])
    for each in (one, other):
        check_witness(made, each, each.id, {"6"})
    with pytest.raises(TeiError, match="it has '天□' where the edition has ''"):
        check_witness(number(replace(simple("天"), id="e")), other, "yi", {"6"})
