"""Editions made for counting: every reading has letters that are nowhere else, so a form that drops one is seen."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import product

SCRIPTS = {"zh-Hans": "", "la": " ", "grc": " "}
"""Languages of the editions, with what is between words."""
_SYLLABLES = {"la": "ba ce di fo gu la me ni po ru sta ve xi zo", "grc": "βα γε δι ζο θυ λα με νι πο ρυ στα ξι ψω τε"}
_ENDS = {"la": ["nt", "m", "s", "r", "l"], "grc": ["ν", "ς", "ρ"]}


def _vocabulary(language: str) -> Iterator[str]:
    if language.startswith("zh"):
        return map(chr, range(0x4E00, 0x9000, 3))
    syllables = _SYLLABLES[language].split()
    return map("".join, product(syllables, syllables, _ENDS[language]))


@dataclass
class Edition:
    """A text of one chapter, in which each paragraph has an entry; `pieces` are what must be in every form of it."""

    language: str
    pieces: list[str] = field(default_factory=list)
    """Words of readings and of notes in them; what an entry inside interrupts is in several pieces."""
    conjectures: list[str] = field(default_factory=list)
    corrections: list[str] = field(default_factory=list)  # of slips in readings
    body: str = ""

    def __post_init__(self) -> None:
        self._words = _vocabulary(self.language)
        self.blank = SCRIPTS[self.language]

    def words(self, count: int) -> str:
        """Return new words."""
        return self.blank.join(next(self._words) for _ in range(count))

    def piece(self, count: int) -> str:
        """Return new words of a reading."""
        self.pieces.append(self.words(count))
        return self.pieces[-1]

    def nested(self, holders: str, depth: int, size: int) -> str:
        """Return words of a reading with an entry inside, `depth` levels deep."""
        if not depth:
            return self.piece(size)
        mine, rest = holders[0], holders[1:]
        before, lemma = self.piece(size), self.piece(2)
        inside = self.nested(rest, depth - 1, size)
        wit = " ".join(f"#{name}" for name in rest)
        entry = f'<app><lem wit="#{mine}">{lemma}</lem><rdg wit="{wit}">{inside}</rdg></app>'
        return self.blank.join((before, entry, self.piece(size)))

    def note(self, content: str) -> str:
        """Return a note in a reading."""
        return f"<note>{content}</note>"

    def add(self, lemma: str, reading: str, wit: str = "B") -> None:
        """Add a paragraph with one entry."""
        names = " ".join(f"#{name}" for name in wit)
        entry = f'<app><lem wit="#A">{lemma}</lem><rdg wit="{names}">{reading}</rdg></app>'
        self.body += f"<p>{self.blank.join((self.words(4), entry, self.words(4)))}.</p>"

    def conjecture(self, count: int) -> None:
        """Add a paragraph in which an editor conjectures words."""
        self.conjectures.append(self.words(count))
        entry = f'<app><lem wit="#A #B">{self.words(2)}</lem><rdg resp="#ed">{self.conjectures[-1]}</rdg></app>'
        self.body += f"<p>{self.blank.join((self.words(4), entry, self.words(4)))}.</p>"

    def tei(self) -> bytes:
        """Return the edition as a TEI file of another program."""
        witnesses = "".join(f'<witness xml:id="{name}">Codex {name}</witness>' for name in "ABCDE")
        return (
            f'<TEI xmlns="http://www.tei-c.org/ns/1.0" xml:lang="{self.language}"><teiHeader><fileDesc><titleStmt>'
            '<title>Litterae</title><respStmt xml:id="ed"><resp>editor</resp><name>Maier</name></respStmt></titleStmt>'
            f'<publicationStmt><p>none</p></publicationStmt><sourceDesc><listWit>{witnesses}</listWit></sourceDesc>'
            f'</fileDesc></teiHeader><text><body><div><head>I</head>{self.body}</div></body></text></TEI>').encode()


def every_kind(language: str) -> Edition:
    """Return an edition with every kind of reading whose words are easily lost."""
    made = Edition(language)
    made.add(made.words(30), made.piece(24), "BC")  # long lemma, long reading
    made.add("", made.piece(60))
    made.add(made.words(40), "")
    made.add(made.words(2), made.nested("BC", 1, 6), "BC")
    made.add("", made.nested("BCD", 2, 5), "BCD")
    made.add(made.words(2), made.piece(5) + made.note(made.piece(20)) + made.piece(3))
    made.add("", made.piece(5) + made.note(made.piece(20)))
    made.add("", made.note(made.piece(20)) + made.note(made.piece(14)))
    made.add(made.words(2), made.note(made.piece(9)))
    made.add("", made.piece(3) + made.note(made.nested("BC", 1, 4)), "BC")
    made.corrections.append(made.words(1))
    slip = f"<choice><sic>{made.words(1)}</sic><corr>{made.corrections[0]}</corr></choice>"
    made.add(made.words(2), made.blank.join((made.piece(6), slip, made.piece(6))))
    inner = f'<app><lem wit="#A">{made.words(2)}</lem><rdg wit="#C">{made.piece(7)}</rdg></app>'
    made.add(inner, made.piece(6))
    made.conjecture(9)
    return made
