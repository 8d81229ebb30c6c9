"""What reasons of decisions claim of their entries."""

from __future__ import annotations

import pytest

from jiaokan.decisions import claims


@pytest.mark.parametrize(("reason", "names"), [
    ("敖说近是，姑从郑本。", ["郑本"]), ("義同。從底本。", ["底本"]), ("郑注云「从底本」。", []), ("从之。", ["之"]),
    ("记之次第从甲本。", ["甲本"]), ("未检，此句从乙本", ["乙本"]),
    ("敖继公从甲本之说，未安。", []), ("无本可据，仍从甲本，不改", ["甲本"]),
])
def test_whom_a_reason_follows(reason: str, names: list[str]) -> None:
    assert list(claims.find_authorities(reason)) == names


@pytest.mark.parametrize(("reason", "judged"), [
    ("甲本作「升」，涉下「升」字而误。", [("升", False)]), ("注作「六诗」，作「诗」是。", [("诗", True)]),
    ("當作「扑」，「扑」字是。", [("扑", True)]), ("甲本作「但」，或形近而误。", []),
    ("甲本作「共」；乙本转录误「其」。", []),
    ("敖继公谓作「散」，误。", []), ("甲本作「南」，非是。", []), ("乙本作「遇」，盖形近而誤", [("遇", False)]),
])
def test_what_a_reason_calls_right_or_wrong(reason: str, judged: list[tuple[str, bool]]) -> None:
    assert list(claims.find_judgements(reason)) == judged


@pytest.mark.parametrize(("reason", "classes"), [
    ("说、脱古今字。", ["loan"]), ("算、筭異體。", ["graphic"]), ("「玄」缺笔，避諱字。", ["taboo"]), ("非避讳。", []),
    ("敖氏以为古今字。", []), ("或避讳所改。", []), ("甲本以今字书之。", ["loan"]), ("集编作「通用」。", []),
])
def test_the_classes_that_a_reason_names(reason: str, classes: list[str]) -> None:
    assert [name for name, _ in claims.find_classes(reason)] == classes


@pytest.mark.parametrize(("reason", "numbers"), [
    ("二本俱有，不删。", [2]), ("甲本、乙本、丙本三本俱無。", []), ("大射（7.1.2）二本皆作「三」。", []),
    ("四庫本作「乗」。", []),
    ("疑衍之说近是；然四本俱有。", [4]),
    ("唐时已有二本。", []), ("義足。三本皆无，不补。", [3]), ("甲有，乙引同，二本相合。", []),
])
def test_how_many_witnesses_agree(reason: str, numbers: list[int]) -> None:
    assert list(claims.numbers_of_witnesses(reason, ["甲", "乙", "丙"])) == numbers


@pytest.mark.parametrize(("reason", "mark"), [
    ("从底本，存疑。", "存疑"), ("從他本，下同", "下同"), ("朱子存疑，不从。", ""),
    ("义与上下同类。", ""), ("通用，同前。", "同前"),
])
def test_the_mark_at_the_end(reason: str, mark: str) -> None:
    assert claims.mark_at_end(reason) == mark


@pytest.mark.parametrize(("reason", "miscounts"), [
    ("集编有「与賸通」四字，本义无。", [("「与賸通」", 4, 3)]), ("「某也」二字，「以」「已」二字。", []),
    ("無「君、臣」三字", [("「君、臣」", 3, 2)]), ("有「甲乙……丙丁」凡三十字。", []), ("「燕礼」字。", []),
    ("有「一二三四五六七八九十」兩字。", [("「一二三四五六七八九十」", 2, 10)]),
    ("甲、乙、丙二本俱无。", [("甲、乙、丙", 2, 3)]), ("甲、乙二本俱有，丙无。", []),
    ("甲及丙三本同。", [("甲及丙", 3, 2)]),
])
def test_numbers_that_are_not_those_of_what_is_counted(reason: str, miscounts: list[tuple[str, int, int]]) -> None:
    assert list(claims.find_miscounts(reason, ["甲", "乙", "丙"])) == miscounts
