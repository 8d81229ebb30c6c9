"""What an editor decided is counted by layer, and said in the header."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

from lxml import etree

from jiaokan.decisions.readings import Collation, Tally, tallies
from jiaokan.settings.plans import ConsultedPlan
from jiaokan.tei.header.principles import chapters, consulted_paragraphs, decision_paragraphs
from tests.collations import edition, witness
from tests.test_rulings import SAID, decide

LINES = [witness("a", "小臣约卿大夫皆入门右(zhengxuan:注曰:纳者以公命引而入也)|公降立于賔西|公答拜"),
         witness("b", "小臣纳卿大夫皆入门右(zhengxuan:注曰:纳者以君命引而入也)|公降立于宾东|公答拜")]
OPEN = f'[[lemma]]\nunit = "e.6.1.2"\ncontext = "賔[西]"\nreading = "西"\n{SAID.replace("high", "low")}'
CHOSEN = f'[[lemma]]\nunit = "e.6.1.1"\ncontext = "小臣[约]卿"\nreading = "纳"\n{SAID}'


def test_entries_are_counted_by_layer(tmp_path: Path) -> None:
    made, _ = edition(LINES, decide(tmp_path, CHOSEN, OPEN))
    assert tallies(made) == (Tally(3, 2, 1), Tally(1, 0, 0))
    assert tallies(made, ("graphic",)) == (Tally(2, 2, 1), Tally(1, 0, 0))


def test_the_header_says_it_in_the_script_of_the_text() -> None:
    *rules, first, second = decision_paragraphs(Tally(3, 2, 1, 5), Tally(4, 1, 0, 2), Tally(9, 1), "lzh-Hant")
    assert [row.get("n") for row in (*rules, first, second)] == [None, None, "figures", "figures"]
    assert not re.search("[0-9]", "".join(row.text or "" for row in rules))
    assert "經文3條，編者所定2條，其中存疑1條；注文節引所省不計，4條，所定1條" in (first.text or "")
    assert "諸本無異而前人所疑，存疑7條" in (first.text or "")
    assert "3 of the base text, of them decided 2" in (second.text or "")
    assert decision_paragraphs(Tally(3), Tally(4), Tally(9), "lzh-Hans") == []


def test_works_that_are_compared_at_single_places_are_listed() -> None:
    works = ConsultedPlan(title="论语义疏", edition="知不足斋丛书本", origin="KR1h0005"), ConsultedPlan(title="论语")
    first, second = consulted_paragraphs(works, "lzh-Hans")
    assert (first.text or "").endswith("：知不足斋丛书本论语义疏（KR1h0005）、论语。")
    assert "论语义疏" in (second.text or "")
    assert consulted_paragraphs((), "lzh") == []


def test_a_chapter_says_why_it_has_its_base() -> None:
    collation = [Collation(f"e.{n}", str(n), "a", ("b",), frozenset()) for n in (1, 2, 3)]
    text = chapters(collation, {"a": "甲", "b": "乙"}, "lzh-Hans", {"e.2": "甲本最早。"})[0].text or ""
    assert text.count("甲本最早。") == 1 and text.index("甲本最早") > text.index("2，以甲为底本")
    assert text.startswith("1、3，以甲为底本")


ROOT = Path(__file__).parents[1]
T = "{http://www.tei-c.org/ns/1.0}"
XML_ID = "{http://www.w3.org/XML/1998/namespace}id"


def test_the_principles_of_the_edition_are_true_of_it() -> None:
    """What the header says of decisions, base and punctuation, counted again in the XML."""
    root = etree.parse(ROOT / "tei" / "editions" / "yili.xml").getroot()
    plan = tomllib.loads((ROOT / "tei" / "editions" / "yili.toml").read_text(encoding="utf-8"))
    bases = {str(each["n"]): each["base"] for each in plan["chapters"]}
    said = "".join(each.text or "" for each in root.find(f".//{T}editorialDecl").iter(f"{T}p"))
    printed = [app for app in root.iter(f"{T}app") if not app.get("type") and not _within_reading(app)]
    low = sum(app.find(f"{T}lem").get("cert") == "low" for app in printed)
    assert low == sum(int(n) for n in re.findall(r"存疑(\d+)条", said)) > 0
    others = 0
    ofs: dict[str, list[set[str]]] = {}
    for app in printed:
        lemma, own = app.find(f"{T}lem"), next(each for each in app.iterancestors() if each.get(XML_ID))
        base, agreeing = bases[own.get(XML_ID).split(".")[1]], _names(lemma.get("wit"))
        known = _names(own.get("source")) & {name for each in app for name in _names(each.get("wit"))}
        if "decision:" in lemma.get("source", "") or len(known) < 2:
            light = {each.get("ana", "").removeprefix("#var-") for each in app.iter(f"{T}rdg")} <= {*plan["settled"]}
            others += light and own.tag == f"{T}seg" and base in known and base not in agreeing
        elif own.tag == f"{T}seg":
            assert base not in known or base in agreeing, app.get(XML_ID)
        else:
            ofs.setdefault(own.get(XML_ID), []).append(agreeing & known)
    assert all(set.intersection(*each) for each in ofs.values())
    assert f"不从底本者{others}条" in said
    single = [each["title"] for each in plan["chapters"] if len(each["witnesses"]) == 1]
    assert f"{'、'.join(single)}十三篇，仅据本义一本" in said and len(single) == 13
    texts = [each for each in root.iter(f"{T}seg") if each.get("type") == "jing"]
    done = sum(any(pc.get("type") != "source" for pc in each.iter(f"{T}pc")) for each in texts)
    assert f"经文{done}条（凡{len(texts)}条）" in said
    chapters = [each for each in root.iter(f"{T}div") if each.get("type") == "pian"]
    assert "每篇依「右……」之结语分节" in said and all(each.find(f".//{T}trailer") is not None for each in chapters)


def _within_reading(app: etree._Element) -> bool:
    return any(each.tag == f"{T}rdg" for each in app.iterancestors())


def _names(pointers: str | None) -> set[str]:
    return {*(pointers or "").replace("#", "").split()}


def test_what_a_reason_calls_a_slip_has_the_class_of_slips() -> None:
    """Of a witness that "reads X, from the X below, and errs" the sentence says 误作."""
    root = etree.parse(ROOT / "tei" / "editions" / "yili.xml").getroot()
    found = 0
    for app in root.iter(f"{T}app"):
        reason = "".join(each.text or "" for each in app.findall(f"{T}note"))
        for reading in app.findall(f"{T}rdg"):
            words = re.escape("".join(reading.itertext()))
            if words and re.search(f"作「[^」]*{words}[^」]*」，(?:盖?涉[^。；]*|形近)而误", reason):
                found += 1
                assert reading.get("ana") == "#var-corruption", app.get(XML_ID)
    assert found
