"""The command line on a user's own folder: what each command gives, and what it says of faults."""

from __future__ import annotations

import ast
import hashlib
import importlib
import json
import os
import pkgutil
import re
import shutil
from collections.abc import Callable
from pathlib import Path

import click
import pytest
from click.testing import CliRunner, Result

from jiaokan import cli as package
from jiaokan import messages
from jiaokan.cli import _terminal as terminal
from jiaokan.cli import cli
from jiaokan.errors import Message


def jiaokan(*arguments: object) -> Result:
    """Run a command in this process."""
    return CliRunner().invoke(cli, [str(argument) for argument in arguments])


@pytest.fixture
def demo(tmp_path: Path) -> Path:
    """The folder that `init` makes."""
    assert jiaokan("init", tmp_path / "demo").exit_code == 0
    return tmp_path / "demo"


def commands() -> list[tuple[str, click.Command]]:
    context = click.Context(cli)
    return [(name, command) for name in cli.list_commands(context) if (command := cli.get_command(context, name))]


@pytest.mark.parametrize(("name", "command"), commands(), ids=lambda value: value if isinstance(value, str) else "")
def test_every_command_shows_an_example(name: str, command: click.Command) -> None:
    help_text = jiaokan(name, "--help").output
    assert f"Example:  jiaokan {name}" in help_text
    for parameter in command.params:
        if isinstance(parameter, click.Option):
            assert parameter.help, parameter.name


def test_the_list_of_commands_is_that_of_the_modules() -> None:
    """`jiaokan --help` imports no command: its list has each command's module and the first line of its help."""
    found = {}
    for module in pkgutil.iter_modules(package.__path__):
        if not module.name.startswith("_"):
            for command in importlib.import_module(f"jiaokan.cli.{module.name}").COMMANDS:
                assert command.name and command.help
                found[command.name] = (module.name, command.help.partition("\n")[0])
    assert found == {name: (row.module, row.about) for name, row in package.registry().items()}


