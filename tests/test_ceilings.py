"""Each command that reads strangers' data stops at the ceiling with a message, and leaves nothing half-written."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from jiaokan.cli import cli
from jiaokan.desk import begin
from jiaokan.errors import JiaokanError
from jiaokan.system import ceiling, repository
from jiaokan.system.atomic import is_abandoned, new_folder
from jiaokan.system.ceiling import run_limited
from jiaokan.system.process import Inputs, call_within_limits
from tests.test_letters import word

HEAD = ('<TEI xmlns="http://www.tei-c.org/ns/1.0"><teiHeader><fileDesc><titleStmt><title>t</title></titleStmt>'
        '<publicationStmt><p>x</p></publicationStmt><sourceDesc><listWit><witness xml:id="A">A</witness>'
        '<witness xml:id="B">B</witness></listWit></sourceDesc></fileDesc></teiHeader><text><body><div>')
TAIL = "</div></body></text></TEI>"
ENTRY = '<p>鼎之為器也<app><lem wit="#A">足</lem><rdg wit="#B">趾</rdg></app>也</p>'
COMMANDS = {
    "init": ["init", "out", "--from", "bomb.txt"],
    "convert": ["convert", "bomb.docx", "-o", "out"],
    "html": ["html", "bomb.xml", "-o", "out"],
    "pdf": ["pdf", "bomb.xml", "-o", "out"],
    "epub": ["epub", "bomb.xml", "-o", "out"],
    "docx": ["docx", "bomb.xml", "-o", "out"],
    "collate": ["collate", "bomb.txt", "other.txt", "-f", "csv", "-o", "out"],
    "collate TEI": ["collate", "bomb.xml", "-f", "csv", "-o", "out"],
    "read": ["read", "bomb.xml", "-w", "B"],
    "stats": ["stats", "bomb.xml", "-o", "out"],
    "validate": ["validate", "--schema", "bomb.sch", "small.xml"],
}
ENDLESS_RULE = ('<schema xmlns="http://purl.oclc.org/dsdl/schematron" queryBinding="xslt3"><pattern><rule context="/*">'
                "<report test=\"string-length(string-join(for $i in 1 to 300000000 return concat('鼎鼎', $i))) gt 1\">"
                "x</report></rule></pattern></schema>")


@pytest.fixture(scope="module")
def bombs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("bombs")
    (folder / "bomb.xml").write_text(HEAD + ENTRY * 20_000 + TAIL, encoding="utf-8")
    (folder / "small.xml").write_text(HEAD + ENTRY + TAIL, encoding="utf-8")
    (folder / "bomb.txt").write_text("鼎銘第一\n" + "鼎之為器也〈足者趾也〉\n" * 100_000, encoding="utf-8")
    (folder / "other.txt").write_text("鼎銘第一\n" + "鼎之為器也〈足者趾也〉\n", encoding="utf-8")
    (folder / "bomb.docx").write_bytes(word("".join(
        f"<w:p><w:r><w:t>鼎{hash(str(n))}</w:t></w:r></w:p>" for n in range(60_000))))
    (folder / "bomb.sch").write_text(ENDLESS_RULE, encoding="utf-8")
    return folder


@pytest.mark.thorough
@pytest.mark.parametrize(("limit", "words"), [("MEMORY", "memory"), ("SECONDS", "more than [1-9][0-9]? s")])
@pytest.mark.parametrize("name", COMMANDS)
def test_a_bomb_ends_with_a_message(
    name: str, limit: str, words: str, bombs: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(bombs)
    monkeypatch.setenv(f"JIAOKAN_{limit}", {"MEMORY": "48", "SECONDS": "1"}[limit])
    before = sorted(bombs.iterdir())
    done = CliRunner().invoke(cli, COMMANDS[name])
    assert done.exit_code == 2, done.output
    assert re.search(words, done.output), done.output
    assert "Traceback" not in done.output
    assert sorted(bombs.iterdir()) == before


def test_what_was_there_before_a_bomb_stays(bombs: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(bombs)
    monkeypatch.setenv("JIAOKAN_MEMORY", "48")
    (bombs / "kept.csv").write_text("mine")
    (bombs / "site").mkdir()
    assert CliRunner().invoke(cli, ["collate", "bomb.xml", "-f", "csv", "-o", "kept.csv"]).exit_code == 2
    assert CliRunner().invoke(cli, ["html", "bomb.xml", "-o", "site"]).exit_code == 2
    assert (bombs / "kept.csv").read_text() == "mine"
    assert not list((bombs / "site").iterdir())
    (bombs / "kept.csv").unlink()
    (bombs / "site").rmdir()


XSD = ('<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema" targetNamespace="http://www.tei-c.org/ns/1.0" '
       'elementFormDefault="qualified"><xs:element name="TEI"><xs:simpleType><xs:restriction base="xs:string">'
       '<xs:pattern value="{}"/></xs:restriction></xs:simpleType></xs:element>{}</xs:schema>')
RNG = ('<element name="TEI" xmlns="http://relaxng.org/ns/structure/1.0" ns="http://www.tei-c.org/ns/1.0" '
       'datatypeLibrary="http://www.w3.org/2001/XMLSchema-datatypes"><data type="string"><param name="pattern">{}'
       "</param></data></element>")
RNC = ('default namespace = "http://www.tei-c.org/ns/1.0"\nelement TEI {{ xsd:string {{ pattern = "{}" }} }}\n')


def checked_by(schema: str, name: str, words: str, folder: Path) -> Result:
    (folder / name).write_text(schema, encoding="utf-8")
    (folder / "a.xml").write_text(f'<TEI xmlns="http://www.tei-c.org/ns/1.0">{words}</TEI>', encoding="utf-8")
    return CliRunner().invoke(cli, ["validate", "--schema", str(folder / name), str(folder / "a.xml")])


@pytest.mark.thorough
@pytest.mark.parametrize(("form", "name"), [
    (XSD, "a.xsd"), (XSD.replace("{}</xs:schema>", "<!-- xs:assert -->{}</xs:schema>"), "b.xsd"), (RNG, "a.rng"),
    (RNC, "a.rnc")])
@pytest.mark.parametrize("pattern", ["(a|aa)+[bc]", "((a|aa)+x?)+[bc]", "((a{1,9}){1,9}){1,9}[bc]"])
def test_an_endless_pattern_of_a_schema_is_named(pattern: str, form: str, name: str, tmp_path: Path) -> None:
    begun = time.process_time()
    done = checked_by(form.format(pattern, ""), name, "a" * 90, tmp_path)
    assert done.exit_code == 2 and f"{pattern!r} takes too long" in done.output, done.output
    assert time.process_time() - begun < 20


@pytest.mark.parametrize(("form", "name"), [(XSD, "a.xsd"), (RNG, "a.rng")])
@pytest.mark.parametrize(("pattern", "good", "bad"), [
    (r"[\p{L}\p{N}]+", "鼎7", "鼎 七"), (r"(\d{4}-)*\d{4}", "1999-2001", "1999-"), (r"(鼎|器)+", "鼎器", "足"),
    (r"\i\c*", "鼎-1", "-鼎"), ("a^b", "a^b", "ab"), (r"[^\p{C}\p{Z}]{1,3}", "鼎足器", "鼎足器也")])
def test_patterns_mean_what_they_meant(
    pattern: str, good: str, bad: str, form: str, name: str, tmp_path: Path
) -> None:
    assert checked_by(form.format(pattern, ""), name, good, tmp_path).exit_code == 0
    assert checked_by(form.format(pattern, ""), name, bad, tmp_path).exit_code == 1


@pytest.mark.starts
def test_a_program_prints_no_more_than_it_may(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("JIAOKAN_MEMORY", "16")
    for stream in ("stdout", "stderr"):
        program = f"import sys\nwhile True: sys.{stream}.write('x' * 99999)"
        with pytest.raises(JiaokanError, match="prints more than 4 MB"):
            run_limited([sys.executable, "-c", program], os.environ)
    done = run_limited([sys.executable, "-c", "import sys; print(len(sys.stdin.read()))"], os.environ, b"x" * 999_999)
    assert done.stdout.split() == [b"999999"]
    with pytest.raises(JiaokanError, match="more than 1 s"):
        run_limited([sys.executable, "-c", "while True: pass"], os.environ, limit=1)


def test_a_process_that_waits_for_others_is_not_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """On a busy machine a second of work takes several by the clock; a process that waits forever ends, too."""
    monkeypatch.setenv("JIAOKAN_SECONDS", "1")
    assert call_within_limits(Inputs("a.txt", 0), time.sleep, 1.5) is None
    done = run_limited([sys.executable, "-c", "import time; time.sleep(1.5); print(7)"], os.environ)
    assert done.stdout.split() == [b"7"]
    monkeypatch.setattr(ceiling, "PATIENCE", 2)
    with pytest.raises(JiaokanError, match="more than 2 s"):
        call_within_limits(Inputs("a.txt", 0), time.sleep, 60)


@pytest.mark.starts
@pytest.mark.parametrize("sign", [signal.SIGKILL, signal.SIGTERM])
def test_a_process_ended_by_others_is_not_said_to_lack_memory(
    sign: signal.Signals, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(JiaokanError, match="ended from outside"):
        call_within_limits(Inputs("a.txt", 0), signal.raise_signal, sign)
    monkeypatch.setattr(ceiling, "_NEAR", 0)
    monkeypatch.setattr(ceiling, "own_peak", lambda: -1)
    with pytest.raises(JiaokanError, match="more than 1 GB of memory"):
        call_within_limits(Inputs("a.txt", 0), signal.raise_signal, sign)


def test_a_tree_that_contains_itself_many_times_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Ten trees of ten: a hundred objects of git, and ten thousand million names."""
    def run(*arguments: str, data: str = "") -> str:
        return subprocess.run(["git", "-C", str(tmp_path), *arguments], input=data, capture_output=True, text=True,
                              check=True).stdout.strip()

    run("init", "-q")
    name, kind = run("hash-object", "-w", "--stdin", data="鼎"), "100644 blob"
    for _ in range(10):
        name, kind = run("mktree", data="".join(f"{kind} {name}\tf{n}.txt\n" for n in range(10))), "040000 tree"
    monkeypatch.setenv("JIAOKAN_MEMORY", "64")
    with pytest.raises(JiaokanError, match="git prints more than 16 MB"):
        repository.texts(tmp_path, name)


