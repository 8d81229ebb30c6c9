"""The GitHub Action and the pre-commit hook, run on a small repository: what they contain is what is executed."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
SAMPLE = ROOT / "tests" / "cases" / "tei" / "sample.xml"
ACTION = (ROOT / "action.yml").read_text("utf-8")
HOOKS = (ROOT / ".pre-commit-hooks.yaml").read_text("utf-8")
CONTAINER = (ROOT / "Containerfile").read_text("utf-8")
BAD = SAMPLE.read_text("utf-8").replace('ref="#g-E14B"', 'ref="#g-E14C"')


def environment() -> dict[str, str]:
    """Ours, with the commands of this environment first."""
    kept = {key: value for key, value in os.environ.items() if not key.startswith(("GIT_", "PYTHON"))}
    return {**kept, "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"}


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """A repository with one sound TEI file, committed."""
    home = tmp_path / "letters"
    (home / "texts").mkdir(parents=True)
    shutil.copy(SAMPLE, home / "texts" / "sound.xml")
    git(home, "init", "--quiet")
    git(home, "add", "texts")
    git(home, "commit", "--quiet", "-m", "one")
    return home


def git(home: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    who = ("-c", "user.name=t", "-c", "user.email=t@example.org", "-c", "init.defaultBranch=main")
    return subprocess.run(["git", *who, *arguments], cwd=home, env=environment(), capture_output=True, text=True,
                          encoding="utf-8")


def inputs() -> dict[str, str]:
    """The action's inputs with their defaults."""
    block = ACTION[ACTION.index("inputs:") : ACTION.index("runs:")]
    found = re.findall(r"^  ([a-z-]+):\n.*\n    default: (.*)$", block, re.M)
    return {name: default.strip('"') for name, default in found}


def steps() -> list[tuple[dict[str, str], str]]:
    """Each step of the action: its environment and its script."""
    found = []
    for step in re.split(r"^    - name:", ACTION, flags=re.M)[1:]:
        variables = dict(re.findall(r"^        (JIAOKAN_\w+): \$\{\{ inputs\.([a-z-]+) \}\}$", step, re.M))
        script = re.search(r"^      run: (?:\|.*?\n)?(.*)\Z", step, re.M | re.S)
        assert script and "${{" not in script[1], "an input in a script could be run"
        found.append((variables, re.sub(r"^ {8}", "", script[1], flags=re.M)))
    return found


def fill_with_traps(checkout: Path) -> Path:
    """Put modules and programs of every name that a step could run into a checkout; return the file that they write."""
    ran = checkout.with_name("ran.txt")
    names = {*sys.stdlib_module_names, "pip", "lxml", "pipeline", "setuptools", "sitecustomize", "usercustomize"}
    for name in sorted(names):
        (checkout / f"{name}.py").write_text(f"open({str(ran)!r}, 'a').write({name!r} + ' ')\n", "utf-8")
    for name in ("python", "python3", "pip", "git", "bash", "dirname"):
        (checkout / name).write_text(f"#!/bin/sh\necho {name} >> '{ran}'\n", "utf-8")
        (checkout / name).chmod(0o755)
    return ran


