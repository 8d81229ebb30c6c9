"""What names of HTML, DocBook, JATS and word processors are called in TEI: the remedy for a name that it has not."""

from __future__ import annotations

_ELEMENTS = """
b bold strong: hi rend="bold"
i italic italics it: hi rend="italic"
em emphasis: emph, hi rend="italic"
u underline: hi rend="underline"
sup superscript: hi rend="superscript"
sub subscript: hi rend="subscript"
strike: del
smallcaps sc: hi rend="smallcaps"
font span small big: hi, seg
br linebreak newline: lb
hr: milestone
page pagebreak: pb
a link: ref
img image picture: figure, graphic
ul ol itemizedlist orderedlist: list
li listitem: item
tr: row
td th: cell
thead tbody: table
h1 h2 h3 h4 h5 h6 heading: head
blockquote: quote
para paragraph: p
section sect1 sect2 sect3 chapter book part: div
footnote fn endnote comment annotation: note
verse verseline: l
stanza strophe: lg
person personname: persName
place: placeName
organisation organization: orgName
variant reading: rdg
apparatus entry: app
omission: gap
"""
_ATTRIBUTES = """
class colour color font size align bold italic: rend
href src url link: target, url, facs
title label number no nr: n
author editor by: resp
siglum sigla witness: wit
certainty: cert
language: xml:lang
identifier: xml:id
why: reason
"""


def _read(table: str) -> dict[str, tuple[str, ...]]:
    rows = (line.split(": ") for line in table.strip().splitlines())
    return {name: tuple(forms.split(", ")) for names, forms in rows for name in names.split()}


OTHER_NAMES = {"element": _read(_ELEMENTS), "attribute": _read(_ATTRIBUTES)}
"""By kind and name in lower case: names of TEI, the first that is allowed in the place is meant."""
