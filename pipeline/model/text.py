"""What a text says: eight views of the same content, each a column of one table.

* `received`: what the source prints, with brackets. Joined, it is the source.
* `counted`: the characters by which positions are counted, as ``string-range()`` (TEI Guidelines, 16.2.4) and
  ``milestone/@n`` count them. No decision of the editor on a character shifts such a position.
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
  correction is aligned, but a witness with the slip does not agree with one that has the right graph. A correction
  that the source prints (``@rend``, （誤）〔正〕) is received with its brackets; other views treat it like one of the
  editor's. Without ``corr`` (``surplus``, 11.3.3.1) the graphs are in the witness and are to be deleted.
* **Supplied** (``supplied``, 11.3.3.1): no offset counts it; quoted from the witness it is 〓. It is received only
  if the source prints it (``@rend``).
* **Gap** (``gap``, 3.5.3): the element is empty, and ``@rend`` is the sign on the page (□, 【阙】). It is printed and
  quoted as that sign, since the words on both sides are not adjacent; if the source has no sign, as 〓, which the
  legends of all outputs explain. In collation a loss agrees with nothing but the same loss.
* **Space** (``space``, 11.4.1): layout of the source, so received and counted, but not a word of the text.
* **Span** with its own brackets: punctuation that the source prints as a note, 〈句〉 (``pc``, 3.2), or the number of
  a note, 〔三〕 (``ref``, 3.7). It is received, but neither counted nor read, as it interrupts the words. Any
  other span is its content.
* **EditorsMark**, **EditorsName** (``pc``, names with ``@resp``): the editor's layer over the text. No view has the
  marks, every view has the words of the names: the layer does not affect reading, comparing, counting or searching.
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

from pipeline.model.document import (
    App,
    Block,
    Break,
    Correction,
    Division,
    EditorsMark,
    EditorsName,
    Figure,
    Furniture,
    Gap,
    Glyph,
    Head,
    Inline,
    Juan,
    Line,
    Mark,
    Note,
    NoteGroup,
    Paragraph,
    Space,
    Span,
    Supplied,
    Trailer,
    Unit,
)
from pipeline.model.words import described

UNDECIDED = "〓"
"""Printed for a private-use character without a standard one, and for lost words for which the source has no sign."""
LOSS, SLIP = "\x00", "\x02"
"""Signs in `aligned` and `key` that no text can contain: XML allows neither."""

View = Callable[[Any], str]
Rule = Callable[[Any, View], str]
"""Returns the words of an item, by calling the view for its content."""


def bracketed(text: str, rend: str) -> str:
    """Put text into its brackets: the first half of `rend` opens, the rest closes (one character: never closed).

    Of an odd number the opening half is the longer.
    """
    half = (len(rend) + 1) // 2
    return f"{rend[:half]}{text}{rend[half:]}"


def _field(name: str) -> Rule:
    get = attrgetter(name)
    return lambda item, _: get(item)


def _itself(item: str, _: View) -> str:
    return item


def _none(_: Any, __: View) -> str:
    return ""


def _sign(_: Any, __: View) -> str:
    return UNDECIDED


def _loss(_: Any, __: View) -> str:
    return LOSS


def _mended(item: Correction, _: View) -> str:
    right = bracketed(item.corr, item.rend[2:]) if item.rend[2:] else ""
    return bracketed(item.sic, item.rend[:2]) + right


def _added(item: Supplied, _: View) -> str:
    return bracketed(item.text, item.rend) if item.rend else ""


def _known(item: Glyph, _: View) -> str:
    """Return the standard character; one of another length would shift all later offsets."""
    return item.standard if len(item.standard) == len(item.code) else item.code


def _meant(item: Glyph, _: View) -> str:
    return item.standard or item.code


def _legible(item: Glyph, _: View) -> str:
    return item.standard or described(item.code) or UNDECIDED


def _slip(item: Correction, _: View) -> str:
    return f"{item.sic}{SLIP}{item.corr}"


def _restored(item: Supplied, _: View) -> str:
    return f"{LOSS}{item.text}"


def _which(item: Gap, _: View) -> str:
    return f"{LOSS}{item.reason}{item.rend}"


def _place(item: Gap, _: View) -> str:
    return item.rend or UNDECIDED


def _inner(item: Any, view: View) -> str:
    return view(item.content)


def _round(item: Note | Span, view: View) -> str:
    return bracketed(view(item.content), item.rend)


def _plain(item: Span, view: View) -> str:
    return "" if item.rend else view(item.content)


def _group(item: NoteGroup, view: View) -> str:
    return bracketed(view(item.notes), item.rend)


def _lemma(item: App, view: View) -> str:
    return view(item.lemma.content)


def _nobody(item: App, _: View) -> str:
    raise ValueError(f"no one source printed the entry {item.id or 'without id'}")


def _parts(item: Division, view: View) -> str:
    return view(item.items)


def _joined(items: Sequence[Any], view: View) -> str:
    if len(items) == 1:  # as most readings are
        return items[0] if items[0].__class__ is str else view(items[0])
    return "".join([item if item.__class__ is str else view(item) for item in items])


_code, _standard, _sic, _corr, _text, _rend, _source = map(
    _field, ("code", "standard", "sic", "corr", "text", "rend", "source")
)

VIEWS = ("received", "counted", "attested", "edited", "shown", "surviving", "aligned", "key")
RULES: Mapping[type, tuple[Rule, ...]] = {
    #            received counted   attested  edited    shown     surviving  aligned  key
    str:        (_itself, _itself,  _itself,  _itself,  _itself,  _itself,   _itself, _itself),
    Glyph:      (_code,   _code,    _known,   _legible, _legible, _standard, _meant,  _meant),
    Correction: (_mended, _sic,     _sic,     _corr,    _sic,     _sic,      _corr,   _slip),
    Supplied:   (_added,  _none,    _none,    _text,    _sign,    _none,     _text,   _restored),
    Gap:        (_rend,   _rend,    _rend,    _place,   _place,   _none,     _loss,   _which),
    Space:      (_text,   _text,    _text,    _none,    _none,    _none,     _none,   _none),
    Figure:     (_source, _none,    _none,    _none,    _none,    _none,     _none,   _none),
    Break:      (_none,   _none,    _none,    _none,    _none,    _none,     _none,   _none),
    Mark:       (_none,   _none,    _none,    _none,    _none,    _none,     _none,   _none),
    Juan:       (_none,   _none,    _none,    _none,    _none,    _none,     _none,   _none),
    Span:       (_round,  _plain,   _plain,   _plain,   _plain,   _plain,    _plain,  _plain),
    EditorsMark: (_none,) * len(VIEWS),
    EditorsName: (_inner,) * len(VIEWS),
    Note:       (_round,  _none,    _none,    _none,    _none,    _none,     _none,   _none),
    NoteGroup:  (_group,  _none,    _none,    _none,    _none,    _none,     _none,   _none),
    App:        (_nobody, _lemma,   _lemma,   _lemma,   _lemma,   _lemma,    _lemma,  _lemma),
    Division:   (_parts,) * len(VIEWS),
    **dict.fromkeys((Unit, Line, Paragraph, Head, Trailer, Furniture), (_inner,) * len(VIEWS)),
    **dict.fromkeys((tuple, list), (_joined,) * len(VIEWS)),
}
"""For each type of the model, in the order of `VIEWS`, the rule that gives its words."""

_RECEIVED, _COUNTED, _ATTESTED, _EDITED, _SHOWN, _SURVIVING, _ALIGNED, _KEY = (
    {kind: rules[n] for kind, rules in RULES.items()} for n in range(len(VIEWS))
)

Words = Block | Inline | Division | Sequence[Any]
"""An item of the model, or a tuple or list of items."""


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


def lost(words: Words) -> bool:
    """Whether words are lost here and none survive."""
    return LOSS in key(words) and not surviving(words)
