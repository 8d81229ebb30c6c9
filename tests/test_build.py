"""The build's machinery, on steps that only copy: what is stale, what is kept, what a fault leaves behind."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import msgspec
import pytest

from jiaokan.build import work
from jiaokan.build.cache import Cache
from jiaokan.build.memory import available, left, need, usual
from jiaokan.build.run import Event, lock_outputs, run
from jiaokan.build.stages import STAGES, Step, steps
from jiaokan.errors import JiaokanError
from jiaokan.settings import catalog as catalogs
from jiaokan.settings.catalog import Catalog, Licence, Project
from jiaokan.settings.plans import EditionPlan
from jiaokan.system.atomic import _MACHINE, MARK, link, recover, staged_file, staged_folder, write_file
from jiaokan.system.store import Fingerprints, Store, fingerprint, state
from tests.plans import print_plan


@pytest.fixture
def chain(tmp_path: Path) -> tuple[Step, ...]:
    """a → b → c, and a → d."""
    (tmp_path / "a").write_text("<p>一</p>", encoding="utf-8")

    def copy(source: str, target: str) -> Step:
        paths = (tmp_path / source,), (tmp_path / target,)
        return Step(stage="copy", subject=target, inputs=paths[0], settings=b"", outputs=paths[1])

    return copy("b", "c"), copy("a", "b"), copy("a", "d")


def go(steps: tuple[Step, ...], root: Path, jobs: int = 1) -> list[str]:
    """Run steps; give the names of those that were done."""
    project = Project(title="", publisher="", editors=(), date="", licence=Licence(name=""))
    catalog = Catalog(root=root, project=project, sources={}, works={}, persons={}, editions={})
    events: list[Event] = []
    run(steps, catalog, Cache(root), jobs=jobs, watch=events.append)
    return [event.step.subject for event in events if event.kind == "done"]


@pytest.mark.parametrize("jobs", [1, 2])
def test_steps_wait_for_what_they_need(chain: tuple[Step, ...], tmp_path: Path, jobs: int) -> None:
    assert go(chain, tmp_path, jobs)[0] in "bd"
    assert (tmp_path / "c").read_text(encoding="utf-8") == "<p>一</p>"


@pytest.mark.parametrize("decided", [False, True])
def test_what_a_text_is_called_concerns_others_only_where_decisions_may_quote_it(tmp_path: Path, decided: bool) -> None:
    folder = Path(shutil.copytree(Path(work.__file__).parents[1] / "scaffold", tmp_path / "demo"))
    if not decided:
        for path in (folder / "tei" / "decisions").glob("*.toml"):
            path.unlink()
    catalog = catalogs.load(folder)
    first, *_ = catalog.sources.values()
    renamed = {**catalog.sources, first.id: msgspec.structs.replace(first, title="别名")}
    was, now = ({step.subject: step.settings for step in steps(each, tmp_path) if step.stage == "check"}
                for each in (catalog, msgspec.structs.replace(catalog, sources=renamed)))
    stale = {subject for subject in was if was[subject] != now[subject]}
    assert stale == (set(was) if decided else {f"witnesses/{first.id}.xml"})


def test_each_layout_is_a_step_and_the_first_has_the_plain_name(tmp_path: Path) -> None:
    plan = EditionPlan(id="e", kind="reading", title="", witness="w",
                       print=print_plan(layouts=("traditional", "modern", "traditional")))
    project = Project(title="", publisher="", editors=(), date="", licence=Licence(name=""))
    catalog = Catalog(root=tmp_path, project=project, sources={}, works={}, persons={}, editions={"e": plan})
    pdfs = [step for step in steps(catalog, tmp_path) if step.stage == "pdf"]
    made = [(step.name, [path.name for path in step.outputs]) for step in pdfs]
    assert made == [("pdf e", ["e.pdf"]), ("pdf e modern", ["e-modern.pdf"])]


def test_nothing_changed_nothing_done(chain: tuple[Step, ...], tmp_path: Path) -> None:
    assert sorted(go(chain, tmp_path)) == ["b", "c", "d"]
    (tmp_path / "a").touch()
    assert go(chain, tmp_path) == []


def test_only_what_depends_on_a_change(chain: tuple[Step, ...], tmp_path: Path) -> None:
    go(chain, tmp_path)
    (tmp_path / "a").write_text("<p>二</p>", encoding="utf-8")
    assert sorted(go(chain, tmp_path)) == ["b", "c", "d"]
    (tmp_path / "c").write_text("tampered", encoding="utf-8")
    assert go(chain, tmp_path) == ["c"]
    (tmp_path / "d").unlink()
    assert go(chain, tmp_path) == ["d"]


def test_a_changed_output_that_others_read_is_made_again_first(chain: tuple[Step, ...], tmp_path: Path) -> None:
    go(chain, tmp_path)
    (tmp_path / "b").write_text("tampered", encoding="utf-8")
    assert go(chain, tmp_path) == ["b"]
    assert (tmp_path / "c").read_text(encoding="utf-8") == "<p>一</p>"


def test_settings_and_program_matter(
    chain: tuple[Step, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    go(chain, tmp_path)
    monkeypatch.setattr("jiaokan.build.cache.program_of", lambda stage: f"{stage} of another version")
    assert len(go(chain, tmp_path)) == 3


def test_what_is_no_step_any_more_goes(chain: tuple[Step, ...], tmp_path: Path) -> None:
    go(chain, tmp_path)
    assert go(chain[1:], tmp_path) == []
    assert not (tmp_path / "c").exists()
    assert (tmp_path / "b").exists()


def test_records_of_another_version_are_no_fault(chain: tuple[Step, ...], tmp_path: Path) -> None:
    go(chain, tmp_path)
    records = json.loads((tmp_path / ".cache" / "build.json").read_text(encoding="utf-8"))
    assert str(tmp_path) not in json.dumps(records)
    (tmp_path / ".cache" / "build.json").write_text('{"copy b": 7}', encoding="utf-8")
    assert len(go(chain, tmp_path)) == 3


def test_the_old_file_in_the_cache_stays_until_the_new_one_is_made(tmp_path: Path) -> None:
    old, strange = tmp_path / ".cache" / "a.prepared", tmp_path / ".cache" / "pages"
    strange.mkdir(parents=True)
    old.write_bytes(b"old")
    Cache(tmp_path).clear(Step(stage="read", subject="a", inputs=(), settings=b"", outputs=(old, strange)), "key")
    assert old.read_bytes() == b"old" and not strange.exists()


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_fault_leaves_the_last_good_outputs(chain: tuple[Step, ...], tmp_path: Path, jobs: int) -> None:
    go(chain, tmp_path)
    faulty = Step(stage="read", subject="none", inputs=(), settings=b"", outputs=(tmp_path / "e",))
    with pytest.raises(KeyError):
        go((*chain, faulty), tmp_path, jobs)
    assert (tmp_path / "c").read_text(encoding="utf-8") == "<p>一</p>"
    assert not (tmp_path / "e").exists()
    assert list(tmp_path.glob(".*.part")) == []


def test_a_file_is_whole_or_as_it_was(tmp_path: Path) -> None:
    path = tmp_path / "made" / "a.xml"
    write_file(path, b"old")
    with pytest.raises(ZeroDivisionError), staged_file(path) as part:
        part.write_bytes(b"half")
        raise ZeroDivisionError
    assert path.read_bytes() == b"old"
    assert [p.name for p in path.parent.iterdir()] == ["a.xml"]


def test_a_folder_is_whole_or_as_it_was(tmp_path: Path) -> None:
    path = tmp_path / "html"
    with staged_folder(path) as part:
        (part / "index.html").write_text("old", encoding="utf-8")
    with pytest.raises(ZeroDivisionError), staged_folder(path) as part:
        (part / "index.html").write_text("half", encoding="utf-8")
        raise ZeroDivisionError
    assert (path / "index.html").read_text(encoding="utf-8") == "old"
    with staged_folder(path) as part:
        (part / "other.html").write_text("new", encoding="utf-8")
    assert sorted(p.name for p in path.iterdir()) == [MARK, "other.html"]
    assert [p.name for p in tmp_path.iterdir()] == ["html"]


def test_a_file_that_somebody_adds_while_a_folder_is_made_stays(tmp_path: Path) -> None:
    path = tmp_path / "html"
    for _ in range(2):
        with staged_folder(path) as part:
            (part / "index.html").write_text("ours", encoding="utf-8")
    with pytest.raises(JiaokanError, match="did not make"), staged_folder(path):
        (path / "notes.txt").write_text("mine", encoding="utf-8")
    assert (path / "notes.txt").exists() and (path / "index.html").exists()


def test_a_folder_of_others_is_never_replaced(tmp_path: Path) -> None:
    (tmp_path / "letters").mkdir()
    (tmp_path / "letters" / "mine.txt").write_text("precious", encoding="utf-8")
    with pytest.raises(JiaokanError, match="did not make"), staged_folder(tmp_path / "letters"):
        pass
    assert (tmp_path / "letters" / "mine.txt").exists()


def test_a_folder_is_put_on_the_disk_once_with_all_in_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    put: list[Path] = []
    monkeypatch.setattr("jiaokan.system.atomic._sync", put.append)
    with staged_folder(tmp_path / "site") as part:
        write_file(part / "a/one", b"1")
        assert put == []
    names = sorted(path.relative_to(part).as_posix() for path in put if path.is_relative_to(part))
    assert names == [MARK, "a", "a/one"]
    assert put[-1] == tmp_path
    write_file(tmp_path / "site/a/one", b"2")
    assert put[-1] == tmp_path / "site/a"


def test_a_build_killed_between_two_renames_is_put_right(tmp_path: Path) -> None:
    (tmp_path / f".html.old-{_MACHINE}-77.part").mkdir()
    (tmp_path / f".html.old-{_MACHINE}-77.part" / "index.html").write_text("good", encoding="utf-8")
    (tmp_path / f".html.new-{_MACHINE}-77.part").mkdir()
    recover(tmp_path / "html")
    assert (tmp_path / "html" / "index.html").read_text(encoding="utf-8") == "good"
    assert [p.name for p in tmp_path.iterdir()] == ["html"]


@pytest.mark.parametrize("jobs", [1, 2])
def test_steps_that_wait_for_each_other_are_named(chain: tuple[Step, ...], tmp_path: Path, jobs: int) -> None:
    first, second, _ = chain
    circle = (first, replace(second, inputs=(tmp_path / "c",)))
    with pytest.raises(JiaokanError, match="steps wait for each other: `copy c` → `copy b` → `copy c`"):
        go(circle, tmp_path, jobs)


def test_two_steps_that_make_the_same_are_refused(chain: tuple[Step, ...], tmp_path: Path) -> None:
    with pytest.raises(JiaokanError, match="`copy b` and `copy e` have the same output"):
        go((*chain, replace(chain[1], subject="e")), tmp_path)


def test_one_build_at_a_time(tmp_path: Path) -> None:
    with lock_outputs(tmp_path), pytest.raises(JiaokanError, match="another build"), lock_outputs(tmp_path):
        pass
    with lock_outputs(tmp_path):
        pass


def test_a_fingerprint_knows_names_and_contents(tmp_path: Path) -> None:
    (tmp_path / "x").mkdir()
    assert fingerprint(tmp_path / "none") == ""
    empty = fingerprint(tmp_path / "x")
    (tmp_path / "x" / "a").write_text("1", encoding="utf-8")
    one = fingerprint(tmp_path / "x")
    (tmp_path / "x" / "a").rename(tmp_path / "x" / "b")
    assert len({empty, one, fingerprint(tmp_path / "x")}) == 3


_REPLACING = """
import sys
from pathlib import Path
from jiaokan.system.atomic import staged_folder
n = 0
while True:
    n += 1
    with staged_folder(Path(sys.argv[1])) as site:
        for name in "abcdefgh":
            (site / name).write_text(str(n), encoding="utf-8")
    print(n, flush=True)
