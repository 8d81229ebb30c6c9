"""What an editor decided is counted by layer, and said in the header."""

from __future__ import annotations

import re
import tomllib
from collections import Counter
from collections.abc import Callable
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
XML_ID, LANG = ("{http://www.w3.org/XML/1998/namespace}" + name for name in ("id", "lang"))


ROW = re.compile("[^。]+。")
LIGHT = {"#var-script", "#var-graphic"}
CHAPTERS = {"乡饮酒礼": "4", "乡射礼": "5", "燕礼": "6", "大射仪": "7"}


class Printed:
    """The edition as its XML has it, counted without the program."""

    def __init__(self) -> None:
        self.root = etree.parse(ROOT / "tei" / "editions" / "yili.xml").getroot()
        self.plan = tomllib.loads((ROOT / "tei" / "editions" / "yili.toml").read_text(encoding="utf-8"))
        self.bases = {str(chapter["n"]): chapter["base"] for chapter in self.plan["chapters"]}
        self.units = [seg for seg in self.root.iter(f"{T}seg") if seg.get("type") == "jing"]
        self.notes = [note for note in self.root.iter(f"{T}note") if note.get("type") == "commentary"]
        self.entries = [app for app in self.root.iter(f"{T}app") if not _within_reading(app)]
        self.printed = [app for app in self.entries if not app.get("type")]

    def witnesses(self, chapter: str) -> dict[str, list[str]]:
        """Return the references of a chapter's units that each witness has, in order."""
        have: dict[str, list[str]] = {}
        for unit in self.units:
            if (reference := unit.get(XML_ID).removeprefix("yili.")).split(".")[0] == chapter:
                for witness in _names(unit.get("source")):
                    have.setdefault(witness, []).append(reference)
        return have

    def layer(self, tag: str) -> list[tuple[etree._Element, str]]:
        """Return the entries in units or in notes, with the chapter of each."""
        homes = ((app, next(around for around in app.iterancestors() if around.get(XML_ID))) for app in self.printed)
        return [(app, home.get(XML_ID).split(".")[1]) for app, home in homes if home.tag == f"{T}{tag}"]


def _counts_of_chapters(text: Printed, sentence: str) -> None:
    numbers = dict(zip("一二三四五六七八九十", range(1, 11), strict=True)) | {"十七": 17, "十三": 13}
    copies = {chapter["title"]: len(chapter["witnesses"]) for chapter in text.plan["chapters"]}
    whole, rest = re.findall("([一二三四五六七八九十]+)篇", sentence)
    assert len(copies) == numbers[whole] and len(CHAPTERS) == numbers[text.plan["subtitle"][0]]
    for titles, number in re.findall("[：，]([^：，；]+?)([二三四])本", sentence):
        assert all(copies.pop(title) == numbers[number] for title in titles.split("、"))
    assert len(copies) == numbers[rest] and {*copies.values()} == {1}


def _notes_follow_units(text: Printed, _: str) -> None:
    assert all(note.get("target") and note.getparent() is not None for note in text.notes)


def _corrections_keep_both(text: Printed, _: str) -> None:
    choices = list(text.root.find(f"{T}text").iter(f"{T}choice"))
    assert len(choices) > 100
    for choice in choices:
        wrong, right = choice
        assert (wrong.tag, right.tag) == (f"{T}sic", f"{T}corr")
        assert right.get("resp") and right.get("cert") and right.get("evidence")


def _losses_are_marked(text: Printed, _: str) -> None:
    supplied = list(text.root.find(f"{T}text").iter(f"{T}supplied"))
    assert supplied and all(word.get("resp") and word.get("evidence") for word in supplied)
    assert {gap.get("reason") for gap in text.root.iter(f"{T}gap")} >= {"blank", "glyph-lost"}


def _one_witness(text: Printed, sentence: str) -> None:
    titles = [chapter["title"] for chapter in text.plan["chapters"] if len(chapter["witnesses"]) == 1]
    assert sentence == f"{'、'.join(titles)}十三篇，仅据本义一本，无他本可校。" and len(titles) == 13


