"""TEI of anybody with ids, pointers and structure damaged, through every command that takes a file of TEI.

The law: a documented exit code, and for a refusal a message of ours that names the file or what to do.
"""

from __future__ import annotations

import random
import tempfile
from functools import cache
from pathlib import Path

from lxml import etree

from jiaokan.editions.other import as_ours
from jiaokan.errors import TeiError
from jiaokan.model.vocabulary import XML
from jiaokan.validate import validate_bytes
from tests.fuzz import shown, words, written
from tests.fuzz.commands import jiaokan
from tests.mutants import KINDS, Element, detach, name

NAME = "strangers"
CASES = Path(__file__).parents[1] / "cases"
FILES = (CASES / "tei/sample.xml", *sorted((CASES / "tei/others").glob("*.xml")),
         *sorted((CASES / "prepare").glob("*/in.xml")))
OURS = (0, *(n for n, path in enumerate(FILES) if path.name == "in.xml"))
"""Which of them are in our encoding."""
POINTERS = words("""
corresp target targetEnd wit resp source from to loc sameAs copyOf next prev ana ref decls who hand ed n type
subtype place rend reason cert spanTo exclude unit method location change facs key when quantity cRef instant
match use scheme prefix ident matchPattern replacementPattern
""")
VALUES = (
    "", " ", "#", "##", "#nowhere", "nowhere", "#a #b", "w:", "w:x", "w:x.1.1", ":", "http://[", "http://x/y#z",
    "../../etc/passwd", "#string-range(a,0,1)", "words:a/0/1", "words:a/-1/",
    "#string-range(", "#string-range(,,)", "#string-range(a,-1,99)",
    "#range(a,b)", "#xpath(//p)", "#a.1.1.1", "-1", "0", "1", "６", "五", "99999999999999999999", "1.1", "1e9",
    "x.y.z", "con", "schema", "a b c", "甲", "\u202e甲", "&", "<", "]]>", "'", "{0}", "%s", "[/red]", "$1", "\\1",
    "(a+)+", "注" * 500, "\ue14b", "variant", "commentary", "jing", "pian", "shu", "inline", "〈〉", "〈", "U+0020",
    "U+D800", "high", "unknown", "und", "zh-x", "*", "/", "text-1", "1 2",
)
NAMES = words("""
p ab seg note app rdg lem rdgGrp div head lg l milestone pb lb cb anchor g gap choice sic corr witStart witEnd
lacunaStart lacunaEnd listApp TEI text body front back group floatingText space quote table row cell list item
figure noteGrp trailer fw del add subst span standOff teiHeader wit foreign witDetail supplied unclear hi damage
label index term ref ptr sp speaker join listWit witness encodingDesc refsDecl charDecl char mapping handShift
date persName
""")


def every(root: Element) -> list[Element]:
    """All elements but the outermost, the header's too."""
    return [each for each in root.iter() if isinstance(each.tag, str)][1:]


def id_changed(root: Element, chance: random.Random) -> str:
    """An id gone, doubled, foreign or malformed; or one where none was."""
    element = chance.choice([root, *every(root)])
    others = root.xpath("//@xml:id") or ["a"]
    new = chance.choice([None, chance.choice(others), *VALUES, *("a", "A.1", "x" * 300, "1", "甲", "yili.6.1.1")])
    key = f"{{{XML}}}id"
    if new is None:
        element.attrib.pop(key, None)
    else:
        element.set(key, new)
    return f"id of {name(element)}: {new!r}"


def ids_gone(root: Element, chance: random.Random) -> str:
    """All ids gone, or all of one kind of element."""
    kinds = chance.choice(["", *sorted({name(each) for each in every(root)})])
    for each in [root, *every(root)]:
        if not kinds or name(each) == kinds:
            each.attrib.pop(f"{{{XML}}}id", None)
    return f"no ids {kinds}"


def pointing(root: Element, chance: random.Random) -> str:
    """An attribute that points or says, with any value or gone."""
    given = [(each, key) for each in every(root) for key in each.attrib if key.rpartition("}")[2] in POINTERS]
    element, key = chance.choice(given) if given and chance.random() < 0.7 else (
        chance.choice(every(root)), chance.choice(POINTERS))
    ids = [f"#{each}" for each in root.xpath("//@xml:id")] or ["#a"]
    value = chance.choice([None, *VALUES, *chance.choices(ids, k=8)])
    if value is None:
        element.attrib.pop(key, None)
    else:
        element.set(key, value)
    return f"{name(element)}/@{key}: {value!r}"


def other_name(root: Element, chance: random.Random) -> str:
    """An element under another name, in the header or the text, TEI or not."""
    element = chance.choice(every(root))
    space = chance.choice([*[etree.QName(element).namespace] * 6, "urn:x", "http://www.cbeta.org/ns/1.0"])
    element.tag = f"{{{space}}}{chance.choice(NAMES)}" if space else chance.choice(NAMES)
    return f"now {element.tag}"


