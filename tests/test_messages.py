"""Messages: each id of the code has its wording, each language the same values; values stay as they are, plural forms
fit, and a pseudo-language shows what is not a message."""

from __future__ import annotations

import ast
import inspect
import json
import pickle
import re
from collections.abc import Iterator
from pathlib import Path
from string import Formatter

import click
import msgspec
import pytest
from click.testing import CliRunner

import jiaokan
from jiaokan import messages
from jiaokan.cli import cli, registry
from jiaokan.cli._report import FORMATS, Checked, report
from jiaokan.decisions.kinds import KINDS
from jiaokan.errors import (
    CatalogError,
    Finding,
    Message,
    Place,
    decode_message,
    encode_message,
    join_messages,
    together,
)
from jiaokan.settings.manual import TOPICS
from jiaokan.system.store import Store
from jiaokan.validate import validate_bytes
from jiaokan.validate.rules import RULES
from tests.pseudo import outside, pseudo  # noqa: F401 (a fixture)

ROOT = Path(__file__).parents[1]
PACKAGE = Path(jiaokan.__file__).parent
SAMPLE = ROOT / "tests/cases/tei/sample.xml"
COMPUTED = ("class-", "click-", "command-", "decision-", "desk-", "errno-", "gloss-", "group-", "help-", "key-",
            "label-", "manual-", "next-", "option-", "principle-", "reader-", "row-", "rule-", "schema-",
            "settings-file-", "severity-", "tei-", "term-")
"""How ids begin that the program puts together, as ``command-`` and the name of a command."""
NASTY = ("none", "edition", "{}", "{name}", "%s", "tei/editions", "the entry", "与正本", "'",
         "a\\b", "⟦x⟧", "", "1 files")


def _values(wording: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(wording) if name is not None}


