"""Rules that compare the reason of a decision with the entry on which it stands: what an editor says there must be what
the edition prints."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher

from jiaokan.decisions import claims, readings
from jiaokan.decisions.kinds import Filed, load
from jiaokan.decisions.tables import Class, Decision, Lemma, Passim, ReadingDecision
from jiaokan.errors import CatalogError, Message
from jiaokan.model import App, Note, Unit
from jiaokan.model.text import edited
from jiaokan.model.variants import VARIANT_CLASSES
from jiaokan.model.walk import walk
from jiaokan.validate.homes import Home
from jiaokan.validate.rule import Problem, Subject, rule
from jiaokan.validate.rules.decisions import PHRASE, decision_place, locate_reasons

_BASE = "底本"


@rule("reason-contradicts")
def _check_reasons(subject: Subject) -> Iterator[Problem]:
    """Report reasons of a critical edition that contradict their own entry, or say what its sentence says."""
    home = subject.home
    if home is None or home.document is None or home.plan is None or home.plan.kind != "critical":
        return
    try:
        decisions: Sequence[Filed[Decision]] = load(home.root, Decision)
    except CatalogError:
        return  # every command that reads decisions reports it
    here = [filed for filed in decisions if isinstance(filed.decision, ReadingDecision)
            and filed.decision.id.partition(".")[0] == home.plan.id]
    sources = home.catalog.sources.values()
    names = readings.ids_by_name((source.id, source.siglum, source.title) for source in sources)
    bases = {str(chapter.n): chapter.base for chapter in home.plan.chapters}
    for filed, app, text in locate_reasons(home.document, here):
        base = bases.get(text.id.split(".")[1], "")
        for message in (*_check_lemma(filed, app, {**names, _BASE: base}), *_check_classes(filed, app),
                        *_check_counts(filed, text, names)):
            yield Problem(subject.root, message, Message("correct-reason-or-lemma"))
    passim = [filed for filed in decisions if isinstance(filed.decision, Passim)]
    for filed, app, _ in locate_reasons(home.document, passim):
        for message in _check_classes(filed, app):
            yield Problem(subject.root, message, Message("correct-reason-or-lemma"))
    for filed in (*here, *passim):
        for quoted, number, count in claims.find_miscounts(filed.decision.why, names):
            message = Message("reason-miscounts", **decision_place(filed), words=quoted, number=number, count=count)
            yield Problem(subject.root, message, Message("correct-reason-or-lemma"))
    for filed, words in _find_misquotations(home, here, names):
        yield Problem(subject.root, Message("reason-quotes-unprinted", **decision_place(filed), words=words),
                      Message("correct-reason-or-lemma"))
    for filed in decisions:
        if mark := _repeated_mark(filed.decision):
            yield Problem(subject.root, Message("reason-says-mark", **decision_place(filed), mark=mark),
                          Message("delete-mark"))


def _check_lemma(filed: Filed[Decision], app: App, names: dict[str, str]) -> Iterator[Message]:
    """Yield messages on whom the reason follows, and on words that it calls right or wrong, against the lemma."""
    reason, place = filed.decision.why, decision_place(filed)
    lemma = readings.without_punctuation(edited(app.lemma.content))
    for name in claims.find_authorities(reason):
        if (source := names.get(name)) and app.lemma.witnesses and source not in app.lemma.witnesses:
            yield Message("reason-follows-another", **place, source=name)
    others = {readings.without_punctuation(edited(reading.content)) for reading in app.readings} - {lemma}
    for quoted, right in claims.find_judgements(reason):
        words = readings.without_punctuation(quoted)
        if right and words in others:
            yield Message("reason-against-lemma", **place, words=words)
        if not right and words == lemma and not _has_correction(app):
            yield Message("reason-against-lemma", **place, words=words)


def _check_classes(filed: Filed[Decision], app: App) -> Iterator[Message]:
    """Yield messages on readings that the reason calls wrong, or of a class, though the edition gives another one."""
    given = {readings.without_punctuation(edited(reading.content)): reading.variant for reading in app.readings}
    classes = {filed.decision.variant} if isinstance(filed.decision, Class) else set(given.values())
    named = [(name, words) for name, words in claims.find_classes(filed.decision.why) if name not in classes]
    for quoted, right in claims.find_judgements(filed.decision.why):
        words = readings.without_punctuation(quoted)
        is_judged = words and not right and not isinstance(filed.decision, Class) and not _has_correction(app)
        if is_judged and given.get(words, "corruption") != "corruption":
            named.append(("corruption", words))
    for name, words in named:
        yield Message("reason-of-another-class", **decision_place(filed), words=words, variant=VARIANT_CLASSES[name])


def _has_correction(app: App) -> bool:
    """Whether a reading is a corrected transcription, of which the reason may speak too."""
    return any("decision:correction" in reading.source for reading in (app.lemma, *app.readings))


def _check_counts(filed: Filed[Decision], text: Unit | Note, names: dict[str, str]) -> Iterator[Message]:
    """Yield messages on a number of witnesses that is not that of the passage."""
    for number in claims.numbers_of_witnesses(filed.decision.why, names):
        if number != len(text.sources):
            yield Message("reason-counts-witnesses", **decision_place(filed), number=number, count=len(text.sources))


def _find_misquotations(
    home: Home, decisions: Sequence[Filed[Decision]], names: dict[str, str]
) -> Iterator[tuple[Filed[Decision], str]]:
    """Yield the decisions that quote a commentator in words which the edition rejects where it prints his note."""
    if home.document is None:
        return
    printed: dict[str, list[str]] = {}
    base: list[str] = []
    for text in walk(home.document):
        if isinstance(text, (Unit, Note)):
            layer = base if isinstance(text, Unit) else printed.setdefault(text.resp, [])
            layer.append(readings.without_punctuation(edited(text.content)))
    speakers = {name: key for name, key in readings.ids_of_speakers(home.catalog.persons).items() if key in printed}
    for filed in decisions:
        for quoted in readings.quotations_of(filed.decision.why, speakers):
            texts = (*printed[quoted.source], *base)
            if len(quoted.words) < PHRASE or any(quoted.words in text for text in texts):
                continue
            if not _names_witness(filed.decision.why, quoted.words, names) and any(
                    _resembles(quoted.words, text) for text in printed[quoted.source]):
                yield filed, quoted.words


def _names_witness(reason: str, words: str, names: dict[str, str]) -> bool:
    """Whether the sentence with a quotation names a witness or another edition that has it so."""
    sentences = (sentence for sentence in reason.split("。") if words in readings.without_punctuation(sentence))
    return any("本" in sentence or any(name in sentence for name in names) for sentence in sentences)


def _resembles(words: str, text: str) -> bool:
    """Whether half of some words are together in a text, and three quarters with what is around them there. Both shares
    are a choice."""
    match = SequenceMatcher(None, words, text, autojunk=False).find_longest_match()
    if match.size * 2 < len(words):
        return False
    around = text[max(0, match.b - match.a - 1) : match.b + len(words) - match.a + 1]
    shared = sum(block.size for block in SequenceMatcher(None, words, around, autojunk=False).get_matching_blocks())
    return shared * 4 >= len(words) * 3


def _repeated_mark(decision: Decision) -> str:
    """Return the mark with which a reason ends though the sentence of its entry has it; "" if none."""
    mark = claims.mark_at_end(decision.why)
    if mark == "存疑":
        return mark if isinstance(decision, Lemma) and decision.cert == "low" else ""
    return mark if isinstance(decision, Passim | ReadingDecision) else ""
