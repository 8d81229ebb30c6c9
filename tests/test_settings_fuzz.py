"""Whatever stands in the TOML of a folder: a documented exit code, a message that names the file, no traceback."""

from __future__ import annotations

import re
import shutil
import tomllib
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from jiaokan.cli import cli
from tests.amount import examples, some

pytestmark = pytest.mark.thorough

ROOT = Path(__file__).parents[1]
SCAFFOLD = ROOT / "pipeline/jiaokan/scaffold"
TABLES = sorted((SCAFFOLD / "tei").rglob("*.toml"))
OURS = [path for path in (ROOT / "tei/conventions").glob("*.toml") if path.stem in ("jibian", "gangmu", "zhushu")]
KEY = re.compile(r"(?P<head>\s*[\w-]+\s*=\s*)(?P<value>\S.*)$", re.MULTILINE)
VALUES = [
    '""', '" "', "[]", "{}", "0", "-1", "1e400", "nan", "true", "1979-05-27", "99999999999999999999999", '["", 1]',
    '[[["x"]]]',
    '{ a = { b = "c" } }', r'"\u0000"', r'"\u001b[31m"', r'"\u202e"', r'"\ufffe"', '"[/注]"',
    '"[red]"', '"/etc/passwd"',
    '"../../../../etc/passwd"', '"con"', '"schema"', '"(a+)+$"', '"("', '"(?P<x"', '"[]"', "'\\'", "'''\n'''",
    f'"{"注" * 5000}"',
    '"U+110000"', '"U+D800"', '"U+ZZZZ"', f"{'[' * 300}{']' * 300}", "", "= =", '"#set page()"', '"<b>&amp;"',
]


def jiaokan(*arguments: object) -> tuple[int, str]:
    """Run a command; the error of the program itself, a traceback, is exit code 99 here."""
    result = CliRunner().invoke(cli, [str(argument) for argument in arguments])
    fault = "Traceback" in result.output or "internal error in jiaokan" in result.output
    return 99 if fault or not isinstance(result.exception, SystemExit | None) else result.exit_code, result.output


def held(folder: Path, file: str, only: int | None = None) -> None:
    """Each command that reads the settings, or one of them, ends as documented, and a refusal names the file that was
    changed."""
    commands = ("convert", "jijie", "-C", folder, "-o", folder / "x.xml"), ("doctor", folder)
    for command in commands if only is None else commands[only : only + 1]:
        code, said = jiaokan(*command)
        assert code in (0, 1, 2), said
        assert not re.search("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e]", said)
        if code == 2:
            assert "Error: " in said
            assert ".toml" in said or ".txt" in said or file in said, said


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Path:
    target = tmp_path_factory.mktemp("fuzz") / "demo"
    shutil.copytree(SCAFFOLD, target)
    return target


def changed(text: str, key: int, value: str, where: str) -> str:
    """A table with the value of one key changed, the key doubled, or the key gone."""
    found = list(KEY.finditer(text))
    one = found[key % len(found)]
    line = {"value": f"{one['head']}{value}", "double": f"{one[0]}\n{one[0].lstrip()}", "gone": "",
            "key": f"{value} = 1"}[where]
    return text[: one.start()] + line + text[one.end() :]


@settings(max_examples=examples(150), deadline=None, suppress_health_check=list(HealthCheck))
@given(st.sampled_from(TABLES), st.integers(0, 60), st.one_of(st.sampled_from(VALUES), st.text(max_size=8)),
       st.sampled_from(["value", "value", "value", "double", "gone", "key"]))
def test_a_key_of_any_table_with_any_value(demo: Path, table: Path, key: int, value: str, where: str) -> None:
    path = demo / table.relative_to(SCAFFOLD)
    text = table.read_text(encoding="utf-8")
    path.write_bytes(changed(text, key, value, where).encode("utf-8", "surrogatepass"))
    try:
        held(demo, path.name)
    finally:
        path.write_text(text, encoding="utf-8")


@pytest.mark.parametrize("value", VALUES)
@pytest.mark.parametrize("table", OURS, ids=lambda path: path.stem)
def test_every_key_of_every_kind_of_convention(table: Path, value: str, tmp_path: Path) -> None:
    """Each top-level and nested key in turn takes the value, through the reader itself; in `make test` every third,
    another third with the next value."""
    text = table.read_text(encoding="utf-8")
    reader = {"jibian": "paragraphs", "gangmu": "verse", "zhushu": "zhushu"}[table.stem]
    lines = "燕礼第六", "燕礼。小臣戒与者(戒者)", "[疏]“燕礼”至“与者”。", "五礼", "吉礼十二"
    (tmp_path / "a.txt").write_text("\n".join(lines), encoding="utf-8")
    heads = [one["head"] for one in KEY.finditer(text)]
    keys = [heads.index(head) for head in dict.fromkeys(heads)]
    step = some(3, 1)
    for n in keys[VALUES.index(value) % step :: step]:
        (tmp_path / "c.toml").write_text(changed(text, n, value, "value"), encoding="utf-8")
        code, said = jiaokan(
            "convert", tmp_path / "a.txt", "--reader", reader, "--convention", tmp_path / "c.toml",
            "--persons", ROOT / "tei/persons.toml", "--chapter", "6=燕礼", "-o", tmp_path / "a.xml",
        )
        assert code in (0, 2), said
        assert code == 0 or re.search(r"\.(toml|txt|xml)", said), said


def test_every_key_is_reached() -> None:
    def keys(table: Any) -> int:
        if isinstance(table, dict):
            return sum(1 if not isinstance(v, dict | list) else keys(v) for v in table.values())
        return sum(map(keys, table)) if isinstance(table, list) else 1

    for table in TABLES:
        text = table.read_text(encoding="utf-8")
        assert len(list(KEY.finditer(text))) or not keys(tomllib.loads(text))
