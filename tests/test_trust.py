"""Opening, building or checking a stranger's folder changes nothing outside it and runs nothing that lies in it."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from contextlib import suppress
from hashlib import sha256
from itertools import product
from pathlib import Path
from time import process_time

import msgspec
import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

from jiaokan.build import build
from jiaokan.cli import cli
from jiaokan.decisions.filing import writing
from jiaokan.decisions.tables import Lemma
from jiaokan.desk.journal import Edit, Journal, JournalLine
from jiaokan.errors import CatalogError, JiaokanError, SourceError, TeiError
from jiaokan.settings.patterns import Matcher, check_pattern, matcher
from jiaokan.system.atomic import state_file
from jiaokan.system.repository import texts
from jiaokan.validate import Checks
from jiaokan.validate import files as many
from jiaokan.validate.choice import TEI_ALL
from jiaokan.validate.files import changed_since
from tests.amount import some, some_of
from tests.filing import file_decision

ROOT = Path(__file__).parents[1]
LEMMAS = "tei/decisions/lemmas.toml"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    root = tmp_path / "home" / "demo"
    (root / "tei" / "decisions").mkdir(parents=True)
    return root


def line(path: str, **edit: object) -> bytes:
    """A line of a journal that writes `OUT` into a file."""
    edits = (Edit(path=path, come=("OUT\n",), new="OUT\n", after="0", **edit),)  # type: ignore[arg-type]  # strings
    return msgspec.json.encode(JournalLine(n=1, do="decide", who="editors", when="", what="", edits=edits)) + b"\n"


def files(folder: Path) -> dict[str, bytes]:
    found = (path for path in folder.rglob("*") if path.is_file() and ".jiaokan" not in str(path))
    return {str(path): path.read_bytes() for path in found}


def outside(tmp_path: Path) -> list[str]:
    """Paths that lead out of the folder: by `..`, absolute, by a link."""
    return ["../OUTSIDE.txt", str(tmp_path / "ABSOLUTE.txt"), "tei/../../UP.toml", "tei/away/LINKED.toml",
            "catalog.toml", ".git/config"]


def test_a_journal_in_the_folder_is_not_read(folder: Path, tmp_path: Path) -> None:
    own = folder / ".jiaokan"
    own.mkdir()
    before = files(tmp_path)
    for path in outside(tmp_path):
        for name in ("desk.pending", "desk.jsonl"):
            (own / name).write_bytes(line(path))
        journal = Journal(folder)
        assert journal.recover() is None
        assert journal.turn("undo", "editors") is None and journal.turn("redo", "editors") is None
        assert files(tmp_path) == before


@pytest.mark.parametrize("ending", [".pending", ".jsonl"])
def test_no_journal_changes_files_outside_tei(folder: Path, tmp_path: Path, ending: str) -> None:
    (tmp_path / "victim").mkdir()
    (folder / "tei" / "away").symlink_to(tmp_path / "victim")
    kept = state_file("desk", folder, ending)
    kept.parent.mkdir(parents=True, exist_ok=True)
    before = files(tmp_path)
    for path in outside(tmp_path):
        kept.write_bytes(line(path))
        with pytest.raises(JiaokanError, match="leads out of the edition folder"):
            Journal(folder).turn("undo", "editors")
        with pytest.raises(JiaokanError, match="leads out of the edition folder"):
            Journal(folder).write([(path, (), ("OUT\n",))], who="editors", what="")
        assert files(tmp_path) == before


def test_a_journal_that_is_none_is_an_error_with_its_place(folder: Path) -> None:
    kept = state_file("desk", folder, ".jsonl")
    kept.parent.mkdir(parents=True, exist_ok=True)
    kept.write_bytes(b'{"n": "x"}\n')
    with pytest.raises(JiaokanError, match="journal of the desk"):
        Journal(folder).turn("undo", "editors")


def test_a_journal_lies_with_the_user(folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("JIAOKAN_STATE")
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    Journal(folder).write([(LEMMAS, (), ("# 一\n",))], who="editors", what="")
    assert len([*(tmp_path / "state" / "jiaokan" / "desk").glob("*.jsonl")]) == 1
    assert Journal(folder).turn("undo", "editors") is not None and not (folder / LEMMAS).exists()


def test_no_lock_is_taken_and_no_decision_written_through_a_link(folder: Path, tmp_path: Path) -> None:
    victim = tmp_path / "victim"
    victim.mkdir()
    (victim / "lemmas.toml").write_text("mine", encoding="utf-8")
    before = files(tmp_path)
    decision = Lemma(unit="e:1.1", context="甲[乙]", reading="丙", resp="a", why="试", when="2026-01-01", cert="high")

    def refused() -> None:
        with pytest.raises(JiaokanError, match="leads out of the edition folder"):
            file_decision(folder, decision)
        assert files(tmp_path) == before

    (folder / ".jiaokan").symlink_to(victim)
    refused()
    (folder / ".jiaokan").unlink()
    (folder / ".jiaokan").mkdir()
    (folder / ".jiaokan" / "decisions.lock").symlink_to(victim / "lemmas.toml")
    with pytest.raises(JiaokanError, match="leads out"), writing(folder):
        pass
    refused()
    (folder / ".jiaokan" / "decisions.lock").unlink()
    (folder / "tei" / "decisions").rmdir()
    (folder / "tei" / "decisions").symlink_to(victim)
    refused()


@pytest.mark.parametrize(("command", "link"), [
    (["punctuate", "lunyu", "--write"], "tei/punctuation"), (["accept", "jijie"], "tei"),
])
def test_no_command_writes_through_a_link(example: Path, tmp_path: Path, command: list[str], link: str) -> None:
    root, victim = Path(shutil.copytree(example, tmp_path / "demo")), tmp_path / "victim"
    if (root / link).exists():
        shutil.move(root / link, victim)
    else:
        victim.mkdir()
    (root / link).symlink_to(victim)
    source = root / "tei" / "sources" / "jijie.txt"
    source.write_text(f"{source.read_text(encoding='utf-8')}\n终\n", encoding="utf-8")
    before = files(victim)
    done = CliRunner().invoke(cli, [*command, "-C", str(root)])
    assert done.exit_code == 2 and "leads out of the edition folder" in done.output, done.output
    assert files(victim) == before


@pytest.mark.parametrize("name", ["tei/editions", "tei/witnesses", "build", "build/pdf"])
def test_a_build_writes_nothing_through_a_link(example: Path, tmp_path: Path, name: str) -> None:
    root, victim = Path(shutil.copytree(example, tmp_path / "demo")), tmp_path / "victim"
    shutil.move(root / name, victim)
    (root / name).symlink_to(victim)
    before = files(victim)
    with pytest.raises(JiaokanError, match="leads out of the edition folder"):
        build(root, jobs=1, force=True)
    assert files(victim) == before


STOLEN = ("multiprocessing", "pickle", "struct", "socket", "threading", "runpy", "json", "lxml", "saxonche", "jiaokan",
          "sitecustomize", "usercustomize", "concurrent")
"""Names of modules that children import before they know what is on the path of their parent."""


@pytest.fixture
def trap(tmp_path: Path) -> Path:
    """A folder with modules of these names, each of which leaves its name in `ran` when it is imported."""
    made = tmp_path / "trap"
    made.mkdir()
    for name in STOLEN:
        (made / f"{name}.py").write_text(f"open({str(tmp_path / 'ran')!r}, 'a').write('{name} ')", encoding="utf-8")
    return made


def run(script: str, trap: Path, *arguments: object) -> subprocess.CompletedProcess[str]:
    """Run a script that lies elsewhere, as the console script does, in a trap; it must run nothing of it."""
    path = trap.parent / "bin" / "script.py"
    path.parent.mkdir(exist_ok=True)
    path.write_text(script, encoding="utf-8")
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "pipeline"), "JIAOKAN_CACHE": str(trap.parent / "cache")}
    environment.pop("PYTHONSAFEPATH", None)
    done = subprocess.run([sys.executable, str(path), *map(str, arguments)], cwd=trap, env=environment, check=False,
                          capture_output=True, encoding="utf-8")
    ran = trap.parent / "ran"
    assert not ran.exists(), ran.read_text(encoding="utf-8")
    return done


START = """
import multiprocessing, os, sys
from jiaokan.system.process import apart, workers
if __name__ == "__main__":
    multiprocessing.set_start_method("{method}")
    {more}
    with workers(2, os.chdir, ".") as pool:
        print(apart(os.getcwd) == os.getcwd(), *pool.map(abs, [-1, -2]))
