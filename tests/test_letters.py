"""The letters of a file that comes in are in its text, or listed as left out: each format, counted by other means."""

from __future__ import annotations

import io
import json
import re
import tempfile
import time
import zipfile
from collections import Counter
from pathlib import Path
from xml.sax.saxutils import escape

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jiaokan import readers
from jiaokan.errors import Message, SourceError
from jiaokan.scaffold.conventions import convention_of
from jiaokan.scaffold.doubts import doubts
from jiaokan.scaffold.files import load_text
from jiaokan.scaffold.folder import make_folder
from jiaokan.scaffold.letters import Received, letters
from jiaokan.scaffold.report import details
from jiaokan.scaffold.survey import survey
from jiaokan.scaffold.works import group_by_work
from jiaokan.settings import catalog as catalogs
from jiaokan.tei.views import source_text
from tests.amount import examples
from tests.test_scaffold import written

WORDS = st.text(alphabet="鼎銘之為器也足者趾abcXYZ19 　。（）【】〈〉*#&<>'\"", min_size=0, max_size=12)
INLINE = st.sampled_from(["b", "i", "small", "sup", "span", "font", "ruby", "rt", "a", "em", "u", "x-word"])
BLOCK = st.sampled_from(["p", "div", "h2", "li", "td", "table", "section", "article", "main", "nav", "noscript",
                         "blockquote", "form", "center", "footer"])


@st.composite
def pages(draw: st.DrawFn) -> tuple[str, list[str]]:
    """Return a page, whose elements may not be closed, and the words that were put into it."""
    words: list[str] = []
    parts = ["<html><head><title>鼎書</title></head><body>"]
    words.append("鼎書")
    for _ in range(draw(st.integers(1, 12))):
        name = draw(st.one_of(INLINE, BLOCK))
        said = draw(WORDS)
        words.append(said)
        kind = draw(st.sampled_from(["", ' class="note"', ' id="toc"', ' style="font-size:small"', ' class="x"']))
        parts.append(f"<{name}{kind}>{escape(said)}")
        parts += [f"</{name}>"] if draw(st.booleans()) else []
    return "".join(parts), words


