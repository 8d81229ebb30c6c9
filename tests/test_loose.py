"""Collation of files of any kind: what is read, what is refused, and by which words."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner
from msgspec.structs import replace

from jiaokan.cli import cli
from jiaokan.editions.loose import collate_files
from jiaokan.entries import entries
from jiaokan.entries.sentences import formula
from jiaokan.errors import CollationError, JiaokanError, SourceError, TeiError
from jiaokan.exchange import exports
from jiaokan.model import Note, Unit
from jiaokan.model.text import edited
from jiaokan.model.walk import items, walk
from jiaokan.tei.parse import from_tei
from jiaokan.tei.tree import element
from jiaokan.tei.views import plain_text, texts
from jiaokan.tei.write import to_tei
from jiaokan.validate import validate
from tests.collations import witness

pytestmark = pytest.mark.thorough

A, B = "小臣戒与者\n膳宰具官馔于寝东\n".encode(), "小臣诫与者\n膳宰具官饌於寢東\n".encode()
OTHER = """<TEI xmlns="http://www.tei-c.org/ns/1.0"><teiHeader/><text><body>
<head>燕禮<note>題</note></head><p>小臣戒<lb/>與<choice><sic>者</sic><corr>也</corr></choice>
  <app><lem wit="#x">升</lem><rdg wit="#y">降</rdg></app></p>
