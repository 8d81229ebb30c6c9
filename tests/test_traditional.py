"""Old text in traditional graphs: by context, by the editor's decisions, and what `learn` takes from texts."""

from __future__ import annotations

from pathlib import Path

import pytest

from jiaokan.api import read_tei
from jiaokan.characters import traditional
from jiaokan.characters.traditional import choose_forms, in_traditional, load_forms
from jiaokan.errors import CatalogError
from tests import traditional as learning


@pytest.mark.parametrize(("text", "full"), [
    ("尸坐于筵，祝在后。", "尸坐于筵，祝在後。"),  # the impersonator is no corpse
    ("宰夫设几席，授几。", "宰夫設几席，授几。"),
    ("子曰：『学而时习之』，郑玄云", "子曰：『學而時習之』，鄭玄云"),
    ("皇后之后", "皇后之後"),
    ("五谷不登，饮于谷口", "五穀不登，飲于谷口"),
    ("右肩臂臑，腊用麋", "右肩臂臑，腊用麋"),  # dried meat, not the twelfth month
    ("皆征其税，宫商角征羽", "皆征其稅，宮商角徵羽"),
    ("於後雲絶 abc", "於後雲絶 abc"),  # traditional already
])
def test_the_context_decides(text: str, full: str) -> None:
    assert in_traditional(text).replace("於", "于") == full.replace("於", "于")


def test_decisions_come_first_the_longest_context_before_the_layer(tmp_path: Path) -> None:
    path = tmp_path / "forms.toml"
    common = 'graph = "后"\nresp = "a"\nwhy = "底本如此。"\ncert = "high"\n'
    rows = ('form = "后"\nlayer = "note"', 'form = "後"\ncontexts = ["然_反"]')
    path.write_text("".join(f"[[form]]\n{row}\n{common}" for row in rows), encoding="utf-8")
    decided = load_forms(path)
    assert in_traditional("然后反，而后入", decided, "note") == "然後反，而后入"
    assert in_traditional("而后入", decided, "unit") == in_traditional("而后入")
    assert {choice.probability for choice in choose_forms("然后反", decided) if choice.graph == "后"} == {1.0}


@pytest.mark.parametrize("row", [
    'graph = "后"\nform = "後"', 'graph = "后稷"\nform = "後"\nlayer = "unit"',
    'graph = "后"\nform = "後"\ncontexts = ["然反"]',
])
def test_a_decision_without_a_place_is_refused_with_its_line(row: str, tmp_path: Path) -> None:
    path = tmp_path / "forms.toml"
    path.write_text(f'\n[[form]]\n{row}\nresp = "a"\nwhy = "b"\ncert = "low"\n', encoding="utf-8")
    with pytest.raises(CatalogError, match=r"forms\.toml:2"):
        load_forms(path)


def test_a_context_is_learnt_from_texts_that_agree(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    texts = ["天地之後\n" * 6 + "皇后立\n" * 3, "以後如之\n" * 6 + "皇后見\n" * 2, "日后\n" * 4]
    table = learning.learn(texts)
    lines = [line.split(" ") for line in table.splitlines() if line.startswith("后")]
    assert lines[0][:2] == ["后", "後"]
    learned = {context: form for _, form, _, *contexts in lines[1:] for context in contexts}
    assert learned == {"皇_": "后"}, "日后 is in one text only"
    path = tmp_path / "table.txt"
    path.write_text(table, encoding="utf-8")
    monkeypatch.setattr(traditional, "TABLE", path)
    traditional._table.cache_clear()
    assert in_traditional("皇后在后") == "皇后在後"
    monkeypatch.undo()
    traditional._table.cache_clear()


def test_the_table_has_the_graphs_of_the_list() -> None:
    listed = {line.split()[0] for line in learning.WORDS.read_text(encoding="utf-8").splitlines()
              if not line.startswith("#")}
    rows = [line.split(" ") for line in traditional.TABLE.read_text(encoding="utf-8").splitlines() if line[0] != "#"]
    assert {row[0] for row in rows} <= listed
    assert all(context.count("_") == 1 for row in rows for context in row[3:])


DECISION = '[[form]]\ngraph = "后"\nform = "后"\ncontexts = ["然_入"]\nresp = "a"\nwhy = "b"\ncert = "low"\n'


@pytest.mark.parametrize("decision", ["", DECISION])
def test_the_tei_in_traditional_graphs(decision: str, tmp_path: Path) -> None:
    (tmp_path / "forms.toml").write_text(decision, encoding="utf-8")
    body = ('<ab>然，后入<app><lem wit="#A">门</lem><rdg wit="#B">门后</rdg></app><note type="editorial">里面有说明'
            '</note>见国</ab><note type="commentary">尸在后</note>')
    tei = ('<TEI xmlns="http://www.tei-c.org/ns/1.0" xml:lang="lzh-Hans"><teiHeader><fileDesc><titleStmt><title>国'
           '</title></titleStmt><publicationStmt><p/></publicationStmt><sourceDesc><listWit><witness xml:id="A"/>'
           f'<witness xml:id="B"/></listWit></sourceDesc></fileDesc></teiHeader><text><body>{body}</body></text></TEI>')
    (tmp_path / "x.xml").write_text(tei, encoding="utf-8")
    written = read_tei(tmp_path / "x.xml").apparatus("tei-traditional", decisions=tmp_path)
    after = "后" if decision else "後"
    assert f"然，{after}入" in written and ">门后</rdg>" in written and ">門</lem>" in written
    assert all(words in written for words in ("裏面有說明", "見國", "尸在後", "<title>国</title>"))
    assert 'xml:lang="lzh-Hant"' in written
    (tmp_path / "y.xml").write_text(tei.replace("Hans", "Hant"), encoding="utf-8")
    as_hant = read_tei(tmp_path / "y.xml")
    assert as_hant.apparatus("tei-traditional") == as_hant.apparatus("tei")