SIGLA = {"本义": "benyi", "集编": "jibian", "通解": "tongjie", "注疏": "zhushu"}


def _several_witnesses(text: Printed, sentence: str) -> None:
    title, base, others = re.fullmatch("(.+)，以(..)为底本，校以(.+)。", sentence).groups()
    have = text.witnesses(CHAPTERS[title])
    named = {SIGLA[other[:2]]: "（不全）" in other for other in others.split("、")}
    assert text.bases[CHAPTERS[title]] == SIGLA[base] and {*have} == {SIGLA[base], *named}
    whole = max(map(len, have.values()))
    assert all((len(have[witness]) < 0.9 * whole) == partly for witness, partly in named.items())


def _extent(
    chapter: str, witness: str, first: str = "", last: str = "", moved: str = "no", records: str = "",
) -> Callable[[Printed, str], None]:
    """The witness has the base text from `first` to `last`, besides the section `moved`; and these `records`."""
    def check(text: Printed, _: str) -> None:
        have, whole = text.witnesses(chapter)[witness], text.witnesses(chapter)[text.bases[chapter]]
        kept = [reference for reference in have if reference in whole and not reference.startswith(moved)]
        main = [reference for reference in kept if not _is_record(text, reference)]
        assert main[0] == (first or main[0]) and main[-1] == (last or main[-1])
        assert not last or len(main) > 0.9 * len([each for each in whole[whole.index(main[0]) : whole.index(last)]
                                                  if not _is_record(text, each)])
        assert not records or " ".join(each for each in kept if each not in main) == records
    return check


def _is_record(text: Printed, reference: str) -> bool:
    unit = next(unit for unit in text.units if unit.get(XML_ID) == f"yili.{reference}")
    return any(around.get("type") == "ji" for around in unit.iterancestors(f"{T}div"))


def _modern_graphs(chapter: str, *followed: str) -> Callable[[Printed, str], None]:
    """本义 differs by loans more often than by other words, and has what each of some others have."""
    def check(text: Printed, _: str) -> None:
        assert len(text.witnesses(chapter)["jibian"]) >= len(text.witnesses(chapter)["benyi"]) - 20
        kinds: Counter[str] = Counter()
        agreeing: set[str] = set()
        for app, number in text.layer("seg"):
            readings = {name: "".join(rdg.itertext()) for rdg in app.findall(f"{T}rdg")
                        for name in _names(rdg.get("wit")) | _names(rdg.get("resp"))}
            if number == chapter and "benyi" in readings:
                kinds[app.find(f"{T}rdg").get("ana", "")] += 1
                agreeing |= {name for name, words in readings.items() if words == readings["benyi"]}
        assert kinds["#var-loan"] > kinds["#var-substantive"] + kinds["#var-lookalike"] + kinds["#var-corruption"]
        assert agreeing >= {*followed}
    return check


def _consulted(text: Printed, sentence: str) -> None:
    works = [f"{work['edition']}{work['title']}（{work['origin']}）" for work in text.plan["consulted"]]
    assert sentence == f"只取以核异文、未逐字通校者：{'、'.join(works)}。"


def _undecided(text: Printed, _: str) -> None:
    ofs: dict[str, list[set[str]]] = {}
    for app in text.printed:
        lemma, own = app.find(f"{T}lem"), next(around for around in app.iterancestors() if around.get(XML_ID))
        base, agreeing = text.bases[own.get(XML_ID).split(".")[1]], _names(lemma.get("wit"))
        known = _names(own.get("source")) & {name for reading in app for name in _names(reading.get("wit"))}
        if "decision:" in lemma.get("corresp", "") or len(known) < 2:
            continue
        if own.tag == f"{T}seg":
            assert base not in known or base in agreeing, app.get(XML_ID)
        else:
            ofs.setdefault(own.get(XML_ID), []).append(agreeing & known)
    assert ofs and all(set.intersection(*shared) for shared in ofs.values())