@pytest.fixture(scope="module")
def runner(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A runner's folder in which the action's first step, started in a hostile checkout, installed us.

    What is needed besides is here already: the `python3` before the others adds it to the environment that it makes.
    """
    home, first, checkout = (tmp_path_factory.mktemp(name) for name in ("runner", "first", "checkout"))
    ran = fill_with_traps(checkout)
    here = " ".join(f"'{each}'" for each in sys.path if each.endswith("-packages"))
    (first / "python3").write_text(
        f'#!/bin/sh\n"{sys.executable}" "$@" && for each in "{home}"/jiaokan/lib/python*/site-packages; do '
        f"printf '%s\\n' {here} > $each/here.pth; done\n", "utf-8")
    (first / "python3").chmod(0o755)
    (_, script), _ = steps()
    options = {"PIP_NO_DEPS": "1", "PIP_NO_INDEX": "1",
               "PIP_NO_BUILD_ISOLATION": "0",  # pip reads this switch as a value: 0 is no isolation
               "GITHUB_ACTION_PATH": str(ROOT), "RUNNER_TEMP": str(home)}
    options["PATH"] = f"{first}{os.pathsep}{environment()['PATH']}"
    done = subprocess.run(["bash", "-eo", "pipefail", "-c", script], cwd=checkout, env={**environment(), **options},
                          capture_output=True, text=True, encoding="utf-8")
    assert done.returncode == 0, done.stderr
    assert not ran.exists(), ran.read_text("utf-8")
    return home


def act(home: Path, runner: Path, **given: str) -> subprocess.CompletedProcess[str]:
    """Run the action's step that validates, as a runner does, with what its first step installed."""
    values = {**inputs(), **{key.replace("_", "-"): value for key, value in given.items()}}
    variables, script = steps()[-1]
    told = {key: values[name] for key, name in variables.items()}
    told |= {"RUNNER_TEMP": str(runner)}
    return subprocess.run(["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", script], cwd=home,
                          env={**environment(), **told}, capture_output=True, text=True, encoding="utf-8")


def test_every_input_reaches_the_command() -> None:
    (_, install), (variables, script) = steps()
    assert "-I -m pip install" in install and "$GITHUB_ACTION_PATH" in install
    assert set(variables.values()) == set(inputs())
    assert all(f"${name}" in script or f"${{{name}" in script for name in variables)


def test_the_action_installs_what_it_then_runs(runner: Path) -> None:
    (site,) = (runner / "jiaokan").glob("lib/python*/site-packages")
    assert (site / "jiaokan" / "data" / "schema" / "jiaokan.xsd").exists()


def test_the_action_passes_and_fails(repository: Path, runner: Path) -> None:
    sound = act(repository, runner)
    assert (sound.returncode, sound.stdout) == (0, ""), sound.stderr
    (repository / "texts" / "bad letter.xml").write_text(BAD, "utf-8")
    bad = act(repository, runner)
    assert bad.returncode == 1
    assert bad.stdout.startswith("::error file=texts/bad letter.xml,line=43,col="), bad.stdout
    assert "title=pointer-dangling::" in bad.stdout and "%0A→ did you mean" in bad.stdout
    assert act(repository, runner, paths="texts/sound.xml\n").returncode == 0
    assert act(repository, runner, ignore="pointer-dangling").returncode == 0
    assert act(repository, runner, paths="nowhere").returncode == 2


def test_the_action_compares_with_a_revision_and_a_baseline(repository: Path, runner: Path) -> None:
    (repository / "texts" / "bad.xml").write_text(BAD, "utf-8")
    git(repository, "add", "texts")
    git(repository, "commit", "--quiet", "-m", "two")
    assert act(repository, runner, changed_since="HEAD").returncode == 0
    assert act(repository, runner, changed_since="HEAD~1").returncode == 1
    assert act(repository, runner, changed_since="nowhere").returncode == 2
    assert act(repository, runner, format="json", output="known.json").returncode == 1
    assert act(repository, runner, baseline="known.json").returncode == 0


def test_no_step_runs_code_of_the_checkout(repository: Path, runner: Path) -> None:
    (repository / "texts" / "bad.xml").write_text(BAD, "utf-8")
    ran = fill_with_traps(repository)
    git(repository, "add", ".")
    for given in ({}, {"sandbox": "false"}, {"changed_since": "HEAD"}, {"output": "report.txt"}):
        assert act(repository, runner, **given).returncode == 1
    entry = re.search(r"^  entry: (.+?)(?:  #.*)?$", HOOKS, re.M)
    assert entry and " -I " in entry[1]
    hook = subprocess.run([*entry[1].split(), "texts/bad.xml"], cwd=repository, env=environment(), capture_output=True)
    assert hook.returncode == 1 and not ran.exists(), ran.read_text("utf-8")


def test_a_report_is_not_written_through_a_link_of_the_checkout(repository: Path, runner: Path) -> None:
    (repository.parent / "outside").mkdir()
    (repository.parent / "outside" / "mine.txt").write_text("mine", "utf-8")
    (repository / "report.txt").symlink_to(repository.parent / "outside" / "mine.txt")
    (repository / "out").symlink_to(repository.parent / "outside")
    (repository / "texts" / "bad.xml").write_text(BAD, "utf-8")
    assert act(repository, runner, output="report.txt").returncode == 1
    assert "pointer-dangling" in (repository / "report.txt").read_text("utf-8")
    refused = act(repository, runner, output="out/mine.txt")
    assert refused.returncode == 2 and "outside the checkout" in refused.stdout
    assert act(repository, runner, output=str(repository.parent / "own.txt")).returncode == 1  # the workflow's choice
    assert (repository.parent / "outside" / "mine.txt").read_text("utf-8") == "mine"


def test_the_container_is_pinned_isolated_and_no_root() -> None:
    bases = re.findall(r"^FROM (\S+)", CONTAINER, re.M)
    assert bases and all(re.search(r"@sha256:[0-9a-f]{64}$", each) for each in bases)
    after_install = CONTAINER[CONTAINER.rindex("RUN ") :]
    assert re.search(r"^USER [1-9][0-9]*:[1-9][0-9]*$", after_install, re.M)
    assert 'ENTRYPOINT ["/usr/local/bin/python", "-I",' in after_install
    assert not re.search(r"python3? (?!-I )-m|(?<!-m )pip install", CONTAINER)


def test_the_hook_refuses_a_commit(repository: Path) -> None:
    """Its entry as git's own hook, with the staged XML files as pre-commit would give them."""
    entry = re.search(r"^  entry: (.+?)(?:  #.*)?$", HOOKS, re.M)
    assert entry and "types: [xml]" in HOOKS and "- id: jiaokan-validate" in HOOKS
    hook = repository / ".git" / "hooks" / "pre-commit"
    staged = "git diff --cached --name-only -z --diff-filter=d -- '*.xml'"
    hook.write_text(f"#!/bin/sh\n{staged} | xargs -0 {entry[1]}\n", "utf-8")
    hook.chmod(0o755)
    (repository / "texts" / "bad.xml").write_text(BAD, "utf-8")
    git(repository, "add", "texts")
    refused = git(repository, "commit", "--quiet", "-m", "bad")
    assert refused.returncode != 0 and "[pointer-dangling]" in refused.stdout + refused.stderr
    shutil.copy(SAMPLE, repository / "texts" / "bad.xml")
    git(repository, "add", "texts")
    assert git(repository, "commit", "--quiet", "-m", "good").returncode == 0


def test_actions_are_named_by_commit() -> None:
    used = [line for path in (ROOT / ".github" / "workflows").glob("*.yml")
            for line in path.read_text("utf-8").splitlines() if "uses:" in line]
    assert len(used) > 8
    for line in used:
        assert re.search(r"uses: [\w-]+/[\w-]+@[0-9a-f]{40}  # v\d+\.\d+\.\d+$", line), line