def _calls() -> Iterator[tuple[str, ast.Call]]:
    """Yield where `Message` is called with an id as it is written, and the call."""
    for path in sorted(PACKAGE.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            match node:
                case ast.Call(func=ast.Name(id="Message"), args=[ast.Constant(value=str())]):
                    yield f"{path.relative_to(PACKAGE)}:{node.lineno}", node


def test_each_message_of_the_code_has_its_wording_and_its_values() -> None:
    wrong = []
    english = messages.catalogue("en").wordings
    for where, call in _calls():
        identifier = call.args[0].value  # type: ignore[attr-defined]  # `_calls` yields constants
        needed = set().union(*map(_values, english.get(identifier, ("{no such id}",))))
        given = {each.arg for each in call.keywords}
        if None not in given and needed - given:
            wrong.append((where, identifier, needed - given))
    assert not wrong


def test_each_message_of_the_catalogue_is_used() -> None:
    texts = "\n".join(path.read_text(encoding="utf-8") for path in sorted(PACKAGE.rglob("*.py")))
    written = set(re.findall(r"""["']([a-z][A-Za-z0-9-]*)["']""", texts))
    assert not [each for each in messages.ids() if each not in written and not each.startswith(COMPUTED)]
    assert set(messages.ids("command-")) <= {f"command-{name}" for name in registry()}
    assert {f"decision-{kind.name}" for kind in KINDS} <= set(messages.ids("decision-"))
    assert {f"rule-{rule.id}" for rule in RULES} <= set(messages.ids("rule-"))


@pytest.mark.parametrize("language", messages.languages())
def test_every_language_has_every_message_with_the_same_values(language: str) -> None:
    english, other = messages.catalogue("en").wordings, messages.catalogue(language).wordings
    assert set(english) == set(other)
    headers = ("principle-edition", "principle-witness")  # the title is in the Chinese sentence alone
    assert not [each for each in english if each not in headers and set().union(*map(_values, other[each]))
                - set().union(*map(_values, english[each]))]
    lost = {each for each in english if set().union(*map(_values, english[each])) - set().union(
        *map(_values, other[each]))}
    assert not {each for each in lost if not each.startswith("schema-") and each not in headers}


def test_ids_are_readable_words() -> None:
    assert not [each for each in messages.ids() if not re.fullmatch(r"[a-z0-9]+(-[A-Za-z0-9._]+)*", each)]


@pytest.mark.parametrize("value", NASTY)
@pytest.mark.parametrize("language", messages.languages())
def test_a_value_is_never_translated(value: str, language: str) -> None:
    for form in ("key-edition-unknown", "edition-unknown", "known-names", "error-at-place"):
        names = set().union(*map(_values, messages.catalogue("en").wordings.get(form, ())))
        message = Message(form, **dict.fromkeys(names, value)) if names else Message.of(value)
        shown = message.in_language(language)
        assert value in shown or repr(value)[1:-1] in shown
    assert Message.of(value).in_language(language) == value
    error = CatalogError(value, place=Place("tei/editions", 1), mend=value)
    assert error.whole.in_language(language).count(value) >= 2 or not value


def test_a_message_in_a_message_is_translated() -> None:
    inner = Message("the-entry")
    message = Message("error-at-place", place="tei/editions", message=inner)
    assert message.in_language("zh") == f"tei/editions：{inner.in_language('zh')}" != message
    assert (Message("the-entry") + " none").in_language("zh") == inner.in_language("zh") + " none"
    assert ("none " + Message("the-entry")).in_language("zh") == "none " + inner.in_language("zh")
    assert join_messages("list-comma", ["none", inner]).in_language("zh") == f"none、{inner.in_language('zh')}"


@pytest.mark.parametrize(("count", "words"), [(0, "0 files"), (1, "1 file"), (2, "2 files"), (11, "11 files")])
def test_the_number_has_its_form(count: int, words: str) -> None:
    assert Message("file-count", count=count) == words
    assert Message("file-count", count=count).in_language("zh") == f"{count} 个文件"


def test_several_errors_are_one_in_each_language() -> None:
    errors = [CatalogError(Message("the-entry"), place=Place("a.toml", n), mend="none") for n in (1, 2)]
    whole = together(errors, "settings-faults")
    assert str(whole) == ("2 faults in the settings:\n  a.toml:1: the entry\n    → none\n"
                          "  a.toml:2: the entry\n    → none")
    assert whole.whole.in_language("zh").splitlines()[0] == "2 处设置有误："
    assert whole.whole.in_language("zh").count("\n  a.toml:") == 2


KEPT = Finding("r", Place("a.xml", 1), Message("error-at-place", place="none", message=Message("the-entry")),
               "plain {}")


def test_id_and_values_are_kept_between_processes_and_in_stores(tmp_path: Path) -> None:
    store = Store(tmp_path)
    store.put("verdict", "", [KEPT])
    data = msgspec.json.encode(KEPT, enc_hook=encode_message)
    for back in (
        pickle.loads(pickle.dumps(KEPT)), msgspec.json.decode(data, type=Finding, dec_hook=decode_message),
        *(store.get("verdict", "", tuple[Finding, ...]) or ()),
    ):
        assert back == KEPT and back.message.id == KEPT.message.id and back.mend == "plain {}"
        assert back.message.in_language("zh") == KEPT.message.in_language("zh") != back.message


@pytest.mark.parametrize("value", [["no-such-id", {}], ["the-entry-id", {}], ["{}", "x"], "x", []])
def test_what_is_no_message_is_not_restored(value: object) -> None:
    with pytest.raises(TypeError):
        decode_message(Message, value)


def test_a_message_without_wording_or_value_is_an_error() -> None:
    with pytest.raises(LookupError):
        Message("no-such-id")
    with pytest.raises(LookupError):
        Message("the-entry-id")


@pytest.mark.parametrize(("locale", "language"), [
    ("zh_CN.UTF-8", "zh"), ("zh", "zh"), ("Chinese (Simplified)_China.936", "zh"), ("en_GB.UTF-8", "en"), ("C", "en"),
    ("C.UTF-8", "en"), ("qtz_XX", "en"), ("", "en"), ("POSIX", "en"),
])
def test_a_locale_has_its_language(locale: str, language: str) -> None:
    assert messages.language_of(locale) == language


@pytest.mark.parametrize("form", FORMATS)
def test_a_report_in_chinese_has_the_same_findings(form: str) -> None:
    data = SAMPLE.read_bytes().replace(b'xml:id="sample.6.1.2.a1"', b'xml:id="sample.6.1.1.a2"')
    findings = validate_bytes(data, name="f.xml")
    english, chinese = (report(Checked(findings, ["f.xml"], lang=lang), form) for lang in ("en", "zh"))
    assert "duplicate id" in english and "duplicate id" not in chinese and "重复" in chinese
    prints = [re.findall('"jiaokan/v1": "([0-9a-f]+)"', each) for each in (english, chinese)]
    assert prints[0] == prints[1]


_WORDS = re.compile(r"[A-Za-z]{2,} [a-z]{2,} [a-z]{2,}")


def _unmarked(output: str) -> list[str]:
    """Return lines with three English words in a row outside the marks, apart from commands, options and paths."""
    kept = [re.sub(r"jiaokan [^\n]*", "", line) for line in outside(output).splitlines()]
    return [line for line in kept if _WORDS.search(line)]


@pytest.mark.usefixtures("pseudo")
def test_the_help_of_every_command_is_a_message() -> None:
    assert "qps" in messages.languages()
    assert not _unmarked(CliRunner().invoke(cli, ["--help"]).output)
    for name in registry():
        result = CliRunner().invoke(cli, [name, "--help"])
        assert result.exit_code == 0 and "⟦" in result.output
        assert not _unmarked(result.output), name


@pytest.mark.usefixtures("pseudo")
@pytest.mark.parametrize("arguments", [
    ["buidl"], ["build", "--jobs", "none"], ["build", "--wrong"], ["read"], ["validate", "no-such.xml"],
    ["explain", "no-such-rule"], ["explain", "witness-twice"], ["explain", "辩/遍"],
    ["explain", "edition", "--lang", "qps"],
    ["build", "nowhere"], ["collate", "no-such"], ["bundle", "-C", "nowhere"], ["read", "nowhere.xml", "1.1"],
], ids=" ".join)
def test_every_answer_is_a_message(arguments: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    result = CliRunner().invoke(cli, arguments)
    assert "⟦" in result.output and not _unmarked(result.output)


@pytest.mark.usefixtures("pseudo")
@pytest.mark.parametrize("topic", TOPICS)
def test_every_page_of_the_manual_is_of_messages(topic: str) -> None:
    result = CliRunner().invoke(cli, ["explain", topic])
    assert "⟦" in result.output
    lines = [line for line in _unmarked(result.output) if not re.search(r" = |⇥", line)]  # examples
    assert not lines


@pytest.mark.usefixtures("pseudo")
def test_findings_and_reports_are_messages() -> None:
    data = SAMPLE.read_bytes().replace(b'xml:id="sample.6.1.2.a1"', b'xml:id="sample.6.1.1.a2"')
    findings = validate_bytes(data, name="f.xml")
    text = report(Checked(findings, ["f.xml"], lang="qps"), "text")
    assert "⟦error⟧" in text
    rows = json.loads(report(Checked(findings, ["f.xml"], lang="qps"), "json"))
    assert all(each["message"].startswith("⟦") for each in rows)


def test_every_option_has_its_help() -> None:
    for name in registry():
        command = cli.get_command(click.Context(cli), name)
        assert command is not None
        assert not [each.name for each in command.params if isinstance(each, click.Option) and not each.help]
    assert inspect.getdoc(cli.callback)