def _doubtful(text: Printed, sentence: str) -> None:
    """The numbers of doubtful places in the sentences are together those of the XML."""
    low = sum(app.find(f"{T}lem").get("cert") == "low" for app in text.printed)
    said = "".join(paragraph.text or "" for paragraph in text.root.find(f".//{T}editorialDecl").iter(f"{T}p"))
    assert low == sum(int(n) for n in re.findall(r"存疑(\d+)条", said)) > 0
    assert all(int(n) >= int(m) for n, m in re.findall(r"(\d+)条，(?:编者)?所定(\d+)条", sentence))


def _light(text: Printed, sentence: str) -> None:
    entries, others = 0, 0
    for app, chapter in ((app, chapter) for app, chapter in _all_in_units(text)):
        lemma, own = app.find(f"{T}lem"), next(around for around in app.iterancestors() if around.get(XML_ID))
        known = _names(own.get("source")) & {name for reading in app for name in _names(reading.get("wit"))}
        kinds = {rdg.get("ana", "").removeprefix("#var-") for rdg in app.iter(f"{T}rdg")} - {""}
        if kinds and kinds <= {*text.plan["settled"]} and len(known) > 1 and app.get("type") in (None, "accidental"):
            entries += 1
            others += text.bases[chapter] in known and text.bases[chapter] not in _names(lemma.get("wit"))
    assert f"不从底本者{others}条" in sentence and f"经文{entries}条" in sentence


def _all_in_units(text: Printed) -> list[tuple[etree._Element, str]]:
    homes = ((app, next(around for around in app.iterancestors() if around.get(XML_ID))) for app in text.entries)
    return [(app, home.get(XML_ID).split(".")[1]) for app, home in homes if home.tag == f"{T}seg"]


def _no_normal_forms(text: Printed, _: str) -> None:
    assert not list(text.root.find(f"{T}text").iter(f"{T}reg", f"{T}orig"))


def _private_characters(text: Printed, _: str) -> None:
    standard = {char.get(XML_ID): "".join(mapping.text or "" for mapping in char.findall(f"{T}mapping")
                                          if mapping.get("type") == "standard")
                for char in text.root.iter(f"{T}char")}
    signs = [(sign.text, standard[sign.get("ref")[1:]] or "〓") for sign in text.root.find(f"{T}text").iter(f"{T}g")]
    assert signs and all(printed == meant for printed, meant in signs)


def _simplified(text: Printed, sentence: str) -> None:
    catalog = tomllib.loads((ROOT / "tei" / "catalog.toml").read_text(encoding="utf-8"))
    sigla = {source["siglum"] for source in catalog["source"] if source["work"] == "yili"}
    assert {*sentence.partition("皆")[0].split("、")} == sigla
    assert {source["language"] for source in catalog["source"] if source["work"] == "yili"} == {"lzh-Hans"}
    assert {rdg.get("type") for rdg in text.root.iter(f"{T}rdg") if rdg.get("ana") in LIGHT} == {"orthographic"}


def _graphs(text: Printed, sentence: str) -> None:
    pairs: Counter[frozenset[str]] = Counter()
    for app in text.entries:
        lemma = _plain(app.find(f"{T}lem"))
        for rdg in app.findall(f"{T}rdg"):
            if rdg.get("ana") in LIGHT:
                pairs.update(frozenset(two) for two in zip(lemma, _plain(rdg), strict=False) if len({*two}) > 1)
    if total := re.fullmatch(r"繁简、异体之异(\d+)处，凡(\d+)组。", sentence):
        assert (pairs.total(), len(pairs)) == (int(total[1]), int(total[2]))
    else:
        listed = {frozenset(two): int(number) for *two, number in re.findall(r"(.)、(.)（(\d+)）", sentence)}
        least = int(re.search(r"其(\d+)处以上", sentence)[1])
        assert listed == {pair: number for pair, number in pairs.items() if number >= least}


def _plain(reading: etree._Element) -> str:
    """Return the words of a reading without marks, notes, and what was corrected."""
    without = {f"{T}pc", f"{T}note", f"{T}sic", f"{T}milestone"}
    parts = (("" if child.tag in without else _plain(child)) + (child.tail or "") for child in reading)
    return "".join(filter(str.isalpha, (reading.text or "") + "".join(parts)))