"""


@pytest.mark.parametrize("after", [0.001 * each for each in (1, 3, 7, 11, 17, 23, 31, 43)])
def test_a_site_is_of_one_state_wherever_its_build_is_killed(tmp_path: Path, after: float) -> None:
    site = tmp_path / "html"
    process = subprocess.Popen([sys.executable, "-c", _REPLACING, str(site)], stdout=subprocess.PIPE, text=True)
    assert process.stdout
    process.stdout.readline()  # there is a first state
    time.sleep(after)
    process.kill()
    process.communicate()
    if sys.platform == "linux":
        assert site.exists()  # the system lets old and new change places in one step
    recover(site)
    assert len({(site / name).read_text(encoding="utf-8") for name in "abcdefgh"}) == 1
    assert [path.name for path in tmp_path.iterdir()] == ["html"]


def test_a_folder_that_others_put_something_into_is_not_replaced(tmp_path: Path) -> None:
    site = tmp_path / "html"
    for _ in range(2):
        with staged_folder(site) as part:
            (part / "index.html").write_text("ours", encoding="utf-8")
        (site / ".DS_Store").write_text("left by a file manager", encoding="utf-8")
    (site / "CNAME").write_text("example.org", encoding="utf-8")
    with pytest.raises(JiaokanError, match="jiaokan did not make this file"), staged_folder(site):
        pass
    assert (site / "CNAME").exists()


def test_pages_are_linked_where_the_file_system_can(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "made" / "deep").mkdir(parents=True)
    (tmp_path / "made" / "deep" / "a").write_text("one", encoding="utf-8")
    link(tmp_path / "made", tmp_path / "linked")

    def refuse(*_: object) -> None:
        raise OSError("no links here")

    monkeypatch.setattr(Path, "hardlink_to", refuse)
    link(tmp_path / "made", tmp_path / "copied")
    for name in ("linked", "copied"):
        assert (tmp_path / name / "deep" / "a").read_text(encoding="utf-8") == "one"
    write_file(tmp_path / "made" / "deep" / "a", b"two")  # replaced, never written into
    assert (tmp_path / "linked" / "deep" / "a").read_text(encoding="utf-8") == "one"


def test_a_file_that_is_the_same_is_not_read_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever its date says: what no program can set back tells of a change."""
    path, kept = tmp_path / "a", tmp_path / "kept"
    path.write_text("一", encoding="utf-8")
    time.sleep(0.1)  # else it could change again and look the same
    known = Fingerprints(Store(kept))
    first = known.of(path)
    known.save()
    with monkeypatch.context() as patch:
        patch.setattr("jiaokan.system.store.file_digest", lambda _: "read")
        assert Fingerprints(Store(kept)).of(path) == first != "read"
        before = path.stat()
        path.write_text("二", encoding="utf-8")
        os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))
        assert Fingerprints(Store(kept)).of(path) == "read"


