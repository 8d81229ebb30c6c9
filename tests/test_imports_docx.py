"""A Word file with a 校勘記 in its footnotes is an edition; its notes are read by the grammar of our own sentences."""

from __future__ import annotations

import io
import zipfile
from pathlib import Path

import pytest
from click.testing import CliRunner

from jiaokan.cli import cli
from jiaokan.editions.other import as_ours
from jiaokan.entries import entries
from jiaokan.errors import Message, SourceError
from jiaokan.exchange.imports import importer
from jiaokan.exchange.imports.docx import convert
from jiaokan.exchange.imports.jiaokanji import NoteEntry, parse_note

PROSE = Path(__file__).parent / "cases" / "prose"
LINES = [
    tuple(line.split("\t")) for path in sorted(PROSE.glob("*.txt"))
    for line in path.read_text(encoding="utf-8").partition("---")[2].splitlines() if "\t" in line
]


def latin(entry: NoteEntry) -> str:
    """Return an entry in the Latin form that the cases have beside each sentence."""
    head = entry.lemma or entry.beside or "⌜"
    parts = []
    for each in entry.readings:
        kind = "" if each.kind != "conjecture" else "fort. coni. " if each.doubtful else "coni. "
        if not entry.lemma:
            words = f"add. {each.words}"
        elif each.kind == "lost":
            words = "lac."
        elif not each.words:
            words = "om." if each.kind == "reading" else "del."
        elif sorted(each.words) == sorted(entry.lemma) and each.kind == "reading":
            words = f"tr. {each.words}"
        else:
            words = each.words
        parts.append(f"{kind}{words} {' '.join(each.who)}")
    return f"{head} ] {'; '.join(parts)}"


@pytest.mark.parametrize(("sentence", "form"), LINES, ids=[line[0] for line in LINES])
def test_each_sentence_of_ours_is_understood(sentence: str, form: str) -> None:
    found = parse_note(sentence)
    assert found is not None
    made = "; ".join(map(latin, found))
    assert made == form or (not found[0].lemma and made.endswith(form))  # ours names more words before an addition


W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'


def docx(paragraphs: list[tuple[str, str]], notes: list[str]) -> bytes:
    """Return a Word file: paragraphs with their style, in which {1} is the number of the first note."""
    def runs(text: str) -> str:
        for number in range(1, len(notes) + 1):
            mark = f'</w:t></w:r><w:r><w:footnoteReference w:id="{number}"/></w:r><w:r><w:t>'
            text = text.replace(f"{{{number}}}", mark)
        return f"<w:r><w:t>{text}</w:t></w:r>"

    body = "".join(f'<w:p><w:pPr><w:pStyle w:val="{style}"/></w:pPr>{runs(text)}</w:p>' for style, text in paragraphs)
    said = "".join(f'<w:footnote w:id="{n}"><w:p><w:r><w:t>{words}</w:t></w:r></w:p></w:footnote>'
                   for n, words in enumerate(notes, 1))
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w") as archive:
        archive.writestr("word/document.xml", f"<w:document {W}><w:body>{body}</w:body></w:document>")
        archive.writestr("word/footnotes.xml", f"<w:footnotes {W}>{said}</w:footnotes>")
        archive.writestr("word/styles.xml", f'<w:styles {W}><w:style w:styleId="H1"><w:name w:val="heading 1"/>'
                         "</w:style></w:styles>")
    return made.getvalue()


BOOK = docx(
    [("H1", "燕禮第六"), ("N", "小臣戒與者。{1}膳宰具官饌于寢東。{2}{3}賓升，{4}公拜。{5}{6}")],
    ["〔一〕「與」，毛本作「豫」，石經無此字。下同。",
     "「饌」，原作「撰」，據石經改。按：經文皆作「饌」。", "此節總論燕事。",
     "「升」下，閩本有「自」字。", "「再拜」，石經二字倒。", "「公」，盧文弨疑當作「賓」。"],
)


def test_a_word_file_is_an_edition() -> None:
    made = convert(BOOK, "燕禮.docx")
    ours = as_ours(made.tei, name="x.xml")
    assert ours is not None
    said = [(each.lemma.words, [(rdg.words, rdg.witnesses or rdg.resp) for rdg in each.readings])
            for each in entries(ours.document)]
    assert said == [
        ("與", [("豫", ("w1",)), ("", ("w2",))]), ("饌", [("撰", ("base",))]), ("", [("自", ("w3",))]),
        ("公", [("賓", "p1")]),
    ]
    assert [each.message.split(":")[0] for each in made.findings] == [
        "note 3 stays a note", "note 5 stays a note"]
    assert "「再拜」 is not in its paragraph" in made.findings[1].message
    assert "按：經文皆作「饌」。" in made.tei.decode()


