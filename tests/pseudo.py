"""A third language of the interface, one file and no code: each wording of the English catalogue between ⟦ and ⟧."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

from jiaokan import messages
from jiaokan.desk import words

PSEUDO = "qps"


@pytest.fixture
def pseudo(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The catalogues with that of the third language, which the environment asks for."""
    folder = tmp_path_factory.mktemp("catalogues")
    text = (messages.FOLDER / "en.po").read_text(encoding="utf-8")
    head, *entries = text.rstrip("\n").split("\n\n")
    marked = []
    for entry in entries:
        before, *forms = re.split(r"(?m)^(?=msgstr)", entry)
        if 'msgid "list-' not in before:
            forms = [re.sub(r'^(msgstr\S*) ((?:"")?\s*)"((?s:.*))"', r'\1 \2"⟦\3⟧"', form.rstrip()) for form in forms]
        marked.append(before + "\n".join(form.rstrip() for form in forms))
    (folder / f"{PSEUDO}.po").write_text("\n\n".join([head, *marked]) + "\n", encoding="utf-8")
    for name in ("en", "zh"):
        (folder / f"{name}.po").write_bytes((messages.FOLDER / f"{name}.po").read_bytes())
    caches = (messages.catalogue, messages.id_of, words.script)
    monkeypatch.setattr(messages, "FOLDER", folder)
    monkeypatch.setenv("LC_ALL", PSEUDO)
    for each in caches:
        each.cache_clear()
    yield
    for each in caches:
        each.cache_clear()


def outside(text: str) -> str:
    """Return what is outside all marks."""
    depth, kept = 0, []
    for char in text:
        depth += char == "⟦"
        kept += [char] if not depth else []
        depth -= char == "⟧"
    return "".join(kept)
