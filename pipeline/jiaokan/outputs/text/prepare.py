"""TEI → the prepared form (``xslt/prepare/main.xsl``), which all outputs of a text print; a build makes it once."""

from __future__ import annotations

from jiaokan.characters.scripts import Interface, interface_of, own_forms
from jiaokan.entries.collation_notes import collation_notes
from jiaokan.outputs import DOCUMENT, OutputSettings, facts
from jiaokan.system.xslt import transform
from jiaokan.tei.tree import LANG, beginning
from jiaokan.tei.views import marks_in_attributes, references_xml

NAMESPACE = "urn:jiaokan:prepared"
"""Namespace of the prepared form."""
STYLESHEET = "xslt/prepare/keep.xsl"


def interface_of_text(tei: bytes) -> Interface:
    """Return the interface language of a TEI file or its prepared form, from the text's language."""
    return interface_of(beginning(tei, name=DOCUMENT).get(LANG) or "")


def prepare(
    tei: bytes, settings: OutputSettings, *, layer: bool = True, forms: bool = True
) -> bytes:
    """Return the prepared form of a TEI file.

    Of the settings, `apparatus` and `description` count. Without `layer`, it has no punctuation and names of the
    editor; without `forms`, the program's own words are in simplified script even beside a traditional text. Raises
    RenderError with file and line for TEI that the stylesheets or, if it has entries, the model do not know.
    """
    interface = interface_of_text(tei)
    notes = collation_notes(tei, name=DOCUMENT, interface=interface, plan=settings.apparatus)
    parameters = {
        "interface": interface, "forms": own_forms() if forms and interface == "hant" else "",
        "layer": "yes" if layer else "no",
        "facts": facts(notes, references_xml(tei, name=DOCUMENT), description=settings.description),
    }
    return transform(STYLESHEET, marks_in_attributes(tei), parameters=parameters).encode()
