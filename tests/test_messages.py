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

from jiaokan.cli import registry
from jiaokan.errors import Finding, Message, Place, restored, stored
from jiaokan.system.listing import resource
from jiaokan.system.store import Store
from jiaokan.system.wording import chinese
from jiaokan.validate import validate_bytes
from jiaokan.validate.report import FORMATS, Checked, report

ROOT = Path(__file__).parents[1]
TABLE = tomllib.loads((ROOT / "pipeline/jiaokan/system/messages_zh.toml").read_text(encoding="utf-8"))
CHINESE: dict[str, str] = TABLE["messages"]
SAMPLE = ROOT / "tests/cases/tei/sample.xml"


def _forms() -> set[str]:
    """Return each form that the program gives to `Message`: a string, or a constant that is one."""
    texts = (path.read_text(encoding="utf-8") for path in sorted((ROOT / "pipeline" / "jiaokan").rglob("*.py")))
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


SHOWN = {"say", "error", "Fault", "LineFault", "Unfit", "finding", "Finding", "suggestion", "BadParameter", "_Failure",
         "SystemFault", "option"}
"""Calls whose words are shown; those of errors end in Error."""
NOT_SHOWN = {"ValueError", "TypeError", "NotImplementedError", "OSError", "PermissionError", "RuntimeError",
             "AttributeError", "TOMLDecodeError"}


def _shown() -> dict[str, str]:
    """Return each form in errors, findings, printed lines and the help of options, and where it stands."""
    found: dict[str, str] = {}
    for path in sorted((ROOT / "pipeline" / "jiaokan").rglob("*.py")):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        above = {child: node for node in ast.walk(tree) for child in ast.iter_child_nodes(node)}
        for node in ast.walk(tree):
            form = _form(node)
            if form and not isinstance(above[node], ast.Expr | ast.JoinedStr | ast.FormattedValue) and _is_said(form):
                call, key = _call(node, above)
                shown = (call in SHOWN or call.endswith("Error")) and call not in NOT_SHOWN
                if shown and key in ("", "mend", "message", "help", "otherwise"):
                    found[form] = f"{path.relative_to(ROOT)}:{node.lineno}"  # type: ignore[attr-defined]  # a string has one
    return found


def _form(node: ast.AST) -> str:
    """Return the form of a string or f-string: {} for each value, braces of the text doubled."""
    match node:
        case ast.Constant(value=str() as text):
            return text.replace("{", "{{").replace("}", "}}")
        case ast.JoinedStr(values=parts):
            return "".join(_form(part) if isinstance(part, ast.Constant) else "{}" for part in parts)
    return ""


def _is_said(form: str) -> bool:
    return bool(re.search(r"[A-Za-z]{2,} [A-Za-z{`]|[A-Za-z]{2,}[:,] |\{\} [a-z]{2,}", form.removeprefix("Error: ")))


def _call(node: ast.AST, above: dict[ast.AST, ast.AST]) -> tuple[str, str]:
    """Return the name of the nearest call that a string is an argument of, and the argument's name."""
    key = ""
    while node in above and not isinstance(node, ast.Call | ast.FunctionDef | ast.ClassDef):
        key = node.arg or "" if isinstance(node, ast.keyword) else key
        node = above[node]
    match node:
        case ast.Call(func=ast.Name(id=name) | ast.Attribute(attr=name)):
            return name, key
    return "", key


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


def test_each_form_has_its_chinese_wording() -> None:
    missing = {form: where for form, where in _shown().items() if form not in CHINESE}
    assert not missing
    assert not (_forms() | _annotations()) - set(CHINESE)


def test_the_table_has_no_form_that_the_program_lost() -> None:
    trees = (ast.parse(path.read_text(encoding="utf-8")) for path in (ROOT / "pipeline" / "jiaokan").rglob("*.py"))
    strings = {_form(node) for tree in trees for node in ast.walk(tree)} | _forms() | _annotations()
    general = [re.compile(".+".join(map(re.escape, re.split(r"\{\d?\}", form)))) for form in strings if "{}" in form]
    assert not {form for form in set(CHINESE) - strings if not any(each.fullmatch(form) for each in general)}


def test_each_command_has_its_chinese_help() -> None:
    assert set(TABLE["help"]) <= set(registry()) and all(each.chinese for each in registry().values())
    assert set(registry()) - set(TABLE["help"]) == {"epub", "docx"}  # outputs, each said in one line


_QUOTED = re.compile(r"""U\+[0-9A-F]+, [a-z ]+|`[^`]*`|'[^'\n]*'|“[^”]*”|"[^"\n]*"|\[+[^]]*\]+|"""
                     r"[\w.*…/-]*[/.:_=][\w./:*…-]*")
"""What a message quotes: names of Unicode, words in quotes, heads of tables, paths, keys with values."""


@pytest.mark.parametrize("case", sorted((ROOT / "tests/cases/settings").glob("*/message.txt")),
                         ids=lambda path: path.parent.name)
def test_nothing_of_a_message_stays_english(case: Path) -> None:
    """Judged on errors in settings: outside quotations and names, no three English words follow each other."""
    said = chinese(case.read_text(encoding="utf-8").strip())
    left = _QUOTED.sub("", said)
    assert not re.search("[A-Za-z]{2,} [A-Za-z]{2,} [A-Za-z]{2,}", left), said


def test_both_wordings_have_the_same_values() -> None:
    wrong = []
    for form, chinese_form in CHINESE.items():
        count = form.count("{}")
        values = [f"值{n}" for n in range(count)]
        slots = [name for _, name, _, _ in Formatter().parse(chinese_form) if name is not None]
        same = sorted(slots) in ([""] * count, [str(n) for n in range(count)])
        if not same or not all(value in chinese_form.format(*values) for value in values):
            wrong.append(form)
    assert not wrong


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
