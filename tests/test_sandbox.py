"""The sandbox: what it keeps out of, and that what may be checked is checked as without it."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.amount import some_of

ROOT = Path(__file__).parents[1]
SOURCES = str(ROOT / "pipeline")
SAMPLE = ROOT / "tests/cases/tei/sample.xml"
OTHERS = ROOT / "tests/cases/tei/others"


def validate(folder: Path, *arguments: object) -> subprocess.CompletedProcess[str]:
    """Run `jiaokan validate` in a folder, as a process: one that is confined stays so."""
    command = [sys.executable, "-c", "from jiaokan.cli import main; main()", "validate", *map(str, arguments)]
    environment = {**os.environ, "PYTHONPATH": SOURCES, "JIAOKAN_CACHE": str(folder / "cache")}
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, encoding="utf-8", check=False)


def confined(folder: Path, *arguments: object) -> subprocess.CompletedProcess[str]:
    """The same with `--sandbox`."""
    return validate(folder, "--sandbox", *arguments)


def attempt(folder: Path, code: str) -> str:
    """What a confined process says to a line of Python."""
    program = (
        "from pathlib import Path\nfrom jiaokan.system.sandbox import around, confine\n"
        f"confine(around([Path('.')], keeps=[Path('kept')]))\ntry:\n    {code}\n    print('done')\n"
        "except PermissionError as error:\n    print('refused', error)\n"
    )
    done = subprocess.run([sys.executable, "-c", program], cwd=folder, env={**os.environ, "PYTHONPATH": SOURCES},
                          capture_output=True, encoding="utf-8", check=False)
    return done.stdout.strip() or done.stderr


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with a file to read, a folder to write in, and a secret beside it."""
    (tmp_path / "secret.xml").write_text("<a>secret</a>", encoding="utf-8")
    made = tmp_path / "work"
    (made / "kept").mkdir(parents=True)
    (made / "mine.txt").write_text("mine", encoding="utf-8")
    (made / "away.xml").symlink_to(tmp_path / "secret.xml")
    return made


@pytest.mark.parametrize("code", [
    "open('../secret.xml').read()", "open('away.xml').read()", "open('/etc/passwd').read()",
    "open('mine.txt', 'w')", "Path('new.txt').touch()", "Path('mine.txt').unlink()",
    "Path('mine.txt').rename('kept/a')",
    "Path('..').iterdir().__next__()", "__import__('os').mkdir('made')", "__import__('os').system('true')",
    "__import__('subprocess').run(['true'])", "__import__('socket').create_connection(('127.0.0.1', 9))",
    "__import__('socket').getaddrinfo('example.org', 80)",
    "__import__('urllib.request').request.urlopen('http://[::1]/')",
])
def test_what_is_refused(folder: Path, code: str) -> None:
    assert attempt(folder, code).startswith("refused")


@pytest.mark.starts
@pytest.mark.parametrize("code", [
    "open('mine.txt').read()", "open('kept/new.txt', 'w').close()", "list(Path('.').iterdir())",
    "__import__('tempfile').TemporaryFile().close()", "__import__('sqlite3')",
    "__import__('subprocess').run([__import__('sys').executable, '-c', 'pass'], check=True)",
])
def test_what_is_allowed(folder: Path, code: str) -> None:
    assert attempt(folder, code) == "done"


@pytest.mark.thorough
def test_files_are_checked_as_without_it(folder: Path) -> None:
    for path in [SAMPLE, *OTHERS.glob("*.xml")]:
        (folder / path.name).write_bytes(path.read_bytes())
    (folder / "away.xml").unlink()
    wrong = SAMPLE.read_bytes().replace(b"<head ", b"<haed ", 1).replace(b"</head>", b"</haed>", 1)
    (folder / "wrong.xml").write_bytes(wrong)
    said = confined(folder, ".", "--format", "json", "--jobs", 2)
    assert said.returncode == 1, said.stderr
    assert "haed" in said.stdout
    shutil.rmtree(folder / "cache")
    assert json.loads(said.stdout) == json.loads(validate(folder, ".", "--format", "json").stdout)


GRAMMAR = """<grammar xmlns="http://relaxng.org/ns/structure/1.0"><include href="{}"/></grammar>"""
RULES = """<schema xmlns="http://purl.oclc.org/dsdl/schematron" queryBinding="xslt2"><pattern><rule context="/*">
<report test="true()"><value-of select="doc('{}')"/></report></rule></pattern></schema>"""
TYPES = """<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema"><xs:include schemaLocation="{}"/></xs:schema>"""


@pytest.mark.parametrize(("name", "schema"), some_of((("a.rng", GRAMMAR), ("a.sch", RULES), ("a.xsd", TYPES)), 2))
def test_a_schema_reads_no_file_outside(folder: Path, name: str, schema: str) -> None:
    """Each kind by the address of the file, and from beside itself."""
    for href in ((folder.parent / "secret.xml").as_uri(), "../secret.xml"):
        (folder / name).write_text(schema.format(href), encoding="utf-8")
        (folder / "given.xml").write_bytes(SAMPLE.read_bytes())
        said = confined(folder, "given.xml", "--schema", name)
        assert said.returncode in (1, 2), said.stdout
        assert ">secret" not in said.stdout + said.stderr and "secret<" not in said.stdout + said.stderr
        assert "Traceback" not in said.stderr and "internal error in jiaokan" not in said.stderr, said.stderr


def test_a_file_that_names_others_reads_none_of_them(folder: Path) -> None:
    sample = SAMPLE.read_text(encoding="utf-8")
    included = '<p><xi:include xmlns:xi="http://www.w3.org/2001/XInclude" href="../secret.xml"/></p></body>'
    (folder / "a.xml").write_text(sample.replace("</body>", included), encoding="utf-8")
    other = (OTHERS / "parallel.xml").read_text(encoding="utf-8")
    (folder / "b.xml").write_text(f'<?xml-model href="../secret.xml"?>\n{other}', encoding="utf-8")
    said = confined(folder, "a.xml", "b.xml")
    assert said.returncode in (1, 2)
    assert "secret</a>" not in said.stdout + said.stderr and "internal error in jiaokan" not in said.stderr, said.stderr
    assert "outside" in said.stdout
