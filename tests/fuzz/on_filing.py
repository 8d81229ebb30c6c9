"""Decisions written by the program (at the desk, by `review`, `accept`, `adopt`) into files that others have written.

The law: the file has this table more and all else, comments too, is there to the byte; read back it says what was
decided; taken out again nothing of the others' is gone. So for the lines of punctuation.
"""

from __future__ import annotations

import json
import random
import tomllib
from datetime import date
from typing import Any, get_args

import msgspec

from jiaokan.decisions.filing import insert_table, remove_table, split_tables, to_toml
from jiaokan.decisions.kinds import KINDS
from jiaokan.decisions.punctuation.files import insert_line, remove_line
from tests.fuzz import text

NAME = "filing"
BETWEEN = ("", "", "", "\n", "\n\n", "\n\n\n", "# 记\n", "\n# 另\n\n", "# a\n# b\n", "\n#\n", "#[[lemma]]\n", "\r\n",
           "  \n", "\t# c\n", "# 页\u2028中\n")
ROWS = ("# resp: editors", "# resp: jiaokan", "# when: 2026-01-31", "# cert: low", "# evidence: 甲", "# 记", "#", "",
        "1.1.1\t甲。", "1.1.2\t甲，乙。", "1.2.1.n1\t_甲_乙。", "1.h\t甲",
        "2.1.10\t甲", "2.1.9\t乙", "x", "\t甲", "3.1.1\t甲\u2028乙", "# 页\x0c")


def made(chance: random.Random) -> str:
    """As JSON: a file and what comes into it; tables of TOML, or lines."""
    if chance.random() < 0.3:
        ends = chance.choice(("\n", "\n", "\r\n"))
        file = "".join(f"{chance.choice(ROWS)}{ends}" for _ in range(chance.randint(0, 9)))
        head = [chance.choice(ROWS[:5]) for _ in range(chance.randint(0, 4))]
        unit = f"{chance.randint(1, 3)}.{chance.randint(1, 3)}.{chance.randint(1, 12)}"
        line = f"{unit}\t甲{''.join(text(chance, 2).split())}"
        return json.dumps([file[: len(file) - chance.randint(0, 1)], "\n".join([*head, line]), "line"])
    name = chance.choice(KINDS).name
    own = [table(chance, chance.choice((name, chance.choice(KINDS).name))) + chance.choice(BETWEEN)
           for _ in range(chance.randint(0, 5))]
    file = chance.choice(("", "# 头\n\n", "# 头\n", "\ufeff", "x = 1\n")) + "".join(own)
    if chance.random() < 0.1:
        file = file.replace("\n", "\r\n")
    return json.dumps([file[: len(file) - chance.randint(0, 1)], table(chance, name), "table"])


def table(chance: random.Random, name: str) -> str:
    """A decision of a kind with any words, as the program writes it; at times as a person could."""
    kind = next(kind for kind in KINDS if kind.name == name)
    said = {each.name: _value(each, chance) for each in msgspec.structs.fields(kind.table)
            if each.required or chance.random() < 0.5}
    written = to_toml(kind.table(**said))
    if chance.random() < 0.15:
        key, _, rest = written.rstrip("\n").rpartition("\n")[2].partition(" = ")
        written = written.replace(f"{key} = {rest}", f'{key} = """\n[[lemma]]\n# 中\nunit = "e.1.1"\n"""  # 尾')
    return written.replace("[[", " [[") if chance.random() < 0.05 else written


def _value(field: Any, chance: random.Random) -> Any:
    if field.name == "unit":
        return f"e.{chance.randint(1, 3)}.{chance.randint(1, 12)}"
    if field.name == "when":
        return chance.choice((date(2026, 1, 31), None))
    if field.type is bool:
        return chance.random() < 0.5
    if field.type is int:
        return chance.randint(0, 99)
    choices = [each for each in get_args(field.type) if isinstance(each, str)]
    return chance.choice(choices) if choices else text(chance)


def hold(given: str) -> None:
    """Put in and taken out, nothing else is another."""
    file, own, what = json.loads(given)
    (_line if what == "line" else _table)(file, own)


def _table(file: str, own: str) -> None:
    try:
        before, mine = tomllib.loads(file.removeprefix("\ufeff")), tomllib.loads(own)
    except tomllib.TOMLDecodeError:  # a comment between keys and values, a table twice: no file that is read
        return
    made = insert_table(file, own)
    name, = mine
    after = tomllib.loads(made.removeprefix("\ufeff"))
    rest = list(after.get(name, []))
    rest.remove(mine[name][0])
    assert {**after, name: rest} == {name: [], **before}
    assert "".join(split_tables(made)) == made
    held = own.rstrip("\n")
    assert any(_bare(made[:n] + made[n + len(held):]) == _bare(file) for n in _places(made, held)), made
    gone = remove_table(made, own)
    if gone is not None:
        assert tomllib.loads(gone.removeprefix("\ufeff")).get(name, []) == before.get(name, [])
        assert _bare(gone) == _bare(file) or own.strip() in file


def _line(file: str, own: str) -> None:
    line = own.rpartition("\n")[2]
    if "\t" not in line:  # no line of a unit
        return
    made = insert_line(file, own)
    rows, old = _rows(made), _rows(file)
    assert rows.count(line) == old.count(line) + 1
    left = iter(rows)
    assert all(row in left for row in old), made
    gone = remove_line(made, own)
    if gone is not None:
        assert [row for row in _rows(gone) if row not in own.split("\n")] == [
            row for row in old if row not in own.split("\n")]


def _places(made: str, own: str) -> list[int]:
    return [at for at in range(len(made)) if made.startswith(own, at)]


def _bare(text: str) -> str:
    return text.replace("\n", "").replace("\r", "")


def _rows(text: str) -> list[str]:
    return [row.rstrip("\r") for row in text.split("\n") if row.strip()]