@pytest.mark.parametrize(("sentence", "form"), [
    ("「觯」，原作「觚」，据阮本改。", "觯 ] 觚 底本"), ("「賓」原作「客」，據毛本、閩本改。", "賓 ] 客 底本"),
    ("「拜」，原脱，据石经补。", "拜 ] om. 底本"), ("「升」下原有「自」字，据石经删。", "升 ] add. 自 底本"),
    ("「再拜」二字原倒，据石经乙正。", "再拜 ] tr. 拜再 底本"), ("諸本無「與」字。", "與 ] om. 諸本"),
    ("「则献诸西阶上」之「献」，毛本误作「奠」。", "献 ] 奠 毛本"),
    ("「壹揖壹让」二「壹」字，毛本并作「一」。", "壹 ] 一 毛本"),
    ("「遂命倚旌」，毛本无「遂」字。", "遂 ] om. 毛本"),
    ("「甲」，毛本同，石经作「乙」。", "甲 ] 乙 石经"), ("「觚」，敖继公以为当作「觯」。", "觚 ] coni. 觯 敖继公"),
])
def test_sentences_of_modern_editions(sentence: str, form: str) -> None:
    found = parse_note(sentence)
    assert found is not None
    assert "; ".join(map(latin, found)) == form


@pytest.mark.parametrize("note", ["按：古文作「爵」。", "《说文》曰：「燕，玄鸟也。」", "此处有误。", "参见「燕礼」。"])
def test_other_notes_are_none(note: str) -> None:
    assert parse_note(note) is None


def test_what_is_no_word_file_is_told() -> None:
    with pytest.raises(SourceError, match="not a Word file"):
        convert(b"PK nothing", "x.docx")
    with pytest.raises(SourceError, match=r"known: \.docx"):
        importer("x.odt")


def test_the_command(tmp_path: Path) -> None:
    (tmp_path / "a.docx").write_bytes(BOOK)
    said = CliRunner().invoke(cli, ["convert", str(tmp_path / "a.docx"), "-o", str(tmp_path / "a.xml")])
    assert said.exit_code == 0 and "4 notes are now entries, 2 are still notes" in said.output
    shown = CliRunner().invoke(cli, ["collate", str(tmp_path / "a.xml"), "-f", "jiaokanji"])
    assert "「與」，毛本作「豫」，石經無此字。" in shown.output


@pytest.mark.thorough
def test_an_imported_edition_is_collated_with_a_new_witness(tmp_path: Path) -> None:
    """Its witnesses are those of a folder; a text without heads that begins with the chapter's title is one more."""
    (tmp_path / "yan.xml").write_bytes(convert(BOOK, "yan.docx").tei)
    (tmp_path / "xin.txt").write_text("燕禮第六\n小臣戒與者。膳宰具官饌於寢東。賓升，公再拜。\n", encoding="utf-8")
    folder = tmp_path / "e"
    files = [str(tmp_path / "yan.xml"), str(tmp_path / "xin.txt")]
    said = CliRunner().invoke(cli, ["init", str(folder), "--from", *files])
    assert "1 chapter, 5 witnesses" in said.output, said.output
    for source in sorted((folder / "tei" / "sources").iterdir()):
        target = folder / "tei" / "witnesses" / f"{source.stem}.xml"
        assert CliRunner().invoke(cli, ["convert", source.stem, "-C", str(folder), "-o", str(target)]).exit_code == 0
    told = CliRunner().invoke(cli, ["collate", "xin", "-C", str(folder), "-f", "jiaokanji"])
    assert "「與」，毛本作「豫」，石經無此字。" in told.output
    assert "「饌」，底本作「撰」。按：依燕禮第六 (yan.xml)所定。按：經文皆作「饌」。" in told.output


@pytest.mark.parametrize(("note", "why", "in_chinese"), [
    ("「鼻」，乙本作「目」。", "「鼻」 is not in its paragraph", "其段落中没有「鼻」"),
    ("「耳」下，乙本有「目」字。", "「耳」 is not in its paragraph", "其段落中没有「耳」"),
    ("俟考。", "it is not a sentence of a 校勘記", "不是校勘记的句式"),
])
def test_a_note_that_stays_one_is_reported_in_the_language_of_its_reader(
    note: str, why: str, in_chinese: str
) -> None:
    (finding,) = convert(docx([("", "鼎之為器也{1}。")], [note]), "a.docx").findings
    assert why in finding.message and note in finding.message
    assert in_chinese in Message.of(finding.message).in_language("zh")
