"""Collation: cases as data, laws on generated witness sets, what it refuses and reports."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from jiaokan.align import ABSENT, Column, Kinship, Links, Table, Tokens, tabulate
from jiaokan.annotate.identifiers import number
from jiaokan.collate import collate
from jiaokan.collate.base_text import WitnessChapter, collate_units
from jiaokan.decisions.characters import Choices
from jiaokan.entries import moves
from jiaokan.errors import CatalogError, CollationError, DecisionError
from jiaokan.model import App, Division, Document, Note, NoteGroup, Unit
from jiaokan.model.walk import walk
from jiaokan.settings.plans import ChapterPlan, EditionPlan
from jiaokan.tei.views import texts
from tests.amount import examples
from tests.collations import LISTS, edition, shown, witness, witness_sets, words

CASES = sorted((Path(__file__).parent / "cases" / "collate").glob("*.txt"))


def read_case(path: Path) -> tuple[list[Document], str, Path]:
    """Read a case: comments and witnesses, a line ``---``, what the collation must show."""
    given_, _, wanted = path.read_text(encoding="utf-8").partition("---\n")
    lines = [line for line in given_.splitlines() if line and not line.startswith("#")]
    witnesses = [witness(*line.split(": ", 1)) for line in lines]
    return witnesses, wanted.rstrip("\n"), path.with_suffix("")


@pytest.mark.parametrize("path", CASES, ids=lambda path: path.stem)
def test_case(path: Path) -> None:
    witnesses, wanted, root = read_case(path)
    document, _ = edition(witnesses, root)
    assert shown(document) == wanted
    check_laws(document, witnesses)


def check_laws(document: Document, witnesses: Iterable[Document]) -> None:
    """Each witness reads back by its own units and notes; each entry has each witness in one reading."""
    for each in witnesses:
        own = {name.removeprefix(f"{each.id}."): text for name, text in texts(each).items()}
        assert dict(texts(document, each.id)) == own
    for item in walk(document):
        if isinstance(item, (Unit, Note)):
            check_entries(item.content, set(item.sources))
        if isinstance(item, Note) and len(item.sources) > 1:
            assert set(item.sources) - not_printed(item.content), f"no witness has {item}"


def not_printed(content: Iterable[Any]) -> set[str]:
    """The witnesses whose words a text does not print, though they are not lost and no decision says so."""
    found: set[str] = set()
    for item in content:
        if isinstance(item, App):
            if not item.lemma.source and not item.kind:
                found.update(w for each in item.readings if each.variant != "lacuna" for w in each.witnesses)
            found |= not_printed(item.lemma.content)
        elif not isinstance(item, (str, Note, NoteGroup)) and hasattr(item, "content"):
            found |= not_printed(item.content)
    return found


def check_entries(content: Iterable[Any], sources: set[str]) -> None:
    """Entries are positive: the witnesses of the text, or of the reading that they stand in."""
    for item in content:
        if isinstance(item, App):
            named = [w for reading in (item.lemma, *item.readings) for w in reading.witnesses]
            assert sorted(w for w in named if w not in LISTS.reported_traditions()) == sorted(sources), item
            assert len(named) == len(set(named)), item
            assert all(each.witnesses or each.resp for each in (item.lemma, *item.readings)), item
            assert len(item.readings) >= 1
            for reading in (item.lemma, *item.readings):
                check_entries(reading.content, set(reading.witnesses) - LISTS.reported_traditions().keys())
        elif not isinstance(item, (str, Note, NoteGroup)) and hasattr(item, "content"):
            check_entries(item.content, sources)


FEW_GRAPHS = [
    witness(*line.split(": ")) for line in (
        "a: 与于于于于与公与与与与与与与与与于", "b: 小与小与小于小于小与小与小与小于小",
        "c: 与与与与与与于于于于与与与与与与与公", "d: 与与与与与与于于于于与与与与与与与公",
        "e: 小与小与小与小于小于小与小与小与小公",
    )
]
"""Five texts of four graphs, in which nearly all passages may have moved."""


@example(FEW_GRAPHS)
@settings(deadline=None, max_examples=examples(120), suppress_health_check=[HealthCheck.too_slow])
@given(witness_sets())
def test_generated_witnesses_read_back(witnesses: list[Document]) -> None:
    for root in (Path("nowhere"), Path(__file__).parent / "cases" / "collate" / "lost-glyphs"):
        document, _ = edition(witnesses, root)
        check_laws(document, witnesses)


def in_order(streams: Sequence[Tokens], links: Sequence[Links] | None, _kinship: Kinship) -> Table:
    """Another aligner: equal tokens in order; each addition has a column of its own, before the next base token."""
    base, nothing = streams[0], [ABSENT] * len(streams)
    rows = [[cell, *nothing[1:]] for cell in range(base.size)]
    before: list[list[Column]] = [[] for _ in rows]
    after: list[list[Column]] = [[] for _ in rows]
    for n, stream in enumerate(streams[1:], 1):
        last = -1
        for j, form in enumerate(stream.forms):
            text = base.texts[min(links[n - 1][stream.numbers[j]])] if links else range(base.size)
            here = range(max(last + 1, text.start), text.stop)
            paired = next((i for i in here if base.forms[i] == form), None)
            if paired is None:
                place = after[text.stop - 1] if last + 1 >= text.stop else before[max(last + 1, text.start)]
                place.append((*nothing[:n], j, *nothing[n + 1 :]))
            else:
                rows[paired][n], last = j, paired
    columns = [[column for i in text for column in (*before[i], tuple(rows[i]), *after[i])]
               for text in base.texts]
    return tabulate(streams, columns, [[0] * stream.size for stream in streams], covered=links is None)


@settings(deadline=None, max_examples=60, suppress_health_check=[HealthCheck.too_slow])
@given(witness_sets())
def test_another_aligner_can_be_chosen(witnesses: list[Document]) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("jiaokan.collate.alignment.align_witnesses", in_order)
        check_laws(edition(witnesses)[0], witnesses)


@example(FEW_GRAPHS)
@settings(deadline=None, max_examples=25, suppress_health_check=[HealthCheck.too_slow])
@given(witness_sets())
def test_the_order_of_witnesses_does_not_matter(witnesses: list[Document]) -> None:
    first, _ = edition(witnesses)
    other, _ = edition([witnesses[0], *reversed(witnesses[1:])])
    assert entries(first) == entries(other)


def entries(document: Document) -> list[tuple[str, frozenset[tuple[frozenset[str], str, str, str]]]]:
    """Return the entries, each as the set of its readings."""
    return [
        (item.kind, frozenset((frozenset(r.witnesses), words(r.content), r.variant, r.target)
                              for r in (item.lemma, *item.readings)))
        for item in walk(document)
        if isinstance(item, App)
    ]


@settings(deadline=None, max_examples=examples(60), suppress_health_check=[HealthCheck.too_slow])
@given(witness_sets(), st.randoms(use_true_random=False))
def test_the_names_of_witnesses_do_not_matter(witnesses: list[Document], chance: Random) -> None:
    """Which words stand together depends on the texts alone."""
    names = [each.id for each in witnesses[1:]]
    others = chance.sample(names, len(names))
    renamed = [number(replace(each, id=name)) for each, name in zip(witnesses[1:], others, strict=True)]
    assert columns(witnesses, {}) == columns([witnesses[0], *renamed], dict(zip(others, names, strict=True)))


def columns(witnesses: Iterable[Document], names: Mapping[str, str]) -> set[frozenset[tuple[str, int]]]:
    """Return the columns of a collation, each as the words that stand in it: witness, number of the word."""
    chapters = (WitnessChapter(each.id, next(each.chapters())) for each in witnesses)
    works = sorted(chapters, key=lambda work: work.witness)
    text = collate_units(works, "e", Choices())
    assert text.table
    own = [names.get(stream.witness, stream.witness) for stream in text.streams]
    return {
        frozenset((name, cell) for name, cell in zip(own, column, strict=True) if cell >= 0)
        for unit in text.table.columns
        for column in unit
    }


@pytest.mark.parametrize(
    "lines",
    [
        ["a: 小臣戒与者", "b: 小臣戒与者"],
        ["a: 小臣戒与者", "b: 膳宰具官馔"],
        ["a: 小臣戒与者|膳宰具官", "b: 者"],
        ["a: 者", "b: 小臣戒与者|膳宰具官"],
        ["a: ，", "b: 小臣"],
        ["a: 小臣戒与者", "b: "],
        ["a: 小臣戒与者", "b: ", "c: ", "d: 膳宰"],
        ["a: 小\ud800臣", "b: 小臣"],
        ["a: ‹久→›于", "b: 小臣"],
        [f"{chr(97 + n // 6)}{n}: 小臣戒与者賔升" for n in range(30)],
    ],
    ids=[
        "identical", "nothing-in-common", "one-character", "one-character-base", "only-punctuation", "empty",
        "two-empty", "surrogate", "struck-out",
        "thirty",
    ],
)
def test_odd_witnesses(lines: list[str]) -> None:
    witnesses = [witness(*line.split(": ")) for line in lines]
    document, _ = edition(witnesses)
    check_laws(document, witnesses)


def test_a_chapter_between_others_is_no_fragment() -> None:
    """What a witness lacks at the end of a chapter is an omission if it goes on with another chapter."""
    base = witness("a", "小臣戒与者|膳宰具官馔于寝|乐人县")
    short = witness("b", "小臣戒与者|膳宰具官馔于寝")
    more = Document(id="b", divisions=(*short.divisions, Division(kind="pian", n="7", items=())))
    kinds = [[r.variant for e in walk(edition([base, b])[0]) if isinstance(e, App) for r in e.readings]
             for b in (short, more)]
    assert kinds == [[], ["omission"]]


def test_missing_witness() -> None:
    chapter = ChapterPlan(n=6, title="燕礼", base="a", witnesses=("a", "b"))
    plan = EditionPlan(id="e", kind="critical", title="e", chapters=(chapter,))
    catalog: Any = type("C", (), {"root": Path("nowhere"), "persons": {}, "sources": {}})
    with pytest.raises(CollationError, match="witness 'b'"):
        collate(plan, {"a": witness("a", "小臣")}, catalog)


def test_missing_chapter() -> None:
    empty = Document(id="a", divisions=())
    with pytest.raises(CollationError, match="nothing begins chapter 6"):
        edition([empty, witness("b", "小臣")])


@pytest.mark.parametrize(
    ("context", "reading", "reason"),
    [
        ("小臣[约]卿", "纳", "stands 0 times"),
        ("臣[戒]与", "诫", "no witness has its reading"),
        ("臣戒与", "诫", "square brackets"),
    ],
)
def test_a_lemma_choice_that_does_not_fit(tmp_path: Path, context: str, reading: str, reason: str) -> None:
    home = tmp_path / "tei" / "decisions"
    home.mkdir(parents=True)
    text = f'[[lemma]]\nunit = "e.6.1.1"\ncontext = "{context}"\nreading = "{reading}"\n'
    (home / "lemmas.toml").write_text(f'{text}resp = "editors"\nwhy = "y"\nwhen = "2026-11-20"\n', encoding="utf-8")
    with pytest.raises(DecisionError, match=reason):
        edition([witness("a", "小臣戒与者"), witness("b", "小臣纳与者")], tmp_path)


@pytest.mark.parametrize(
    ("name", "text", "reason"),
    [
        ("lemmas", 'unit = "e.9.1.1"\ncontext = "[小]臣"\nreading = "大"', "no such chapter"),
        ("lemmas", 'unit = "e.6.9.9"\ncontext = "[小]臣"\nreading = "大"', "no such unit"),
        ("lost-glyphs", 'source = "c"\ncharacters = "弦"', "lost-glyphs.toml:2:10: .*unknown source"),
    ],
)
def test_a_decision_on_what_there_is_not(tmp_path: Path, name: str, text: str, reason: str) -> None:
    home = tmp_path / "tei" / "decisions"
    home.mkdir(parents=True)
    kind, when = ("lemma", 'when = "2026-11-20"\n') if name == "lemmas" else ("lost", "")
    whole = f'[[{kind}]]\n{text}\nresp = "editors"\nwhy = "y"\n{when}'
    (home / f"{name}.toml").write_text(whole, encoding="utf-8")
    with pytest.raises(DecisionError, match=reason):
        edition([witness("a", "小臣戒与者"), witness("b", "小臣戒与者")], tmp_path)


def test_what_no_longer_fits_is_one_list(tmp_path: Path) -> None:
    home = tmp_path / "tei" / "decisions"
    home.mkdir(parents=True)
    said = 'resp = "editors"\nwhy = "y"\nwhen = "2026-11-20"\n'
    tables = [
        f'[[lemma]]\nunit = "e.6.1.1"\ncontext = "臣[戒]与"\nreading = "诫"\n{said}',
        f'[[lemma]]\nunit = "e.6.1.1"\ncontext = "臣[戒]与"\n{said}',
        f'[[class]]\nunit = "e.6.1.1"\ncontext = "臣[戒]与"\nreading = "戒"\nvariant = "loan"\n{said}',
        f'[[reject]]\nunit = "e.6.1.1"\ncontext = "[小]臣"\n{said}',
        f'[[split]]\nunit = "e.6.1.1"\ncontext = "臣[戒]与"\n{said}',
        f'[[note]]\nunit = "e.6.1.1"\nspeaker = "zhengxuan"\ncontext = "臣[戒]与"\n{said}',
        f'[[emendation]]\nunit = "e.6.1.1"\ncontext = "臣[戒]与"\nreading = "纳"\n{said}',
    ]
    (home / "lemmas.toml").write_text("\n".join(tables), encoding="utf-8")
    with pytest.raises(DecisionError) as refused:
        edition([witness("a", "小臣戒与者"), witness("b", "小臣纳与者")], tmp_path)
    for reason in (
        "7 decisions no longer fit", "lemmas.toml:1: the [[lemma]] on '臣[戒]与' in e.6.1.1 does not fit",
        "names neither a reading nor a witness", "the lemma, which has no class", "no entry is '小' there",
        "do not say with | where", "zhengxuan has no note there", "choose it as the lemma",
    ):
        assert reason in str(refused.value)


def test_a_local_stemma_numbers_the_readings(tmp_path: Path) -> None:
    """A second one on the entry and words that are no reading of it do not fit."""
    home = tmp_path / "tei" / "decisions"
    home.mkdir(parents=True)
    said = 'resp = "editors"\nwhy = "y"\nwhen = "2026-11-20"\n'
    table = f'[[note]]\nunit = "e.6.1.1"\ncontext = "臣[戒]与"\nstemma = "{{}}"\n{said}'
    given_texts = [witness(name, f"小臣{each}与者") for name, each in zip("abcd", ("戒", "纳", "", "诫"), strict=True)]
    (home / "lemmas.toml").write_text(table.format("纳 > 戒, ∅"), encoding="utf-8")
    document, _ = edition(given_texts, tmp_path)
    entry = next(item for item in walk(document) if isinstance(item, App))
    assert [(words(each.content), each.order) for each in (entry.lemma, *entry.readings)] == [
        ("戒", 2), ("纳", 1), ("", 2), ("诫", 0)]
    for wrong in (table.format("纳 > 丙"), table.format("纳 > 戒") + table.format("戒 > 纳")):
        (home / "lemmas.toml").write_text(wrong, encoding="utf-8")
        with pytest.raises(DecisionError, match="fit"):
            edition(given_texts, tmp_path)


def test_an_unknown_class_or_key_in_a_decision(tmp_path: Path) -> None:
    home = tmp_path / "tei" / "decisions"
    home.mkdir(parents=True)
    said = 'unit = "e.6.1.1"\ncontext = "臣[戒]与"\nreading = "纳"\nresp = "editors"\nwhy = "y"\nwhen = "2026-11-20"\n'
    for more, reason in (('variant = "lone"', "lone"), ('variant = "loan"\nwitnes = "b"', "did you mean 'witness'")):
        (home / "lemmas.toml").write_text(f"[[class]]\n{said}{more}\n", encoding="utf-8")
        with pytest.raises(CatalogError, match=reason):
            edition([witness("a", "小臣戒与者"), witness("b", "小臣纳与者")], tmp_path)


def test_a_base_without_words() -> None:
    with pytest.raises(CollationError, match="no words"):
        edition([witness("a", "【某】"), witness("b", "小臣戒与者")])


def test_findings() -> None:
    long = "小臣戒与者膳宰具官馔于寝东乐人县设洗"
    first = witness("a", f"{long}|公升(zhengxuan:注曰:小臣相君燕饮之法与者谓留群臣也)")
    second = witness("b", f"{long}甲乙丙丁戊己庚辛壬癸子丑寅卯|公升(jiagongyan:疏曰:小臣相君燕饮之法与者谓留群臣也)")
    _, findings = edition([first, second])
    assert {finding.rule for finding in findings} == {"collate-unpaired", "collate-speaker"}


def test_one_note_under_two_names_points_to_the_other() -> None:
    said = "小臣相君燕饮之法与者谓留群臣也"
    first = witness("a", f"小臣戒与者(zhengxuan:注曰:{said})(jiagongyan:疏曰:{said}者释之)|公升")
    second = witness("b", f"小臣戒与者|公升(caidejin::{said}留之者将燕)")
    document, findings = edition([first, second])
    alike = {item.resp: item.alike for item in walk(document) if isinstance(item, Note)}
    assert alike == {
        "zhengxuan": ("e.6.1.2.n1",), "jiagongyan": ("e.6.1.2.n1",), "caidejin": ("e.6.1.1.n1", "e.6.1.1.n2"),
    }
    assert [finding.rule for finding in findings] == ["collate-speaker"] * 2


def test_a_note_on_another_place_is_reported() -> None:
    said = "小臣相君燕饮之法与者谓留群臣也"
    first = witness("a", f"小臣戒与者(zhengxuan:注曰:{said})|膳宰具官|馔于寝东|乐人县|设洗篚|公升")
    second = witness("b", f"小臣戒与者|膳宰具官|馔于寝东|乐人县|设洗篚|公升(zhengxuan:注曰:{said})")
    document, findings = edition([first, second])
    assert [finding.rule for finding in findings] == ["collate-note-place"]
    assert [item.sources for item in walk(document) if isinstance(item, Note)] == [("a", "b")]


@pytest.mark.parametrize("third", [
    "君子務本本立而道生|其為人也孝弟而好犯上者鮮矣道千乘之國敬事而信節用而愛人|巧言令色鮮矣仁曾子曰吾日三省吾身",
    "君子務本本立而道生|其為人也吾未見其人孝弟而好犯上者鮮矣|巧言令色鮮矣仁曾子曰吾日三省吾身",
    "君子務本本立而道生|其為人也孝弟而好犯上者鮮矣哉|巧言令色鮮矣仁曾子曰吾日三省吾身",
])
def test_a_moved_passage_is_quoted_as_the_edition_prints_it(third: str) -> None:
    """Not with what only a third witness has more in its place."""
    document, _ = edition([
        witness("a", "君子務本本立而道生|其為人也孝弟而好犯上者鮮矣|巧言令色鮮矣仁曾子曰吾日三省吾身"),
        witness("b", "君子務本本立而道生|巧言令色鮮矣仁曾子曰吾日三省吾身|其為人也孝弟而好犯上者鮮矣"),
        witness("c", third)])
    assert [(move.unit, move.words, move.end) for move in moves(document)] == [
        ("e.6.1.2", "其為人也孝弟而好犯上者鮮矣", "")]
