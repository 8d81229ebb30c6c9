"""The keys of a table of settings as the program declares them: type, default, and the words that stand under each."""

from __future__ import annotations

import ast
import inspect
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any

import msgspec
from msgspec import inspect as types

from pipeline.settings.patterns import Pair


@dataclass(frozen=True, slots=True, kw_only=True)
class ManualKey:
    """A key that a table may have."""

    name: str
    home: str
    """Name of the type that declares it, with the key: ``SourceEntry.siglum``."""
    kind: types.Type
    required: bool
    default: Any
    about: str
    """What it says, in English."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ManualTable:
    """A table of a file, with its keys."""

    head: str
    """How it begins in the file: ``[[source]]``; empty for what stands at the top."""
    about: str
    kind: type[Any]
    keys: tuple[ManualKey, ...]


def tables(kind: type[Any], head: str = "", *, rows: bool = False) -> Iterator[ManualTable]:
    """Give the table that a type describes, and the tables in it, each once."""
    seen: set[type[Any]] = set()
    todo = [(kind, head, rows)]
    while todo:
        each, path, listed = todo.pop(0)
        if each in seen:
            continue
        seen.add(each)
        keys = tuple(_keys(each))
        shown = (f"[[{path}]]" if listed else f"[{path}]") if path else ""
        yield ManualTable(head=shown, about=sentence(inspect.getdoc(each) or ""), kind=each, keys=keys)
        for key in keys:
            if inner := struct_of(key.kind):
                todo.append((inner.cls, f"{path}.{key.name}".strip("."), is_list(key.kind)))


def _keys(kind: type[Any]) -> Iterator[ManualKey]:
    """Give the keys of a type in the order in which it declares them, required ones first."""
    info = types.type_info(kind)
    assert isinstance(info, types.StructType)
    for each in sorted(info.fields, key=lambda field: not field.required):
        home = next(base for base in kind.__mro__ if each.name in vars(base).get("__annotations__", {}))
        default = each.default if each.default_factory is msgspec.NODEFAULT else each.default_factory()
        yield ManualKey(
            name=each.encode_name, home=f"{home.__name__}.{each.name}", kind=each.type, required=each.required,
            default=default, about=sentence(_documented(home).get(each.name, "")),
        )


@cache
def _documented(kind: type[Any]) -> dict[str, str]:
    """Give the words that stand under each field of a class (a string after it, as documentation tools read them)."""
    module = inspect.getmodule(kind)
    source = inspect.getsource(module) if module else ""
    found: dict[str, str] = {}
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.ClassDef) and node.name == kind.__name__:
            for field, after in zip(node.body, node.body[1:], strict=False):
                words = after.value if isinstance(after, ast.Expr) else None
                if isinstance(field, ast.AnnAssign) and isinstance(words, ast.Constant):
                    found[ast.unparse(field.target)] = inspect.cleandoc(str(words.value))
    return found


def sentence(text: str) -> str:
    """Give a docstring as one line, without the marks of reStructuredText."""
    return re.sub(r"\s+", " ", text.partition("\n\n")[0]).replace("``", "`").strip()


def struct_of(kind: types.Type) -> types.StructType | None:
    """Give the table that a value is, or that the items of a list are."""
    match kind:
        case types.StructType():
            return kind
        case types.VarTupleType(item_type=inner) | types.Metadata(type=inner):
            return struct_of(inner)
        case types.UnionType(types=members):
            return next(filter(None, map(struct_of, members)), None)
    return None


def is_list(kind: types.Type) -> bool:
    """Whether a value is a list."""
    return isinstance(kind, types.VarTupleType)


WORDS = {
    "en": {
        "text": "text", "number": "a number", "whole": "a whole number", "from": "{} to {}", "truth": "true or false",
        "day": "a day: 2026-11-20", "pattern": "a pattern (regular expression)", "pair": "two brackets",
        "table": "a table", "rows": "rows", "list": "a list of: {}", "one": "one of: {}", "person": "id of a person",
        "source": "id of a source", "work": "id of a work",
        "kind of note": "a kind of note: zhu, shu, yinyi, an, fuzhu, shuo",
        "address": "an address: https://…", "words": "text, not empty", "map": "a table: {} = {}", "empty": "nothing",
        "dated": "a year, month or day: \"2026-11-20\"", "code": "a code point: U+EB8E",
        "paper": "a size of paper: a5, 大32开, 140x203",
        "agent": "id of a person, or \"editors\"", "edition or source": "id of a source or an edition",
        "doi": "a DOI: 10.5281/zenodo.3402901", "orcid": "an ORCID iD: 0000-0002-1825-0097",
        "wikidata": "an item: Q9397", "cbdb": "a number: 3257",
    },
    "zh": {
        "text": "文字", "number": "数", "whole": "整数", "from": "{} 至 {}", "truth": "true 或 false",
        "day": "日期：2026-11-20", "pattern": "正则表达式", "pair": "一对括号", "table": "表", "rows": "若干行",
        "list": "若干：{}", "one": "其一：{}", "person": "人物 id", "source": "底料（source）id",
        "work": "著作 id",
        "kind of note": "注的种类：zhu, shu, yinyi, an, fuzhu, shuo", "address": "网址：https://…",
        "words": "文字，不可空",
        "map": "表：{} = {}", "empty": "空", "dated": "年、月或日：\"2026-11-20\"", "code": "码位：U+EB8E",
        "paper": "纸张：a5、大32开、140x203",
        "agent": "人物 id，或 \"editors\"", "edition or source": "底料或校本 id",
        "doi": "DOI：10.5281/zenodo.3402901", "orcid": "ORCID：0000-0002-1825-0097",
        "wikidata": "条目：Q9397", "cbdb": "号：3257",
    },
}
"""Kinds of values, by language."""


def kind_words(kind: types.Type, lang: str) -> str:
    """Say what a value must be."""
    said = WORDS[lang]
    match kind:
        case types.Metadata(type=inner, extra=extra):
            what = (extra or {}).get("names") or (extra or {}).get("is") or ""
            return said.get({"day": "dated"}.get(what, what), "") or kind_words(inner, lang)
        case types.StrType(min_length=least, pattern=pattern):
            return said["code"] if pattern else said["words"] if least else said["text"]
        case types.IntType(ge=least, le=most) | types.FloatType(ge=least, le=most):
            name = said["whole"] if isinstance(kind, types.IntType) else said["number"]
            return name if least is None else f"{name}, {said['from'].format(least, most)}"
        case types.BoolType():
            return said["truth"]
        case types.DateType():
            return said["day"]
        case types.CustomType(cls=cls):
            return said["pair"] if cls is Pair else said["pattern"]
        case types.LiteralType(values=values):
            return said["one"].format(", ".join(str(each) or '""' for each in values))
        case types.DictType(key_type=key, value_type=value):
            return said["map"].format(kind_words(key, lang), kind_words(value, lang))
        case types.VarTupleType(item_type=inner):
            return said["rows"] if struct_of(inner) else said["list"].format(kind_words(inner, lang))
        case types.UnionType(types=members):
            return "; ".join(kind_words(each, lang) for each in members if not isinstance(each, types.NoneType))
    return said["table"]
