"""The header of a file that is not ours: kept whole, with what our encoding of its text needs beside it."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from copy import deepcopy
from urllib.parse import quote

from jiaokan import __version__
from jiaokan.model import Division, Document
from jiaokan.model.vocabulary import EDITORS, PROGRAM
from jiaokan.model.walk import walk
from jiaokan.settings.names import TEI_NAMES
from jiaokan.tei.header import declarations
from jiaokan.tei.header.uses import Uses
from jiaokan.tei.persons import siglum_of, words_of
from jiaokan.tei.tree import ID, LANG, Element, alone, bare, cut, element, inside

ADDED = {"resp": f"#{PROGRAM}"}
"""Attributes of what the program adds to somebody's header."""
_SHOWN_WITH = "shown with"
_UNNAMED = {EDITORS: "—"}
_PARTS = ("encodingDesc", "profileDesc", "xenoData")
_PARAGRAPHS = ("p", "ab")
_TEXTS = ("{*}text", "{*}standOff", "{*}facsimile", "{*}sourceDoc")


def source_header(root: Element) -> Element:
    """Return a copy of the header of a file. The headers of the texts of a corpus are put into that of the corpus: what
    they say of files and sources as ``biblFull`` of its source, the rest beside its like."""
    headers = list(root.iterfind(".//{*}teiHeader"))
    if not headers:
        return element("teiHeader")
    copies = [_copy(header) for header in headers]
    first = copies[0]
    for other in copies[1:]:
        for part in list(other):
            _add_part(first, part)
    return first


def text_addresses(root: Element, file: str) -> dict[str, str]:
    """Return the pointers to what is in the text of a file, each with its address outside: our text has other ids."""
    address = quote(file, errors="surrogateescape")
    return {f"#{name}": f"{address}#{name}" for text in root.iter(*_TEXTS) for name in _ids(text)}


def _copy(header: Element) -> Element:
    copy = alone(header)
    for node in (*copy.iterfind("{*}*/{*}*/{*}respStmt"), *copy.iterfind("{*}encodingDesc")):
        if is_added(node):  # the program showed the file before
            cut(node)
    if LANG not in copy.attrib:  # the text's language, which the root gets, need not be the header's
        language = next((lang for ancestor in header.iterancestors() if (lang := ancestor.get(LANG))), "")
        if language:
            copy.set(LANG, language)
    return copy


def is_added(part: Element) -> bool:
    """Whether the program added a part to somebody else's header."""
    shown = part.get(ID) == PROGRAM and part.findtext("{*}resp") == _SHOWN_WITH
    return shown or part.get("resp") == ADDED["resp"]


def _add_part(header: Element, part: Element) -> None:
    """Put a part of the header of a text into that of its corpus."""
    if LANG not in part.attrib and (parent := part.getparent()) is not None and parent.get(LANG):
        part.set(LANG, parent.get(LANG, ""))
    if bare(part) == "fileDesc":
        source = _child(_child(header, "fileDesc"), "sourceDesc")
        whole = element("biblFull", {str(key): str(value) for key, value in part.items()})
        whole.extend(list(part))
        _append(source, whole)
    elif bare(part) == "revisionDesc":
        revision = _child(header, "revisionDesc")
        if any(bare(change) != "listChange" for change in revision):
            _wrap_changes(revision)
        _wrap_changes(part)
        revision.extend(list(part))
    else:
        _insert(header, part)


def _wrap_changes(revision: Element) -> None:
    """Put the changes of a ``revisionDesc`` into one ``listChange``, which may stand beside others."""
    changes = list(revision)
    if changes and bare(changes[0]) == "list":
        changes = [element("change", {}, "", *changes)]
    revision.append(element("listChange", {}, "", *changes))


def _child(parent: Element, name: str) -> Element:
    there = parent.find(f"{{*}}{name}")
    return inside(parent, name, {}) if there is None else there


def _insert(header: Element, part: Element) -> None:
    """Add a part to a header, before its history, which comes last."""
    history = header.find("{*}revisionDesc")
    if history is None:
        header.append(part)
    else:
        history.addprevious(part)


def _append(source: Element, listed: Element) -> None:
    """Add to a ``sourceDesc``, which has either paragraphs or lists; a paragraph can hold a list."""
    prose = any(bare(child) in _PARAGRAPHS for child in source)
    source.append(element("p", {}, "", listed) if prose else listed)


