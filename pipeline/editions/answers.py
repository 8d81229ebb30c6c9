"""An editor's answers to open entries as decisions, written into ``tei/decisions/lemmas.toml``."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from typing import Any

from pipeline.decisions.tables import CharacterPair, Class, Comment, Emendation, Lemma, ReadingDecision, Reject
from pipeline.editions.review import OpenEntry
from pipeline.model import Certainty, Reading, VariantClass
from pipeline.model.text import attested


@dataclass(frozen=True, slots=True, kw_only=True)
class Judge:
    """Who decides, and when."""

    resp: str
    when: date


def choose(entry: OpenEntry, reading: Reading, judge: Judge, why: str, cert: Certainty) -> ReadingDecision:
    """Give the decision to print a reading; the lemma with low certainty leaves the place open.

    What no collated witness has is printed as an emendation.
    """
    words = attested(reading.content)
    if words in {attested(each.content) for each in entry.collated}:
        return Lemma(**_said(entry, judge, why, cert), reading=words)
    return Emendation(**_said(entry, judge, why, cert), reading=words)


def classify(
    entry: OpenEntry, reading: Reading, variant: VariantClass, judge: Judge, why: str, cert: Certainty
) -> ReadingDecision:
    """Give the decision that a reading differs in this way."""
    return Class(**_said(entry, judge, why, cert), reading=attested(reading.content), variant=variant)


def pair(
    entry: OpenEntry, reading: Reading, variant: VariantClass, judge: Judge, why: str, cert: Certainty
) -> CharacterPair:
    """Give the decision that the words of the lemma and of a reading differ in this way wherever they stand."""
    return CharacterPair(
        left=attested(entry.app.lemma.content), right=attested(reading.content), variant=variant, resp=judge.resp,
        when=judge.when, why=why, cert=cert,
    )


def reject(entry: OpenEntry, judge: Judge, why: str, cert: Certainty) -> ReadingDecision:
    """Give the decision that the entry is no variant."""
    return Reject(**_said(entry, judge, why, cert))


def comment(entry: OpenEntry, judge: Judge, why: str, cert: Certainty) -> ReadingDecision:
    """Give a note on the entry."""
    return Comment(**_said(entry, judge, why, cert))


def emend(entry: OpenEntry, words: str, judge: Judge, why: str, cert: Certainty) -> ReadingDecision:
    """Give the decision to print what no witness has."""
    return Emendation(**_said(entry, judge, why, cert), reading=words)


def _said(entry: OpenEntry, judge: Judge, why: str, cert: Certainty) -> dict[str, Any]:
    """Give what every decision on an entry says."""
    return {
        "unit": entry.unit, "speaker": entry.speaker, "context": entry.context, "resp": judge.resp,
        "when": judge.when, "why": why, "cert": cert,
    }