"""


@pytest.mark.parametrize("more", ["", "sys.path.append('')"])
def test_children_import_nothing_from_the_working_directory(trap: Path, more: str) -> None:
    """An empty entry of the path is the working directory: of who calls us it may be there, of a child never."""
    done = run(START.format(method="spawn", more=more), trap)
    assert done.stdout.split() == ["True", "1", "2"], done.stderr


@pytest.mark.parametrize(("method", "options"), some_of(product(("spawn", "forkserver"), ([], ["--sandbox"])), 3))
def test_validate_runs_nothing_of_the_folder_that_it_checks(trap: Path, method: str, options: list[str]) -> None:
    """Whatever Python's default for starting processes is: `forkserver` is that of Python 3.14 on Linux."""
    large = f"<TEI xmlns='http://www.tei-c.org/ns/1.0'>{' ' * 200_000}</TEI>"  # six are worth two processes
    for n in range(6):
        (trap / f"{n}.xml").write_text(large, encoding="utf-8")
    script = ("import multiprocessing\nfrom jiaokan.cli import main\nif __name__ == '__main__':\n"
              f"    multiprocessing.set_start_method('{method}')\n    main()\n")
    done = run(script, trap, "validate", *options, "--jobs", 2, ".")
    assert "6 files checked" in done.stderr and done.returncode == 1, done.stderr


