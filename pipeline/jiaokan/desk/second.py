"""A second decision on decided entries by an editor who is not shown the first, and how far both agree."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable, Mapping

from jiaokan.collate.editorial.locate import decided_texts
from jiaokan.decisions.tables import Second
from jiaokan.desk.questions import DeskQuestion, is_about, witnesses_here
from jiaokan.model.pointers import reference_of
from jiaokan.model.text import attested


def sample(questions: Iterable[DeskQuestion], seconds: Iterable[Second], who: str) -> list[dict[str, object]]:
    """Return rows of the decided entries that an editor may decide again, in an order that is the same for everybody
    and says nothing of the entries: the first of them are a random sample. Rows do not say what is printed."""
    second_decisions = tuple(seconds)
    candidates = [question for question in questions
                  if question.decided and question.entry.app.lemma.resp not in ("", who)
                  and not any(second.resp == who and is_about(second, question.entry) for second in second_decisions)]
    return [{"id": question.id, "ref": reference_of(question.entry.unit), "chapter": question.chapter, "speaker": "",
             "lemma": "？",
             "before": question.entry.before, "after": question.entry.after, "class": "", "kind": "open",
             "work": "second",
             "by": "", "told": "", "form": None} for question in sorted(candidates, key=_order)]


def _order(question: DeskQuestion) -> bytes:
    entry = question.entry
    return hashlib.sha256(f"{entry.unit} {entry.speaker} {entry.before} {entry.after}".encode()).digest()


def blind(question: DeskQuestion, names: Mapping[str, str]) -> dict[str, object]:
    """Return an entry with its readings in the order of their words and the text of each witness, without what is
    decided of them."""
    entry = question.entry
    readings = sorted((attested(reading.content), [names.get(name, name) for name in reading.witnesses])
                      for reading in entry.collated_readings)
    return {"id": question.id, "ref": reference_of(entry.unit), "before": entry.before, "after": entry.after,
            "choices": [{"words": words, "witnesses": who} for words, who in readings],
            "witnesses": witnesses_here(question, decided_texts(question.document.divisions), names)}


def agreement(
    questions: Iterable[DeskQuestion], seconds: Iterable[Second], bases: Mapping[str, str]
) -> dict[str, object]:
    """Return of how many entries both decisions print the same, and the places where they do not. `bases` are the base
    texts by chapter.

    ``kappa`` is Cohen's (Educational and Psychological Measurement 20, 1960, 37–46) of one question: does the editor
    print the base text or not; None if chance alone would agree always.
    """
    every, same, apart = tuple(questions), 0, []
    pairs: Counter[tuple[bool, bool]] = Counter()
    for second in seconds:
        question = next((candidate for candidate in every if is_about(second, candidate.entry)), None)
        if question is None:
            continue
        app = question.entry.app
        first, base = attested(app.lemma.content), next(
            (attested(reading.content) for reading in (app.lemma, *app.readings)
             if bases.get(question.chapter) in reading.witnesses), "")
        pairs[first == base, second.reading == base] += 1
        same += first == second.reading
        if first != second.reading:
            apart.append({"id": question.id, "ref": reference_of(question.entry.unit), "first": first,
                          "second": second.reading, "resp": second.resp, "why": second.why})
    return {"count": pairs.total(), "same": same, "kappa": _kappa(pairs), "apart": apart}


def _kappa(pairs: Counter[tuple[bool, bool]]) -> float | None:
    n = pairs.total()
    if not n:
        return None
    seen = (pairs[True, True] + pairs[False, False]) / n
    first_share, other = ((pairs[True, True] + pairs[pair]) / n for pair in ((True, False), (False, True)))
    chance = first_share * other + (1 - first_share) * (1 - other)
    return None if chance == 1 else round((seen - chance) / (1 - chance), 2)
