"""What commentaries report and conjecture, as readings of entries."""

from __future__ import annotations

from pathlib import Path

import pytest

from jiaokan.annotate.remarks.mark import mark_remarks
from jiaokan.annotate.remarks.parse import is_doubtful
from jiaokan.model import App, Document
from jiaokan.model.walk import walk
from jiaokan.tei.header.uses import uses
from jiaokan.tei.views import texts
from tests.collations import LISTS, edition, witness, words
from tests.test_collate import check_laws

CASES: dict[str, tuple[list[str], list[str]]] = {
    "meets the collated entry": (
        ["a: 洗象觯升(zhengxuan:注曰:今文曰洗象觚)", "b: 洗象觚升"],
        ["e.6.1.1.a1 觯 a ] 觚 b substantive; 觚 jinwen substantive #e.6.1.1.n1"],
    ),
    "reported by another work": (
        ["a: 洗象觯升", "b: 洗象觚升(zhengxuan:注曰:今文曰洗象觚)"],
        ["e.6.1.1.a1 觯 a ] 觚 b substantive; 觚 jinwen substantive #e.6.1.1.n1"],
    ),
    "an entry of its own": (
        ["a: 主人洗觚升(zhengxuan:注曰:古文觚皆为觯)", "b: 主人洗觚升"],
        ["e.6.1.1.r1 觚 a b ] 觯 guwen substantive #e.6.1.1.n1"],
    ),
    "of all places that follow, 皆": (
        ["a: 洗觚|升媵觚于賔(zhengxuan:注曰:今文媵皆作腾)|媵爵者二人媵于公", "b: 洗觚|升媵觚于賔|媵爵者二人媵于公"],
        [
            "e.6.1.2.r1 媵 a b ] 腾 jinwen loan #e.6.1.2.n1",
            "e.6.1.3.r1 媵 a b ] 腾 jinwen loan #e.6.1.2.n1",
            "e.6.1.3.r2 媵 a b ] 腾 jinwen loan #e.6.1.2.n1",
        ],
    ),
    "not where the same speaker says otherwise": (
        [
            "a: 主人洗觚(zhengxuan:注曰:古文觚皆为觯)|升媵觚于公(zhengxuan:注曰:觚当作觯)|拜受觚",
            "b: 主人洗觚|升媵觚于公|拜受觚",
        ],
        [
            "e.6.1.1.r1 觚 a b ] 觯 guwen substantive #e.6.1.1.n1",
            "e.6.1.2.r1 觚 a b ] 觯 @zhengxuan substantive #e.6.1.2.n1",
            "e.6.1.3.r1 觚 a b ] 觯 guwen substantive #e.6.1.1.n1",
        ],
    ),
    "of a phrase wherever it stands, 皆曰": (
        [
            "a: 有不腆之酒以请吾子之与(zhengxuan:注曰:今文皆曰不腆酒无之)|使某有不腆之酒",
            "b: 有不腆之酒以请吾子之与|使某有不腆之酒",
        ],
        ["e.6.1.1.r1 之 a b ] – jinwen omission #e.6.1.1.n1", "e.6.1.2.r1 之 a b ] – jinwen omission #e.6.1.1.n1"],
    ),
    "of all places in a note": (
        [
            "a: 磬阶间(zhengxuan:注曰:诸侯之大夫特县磬天子之大夫兼有钟)(shengshizuo::注大夫皆当作士)",
            "b: 磬阶间(zhengxuan:注曰:诸侯之大夫特县磬天子之大夫兼有钟)",
        ],
        [
            "e.6.1.1.n1.r1 大夫 a b ] 士 @shengshizuo substantive #e.6.1.1.n2",
            "e.6.1.1.n1.r2 大夫 a b ] 士 @shengshizuo substantive #e.6.1.1.n2",
        ],
    ),
    "in an addition": (
        [
            "a: 射如乡射之礼|公升",
            "b: 射如乡射之礼|以弓射则皮树中以翿旌获白羽糅(zhengxuan:注曰:今文糅为縚古文无以翿)|公升",
        ],
        [
            "e.6.1.1.a1 – a ] 以弓射则皮树中以翿旌获白羽糅 b addition",
            "e.6.1.1.r1 以翿 b ] – guwen omission #e.6.1.1.n1",
            "e.6.1.1.r2 糅 b ] 縚 jinwen substantive #e.6.1.1.n1",
        ],
    ),
    "none of another book that is cited": (
        ["a: 升媵觚于公(jiagongyan::郑引马季长云“觚当为觯。”此注与彼同)", "b: 升媵觚于公"], [],
    ),
    "皆 after several words means these": (
        ["a: 执觯者洗賔觯(zhengxuan:注曰:今文賔觯皆为爵)|取觯", "b: 执觯者洗賔觯|取觯"],
        ["e.6.1.1.r1 賔觯 a b ] 爵 jinwen substantive #e.6.1.1.n1"],
    ),
    "the graph with which two unlike phrases end": (
        ["a: 辞一席使一人去之(shengshizuo::使一人去之敖本作主人去之)", "b: 辞一席使一人去之"],
        ["e.6.1.1.r1 使一人 a b ] 主人 aoben substantive #e.6.1.1.n1"],
    ),
    "words that another copy has elsewhere": (
        ["a: 斩衰三年者(caidejin::郑本三年二字误在为父下)|为父", "b: 斩衰三年者|为父"],
        ["e.6.1.1.r1 三年 a b ] – zhengben transposition #e.6.1.1.n1"],
    ),
    "omission": (
        ["a: 使某也以请(zhengxuan:注曰:今文无使某)", "b: 使某也以请"],
        ["e.6.1.1.r1 使某 a b ] – jinwen omission #e.6.1.1.n1"],
    ),
    "addition that a witness has": (
        ["a: 公答拜(zhengxuan:注曰:古文曰公答再拜)", "b: 公答再拜"],
        ["e.6.1.1.a1 – a ] 再 b addition; 再 guwen addition #e.6.1.1.n1"],
    ),
    "the lemma's own reading": (
        ["a: 洗象觚升(zhengxuan:注曰:今文曰洗象觚)", "b: 洗象觯升"],
        ["e.6.1.1.a1 觚 a jinwen ] 觯 b substantive"],
    ),
    "conjectures of two persons": (
        ["a: 坐取觚洗(aojigong:敖氏曰:觚当作觯)(shengshizuo::觚字衍文)", "b: 坐取觚洗"],
        ["e.6.1.1.r1 觚 a b ] 觯 @aojigong substantive #e.6.1.1.n1; – @shengshizuo omission #e.6.1.1.n2"],
    ),
    "one report of two notes": (
        ["a: 主人洗觚升(zhengxuan:注曰:古文觚皆为觯)(aojigong:敖氏曰:古文觚皆为觯)", "b: 主人洗觚升"],
        ["e.6.1.1.r1 觚 a b ] 觯 guwen substantive #e.6.1.1.n1 #e.6.1.1.n2"],
    ),
    "one note says what another reports": (
        ["a: 士长升拜受觯(zhengxuan:注曰:今文觯作觚)(aojigong:敖氏曰:凡献无用觯者当从今文)", "b: 士长升拜受觯"],
        ["e.6.1.1.r1 觯 a b ] 觚 jinwen substantive #e.6.1.1.n1; 觚 @aojigong substantive #e.6.1.1.n2"],
    ),
    "said again without the words of the text": (
        ["a: 士长升拜受觯(zhengxuan:注曰:今文觯作觚)(shengshizuo::献用觯礼亦宜之今文作觚者误)", "b: 士长升拜受觯"],
        ["e.6.1.1.r1 觯 a b ] 觚 jinwen substantive #e.6.1.1.n1 #e.6.1.1.n2"],
    ),
    "two readings in one remark": (
        ["a: 与卿燕则大夫为宾与大夫燕亦然(zhengxuan:注曰:今文无则,下无燕)", "b: 与卿燕则大夫为宾与大夫燕亦然"],
        ["e.6.1.1.r1 则 a b ] – jinwen omission #e.6.1.1.n1", "e.6.1.1.r2 燕 a b ] – jinwen omission #e.6.1.1.n1"],
    ),
    "a text that is followed has the lemma": (
        ["a: 遂以扱豕铏【扱郑本作挹今从敖本】祭", "b: 遂以扱豕铏祭"],
        ["e.6.1.1.r1 扱 a b aoben ] 挹 zhengben substantive #e.6.1.1.n1"],
    ),
    "at the end of a unit": (
        ["a: 主人戒賔乃请(aojigong:敖氏曰:请下似脱一賔字)", "b: 主人戒賔乃请"],
        ["e.6.1.1.r1 – a b ] 賔 @aojigong addition #e.6.1.1.n1"],
    ),
    "what a text is said to have, it has": (
        ["a: 俎折脊胁肺臑(aojigong:敖氏曰:今本肺下有臑字臑字衍文)", "b: 俎折脊胁肺臑"],
        ["e.6.1.1.r1 臑 a b jinben ] – @aojigong omission #e.6.1.1.n1"],
    ),
    "a reading that another gave up": (
        ["a: 横而奉之(zhuxi:朱子曰:拳当作奉字之误也)(shengshizuo::石本尚沿拳字之误)", "b: 横而奉之"],
        ["e.6.1.1.r1 奉 a b ] 拳 shijing lookalike #e.6.1.1.n2"],
    ),
    "texts that are said to lack what another adds": (
        ["a: 脊胁胳肺【印本胳上有肫字】(shengshizuo::今之监本及敖氏郝氏诸本俱无复有肫字)", "b: 脊胁胳肺"],
        ["e.6.1.1.r1 – a b jianben aoben haoben ] 肫 yinben addition #e.6.1.1.n1"],
    ),
    "a text that is followed in words that the text has": (
        ["a: 袒纁襦(shengshizuo::纁石本作薰此非今从通解及监本定作纁)", "b: 袒纁襦"],
        ["e.6.1.1.r1 纁 a b tongjieben jianben ] 薰 shijing loan #e.6.1.1.n1"],
    ),
    "none where a remark refuses": (["a: 主人洗觚升(aojigong:敖氏曰:不从今文)", "b: 主人洗觚升"], []),
    "in a note": (
        ["a: 主人升(zhengxuan:注曰:主人以觚升【监本觚作觯】)", "b: 主人升(zhengxuan:注曰:主人以觚升)"],
        ["e.6.1.1.n1.r1 觚 a b ] 觯 jianben substantive #e.6.1.1.n1.n1"],
    ),
}


