"""A text as TEI, and what a notebook asks of it."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Collection
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Literal, get_args

from jiaokan.api.inputs import File, check_choice, guard, path_of, read_input, without_classes
from jiaokan.api.values import (
    AgreementMatrix,
    ChangeListing,
    ColumnListing,
    EntryListing,
    FindingListing,
    NoteListing,
    Row,
    counted,
    html_table,
)
from jiaokan.errors import CatalogError, Finding, JiaokanError, Message, one_line

if TYPE_CHECKING:
    from jiaokan.api.apparatus import Apparatus
    from jiaokan.editions.loose import LooseEdition
    from jiaokan.model import Document
    from jiaokan.settings.plans import ApparatusPlan

Level = Literal["all", "graphic", "reading", "substantive"]
"""Which entries count: all; without script pairs; also without graphic variants; only other words."""


@dataclass(frozen=True, kw_only=True)
class TeiText:
    """A text as TEI: a witness, or an edition with its apparatus.

    >>> made = collate_texts({"甲": "學而時習之", "乙": "學而時習"})
    >>> made.read()
    '學而時習之'
    >>> made.read(witness="乙")
    '學而時習'
    """

    tei: bytes = field(repr=False)
    name: str
    """Name of the text in messages, usually its file."""
    findings: tuple[Finding, ...] = ()
    """What was noticed while the text was read or collated."""
    collated: LooseEdition | None = field(default=None, repr=False)

    def __post_init__(self) -> None:
        """Let a notebook show the findings as a table."""
        object.__setattr__(self, "findings", FindingListing(self.findings))

    @cached_property
    def document(self) -> Document:
        """The text as the types of `jiaokan.model`; raises TeiError for TEI that is not in our encoding."""
        from jiaokan.tei.parse import from_tei

        return self.collated.document if self.collated else from_tei(self.tei, name=self.name)

    @guard
    def read(self, reference: str = "", *, witness: str = "", punctuated: str = "", heads: bool = False) -> str:
        """Return the base text as plain text, one unit per line; with `heads` also its heads and
        trailers, if it is neither a witness's nor punctuated.

        `reference` is a chapter, section or unit (``1``, ``1.2``, ``1.2.3``), by default the whole text. `witness`
        prints the text of that witness, given by siglum or id; `punctuated` includes the editor's punctuation in this
        style. Raises TeiError for an unknown reference or witness, CatalogError for both options at once.
        """
        from jiaokan.model.marks import STYLES
        from jiaokan.tei.parse import from_tei
        from jiaokan.tei.views import plain_text, punctuated_text

        if punctuated and witness:
            raise CatalogError(Message("edition-editor-punctuation-not-witness"), mend=Message("drop-option"))
        if punctuated:
            check_choice(punctuated, STYLES, "punctuated")
            document = from_tei(self.tei, name=self.name, layer=True)
            return punctuated_text(document, STYLES[punctuated], reference=reference)
        return plain_text(self.document, reference=reference, witness=self._id(witness) if witness else "",
                          heads=heads)

    def _id(self, witness: str) -> str:
        """Return the id of a witness; of a text without any, its own id is one."""
        return witness if witness == self.document.id else self._apparatus.id_of(witness)

    @cached_property
    def entries(self) -> EntryListing:
        """The entries of the apparatus in the order of the text; passages that witnesses have elsewhere are `moves`.

        >>> text = collate_texts({"甲": "學而時習之不亦說乎", "乙": "學而時習不亦悅乎"})
        >>> text.entries
        <2 entries: omission 1, loan 1>
        >>> [(entry.lemma.words, entry.of("乙").words, entry.state("乙")) for entry in text.entries]
        [('之', '', 'omits'), ('說', '悅', 'attested')]
        """
        return self._apparatus.entries()

    @cached_property
    def moves(self) -> EntryListing:
        """Passages that witnesses have at another place (`Reading.elsewhere`)."""
        return self._apparatus.moves()

    @guard
    def rows(self, *, level: Level = "all", without: Collection[str] = (), part: str = "all") -> list[Row]:
        """Return a flat dict for each witness in each entry, and in each moved passage: ``pandas.DataFrame(rows)``.

        ``class`` is empty where a witness has the lemma; ``state`` is ``attested``, ``omits``, ``lost`` or ``silent``
        (the entry does not name the witness, and ``reading`` is None). A conjecture has no ``witness``. `level`,
        `without` and `part` are those of `apparatus`. A text without an apparatus has no rows.
        """
        light = without_classes(level, without, part)
        return [*self._apparatus.entries(light, part).rows(), *self._apparatus.moves(light, part).rows()]

    @guard
    def notes(self, speaker: str = "", *, kind: str = "") -> NoteListing:
        """Return the notes, or those of one speaker, by name, label or id.

        `kind` is ``commentary``, ``gloss``, ``variant``, ``source`` or ``editorial``. Raises TeiError if no person of
        the text is called so.
        """
        from jiaokan.model import NoteKind

        if kind:
            check_choice(kind, get_args(NoteKind), "kind")
        return self._apparatus.notes(speaker, kind)

    @guard
    def columns(self, *, level: Level = "all", without: Collection[str] = (), part: str = "all") -> ColumnListing:
        """Return the words of all witnesses beside each other; raises TeiError for a text without witnesses.

        >>> text = collate_texts({"甲": "學而時習之", "乙": "學而時習"})
        >>> pandas_takes = text.columns().rows()
        >>> pandas_takes[1]
        {'reference': 'edition:1.1.1', '甲': '之', '乙': ''}
        """
        return self._apparatus.columns(without_classes(level, without, part), part)

    @guard
    def agreement(
        self, measure: str = "entries", *, level: Level = "all", without: Collection[str] = (), part: str = "text"
    ) -> AgreementMatrix:
        """Return the share in which each two witnesses agree, as ``jiaokan stats`` does.

        `measure` is ``entries``, ``weighted`` (entries by the weight of their class) or ``characters`` (of the whole
        text). Raises TeiError for a text without witnesses.

        >>> collate_texts({"甲": "學而時習之", "乙": "學而時習", "丙": "學而時習"}).agreement().as_dict()["乙"]
        {'甲': 0.0, '乙': 1.0, '丙': 1.0}
        """
        check_choice(measure, ("entries", "weighted", "characters"), "measure")
        return self._apparatus.agreement(without_classes(level, without, part), part, measure)

    @guard
    def compare(self, new: Source) -> ChangeListing:
        """Return what changed from this release of a text to another, as ``jiaokan compare``."""
        from jiaokan.editions.compare import compare

        return ChangeListing(compare(self.document, text_of(new).document))

    @property
    def witnesses(self) -> tuple[str, ...]:
        """The sigla of the witnesses that the text names."""
        return tuple(self._apparatus.labels.values())

    @cached_property
    def _apparatus(self) -> Apparatus:
        from jiaokan.api.apparatus import Apparatus
        from jiaokan.tei.persons import read_declared

        return Apparatus(self._edition(), read_declared(self.tei, name=self.name))

    def __repr__(self) -> str:
        counts = self._counts()
        return one_line(f"TeiText({self.name!r}{': ' if counts else ''}{counts})")

    def _counts(self) -> str:
        from jiaokan.model.walk import units

        try:
            numbers = {"witnesses": len(self.witnesses), "entries": len(self.entries), "moves": len(self.moves),
                       "units": sum(1 for _ in units(self.document.divisions)), "notes": len(self.notes())}
        except JiaokanError as error:  # a repr never fails
            return str(error.message)
        return ", ".join(counted(number, name) for name, number in numbers.items() if number)

    def _repr_html_(self) -> str:
        try:
            states = Counter((row["witness"], row["class"] or row["state"]) for row in self.rows())
        except JiaokanError:
            states = Counter()
        kinds = list(dict.fromkeys(kind for _, kind in states))
        return html_table([{"witness": name, **{str(kind): states[name, kind] for kind in kinds}}
                           for name in dict.fromkeys(name for name, _ in states)], repr(self))

    @guard
    def source(self) -> str:
        """Return what the source of a witness printed, line by line; raises TeiError for an edition."""
        from jiaokan.tei.views import source_text

        return source_text(self.document)

    @guard
    def apparatus(
        self, form: str = "table", *, level: Level = "all", without: Collection[str] = (), part: str = "all",
        plan: ApparatusPlan | None = None, positive: bool = False, decisions: Path | None = None,
    ) -> str:
        """Return the apparatus in a format of ``jiaokan collate --format``: table, csv, json, jiaokanji, nexus …

        `level` and `without` (ids of variant classes) leave entries out; `part` is ``text``, ``notes`` or ``all``;
        `plan` says what a 校勘记 reports; `positive` names the witnesses of the lemma in ``apparatus``, ``table`` and
        ``reledmac``; `decisions` is the folder of the editor's decisions, whose ``forms.toml`` decides forms in
        ``tei-traditional``. Raises JiaokanError for an unknown format or one that cannot hold the text.

        >>> print(collate_texts({"甲": "學而時習之", "乙": "學而時習"}).apparatus("jiaokanji").strip())
        1 校勘記
        底本：甲。校本：乙。
        〔一〕1.1.1　乙無「之」字。
        """
        from jiaokan.characters.scripts import interface_of
        from jiaokan.exchange import exports
        from jiaokan.settings.plans import ApparatusPlan
        from jiaokan.tei.parse import from_tei
        from jiaokan.tei.persons import read_declared

        light = without_classes(level, without, part)
        edition = self._edition()
        known = read_declared(self.tei, name=edition.document.id)
        settings = exports.ExportSettings(
            sigla=edition.sigla, persons=edition.persons, without=light, part=part,
            decisions=decisions, positive=positive, tei=self.tei, shown=known.shown, apparatus=plan or ApparatusPlan(),
            interface=interface_of(known.language),
        )
        marked = form == "jiaokanji" and not self.collated  # the editor's punctuation says where clauses end
        document = from_tei(self.tei, name=self.name, layer=True) if marked else edition.document
        return exports.get(form).write(document, settings)

    def _edition(self) -> LooseEdition:
        from jiaokan.editions import TextResult
        from jiaokan.editions.loose import LooseEdition

        return self.collated or LooseEdition.of(
            TextResult(document=self.document, tei=self.tei, findings=self.findings))

    @guard
    def save(self, file: Path | str) -> None:
        """Write the TEI to a file."""
        from jiaokan.system.atomic import write_file

        write_file(path_of(file), self.tei)


Source = TeiText | File
"""A text, or the file of one: its path, its contents, or the open file."""


@guard
def read_tei(file: File, *, text: File | None = None) -> TeiText:
    """Read a TEI file of any encoding; one that is not ours is converted, and its findings say what was not understood.

    `text` is the file with the words that the entries of an apparatus in a file of its own point to. Raises
    JiaokanError if a file cannot be read, TeiError if it is not TEI or has no text.
    """
    from jiaokan.editions.other import as_ours, stranger
    from jiaokan.readers.tei.alone import with_text
    from jiaokan.tei.included import expand_includes

    name, data = read_input(file)
    if text is None:
        path = path_of(file) if isinstance(file, str | os.PathLike) else None
        included = expand_includes(data, path, name)
        with included.relocate_error():
            edition = as_ours(included.data, name=name)
        return TeiText(tei=edition.tei if edition else included.data, name=name,
                       findings=included.relocate(edition.findings if edition else ()))
    text_name, text_data = read_input(text)
    edition = stranger(with_text(data, text_data, name=name, text_name=text_name), name=name)
    return TeiText(tei=edition.tei, name=name, findings=edition.findings)


def text_of(source: Source) -> TeiText:
    """Return a text, or that of a TEI file; raises as `read_tei`."""
    return source if isinstance(source, TeiText) else read_tei(source)