def repository(folder: Path) -> Path:
    """A repository in which `a.xml` is committed and changed; the settings of its owner are to follow."""
    folder.mkdir(parents=True)
    (folder / "a.xml").write_text("<a/>", encoding="utf-8")
    (folder / "same.xml").write_text("<a/>\n", encoding="utf-8")
    asked(folder, "init", "-q", "-b", "main")
    asked(folder, "add", "-A")
    asked(folder, "-c", "user.name=a", "-c", "user.email=a@example.org", "commit", "-q", "-m", "begun")
    for name in ("a.xml", "new.xml", "left.xml"):
        (folder / name).write_text("<b/>", encoding="utf-8")
    (folder / ".gitignore").write_text("left.xml\n", encoding="utf-8")
    (folder / "same.xml").write_bytes(b"<a/>\r\n")
    return folder


def asked(folder: Path, *arguments: str) -> str:
    return subprocess.run(["git", "-C", str(folder), *arguments], check=True, capture_output=True, text=True).stdout


@pytest.fixture
def evil(tmp_path: Path) -> Path:
    """A program that leaves `ran` when it is run."""
    path = tmp_path / "evil.sh"
    path.write_text(f"#!/bin/sh\necho \"$0 $*\" >> '{tmp_path / 'ran'}'\n", encoding="utf-8")
    path.chmod(0o755)
    return path


@pytest.mark.parametrize("settings", [
    {"core.fsmonitor": "{evil}"}, {"diff.external": "{evil}"}, {"core.pager": "{evil}", "pager.diff": "true"},
    {"filter.x.clean": "{evil}", "filter.x.process": "{evil}"},
    {"diff.x.textconv": "{evil}", "diff.x.command": "{evil}"},
    {"remote.origin.url": "ext::{evil}", "remote.origin.promisor": "true", "protocol.ext.allow": "always",
     "extensions.partialClone": "origin", "core.repositoryFormatVersion": "1"},
    {"remote.origin.url": "/", "remote.origin.promisor": "true", "remote.origin.uploadpack": "{evil}",
     "extensions.partialClone": "origin", "core.repositoryFormatVersion": "1"},
])
def test_git_runs_no_command_of_a_strangers_repository(
    tmp_path: Path, evil: Path, settings: dict[str, str],
) -> None:
    root = repository(tmp_path / "theirs")
    head = asked(root, "rev-parse", "HEAD").strip()
    tree = asked(root, "rev-parse", "HEAD^{tree}").strip()
    (root / ".gitattributes").write_text("*.xml filter=x diff=x\n", encoding="utf-8")
    for key, value in settings.items():
        asked(root, "config", key, value.format(evil=evil))
    names = [root / name for name in ("a.xml", "same.xml", "new.xml", "left.xml")]
    changed = changed_since("main", names)
    ran = tmp_path / "ran"
    assert not ran.exists(), ran.read_text(encoding="utf-8")
    assert [path.name for path in changed] == ["a.xml", "new.xml"]
    if "remote.origin.promisor" in settings:
        (root / ".git" / "objects" / tree[:2] / tree[2:]).unlink()
        with pytest.raises(TeiError):
            changed_since(head, names)
        with pytest.raises(SourceError):
            texts(root, head)
        assert not ran.exists(), ran.read_text(encoding="utf-8")