def carried_header(
    source: Element, document: Document, used: Uses, *, title: str, editor: str, witnesses: Mapping[str, str],
    sigla: Mapping[str, str], persons: Mapping[str, str], linked: Mapping[str, str], addresses: Mapping[str, str],
) -> Element:
    """Return the header of somebody's file for the TEI of its text in our encoding.

    All that it says stays. The program adds, marked by ``resp``: its ``respStmt`` and ``application``, the declarations
    that the encoding needs, and the witnesses and persons that the text names and the header does not. `witnesses` are
    our ids by those of the file, `sigla` and `persons` the printed names by our ids, `editor` is the name of the person
    with the id of an unnamed editor, `linked` are the attributes of ``variantEncoding``, without which the text has no
    entries, `addresses` those of what the header points to in the text (`text_addresses`).
    """
    header = deepcopy(source)
    encoding = _encoding(document, used, linked)
    own_ids = {node.get(ID, "") for node in encoding.iter() if node.get(ID)}
    _name_witnesses(header, witnesses, sigla)
    people = {*used.speakers, *used.agents} - {PROGRAM, ""}
    if editor in people and editor in persons:
        _name_editor(header, editor, persons[editor])
    # Readings may name a manuscript description or a book of the header, which is no `witness`.
    described = {*sigla} & _ids(header) - {node.get(ID, "") for node in header.iter("{*}witness")}
    _rename_ids(header, document.id, own_ids - TEI_NAMES | {PROGRAM} | described, {*sigla, *people} - described)
    there = _ids(header)
    for node in encoding.iter():
        if node.get(ID) in there:  # a taxonomy, to which nothing points
            del node.attrib[ID]
    stated = _child(_child(header, "fileDesc"), "titleStmt")
    if title != _printed_title(stated):
        stated.insert(0, element("title", ADDED, title))
    stated.append(element("respStmt", {ID: PROGRAM}, "", element("resp", {LANG: "en"}, _SHOWN_WITH),
                          element("name", {}, f"Jiaokan {__version__}")))
    others = [element("witness", {ID: key, "n": words}, words) for key, words in sigla.items() if key not in there]
    if others:
        _append(_child(_child(header, "fileDesc"), "sourceDesc"), element("listWit", ADDED, "", *others))
    _insert(header, encoding)
    unknown = [element("person", {ID: key, "n": name}, "", element("persName", {}, name)) for key in sorted(people)
               if key not in there and (name := persons.get(key) or _UNNAMED.get(key, key))]
    if unknown:
        lists = element("particDesc", {}, "", element("listPerson", {}, "", *unknown))
        _insert(header, element("profileDesc", ADDED, "", lists))
    ids = _ids(header)
    _follow(header, {pointer: address for pointer, address in addresses.items() if pointer[1:] not in ids})
    return header


def _encoding(document: Document, used: Uses, linked: Mapping[str, str]) -> Element:
    variants = bool(linked)
    encoding = element("encodingDesc", ADDED, "", declarations.references(
        document.reference, labelled=any(isinstance(item, Division) and item.label for item in walk(document))),
                   declarations.prefixes(variants=variants),
                   declarations.classes(variants=variants, cited={}, decided=False))
    if used.glyphs:
        encoding.append(declarations.characters(used.glyphs, {}))
    if variants:
        encoding.append(element("variantEncoding", linked))
    encoding.append(declarations.application(shown=True))
    return encoding


def _name_witnesses(header: Element, witnesses: Mapping[str, str], sigla: Mapping[str, str]) -> None:
    """Set the id by which the text names each declared witness, and a siglum that only a project's practice shows."""
    renamed: dict[str, str] = {}
    for node in header.iter("{*}witness"):
        old = node.get(ID, "")
        key = next((k for k in (old, node.get("n", ""), siglum_of(node)) if k), "")
        name = witnesses.get(key, "")
        if not name:
            continue
        if old != name:
            node.set(ID, name)
            renamed |= {f"#{old}": f"#{name}"} if old else {}
        if siglum_of(node) != sigla[name] and "n" not in node.attrib:
            node.set("n", sigla[name])
    _follow(header, renamed)


def _name_editor(header: Element, key: str, name: str) -> None:
    if key in _ids(header):
        return
    statements = header.iterfind("{*}fileDesc/{*}titleStmt/{*}*")
    tags = "{*}editor", "{*}name", "{*}persName", "{*}orgName"
    named = (node for statement in statements for node in statement.iter(*tags))
    for node in named:
        if ID not in node.attrib and words_of(node) == name:
            node.set(ID, key)
            return


def _rename_ids(header: Element, text: str, ours: Collection[str], stay: Collection[str]) -> None:
    """Rename the ids that the text or our declarations have; pointers follow."""
    ids, renamed = _ids(header) | {*ours}, dict[str, str]()
    for node in header.iter("{*}*"):
        old = node.get(ID, "")
        if old and (old in ours or old == text or old.startswith(f"{text}.")) and old not in stay:
            new = next(name for n in range(1, len(ids) + 2) if (name := f"header-{n}-{old}") not in ids)
            ids.add(new)
            renamed[f"#{old}"] = f"#{new}"
            node.set(ID, new)
    _follow(header, renamed)


def _follow(header: Element, turned: Mapping[str, str]) -> None:
    """Replace pointers."""
    for node in header.iter("{*}*") if turned else ():
        for key, value in node.attrib.items():
            if any(pointer in turned for pointer in str(value).split()):
                node.set(key, " ".join(turned.get(pointer, pointer) for pointer in str(value).split()))


def _ids(header: Element) -> set[str]:
    return {name for node in header.iter("{*}*") if (name := node.get(ID))}


def _printed_title(stated: Element) -> str:
    """Return the title that stylesheets print (``xslt/prepare/05-header.xsl``)."""
    titles = stated.findall("{*}title")
    main = [title for title in titles if title.get("type") == "main"]
    rest = [title for title in titles if title.get("type") != "sub"]
    return next(map(words_of, (*main, *rest, *titles)), "")
