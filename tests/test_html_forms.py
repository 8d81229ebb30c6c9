"""The forms of graphs that the switch to traditional script shows by their context."""

from __future__ import annotations

import re

import pytest

from jiaokan.characters.scripts import traditional_forms
from jiaokan.characters.traditional import in_traditional
from jiaokan.outputs.web.forms import mark_forms

UNIT = '<p class="jing" id="e.1"><a class="ref" href="#e.1"><span class="of">1.</span>1</a>{}</p>'
NOTE = '<div class="note zhu" id="n"><a class="who" href="#n">郑注</a><p>{}</p></div>'


def shown(page: str) -> str:
    """The words of a page as the switch shows them."""
    marked = re.sub('<span class="tf" data-t="(.)">.</span>', r"<=\1>", page)
    return "".join(part[2] if part.startswith("<=") else "" if part.startswith("<") else "".join(
        traditional_forms(part).get(graph, graph) for graph in part) for part in re.findall("<[^>]*>|[^<]+", marked))


@pytest.mark.parametrize("words", ["后皆拜", "王后以陶瓶", "君言而后对", "主人复位荐脯醢", "发于朝"])
def test_the_switch_shows_what_books_in_traditional_script_have(words: str) -> None:
    assert shown(mark_forms(UNIT.format(words), {})).removeprefix("1.1") == in_traditional(words, {}, "unit")


def test_the_context_goes_across_marks_and_not_into_links_and_replaced_graphs() -> None:
    page = UNIT.format('君言而<i class="pc">，</i><del title="x">王</del><a class="m" href="#a">甲</a>后对')
    marked = mark_forms(page, {})
    assert 'data-t="後">后</span>' in marked and "<del title=\"x\">王</del>" in marked
    assert re.sub('<span class="tf" data-t=".">(.)</span>', r"\1", marked) == page


def test_layers_have_their_forms() -> None:
    decided = {("于", "unit"): "于", ("于", "note"): "於"}
    inner = 'a于<small class="note gloss">升于堂</small>b'
    marked = mark_forms(UNIT.format("升于堂") + NOTE.format("升于堂") + UNIT.format(inner), decided)
    assert [bool(re.search("tf", piece)) for piece in re.findall(".<?[^<]*>?于", marked)] == [False, True, False, True]


def test_other_words_of_a_page_stay() -> None:
    page = '<p class="translated">然后</p><p>后&amp;后</p><nav title="a>后">后</nav><li>以后</li>'
    assert mark_forms(page, {}) == page
    assert mark_forms(UNIT.format("&lt;后皆拜&gt;"), {}).count("tf") == 1
