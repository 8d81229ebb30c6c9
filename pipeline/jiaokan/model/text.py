"""What a text says: eight views of the same content, each a column of one table.

* `received`: what the source prints, with brackets. Joined, it is the source.
* `counted`: the characters by which positions are counted, in pointers to words (`jiaokan.model.pointers`) and in
  ``milestone/@n``. No decision of the editor on a character shifts such a position.
* `attested`: the same number of characters, a glyph by its standard character if one was decided. Decisions quote these
  words as their place, and collation takes them as the witness's.
* `edited`: what the editor prints: ``lem``, ``corr``, ``supplied``.
* `shown`: what an entry quotes as a witness's own words: ``sic``, and a sign where words are lost.
* `surviving`: of these, what is evidence for a reading: no lost places, no unidentified glyphs.
* `aligned`: what collation aligns: the intended graphs, and a sign that no text contains for lost ones.
* `key`: what two witnesses must have in common to agree: printed graphs, the same slip, the same loss.

Each view takes an item of the model, or a tuple or list of items, and returns a string; KeyError for anything else.
One rule applies to each construct (sections of the TEI Guidelines as numbered up to release 4.7):

* **Glyph** (``g``, 5.2): received and counted as in the source: one private-use character, or the name (&KR0014;) or
  description (⿰木薄) of one character without code point; read as its standard character. If none was decided, a
  description is printed as it is, anything else as 〓, since it means nothing outside its own font or list.
* **Correction** (``choice`` of ``sic`` and ``corr``, 3.5.1): ``sic`` is the witness's, ``corr`` the editor's. The
  correction is aligned, but a witness with the slip does not agree with one that has the right graph. One that the
  source prints (``@rend``, （誤）〔正〕) is received with its brackets. Without ``corr`` (``surplus``, 11.3.3.1) the
  graphs are in the witness and are to be deleted.
* **Supplied** (``supplied``, 11.3.3.1): no offset counts it; quoted from the witness it is 〓. It is received only
  if the source prints it (``@rend``).
* **Gap** (``gap``, 3.5.3): printed and quoted as the sign on the page (``@rend``: □, 【阙】), since the words on both
  sides are not adjacent; if the source has none, as 〓. In collation a loss agrees with nothing but the same loss.
* **Space** (``space``, 11.4.1): layout of the source, so received and counted, but not a word of the text.
* **Span** with its own brackets: punctuation printed as a note, 〈句〉 (``pc``, 3.2), or the number of a note, 〔三〕
  (``ref``, 3.7). It is received, but neither counted nor read, as it interrupts the words. Others are their content.
* **EditorsMark**, **EditorsName** (``pc``, names): the editor's layer. No view has the marks, every view has the words
  of the names: the layer does not affect reading, comparing, counting or searching.
* **Note**, **NoteGroup** (``note``, 3.9): a text of its own, received with its brackets in the text around it, but not
  part of that text in any other view.
* **App** (``app``, 12.1): the lemma. No one source printed an entry, so `received` raises ValueError.
* **Figure** (14.4), **Mark**, **Juan**, **Break** (``milestone``, ``pb``, ``lb``, 3.11.3): no words; the sign of a
  lost picture is received.
* **Unit**, **Line** and all blocks and divisions: their content.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from operator import attrgetter
from typing import Any

from jiaokan.model import document as model
from jiaokan.model.words import description_of

UNDECIDED = "〓"
"""Printed for a private-use character without a standard one, and for lost words for which the source has no sign."""
LOSS, SLIP = "\x00", "\x02"
"""Signs in `aligned` and `key` that no text can contain: XML allows neither."""

Words = model.Item | Sequence[model.Item]
"""An item of the model, or a tuple or list of items; a view refuses a `Reading` itself, whose content it takes."""
View = Callable[[Words], str]
Rule = Callable[[Any, View], str]
"""Returns the words of an item, by calling the view for its content."""


def put_in_brackets(text: str, rend: str) -> str:
    """Put text into its brackets: the first half of `rend`, the longer one, opens, the rest closes."""
    half = (len(rend) + 1) // 2
    return f"{rend[:half]}{text}{rend[half:]}"


def _field(get: Callable[[Any], str]) -> Rule:
    return lambda item, _: get(item)


def _view_of(get: Callable[[Any], Words]) -> Rule:
    return lambda item, view: view(get(item))


def _nobody(item: model.App, _: View) -> str:
    raise ValueError(f"no one source printed the entry {item.id}")


def _round(item: model.Note | model.NoteGroup | model.Span, view: View) -> str:
    return put_in_brackets(view(item.notes if isinstance(item, model.NoteGroup) else item.content), item.rend)


def _plain(item: model.Span, view: View) -> str:
    return "" if item.rend else view(item.content)


def _join_parts(items: Sequence[model.Item], view: View) -> str:
    if len(items) == 1:  # as most readings are
        return items[0] if isinstance(items[0], str) else view(items[0])
    return "".join([item if isinstance(item, str) else view(item) for item in items])


_code, _standard, _sic, _corr, _text, _rend, _source = (
    _field(attrgetter(name)) for name in ("code", "standard", "sic", "corr", "text", "rend", "source"))
_none, _sign, _loss = (_field(lambda _, words=words: words) for words in ("", UNDECIDED, LOSS))  # type: ignore[misc]
_inner, _lemma, _parts = (_view_of(attrgetter(name)) for name in ("content", "lemma.content", "items"))
_meant = _field(lambda item: item.standard or item.code)
_legible = _field(lambda item: item.standard or description_of(item.code) or UNDECIDED)
_place = _field(lambda item: item.rend or UNDECIDED)
_known = _field(lambda item: item.standard if len(item.standard) == len(item.code) else item.code)
"""The standard character; one of another length would shift all later offsets."""
_added = _field(lambda item: put_in_brackets(item.text, item.rend) if item.rend else "")
_mended = _field(lambda item: put_in_brackets(item.sic, item.rend[:2])
                 + put_in_brackets(item.corr if item.rend[2:] else "", item.rend[2:]))

VIEWS = ("received", "counted", "attested", "edited", "shown", "surviving", "aligned", "key")
RULES: Mapping[type, tuple[Rule, ...]] = {
    #                  received counted attested edited   shown    surviving  aligned  key
    model.Glyph:      (_code,   _code,  _known, _legible, _legible, _standard, _meant, _meant),
    model.Correction: (_mended, _sic,   _sic,   _corr,    _sic,     _sic,      _corr,
                       lambda item, _: f"{item.sic}{SLIP}{item.corr}"),
    model.Supplied:   (_added,  _none,  _none,  _text,    _sign,    _none,     _text,
                       lambda item, _: f"{LOSS}{item.text}"),
    model.Gap:        (_rend,   _rend,  _rend,  _place,   _place,   _none,     _loss,
                       lambda item, _: f"{LOSS}{item.reason}{item.rend}"),
    model.Space:      (_text,   _text,  _text,  *(_none,) * 5),
    model.Figure:     (_source, *(_none,) * 7),
    model.Span:       (_round,  *(_plain,) * 7),
    model.App:        (_nobody, *(_lemma,) * 7),
    model.Division:   (_parts,) * 8,
    str:              (lambda item, _: item,) * 8,
    **dict.fromkeys((tuple, list), (_join_parts,) * 8),
    **dict.fromkeys((model.Note, model.NoteGroup), (_round, *(_none,) * 7)),
    **dict.fromkeys((model.Break, model.Mark, model.Juan, model.EditorsMark), (_none,) * 8),
    **dict.fromkeys((model.EditorsName, model.Unit, model.Line, model.Paragraph, model.Head, model.Trailer,
                     model.Furniture), (_inner,) * 8),
}
"""For each type of the model, in the order of `VIEWS`, the rule that gives its words."""

_RECEIVED, _COUNTED, _ATTESTED, _EDITED, _SHOWN, _SURVIVING, _ALIGNED, _KEY = (
    {kind: rules[n] for kind, rules in RULES.items()} for n in range(len(VIEWS))
)


def received(words: Words) -> str:
    """Return what the source prints, with all brackets; raises ValueError for an apparatus entry."""
    return _RECEIVED[type(words)](words, received)


def counted(words: Words) -> str:
    """Return the characters that offsets count."""
    return _COUNTED[type(words)](words, counted)


def attested(words: Words) -> str:
    """Return the characters that offsets count, as many, a glyph by its standard character."""
    return _ATTESTED[type(words)](words, attested)


def edited(words: Words) -> str:
    """Return what the editor prints."""
    return _EDITED[type(words)](words, edited)


def shown(words: Words) -> str:
    """Return what is quoted as the words of a witness."""
    return _SHOWN[type(words)](words, shown)


def surviving(words: Words) -> str:
    """Return what is left in a witness where words are lost."""
    return _SURVIVING[type(words)](words, surviving)


def aligned(words: Words) -> str:
    """Return what collation compares."""
    return _ALIGNED[type(words)](words, aligned)


def key(words: Words) -> str:
    """Return what must be the same in two witnesses that agree."""
    return _KEY[type(words)](words, key)


def is_lost(words: Words) -> bool:
    """Whether words are lost here and none survive."""
    return LOSS in key(words) and not surviving(words)


def common_prefix(text: str, other: str) -> int:
    """Return the length of the beginning that two texts have in common."""
    return next((n for n, (a, b) in enumerate(zip(text, other, strict=False)) if a != b), min(len(text), len(other)))
