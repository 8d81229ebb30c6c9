"""Build the documentation site into build/docs: `make docs`. English and Chinese, each with its own search.

Sphinx with MyST and furo. MyST reads the pages as they are on any forge; Sphinx checks each link between them and
splits Chinese into words for the search (jieba). MkDocs Material, the other choice, gets no new features any more.
Not Sphinx 9.0: its search in Chinese stops at "ChineseStemmer is not defined".
The reference is written anew at each build from the program: help, keys, rules, classes, the Python API.
"""

from __future__ import annotations

import inspect
import os
import re
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

import click
from sphinx.cmd.build import build_main

from docs.browser import make as browser

ROOT = Path(__file__).parents[1]
OUT, SOURCES = ROOT / "build" / "docs", ROOT / "build" / "docs-sources"
PARTS = (
    (("Tutorial", "教程"), ("start", "example", "tutorial")),
    (("How-to", "怎样做"), ("tasks", "howto", "desk", "punctuation", "print", "press", "website", "validation",
                          "library", "exchange")),
    (("Reference", "参考"), ("commands", "folder", "decisions", "encoding", "jiaokanji", "python", "notebook",
                           "reference-help", "reference-settings", "reference-rules", "reference-classes",
                           "reference-api", "glossary")),
    (("Explanation", "说明"), ("explanation", "accuracy")),
)
"""The four parts (https://diataxis.fr) with their pages, without those for developers (development, licences)."""
CONF = """
project = author = "Jiaokan 校勘"
extensions = ["myst_parser"]
html_theme = "furo"
html_title = project
language = {language!r}
html_search_language = {search!r}
myst_heading_anchors = 3
suppress_warnings = ["misc.highlighting_failure"]
"""
WORDS = {
    "en": ("From transcriptions of layered Chinese classics to TEI, HTML and print.", "中文", "zh",
           "Try it: collate two texts in the browser"),
    "zh": ("由历代经典的录文，做出 TEI、网页和印本。", "English", "en", "不安装先试：在浏览器中校勘"),
}


def main() -> int:
    """Write the sources of both languages and build them; return 1 if a page has a fault."""
    shutil.rmtree(SOURCES, ignore_errors=True)
    shutil.rmtree(OUT, ignore_errors=True)
    for lang in WORDS:
        _write(lang)
        settings = CONF.format(language="en" if lang == "en" else "zh_CN", search=lang)
        (SOURCES / lang / "conf.py").write_text(settings, encoding="utf-8")
        if code := build_main(["-q", "-W", "--keep-going", "-b", "html", str(SOURCES / lang), str(OUT / lang)]):
            return int(code)
    (OUT / "index.html").write_text(
        '<!DOCTYPE html><meta charset="utf-8"><title>Jiaokan 校勘</title>'
        '<script>location.replace(navigator.language.startsWith("zh") ? "zh/" : "en/")</script>'
        '<p><a href="zh/index.html" lang="zh">中文</a> · <a href="en/index.html">English</a></p>\n', encoding="utf-8")
    if packages := browser.fetch():
        print(f"{(OUT / 'try').relative_to(ROOT)}: {browser.make(OUT / 'try', *packages) / 1e6:.1f} MB")
    else:
        print("no npm: the page that collates in the browser is left out")
    print(OUT.relative_to(ROOT) / "index.html")
    return 0


def _write(lang: str) -> None:
    home = SOURCES / lang
    shutil.copytree(ROOT / "docs" / "pictures", home / "pictures")
    written = {name: "\n".join(lines) for name, lines in _reference(lang)}
    pages = ROOT / "docs" / "zh" if lang == "zh" else ROOT / "docs"
    for name in (each for _, names in PARTS for each in names if each not in written):
        written[name] = _linked((pages / f"{name}.md").read_text(encoding="utf-8"), name, lang)
    column = int(lang == "zh")
    about, other, there, attempt = WORDS[lang]
    trial = f" · <a href=\"../try/{lang}.html\">{attempt}</a>" if shutil.which("npm") else ""
    index = [f"# Jiaokan 校勘\n\n{about}\n\n<a href=\"../{there}/index.html\">{other}</a>{trial}\n",
             "![](pictures/chapter.png)\n"]
    for titles, names in PARTS:
        shown = [name for name in names if name in written]
        title = titles[column]
        index += [f"## {title}\n\n```{{toctree}}\n:maxdepth: 1\n:caption: {title}\n", *shown, "```\n"]
    for name, text in {**written, "index": "\n".join(index)}.items():
        (home / f"{name}.md").write_text(text + "\n", encoding="utf-8")


