"""What strangers put into names, titles, patterns, schemas and presses; what the machine refuses; what is killed."""

from __future__ import annotations

import csv
import errno
import io
import os
import re
import shutil
import signal
import subprocess
import sys
import time
import zipfile
from pathlib import Path

import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

from jiaokan.cli import cli
from jiaokan.errors import DEPTH, CatalogError, JiaokanError, RenderError, TeiError, cell, visible
from jiaokan.exchange import bundle
from jiaokan.exchange.exports import ExportSettings
from jiaokan.exchange.exports.csv import write
from jiaokan.outputs import OutputSettings
from jiaokan.outputs.print.typst import imports, typeset
from jiaokan.settings import catalog as catalogs
from jiaokan.settings.names import RESERVED
from jiaokan.settings.patterns import check_pattern
from jiaokan.settings.toml import read_toml
from jiaokan.system import atomic
from jiaokan.system.xslt import transform_by
from jiaokan.tei.parse import from_tei
from jiaokan.tei.tree import beginning, parse
from jiaokan.tei.views import source_text
from tests.browsing import SAMPLE

pytestmark = pytest.mark.thorough

SCAFFOLD = Path(__file__).parent / "cases/example"


def jiaokan(*arguments: object) -> tuple[int, str]:
    result = CliRunner().invoke(cli, [str(argument) for argument in arguments])
    assert isinstance(result.exception, SystemExit | None), result.exception
    assert "Traceback" not in result.output
    return result.exit_code, result.output


@pytest.fixture
def demo(tmp_path: Path) -> Path:
    return Path(shutil.copytree(SCAFFOLD, tmp_path / "demo"))


@given(st.text())
def test_nothing_visible_commands_a_terminal_and_the_rest_stays(text: str) -> None:
    shown = visible(text)
    assert not any(c in shown for c in "\x00\x1b\x7f\x9b\r\u202e\u2066\u200f\u2028")
    assert visible(shown) == shown
    assert text.isprintable() is False or shown == text


def test_an_escape_in_a_file_s_name_is_shown(tmp_path: Path) -> None:
    code, said = jiaokan("validate", tmp_path / "a\x1b[31m\u202e.xml")
    assert code == 2
    assert "\x1b" not in said and "\u202e" not in said


def test_no_module_of_the_command_line_prints_past_the_one_function() -> None:
    home = Path(__file__).parents[1] / "pipeline/jiaokan/cli"
    for path in home.glob("*.py"):
        text = path.read_text(encoding="utf-8")
        past = any(each in text for each in ("click.echo(", " Console(", " print("))
        assert path.name == "_terminal.py" or not past, path


def test_brackets_in_a_title_are_no_markup(demo: Path) -> None:
    catalog = demo / "tei/catalog.toml"
    text = catalog.read_text(encoding="utf-8")
    catalog.write_text(text.replace('title = "论语集注"', 'title = "[/注][red]:smile:"'), encoding="utf-8")
    (demo / "tei/editions/lunyu.toml").unlink()
    code, said = jiaokan("build", demo, "-j", 1)
    assert code in (0, 1), said
    assert "[/注][red]:smile:" in said


