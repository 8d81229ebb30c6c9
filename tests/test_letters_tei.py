"""The letters of a TEI file are in its text and on its page, or listed with their elements."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import pytest
from click.testing import CliRunner
from hypothesis import given, settings
from hypothesis import strategies as st
from lxml import etree

from jiaokan.cli import cli
from jiaokan.editions import other
from jiaokan.scaffold.letters import letters
from tests.amount import examples

ELEMENTS = Path(__file__).parent / "cases/tei/elements.txt"
FORMS = [line.split("\t") for line in ELEMENTS.read_text(encoding="utf-8").splitlines()]
INLINE_FORMS, BLOCK_FORMS, BESIDE_FORMS = (
    [form for kind, form in FORMS if kind == wanted] for wanted in ("inline", "block", "beside"))
"""Elements in a paragraph, in a division, and beside the text; each ``{}`` is some words."""


@st.composite
def tei_files(draw: st.DrawFn) -> str:
    """Return a TEI file with words in elements of many kinds, some of them beside the text."""
    said = st.text(alphabet="鼎銘之為器足者趾abc19", min_size=1, max_size=5)

    def filled(form: str, *, nested: bool) -> str:
        first, *rest = form.split("{}")
        inside = [filled(draw(st.sampled_from(INLINE_FORMS)), nested=False) if nested and draw(st.booleans()) else ""
                  for _ in rest]
        return first + "".join(draw(said) + inner + part for inner, part in zip(inside, rest, strict=True))

    def some(forms: list[str], most: int, *, nested: bool = True) -> str:
        return "".join(filled(form, nested=nested) for form in draw(st.lists(st.sampled_from(forms), max_size=most)))

    front, back = (f"<{name}><div><p>{draw(said)}</p>{some(BLOCK_FORMS, 2)}</div></{name}>"
                   for name in ("front", "back"))
    return TEI_HEAD.format(before=some(BESIDE_FORMS, 2, nested=False), front=front,
                           body=f"<p>{draw(said)}</p>{some(BLOCK_FORMS, 4)}", back=back)


TEI_HEAD = ('<TEI xmlns="http://www.tei-c.org/ns/1.0"><teiHeader><fileDesc><titleStmt><title>t</title></titleStmt>'
            "<publicationStmt><p/></publicationStmt><sourceDesc><listWit><witness xml:id='A'/><witness xml:id='B'/>"
            "</listWit></sourceDesc></fileDesc></teiHeader>{before}<text>{front}<body><div>{body}</div></body>{back}</text>"
            "</TEI>")


def tei_letters(tei: bytes | str) -> Counter[str]:
    """Return the letters of a TEI file outside its header."""
    root = etree.fromstring(tei)
    for header in root.findall("{*}teiHeader"):
        root.remove(header)
    return letters("".join(map(str, root.itertext())))


@settings(deadline=None, max_examples=examples(100))
@given(tei_files())
def test_tei(tei: str) -> None:
    result = other.stranger(tei.encode(), name="a.xml")
    root = etree.fromstring(result.tei)
    ledger = [item for item in root.iterfind(".//{*}ab[@type='ledger']//{*}item") if item.get("n") != "tei-shown"]
    listed = sum((letters("".join(map(str, item.itertext()))) for item in ledger), Counter[str]())
    assert not tei_letters(tei) - tei_letters(result.tei) - listed
    found = "".join(str(finding.message) for finding in result.findings if finding.rule == "tei-other")
    assert all(f"{item.get('n', '').removeprefix('tei-')} ×" in found for item in ledger)


def test_the_page_of_tei_has_all_words_or_they_are_listed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each element of the lists has a word of its own, which is on a page, or listed with its element."""
    monkeypatch.chdir(tmp_path)
    words = (f"字{number}号" for number in range(1000, 9999))

    def fill(form: str) -> str:
        first, *rest = form.split("{}")
        return first + "".join(f"{next(words)}{part}" for part in rest)

    inline = "".join(f"<p>前{fill(form)}後</p>" for form in INLINE_FORMS)
    (tmp_path / "a.xml").write_text(TEI_HEAD.format(
        before="".join(map(fill, BESIDE_FORMS)), front=f"<front><div>{fill(BLOCK_FORMS[0])}</div></front>",
        body="".join(f"<div>{fill(form)}<p>{next(words)}</p></div>" for form in BLOCK_FORMS) + f"<div>{inline}</div>",
        back=f"<back><div>{fill(BLOCK_FORMS[0])}</div></back>"), encoding="utf-8")
    done = CliRunner().invoke(cli, ["html", "a.xml", "-o", "site"], catch_exceptions=False)
    assert done.exit_code < 2, done.output
    omitted = CliRunner().invoke(cli, ["read", "a.xml", "--omitted", "all"]).output
    pages = "".join(page.read_text(encoding="utf-8") for page in (tmp_path / "site").rglob("*.html"))
    plain = re.sub(r"<[^>]*>", "", pages)
    used = [f"字{number}号" for number in range(1000, int(next(words)[1:-1]))]
    assert len(used) > 80
    assert [word for word in used if word not in plain and word not in omitted] == []