MANY = "鼎銘第一\n" + "鼎之為器也〈足者趾也〉\n" * 20_000


def test_killed_while_it_writes_nothing_is_left_that_hinders(tmp_path: Path) -> None:
    """The child ends with its parent; the next start removes what the killed one left, and nothing else."""
    (tmp_path / "a.txt").write_text(MANY, encoding="utf-8")
    (tmp_path / ".jiaokan-notes.part").mkdir()
    running = subprocess.Popen([sys.executable, "-m", "jiaokan.cli", "init", "new", "--from", "a.txt"], cwd=tmp_path,
                               stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    while running.poll() is None and not list(tmp_path.glob(".jiaokan-*-*.part/new/*")):
        time.sleep(0.005)
    running.send_signal(signal.SIGKILL)
    assert running.wait() == -signal.SIGKILL
    left, = tmp_path.glob(".jiaokan-*-*.part")
    assert is_abandoned(left) and not (tmp_path / "new").exists()
    (tmp_path / "a.txt").write_text("鼎銘第一\n鼎之為器也\n", encoding="utf-8")
    with new_folder(tmp_path / "other"):
        pass
    assert sorted(path.name for path in tmp_path.iterdir()) == [".jiaokan-notes.part", "a.txt", "other"]


_LATE = r"""import os, signal, sys, time
from jiaokan.system.process import workers
begin = "import time; print(end='.', flush=1); time.sleep(1)\nfrom jiaokan.system.process import serve_alone as s; s()"
if __name__ == "__main__":
    pool = workers(1, exec, begin)
    pool.submit(time.sleep, 0)
    sys.stdin.readline()
    os.kill(os.getpid(), signal.SIGKILL)
"""


def test_a_worker_that_begins_when_its_parent_is_killed_ends() -> None:
    """It keeps what it writes to open: whoever reads it would wait for ever."""
    with subprocess.Popen([sys.executable, "-c", _LATE], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                          env={**os.environ, "PYTHONPATH": str(Path(__file__).parents[1] / "pipeline")}) as process:
        assert process.stdout and process.stdout.read(1) == b"."
        assert process.communicate(b"\n", timeout=60)[0] == b""


@pytest.mark.parametrize("there", [False, True])
def test_a_killed_child_leaves_nothing(there: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    files = {"tei/catalog.toml": b"x" * 10, "tei/a.txt": b""}
    if there:
        (tmp_path / "new").mkdir()
    monkeypatch.setattr(begin, "_create", _kill)
    with pytest.raises(JiaokanError):
        begin.create_all(tmp_path / "new", files)
    assert [*tmp_path.rglob("*")] == ([tmp_path / "new"] if there else [])


def _kill(folder: Path, _files: object) -> list[str]:
    (folder / "half").write_text("x")
    os.kill(os.getpid(), signal.SIGKILL)
    return []


@pytest.mark.thorough
@pytest.mark.parametrize("command", [["init", "out", "--from", "other.txt"], ["html", "small.xml", "-o", "out"],
                                     ["collate", "small.xml", "-f", "json", "-o", "out"]])
def test_a_full_disk_leaves_nothing(command: list[str], bombs: Path, tmp_path: Path) -> None:
    for name in ("other.txt", "small.xml"):
        (tmp_path / name).write_bytes((bombs / name).read_bytes())
    full = f"ulimit -f 0; trap '' XFSZ; exec {sys.executable} -m jiaokan.cli " + " ".join(command)
    done = subprocess.run(["bash", "-c", full], cwd=tmp_path, capture_output=True, text=True, check=False,
                          env={**os.environ, "PYTHONDONTWRITEBYTECODE": "1", "JIAOKAN_CACHE": str(tmp_path / "cache")})
    assert done.returncode == 2 and "Traceback" not in done.stderr, done.stderr
    assert sorted(path.name for path in tmp_path.iterdir() if path.name != "cache") == ["other.txt", "small.xml"]