def wrapped(root: Element, chance: random.Random) -> str:
    """An element inside a new one, or a new one inside it."""
    element = chance.choice(every(root))
    new = etree.Element(f"{{{etree.QName(root).namespace}}}{chance.choice(NAMES)}")
    if chance.random() < 0.5:
        element.insert(chance.randrange(len(element) + 1), new)
        new.text = chance.choice([None, "甲", " ", "甲乙丙"])
    else:
        element.addprevious(new)
        new.tail, element.tail = element.tail, None
        new.append(element)
    return f"with {new.tag}"


def any_text(root: Element, chance: random.Random) -> str:
    """Words where there are none, or none where there were."""
    element = chance.choice(every(root))
    said = chance.choice([None, "", " ", "\n", "甲", "[/red]", "\u202e", "\ue14b", "<", "〈甲", "〉", "□", "A b",
                           "甲" * 999, "\U0002a700", "e\u0301", "\u2028", "1"])
    setattr(element, chance.choice(["text", "tail"]), said)
    return f"words at {name(element)}"


def instruction(root: Element, chance: random.Random) -> str:
    """A comment or a processing instruction anywhere."""
    element = chance.choice([root, *every(root)])
    new = chance.choice([etree.Comment("-"), etree.ProcessingInstruction("xml-model", "href='x'"),
                         etree.ProcessingInstruction("x")])
    new.tail = chance.choice([None, "甲"])
    element.insert(chance.randrange(len(element) + 1), new)
    return "instruction"


CHANGES = (*KINDS, *[id_changed, pointing] * 6, *[ids_gone, other_name, wrapped, any_text] * 2, instruction)


@cache
def bases() -> tuple[bytes, ...]:
    """The sound files, ours in small and those of others."""
    return tuple(path.read_bytes() for path in FILES)


def small(base: int, chance: random.Random) -> Element:
    """Return a sound file, mostly with one chapter, or some of the blocks, left."""
    root = etree.fromstring(bases()[base])
    while chance.random() < 0.8:
        kept = [each for each in root.iter("{*}body", "{*}div", "{*}front", "{*}ab", "{*}p") if len(each) > 1]
        if not kept:
            break
        whole = chance.choice(kept)
        for each in chance.sample(list(whole), chance.randint(1, len(whole) - 1)):
            detach(each)
    return root


def damaged(root: Element, chance: random.Random, times: int) -> str:
    """Return a file with so many damages."""
    for _ in range(times):
        try:
            chance.choice(CHANGES)(root, chance)
        except (IndexError, ValueError, TypeError, AttributeError):  # there is nothing left to damage so
            continue
    data = bytearray(etree.tostring(root, encoding="utf-8"))
    if chance.random() < 0.03:  # bytes, not structure
        data[chance.randrange(len(data))] = chance.randrange(256)
    return shown(bytes(data))


def made(chance: random.Random) -> str:
    """Damaged files."""
    return damaged(small(chance.randrange(len(bases())), chance), chance, chance.randint(1, 5))


CHEAP = tuple(tuple(line.split()) for line in """
    read FILE
    read FILE 1.1
    stats FILE
    collate FILE -f csv
    validate FILE
    collate FILE FILE -f csv
    convert FILE --reader tei
    collate FILE OTHER
    validate FILE --schema jiaokan --lang zh --format sarif
    stats FILE -f csv
    collate FILE -f nexus
    collate FILE -f tei-plain
    speakers FILE
""".strip().splitlines())
DEAR = tuple(tuple(line.split()) for line in """
    html FILE --out OUT
    pdf FILE --out OUT.pdf --to typst
    epub FILE --out OUT.epub
    docx FILE --out OUT.docx
    pdf FILE --out OUT.pdf
    stats FILE --svg OUT
    pdf FILE --out OUT.pdf --layout traditional
    init OUT.folder --from FILE
""".strip().splitlines())

TURNS = 3 * len(CHEAP) + 2


def sound(data: bytes) -> None:
    """What is made of a file is valid TEI of ours, and is taken for ours."""
    try:
        made = as_ours(data, name="given.xml")
    except TeiError:
        return
    if made is not None:
        header = made.tei.partition(b"</teiHeader>")[0].count(b"\n") + 1  # its own words are carried as they are
        faults = [each for each in validate_bytes(made.tei, name="made.xml") if each.rule == "structure"]
        assert [str(each) for each in faults if each.place.line > header] == []
        assert as_ours(made.tei, name="made.xml") is None


def hold(given: str) -> None:
    """By the content of the file, what is made of it, one of the cheap commands, or now and then a dear one."""
    data = written(given)
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "given.xml"
        file.write_bytes(data)
        (Path(folder) / "other.txt").write_text("小臣戒与者\n膳宰具官馔于寝东\n", encoding="utf-8")
        names = {"FILE": str(file), "OTHER": str(Path(folder) / "other.txt")}
        which = sum(data) % TURNS
        if which == TURNS - 1:
            sound(data)
            return
        command = CHEAP[which % len(CHEAP)] if which < TURNS - 2 else DEAR[len(data) % len(DEAR)]
        arguments = [names.get(each, each.replace("OUT", str(Path(folder) / "made"))) for each in command]
        code, _, said = jiaokan(*arguments)
        assert code != 2 or "given.xml" in said or "→" in said or "Usage" in said, f"{arguments}\n{said}"
