"""Works cited by title and persons named as speakers, inside notes.

Titles are those in 《》 and the well-known ones of ``titles.tsv``. Persons are those of the edition's persons.toml,
where a name stands before a word of speech; a bare surname (郑氏) or a name that two share is left alone.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from functools import cache

from pipeline.annotate.index import rewrite_notes
from pipeline.annotate.tables import rows
from pipeline.catalog import Person
from pipeline.errors import Finding
from pipeline.model import Content, Document, Note, Span

_BEFORE = "[见按案引据依及]"
_AFTER = "[云曰注疏篇文职説说记]"
_SPEECH = "(?=曰|云|谓|以为|注|説|说)"


@cache
def _titles() -> re.Pattern[str]:
    """Give the pattern of titles, longest first."""
    table = sorted(rows("titles.tsv", 2), key=lambda row: (-len(row[0]), row[0]))
    always = "|".join(title for title, use in table if use == "always")
    cited = "|".join(title for title, use in table if use == "cited")
    return re.compile(rf"(?<=《)[^《》]+(?=》)|(?:{always})|(?:(?<={_BEFORE})(?:{cited}))|(?:(?:{cited})(?={_AFTER}))")


def names(persons: Mapping[str, Person]) -> dict[str, str]:
    """Give the person behind each name that can mean only one, is no bare surname, and has two characters or more."""
    forms = [(form, person.id) for person in persons.values() for form in dict.fromkeys((person.name, *person.names))]
    uses = Counter(form for form, _ in forms)
    return {
        form: person for form, person in forms
        if uses[form] == 1 and len(form) > 1 and not re.fullmatch(".氏", form)
    }


def citations(document: Document, persons: Mapping[str, Person]) -> tuple[Document, tuple[Finding, ...]]:
    """Give the document with titles of works and names of speakers marked inside its notes."""
    known = names(persons)
    forms = "|".join(re.escape(form) for form in sorted(known, key=lambda form: (-len(form), form)))
    pattern = re.compile(rf"(?P<title>{_titles().pattern})|(?P<person>(?:{forms or '(?!)'}){_SPEECH})")

    def rewrite(note: Note, text: str) -> Content:  # noqa: ARG001 (every note is treated alike)
        out: list[str | Span] = []
        done = 0
        for match in pattern.finditer(text):
            out += [text[done : match.start()]] if text[done : match.start()] else []
            word = match[0]
            if match["title"]:
                out.append(Span(role="title", content=(word,)))
            else:
                out.append(Span(role="person", content=(word,), ref=known[word]))
            done = match.end()
        return (*out, text[done:]) if text[done:] else tuple(out)

    return rewrite_notes(document, rewrite, frozenset({"attribution", "scope", "punct", "title", "person"})), ()
