"""A message is worded once per language: its Chinese form has the same values, which are never translated."""

from __future__ import annotations

import ast
import pickle
import re
import tomllib
from pathlib import Path
from string import Formatter

import msgspec
import pytest

from pipeline.errors import Finding, Message, Place, restored, stored
from pipeline.system.listing import resource
from pipeline.system.store import Store
from pipeline.validate import validate_bytes
from pipeline.validate.report import FORMATS, Checked, report

ROOT = Path(__file__).parents[1]
TABLE = tomllib.loads((ROOT / "pipeline/validate/report/messages_zh.toml").read_text(encoding="utf-8"))
CHINESE: dict[str, str] = TABLE["messages"]
SAMPLE = ROOT / "tests/cases/tei/sample.xml"


def _forms() -> set[str]:
    """Return each form that the program gives to `Message`: a string, or a constant that is one."""
    texts = (path.read_text(encoding="utf-8") for path in sorted((ROOT / "pipeline").rglob("*.py")))
    trees = [ast.parse(text) for text in texts if "Message" in text]
    constants: dict[str, str] = {}
    for statement in (each for tree in trees for each in tree.body):
        match statement:
            case ast.Assign(targets=[ast.Name(id=name)], value=ast.Constant(value=str() as value)):
                constants[name] = value
    found: set[str] = set()
    for node in (node for tree in trees for node in ast.walk(tree)):
        match node:
            case ast.Call(func=ast.Name(id="Message"), args=[ast.Constant(value=str() as form), *_]):
                found.add(form)
            case ast.Call(func=ast.Name(id="Message"), args=[ast.Name(id=name), *_]) if name in constants:
                found.add(constants[name])
    return {form for form in found if _has_words(form)}


def _has_words(form: str) -> bool:
    """Whether a form has words of ours, not only values, tags and punctuation."""
    return re.search("[A-Za-z]", re.sub(r"\{\}|<[^>]*>", "", form)) is not None


def _annotations() -> set[str]:
    """Return what our schema says of the form of values, which becomes a message."""
    found: set[str] = set()
    for path in resource("schema/jiaokan.xsd").parent.glob("*.xsd"):
        texts = re.findall("<xs:documentation>(.*?)</xs:documentation>", path.read_text(encoding="utf-8"), re.S)
        found |= {" ".join(text.split()) for text in texts}
    return found


def test_each_form_has_its_chinese_wording_and_the_other_way_round() -> None:
    assert set(CHINESE) == _forms() | _annotations()


@pytest.mark.parametrize("form", CHINESE)
def test_both_wordings_have_the_same_values(form: str) -> None:
    count = form.count("{}")
    values = [f"值{n}" for n in range(count)]
    slots = [name for _, name, _, _ in Formatter().parse(CHINESE[form]) if name is not None]
    assert sorted(slots) in ([""] * count, [str(n) for n in range(count)])
    assert all(value in CHINESE[form].format(*values) for value in values)


def test_values_are_quoted_and_words_of_ours_are_translated() -> None:
    """A siglum that reads like a message or like words of one stays as it is."""
    for siglum in ("与正本 字", "与", "an entry", "{}", "nothing", "collate again"):
        message = Message('{} names the witness "#{}" in two readings', Message("the entry {}", siglum), siglum)
        assert message == f'the entry {siglum} names the witness "#{siglum}" in two readings'
        assert message.translated(CHINESE) == f"校记 {siglum} 在两种异文中都列出“#{siglum}”"
    nested = Message("{} (see line {}, column {})", Message("a bare &"), 3, 4)
    assert nested.translated(CHINESE) == "单独的 &（参见第 3 行第 4 列）"
    assert Message.of("an entry").translated(CHINESE) == "an entry" == Message.of("an entry")


KEPT = Finding("r", Place("a.xml", 1), Message("a <{}> of {} names no witness", "rdg", Message("an entry")), "plain {}")


def test_form_and_values_are_kept_between_processes_and_in_stores(tmp_path: Path) -> None:
    store = Store(tmp_path)
    store.put("verdict", "", [KEPT])
    data = msgspec.json.encode(KEPT, enc_hook=stored)
    for back in (
        pickle.loads(pickle.dumps(KEPT)), msgspec.json.decode(data, type=Finding, dec_hook=restored),
        *(store.get("verdict", "", tuple[Finding, ...]) or ()),
    ):
        assert back == KEPT and back.message.form == KEPT.message.form and back.mend.form == "{}"
        assert back.message.translated(CHINESE) == "一条校记 中的 <rdg> 未列任何本子"


@pytest.mark.parametrize("form", FORMATS)
def test_a_report_in_chinese_has_the_same_findings(form: str) -> None:
    data = SAMPLE.read_bytes().replace(b'xml:id="sample.6.1.2.a1"', b'xml:id="sample.6.1.1.a2"')
    findings = validate_bytes(data, name="f.xml")
    english, chinese = (report(Checked(findings, ["f.xml"], lang=lang), form) for lang in ("en", "zh"))
    assert "duplicate id" in english and "duplicate id" not in chinese and "重复" in chinese
    prints = [re.findall('"jiaokan/v1": "([0-9a-f]+)"', each) for each in (english, chinese)]
    assert prints[0] == prints[1]
