"""Word files of strangers: broken archives, parts that are no XML, notes that are nearly a 校勘記.

The law: TEI that the next command takes, or a refusal that names the file; of a sentence nothing but what it says.
"""

from __future__ import annotations

import io
import json
import random
import zipfile

from jiaokan.errors import JiaokanError
from jiaokan.exchange.imports.docx import convert
from jiaokan.exchange.imports.jiaokanji import parse_note
from jiaokan.tei.linking.read import link_text
from jiaokan.tei.tree import parse
from tests.fuzz import text, words
from tests.test_imports_docx import LINES, docx

NAME = "archives"
PIECES = words("""
「 」 『 』 作 原作 誤作 ， 。 ； 、 據 据 改 補 删 脱 無 衍 倒 下 上 字
二字 某本 諸本 當作 疑 按 案： 甲 乙 底本 今 同 存疑 至 … {1} {2} 〔一〕
""")


def made(chance: random.Random) -> str:
    """As JSON: paragraphs, notes, and what is done to the archive."""
    notes = [_note(chance) for _ in range(chance.randint(0, 3))]
    lines = [(chance.choice(("", "Heading1", "Title", "x")), _words(chance)) for _ in range(chance.randint(1, 4))]
    return json.dumps([lines, notes, chance.choice(("", "", "", "byte", "cut", "part")), chance.randrange(10**6)])


def _note(chance: random.Random) -> str:
    if chance.random() < 0.5:
        sentence = chance.choice(LINES)[0]
        at = chance.randint(0, len(sentence))
        return sentence[:at] + chance.choice(("", chance.choice(PIECES))) + sentence[at + chance.randint(0, 2):]
    return "".join(chance.choice(PIECES) for _ in range(chance.randint(0, 12)))


def _words(chance: random.Random) -> str:
    words = "".join(chance.choice(PIECES) for _ in range(chance.randint(0, 12))) + text(chance, 2)
    return "".join(each for each in words if each in "\t\n" or (each.isprintable() and each not in "<&>"))


def hold(given: str) -> None:
    """It is taken, or refused by name."""
    lines, notes, how, at = json.loads(given)
    for note in notes:
        parse_note(note)
    data = _broken(docx([tuple(line) for line in lines], notes), how, at)
    try:
        tei = convert(data, "given.docx").tei
    except JiaokanError as error:
        assert "given.docx" in str(error)
        return
    parse(tei, name="made.xml")
    link_text(tei, "made.xml")


def _broken(data: bytes, how: str, at: int) -> bytes:
    if how == "byte":
        return data[: at % len(data)] + bytes([at % 256]) + data[at % len(data) + 1 :]
    if how == "cut":
        return data[: at % len(data)]
    if how == "part":
        out = io.BytesIO()
        with zipfile.ZipFile(io.BytesIO(data)) as old, zipfile.ZipFile(out, "w") as new:
            for n, name in enumerate(old.namelist()):
                part = old.read(name)
                new.writestr(name, part[: at % (len(part) + 1)] if n == at % len(old.namelist()) else part)
        return out.getvalue()
    return data
