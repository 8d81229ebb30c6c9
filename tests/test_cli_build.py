"""`jiaokan build` on the folder that `init` makes: what it tells, and what it makes again after which change."""

from __future__ import annotations

import hashlib
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from jiaokan.cli import cli
from jiaokan.decisions.characters import load_substitutes

pytestmark = pytest.mark.long

ROOT = Path(__file__).parents[1]


def jiaokan(*arguments: object) -> Result:
    return CliRunner().invoke(cli, [str(argument) for argument in arguments])


def made(folder: Path) -> set[str]:
    """Build; give the names of the steps that were done, without checks and copies."""
    told = jiaokan("build", folder)
    assert told.exit_code == 0, told.output
    names = {line.partition("] ")[2] for line in told.stderr.splitlines() if line.startswith("[")}
    return {name for name in names if not name.startswith(("check", "copy"))}


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The example, built."""
    folder = tmp_path_factory.mktemp("demo") / "demo"
    assert jiaokan("init", folder).exit_code == 0
    assert made(folder) == {
        "read jijie", "read yishu", "read jizhu", "collate lunyu", "quote",
        "prepare lunyu", "prepare jizhu", "html lunyu", "html jizhu",
        "book lunyu", "book jizhu", "pdf lunyu", "pdf jizhu", "site",
    }
    return folder


def test_a_pdf_that_cannot_be_made_keeps_nothing_else_from_being_made(demo: Path, tmp_path: Path) -> None:
    folder = tmp_path / "demo"
    shutil.copytree(demo, folder)
    plan = folder / "tei" / "editions" / "lunyu.toml"
    said = plan.read_text(encoding="utf-8").partition("[print]")[0]
    plan.write_text(f'{said}\n[print]\nfonts = ["fonts/none.otf"]\n', encoding="utf-8")
    (folder / "fonts").mkdir()
    (folder / "fonts/none.otf").write_text("no font", encoding="utf-8")
    told = jiaokan("build", folder)
    assert told.exit_code == 1
    assert "`pdf lunyu` was not made" in told.output
    assert "none.otf" in told.output
    assert not (folder / "build/pdf/lunyu.pdf").exists()
    assert not (folder / "build/html/files/lunyu.pdf").exists()
    for name in ("lunyu", "jizhu"):
        pages = "".join(path.read_text(encoding="utf-8") for path in (folder / "build/html" / name).glob("*.html"))
        assert (f'href="../files/{name}.pdf"' in pages) == (name == "jizhu")
    assert (folder / "build/pdf/jizhu.pdf").exists()
    assert (folder / "build/html/index.html").exists()


def test_rows_for_characters_without_a_font(demo: Path, tmp_path: Path) -> None:
    folder = tmp_path / "demo"
    shutil.copytree(demo, folder)
    assert jiaokan("doctor", folder, "--print-toml").output.strip() == "# nothing to decide"
    tei = folder / "tei" / "editions" / "lunyu.xml"
    tei.write_text(tei.read_text(encoding="utf-8").replace("</seg>", "𩙪𠀀</seg>", 1), encoding="utf-8")
    path = folder / "tei" / "decisions" / "print.toml"
    path.parent.mkdir(exist_ok=True)
    path.write_text(jiaokan("doctor", folder, "--print-toml").output, encoding="utf-8")
    assert {char: each.standard for char, each in load_substitutes(path).items()} == {"𩙪": "颷", "𠀀": "〓"}
    assert "2 characters in no font" in jiaokan("doctor", folder).output


def test_the_table(demo: Path) -> None:
    told = jiaokan("build", demo)
    lines = told.stdout.splitlines()
    assert "apparatus entries by class" in lines[0]
    row = next(line for line in lines if line.startswith("lunyu"))
    for word in ("论语", "edition", "Substantive"):
        assert word in row
    for output in ("tei/editions/lunyu.xml", "build/html/lunyu/index.html", "build/pdf/lunyu.pdf"):
        assert str(demo / output) in told.stdout
    assert "nothing had to be made" in told.stdout
    opened = told.stdout.rpartition("Open:\n")[2].split()
    assert [Path(each).name for each in opened] == ["index.html", "jizhu.pdf", "lunyu.pdf"]
    assert all(Path(each).is_file() for each in opened)
    assert str(demo / "build/html/index.html") in told.stdout


def test_the_example_has_what_it_is_for(demo: Path) -> None:
    """Variants of three classes, notes of several works on one unit."""
    edition = (demo / "tei/editions/lunyu.xml").read_text(encoding="utf-8")
    for lemma, reading in (("弟", "悌"), ("说", "悦")):
        assert f">{lemma}</lem>" in edition
        assert f">{reading}</rdg>" in edition
    assert "#var-addition" in edition or "#var-omission" in edition  # 言而不信, 鲜矣有仁
    for speaker in ("marong", "baoxian", "heyan", "zhuxi", "chengyi"):
        assert f'resp="#{speaker}"' in edition


def test_a_step_reads_nothing_that_it_does_not_declare(demo: Path) -> None:
    """Else a change of it would go unnoticed. Each step is done once more while Python reports what it opens.

    A folder is opened only to have its names put on the disk; to list one opens nothing.
    """
    code = f"""
