"""The TEI round trip: parsing what was written gives the same document, and writing that the same bytes."""

from __future__ import annotations

from hypothesis import strategies as st

from pipeline import model
from pipeline.tei.parse import from_tei
from pipeline.tei.tree import element
from pipeline.tei.write import to_tei
from tests.documents import DOCUMENTS

NAME = "documents"


def inputs() -> st.SearchStrategy[str]:
    """Documents of the model, as the Python that makes them."""
    return DOCUMENTS.map(repr)


def hold(given: str) -> None:
    """The law of `tests.test_tei_roundtrip`."""
    document = eval(given, vars(model))  # our own finds, no file of others
    data = to_tei(document, element("teiHeader"))
    assert from_tei(data, name="generated.xml") == document
    assert to_tei(document, element("teiHeader")) == data