<lg><l>再拜</l><l>稽<gap/>首</l></lg></body></text></TEI>"""


def test_lines_or_paragraphs() -> None:
    one = collate_files([("a.txt", A), ("b.txt", B)])
    other = collate_files([("a.txt", "\ufeff小臣\r\n戒与者\r\n\r\n\r\n膳宰具官\r\n馔于寝东".encode()), ("b.txt", B)])
    assert plain_text(one.document) == plain_text(other.document) == "小臣戒与者\n膳宰具官馔于寝东"
    assert entries(one.document)[0].lemma.words == "戒"
    assert {text for name, text in texts(one.document, "b").items()} == set(B.decode().split())


def test_white_space_is_kept_and_no_variant() -> None:
    made = collate_files([("a.txt", b"the  quick\nbrown\n\nfox"), ("b.txt", b"the quick brown\n\nfox")])
    assert not entries(made.document)
    assert b'rend="U+0020"' in made.tei


def test_the_base_and_the_names() -> None:
    made = collate_files([("x/甲本.txt", A), ("乙本.txt", B), ("甲本.txt", A)], base="乙本.txt")
    assert list(made.sigla.values()) == ["乙本", "甲本", "甲本3"]
    assert entries(made.document)[0].lemma.words == "诫"


def test_the_edition_is_valid_tei(tmp_path: Path) -> None:
    made = collate_files([("a.txt", A), ("b.txt", B)], date="2026-11-20")
    (tmp_path / "e.xml").write_bytes(made.tei)
    assert not [finding for finding in validate(tmp_path / "e.xml") if finding.severity == "error"]
    again = collate_files([("e.xml", made.tei)])
    assert again.document == from_tei(made.tei, name="e") and again.sigla == made.sigla


def test_tei_of_our_encoding_keeps_its_chapter_and_notes() -> None:
    tei = to_tei(witness("benyi", "小臣戒与者(zhengxuan:注曰:戒犹告也)|膳宰具官馔于寝东"), element("teiHeader"))
    made = collate_files([("我.xml", tei), ("b.txt", B)])
    assert made.document.divisions[0].id == "edition.6" and made.sigla == {"benyi": "我", "b": "b"}
    assert "注曰戒犹告也" in texts(made.document).values()


def test_a_text_without_chapters_is_the_one_whose_words_it_has() -> None:
    fifth, sixth = (witness(name, text).divisions[0] for name, text in (("x", "乡射之礼主人戒宾"), ("x", "小臣戒与者")))
    both = replace(witness("x", "小臣"), divisions=(replace(fifth, n="5", id="x.5"), sixth))
    tei = to_tei(both, element("teiHeader"))
    for files in ([("x.xml", tei), ("b.txt", B)], [("b.txt", B), ("x.xml", tei)]):
        assert {entry.unit[:11] for entry in entries(collate_files(files).document)} == {"edition.6.1"}
    other = to_tei(replace(witness("y", "小臣"), divisions=(replace(sixth, n="7", id="y.7"),)), element("teiHeader"))
    with pytest.raises(CollationError, match=r"the other files have no chapter of x\.xml\n.*its chapters: 5, 6"):
        collate_files([("x.xml", tei), ("y.xml", other)])


def test_other_tei_gives_its_running_text() -> None:
    made = collate_files([("a.txt", "燕禮\n小臣戒與者升\n再拜\n稽首".encode()), ("b.xml", OTHER.encode())])
    assert [finding.rule for finding in made.findings] == ["collate-other-tei"]
    assert "without 1 note" in made.findings[0].message
    only, = entries(made.document)
    assert (only.unit, only.readings[0].variant) == ("edition.1.1.4", "addition")


@pytest.mark.parametrize(("files", "error", "words"), [
    ([("a.txt", A)], CollationError, "one witness"),
    ([("a.txt", A), ("b.txt", b"  \n")], SourceError, "b.txt: the file is empty"),
    ([("a.txt", A), ("b.txt", "甲\udc80".encode("utf-8", "surrogatepass"))], SourceError, "not UTF-8 at byte 3"),
    ([("a.txt", A), ("b.xml", b"<html/>")], TeiError, "the root is <html>"),
    ([("a.txt", A), ("b.xml", b"<TEI")], TeiError, "not well-formed"),
    ([("a.txt", A), ("b.xml", b"<TEI xmlns='http://www.tei-c.org/ns/1.0'/>")], TeiError, "no <text>"),
])
def test_what_cannot_be_collated(files: list[tuple[str, bytes]], error: type[JiaokanError], words: str) -> None:
    with pytest.raises(error, match=words):
        collate_files(files)


def test_editions_and_doubles_are_refused() -> None:
    tei = to_tei(witness("benyi", "小臣"), element("teiHeader"))
    with pytest.raises(CollationError, match=r"duplicate witness 'benyi', also in a\.xml"):
        collate_files([("a.xml", tei), ("b.xml", tei)])
    made = collate_files([("a.txt", A), ("b.txt", B)])
    with pytest.raises(CollationError, match="an edition, not a witness"):
        collate_files([("a.txt", A), ("e.xml", made.tei)])
    with pytest.raises(CollationError, match=r"no file is called '丙'\n.*given: a, b"):
        collate_files([("a.txt", A), ("b.txt", B)], base="丙")


@pytest.mark.parametrize("count", [2, 30])
def test_odd_sets(count: int) -> None:
    files = [(f"w{n}.txt", A) for n in range(count)]
    assert not entries(collate_files(files).document)
    assert entries(collate_files([*files, ("x.txt", "甲".encode())]).document)


def test_findings_name_the_files() -> None:
    long = "寡君有不腆之酒以请吾子之与寡君须臾焉使某也以请膳宰具官馔于寝东乐人县设洗篚于阼阶东南当东霤罍水在东"
    made = collate_files([("a.txt", A), ("x/b.txt", A + long.encode())])
    assert {finding.place.file for finding in made.findings} == {"x/b.txt"}


def run(*arguments: str) -> tuple[int, str]:
    done = CliRunner().invoke(cli, list(arguments))
    return done.exit_code, done.output


@pytest.mark.parametrize(("data", "words"), [
    (b"", "the file is empty"),
    (b" \n\n", "the file is empty"),
    (b"\xed\xa0\x80", "not UTF-8 at byte 0"),
    (bytes(range(128, 200)), "not UTF-8 at byte 0"),
    ("小臣\0".encode(), "it has bytes that no text has"),
    ("小臣戒与者".encode("utf-16-le"), "it looks like UTF-16LE: iconv"),
    ("小臣戒与膳".encode("gb18030"), "it looks like GB18030"),
    (b"<TEI xmlns='http://www.tei-c.org/ns/1.0'><text>", "not well-formed XML"),
    (None, "give the files in it"),
], ids=["empty", "blank", "surrogate", "binary", "nul", "utf-16le", "gb18030", "broken", "folder"])
@pytest.mark.parametrize("form", ["table", "tei", "csv"])
def test_what_is_no_witness_is_refused_and_nothing_written(
    tmp_path: Path, data: bytes | None, words: str, form: str
) -> None:
    good, bad, out = tmp_path / "a.txt", tmp_path / "b.txt", tmp_path / "out"
    good.write_bytes(A)
    bad.mkdir() if data is None else bad.write_bytes(data)
    code, said = run("collate", str(good), str(bad), "-f", form, "-o", str(out))
    assert code == 2 and words in said and "b.txt" in said and "Traceback" not in said
    assert not out.exists()


@pytest.mark.parametrize(("data", "rows"), [
    ("小臣戒与者膳宰具官".encode(), []),
    ("\ufeff小臣戒与者膳宰具官".encode(), []),
    ("者".encode(), ["小臣戒与 ] om. b", "膳宰具官 ] om. b"]),
    ("周礼天地春夏秋冬也".encode(), ["小臣戒与者膳宰具官 ] 周礼天地春夏秋冬也 b"]),
    (b"=SUM(A1:9", ["小臣戒与者膳宰具官 ] =SUM(A1:9 b"]),
], ids=["identical", "byte-order-mark", "one-character", "nothing-in-common", "formula"])
def test_odd_witnesses_give_a_sane_apparatus(tmp_path: Path, data: bytes, rows: list[str]) -> None:
    for name, content in (("a.txt", "小臣戒与者膳宰具官".encode()), ("b.txt", data)):
        (tmp_path / name).write_bytes(content)
    files = [str(tmp_path / "a.txt"), str(tmp_path / "b.txt")]
    code, said = run("collate", *files, "-f", "apparatus", "-o", str(tmp_path / "out"))
    told = (tmp_path / "out").read_text(encoding="utf-8").splitlines()
    assert (code, [row.partition(" ")[2] for row in told]) == (0, rows), said
    for form in exports.names():
        code, said = run("collate", *files, "-f", form, "-o", str(tmp_path / "out"))
        assert code == 0 or "no page of this text has a picture" in said


def test_standard_input_is_a_witness_or_an_edition(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_bytes(A)
    done = CliRunner().invoke(cli, ["collate", str(tmp_path / "a.txt"), "-", "-f", "apparatus"], input=B)
    assert done.exit_code == 0 and "edition:1.1.1 戒 ] 诫 stdin" in done.output
    made = collate_files([("a.txt", A), ("b.txt", B)])
    done = CliRunner().invoke(cli, ["collate", "-", "-f", "csv"], input=made.tei)
    assert done.exit_code == 0 and done.output.startswith("id,reference")
    assert run("collate", "-", "-")[0] == 2


def test_a_csv_file_is_one_for_spreadsheets(tmp_path: Path) -> None:
    for name, content in (("a.txt", A), ("b.txt", B)):
        (tmp_path / name).write_bytes(content)
    out = tmp_path / "out.csv"
    assert run("collate", str(tmp_path / "a.txt"), str(tmp_path / "b.txt"), "-f", "csv", "-o", str(out))[0] == 0
    assert out.read_bytes().startswith(b"\xef\xbb\xbfid,reference")


def test_the_command(tmp_path: Path) -> None:
    a, b = tmp_path / "a.txt", tmp_path / "b.txt"
    a.write_bytes(A)
    b.write_bytes(B)
    code, out = run("collate", str(a), str(b), "-f", "apparatus", "--without", "繁简、graphic")
    assert (code, out) == (
        0, "edition:1.1.1 戒 ] 诫 b\n[1 entry left out: Script pair 1]\n[Script pair: 1.1.2.a1]\n")
    assert run("collate", str(a), str(b), "-f", "tei", "-o", str(tmp_path / "e.xml")) == (0, "")
    code, out = run("stats", str(tmp_path / "e.xml"), "--svg", str(tmp_path / "svg"))
    assert code == 0 and "agreement %" in out
    assert sorted(path.name for path in (tmp_path / "svg").iterdir()) == [
        "edition-agreement.svg", "edition-variants-1.svg",
    ]
    assert run("collate", str(a), str(b), "--without", "odd")[0] == 2
    assert "there is: 1" in run("stats", str(tmp_path / "e.xml"), "--chapter", "7")[1]
    assert run("collate", str(a), str(tmp_path / "none.txt"))[0] == 2


@pytest.mark.parametrize("change", [("xml:id=\"benyi.6.1.", "xml:id=\"x."), (" xml:id=\"benyi.6.1.1\"", ""),
                                    ("xml:id=\"benyi.6.1.2\"", "xml:id=\"benyi.6.1.1\"")])
def test_foreign_missing_and_double_ids(change: tuple[str, str]) -> None:
    """Notes stay on what they are on, whatever the ids of a file are."""
    text = "小臣戒与者(zhengxuan:注曰:戒犹告也)|膳宰具官馔于寝东(zhengxuan:注曰:具犹备也)"
    tei = to_tei(witness("benyi", text), element("teiHeader")).decode()
    wanted = collate_files([("a.xml", tei.encode()), ("b.txt", B)])
    assert change[0] in tei
    for files in ([0, 1], [1, 0]):
        given = [("a.xml", tei.replace(*change).encode()), ("b.txt", B)]
        made = collate_files([given[n] for n in files])
        assert [text for _, text in texts(made.document, "benyi").items()] == [
            text for _, text in texts(wanted.document, "benyi").items()]
        places = [item.target for item in walk(made.document) if isinstance(item, Note)]
        assert places == [f"edition.6.1.{n}" for n in (1, 2)]


def test_a_chapter_that_the_base_lacks_is_named() -> None:
    """What is in no edition is said, a note too."""
    one = to_tei(witness("aa", "小臣戒与者"), element("teiHeader"))
    two = to_tei(witness("bb", "小臣戒与者##(zhengxuan:注曰:戒犹告也)"), element("teiHeader"))
    findings = collate_files([("a.xml", one), ("b.xml", two)]).findings
    found = [each for each in findings if each.rule == "collate-chapter"]
    assert [each.message for each in found] == [
        "chapter 7 of b (0 units, 1 note) is not collated: a, the base, has none of that number"]
def test_words_of_an_alphabet_are_compared_and_keep_their_spaces() -> None:
    made = collate_files([("a.txt", b"the red dog sat\n"), ("b.txt", b"a red dog had sat\n")])
    assert [formula(each, made.sigla) for each in entries(made.document)] == ["the ] a b", "dog ] add. had b"]
    units = [item for item in items(made.document.divisions) if isinstance(item, Unit)]
    assert [edited(unit.content) for unit in units] == ["the red dog sat"]
    assert b'xml:lang="und-Latn"' in made.tei


def test_between_two_texts_in_traditional_script_there_is_no_difference_of_script() -> None:
    texts = ("後有雲而禮興於國與萬民焉爾", "后有云而礼興於國與萬民焉爾", "后有云而礼兴于国与万民焉尔")
    files = [(f"{name}.txt", text.encode()) for name, text in zip("abc", texts, strict=True)]
    one, other = collate_files(files[:2]), collate_files([files[0], files[2]])
    assert [each.variant for entry in entries(one.document) for each in entry.readings] == [
        "substantive", "substantive", "graphic"]
    assert {each.variant for entry in entries(other.document) for each in entry.readings} == {"script"}


@pytest.mark.parametrize(("fragment", "says"), [
    ("learning\nfriends\n", "ends with edition.1.1.2; with 1 unit after it"),
    ("friends\nunknown\n", "begins with edition.1.1.2; with 1 unit before it"),
    ("learning\nunknown\n", ""), ("learning\nfriends\nunknown\n", ""),
])
def test_where_a_fragment_begins_and_ends_is_said(fragment: str, says: str, tmp_path: Path) -> None:
    for name, text in (("a", "learning\nfriends\nunknown\n"), ("b", fragment)):
        (tmp_path / f"{name}.txt").write_text(text.replace("\n", " words of a line\n"), encoding="utf-8")
    done = CliRunner().invoke(cli, ["collate", str(tmp_path / "a.txt"), str(tmp_path / "b.txt")])
    assert (says in done.output) if says else ("collate-fragment" not in done.output)


CONFUCIUS = "子曰學而時習之不亦說乎有朋自遠方來不亦樂乎人不知而不慍不亦君子乎"


@pytest.mark.parametrize(("encoding", "name"), [
    ("gb18030", "GB18030"), ("big5", "Big5-HKSCS"), ("utf-16", "UTF-16"), ("utf-8-sig", ""),
])
def test_the_encodings_of_init_are_collated_and_named(encoding: str, name: str) -> None:
    other = CONFUCIUS.replace("說", "悅")
    made = collate_files([("a.txt", CONFUCIUS.encode()), ("b.txt", other.encode(encoding))])
    assert [entry.readings[0].variant for entry in entries(made.document)] == ["loan"]
    assert [f"{finding.place.file} {finding.message}" for finding in made.findings] == (
        [f"b.txt not UTF-8: read as {name}"] if name else [])


def test_letters_in_utf_16_are_read() -> None:
    made = collate_files([("a.txt", b"arma virumque cano"), ("b.txt", "arma virosque cano".encode("utf-16"))])
    assert len([*entries(made.document)]) == 1


@pytest.mark.parametrize("data", ["caf\xe9amus est".encode("latin-1"), "鼹龜".encode("gb18030"), b"\xff\xfe\x00"])
def test_an_encoding_that_is_not_sure_is_refused(data: bytes) -> None:
    with pytest.raises(SourceError, match="not UTF-8"):
        collate_files([("a.txt", A), ("b.txt", data)])


@pytest.mark.parametrize("name", ["t.csv", "T.TSV", "t.xlsx"])
def test_a_table_is_refused_with_the_way(name: str, tmp_path: Path) -> None:
    (tmp_path / name).write_bytes(b"ref,A,B\n1,arma,arma\n")
    for words in (["init", str(tmp_path / "new"), "--from"], ["collate"]):
        done = CliRunner().invoke(cli, [*words, str(tmp_path / name)])
        assert done.exit_code == 2 and "this is a table" in done.output and "text file of its own" in done.output
    assert not (tmp_path / "new").exists()


def test_a_transposition_across_a_stop_is_valid_tei(tmp_path: Path) -> None:
    for name, words in (("A", "οὗτος ἦν ἐν ἀρχῇ πρὸς τὸν θεόν. πάντα δι᾽ αὐτοῦ ἐγένετο."),
                        ("B", "οὗτος ἦν πρὸς τὸν θεὸν ἐν ἀρχῇ. πάντα δι᾽ αὐτοῦ γέγονε.")):
        (tmp_path / f"{name}.txt").write_text(words, encoding="utf-8")
    made = tmp_path / "x.xml"
    CliRunner().invoke(cli, ["collate", str(tmp_path / "A.txt"), str(tmp_path / "B.txt"), "-f", "tei", "-o", str(made)])
    assert made.read_text(encoding="utf-8").count('ana="#var-transposition"') == 2
    checked = CliRunner().invoke(cli, ["validate", str(made)])
    assert checked.exit_code == 0, checked.output
