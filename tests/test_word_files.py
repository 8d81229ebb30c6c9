"""What a Word file shows by type and style: heads, the title, small type as notes; in files of several habits."""

from __future__ import annotations

import io
import zipfile

import pytest

from jiaokan.scaffold.word import word_as_markdown

W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
TEXT = "鼎之為器也，以烹以養，三足而立，其心不傾。"


def run(words: str, size: int = 0) -> str:
    kind = f'<w:rPr><w:sz w:val="{size}"/></w:rPr>' if size else ""
    return f"<w:r>{kind}<w:t>{words}</w:t></w:r>"


def paragraph(*runs: str, style: str = "", outline: str = "") -> str:
    kind = (f'<w:pStyle w:val="{style}"/>' if style else "") + (
        f'<w:outlineLvl w:val="{outline}"/>' if outline else "")
    return f"<w:p><w:pPr>{kind}</w:pPr>{''.join(runs)}</w:p>"


def style(key: str, name: str, inside: str = "", attributes: str = "") -> str:
    return f'<w:style w:type="paragraph" w:styleId="{key}"{attributes}><w:name w:val="{name}"/>{inside}</w:style>'


def markdown(*paragraphs: str, styles: str = "") -> list[str]:
    """Return the lines of a Word file as `init` reads them."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr("word/document.xml", f"<w:document {W}><w:body>{''.join(paragraphs)}</w:body></w:document>")
        archive.writestr("word/styles.xml", f"<w:styles {W}>{styles}</w:styles>")
    return word_as_markdown(file.getvalue(), "a.docx").text.splitlines()


SIZE = '<w:rPr><w:sz w:val="{}"/></w:rPr>'


@pytest.mark.parametrize(("usual", "small", "styles"), [
    (0, 16, ""),  # neither the file nor its styles state the usual size: 10 points
    (0, 18, style("a", "Normal", SIZE.format(24), ' w:default="1"')),
    (0, 16, style("a", "Normal", '<w:basedOn w:val="b"/>', ' w:default="1"') + style("b", "x", SIZE.format(21))),
    (28, 21, ""),
])
def test_small_type_is_a_note_wherever_the_usual_size_is_stated(usual: int, small: int, styles: str) -> None:
    runs = run("鼎之為器也，", usual), run("鼎，三足兩耳。", small), run("以烹以養。", usual)
    lines = markdown(paragraph(*runs), styles=styles)
    assert lines == ["鼎之為器也，〈鼎，三足兩耳。〉以烹以養。"]


@pytest.mark.parametrize(("styles", "key", "outline"), [
    (style("h", "篇名", '<w:pPr><w:outlineLvl w:val="0"/></w:pPr>'), "h", ""),
    (style("h", "篇名", '<w:basedOn w:val="k"/>') + style("k", "heading 1"), "h", ""),
    ("", "", "0"),
    ("", "Heading1", ""),
])
def test_a_head_is_known_by_its_outline_or_what_its_style_is_based_on(styles: str, key: str, outline: str) -> None:
    lines = markdown(paragraph(run("鼎銘"), style=key, outline=outline), paragraph(run(TEXT)), styles=styles)
    assert lines == ["# 鼎銘", TEXT]


def test_a_style_of_running_text_that_is_based_on_a_heading_is_text() -> None:
    styles = style("k", "heading 1") + style(
        "t", "引文", '<w:basedOn w:val="k"/><w:pPr><w:outlineLvl w:val="9"/></w:pPr>')
    assert markdown(paragraph(run("鼎銘"), style="t"), paragraph(run(TEXT)), styles=styles) == ["鼎銘", TEXT]


def test_the_line_in_the_style_of_titles_is_above_the_chapters() -> None:
    styles = style("t", "Title") + style("h", "heading 1") + style("i", "heading 2")
    heads = (paragraph(run(words), style=key) for words, key in (("器銘", "t"), ("鼎銘", "h"), ("上", "i")))
    lines = markdown(*heads,
                     paragraph(run(TEXT)), styles=styles)
    assert lines == ["# 器銘", "## 鼎銘", "### 上", TEXT]


def test_short_lines_of_large_type_are_heads_where_no_style_says_so() -> None:
    lines = markdown(paragraph(run("器銘", 44)), paragraph(run("鼎銘第一", 32)), paragraph(run(TEXT, 24)),
                     paragraph(run("鐘銘第二", 32)), paragraph(run(TEXT, 24)))
    assert lines == ["# 器銘", "## 鼎銘第一", TEXT, "## 鐘銘第二", TEXT]


def test_large_type_is_text_in_a_long_line_beside_other_type_and_in_a_file_with_heads() -> None:
    long = paragraph(run(TEXT * 2, 32))
    mixed = paragraph(run("鼎", 32), run("之為器也。", 24))
    usual = [paragraph(run(TEXT, 24)) for _ in range(4)]
    assert not [line for line in markdown(long, mixed, *usual) if line.startswith("#")]
    headed = markdown(paragraph(run("鼎銘", 24), outline="0"), paragraph(run("也", 32)), *usual)
    assert [line for line in headed if line.startswith("#")] == ["# 鼎銘"]
