"""Survey one text: everything that its catalog entry and its convention declare."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from statistics import median

from jiaokan.characters.scripts import language_of, term
from jiaokan.errors import Message, Place, SourceError, TeiError, visible
from jiaokan.messages import ENGLISH
from jiaokan.model.words import ends_in_word
from jiaokan.readers.plain import dropped_markup, has_wiki_notes, has_words, header_fields
from jiaokan.readers.tei.outline import Outline, outline
from jiaokan.scaffold.authors import PAGE, makers_of, name_speakers
from jiaokan.scaffold.files import format_of, is_binary, load_text
from jiaokan.scaffold.letters import LeftOut
from jiaokan.scaffold.origins import Origins, plain_line
from jiaokan.scaffold.outline import put_under
from jiaokan.scaffold.repository import edition_of, title_of_edition
from jiaokan.structure.back import back_rows, find_appended_parts
from jiaokan.structure.bylines import Maker, is_commentary, makers, plain_title
from jiaokan.structure.example_heads import choose_chapters, lines_to_split, section_lines, split_at_heads
from jiaokan.structure.example_notes import choose_notes, is_note_line
from jiaokan.structure.examples import Example, PlacedExamples
from jiaokan.structure.heads import COLLECTION, ChapterHead, Heads, is_front
from jiaokan.structure.layers import LayerExplanation, explain_layers, inline_labels
from jiaokan.structure.long_lines import split_long_lines
from jiaokan.structure.notes import NoteMarks, notes_of, with_speeches
from jiaokan.structure.rows import SHORT, Row, bare, rows_of, sections_apart
from jiaokan.structure.sounds import SoundList, rows_of_lists, sound_lists
from jiaokan.structure.verses import speaker_lines
from jiaokan.structure.weigh import ChapterExplanation, explain_chapters
from jiaokan.system.listing import leads_out
from jiaokan.tei.header.stated import Statement, label

_PART = re.compile(r"[_-](?:\d{2,}|ext)$|^\d{3}[_ -].*")
"""The number of a part in the name of a file: KR1a0001_002, 001_五帝本紀."""
_HEADED = ("marked", "alone")
"""Kinds of headings with which a first line is the first chapter's title, not the book's."""
SUFFIXES = (".txt", ".md", ".xml", ".wiki", ".json", ".html", ".htm", ".xhtml", ".epub", ".tess", ".docx", ".odt",
             ".org", ".hocr", ".alto")
_NOTICE = re.compile(r"https?://\S+|[〔（(【\[]?全[文書书]完[〕）)】\]]?")
"""Notices of a website in a text: addresses, 全文完."""
_YAML = re.compile(r"---\n(?:(?!---).*\n)*?title: *[\"']?([^\"'\n]+).*\n(?:(?!---).*\n)*---\n")
"""The title before a text in Markdown."""
_REMARK = re.compile("#[^#\\s].*")
"""A line before the text that is a comment."""


@dataclass(frozen=True, slots=True)
class Survey:
    """What a text shows."""

    path: Path
    text: str
    encoding: str
    format: str
    language: str
    title: str
    rows: tuple[Row, ...]
    heads: Heads
    notes: NoteMarks
    explanations: tuple[ChapterExplanation, ...] = ()
    """What its chapters can be, the best first."""
    lines: LayerExplanation | None = None
    """Its lines apart, and whether they are a commentary."""
    persons: tuple[tuple[str, str], ...] = ()
    """Names that are those of one person, and words with who speaks after them, by the editor."""
    signed: tuple[tuple[str, str], ...] = ()
    """Words at the end of notes, and whose these are, by the editor."""
    frame: tuple[tuple[str, str], ...] = ()
    """Lines that are front or back matter, or of the page, by the editor: kind and words."""
    source: bytes = b""
    """The file that is kept, if it is not the text."""
    origins: Origins | None = None
    """The lines of its files."""
    inline: tuple[str, int] = ("", 0)
    """The label of comments inside the lines of base text, with their number."""
    author: str = ""
    """The commentator or author on its title page; empty if none or several are named."""
    dynasty: str = ""
    back: tuple[tuple[int, int], ...] = ()
    """Parts behind the text of a juan: the first line of each in the source, and its last."""
    unsigned: bool = False
    """Whether unsigned notes are by `author`."""
    guessed: bool = False
    """Whether that is a guess: the page names him as maker of the book, and nobody as commentator."""
    makers: tuple[Maker, ...] = ()
    edition: str = ""
    """The name of its witness in the file (``WYG``), with the title 文淵閣四庫全書本."""
    edition_title: str = ""
    inner: tuple[str, ...] = ()
    """Headings within the chapters of its work, which are smaller in it."""
    sections: tuple[str, ...] = ()
    """Headings of sections, by the editor."""
    signers: tuple[tuple[str, str], ...] = ()
    """Who signs the comments of a TEI file: id and name; from its header also editors, licence and its address."""
    editors: tuple[str, ...] = ()
    licence: tuple[str, str] = ("", "")
    stated: str = ""
    """What the header of a TEI file states of it, in its own words."""
    notices: tuple[str, ...] = ()
    left_out: tuple[LeftOut, ...] = ()
    """What of the file is not in the text."""
    uncertain: tuple[str, ...] = ()
    """What the conversion of the file decided without being sure."""

    @property
    def file_name(self) -> str:
        """The name of the file, without its ending."""
        return visible(self.path.stem)

    @property
    def witness(self) -> str:
        """What decisions call it: edition, author or file."""
        return self.edition_title or self.edition or self.author or self.file_name

    @property
    def reader(self) -> str:
        """The reader of its format."""
        if self.format in ("tei", "mandoku", "pages"):
            return self.format
        return "brackets" if self.notes.brackets and self.format == "plain" else "plain"

    def base_text(self, start: int = 0, end: int | None = None) -> str:
        """Return the text of rows `start` to before `end`, without notes, punctuation and spaces."""
        text = "".join(row.text for row in self.rows[start:end] if not is_note_line(row, self.notes))
        if self.notes.brackets:
            opening, closing = map(re.escape, self.notes.brackets)
            text = re.sub(f"{opening}[^{opening}{closing}]*{closing}", "", text)
        return re.sub(r"\W", "", text)


def is_named_text(file: Path) -> bool:
    """Whether a file in a folder has the name of a text: none is hidden, or about the folder (README)."""
    return (file.suffix.lower() in SUFFIXES and not file.name.startswith(".")
            and not file.stem.lower().startswith(("readme", "license")))


def group_files(paths: Sequence[Path]) -> Iterator[tuple[Path, ...]]:
    """Yield the files of each text: those of a folder whose names differ only in a last number are parts of one text,
    and those that begin with a number of three digits. A folder means the text files in it
    (`is_named_text`). Raises SourceError if one of them is a link out of the folder."""
    files = [file for path in paths for file in (sorted(path.iterdir()) if path.is_dir() else [path])
             if not path.is_dir() or (is_named_text(file) and not is_binary(file))]
    groups: dict[tuple[Path, str, str, int], list[Path]] = {}
    for file in files:
        if file not in paths and leads_out(file, file.parent):
            raise SourceError(Message("link-leads-out-folder-not"), place=Place(str(file)),
                              mend=Message("copy-file-folder-give-name"))
        groups.setdefault((file.parent, file.suffix, *_PART.subn("", file.stem)), []).append(file)
    yield from map(tuple, groups.values())


Headings = Sequence[Sequence[tuple[int, str]]]
"""For each file of a text the headings above it, by their level."""


def survey(
    *paths: Path, home: Path | None = None, above: Headings = (), work: str = "", examples: Sequence[Example] = (),
) -> Survey:
    """Survey a text in one file, or in several consecutive ones, so that it agrees with the editor's `examples`; the
    files of the folder `home` are its chapters, with the headings `above` them; `work` is the title of its work. Raises
    SourceError if one is not text."""
    path, read = home or paths[0], [load_text(path) for path in paths]
    pages = [_YAML.sub("", received.text) if number or above else received.text
             for number, received in enumerate(read)]
    if above:
        is_wiki = any(format_of(page) == "wiki" for page in pages)
        pages = [put_under(page, heads, is_wiki) for page, heads in zip(pages, above, strict=True)]
    text, encoding = "\n".join(page.rstrip("\n") for page in pages) + "\n", read[0].encoding
    source = read[0].source if len(read) == 1 else b""
    format_ = "pages" if source else format_of(text)
    if format_ == "tei":
        return _survey_tei(path, text, encoding, outline(text, str(path)), "", examples)
    cut = 0
    if format_ == "plain":
        whole = split_long_lines(parts := sections_apart(text))
        cut = whole.count("\n") - parts.count("\n")
        text = split_at_heads(whole, [
            example.words for example in examples if example.kind == "head" and example.words])
    origins = Origins.of(paths, (received.text for received in read), pages, text)
    lines_of = {example: (number, plain_line(origins.words[number - 1])) for example in examples
                if example.kind != "person" and (number := origins.line_of(example))}
    all_rows = rows_of(text, format_, _lines_apart(lines_of, origins) if format_ == "mandoku" else frozenset())
    rows, notices = _split_notices(all_rows)
    title = _title_of_text(text, rows, path)
    title = (re.split(r"[ 　/_-]*[卷第]?\d+", title)[0] if len(paths) > 1 else "") or title
    title = work or (visible(path.stem) if above else title)
    named = [row for row in rows[:PAGE] if makers(row, title)]
    small = "〈〉" if format_ == "wiki" and has_wiki_notes(text) else ""
    notes = notes_of([row for row in rows if row not in named], "()" if format_ == "mandoku" else small)
    notes = _add_marked_notes(notes, rows, next((received.brackets for received in read if received.brackets), ""))
    sounds = sound_lists(rows, notes.brackets)
    notes = replace(notes, count=notes.count - sum(listing.notes for listing in sounds))
    apart = rows_of_lists(rows, sounds) | back_rows(rows)
    given = PlacedExamples.of(examples, rows, lines_of)
    explanations = choose_chapters(given, explain_chapters(rows, title, apart), apart)
    heads = explanations[0].heads
    if heads.kind in _HEADED and heads.heads[0].row == 0 and plain_title(rows[0].text) == title:
        title = visible(path.stem)
    comments = is_commentary(title) or any(maker.comments for row in named for maker in makers(row, title))
    starts = set() if heads.closing else {head.row for head in heads.heads}
    behind = [*find_appended_parts(rows, starts, sounds, back_rows(rows))]
    apart |= {n for start, end in behind for n in range(start, end)}
    first, skipped = heads.heads[0].row, apart | {n for n, row in enumerate(rows) if is_front(row.text)}
    inside = [n for n, row in enumerate(rows) if n >= first and n not in skipped and not makers(row, title)]
    body, titles = [rows[n] for n in inside], {head.row for head in heads.heads}
    lines = explain_layers(body, (at for at, n in enumerate(inside) if n in titles), comments)
    if lines and lines.probability > 0.5 and not notes.lines:
        notes = replace(notes, lines=lines.pattern, count=notes.count + lines.count,
                        speakers=(*lines.labels, *notes.speakers))
    notes = choose_notes(given, notes, lines)
    notes, about = name_speakers(given, notes, rows, makers_of(text, rows, heads, title), title)
    if format_ == "mandoku" and not notes.lines:
        notes = with_speeches(notes, rows, "".join(maker.name for maker in about["makers"]))
    edition = edition_of(text, path.parent) if format_ == "mandoku" else ""
    return Survey(
        path, text, encoding, format_, language_of("".join(row.text for row in rows)), title, rows, heads, notes,
        **about, sections=section_lines(given, heads), frame=_frame(given, sounds),
        origins=origins, explanations=tuple(explanations), lines=lines,
        inline=("", 0) if notes.lines else inline_labels(body),
        back=tuple((rows[start].number, rows[end].number - 1 if end < len(rows) else text.count("\n"))
                   for start, end in behind), edition=edition,
        notices=notices,
        edition_title=title_of_edition(edition, path.parent) if edition else "", source=source,
        left_out=(*(row for received in read for row in received.left_out), *_reader_drops(text, format_),
                  *(LeftOut(Message("part-notices"), words) for words in notices)),
        uncertain=(*(words for received in read for words in received.doubts),
                   *([Message("long-line-cut", count=(cut + 1) // 2)] if cut else [])),
    )


def _add_marked_notes(notes: NoteMarks, rows: Sequence[Row], brackets: str) -> NoteMarks:
    """Return the notes with those that the markup of the file says are notes, however few they are: the conversion put
    them in `brackets`."""
    if not brackets or notes.brackets:
        return notes
    marked = notes_of(rows, brackets)
    if not (notes.lines or notes.calls):
        return marked
    return replace(notes, brackets=marked.brackets, count=notes.count + marked.count)


def _lines_apart(examples: Mapping[Example, tuple[int, str]], origins: Origins) -> frozenset[str]:
    """Return the lines of a Mandoku text that are paragraphs by themselves, as an example says what one of them is."""
    apart: set[str] = set()
    page = [line.replace("¶", "") for line in origins.words if line[:1] not in ("#", "<")]
    for example, (number, words) in examples.items():
        if example.kind == "head":
            apart |= lines_to_split(page, origins.words[number - 1].replace("¶", ""))
        elif example.kind in ("front", "back", "page"):
            apart.add(words)
    return frozenset(apart)


def _frame(given: PlacedExamples, sounds: Sequence[SoundList]) -> tuple[tuple[str, str], ...]:
    """Return the lines that are front or back matter or of the page by the examples, each with its kind. Lists of
    sounds are back matter without them."""
    frame: list[tuple[str, str]] = []
    for place in given.places:
        number = given.rows[place.row].number
        listed = place.example.kind != "page" and any(listing.first <= number <= listing.last for listing in sounds)
        if place.example.kind in ("front", "back", "page") and not listed:
            frame.append((place.example.kind, place.line))
    return tuple(dict.fromkeys(frame))


def _reader_drops(text: str, format_: str) -> Iterator[LeftOut]:
    """Yield what the reader of a format drops as markup, by rule; the words of a template may be text."""
    if format_ in ("wiki", "markdown", "aozora"):
        dropped = dropped_markup(text.split("\n"), format_)
        yield from (LeftOut(rule, words, rule == "wiki-template" and has_words(words))
                    for rule, words in dropped if rule != "markdown-front-matter")  # its title is in the catalog


def _split_notices(rows: Sequence[Row]) -> tuple[tuple[Row, ...], tuple[str, ...]]:
    """Separate the rows of the text from notices: comments before it, addresses, 全文完."""
    first = next((n for n, row in enumerate(rows) if not _REMARK.fullmatch(row.text)), len(rows))
    notices = [row for n, row in enumerate(rows) if n < first or _NOTICE.fullmatch(row.text)
             or (len(row.text) <= 2 * SHORT and _NOTICE.search(row.text) and "http" in row.text)]
    return tuple(row for row in rows if row not in notices), tuple(dict.fromkeys(row.text for row in notices))


def survey_witnesses(
    *paths: Path, home: Path | None = None, above: Headings = (), work: str = "", examples: Sequence[Example] = (),
) -> tuple[Survey, ...]:
    """Survey a text; each witness of a TEI file with an apparatus is a text of its own, the printed one first. Raises
    SourceError as `survey`, and TeiError if the body of a TEI file has no text."""
    received = load_text(paths[0])
    text, encoding = received.text, received.encoding
    if len(paths) > 1 or format_of(text) != "tei":
        return (survey(*paths, home=home, above=above, work=work, examples=examples),)
    shown = outline(text, str(paths[0]))
    if not shown.chapters:
        raise TeiError(Message("body-no-text"), place=Place(str(paths[0])), mend=Message("give-file-text"))
    return tuple(_survey_tei(paths[0], text, encoding, shown, witness, examples)
                 for witness in shown.witnesses or ("",))


def _survey_tei(
    path: Path, text: str, encoding: str, shown: Outline, witness: str, examples: Sequence[Example] = ()
) -> Survey:
    """Survey a TEI file, or one witness of it. Of the examples it takes those of persons: the rest is in its markup."""
    persons = {example.name: example.value for example in examples if example.kind == "person"}
    rows: list[Row] = []
    heads: list[ChapterHead] = []
    for number, (title, paragraphs) in enumerate(shown.chapters, 1):
        heads.append(ChapterHead(number, title or str(number), title, len(rows)))
        rows += [Row(len(rows) + 1, words, 0, 0) for words in (title, *paragraphs)]
    facts = shown.facts
    language = facts.language if facts.language.startswith("lzh-") else language_of("".join(row.text for row in rows))
    return Survey(
        path, text, encoding, "tei", language, facts.title or visible(path.stem), tuple(rows),
        Heads("marked", tuple(heads)), NoteMarks(), edition=witness,
        signers=tuple((key, persons.get(name, name)) for key, name in shown.signers), persons=tuple(persons.items()),
        origins=Origins.of([path], [text], [text], text),
        editors=facts.editors, licence=(facts.licence, facts.licence_url),
        stated=_describe_header(shown.stated, witness, chinese=language.startswith(("zh", "lzh"))),
    )


def _describe_header(header: Sequence[Statement], witness: str, *, chinese: bool) -> str:
    """Return the statements of a header as words; of its witnesses the one that is read, if any is."""
    sentences: list[str] = []
    for statement in header:
        if statement.name == "witness" and witness:
            siglum = statement.words.split()[0].strip(":【】")
            if siglum != witness.strip("【】"):
                continue
        called = term(key, "hans" if chinese else ENGLISH) if (key := label(statement.name)) else ""
        words = statement.words or statement.target
        if statement.words and statement.target:
            words = f"{statement.words} ({statement.target})"
        sentences.append(f"{called}: {words}" if called else words)
    return "; ".join(dict.fromkeys(sentences))


def _title_of_text(text: str, rows: Sequence[Row], path: Path) -> str:
    """Return the title that a file declares, else its first line if it is a title, else the file's name."""
    if stated := re.search(r"^#\+TITLE: *(\S.*)$", text, re.M):
        return stated[1].split("__")[0].strip()  # 周易註疏__周易略例
    if title := header_fields(text).get("title"):
        return title
    if stated := _YAML.match(text):
        return stated[1].strip()
    first = next((row for row in rows if not COLLECTION.search(row.text)), Row(0, ""))
    plain = re.sub("(?<=..)(?:目[錄録录]|[序敍叙]|[卷巻][第之]?[一上])$", "", plain_title(bare(first.text)))
    if first.level and (makers(first) or sum(row.level == first.level for row in rows) == 1):
        return plain
    if _is_title_in_letters(rows):
        return first.text.strip()
    named = 1 < len(plain) <= 12 and re.fullmatch("[㐀-鿿·]+", plain) and not is_front(plain)
    return plain if named and not re.search("第[一二三四五六七八九十]", plain) else visible(path.stem)


def _is_title_in_letters(rows: Sequence[Row]) -> bool:
    """Whether the first line of a text in letters is its title: much shorter than its lines are, with no sign at its
    end. A first verse is as long as the others."""
    words = rows[0].text.strip() if rows else ""
    return (len(rows) > 2 and ends_in_word(words) and not language_of(words).startswith("lzh")
            and words not in speaker_lines(rows) and 2 * len(words) <= median(len(row.text) for row in rows[1:]))