import sys
from pathlib import Path
from jiaokan.build.stages import steps
from jiaokan.build.work import perform
from jiaokan.settings.catalog import load
root, opened = Path({str(demo.resolve())!r}), set()
def hook(event, arguments):
    if event == "open" and isinstance(arguments[0], str):
        path, mode = Path(arguments[0]).absolute(), arguments[1] or "r"
        if path.is_relative_to(root) and "r" in mode and not path.name.endswith(".part") and not path.is_dir():
            opened.add(path)
catalog = load(root)
sys.addaudithook(hook)
for step in steps(catalog, root / "build"):
    opened.clear()
    perform(step, catalog)
    declared = (*step.inputs, *step.outputs)
    for path in sorted(opened):
        if not any(path == each or each in path.parents for each in declared) and ".part" not in str(path):
            print(step.name, "reads", path)
"""
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (0, ""), done.stdout + done.stderr


def test_one_source_changed(demo: Path) -> None:
    source, catalog = demo / "tei/sources/jizhu.txt", demo / "tei/catalog.toml"
    before = hashlib.sha256(source.read_bytes()).hexdigest()
    source.write_text(source.read_text(encoding="utf-8").replace("鲜矣仁", "鮮矣仁"), encoding="utf-8")
    after = hashlib.sha256(source.read_bytes()).hexdigest()
    catalog.write_text(catalog.read_text(encoding="utf-8").replace(before, after), encoding="utf-8")
    assert made(demo) == {
        "read jizhu", "collate lunyu", "quote", "prepare lunyu", "prepare jizhu", "html lunyu", "html jizhu",
        "book lunyu", "book jizhu", "pdf lunyu", "pdf jizhu", "site",
    }
    assert made(demo) == set()


def test_print_settings_concern_the_outputs_of_one_edition(demo: Path) -> None:
    plan = demo / "tei/editions/jizhu.toml"
    plan.write_text(plan.read_text(encoding="utf-8").replace('paper = "a5"', 'paper = "a4"'), encoding="utf-8")
    assert made(demo) <= {"html jizhu", "book jizhu", "pdf jizhu", "site"}  # the site has copies of the PDFs


def test_outputs_that_were_changed_are_made_again(demo: Path) -> None:
    font = next((demo / "build/html/assets").glob("*.woff*"))
    good = font.read_bytes()
    font.write_bytes(b"tampered")
    (demo / "build/html/jizhu/index.html").unlink()
    (demo / "tei/witnesses/yishu.xml").write_text("tampered", encoding="utf-8")
    assert made(demo) == {"site", "read yishu"}  # the site takes the pages that it lost from where they were made
    assert font.read_bytes() == good


def test_what_was_kept_for_the_next_build_is_made_again_whatever_became_of_it(demo: Path) -> None:
    pages = demo / "build/.cache/html/jizhu"
    (pages / ".jiaokan").unlink()
    assert made(demo) == {"html jizhu"}
    (pages / ".jiaokan").unlink()
    (demo / "build/.cache/build.json").write_text("[", encoding="utf-8")
    font = next((demo / "build/html/assets").glob("*.woff"))
    good = font.read_bytes()
    font.write_bytes(b"tampered")
    assert "site" in made(demo)
    assert font.read_bytes() == good


def test_a_folder_that_is_not_there_is_not_the_one_round_it(demo: Path) -> None:
    for command in (("build",), ("stats",), ("read", "lunyu", "1.1", "-C")):
        done = jiaokan(*command, demo / "typo")
        assert done.exit_code == 2
        assert "folder not found" in done.stderr


def test_a_folder_is_validated_without_what_its_build_made(demo: Path) -> None:
    (demo / ".hidden").mkdir()
    (demo / ".hidden/x.xml").write_text("<x/>", encoding="utf-8")
    assert "4 files checked, 0 findings" in jiaokan("validate", demo).stderr
    assert jiaokan("validate", demo / "build/html/dts").exit_code == 1  # parts for other programs: asked for by name


def test_an_edition_taken_out_takes_its_outputs_along(demo: Path) -> None:
    (demo / "tei/editions/jizhu.toml").unlink()
    assert made(demo) == {"quote", "site"}  # what is quoted is looked for in the texts that are left
    assert not (demo / "build/html/jizhu").exists()
    assert not (demo / "build/pdf/jizhu.pdf").exists()


def test_outputs_may_go_elsewhere(demo: Path, tmp_path: Path) -> None:
    assert jiaokan("build", demo, "--out", tmp_path / "out").exit_code == 0
    assert (tmp_path / "out/html/index.html").exists()