def _marks(text: Printed, _: str) -> None:
    layer = text.root.find(f".//{T}editorialDecl/{T}punctuation")
    assert all(layer.get(name) for name in ("resp", "cert", "ana"))
    assert {mark.get("type") for mark in text.root.find(f"{T}text").iter(f"{T}pc")} == {None, "source"}


def _punctuated(text: Printed, sentence: str) -> None:
    notes = [note for note in text.notes if not _within_reading(note)]
    done = [sum(any(mark.get("type") != "source" for mark in item.iter(f"{T}pc")) for item in layer)
            for layer in (text.units, notes)]
    said = f"经文{done[0]}条（凡{len(text.units)}条），注文{done[1]}条（凡{len(notes)}条）"
    assert sentence.startswith(f"已加标点者：{said}")


def _divided(text: Printed, _: str) -> None:
    chapters = [division for division in text.root.iter(f"{T}div") if division.get("type") == "pian"]
    sections = [division for division in text.root.iter(f"{T}div") if division.get("type") == "section"]
    assert len(chapters) == 17 and all(chapter.find(f".//{T}trailer") is not None for chapter in chapters)
    assert sections and all(section.find(f"{T}trailer") is not None for section in sections)
    assert any(division.get("type") == "ji" for division in text.root.iter(f"{T}div"))


def _one_speaker(text: Printed, _: str) -> None:
    assert all(note.get("resp") and note.get("target") for note in text.notes)


CLAIMS: list[tuple[str, Callable[[Printed, str], None]]] = [
    ("仪礼十七篇：", _counts_of_chapters), ("各本注疏诸家说系于", _notes_follow_units),
    ("误字不径改", _corrections_keep_both), ("脱字有据者补之", _losses_are_marked), ("士冠礼、", _one_witness),
    ("[^，]+，以..为底本", _several_witnesses), ("集编录文只存旅酬", _extent("4", "jibian", "4.27.3", moved="4.21.")),
    ("集编全，[^；]+、敖继公说改字。", _modern_graphs("5", "jinwen", "aojigong", "aoben")),
    ("集编全，[^；]+古文之异字；", _modern_graphs("6", "jinwen", "guwen")),
    ("集编全，[^；]+；注疏起设卿席", _extent("6", "zhushu", "6.14.2")),
    ("集编全，[^；]+；.*通解起燕射",
     _extent("6", "tongjie", "6.25.1", "6.31.7", records="6.32.23 6.32.24 6.32.25 6.32.26")),
    ("集编录文止于7.24.1", _extent("7", "jibian", last="7.24.1")),
    ("只取以核异文", _consulted), ("未经裁定者", _undecided), ("诸本异文", _doubtful), ("概从底本之类", _light),
    ("诸本无异而前人所疑", _doubtful), ("字形悉依原本", _no_normal_forms), ("转录本以私用区代码", _private_characters),
    ("本义、集编、通解、注疏皆简体转录", _simplified), ("繁简、异体之异", _graphs),
    ("其3处以上者", _graphs),
    ("标点、专名为编者所加", _marks), ("已加标点者", _punctuated), ("每篇依「右……」", _divided),
    ("一人之言为一条", _one_speaker),
]
"""How each sentence of the principles begins, and the count that it must agree with."""


def test_each_sentence_of_the_principles_is_true_of_the_edition() -> None:
    text = Printed()
    paragraphs = (paragraph for name in ("projectDesc", "editorialDecl")
                  for paragraph in text.root.find(f".//{T}{name}").iter(f"{T}p") if paragraph.get(LANG) == "zh")
    sentences = [sentence for paragraph in paragraphs for sentence in ROW.findall(paragraph.text or "")]
    unchecked = {beginning for beginning, _ in CLAIMS}
    for sentence in sentences:
        checks = [(beginning, check) for beginning, check in CLAIMS if re.match(beginning, sentence)]
        assert checks, f"no check for {sentence}"
        for beginning, check in checks:
            check(text, sentence)
            unchecked.discard(beginning)
    assert not unchecked


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