@pytest.mark.parametrize("case", CASES)
def test_reported(case: str) -> None:
    lines, wanted = CASES[case]
    given = [mark_remarks(witness(*line.split(": ", 1)), lists=LISTS) for line in lines]
    document, _ = edition(given)
    assert list(shown(document)) == wanted
    check_laws(document, given)


def shown(document: Document) -> list[str]:
    """Write the entries in which something is reported."""
    found = []
    for app in walk(document):
        if not isinstance(app, App) or app.kind != "variant":
            continue
        parts = []
        for each in (app.lemma, *app.readings):
            who = [*each.witnesses, *([f"@{each.resp}"] if each.resp else [])]
            pointers = [word for word in each.source.split() if word[0] == "#"]
            variant = [each.variant, *pointers] if each.variant else []
            parts.append(" ".join([words(each.content) or "–", *who, *variant]))
        found.append(f"{app.id} {parts[0]} ] {'; '.join(parts[1:])}")
    return found


def test_reported_witnesses_are_not_collated() -> None:
    given = [mark_remarks(witness("a", "洗象觯升(zhengxuan:注曰:今文曰洗象觚)")), witness("b", "洗象觚升")]
    document, _ = edition(given, Path("nowhere"))
    used = uses(document)
    assert list(used.witnesses) == ["a", "b"]
    assert list(used.reported) == ["jinwen"]
    assert not {*used.witnesses} & LISTS.reported_traditions().keys()
    assert texts(document, "b") == {"6.1.1": "洗象觚升"}


@pytest.mark.parametrize(("words", "kind", "after", "doubts"), [
    ("篚字疑衍", "yan", "", True), ("恐當作象齒", "dangzuo", "", True), ("請下似脱一賔字", "tuo", "", True),
    ("此東字盖誤也", "dangzuo", "", True), ("折上當有設字", "tuo", "葢文脱也有祭脯", True),
    ("腊字乃豚字之误欤", "dangzuo", "", True), ("弓字衍文", "yan", "", False), ("觚當作觯", "dangzuo", "", False),
    ("似當作以", "dangzuo", "", True), ("今文似作以", "jinwen", "", False), ("無疑當作有", "dangzuo", "", False),
])
def test_who_is_not_sure_says_so(words: str, kind: str, after: str, doubts: bool) -> None:
    assert is_doubtful(words, kind, after) == doubts
