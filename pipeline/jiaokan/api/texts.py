"""Texts as TEI: read a source or a TEI file, collate witnesses, validate."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from jiaokan.errors import CatalogError, Finding, JiaokanError, Message, Place
from jiaokan.system.listing import bytes_of

if TYPE_CHECKING:
    from jiaokan.editions.loose import Collated
    from jiaokan.model import Document
    from jiaokan.settings.catalog import Catalog, SourceEntry
    from jiaokan.settings.plans import ApparatusPlan
    from jiaokan.validate import Checks

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

    tei: bytes
    name: str
    """Name of the text in messages, usually its file."""
    findings: tuple[Finding, ...] = ()
    """What was noticed while the text was read or collated."""
    collated: Collated | None = field(default=None, repr=False)

    @cached_property
    def document(self) -> Document:
        """The text as the types of `jiaokan.model`; raises TeiError for TEI that is not in our encoding."""
        from jiaokan.tei.parse import from_tei

        return self.collated.document if self.collated else from_tei(self.tei, name=self.name)

    def read(self, reference: str = "", *, witness: str = "", punctuated: str = "") -> str:
        """Return the base text as plain text, one unit per line.

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
            document = from_tei(self.tei, name=self.name, layer=True)
            return punctuated_text(document, STYLES[punctuated], reference=reference)
        return plain_text(self.document, reference=reference, witness=self._id(witness))

    def _id(self, witness: str) -> str:
        return next((name for name, siglum in self._edition().sigla.items() if siglum == witness), witness)

    def source(self) -> str:
        """Return what the source of a witness printed, line by line; raises TeiError for an edition."""
        from jiaokan.tei.views import source_text

        return source_text(self.document)

    def apparatus(
        self, form: str = "table", *, level: Level = "all", without: Collection[str] = (), part: str = "all",
        plan: ApparatusPlan | None = None,
    ) -> str:
        """Return the apparatus in a format of ``jiaokan collate --format``: table, csv, json, jiaokanji, nexus …

        `level` and `without` (ids of variant classes) leave entries out; `part` is ``text``, ``notes`` or ``all``;
        `plan` says what a 校勘记 reports. Raises JiaokanError for an unknown format or one that cannot hold the text.

        >>> print(collate_texts({"甲": "學而時習之", "乙": "學而時習"}).apparatus("jiaokanji").strip())
        1 校勘記
        底本：甲。校本：乙。
        〔一〕1.1.1　乙無「之」字。
        """
        from jiaokan.characters.scripts import interface_of
        from jiaokan.exchange import exports
        from jiaokan.model.variants import LEVELS
        from jiaokan.settings.plans import ApparatusPlan
        from jiaokan.tei.parse import from_tei
        from jiaokan.tei.persons import declared

        edition = self._edition()
        known = declared(self.tei, name=edition.document.id)
        settings = exports.ExportSettings(
            sigla=edition.sigla, persons=edition.persons, without=LEVELS[level] | frozenset(without), part=part,
            tei=self.tei, shown=known.shown, apparatus=plan or ApparatusPlan(),
            interface=interface_of(known.language),
        )
        marked = form == "jiaokanji" and not self.collated  # the editor's punctuation says where clauses end
        document = from_tei(self.tei, name=self.name, layer=True) if marked else edition.document
        return exports.get(form).write(document, settings)

    def _edition(self) -> Collated:
        from jiaokan.editions import Made
        from jiaokan.editions.loose import Collated

        return self.collated or Collated.of(Made(document=self.document, tei=self.tei, findings=self.findings))

    def save(self, file: Path | str) -> None:
        """Write the TEI to a file."""
        from jiaokan.system.atomic import write_file

        write_file(Path(file), self.tei)


Source = TeiText | Path | str
"""A text, or the path of a TEI file."""


def read_source(
    file: Path | str, *, reader: str, convention: Path | str | Mapping[str, Any] | None = None,
    persons: Path | str | None = None, title: str = "", chapters: Mapping[int, str] | None = None,
) -> TeiText:
    """Read a transcription and return it as TEI.

    `reader` is a format (``jiaokan explain reader`` lists them); `convention` says how the file marks its layers, as a
    TOML file or a mapping (``jiaokan explain convention``); `persons` is a persons.toml with those who are cited;
    `chapters` are the titles of the chapters by number. Raises SourceError, CatalogError or DecisionError.

    >>> _ = Path("my.txt").write_text("學而\\n子曰學而時習之〈馬曰時習〉\\n", encoding="utf-8")
    >>> text = read_source("my.txt", reader="brackets", convention={"brackets": "〈〉"}, chapters={1: "學而"})
    >>> text.read("1")
    '子曰學而時習之'
    """
    from jiaokan.settings.catalog import Chapter, catalog_of_file

    with _file_of(convention) as toml:
        entry, catalog = catalog_of_file(
            Path(file), reader=reader, convention=toml, people=Path(persons) if persons else None, title=title,
            chapters=tuple(Chapter(n=number, title=name) for number, name in (chapters or {}).items()))
        return text_of_source(entry, catalog)


@contextmanager
def _file_of(convention: Path | str | Mapping[str, Any] | None) -> Iterator[Path | None]:
    """Provide a convention as a TOML file."""
    if not isinstance(convention, Mapping):
        yield Path(convention) if convention else None
        return
    from tempfile import TemporaryDirectory

    import tomli_w

    with TemporaryDirectory() as aside:
        path = Path(aside) / "convention.toml"
        path.write_text(tomli_w.dumps(convention), encoding="utf-8")
        yield path