def _linked(text: str, name: str, lang: str) -> str:
    """Return a page whose links fit the site: the other language, pictures, files that are not in it."""
    there = WORDS[lang][2]
    text = re.sub(r"^\[(中文|English)\]\((?:\.\./|zh/)[\w-]+\.md\)\n+", "", text, flags=re.M)
    text = text.replace("](../pictures/", "](pictures/") if lang == "zh" else text
    names = "README|SECURITY|CONTRIBUTING|ARCHITECTURE|development|xslt|tei|tests|licences"
    outside = rf"(?:\.\./)*(?:{names})[^)]*|\.\./[^)]*"
    text = re.sub(rf"\[([^]]*)\]\((?:{outside})\)", r"\1", text)
    head, _, rest = text.partition("\n")
    return f'{head}\n\n<a href="../{there}/{name}.html">{WORDS[lang][1]}</a>\n{rest}'


def _reference(lang: str) -> Iterator[tuple[str, list[str]]]:
    os.environ["LC_ALL"] = "zh_CN.UTF-8" if lang == "zh" else "C.UTF-8"
    chinese = lang == "zh"
    yield "reference-help", ["# 命令的说明" if chinese else "# Help of all commands", *_helps()]
    yield "reference-settings", ["# 设置的全部键" if chinese else "# All keys of the settings", *_settings(lang)]
    yield "reference-rules", ["# 检验的规则" if chinese else "# Rules of validation", *_rules(lang)]
    yield "reference-classes", ["# 异文的类别" if chinese else "# Classes of variants", *_classes(lang)]
    yield "reference-api", ["# Python 函数" if chinese else "# Functions of Python", *_functions()]


def _helps() -> Iterator[str]:
    from jiaokan.cli import cli

    context = click.Context(cli, info_name="jiaokan")
    for name in cli.list_commands(context):
        command = cli.get_command(context, name)
        assert command
        said = command.get_help(click.Context(command, context, info_name=name))
        yield f"\n## {name}\n\n```text\n{said}\n```"


def _settings(lang: str) -> Iterator[str]:
    from jiaokan.cli.explain import manual_page
    from jiaokan.decisions.kinds import KINDS
    from jiaokan.readers import manual_rows
    from jiaokan.settings.lists import KINDS as LISTS
    from jiaokan.settings.manual import TOPICS

    parts = {"reader": [each.name for each in manual_rows()], "decisions": [each.name for each in KINDS],
             "lists": [*LISTS]}
    for topic in TOPICS:
        for of in ("", *parts.get(topic, ())):
            said = manual_page(topic, of, lang)
            yield f"\n{'###' if of else '##'} {topic} {of}\n\n```text\n{said}```"


def _rules(lang: str) -> Iterator[str]:
    from jiaokan.validate.rules import RULES

    yield "\n| | | |\n|---|---|---|"
    for rule in RULES:
        said = rule.explanation.in_language(lang)
        yield f"| `{rule.id}` | {rule.severity} | {_cell(said)} |"


def _classes(lang: str) -> Iterator[str]:
    from jiaokan.messages import TERM, wording
    from jiaokan.model.variants import TABLE

    yield "\n| | | | |\n|---|---|---|---|"
    for name, row in TABLE.items():
        printed = wording(f"{TERM}variant-{name}", lang)
        yield f"| `{name}` | {printed} | {row.level} | {_cell(wording(f'gloss-{name}', lang))} |"


def _cell(text: str) -> str:
    return re.sub(r"([<>|*_\[\]])", r"\\\1", " ".join(text.split()))


def _functions() -> Iterator[str]:
    from jiaokan import api

    for name in api.__all__:
        each = getattr(api, name)
        about = inspect.getdoc(each) or ""
        sign = f"{name}{inspect.signature(each)}" if callable(each) and not name.endswith("Error") else name
        yield f"\n## {name}\n\n```text\n{sign}\n\n{about}\n```"
        if name in ("Edition", "TeiText"):
            for key, method in vars(each).items():
                if not key.startswith("_") and inspect.isfunction(method):
                    yield f"\n```text\n{name}.{key}{inspect.signature(method)}\n\n{inspect.getdoc(method) or ''}\n```"


if __name__ == "__main__":
    sys.exit(main())
