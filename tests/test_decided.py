"""What an editor decided is counted by layer, and said in the header."""

from __future__ import annotations

from pathlib import Path

from pipeline.decisions.readings import Tally, tallies
from pipeline.tei.header.declarations import counted
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
    first, second = counted(Tally(3, 2, 1, 5), Tally(4, 1, 0, 2), "lzh-Hant")
    assert "經文3條，編者所定2條，其中存疑1條；注文4條，所定1條" in (first.text or "")
    assert "諸本無異而前人所疑，存疑7條" in (first.text or "")
    assert "3 of the base text, of them decided 2" in (second.text or "")
    assert counted(Tally(3), Tally(4), "lzh-Hans") == []
