"""Decisions on readings after their sources changed: they still fit, or they are refused with what stands there now."""

from __future__ import annotations

import re
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from jiaokan.annotate.remarks.mark import mark_remarks
from jiaokan.collate.editorial.apply import decide as decide_entry
from jiaokan.decisions.characters import Choices
from jiaokan.decisions.kinds import check, load
from jiaokan.decisions.tables import Comment, Passim, ReadingDecision
from jiaokan.errors import CatalogError, DecisionError
from jiaokan.model import App, Reading
from tests.collations import edition, shown, witness

SAID = 'resp = "editors"\nwhy = "义长"\nwhen = "2026-11-20"\ncert = "high"\n'
CHOSEN = f'[[lemma]]\nunit = "e.6.1.2"\ncontext = "小臣[约]卿大夫"\nreading = "纳"\n{SAID}'
BASE = "膳宰具官馔于寝东|小臣约卿大夫皆入门右|公降立于阼阶"
OTHER = "膳宰具官馔于寝东|小臣纳卿大夫皆入门右|公降立于阼阶"


def decide(root: Path, *tables: str) -> Path:
    """Write decisions into an edition folder."""
    home = root / "tei" / "decisions"
    home.mkdir(parents=True, exist_ok=True)
    (home / "lemmas.toml").write_text("# 去取\n\n" + "\n".join(tables), encoding="utf-8")
    return root


@pytest.mark.parametrize(
    ("base", "other"),
    [
        (BASE, OTHER),
        (BASE.replace("小臣", "小乃臣"), OTHER),
        (BASE.replace("小臣", "小臣乃"), OTHER.replace("小臣", "小臣乃")),
        (BASE.replace("卿大夫皆", "诸卿大夫皆"), OTHER.replace("卿大夫皆", "诸卿大夫皆")),
        (BASE.replace("大夫", "太夫"), OTHER),
        (BASE.replace("门右", "门右小臣约之"), OTHER.replace("门右", "门右小臣约之")),
    ],
    ids=["unchanged", "before-in-one", "before-in-all", "after-in-all", "another-graph-beside", "its-words-again"],
)
def test_a_decision_fits_after_a_change_beside_it(tmp_path: Path, base: str, other: str) -> None:
    made, findings = edition([witness("a", base), witness("b", other)], decide(tmp_path, CHOSEN))
    assert "  纳 b ] 约 a" in shown(made)
    assert "  按 义长" in shown(made)
    assert not [finding for finding in findings if finding.rule == "decision-moved"]


@pytest.mark.parametrize(
    ("base", "unit"),
    [(BASE.removeprefix("膳宰具官馔于寝东|"), "e.6.1.1"), (f"燕礼|{BASE}", "e.6.1.3")],
    ids=["unit-removed", "unit-added"],
)
def test_a_decision_follows_its_unit_and_says_so(tmp_path: Path, base: str, unit: str) -> None:
    witnesses = [witness("a", base), witness("b", base.replace("约", "纳"))]
    made, findings = edition(witnesses, decide(tmp_path, CHOSEN))
    assert "  纳 b ] 约 a" in shown(made)
    (found,) = (finding for finding in findings if finding.rule == "decision-moved")
    assert (str(found.place), found.mend) == ("tei/decisions/lemmas.toml:3", f'write unit = "{unit}"')


@pytest.mark.parametrize(
    ("base", "other", "reason"),
    [
        (BASE.replace("小臣约卿大夫皆入门右|", ""), OTHER.replace("小臣纳卿大夫皆入门右|", ""),
         "stands 0 times; there is now 「公降立于阼阶」"),
        (BASE.replace("约", "内"), OTHER, "stands 0 times; there is now 「小臣内卿大夫皆入门右」"),
        (BASE.replace("臣约卿", "臣乃约诸卿"), OTHER, "there is now 「小臣乃约诸卿大夫皆入门右」"),
        (BASE, OTHER.replace("纳", "约"), "no entry is '约' there"),
        (BASE, OTHER.replace("纳", "内"), "no witness has its reading '纳' there (readings: 「约」、「内」)"),
        (BASE.replace("约卿", "约卿大夫小臣约卿"), OTHER.replace("纳卿", "内卿大夫小臣纳卿"), "stands 2 times"),
        (BASE.split("|")[0], OTHER.split("|")[0], "there is no such unit; did you mean 'e.6.1.1'?"),
    ],
    ids=["unit-gone", "lemma-changed", "both-sides", "nobody-differs", "reading-changed", "twice", "no-such-unit"],
)
def test_a_decision_that_does_not_fit_says_what_stands_there(
    tmp_path: Path, base: str, other: str, reason: str
) -> None:
    with pytest.raises(DecisionError) as refused:
        edition([witness("a", base), witness("b", other)], decide(tmp_path, CHOSEN))
    said = str(refused.value)
    assert said.startswith(f"{tmp_path}/tei/decisions/lemmas.toml:3: the [[lemma]] on '小臣[约]卿大夫' in e.6.1.2")
    assert reason in said
    assert "→ correct what it says to what the edition now has, or withdraw it" in said