@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EROFS, errno.EACCES, errno.EIO])
def test_what_the_disk_refuses_is_one_message_and_leaves_no_part(
    demo: Path, number: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(_: int) -> None:
        raise OSError(number, os.strerror(number))  # as the system does: of a descriptor it knows no name

    monkeypatch.setattr(atomic.os, "fsync", refuse)
    code, said = jiaokan("build", demo, "-j", 1)
    assert code == 2
    assert f"Error: {demo}/" in said and os.strerror(number) in said
    assert not list(demo.rglob("*.part"))


ODD_NAMES = ["con", "assets", "%00", "a b", ".", "a\x1b[31mb", "a\ufffeb", "a\u202eb", "\udcff", "a\nb", "a'\"<&>"]


def test_what_files_are_called_commands_nothing_and_is_in_no_text(tmp_path: Path) -> None:
    files = [tmp_path / f"{stem}.xml" for stem in (ODD_NAMES if os.name == "posix" else ODD_NAMES[1:4])]
    for file in files:
        file.write_text(
            '<TEI xmlns="http://www.tei-c.org/ns/1.0"><teiHeader/><text><body><div><p>一</p></div></body></text></TEI>',
            encoding="utf-8",
        )
        code, said = jiaokan("convert", file, "--reader", "tei")
        assert code == 0, said
    assert jiaokan("init", tmp_path / "made", "--from", files[-1])[0] == 0
    site = tmp_path / "site"
    assert jiaokan("html", *files, "--out", site)[0] == 0
    kept = {each.name for each in site.iterdir() if each.is_dir()} - RESERVED
    assert len(kept) == len(files) and all(visible(name) == name for name in kept) and "con" not in kept
    assert not any(sign in path.read_text(encoding="utf-8") for path in site.rglob("*.html") for sign in "\x1b\u202e")


def test_titles_with_marks_of_direction_begin_an_edition_without_them(tmp_path: Path) -> None:
    text = "甲\u202e書\n\n卷一\u202e\n一二三四五六七八\n卷二\n一二三四五六七八\n"
    (tmp_path / "a.txt").write_text(text, encoding="utf-8")
    assert jiaokan("init", tmp_path / "made", "--from", tmp_path / "a.txt")[0] == 0
    assert "\u202e" not in (tmp_path / "made/tei/catalog.toml").read_text(encoding="utf-8")
    assert jiaokan("build", tmp_path / "made")[0] == 0


@pytest.mark.parametrize("command", ["read", "html", "pdf", "validate", "collate"])
@pytest.mark.parametrize("depth", [DEPTH + 1, 3 * DEPTH, 10 * DEPTH, 50 * DEPTH])
def test_one_limit_of_depth_for_every_stage(command: str, depth: int, tmp_path: Path) -> None:
    inner = "<note>" * (depth - 5) + "注" + "</note>" * (depth - 5)
    (tmp_path / "deep.xml").write_text(
        '<TEI xmlns="http://www.tei-c.org/ns/1.0" xml:id="x"><teiHeader/><text><body><div type="pian" n="1">'
        f"<ab>{inner}</ab></div></body></text></TEI>", encoding="utf-8",
    )
    out = ["--out", tmp_path / "made"] if command in ("html", "pdf") else []
    code, said = jiaokan(command, tmp_path / "deep.xml", *out)
    assert code in (1, 2)
    assert "nested" in said and str(DEPTH) in said, said


@pytest.mark.parametrize("number", ["9" * 5000, "²", "999999999"], ids=["long", "raised", "large"])
def test_numbers_that_nobody_can_mean_take_no_memory_and_are_no_fault(number: str, tmp_path: Path) -> None:
    file = tmp_path / "numbers.xml"
    file.write_text(
        '<TEI xmlns="http://www.tei-c.org/ns/1.0"><teiHeader><fileDesc><publicationStmt>'
        f'<date when="{number}">{number}</date></publicationStmt></fileDesc></teiHeader><text><body>'
        f'<div n="{number}" type="pian"><milestone unit="juan" n="{number}"/><pb n="{number}"/><p n="{number}">甲'
        f'<space quantity="{number}" unit="chars" rend="U+3000"/><app loc="{number}"><lem wit="#A" n="{number}">甲'
        f'</lem><rdg wit="#B">丙</rdg></app><note target="#string-range(x,{number},{number})">丁</note></p></div>'
        "</body></text></TEI>", encoding="utf-8")
    for command in (("read", file), ("validate", file), ("collate", file, "-f", "csv"), ("stats", file),
                    ("convert", file, "--apparatus", "location", "--unheld", "keep"),
                    ("convert", file, "--reader", "tei", "--chapter", f"{number}=甲")):
        assert jiaokan(*command)[0] in (0, 1, 2)


def test_as_deep_as_the_limit_is_read() -> None:
    inner = "<note>" * (DEPTH - 5) + "注" + "</note>" * (DEPTH - 5)
    tei = ('<TEI xmlns="http://www.tei-c.org/ns/1.0" xml:id="x"><teiHeader/><text><body><div type="pian" n="1">'
           f'<ab type="jing">{inner}</ab></div></body></text></TEI>')
    assert source_text(from_tei(tei.encode(), name="x")) == "注"


def test_a_file_where_a_folder_should_be_is_one_message(demo: Path) -> None:
    (demo / "build").write_text("", encoding="utf-8")
    code, said = jiaokan("build", demo)
    assert code == 2 and str(demo / "build") in said


@pytest.mark.parametrize("name", [name for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name)])
def test_a_build_that_is_ended_leaves_no_part(demo: Path, name: str) -> None:
    command = [sys.executable, "-c", "from jiaokan.cli import main; main()", "build", str(demo), "-j", "2"]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE) as process:
        made = demo / "tei/witnesses/jijie.xml"
        while not made.exists():
            assert process.poll() is None, process.stderr and process.stderr.read()
            time.sleep(0.01)
        process.send_signal(getattr(signal, name))
        assert process.wait(60) == 128 + getattr(signal, name)
        assert process.stderr and b"Traceback" not in process.stderr.read()
    assert not list(demo.rglob("*.part"))


