"""TEI → the prepared form (``xslt/prepare/main.xsl``), which all outputs of a text print; a build makes it once."""

from __future__ import annotations

from dataclasses import replace

from jiaokan import messages
from jiaokan.characters.scripts import Interface, interface_of, is_chinese, own_forms
from jiaokan.characters.writing import most_frequent, script_of_language, scripts
from jiaokan.entries.collation_notes import collation_notes
from jiaokan.model.vocabulary import TEI
from jiaokan.outputs import DOCUMENT, OutputSettings, facts
from jiaokan.settings.plans import PrintPlan
from jiaokan.system.xslt import transform
from jiaokan.tei.tree import LANG, beginning, parse
from jiaokan.tei.views import marks_in_attributes, references_xml

NAMESPACE = "urn:jiaokan:prepared"
"""Namespace of the prepared form."""
STYLESHEET = "xslt/prepare/keep.xsl"


def interface_of_text(tei: bytes) -> Interface:
    """Return the interface language of a TEI file or its prepared form, from the text's language, else its letters."""
    return interface_of(_language(tei))


def _language(tei: bytes) -> str:
    """Return the language of a TEI file or its prepared form: as it says, else that of its letters."""
    language = beginning(tei, name=DOCUMENT).get(LANG) or ""
    return language if language not in ("", "und") else scripts()[script_of_text(tei)].language


def interface_of_book(tei: bytes, plan: PrintPlan) -> Interface:
    """Return the language of a book's own words: that of its plan, else that of its text if there are words in it."""
    of_text, wanted = interface_of_text(tei), plan.type.language
    if wanted == "text":
        name = _language(tei).partition("-")[0]
        return name if name in scripts()["Jpan"].languages and messages.is_book_language(name) else of_text
    if wanted == messages.CHINESE:
        return of_text if is_chinese(of_text) else interface_of(wanted)
    return wanted


def for_text(settings: OutputSettings, tei: bytes) -> OutputSettings:
    """Return settings with the interface, language and script of a book of a TEI file or its prepared form."""
    language = beginning(tei, name=DOCUMENT).get(LANG) or ""
    interface = interface_of_book(tei, settings.print)
    return replace(settings, interface=interface, language=language, script=script_of_text(tei))


def script_of_text(tei: bytes) -> str:
    """Return the script (ISO 15924) of a TEI file or its prepared form: that of its language, else of its letters."""
    root = beginning(tei, name=DOCUMENT)
    if code := root.get("script") or script_of_language(root.get(LANG) or ""):
        return code
    text = parse(tei, name=DOCUMENT).find(f"{{{TEI}}}text")
    return most_frequent("".join(map(str, text.itertext())) if text is not None else "") or next(iter(scripts()))


def script_facts(tei: bytes) -> dict[str, str]:
    """Return what stylesheets know of the script of a text, for `facts`: of one that stands in cells only how its marks
    are shown."""
    code = script_of_text(tei)
    script = scripts()[code]
    if script.cells:
        return {"marks": script.marks} if script.marks else {}
    return {"script": code, "direction": script.direction}


def prepare(
    tei: bytes, settings: OutputSettings, *, layer: bool = True, forms: bool = True, interface: Interface = ""
) -> bytes:
    """Return the prepared form of a TEI file.

    Of the settings, `apparatus` and `description` count. Without `layer`, it has no punctuation and names of the
    editor; without `forms`, the program's own words are in simplified script even beside a traditional text; they are
    in the language `interface`, else in that of the text. Raises RenderError with file and line for TEI that the
    stylesheets or, if it has entries, the model do not know.
    """
    interface = interface or interface_of_text(tei)
    notes = collation_notes(tei, name=DOCUMENT, interface=interface, plan=settings.apparatus)
    parameters = {
        "interface": interface, "forms": own_forms() if forms and interface == "hant" else "",
        "layer": "yes" if layer else "no",
        "facts": facts(notes, references_xml(tei, name=DOCUMENT), description=settings.description,
                       **script_facts(tei)),
    }
    return transform(STYLESHEET, marks_in_attributes(tei), parameters=parameters).encode()
