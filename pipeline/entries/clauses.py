"""Where clauses end in a text that need not be punctuated: told by every mark that a witness or the editor sets."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

from pipeline.model import App, EditorsMark, Mark, Note, NoteGroup, Reading, Span, Unit
from pipeline.model.text import counted, edited
from pipeline.model.words import PUNCTUATION

CLAUSE = "\x1f"
"""Stands in words where a clause ends; no text can hold it."""
_WITHIN = frozenset("、·《》〈〉“”‘’「」『』…—-'’[]【】（）()")
"""Marks that end no clause."""
_ENDS = PUNCTUATION - _WITHIN
_END = re.compile(f"[{re.escape(''.join(sorted(_ENDS)))}]")


def marked(content: Iterable[Any]) -> str:
    """Give the edited words of some content, with a sign in place of marks of punctuation that end a clause."""
    made: list[str] = []
    for item in content:
        if item.__class__ is str:
            made.append(_END.sub(CLAUSE, item))
        elif isinstance(item, Unit):
            made += [marked(item.content), CLAUSE]
        elif isinstance(item, EditorsMark):
            made.append(CLAUSE if item.sign in _ENDS else "")
        elif isinstance(item, (Note, NoteGroup, Mark)):
            continue
        elif isinstance(item, App):
            made.append(words_of(item))
        elif isinstance(item, Span) and item.role == "punct":
            made.append(CLAUSE)
        elif getattr(item, "content", None) is not None:
            made.append(marked(item.content))
        else:
            made.append(_END.sub(CLAUSE, edited(item)))
    return "".join(made)


def words_of(app: App) -> str:
    """Give the words of an entry so: the lemma's, of an addition the first reading's, of mere punctuation its sign."""
    if app.kind == "accidental":
        marks = any(char in _ENDS for each in (app.lemma, *app.readings) for char in counted(each.content))
        return marked(app.lemma.content) + (CLAUSE if marks else "")
    first: Reading = next((each for each in (app.lemma, *app.readings) if edited(each.content)), app.lemma)
    return marked(first.content)


def ends(content: Iterable[Any]) -> tuple[int, ...]:
    """Give where clauses end in the edited words of some content, as offsets in these."""
    found: list[int] = []
    at = 0
    for item in content:
        if item.__class__ is str:
            found += [at + each.end() for each in _END.finditer(item)]
            at += len(item)
        elif isinstance(item, EditorsMark):
            found += [at] if item.sign in _ENDS else []
        elif isinstance(item, (Note, NoteGroup)):
            continue
        elif isinstance(item, App) and item.kind == "accidental":
            width = len(edited(item.lemma.content))
            found += [at + width] if CLAUSE in words_of(item) else []
            at += width
        elif isinstance(item, App):
            found += [at + each for each in ends(item.lemma.content)]
            at += len(edited(item.lemma.content))
        elif not isinstance(item, str) and isinstance(getattr(item, "content", None), tuple):
            found += [at + each for each in ends(item.content)]
            at += len(edited(item))
            found += [at] if isinstance(item, Span) and item.role == "punct" else []
        else:
            words = edited(item)
            found += [at + each.end() for each in _END.finditer(words)]
            at += len(words)
    return tuple(dict.fromkeys(found))