@pytest.mark.parametrize(("locale", "language"), [("en_GB.UTF-8", "en"), ("zh_CN.UTF-8", "zh")])
def test_commands_are_listed_by_group_with_whole_summaries(
    locale: str, language: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LC_ALL", locale)
    said = re.split(r"^(\S.*):$", jiaokan("--help").output, flags=re.M)
    listed = dict(zip(said[1::2], said[2::2], strict=True))
    assert {row.group for row in package.registry().values()} == {*package.GROUPS}
    for group in package.GROUPS:
        rows = {name: row.about.in_language(language) for name, row in package.registry().items() if row.group == group}
        title = Message(f"group-{group}").in_language(language)
        lines = " ".join(re.split("Exit codes|退出码", listed[title])[0].split())
        assert lines == " ".join(f"{name} {about}" for name, about in rows.items())


def test_without_arguments_the_next_step_is_said(demo: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LC_ALL", "en_GB.UTF-8")

    def said(folder: Path) -> str:
        folder.mkdir(exist_ok=True)
        monkeypatch.chdir(folder)
        told = jiaokan()
        assert told.exit_code == 0 and "jiaokan --help" in told.output
        return told.output

    empty = tmp_path / "empty"
    assert "jiaokan init demo && jiaokan build demo" in said(empty)
    (empty / "my text.txt").write_text("学而", encoding="utf-8")
    assert "jiaokan init edition --from 'my text.txt' && jiaokan build edition" in said(empty)
    assert f"jiaokan build {demo}" in said(demo / "tei")
    (demo / "build/html").mkdir(parents=True)
    (demo / "build/html/index.html").touch()
    assert f"{demo}/build/html/index.html\n  jiaokan desk {demo}" in said(demo)
    monkeypatch.setenv("LC_ALL", "zh_CN.UTF-8")
    assert "打开网站" in said(demo) and "新建整理文件夹" in said(empty)


@pytest.mark.parametrize(("option", "variable", "locale", "language"), [
    ("", "", "zh_CN.UTF-8", "zh"), ("", "zh", "en_GB.UTF-8", "zh"),
    ("en", "zh", "zh_CN.UTF-8", "en"), ("zh", "", "C", "zh"),
])
def test_the_language_of_a_command_ends_with_it(
    option: str, variable: str, locale: str, language: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also that of a report which a child process words, on a file that is in no edition folder."""
    monkeypatch.setenv("LC_ALL", locale)
    monkeypatch.setenv("JIAOKAN_LANG", variable)
    before = terminal.language()
    shutil.copy(Path(__file__).parent / "cases/tei/sample.xml", tmp_path / "text.xml")
    told = jiaokan(*(["--lang", option] if option else []), "stats", str(tmp_path / "text.xml"))
    assert told.exit_code == 0 and Message("label-comments").in_language(language) in told.output
    assert (terminal.language(), os.environ["JIAOKAN_LANG"]) == (before, variable)


def test_help_says_the_exit_codes() -> None:
    assert "Exit codes: 0 done; 1 there are findings; 2 could not be done." in jiaokan("--help").output


def test_the_nearest_command_is_named() -> None:
    assert "'read'" in jiaokan("reed").output


def test_names_of_texts_are_completed(demo: Path) -> None:
    for command, expected in (("read", ["jizhu", "jijie"]), ("collate", ["jizhu", "jijie"])):
        found = dict(commands())[command]
        context = found.make_context(command, ["-C", str(demo)], resilient_parsing=True)
        argument = next(each for each in found.params if isinstance(each, click.Argument))
        assert [item.value for item in argument.shell_complete(context, "ji")] == expected


def test_init_never_writes_over(demo: Path) -> None:
    again = jiaokan("init", demo)
    assert again.exit_code == 2
    assert "not empty" in again.output


def test_convert_gives_tei(demo: Path) -> None:
    made = jiaokan("convert", "jizhu", "-C", demo)
    assert made.exit_code == 0
    assert made.stdout.startswith("<?xml")
    assert jiaokan("convert", "jizhu", "-C", demo, "-o", demo / "made.xml").exit_code == 0
    assert (demo / "made.xml").read_text(encoding="utf-8") == made.stdout


def test_convert_takes_any_file(tmp_path: Path) -> None:
    (tmp_path / "My text.txt").write_text("学而\n子曰学而时习之〈马曰时习〉\n", encoding="utf-8")
    convention = 'brackets = "〈〉"\nseparators = " "\nunsigned = { person = "" }\n'
    (tmp_path / "c.toml").write_text(convention, encoding="utf-8")
    made = jiaokan("convert", tmp_path / "My text.txt", "--reader", "brackets", "--convention", tmp_path / "c.toml",
                   "--chapter", "1=学而")
    assert made.exit_code == 0, made.output
    assert 'xml:id="my-text.1.1.1"' in made.stdout


def test_read_source_and_ledger_of_a_file(demo: Path) -> None:
    path = demo / "jizhu.xml"
    jiaokan("convert", "jizhu", "-C", demo, "-o", path)
    assert jiaokan("read", path, "1.1.1").output == "子曰学而时习之不亦说乎\n"
    printed = (demo / "tei/sources/jizhu.txt").read_text(encoding="utf-8")
    assert jiaokan("read", path, "--source").output == printed
    assert jiaokan("read", path, "--omitted").output == ""
    wrong = jiaokan("read", path, "1.1.99")
    assert wrong.exit_code == 2
    assert "jizhu:1.1.26" in wrong.output


def test_html_and_pdf_of_any_file(demo: Path, tmp_path: Path) -> None:
    jiaokan("convert", "jizhu", "-C", demo, "-o", tmp_path / "mine.xml")
    made = jiaokan("html", tmp_path / "mine.xml", "--out", tmp_path / "site")
    assert made.exit_code == 0, made.output
    assert "子曰" in (tmp_path / "site/mine/1.html").read_text(encoding="utf-8")
    made = jiaokan("pdf", tmp_path / "mine.xml", "--out", tmp_path / "mine.pdf", "--paper", "a5")
    assert made.exit_code == 0, made.output
    assert (tmp_path / "mine.pdf").read_bytes().startswith(b"%PDF")


def test_html_of_two_files_of_one_name_is_refused(demo: Path, tmp_path: Path) -> None:
    jiaokan("convert", "jizhu", "-C", demo, "-o", tmp_path / "mine.xml")
    (tmp_path / "other").mkdir()
    for other in (tmp_path / "other" / "mine.xml", tmp_path / "Mine.xml"):
        shutil.copy(tmp_path / "mine.xml", other)
        told = jiaokan("html", tmp_path / "mine.xml", other, "--out", tmp_path / "site")
        assert told.exit_code == 2
        assert f"{other}: its folder on the website would be that of {tmp_path / 'mine.xml'}" in told.output
        assert not (tmp_path / "site").exists()


def test_html_replaces_nothing_of_others(demo: Path, tmp_path: Path) -> None:
    jiaokan("convert", "jizhu", "-C", demo, "-o", tmp_path / "mine.xml")
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "letter.txt").write_text("precious", encoding="utf-8")
    told = jiaokan("html", tmp_path / "mine.xml", "--out", tmp_path)
    assert told.exit_code == 2
    assert "did not make" in told.output
    assert (tmp_path / "mine" / "letter.txt").exists()


def test_a_site_with_files_of_others_is_refused_before_anything_is_made(demo: Path, tmp_path: Path) -> None:
    made = tmp_path / "made"
    (made / "html").mkdir(parents=True)
    (made / "html" / "CNAME").write_text("example.org", encoding="utf-8")
    told = jiaokan("build", demo, "--out", made, "--force")
    assert told.exit_code == 2
    assert "did not make" in told.output and "] read " not in told.output
    assert {path.name for path in made.iterdir()} == {"html", ".lock"}


@pytest.mark.parametrize("command", [("html", "--out", "site"), ("pdf",), ("read",), ("validate",)])
@pytest.mark.parametrize("data", [b"", b"not xml", b"<TEI/>", b"\xff\xfe\x00", None], ids=str)
def test_no_tei_is_one_message(command: tuple[str, ...], data: bytes | None, tmp_path: Path) -> None:
    path = tmp_path / "some.xml"
    if data is not None:
        path.write_bytes(data)
    name, *options = command
    told = jiaokan(name, path, *(tmp_path / o if o == "site" else o for o in options))
    assert told.exit_code == (1 if name == "validate" and data is not None else 2), told.output
    assert "Traceback" not in told.output
    assert "internal error in jiaokan" not in told.output
    assert not [each for each in tmp_path.rglob("*") if each.is_file() and each != path]


def test_doctor(demo: Path) -> None:
    told = jiaokan("doctor", demo)
    assert told.exit_code == 0
    for word in ("saxonche", "chromium", "NotoSerifSC"):
        assert word in told.output


def replace(old: str, new: str) -> Callable[[Path], None]:
    """Return an edit of a file."""

    def edit(path: Path) -> None:
        text = path.read_text(encoding="utf-8")
        assert old in text
        path.write_text(text.replace(old, new, 1), encoding="utf-8")

    return edit


def content(data: bytes) -> Callable[[Path], None]:
    """Return an edit that puts other content into a source and declares its sha256."""

    def edit(path: Path) -> None:
        old = hashlib.sha256(path.read_bytes()).hexdigest()
        path.write_bytes(data)
        replace(old, hashlib.sha256(data).hexdigest())(path.parents[1] / "catalog.toml")

    return edit


FAULTS: dict[str, tuple[str, Callable[[Path], object], str]] = {
    "missing-file": ("sources/jijie.txt", Path.unlink, "cannot be read"),
    "wrong-sha256": ("sources/jijie.txt", replace("学", "學"), "sha256 is"),
    "not-utf8": ("sources/jijie.txt", content("学而第一".encode("gb18030")), "not UTF-8 at byte"),
    "empty": ("sources/jijie.txt", content(b"  \n"), "the file is empty"),
    "unknown-reader": ("catalog.toml", replace('"brackets"', '"bracket"'), "did you mean 'brackets'"),
    "reader-does-not-fit": ("catalog.toml", replace('"brackets"', '"zhushu"'), "jijie"),
    "unknown-witness": ("editions/lunyu.toml", replace('"yishu"', '"yisu"'), "did you mean 'yishu'"),
    "outside": ("catalog.toml", replace("sources/jijie.txt", "../../jijie.txt"), "outside the edition's folder"),
    "absolute": ("catalog.toml", replace("sources/jijie.txt", "/etc/passwd"), "outside the edition's folder"),
    "malformed-toml": ("catalog.toml", replace("[project]", "[project"), "invalid TOML"),
    "unknown-key": ("catalog.toml", replace("siglum =", "siglun ="), "siglun"),
    "unknown-speaker": ("conventions/jijie.toml", replace('"marong"', '"maron"'), "unknown person id 'maron'"),
    "base-elsewhere": ("editions/lunyu.toml", replace('["jijie", ', "["), "not among its witnesses"),
    "no-chapter": ("editions/lunyu.toml", replace("[[chapters]]", "[[chapter]]"), "did you mean 'chapters'"),
    "no-text": ("editions/jizhu.toml", replace('witness = "jizhu"', ""), "names no text"),
    "unknown-work": ("editions/lunyu.toml", replace('work = "lunyu"', 'work = "lunyv"'), "did you mean 'lunyu'"),
    "bad-id": ("editions/lunyu.toml", replace('id = "lunyu"', 'id = "../lunyu"'), "not of the form"),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_is_told_in_one_message(demo: Path, fault: str) -> None:
    file, edit, words = FAULTS[fault]
    edit(demo / "tei" / file)
    before = {path: path.read_bytes() for path in demo.rglob("*") if path.is_file()}
    told = jiaokan("build", demo, "--jobs", 1)
    assert told.exit_code == 2, told.output
    assert words in told.stderr
    assert told.stderr.count("Error: ") == 1
    assert "Traceback" not in told.output
    assert not (demo / "tei/witnesses/jijie.xml").exists() or fault in ("unknown-reader", "reader-does-not-fit")
    assert not list(demo.rglob("*.part"))
    assert {path: path.read_bytes() for path in before} == before


def test_no_folder_here(tmp_path: Path) -> None:
    told = jiaokan("build", tmp_path)
    assert told.exit_code == 2
    assert "jiaokan init" in told.output


@pytest.mark.parametrize("out", ["", "tei", "tei/sources"])
def test_outputs_never_lie_among_the_texts(demo: Path, out: str) -> None:
    told = jiaokan("build", demo, "--out", demo / out)
    assert told.exit_code == 2
    assert "among the texts" in told.output


def test_a_fault_of_the_program_says_so(demo: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr("jiaokan.readers.read", broken)
    told = jiaokan("convert", "jizhu", "-C", demo)
    assert told.exit_code == 2
    assert "internal error in jiaokan" in told.stderr


def test_validate_gives_json(demo: Path) -> None:
    jiaokan("convert", "jizhu", "-C", demo, "-o", demo / "jizhu.xml")
    told = jiaokan("validate", "--format", "json", demo / "jizhu.xml")
    assert json.loads(told.stdout) == []
    assert told.exit_code == 0
    assert jiaokan("validate", demo / "none.xml").exit_code == 2


def test_errors_and_help_are_in_the_language_of_the_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LC_ALL", "zh_CN.UTF-8")
    assert "错误：nowhere：找不到文件夹\n  → 请指定整理文件夹" in jiaokan("build", "nowhere").output
    said = jiaokan("build", "--help").output
    assert all(words in said for words in ("用法：", "示例：", "选项:", "默认：每核一个"))
    assert "错误：没有选项 '--jbs'" in jiaokan("build", "--jbs").output


@pytest.mark.parametrize(("command", "taken"), [
    (("stats", "lunyu"), True), (("pdf", "lunyu"), True), (("validate", "lunyu"), True),
    (("compare", "lunyu", "lunyu"), True), (("html", "lunyu", "-o", "site"), True), (("stats", "lunyuu"), False),
])
def test_an_id_is_taken_where_a_path_is_wanted(
    command: tuple[str, ...], taken: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The file is no XML, which each command says with its path."""
    (tmp_path / "tei/editions").mkdir(parents=True)
    for name in ("tei/catalog.toml", "tei/editions/lunyu.xml"):
        (tmp_path / name).write_text("x", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    done, path = jiaokan(*command), Path("tei/editions/lunyu.xml")
    assert done.exit_code and (f"{path}:" in done.output if taken else f"did you mean '{path}'?" in done.output)


def test_a_file_comes_before_the_id_of_a_text(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "tei/editions").mkdir(parents=True)
    for name in ("tei/catalog.toml", "tei/editions/lunyu.xml", "lunyu"):
        (tmp_path / name).write_text("x", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    assert "Error: lunyu:" in jiaokan("pdf", "lunyu").output


@pytest.mark.parametrize(("command", "meant"), [
    (("collate", "a.txt", "b.txt", "-f", "cvs"), "csv"), (("stats", "-f", "tabel"), "table"),
    (("validate", "a.xml", "--format", "jsno"), "json"), (("collate", "a", "--level", "substantiv"), "substantive"),
    (("stats", "-f", "qqq"), ""),
])
def test_a_misspelt_choice_is_told_the_nearest(command: tuple[str, ...], meant: str) -> None:
    done = jiaokan(*command)
    assert done.exit_code == 2 and "is not one of" in done.output
    assert done.output.count("Did you mean") == bool(meant)
    assert f"Did you mean '{meant}'?" in done.output or not meant


@pytest.mark.parametrize(("line", "told"), [
    ("build -j many", "'-j' / '--jobs' 的值无效：'many' 不是有效的整数。"),
    ("desk --port abc", "'--port' 的值无效：'abc' 不是有效的整数。"),
    ("desk --port 99999", "'--port' 的值无效：99999 不在范围 0<=x<=65535 之内。"),
    ("build --memory many", "'--memory' 的值无效：'many' 不是容量；请写作 800M 或 2G"),
    ("build -j", "选项 '-j' 须有参数。"),
    ("build --quiet=1", "选项 '--quiet' 没有值。"),
    ("build --quie", "没有选项 '--quie'。 是否为 '--quiet'？"),
    ("collate a b", "错误：a：无法读取：没有此文件或文件夹"),
    ("html .", "文件 '.' 是文件夹。"),
    ("stats --part zz", "'zz' 不是其中之一"),
    ("read a b c d", "多余的参数"),
    ("read", "缺少参数 'TEXT'"),
    ("buld", "没有命令 'buld'。"),
])
def test_a_command_line_that_is_not_understood_is_explained_in_chinese(
    line: str, told: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LC_ALL", "zh_CN.UTF-8")
    monkeypatch.chdir(tmp_path)
    output = jiaokan(*line.split()).output
    assert told in output
    assert not re.search(r"\b(is|are|not|valid|integer|such|does|missing)\b", output, re.IGNORECASE), output


def test_each_message_of_click_that_a_user_meets_is_in_the_catalogue() -> None:
    """Those not in it are for who declares commands, or for prompts and completion, which we do not have."""
    declarations = re.compile("declar|deprecat|defined twice|same flag|iterable|start character|Choice\\(|dynamic")
    missing = []
    for name in ("core", "exceptions", "parser", "types"):
        tree = ast.parse(Path(str(importlib.import_module(f"click.{name}").__file__)).read_text(encoding="utf-8"))
        for call in ast.walk(tree):
            if isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id in ("_", "ngettext"):
                missing += [template.value for template in call.args
                            if isinstance(template, ast.Constant) and isinstance(template.value, str)
                            and not declarations.search(template.value)
                            and not messages.id_of(template.value, "click-")]
    assert missing == []


def test_two_decisions_on_the_same_characters_are_reported_with_the_later_one(demo: Path) -> None:
    file = demo / "tei" / "decisions" / "text.toml"
    text = file.read_text(encoding="utf-8")
    at, after = (match.start() for match in [*re.finditer(r"^\[\[correction\]\]", text, re.MULTILINE)][:2])
    file.write_text(f"{text}\n{text[at:after]}", encoding="utf-8")
    assert f"text.toml:{text.count(chr(10)) + 2}: two decisions change" in jiaokan("build", demo).output