def test_a_file_hashed_as_it_was_written_is_hashed_again_when_all_is_done(tmp_path: Path) -> None:
    path = tmp_path / "a"
    path.write_text("一", encoding="utf-8")
    known = Fingerprints(Store(tmp_path / "kept"))
    early = known.of(path)
    path.write_text("二", encoding="utf-8")
    known.save()
    assert Fingerprints(Store(tmp_path / "kept")).of(path) == fingerprint(path) != early
    assert state(tmp_path) is None


def test_a_step_waits_for_the_last_of_what_it_needs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """In whatever order the steps are named: one that two others make ready is done once, after both."""
    (tmp_path / "a").write_text("<p>一</p>", encoding="utf-8")
    a, b, c, d = (tmp_path / name for name in "abcd")
    steps = tuple(Step(stage="copy", subject=name, inputs=inputs, settings=b"", outputs=outputs)
                  for name, inputs, outputs in (("d", (b, c), (d,)), ("c", (b,), (c,)), ("b", (a,), (b,))))

    def joined(step: Step, _: Catalog) -> work.Outcome:
        step.outputs[0].write_text("".join(path.read_text(encoding="utf-8") for path in step.inputs), encoding="utf-8")
        return work.Outcome()

    monkeypatch.setitem(work._WORK, "copy", joined)
    assert go(steps, tmp_path) == ["b", "c", "d"]
    assert d.read_text(encoding="utf-8") == "<p>一</p><p>一</p>"