def test_heads_of_a_table_are_guarded_as_its_cells_are() -> None:
    document = from_tei(SAMPLE, name="sample")
    names = dict.fromkeys(("benyi", "jibian"), "=1+1")
    head = next(csv.reader(io.StringIO(write(document, ExportSettings(sigla=names)))))
    assert "'=1+1" in head and not any(each[:1] in "=+-@" for each in head if each)
    assert cell("-") == "'-" and cell("注") == "注" and cell("") == ""
    for first in "=+-@\t\n\r＝＋－＠﹦﹢﹣﹫":
        assert cell(f"{first}1+1") == f"'{first}1+1"


@pytest.mark.parametrize("pattern", ["(", "[[a]", "a)", "(?P<a", "甲{2,1}"])
def test_faulty_patterns_are_refused(pattern: str) -> None:
    with pytest.raises(ValueError, match="invalid pattern"):
        check_pattern(pattern)


@pytest.mark.parametrize("pattern", [
    "右(?P<title>[^【】]{1,9})(?:【[^】]*】)*",
    "凡[一二]+条.*|附.*", "(?:甲|乙丙)?", "", "甲()", "(?:甲?乙)*", "甲{9,}",
])
def test_patterns_of_books_are_taken(pattern: str) -> None:
    assert check_pattern(pattern) == pattern


@pytest.mark.parametrize("reading", [
    "doc('{0}')", "document('{0}')", "unparsed-text('{0}')", "unparsed-text-lines('{0}')", "collection('{0}')",
    "json-doc('{0}')", "function-lookup(xs:QName('fn:doc'), 1)('{0}')",
])
def test_a_stylesheet_of_strangers_reads_no_file(reading: str, tmp_path: Path) -> None:
    (tmp_path / "secret.xml").write_text("<a>secret</a>", encoding="utf-8")
    select = reading.format((tmp_path / "secret.xml").as_uri())
    sheet = f"""<xsl:stylesheet version="3.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform"
 xmlns:xs="http://www.w3.org/2001/XMLSchema"><xsl:template match="/"><o><xsl:value-of select="{select}"/></o>
</xsl:template></xsl:stylesheet>"""
    with pytest.raises(RenderError):
        transform_by(sheet, b"<a/>", name="strange.sch")


@pytest.mark.parametrize("imported", ['#import "@preview/a:0.3.0"', '#let p = "@pre" + "view/a:0.3.0"\n#import p'])
def test_a_press_fetches_nothing(imported: str, tmp_path: Path) -> None:
    press = tmp_path / "edition.typ"
    press.write_text(imported, encoding="utf-8")
    with pytest.raises(JiaokanError, match="a build asks no network"):
        typeset(imports("edition", press) + "x", OutputSettings(press=press), ())


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be", "utf-32-le", "utf-32-be", "cp037"])
def test_entities_do_not_hide_in_an_encoding_that_only_shows_by_its_look(encoding: str) -> None:
    laughs = "".join(f'<!ENTITY a{n} "{f"&a{n - 1};" * 10}">' for n in range(1, 9))
    text = f'<?xml version="1.0"?><!DOCTYPE TEI [<!ENTITY a0 "aaaaaaaaaa">{laughs}]><TEI n="&a8;"/>'
    for read in (lambda data: parse(data, name="x"), lambda data: beginning(data, name="x")):
        with pytest.raises(TeiError):
            read(text.encode(encoding))


@pytest.mark.parametrize("href", ["http://[", "http://[x/y", "%00.rng", "//[", "x" * 5000])
def test_a_schema_whose_address_is_none_is_told(href: str, tmp_path: Path) -> None:
    text = (Path(__file__).parent / "cases/tei/others/parallel.xml").read_text(encoding="utf-8")
    (tmp_path / "a.xml").write_text(f'<?xml-model href="{href}"?>{text[text.index("<TEI"):]}', encoding="utf-8")
    code, said = jiaokan("validate", tmp_path / "a.xml")
    assert code == 1 and "is not available" in said, said


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="Windows has no pipes in folders")
@pytest.mark.parametrize("name", ["catalog.toml", "persons.toml", "sources/jijie.txt", "decisions/lemmas.toml"])
def test_pipes_devices_and_links_in_a_circle_are_not_waited_for(demo: Path, name: str) -> None:
    path = demo / "tei" / name
    for make in (os.mkfifo, lambda path: path.symlink_to("/dev/zero"), lambda path: path.symlink_to(path)):
        path.unlink(missing_ok=True)
        make(path)
        code, said = jiaokan("build", demo, "-j", 1)
        assert code == 2 and name in said and re.search("neither a file|to itself|no edition folder", said), said


