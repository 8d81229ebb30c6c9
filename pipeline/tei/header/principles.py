"""What an encoding does to its text, in the header's ``editorialDecl`` (TEI P5 Guidelines 2.3.3): only what is so here.

A header has a sentence only if the document has what it is about: trailers, private-use
characters, punctuation, brackets. The Chinese is in the script of the text.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from pipeline.decisions.readings import Tally
from pipeline.tei.tree import LANG, Element, add_block, element


@dataclass(frozen=True, slots=True)
class Sentence:
    """One statement, in both scripts and in English."""

    simplified: str
    traditional: str
    english: str
    needs: tuple[str, ...] = ()
    """What the document must have, as `pipeline.tei.header.origin.Uses.features` names it; of several any one."""
    lacks: tuple[str, ...] = ()
    """What it must not have, none of it."""


CHINESE = ("lzh", "zh", "och", "cmn", "yue")
"""Languages that are written in Chinese graphs alone (BCP 47); of these a header speaks Chinese first."""
PRINCIPLES: dict[str, tuple[Sentence, ...]] = {
    "correction": (
        Sentence(
            "误字不径改：原字与所正之字并存，注明何人所定、据何而定、可信几何。",
            "誤字不徑改：原字與所正之字並存，注明何人所定、據何而定、可信幾何。",
            "Wrong graphs are not silently changed: sic keeps what the transcription has, corr what is meant, with who "
            "says so, on what evidence and how surely.",
        ),
        Sentence(
            "脱字有他本可据者补之；不可补者及原本空缺，皆存其阙。",
            "脫字有他本可據者補之；不可補者及原本空缺，皆存其闕。",
            "Lost text that a parallel proves is supplied; the rest is a gap.", ("supplied", "gap"),
        ),
        Sentence(
            "原本所印校改之号一仍其旧：所改之字与改正之字并存，所删、所补皆记其括号；校改者乃原本之整理者，非本校。",
            "原本所印校改之號一仍其舊：所改之字與改正之字並存，所刪、所補皆記其括號；校改者乃原本之整理者，非本校。",
            "Corrections that the source itself prints in brackets are its own editors': choice, surplus and supplied "
            "with these brackets in rend.", ("mended",),
        ),
    ),
    "normalization": (
        Sentence(
            "字形悉依原本，繁简、异体、避讳皆不改；校勘与检索另用规范字形，不入正文。",
            "字形悉依原本，繁簡、異體、避諱皆不改；校勘與檢索另用規範字形，不入正文。",
            "The graphs of the source are kept; normal forms serve comparison and search only.",
        ),
        Sentence(
            "转录本以私用区代码所记之字，已考定者书其正字，未定者作〓。",
            "轉錄本以私用區代碼所記之字，已考定者書其正字，未定者作〓。",
            "A private-use character is a g element: its standard character where decided, 〓 where not, its code "
            "point in charDecl.", ("glyph",),
        ),
    ),
    "punctuation": (
        Sentence(
            "标点悉依原本，原本无者不加", "標點悉依原本，原本無者不加", "Punctuation is the source's; none is added.",
            ("punctuation",), ("layer",),
        ),
        Sentence(
            "原本无标点，不加", "原本無標點，不加", "The source has no punctuation; none is added.",
            lacks=("punctuation", "layer"),
        ),
        Sentence(
            "标点、专名为编者所加，各记何人所定、据何而定、可信几何；原本之标点一仍其旧，不相混",
            "標點、專名為編者所加，各記何人所定、據何而定、可信幾何；原本之標點一仍其舊，不相混",
            "Punctuation and names are the editor's: pc, persName, placeName, orgName and title with resp, cert and, "
            "in source, on what they rest. Marks that a source prints stand in the text as it prints them; pc of type "
            "source are those for which the editor's stand.", ("layer",),
        ),
        Sentence(
            "；注文之括号、行内之空格，亦各存其旧", "；注文之括號、行內之空格，亦各存其舊",
            "Brackets of notes are in @rend, white space inside a line is a space element.", ("brackets", "space"),
        ),
        Sentence("。", "。", "Line breaks between blocks are formatting only."),
    ),
    "segmentation": (
        Sentence(
            "每篇依「右……」之结语分节", "每篇依「右……」之結語分節",
            "A chapter 篇 is a div of type pian, the span that a 右… trailer closes a section.", ("trailer",),
        ),
        Sentence("各篇分列", "各篇分列", "A chapter 篇 is a div of type pian.", lacks=("trailer",)),
        Sentence("，「记」别为一节", "，「記」別為一節", "A 记 is a div of type ji.", ("ji",)),
        Sentence(
            "；经文自成单位，止于下一条注文或段末。", "；經文自成單位，止於下一條注文或段末。",
            "A unit of base text ends at the next comment or paragraph end.", ("note",),
        ),
        Sentence(
            "；经文自成单位，止于段末。", "；經文自成單位，止於段末。",
            "A unit of base text ends at the paragraph end.", lacks=("note",),
        ),
        Sentence(
            "一人之言为一条，各系其人，并记其所注之文。", "一人之言為一條，各繫其人，並記其所注之文。",
            "What one speaker says without a break is one note, with the speaker in @resp and what it is about in "
            "@target.", ("note",),
        ),
    ),
}
"""The statements by element of ``editorialDecl``, in their order; those of one element are read as one paragraph."""


def editorial(features: Collection[str], language: str) -> Element:
    """Return the ``editorialDecl`` of a document with these `features`, whose text is in `language` (``lzh-Hant``)."""
    made = element("editorialDecl")
    for name, sentences in PRINCIPLES.items():
        chosen = [each for each in sentences if (not each.needs or any(need in features for need in each.needs))
                  and not any(lack in features for lack in each.lacks)]
        words = ("".join(each.simplified for each in chosen), "".join(each.traditional for each in chosen))
        add_block(made, statement(name, *words, " ".join(each.english for each in chosen), language))
    return made


def counted(text: Tally, notes: Tally, language: str) -> list[Element]:
    """Return the paragraphs that say how many variants of base text and notes the editor decided; none if none."""
    if not text.decided + notes.decided:
        return []
    return list(statement(
        "correction",
        f"诸本异文，概从底本之类不计：经文{text.entries}条，编者所定{text.decided}条，其中存疑{text.doubtful}条；"
        f"注文{notes.entries}条，所定{notes.decided}条，其中存疑{notes.doubtful}条。未经裁定者皆从底本，其异并见校勘记。",
        f"諸本異文，概從底本之類不計：經文{text.entries}條，編者所定{text.decided}條，其中存疑{text.doubtful}條；"
        f"注文{notes.entries}條，所定{notes.decided}條，其中存疑{notes.doubtful}條。未經裁定者皆從底本，其異並見校勘記。",
        f"Variants, without the classes in which the base is always followed: {text.entries} of the base text, of them "
        f"decided {text.decided}, {text.doubtful} with doubt; {notes.entries} of the notes, of them "
        f"decided {notes.decided}, {notes.doubtful} with doubt. In the rest the base is followed.", language,
    ))


def is_chinese(language: str) -> bool:
    """Whether a text's language is Chinese; an empty one is taken for it."""
    return not language or language.split("-")[0] in CHINESE


def statement(name: str, simplified: str, traditional: str, english: str, language: str) -> Element:
    """Return a statement of the header as paragraphs: Chinese in the script of the text, then English; English alone
    where the text's `language` is not Chinese."""
    chinese = traditional if language.endswith("Hant") else simplified
    first = [element("p", {LANG: "zh"}, chinese)] if is_chinese(language) else []
    return add_block(element(name), *first, element("p", {LANG: "en"}, english))