def test_what_every_stage_needs_is_known() -> None:
    assert all(need(Step(stage=stage.name, subject="a", inputs=(), settings=b""), lambda _: 0) > 0 for stage in STAGES)


@pytest.mark.parametrize(("memory", "expected"), [(1, 1), (2**40, 2), (None, 2)])
def test_steps_that_memory_does_not_hold_wait_for_each_other(
    chain: tuple[Step, ...], tmp_path: Path, memory: int | None, expected: int
) -> None:
    """With room for none, one is at work at a time; with room for all, so many as there are jobs."""
    project = Project(title="", publisher="", editors=(), date="", licence=Licence(name=""))
    catalog = Catalog(root=tmp_path, project=project, sources={}, works={}, persons={}, editions={})
    at_work = [0]

    def watch(event: Event) -> None:
        at_work.append(at_work[-1] + {"start": 1, "done": -1, "fresh": 0}[event.kind])

    run(chain, catalog, Cache(tmp_path), jobs=2, watch=watch, memory=memory)
    assert max(at_work) == expected
    assert at_work[-1] == 0


def test_saxon_is_kept_for_many_texts_and_for_small_ones() -> None:
    pages = Step(stage="html", subject="a", inputs=(), settings=b"")
    memory = 2 * 600 * 2**20
    needed = need(pages, lambda _: 0)
    assert left(memory, 2, 4, 10**6) < needed < left(memory, 2, 100, 10**6) == left(memory, 2, 4, 10**4)
    assert usual(2) <= 2 * 600 * 2**20


def test_what_is_free_is_the_least_of_what_the_system_says(tmp_path: Path) -> None:
    assert available(tmp_path) is None
    (tmp_path / "proc").mkdir()
    (tmp_path / "proc/meminfo").write_text("MemTotal: 9 kB\nMemAvailable:    4096 kB\n", encoding="ascii")
    assert available(tmp_path) == 4096 * 1024
    groups = tmp_path / "sys/fs/cgroup"
    groups.mkdir(parents=True)
    for most, free in (("max\n", 4096 * 1024), ("3000000\n", 1_000_000), ("1000\n", 0)):
        (groups / "memory.max").write_text(most, encoding="ascii")
        (groups / "memory.current").write_text("2000000\n", encoding="ascii")
        assert available(tmp_path) == free