def test_a_decision_may_quote_what_another_made_of_its_neighbours(tmp_path: Path) -> None:
    """As `jiaokan review` does after a build."""
    first = f'[[lemma]]\nunit = "e.6.1.1"\ncontext = "小臣[约]卿"\nreading = "纳"\n{SAID}'
    second = f'[[lemma]]\nunit = "e.6.1.1"\ncontext = "纳[卿]大"\nreading = "诸"\n{SAID}'
    third = f'[[note]]\nunit = "e.6.1.1"\ncontext = "诸[大]夫"\n{SAID}'
    lines = [witness("a", "小臣约卿大夫入"), witness("b", "小臣纳卿大夫入"), witness("c", "小臣约诸太夫入")]
    made, _ = edition(lines, decide(tmp_path, third, second, first))
    assert shown(made).splitlines()[0] == "6.1.1 [a b c] 小臣纳诸大夫入"


@pytest.mark.parametrize(
    ("table", "error", "reason"),
    [
        (CHOSEN.replace("editors", "editor"), DecisionError,
         r"toml:3: .*unknown person id 'editor' in `resp`.*mean 'editors'"),
        (CHOSEN.replace("2026-11-20", "2026-11-31"), CatalogError,
         r"toml:9:8: .*2026-11-31.*expected a date\n.*write the day as 2026-11-20"),
        (CHOSEN.replace('reading = "纳"', 'witness = "bb"'), DecisionError, r"toml:3: .*'bb' is no witness.*mean 'b'"),
        (CHOSEN.replace("e.6.1.2", "f.6.1.2"), DecisionError, "toml:3: .*unknown edition 'f'"),
        (CHOSEN.replace("e.6.1.2", "e.9.1.2"), DecisionError, "toml:3: .*the edition has no such chapter"),
        (CHOSEN.replace("cert", "sure"), CatalogError, r"toml:10:1: .*unknown key `sure`"),
        (f"{CHOSEN}\n{CHOSEN.replace('high', 'sure')}", CatalogError,
         r"toml:19:8: .*'sure' is not an allowed value of `cert`"),
    ],
    ids=["person", "date", "siglum", "edition", "chapter", "key", "second-table"],
)
def test_a_wrong_word_in_a_decision_is_told_with_its_line(
    tmp_path: Path, table: str, error: type[Exception], reason: str
) -> None:
    with pytest.raises(error, match=reason):
        edition([witness("a", BASE), witness("b", OTHER)], decide(tmp_path, table))


def test_days_are_read_with_and_without_quotes(tmp_path: Path) -> None:
    bare = CHOSEN.replace('"2026-11-20"', "2026-11-20")
    first, second = load(decide(tmp_path, CHOSEN, bare), ReadingDecision)
    assert first.decision == second.decision
    assert (first.line, second.line) == (3, 12)


def test_what_only_notes_report_is_decided_too(tmp_path: Path) -> None:
    lines = [mark_remarks(witness(name, "主人洗觚升酌(zhengxuan:注曰:古文觚皆为觯)|公答拜")) for name in "ab"]
    on = f'unit = "e.6.1.1"\ncontext = "洗[觚]升"\n{SAID}'
    made, _ = edition(lines, decide(tmp_path, f'[[lemma]]\n{on}reading = "觚"\n'))
    assert "  觚 a b ] 觯 guwen (substantive #e.6.1.1.n1)\n    按 义长" in shown(made)
    made, _ = edition(lines, decide(tmp_path, f'[[class]]\n{on}witness = "guwen"\nvariant = "corruption"\n'))
    assert "  觚 a b ] 觯 guwen (corruption #e.6.1.1.n1 decision:class)" in shown(made)
    with pytest.raises(DecisionError, match=r"decide it as an \[\[emendation\]\]"):
        edition(lines, decide(tmp_path, f'[[lemma]]\n{on}reading = "觯"\n'))
    made, _ = edition(lines, decide(tmp_path, f'[[emendation]]\n{on}reading = "觯"\n'))
    assert "  觯 guwen ] 觚 a b (substantive)\n    按 义长" in shown(made)


def test_what_somebody_proposes_is_reported(tmp_path: Path) -> None:
    said = f'reading = "迎"\nperson = "zhengxuan"\n{SAID}'
    table = f'[[conjecture]]\nunit = "e.6.1.2"\ncontext = "小臣[约]卿大夫"\n{said}'
    made, _ = edition([witness("a", BASE), witness("b", OTHER)], decide(tmp_path, table))
    assert "  约 a ] 纳 b (corruption list:corruption); 迎 (substantive)\n    按 义长" in shown(made)
    made, _ = edition([witness("a", BASE), witness("b", OTHER)], decide(tmp_path, table.replace("约", "大")
                                                                       .replace("小臣[大]卿大夫", "约卿[大]夫")))
    assert "  大 a b ] 迎 (substantive)" in shown(made)
    with pytest.raises(DecisionError, match="its reading is there already"):
        edition([witness("a", BASE), witness("b", OTHER)], decide(tmp_path, table.replace("迎", "纳")))