def into(data: str | bytes, name: str) -> Received:
    """Return what is received from a file."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / name
        path.write_bytes(data.encode() if isinstance(data, str) else data)
        return load_text(path)


def missing(words: list[str], received: Received) -> Counter[str]:
    """Return the letters that are neither in the text nor listed."""
    listed = sum((letters(said) for _, said, _ in received.left_out), Counter[str]())
    return sum(map(letters, words), Counter[str]()) - letters(received.text) - listed


@settings(deadline=None, max_examples=examples(150))
@given(pages())
def test_html(page: tuple[str, list[str]]) -> None:
    received = into(page[0], "a.html")
    assert not missing(page[1], received)
    assert not [words for part, words, _ in received.left_out if part.startswith("lost")]


@settings(deadline=None, max_examples=examples(40))
@given(st.lists(pages(), min_size=1, max_size=3))
def test_epub(book: list[tuple[str, list[str]]]) -> None:
    received = into(epub([page for page, _ in book]), "a.epub")
    assert not missing([words for _, said in book for words in said], received)


def epub(bodies: list[str], times: int = 1) -> bytes:
    """Return an EPUB of pages, each `times` in its order of reading."""
    made = io.BytesIO()
    items = "".join(f'<item id="i{n}" href="{n}.xhtml"/>' for n in range(len(bodies)))
    spine = "".join(f'<itemref idref="i{n}"/>' for n in range(len(bodies))) * times
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(zipfile.ZipInfo("mimetype"), "application/epub+zip")
        archive.writestr("META-INF/container.xml", '<container><rootfiles><rootfile full-path="c.opf"/></rootfiles>'
                         "</container>")
        archive.writestr("c.opf", f"<package><manifest>{items}</manifest><spine>{spine}</spine></package>")
        for number, body in enumerate(bodies):
            archive.writestr(f"{number}.xhtml", body)
    return made.getvalue()


NOTES = [  # the documents of a book, those in its order of reading; each note is of its own document
    ({"a": '甲<sup><a href="#n1">1</a></sup><p id="n1">1 注甲</p>',
      "b": '乙<sup><a href="#n1">1</a></sup><p id="n1">1 注乙</p>'}, "ab", ["甲〈注甲〉", "乙〈注乙〉"]),
    ({"a": '甲<sup><a href="z.xhtml#n1">1</a></sup>', "b": '乙<sup><a href="./z.xhtml#n2">2</a></sup>',
      "z": '<aside id="n1">1 注甲</aside><aside id="n2">2 注乙</aside>'}, "ab", ["甲〈注甲〉", "乙〈注乙〉"]),
    ({"a": '甲<sup><a href="y.xhtml#n">1</a></sup>', "b": '乙<sup><a href="z.xhtml#n">1</a></sup>',
      "y": '<div id="n">1 注甲</div>', "z": '<div id="n">1 注乙</div>餘文'}, "ab", ["甲〈注甲〉", "乙〈注乙〉"]),
]


@pytest.mark.parametrize(("documents", "order", "lines"), NOTES)
@pytest.mark.parametrize("declared", [True, False])
def test_a_note_of_a_book_is_that_of_its_document(
    documents: dict[str, str], order: str, lines: list[str], declared: bool
) -> None:
    """Documents that the order of reading lacks, declared or not, give their notes; their other words are listed."""
    made = io.BytesIO()
    names = [name for name in documents if declared or name in order]
    items = "".join(f'<item id="{name}" href="{name}.xhtml" media-type="application/xhtml+xml"/>' for name in names)
    spine = "".join(f'<itemref idref="{name}"/>' for name in order)
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(zipfile.ZipInfo("mimetype"), "application/epub+zip")
        archive.writestr("META-INF/container.xml", '<c><rootfile full-path="O/c.opf"/></c>')
        archive.writestr("O/c.opf", f"<package><manifest>{items}</manifest><spine>{spine}</spine></package>")
        for name, body in documents.items():
            archive.writestr(f"O/{name}.xhtml", f"<html><body>{body}</body></html>")
    received = into(made.getvalue(), "a.epub")
    assert received.text.splitlines() == lines
    assert not missing(list(documents.values()), received).keys() - {*letters("supahrefpidndivasidexhtmlzy12")}
    assert not [words for part, words, _ in received.left_out if part.startswith("lost")]


@pytest.mark.parametrize(("picture", "text", "listed"), [
    ('<img src="g.png" alt="𠀀">', "鼎𠀀銘", ""), ('<img alt="[⿰木斤]"/>', "鼎⿰木斤銘", ""),
    ('<span><img alt=" 龘 "></span>', "鼎龘銘", ""), ('<img alt="a picture">', "鼎銘", "a picture"),
    ('<img alt="圖版">', "鼎銘", "圖版"), ('<img alt="">', "鼎銘", ""),
    ('<iframe srcdoc="&lt;b>框中&lt;/b>"></iframe>', "鼎銘", "框中"),
])
def test_the_words_for_a_picture(picture: str, text: str, listed: str) -> None:
    """A character that is shown as a picture is of the text, also in a note; a description is listed."""
    for page in (f"<body><p>鼎{picture}銘</p></body>", f'<body><p>鼎<small>{picture}</small>銘</p></body>'):
        received = into(page, "a.html")
        assert re.sub("[〈〉]", "", received.text).strip() == text
        assert "".join(words for _, words, _ in received.left_out) == listed


@pytest.mark.parametrize(("inside", "listed"), [
    ('<input value="查找" type="text"><input type=hidden value="暗">', [("input/@value", "查找", False)]),
    ('<textarea placeholder="請寫"></textarea>', [("textarea/@placeholder", "請寫", False)]),
    ('<abbr title="說文解字">說文</abbr>', [("abbr/@title", "說文解字", True)]),
    ('<a href="#x" title="目錄頁">目</a>', [("a/@title", "目錄頁", False)]),
    ('<select><optgroup label="卷上"><option>一</option></optgroup></select>', [("optgroup/@label", "卷上", False)]),
    ('<input type="checkbox" value="真"><p data-x="暗" title="">鼎</p>', []),
])
def test_words_in_attributes_are_listed(inside: str, listed: list[tuple[str, str, bool]]) -> None:
    assert list(into(f"<body><p>鼎銘</p>{inside}</body>", "a.html").left_out) == listed


LONG = "鼎之為器也烹飪之用足者趾也" * 2
FURNITURE = "卷一卷二卷三卷四卷五索引版權" * 3


def report_of(data: str | bytes, name: str, folder: Path) -> tuple[list[str], list[str]]:
    """Return the report on a file and the doubts."""
    (folder / name).write_bytes(data.encode() if isinstance(data, str) else data)
    (work,) = group_by_work([survey(folder / name)])
    return [*details(work, ["a"])], doubts(work, ["a"])


@pytest.mark.parametrize(("data", "name", "doubted"), [
    (f"<body><nav>{FURNITURE}</nav><p>{LONG}</p></body>", "a.html", False),
    (f"<body><div id=toc>{FURNITURE}</div><p>{LONG}</p></body>", "a.html", False),
    (f"<body><form>{FURNITURE}</form><p>{LONG}</p></body>", "a.html", True),
    (f"==鼎==\n{LONG}\n[[Category:{FURNITURE}]]\n", "a.txt", False),
    (f"{{{{header\n|title=鼎\n|notes={FURNITURE}\n}}}}\n{LONG}\n", "a.txt", False),
    (f"==鼎==\n{LONG}\n{{{{block|center|{FURNITURE}}}}}\n", "a.txt", True),
    (f"==鼎==\n{LONG}\n{{{{quote|1={FURNITURE}}}}}\n", "a.txt", True),
    (json.dumps({"paragraphs": [LONG], "translation": FURNITURE}), "a.json", True),
])
def test_markup_and_navigation_raise_no_doubt(data: str, name: str, doubted: bool, tmp_path: Path) -> None:
    lines, raised = report_of(data, name, tmp_path)
    (line,) = (line for line in lines if "letters and digits" in line)
    assert [bool(re.search(r"\d % of the|\d% of the letters", words)) for words in raised].count(True) == doubted
    assert ("left out: " in line, "markup and navigation: " in line) in (
        [(True, False), (True, True)] if doubted else [(False, True)])


def test_the_document_of_navigation_of_a_book_is_no_text(tmp_path: Path) -> None:
    book = io.BytesIO()
    with zipfile.ZipFile(book, "w") as archive:
        archive.writestr(zipfile.ZipInfo("mimetype"), "application/epub+zip")
        archive.writestr("META-INF/container.xml", '<c><rootfile full-path="c.opf"/></c>')
        kind = 'media-type="application/xhtml+xml"'
        archive.writestr("c.opf", f'<package><manifest><item id="n" href="n.xhtml" properties="nav" {kind}/>'
                         f'<item id="a" href="a.xhtml" {kind}/><item id="z" href="z.xhtml" {kind}/></manifest>'
                         '<spine><itemref idref="n"/><itemref idref="a"/></spine></package>')
        for name, words in (("n", f"目{FURNITURE}"), ("a", LONG), ("z", "封面")):
            archive.writestr(f"{name}.xhtml", f"<html><body><p>{words}</p></body></html>")
    received = into(book.getvalue(), "a.epub")
    assert [(part.words, part.is_text) for part in received.left_out] == [(f"目{FURNITURE}", False), ("封面", True)]
    assert not [words for words in report_of(book.getvalue(), "a.epub", tmp_path)[1] if "of the letters" in words]


def test_the_report_is_in_the_language_of_its_reader(tmp_path: Path) -> None:
    lines, raised = report_of(f"<body><form>{FURNITURE}</form><nav>卷一</nav><p>{LONG}</p></body>", "a.html", tmp_path)
    assert any("标记与导航" in Message.of(line).in_language("zh") for line in lines)
    assert any("的字符未收入" in Message.of(words).in_language("zh") for words in raised)


@pytest.mark.parametrize(("value", "text", "left_out"), [
    ([{"text": "鼎銘", "note": "器也"}, {"text": "爵銘", "note": ""}], "鼎銘\n【器也】\n爵銘", []),
    ({"一": "鼎銘", "二": ["爵銘", "觚銘"]}, "## 一\n鼎銘\n## 二\n爵銘\n觚銘", []),
    ({"chapter 1": "鼎銘", "chapter 2": {"text": "爵銘", "note": "酒"}},
     "## chapter 1\n鼎銘\n## chapter 2\n爵銘\n【酒】", []),
    ({"title": "鼎書", "author": "佚名", "poems": [{"title": "甲", "text": "鼎銘"}]}, "# 鼎書\n## 甲\n鼎銘",
     [("key author", "佚名")]),
    ({"書名": "鼎書", "朝代": "宋", "卷一": {"學而": "鼎銘"}}, "# 鼎書\n## 卷一\n### 學而\n鼎銘", [("key 朝代", "宋")]),
    ({"data": [{"text": "鼎銘", "note": "器也"}], "tags": ["x"]}, "鼎銘\n【器也】", [("key tags", "x")]),
])
def test_shapes_of_json(value: object, text: str, left_out: list[tuple[str, str]]) -> None:
    received = into(json.dumps(value, ensure_ascii=False), "a.json")
    assert received.text == f"{text}\n"
    assert [part[:2] for part in received.left_out] == left_out


@pytest.mark.parametrize(("value", "keys"), [({"body": "鼎"}, "body"), ([{"hanzi": "鼎"}], "hanzi"), ({}, "–")])
def test_json_without_text_is_refused_with_its_keys(value: object, keys: str) -> None:
    with pytest.raises(SourceError, match=f"it has the keys {keys}, and text is read from paragraphs"):
        into(json.dumps(value), "a.json")


@pytest.mark.parametrize(("code", "shown"), [("F0FC", "U+F0FC"), ("E001", "U+E001"), ("F8FF", "U+F8FF")])
def test_a_symbol_of_a_font_is_named_by_its_number(code: str, shown: str, tmp_path: Path) -> None:
    body = f'<w:p><w:r><w:t>鼎之為器也</w:t></w:r><w:r><w:sym w:char="{code}"/></w:r></w:p>'
    assert any(shown in words for words in report_of(word(body), "a.docx", tmp_path)[1])


VALUES = st.recursive(
    st.one_of(WORDS, st.integers(0, 99), st.booleans(), st.none()),
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(st.sampled_from(
        ["title", "paragraphs", "content", "notes", "author", "comment", "name", "id", "tags"]), inner, max_size=4)),
    max_leaves=12)


def strings(item: object) -> list[str]:
    """Return the strings and numbers of a value."""
    if isinstance(item, dict | list):
        return [words for each in (item.values() if isinstance(item, dict) else item) for words in strings(each)]
    return [] if item is None or isinstance(item, bool) else [str(item)]


@settings(deadline=None, max_examples=examples(150))
@given(VALUES)
def test_json(value: object) -> None:
    try:
        received = into(json.dumps(value, ensure_ascii=False), "a.json")
    except SourceError:
        return  # no text in it
    assert not missing(strings(value), received)


W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
RUNS = st.sampled_from(["{}", '<w:rPr><w:sz w:val="14"/></w:rPr>{}', "<w:rPr><w:b/></w:rPr>{}"])
AROUND = st.sampled_from(["{}", "<w:ins>{}</w:ins>", "<w:hyperlink>{}</w:hyperlink>", "<w:smartTag>{}</w:smartTag>",
                          "<w:del>{}</w:del>", "<w:sdt><w:sdtContent>{}</w:sdtContent></w:sdt>"])


@st.composite
def documents(draw: st.DrawFn) -> tuple[bytes, list[str]]:
    """Return a Word file and the words that were put into it, some of them in notes that nothing calls."""
    words, body, notes = list[str](), list[str](), list[str]()
    for number in range(draw(st.integers(1, 6))):
        runs = []
        for _ in range(draw(st.integers(1, 3))):
            said = draw(WORDS)
            words.append(said)
            run = draw(RUNS).format(f"<w:t>{escape(said)}</w:t>")
            runs.append(draw(AROUND).format(f"<w:r>{run}</w:r>"))
        if draw(st.booleans()):
            words.append(note := draw(WORDS))
            notes.append(f'<w:footnote w:id="{number}"><w:p><w:r><w:t>{escape(note)}</w:t></w:r></w:p></w:footnote>')
            runs += [f'<w:r><w:footnoteReference w:id="{number}"/></w:r>'] * draw(st.integers(0, 2))
        style = draw(st.sampled_from(["", '<w:pPr><w:pStyle w:val="Heading1"/></w:pPr>']))
        paragraph = f"<w:p>{style}{''.join(runs)}</w:p>"
        body.append(draw(st.sampled_from(["{}", "<w:tbl><w:tr><w:tc>{}</w:tc></w:tr></w:tbl>"])).format(paragraph))
    return word("".join(body), "".join(notes)), words


def word(body: str, notes: str = "", **parts: str) -> bytes:
    """Return a Word file."""
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("word/document.xml", f"<w:document {W}><w:body>{body}</w:body></w:document>")
        archive.writestr("word/footnotes.xml", f"<w:footnotes {W}>{notes}</w:footnotes>")
        for name, xml in parts.items():
            archive.writestr(f"word/{name}.xml", xml)
    return made.getvalue()


@settings(deadline=None, max_examples=examples(120))
@given(documents())
def test_word(document: tuple[bytes, list[str]]) -> None:
    try:
        received = into(document[0], "a.docx")
    except SourceError:
        return  # no words
    assert not missing(document[1], received)


MARKED = st.lists(st.sampled_from([
    "== 鼎銘 ==", "# 鼎銘", "鼎之為器也", "{{*|足者趾也}}",
    "'''器'''", "<small>小字</small>", "a <verbum> b", "<b>粗</b>",
    "[[鼎|器]]", "{{header|title=鼎}}", "<ref>某注</ref>",
    "*斜*", "> 引", "<!-- 註釋 -->", "-{器}-", "{|", "|-", "* 列",
    "[[Category:經]]", "<br/>", "子曰：學而&amp;時習", "〔一〕注"]), min_size=1, max_size=10)


@settings(deadline=None, max_examples=examples(150))
@given(MARKED, st.sampled_from(["a.txt", "a.md", "a.wiki"]))
def test_marked_text(lines: list[str], name: str) -> None:
    """What is read from the source, and what the report lists, are all letters of the file but those in tags."""
    with tempfile.TemporaryDirectory() as place:
        path = Path(place) / name
        path.write_text("\n".join(lines), encoding="utf-8")
        try:
            surveyed = survey(path)
        except SourceError:
            return  # a single element is XML
        if not surveyed.text.strip():
            return
        found = written(make_folder(group_by_work([surveyed]), today=__import__("datetime").date(2026, 1, 1)),
                        Path(place) / "own")
        catalog = catalogs.load(found)
        document, _ = readers.read(next(iter(catalog.sources.values())), catalog)
    whole = letters("\n".join(lines))
    listed = sum((letters(words) for _, words, _ in surveyed.left_out), Counter[str]())
    out = letters(source_text(document)) + listed
    names = letters("smallsmallbbrrefrefamp" * len(lines))  # of tags and entities
    assert not whole - out - names, (whole - out, surveyed.left_out)


@pytest.mark.parametrize("unclosed", ["<font size=4>", "<span class=a>", "<div>", "<b><i>", "<blockquote>"])
def test_what_is_never_closed_loses_nothing(unclosed: str) -> None:
    page = "<html><body>" + "".join(f"{unclosed}第{n}句鼎之為器也<br>" for n in range(400)) + "末句</body>"
    received = into(page, "a.html")
    assert received.text.count("鼎之為器也") == 400
    assert "末句" in received.text


def test_what_is_too_deep_is_refused_with_the_depth() -> None:
    with pytest.raises(SourceError, match="nested more than 2048 deep"):
        into("<html><body>" + "<div>鼎" * 3000, "a.html")


@pytest.mark.parametrize(("xml", "name"), [
    ('<alto xmlns="http://www.loc.gov/standards/alto/ns-v4#"><Layout><String CONTENT="鼎"/></Layout></alto>', "ALTO"),
    ('<?xml version="1.0"?>\n<PcGts xmlns="http://x"><Page><Unicode>鼎</Unicode></Page></PcGts>', "PAGE"),
    ("<FictionBook><body><p>鼎</p></body></FictionBook>", "FictionBook"),
    ("<!-- made by hand -->\n<verse n='1'>鼎之為器也</verse>\n", "<verse>"),
    ('<!DOCTYPE TEI.2 SYSTEM "x.dtd">\n<TEI.2><text>鼎</text></TEI.2>', "TEI P4"),
    ('<ns:entry xmlns:ns="urn:x">鼎</ns:entry>', "<entry>"),
])
def test_other_vocabularies_are_named_and_refused(xml: str, name: str) -> None:
    with pytest.raises(SourceError) as refused:
        into(xml, "a.txt")
    assert name in str(refused.value)


@pytest.mark.parametrize("xml", [
    '<alto xmlns="http://www.loc.gov/standards/alto/ns-v4#">\n<String CONTENT="鼎"/>\n</alto>\n',
    '<PcGts xmlns="http://x">\n' + "<Unicode>鼎</Unicode>\n" * 300 + "</PcGts>\n",
    "<!-- made by hand -->\n<verse n='1'>鼎之為器也</verse>\n", '<ns:entry xmlns:ns="urn:x">鼎</ns:entry>',
])
def test_no_reader_of_plain_text_takes_the_tags_of_another_vocabulary_for_text(tmp_path: Path, xml: str) -> None:
    (tmp_path / "a.txt").write_text(xml, encoding="utf-8")
    with pytest.raises(SourceError, match=r"this is XML, but not TEI|is pages of text recognition"):
        readers.check_file(*catalogs.catalog_of_file(tmp_path / "a.txt", reader="plain"))


@pytest.mark.parametrize(("text", "expected"), [
    ("鼎銘第一\n\n器也<small>足者趾也</small>也\n", "鼎銘第一\n\n器也〈足者趾也〉也\n"),
    ('器<span class="note">趾也</span>也', "器〈趾也〉也"), ("器<font size=-1>趾\n也</font>也", "器〈趾〉\n〈也〉也"),
    ("〈甲〉乙<sup>丙</sup>", "〈甲〉乙【丙】"), ("甲<b>乙</b>丙<br>丁", "甲乙丙\n丁"), ("　　甲<i>乙</i>", "　　甲乙"),
    ("a <verbum> b", "a <verbum> b"), ("若 a<b 而 c>d", "若 a<b 而 c>d"),
])
def test_tags_in_a_text_are_no_brackets(text: str, expected: str) -> None:
    assert into(text, "a.txt").text == expected


def test_time_for_tags_grows_with_their_number_only() -> None:
    """Of tags that are never closed, and of ends of other elements, each looked at all open elements."""
    text = "<i>甲" * 60_000 + "</b>乙" * 60_000 + "<b>丙</b></i>"
    began = time.process_time()
    assert into(text, "a.txt").text == "甲" * 60_000 + "乙" * 60_000 + "丙"
    assert time.process_time() - began < 20


NOTED = "<w:p><w:r><w:t>鼎之為器也</w:t></w:r><w:r><w:footnoteReference w:id='1'/></w:r></w:p>"
FOOT = "<w:footnote w:id='1'><w:p><w:r><w:t>足者趾也</w:t></w:r></w:p></w:footnote>"


def test_notes_of_a_word_file_have_the_brackets_of_its_text() -> None:
    inside = "".join(f"<w:p><w:r><w:t>器銘{n}也【{said}也】</w:t></w:r></w:p>"
                     for n, said in enumerate(["鼎鼐之屬", "烹飪之器", "足者謂趾", "耳者謂鉉"]))
    received = into(word(NOTED + inside, FOOT), "a.docx")
    assert "鼎之為器也【足者趾也】" in received.text
    assert "1 footnote" in received.doubts[0] and "4 passages in 【】" in received.doubts[0]


def test_small_type_and_two_lines_in_one_are_notes() -> None:
    small = '<w:r><w:rPr><w:sz w:val="16"/></w:rPr><w:t>小注</w:t></w:r>'
    split = '<w:r><w:rPr><w:eastAsianLayout w:combine="1"/></w:rPr><w:t>夾注</w:t></w:r>'
    usual = '<w:r><w:rPr><w:sz w:val="21"/></w:rPr><w:t>鼎之為器也</w:t></w:r>'
    received = into(word(f"<w:p>{usual}{small}</w:p><w:p>{usual}{split}{usual}</w:p>"), "a.docx")
    assert received.text == "鼎之為器也〈小注〉\n鼎之為器也〈夾注〉鼎之為器也\n"


def test_text_boxes_comments_and_heads_of_pages_are_told_once() -> None:
    box = ('<w:p><w:r><mc:AlternateContent xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006">'
           "<mc:Choice><w:txbxContent><w:p><w:r><w:t>框中</w:t></w:r></w:p></w:txbxContent></mc:Choice><mc:Fallback>"
           "<w:txbxContent><w:p><w:r><w:t>框中</w:t></w:r></w:p></w:txbxContent></mc:Fallback></mc:AlternateContent>"
           "<w:t>框外</w:t></w:r></w:p>")
    comments = f"<w:comments {W}><w:comment><w:p><w:r><w:t>批語</w:t></w:r></w:p></w:comment></w:comments>"
    received = into(word(box, header1=f"<w:hdr {W}><w:p><w:r><w:t>書眉</w:t></w:r></w:p></w:hdr>",
                         comments=comments), "a.docx")
    assert sorted(received.text.split()) == ["框中", "框外"]
    assert sorted(received.left_out) == [("comments", "批語", True), ("heads of pages", "書眉", False)]


def test_a_document_that_is_read_again_and_again_is_there_once() -> None:
    assert into(epub(["<html><body><p>鼎之為器也</p></body></html>"], times=50), "a.epub").text.count("鼎") == 1


def test_a_note_that_is_called_again_and_again_is_there_once() -> None:
    calls = "<sup><a href='#n'>1</a></sup>" * 30
    received = into(f"<html><body><p>鼎{calls}</p><ol><li id='n'>1. 足者趾也</li></ol></body></html>", "a.html")
    assert received.text.count("足者趾也") == 1


def test_archives_that_are_bombs_are_refused() -> None:
    page = "<html><body>" + "<p>鼎之為器也</p>" * 300_000 + "</body></html>"
    with pytest.raises(SourceError, match="nearly empty"):
        into(epub([page]), "a.epub")


def test_time_for_chapters_grows_with_their_number_only(tmp_path: Path) -> None:
    """For each line all headings were looked through."""
    (tmp_path / "a.md").write_text("# 書\n\n" + "".join(f"## 鼎{n}\n\n鼎之為器也\n\n" for n in range(10_000)), "utf-8")
    surveyed = survey(tmp_path / "a.md")
    assert len(surveyed.heads.heads) >= 10_000
    began = time.process_time()
    assert convention_of(surveyed)["markup"] == "markdown"
    assert time.process_time() - began < 5