def test_a_submodule_runs_nothing_either(tmp_path: Path, evil: Path) -> None:
    """`git diff` asks for the state of submodules, whose settings are their own."""
    root, part = repository(tmp_path / "theirs"), repository(tmp_path / "theirs" / "part")
    asked(root, "-c", "advice.addEmbeddedRepo=false", "add", "part")
    asked(root, "-c", "user.name=a", "-c", "user.email=a@example.org", "commit", "-q", "-m", "a part")
    asked(part, "config", "core.fsmonitor", str(evil))
    changed = changed_since("HEAD", [root / "a.xml", part / "same.xml"])
    assert not (tmp_path / "ran").exists() and changed == (root / "a.xml",)


ENDLESS = ("(?:[一-龥]{1,63}){1,63}終", "(?:[一-龥]{1,63}){1,63}[終了]$", "(一{0,63}){0,63}[乙丙]",
           "(一|一){0,63}[乙丙]",
           ".*.*.*.*.*[乙丙]", "(一|一一){1,60}[乙丙]", "(一+)+$", "(?:一?){60}一{60}[乙丙]",
           r"(一*)*\1[乙丙]", "(?=(一+)+[乙丙])一", "(一|一)" * 40 + "[乙丙]")
"""Patterns that take exponential time, or high powers of it, in an engine that backtracks."""


@pytest.mark.parametrize("pattern", ENDLESS[: some(5, 11)])
def test_matching_a_strangers_pattern_ends(pattern: str) -> None:
    """However many lines there are: the time for all of them is bounded, not that for each."""
    own, text = Matcher(check_pattern(pattern)), "一" * 60 + "甲"
    begun = process_time()
    with suppress(CatalogError):
        for _ in range(300):
            own.search(text)
            own.fullmatch(text)
            own.match(text)
            own.finditer(text)
    assert process_time() - begun < 2 + len(text) * 1200 * 1e-5
    assert isinstance(matcher(pattern), Matcher)


@pytest.mark.parametrize("pattern", ENDLESS[1 : some(2, 4)])
def test_reading_with_a_strangers_pattern_ends(pattern: str, tmp_path: Path) -> None:
    """In a convention, and in the lists of a folder."""
    root = Path(shutil.copytree(ROOT / "pipeline" / "jiaokan" / "scaffold", tmp_path / "demo"))
    source, catalog = root / "tei" / "sources" / "jijie.txt", root / "tei" / "catalog.toml"
    old = sha256(source.read_bytes()).hexdigest()
    source.write_text(f"{source.read_text(encoding='utf-8')}\n{'一' * 300}〈俗作{'一' * 300}〉\n", encoding="utf-8")
    new = sha256(source.read_bytes()).hexdigest()
    catalog.write_text(catalog.read_text(encoding="utf-8").replace(old, new), encoding="utf-8")
    convention = root / "tei" / "conventions" / "jijie.toml"
    kept = convention.read_text(encoding="utf-8")
    convention.write_text(f"section = '{pattern}'\n{kept}", encoding="utf-8")
    with pytest.raises(CatalogError, match="takes too long"):
        build(root, jobs=1)
    convention.write_text(kept, encoding="utf-8")
    (root / "tei" / "lists").mkdir()
    (root / "tei" / "lists" / "remarks.tsv").write_text(f"su\t{pattern}\t俗作某\n", encoding="utf-8")
    with pytest.raises(CatalogError, match="takes too long"):
        build(root, jobs=1)


@given(st.text("一二𠀀𪜀 aé", max_size=30), st.sampled_from((
    "𠀀", ".[𠀀二]", "(?P<x>一+)𪜀", "[^一]{2,3}(?=𠀀|$)", "(?<=a)é?", "(?!一).", "一|一二|二", "(?:一?𠀀)*", r"\s\S",
    "一*?𪜀",
)))
def test_both_engines_find_the_same(text: str, pattern: str) -> None:
    """Offsets are those of characters, also of supplementary planes."""
    own, plain = Matcher(check_pattern(pattern)), re.compile(pattern)
    assert [found.span() for found in own.finditer(text)] == [found.span() for found in plain.finditer(text)]
    for at in range(3):
        one, other = own.search(text, at), plain.search(text, at)
        assert (one and (one.span(), one.groupdict())) == (other and (other.span(), other.groupdict()))


TEI = ('<TEI xmlns="http://www.tei-c.org/ns/1.0" xmlns:xi="http://www.w3.org/2001/XInclude"{}><teiHeader><fileDesc>'
       "<titleStmt><title>a</title></titleStmt><publicationStmt><p>b</p></publicationStmt><sourceDesc><p>c</p>"
       "</sourceDesc></fileDesc></teiHeader><text><body>{}</body></text></TEI>")