PASSIM = f'[[passim]]\nedition = "e"\nsource = "a"\nwords = "悬"\nreading = "县"\n{SAID}'


@pytest.mark.parametrize(
    ("table", "base", "other", "reason"),
    [
        (PASSIM, "彻悬", "彻悬", r"toml:3: .*\[\[passim\]\] on '悬' of a is about no entry"),
        (PASSIM, "彻悬", "彻去", "nowhere does that have '悬' where another witness has '县'"),
        (PASSIM, "彻县", "彻悬", "is about no entry"),
        (PASSIM, "彻县(zhengxuan:注曰:国君无故不彻悬)", "彻县(zhengxuan:注曰:国君无故不彻县)",
         "`notes = true` is for notes too"),
        (PASSIM.replace('source = "a"', 'source = "c"'), "彻悬", "彻县", "unknown source id 'c'"),
    ],
    ids=["nobody-differs", "another-word", "the-other-way-round", "in-notes-only", "no-such-witness"],
)
def test_a_decision_throughout_that_fits_nowhere_is_refused(
    tmp_path: Path, table: str, base: str, other: str, reason: str
) -> None:
    with pytest.raises(DecisionError, match=reason):
        edition([witness("a", base), witness("b", other)], decide(tmp_path, table))


def test_a_decision_throughout_holds_for_notes_if_it_says_so(tmp_path: Path) -> None:
    note = "彻县(zhengxuan:注曰:国君无故不彻{}言县者为燕新之)"
    lines = [witness(name, note.format(word)) for name, word in (("a", "悬"), ("b", "县"))]
    made, _ = edition(lines, decide(tmp_path, f"{PASSIM}notes = true\n"))
    assert "注曰国君无故不彻县言县者为燕新之\n  县 b ] 悬 a (loan list:loan)\n    按 义长" in shown(made)


def test_a_decision_throughout_an_edition_that_is_none_is_named(tmp_path: Path) -> None:
    (filed,) = load(decide(tmp_path, PASSIM), Passim)
    with pytest.raises(DecisionError, match="edition = 'e': unknown edition 'e'"):
        check([filed], {"editors"}, {"a"}, ["yili"])


def other(table: str, **keys: str) -> str:
    """Write `CHOSEN` as another kind of decision, or with other values."""
    rows = [f"[[{table}]]", *CHOSEN.splitlines()[1:]]
    rows = [row for row in rows if row.partition(" ")[0] not in keys]
    return "\n".join([*rows, *(f'{key} = "{value}"' for key, value in keys.items() if value), ""])


@pytest.mark.parametrize(("one", "another"), [
    (CHOSEN, other("lemma", reading="约", why="底本是")),
    (CHOSEN, other("emendation", reading="絅", why="以意改")),
    (CHOSEN, other("reject", reading="", why="同字")),
    (other("class", variant="loan"), other("class", variant="graphic", why="异体")),
])
def test_two_decisions_on_an_entry_that_contradict_each_other_are_both_named(
    tmp_path: Path, one: str, another: str,
) -> None:
    witnesses = [witness("a", BASE), witness("b", OTHER)]
    with pytest.raises(DecisionError) as raised:
        edition(witnesses, decide(tmp_path, one, another))
    told = str(raised.value)
    assert "lemmas.toml:3" in told and re.search(r"lemmas\.toml:1[123]", told)
    assert told.count("contradicts") == 2
    assert all(row.removeprefix('why = ').strip('"') in told for row in f"{one}{another}".splitlines() if "why" in row)


def test_two_decisions_that_agree_are_both_kept(tmp_path: Path) -> None:
    witnesses = [witness("a", BASE), witness("b", OTHER)]
    same, note = other("lemma", why="注疏本同"), other("note", reading="", why="参看")
    made, _ = edition(witnesses, decide(tmp_path, CHOSEN, same, note))
    assert "  纳 b ] 约 a" in shown(made)
    assert re.findall("按 (.*)", shown(made)) == ["义长", "注疏本同", "参看"]


def test_a_decision_of_an_entry_that_no_code_applies_is_refused() -> None:
    """A kind with its row and type, but without its branch in apply.py, would otherwise be a remark only."""
    class Unapplied(ReadingDecision, frozen=True, kw_only=True):
        pass

    here, there = Reading(witnesses=("a",), content=("约",)), Reading(witnesses=("b",), content=("纳",))
    entry = App(lemma=here, readings=(there,))
    decided: dict[str, Any] = {"unit": "e.6.1.2", "context": "[约]", "resp": "editors", "why": "义长", "cert": "high",
               "when": date(2026, 11, 28)}
    assert len(decide_entry((entry,), (0, 1), ("a", "b"), Comment(**decided), Choices())) == 1
    with pytest.raises(TypeError, match="Unapplied"):
        decide_entry((entry,), (0, 1), ("a", "b"), Unapplied(**decided), Choices())