def text_of_source(entry: SourceEntry, catalog: Catalog) -> TeiText:
    """Read a source of a catalog; raises as `read_source`."""
    from jiaokan.editions.witness import make_witness

    witness = make_witness(entry, catalog)
    return TeiText(tei=witness.tei, name=entry.id, findings=witness.findings)


def read_tei(file: Path | str, *, text: Path | str | None = None) -> TeiText:
    """Read a TEI file of any encoding; one that is not ours is converted, and its findings say what was not understood.

    `text` is the file with the words that the entries of an apparatus in a file of its own point to. Raises
    JiaokanError if a file cannot be read, TeiError if it is not TEI or has no text.
    """
    from jiaokan.editions.other import as_ours, stranger
    from jiaokan.readers.tei.alone import with_text

    path = Path(file)
    data = read_bytes(path)
    if text is None:
        edition = as_ours(data, name=str(path))
    else:
        both = with_text(data, read_bytes(Path(text)), name=str(path), text_name=str(text))
        edition = stranger(both, name=str(path))
    return TeiText(tei=edition.tei if edition else data, name=str(path), findings=edition.findings if edition else ())


def read_bytes(path: Path) -> bytes:
    """Return the contents of a file; raises JiaokanError if it cannot be read."""
    try:
        return bytes_of(path)
    except OSError as error:
        raise JiaokanError(Message("cannot-read", strerror=error.strerror), place=Place(str(path))) from None


def date_of(*files: Path) -> str:
    """Return the date of the last change of some files: outputs must not depend on the clock."""
    newest = max((path.stat().st_mtime for path in files if path.exists()), default=0.0)
    return datetime.fromtimestamp(newest, tz=UTC).date().isoformat()


def collate_texts(
    witnesses: Mapping[str, str | bytes | Path] | Sequence[Path | str], *, base: str = "", date: str = ""
) -> TeiText:
    """Collate witnesses and return the edition.

    `witnesses` are texts, paths or contents of files by siglum, or paths of files (plain text or TEI). In plain text
    blank lines separate paragraphs; without them each line is one. `base` is the siglum or file of the base text
    (default: the first). A single file must be a TEI edition. `date` (2026-11-20) is written into the header,
    by default that of the newest file. Raises SourceError, TeiError or CollationError.

    >>> made = collate_texts({"甲": "學而時習之", "乙": "學而時習"})
    >>> made.collated.sigla
    {'w1': '甲', 'w2': '乙'}
    """
    from jiaokan.editions.edition import read_file
    from jiaokan.editions.loose import collate_files

    texts = witnesses if isinstance(witnesses, Mapping) else {str(file): Path(file) for file in witnesses}
    files = [text for text in texts.values() if isinstance(text, Path)]
    contents = [(str(text), read_file(text, "")) if isinstance(text, Path) else
             (f"{siglum}.txt", text.encode()) if isinstance(text, str) else (siglum, text)
             for siglum, text in texts.items()]
    return text_of_edition(collate_files(contents, base=base, date=date or date_of(*files)))


def text_of_edition(edition: Collated) -> TeiText:
    """Return a collated edition as a text."""
    return TeiText(tei=edition.tei, name=edition.document.id, findings=edition.findings, collated=edition)


def validate_tei(source: Source, *, schemas: Sequence[str] = (), ignore: Collection[str] = ()) -> tuple[Finding, ...]:
    """Return the findings on a TEI file or text; none if it is valid.

    `schemas` are files of RELAX NG, XSD, Schematron or ODD, or ``jiaokan`` for our own; by default the schema that the
    file names, else tei_all. `ignore` are ids of rules. Raises JiaokanError for an unknown rule or schema, TeiError for
    a file that cannot be read.

    >>> [each.rule for each in validate_tei(collate_texts({"甲": "學而時習之", "乙": "學而時習"}))]
    ['header-lacking']
    """
    from jiaokan.validate import validate, validate_bytes

    chosen = checks(schemas, ignore)
    if isinstance(source, TeiText):
        return validate_bytes(source.tei, name=source.name, checks=chosen)
    return validate(Path(source), chosen)


def checks(schemas: Sequence[str] = (), ignore: Collection[str] = (), *, cached: bool = False) -> Checks:
    """Return what to check; raises JiaokanError for an unknown rule or a missing schema.

    `cached` stores the findings and reuses them while nothing has changed.
    """
    from jiaokan.validate import OURS, OWN, STANDARD
    from jiaokan.validate.rules import explain_rule

    for name in ignore:
        explain_rule(name)
    for schema in schemas:
        if schema != OURS and not Path(schema).is_file():
            raise JiaokanError(Message("the-schema-not-found"), place=Place(schema),
                               mend=Message("give-file-own", ours=OURS))
    return replace(STANDARD, schemas=tuple(schemas) or (OWN,), cached=cached, ignored=frozenset(ignore),
                   entries=_entries)


def _entries(data: bytes, name: str) -> tuple[Finding, ...]:
    if b"<app" not in data:
        return ()
    from jiaokan.readers.tei.text import accounts

    return accounts(data, name)
