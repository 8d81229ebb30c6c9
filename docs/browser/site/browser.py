"""What the page calls: texts come in, entries go out. The code that collates is the program's own, unchanged.

Packages without a build for a browser are stood in for: `regex` and `opencc` by the modules beside this one,
`rapidfuzz` by its own pure Python; those of XML and of print by names that cannot be used, since modules import them
which collation of plain text does not call.
"""

from __future__ import annotations

import csv
import json
import os
import sys
from collections.abc import Sequence
from importlib import import_module
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import Any

_ABSENT = {"lxml", "elementpath", "xmlschema", "saxonche", "typst", "click", "pypinyin"}
_MODULES = {"etree", "exceptions", "html", "regex"}
os.environ["RAPIDFUZZ_IMPLEMENTATION"] = "python"


class _Absent:
    """A class or function of a package that is not here: it can be named, and made at import, but not used."""

    def __init__(self, *_: object, **__: object) -> None:
        pass

    def __class_getitem__(cls, _: object) -> type:
        return cls

    def _refuse(self, *_: object, **__: object) -> object:
        raise NotImplementedError("this needs a package that the page in the browser does not have")

    __call__ = __getattr__ = __iter__ = __bool__ = __len__ = __getitem__ = _refuse  # type: ignore[assignment]


class _AbsentModule(ModuleType):
    def __getattr__(self, name: str) -> object:
        if name.startswith("__"):
            raise AttributeError(name)
        if name in _MODULES:
            return import_module(f"{self.__name__}.{name}")
        bases = (Exception,) if name.endswith("Error") else (_Absent,)
        value = type(name, bases, {})
        setattr(self, name, value)
        return value


class _Finder(MetaPathFinder, Loader):
    def find_spec(self, name: str, _path: object = None, _target: object = None) -> ModuleSpec | None:
        return ModuleSpec(name, self, is_package=True) if name.split(".")[0] in _ABSENT else None

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        return _AbsentModule(spec.name)

    def exec_module(self, module: ModuleType) -> None:
        module.__path__ = []


sys.meta_path.insert(0, _Finder())

from jiaokan.editions.loose import collate_plain  # noqa: E402 (after the finder)
from jiaokan.errors import JiaokanError, Message  # noqa: E402
from jiaokan.exchange.exports import ExportSettings, get  # noqa: E402
from jiaokan.model.variants import LEVELS  # noqa: E402

FORMS = ("csv", "jiaokanji", "apparatus", "table", "nexus")
"""Forms that need no TEI."""


def collate(texts: Sequence[tuple[str, bytes]], form: str, language: str, level: str = "all") -> dict[str, object]:
    """Collate texts (siglum, content), the first of which is the base. Return the apparatus and findings, or the error.

    `language` is that of messages, `level` which entries are given, as `jiaokan collate --level`.
    """
    try:
        edition = collate_plain([(f"{siglum}.txt", data) for siglum, data in texts], sigla=[row[0] for row in texts])
        settings = ExportSettings(sigla=edition.sigla, without=LEVELS[level])
        text = get(form).write(edition.document, settings)
        rows = [*csv.reader(get("csv").write(edition.document, settings).splitlines(keepends=True))]
        findings = [word(finding.message, language) for finding in edition.findings]
        return {"text": text, "rows": rows, "findings": findings}
    except JiaokanError as error:
        return {"error": word(error.whole, language)}


def word(message: Message | str, language: str) -> str:
    """Return a message in a language."""
    return message.in_language(language) if isinstance(message, Message) else message


def answer(texts: Any, form: str, language: str, level: str) -> str:
    """As `collate`, from values of JavaScript to JSON."""
    return json.dumps(collate([(siglum, bytes(data)) for siglum, data in texts.to_py()], form, language, level))
