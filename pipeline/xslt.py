"""XSLT 3.0 for the rest of the program: the only import of saxonche.

A process has one Saxon processor (its threads do not scale and may end the process) and compiles each
stylesheet once.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path

from saxonche import PySaxonApiError, PySaxonProcessor, PyXsltExecutable

from pipeline.errors import Place, RenderError
from pipeline.resources import resource

_PROLOG = re.compile(rb"(?:\xef\xbb\xbf)?(?:\s+|<\?.*?\?>|<!--.*?-->)*", re.DOTALL)


def transform(
    stylesheet: str, source: bytes, *, parameters: Mapping[str, str] | None = None, base: Path | None = None
) -> str:
    """Run the stylesheet `stylesheet` (such as ``xslt/html/main.xsl``) over an XML document.

    `parameters` are given as untyped strings, which the stylesheet casts; `base` is the folder in which
    ``xsl:result-document`` writes. Gives the principal result as a string. Raises RenderError with Saxon's
    own message (code, file, line), and for a document with a DTD, whose entities nobody should expand.
    """
    path = resource(stylesheet)
    _refuse_dtd(source)
    try:
        run = _compiled(path)
        run.clear_parameters()
        for name, value in (parameters or {}).items():
            run.set_parameter(name, _processor().make_string_value(value))
        if base is not None:
            run.set_base_output_uri(base.resolve().as_uri() + "/")
        node = _processor().parse_xml(xml_text=source.decode("utf-8-sig"))
        result = run.transform_to_string(xdm_node=node)
    except UnicodeDecodeError as error:
        raise RenderError(f"not UTF-8 at byte {error.start}") from None
    except PySaxonApiError as error:
        raise RenderError(str(error).strip(), place=Place(stylesheet)) from None
    return result or ""


def call(stylesheet: str, function: str, *arguments: str) -> str:
    """Call a public function of a stylesheet, ``{namespace}name``, with strings; gives its result as a string.

    It is how tests reach one function. Raises RenderError with Saxon's message.
    """
    values = [_processor().make_string_value(argument) for argument in arguments]
    try:
        run = _compiled(resource(stylesheet))
        run.clear_parameters()
        run.set_property("!omit-xml-declaration", "yes")
        return run.call_function_returning_string(function, values) or ""
    except PySaxonApiError as error:
        raise RenderError(str(error).strip(), place=Place(stylesheet)) from None


@cache
def _processor() -> PySaxonProcessor:
    return PySaxonProcessor(license=False)


@cache
def _compiled(path: Path) -> PyXsltExecutable:
    return _processor().new_xslt30_processor().compile_stylesheet(stylesheet_file=str(path))


def _refuse_dtd(source: bytes) -> None:
    """Raise RenderError if the prolog declares a document type."""
    prolog = _PROLOG.match(source)
    if prolog and source.startswith(b"<!DOCTYPE", prolog.end()):
        raise RenderError("the document has a DTD", mend="remove the <!DOCTYPE …>; entities are never expanded here")
