"""Fonts of scripts as packages: fetched, checked by their hash, found by print and website."""

from __future__ import annotations

import hashlib
import tarfile
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path

import pytest
from click.testing import CliRunner
from fontTools.fontBuilder import FontBuilder
from fontTools.ttLib.tables._g_l_y_f import Glyph

from jiaokan.characters.writing import FontPackage, scripts
from jiaokan.cli import cli
from jiaokan.errors import RenderError
from jiaokan.outputs.print import font_packages
from jiaokan.outputs.print.fonts import added_folder, face, installed, packages_for, system_fonts


def woff(letters: str) -> bytes:
    names = [".notdef", *(f"u{ord(letter):04X}" for letter in letters)]
    built = FontBuilder(1000, isTTF=True)
    built.setupGlyphOrder(names)
    built.setupCharacterMap({ord(letter): name for letter, name in zip(letters, names[1:], strict=True)})
    built.setupGlyf({name: Glyph() for name in names})
    built.setupHorizontalMetrics(dict.fromkeys(names, (500, 0)))
    built.setupHorizontalHeader(ascent=800, descent=-200)
    built.setupNameTable({"familyName": "Noto Sans Gothic", "styleName": "Regular"})
    built.setupOS2()
    built.setupPost()
    built.font.flavor = "woff"
    data = BytesIO()
    built.font.save(data)
    return data.getvalue()


def archive(**files: bytes) -> bytes:
    data = BytesIO()
    with tarfile.open(fileobj=data, mode="w:gz") as written:
        for name, content in files.items():
            member = tarfile.TarInfo(f"package/{name}")
            member.size = len(content)
            written.addfile(member, BytesIO(content))
    return data.getvalue()


@pytest.fixture
def package(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[bytes]:
    monkeypatch.setenv("JIAOKAN_STATE", str(tmp_path / "state"))
    data = archive(**{"files/noto-sans-gothic-gothic-400-normal.woff": woff("𐌰𐌱"), "LICENSE": b"OFL"})
    pinned = FontPackage("noto-sans-gothic", "1", "gothic", hashlib.sha256(data).hexdigest())
    monkeypatch.setattr(font_packages, "offered", lambda: {"Goth": pinned})
    monkeypatch.setattr(font_packages, "urlopen", lambda *_, **__: BytesIO(data))
    yield data


@pytest.mark.usefixtures("package")
def test_an_added_font_is_used_for_letters_that_no_other_has() -> None:
    path = font_packages.add_font("Goth", added_folder())
    assert system_fonts("𐌰") == (path,) and {*face(path).unicodes} == {ord("𐌰"), ord("𐌱")}
    assert path.with_name("NotoSansGothic-Regular-LICENSE.txt").read_bytes() == b"OFL"
    assert path.read_bytes()[:4] == b"\0\1\0\0" and path == installed(scripts()["Goth"].files)


def test_another_archive_than_the_pinned_one_is_refused(
    package: bytes, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(font_packages, "urlopen", lambda *_, **__: BytesIO(package + b"\0"))
    with pytest.raises(RenderError, match="sha256"):
        font_packages.add_font("Goth", tmp_path)
    assert not [*tmp_path.glob("*.ttf")]


@pytest.mark.usefixtures("package")
def test_without_a_network_another_package_is_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    def refuse(*_: object, **__: object) -> BytesIO:
        raise OSError("no network")

    monkeypatch.setattr(font_packages, "urlopen", refuse)
    with pytest.raises(RenderError, match="no network") as raised:
        font_packages.add_font("Goth", tmp_path)
    assert "fonts-noto-core" in str(raised.value.mend)
    with pytest.raises(RenderError, match="Latn"):
        font_packages.add_font("Latn", tmp_path)


def test_what_is_missing_is_named_with_the_command_that_adds_it() -> None:
    assert "`jiaokan fonts add Ethi Syrc`" in packages_for("ሀܐ") and "fonts-noto-core" in packages_for("ሀ")


def test_each_package_is_pinned_and_listed() -> None:
    listed = CliRunner().invoke(cli, ["fonts"]).output
    for code, script in scripts().items():
        if script.fontsource:
            assert len(script.fontsource.sha256) == 64 and f"{code}  {script.fontsource.name}" in listed
            assert script.fontsource.version in script.fontsource.address
