"""The words of the desk's pages in every language of the interface, from the catalogues, as a script."""

from __future__ import annotations

import json
from functools import cache

from jiaokan import messages
from jiaokan.model.variants import TABLE

_PREFIX = "desk-"
_SPEAK = """  // The first of some languages (BCP 47) that has words, else English.
  speak(...wanted) {
    const language = wanted.map((tag) => tag.split("-")[0]).find((tag) => tag in this.words) || "en";
    return { language, words: this.words[language] };
  },
"""


@cache
def script() -> bytes:
    """Return the script ``words.js`` of the desk's pages."""
    tables = {language: {key.removeprefix(_PREFIX): messages.wording(key, language) for key in messages.ids(_PREFIX)}
              | {f"class-{name}": messages.wording(f"{messages.TERM}variant-{name}", language) for name in TABLE}
              for language in messages.languages()}
    words = json.dumps(tables, ensure_ascii=False, indent=0)
    return f'"use strict";\nself.jiaokanDesk = {{\n{_SPEAK}  words: {words},\n}};\n'.encode()
