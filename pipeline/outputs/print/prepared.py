"""What the stylesheets of printed outputs get: a text in the script of the book, and the choices of its plan."""

from __future__ import annotations

from dataclasses import dataclass

from lxml import etree

from pipeline import __version__
from pipeline.characters.pinyin import sort_keys
from pipeline.characters.scripts import Interface, interface_of
from pipeline.entries.collation_notes import collation_notes
from pipeline.errors import Finding, Place
from pipeline.outputs import DOCUMENT, OutputSettings, facts
from pipeline.outputs.print.fonts import font_files
from pipeline.outputs.print.script import PREPARED, forms, in_script, text_in_script
from pipeline.settings.plans import PrintPlan
from pipeline.system.xslt import transform
from pipeline.tei.persons import named_in
from pipeline.tei.tree import LANG, beginning, parse
from pipeline.tei.views import aside, references_xml

_WORD = 40
"""Characters of the longest head word whose order is looked up whole: the longest title of the five texts has 13. What
is longer, a quotation, heads no entry of an index, and would be sorted by its graphs."""
_PREPARE = "xslt/prepare/keep.xsl"


@dataclass(frozen=True, slots=True, kw_only=True)
class PreparedText:
    """A text as it goes to print."""

    xml: bytes
    """The TEI as it came or, in a script of the book's own, the prepared form in that script."""
    parameters: dict[str, str]
    """What the stylesheets of all printed outputs take (``xslt/params.xsl``)."""
    findings: tuple[Finding, ...] = ()
    """What is to be proofread."""


def spoken_of(tei: bytes) -> Interface:
    """Give what the program speaks of a TEI file or its prepared form, told from the text's language."""
    return interface_of(beginning(tei, name=DOCUMENT).get(LANG) or "")


def punctuation(plan: PrintPlan, usual: str = "full") -> str:
    """Give the style of `pipeline.model.marks.STYLES` in which a book has the editor's punctuation; `usual`: where its
    plan says no more than that it is shown."""
    style = usual if plan.punctuation == "shown" else plan.punctuation
    return "none" if style == "hidden" else style


def _order(xml: bytes, settings: OutputSettings) -> str:
    """Give by what the stylesheets sort what a text names (``xslt/lib/indexes.xsl``): all that may be a head word."""
    plan = settings.print
    latin = {in_script(words, plan.script): said for words, said in settings.latin.items()}
    words: set[str] = set()
    for element in parse(xml, name=DOCUMENT).iter("{*}persName", "{*}placeName", "{*}orgName", "{*}title", "{*}name",
                                                  "{*}span", "{*}speaker", "{*}listed"):
        said = " ".join(element.get("name", "").split() or "".join(map(str, element.itertext())).split())
        if said and len(said) <= _WORD and "\t" not in said:
            words.add(said)
    return "\n".join(f"{word}\t{key}" for word, key in sort_keys(words, plan.index, latin).items())


def prepared_text(tei: bytes, settings: OutputSettings, *, usual: str = "full") -> PreparedText:
    """Give what the stylesheets get for a TEI file or its prepared form. Raises RenderError and TeiError.

    `usual` is the style of the editor's punctuation where the plan leaves it to the layout.
    """
    plan, interface = settings.print, spoken_of(tei)
    style = punctuation(plan, usual)
    parameters = {
        "interface": interface,
        "layer": "no" if style == "none" else "yes", "points": style,
        "level": plan.level, "apparatus": plan.apparatus, "layers": plan.layers,
        "numbers": plan.numbers, "series": plan.series, "notes": "paragraph" if plan.facing else plan.notes,
        "speakers": " ".join(named_in(tei, plan.speakers)), "omit": " ".join(plan.omit),
        "script": plan.script,
    }
    is_prepared = etree.QName(beginning(tei, name=DOCUMENT)).namespace == PREPARED
    said = () if is_prepared else (collation_notes(tei, name=DOCUMENT, interface=interface, plan=settings.apparatus),
                                   references_xml(tei, name=DOCUMENT))
    parameters["facts"] = facts(*said, settings.front, settings.quoted if plan.testimonia else "",
                                description=settings.description, version=__version__)
    parameters["order"] = _order(tei, settings)
    files = font_files(files=settings.fonts)
    if plan.script == "source":  # what the book says itself is in the script of its text
        parameters["forms"] = forms("traditional", files) if interface == "hant" else ""
        return PreparedText(xml=tei, parameters=parameters)
    prepared = tei
    if not is_prepared:
        about = {name: parameters[name] for name in ("facts", "interface", "layer")}
        prepared = transform(_PREPARE, aside(tei), parameters=about).encode()
    xml, findings = text_in_script(prepared, plan.script, files)
    if interface == "en":
        findings = (*findings, Finding(
            "script-not-chinese", Place("[print]"), f"script = {plan.script!r} changes Chinese characters only: "
            "the text is in another language", "take it out of [print]", "info"))
    parameters["order"] = _order(xml, settings)
    own = "" if interface == "en" else forms(plan.script, files)
    return PreparedText(xml=xml, parameters={**parameters, "forms": own}, findings=findings)