def test_a_bundle_has_nothing_from_outside_of_the_folder(demo: Path, tmp_path: Path) -> None:
    (tmp_path / "secret").write_text("secret", encoding="utf-8")
    (demo / "tei/decisions/notes.toml").symlink_to(tmp_path / "secret")
    with pytest.raises(JiaokanError, match="leads out of the edition folder"):
        catalogs.load(demo)
    (demo / "tei/decisions/notes.toml").unlink()
    catalog = catalogs.load(demo)
    (demo / "tei/decisions/notes.toml").symlink_to(tmp_path / "secret")  # after its settings are read
    with pytest.raises(JiaokanError, match="outside of the folder"):
        bundle.settings(catalog, [*catalog.editions.values()])


@pytest.mark.parametrize("name", ["catalog.toml", "persons.toml", "sources/jijie.txt", "sources", "conventions",
                                  "decisions/lemmas.toml", "decisions/far/away"])
@pytest.mark.parametrize("shape", ["absolute", "relative", "chain"])
def test_links_out_of_the_folder_are_not_read(demo: Path, tmp_path: Path, name: str, shape: str) -> None:
    path, outside = demo / "tei" / name, tmp_path / "outside"
    path.parent.mkdir(parents=True, exist_ok=True)
    shutil.move(path, outside) if path.exists() else outside.write_text("secret", encoding="utf-8")
    target = Path(os.path.relpath(outside, path.parent)) if shape == "relative" else outside
    if shape == "chain":
        (demo / "tei" / "next").symlink_to(outside)
        target = demo / "tei" / "next"
    path.symlink_to(target)
    with pytest.raises(CatalogError, match="this link leads out of the edition folder"):
        catalogs.load(demo)


@pytest.mark.parametrize("name", ["persons.toml", "sources/jijie.txt", "sources", "conventions"])
def test_links_inside_the_folder_are_read(demo: Path, name: str) -> None:
    path = demo / "tei" / name
    (demo / "tei" / "store").mkdir()
    shutil.move(path, demo / "tei" / "store" / path.name)
    path.symlink_to(Path(os.path.relpath(demo / "tei" / "store" / path.name, path.parent)))
    (demo / "tei" / "round").symlink_to(demo / "tei")  # a link to the folder that it is in
    catalog = catalogs.load(demo)
    assert catalog.persons and all(catalog.path(entry).read_bytes() for entry in catalog.sources.values())


def test_a_source_above_the_folder_is_refused(demo: Path, tmp_path: Path) -> None:
    (tmp_path / "secret.txt").write_text("secret", encoding="utf-8")
    path = demo / "tei" / "catalog.toml"
    away = Path(os.path.relpath(tmp_path / "secret.txt", demo / "tei")).as_posix()
    path.write_text(path.read_text(encoding="utf-8").replace("sources/jijie.txt", away), encoding="utf-8")
    with pytest.raises(CatalogError, match="lies outside the edition's folder"):
        catalogs.load(demo)


def test_init_reads_no_link_out_of_a_folder(tmp_path: Path) -> None:
    (tmp_path / "texts").mkdir()
    (tmp_path / "secret.txt").write_text("學而第一\n子曰學而時習之\n", encoding="utf-8")
    link = tmp_path / "texts" / "a.txt"
    link.symlink_to(Path("..") / "secret.txt")
    code, said = jiaokan("init", tmp_path / "e", "--from", tmp_path / "texts")
    assert code == 2 and "leads out of the folder" in said and "a.txt" in said and not (tmp_path / "e").exists(), said
    code, said = jiaokan("init", tmp_path / "e", "--from", link)  # the user named it
    assert code == 0, said


def test_toml_that_is_nested_without_end_is_refused_at_once(tmp_path: Path) -> None:
    for text in (".".join(["a"] * 200_000) + " = 1", "[" + ".".join(["a"] * 200_000) + "]", "a = " + "[" * 9000):
        (tmp_path / "deep.toml").write_text(text, encoding="utf-8")
        with pytest.raises(CatalogError, match="nested more than"):
            read_toml(tmp_path / "deep.toml")


def test_a_word_file_that_is_a_bomb_is_not_unpacked(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "bomb.docx", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("word/document.xml", f"<w>{'<p/>' * 5_000_000}</w>")
    code, said = jiaokan("convert", tmp_path / "bomb.docx", "-o", tmp_path / "made.xml")
    assert code == 2 and "nearly empty" in said, said


@pytest.mark.parametrize("name", ["a\nb: all kept.txt", "\n\nNext: x.txt", "a\r\n\x1b[2Kb.txt"])
def test_the_report_of_init_shows_the_name_of_a_file_in_one_line(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_text("子曰學而時習之不亦說乎\n", encoding="utf-8")
    report = jiaokan("init", tmp_path / "made", "-v", "--from", tmp_path / name)[1]
    lines = report.splitlines()
    assert any("\\n" in line and line.endswith(")") for line in lines)
    assert not any(line.startswith(("b: all", "Next: x")) for line in lines)