@pytest.mark.skipif(os.name == "nt", reason="Windows allows no such name")
def test_a_name_or_a_value_forges_no_line_of_a_report(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name, body in (("a\n::error::forged\n.xml", "<p><foo/></p>"), ("c\n::error::forged\n.xml", "<p>"),
                       ("b.xml", '<p n="1" rend="&#10;::error::x"><foo/></p>')):
        (tmp_path / name).write_text(TEI.format("", body), encoding="utf-8")
    (tmp_path / "d\n::error::forged.xml").mkdir()
    for form in ("text", "github"):
        done = CliRunner().invoke(cli, ["validate", "--format", form, *(path.name for path in tmp_path.iterdir())])
        forged = [line for line in done.output.splitlines() if line.startswith("::error::")]
        assert forged == [], done.output


@pytest.mark.skipif(sys.platform != "linux", reason="the limit is of Linux")
def test_a_limit_of_addresses_is_told(tmp_path: Path) -> None:
    (tmp_path / "a.xml").write_text(TEI.format("", "<p>a</p>"), encoding="utf-8")
    command = f"ulimit -v 4000000; exec {sys.executable} -c 'from jiaokan.cli import main; main()' validate a.xml"
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "pipeline"), "JIAOKAN_CACHE": str(tmp_path / "cache")}
    done = subprocess.run(["bash", "-c", command], cwd=tmp_path, env=environment, check=False, capture_output=True,
                          encoding="utf-8")
    assert done.returncode == 2 and "ulimit -v unlimited" in done.stderr, done.stderr


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such file")
@pytest.mark.parametrize("command", [["collate"], ["init", "new", "--from"], ["validate"]])
def test_a_device_is_not_read(command: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "zero.txt").symlink_to("/dev/zero")
    done = CliRunner().invoke(cli, [*command, "zero.txt"])
    assert done.exit_code == 2 and "it is not a regular file" in done.output, done.output


def test_what_a_file_includes_is_limited_as_a_whole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """200 times one file of 9 MB took 10 GB."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("jiaokan.tei.included.LIMIT", 50_000)
    (tmp_path / "p.xml").write_text(f'<p xmlns="http://www.tei-c.org/ns/1.0">{"甲" * 3000}</p>', encoding="utf-8")
    (tmp_path / "a.xml").write_text(TEI.format("", '<xi:include href="p.xml"/>' * 20), encoding="utf-8")
    done = CliRunner().invoke(cli, ["validate", "--format", "json", "a.xml"])
    assert done.output.count("<xi:include> includes nothing: larger than") == 15, done.output


@pytest.mark.parametrize("where", ["outermost", "each"])
@pytest.mark.parametrize("schema", ["jiaokan", str(ROOT / TEI_ALL)])
def test_prefixes_without_end_are_one_finding(
    where: str, schema: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """50,000 took a minute."""
    monkeypatch.chdir(tmp_path)
    declared = [f' xmlns:n{n}="u{n}"' for n in range(50_000)]
    outermost = where == "outermost"
    body = (f'<p{"" if outermost else each} n{n}:a="1"/>' for n, each in enumerate(declared))
    text = TEI.format("".join(declared) if outermost else "", "".join(body))
    (tmp_path / "a.xml").write_text(text, encoding="utf-8")
    begun = process_time()
    done = CliRunner().invoke(cli, ["validate", "--schema", schema, "a.xml"])
    assert done.exit_code == 1 and re.search("5000[01] prefixes are declared", done.output)
    assert process_time() - begun < 5


SCHEMATRON = """<schema xmlns="http://purl.oclc.org/dsdl/schematron" queryBinding="xslt2"><pattern><rule context="/*">
<assert test="name() = 'a' or
count(for $a in 1 to 100000, $b in 1 to 100000 return if ($a * $b = -1) then 1 else ()) = 0">x</assert>
</rule></pattern></schema>"""


def test_a_strangers_schema_that_takes_for_ever_is_stopped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """And the other files are checked."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("JIAOKAN_SECONDS", "4")
    (tmp_path / "s.sch").write_text(SCHEMATRON, encoding="utf-8")
    for name in "abc":
        (tmp_path / f"{name}.xml").write_text(f"<{'b' if name == 'b' else 'a'}/>", encoding="utf-8")
    found = [*many.check_files([Path(f"{name}.xml") for name in "abc"], Checks(schemas=("s.sch",)))]
    assert ["takes more than" in each.failure for each in found] == [False, True, False]
    assert [each.findings for each in found] == [(), (), ()]
