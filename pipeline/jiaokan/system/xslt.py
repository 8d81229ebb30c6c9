"""Run XSLT 3.0 stylesheets; the only module that imports saxonche.

A process has one Saxon processor (its threads do not scale and may crash the process) and another for stylesheets of
others, and compiles each stylesheet once.
"""

from __future__ import annotations

import json
import os
import re
import sys
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import cache
from pathlib import Path

from saxonche import PySaxonApiError, PySaxonProcessor, PyXsltExecutable

from jiaokan import messages
from jiaokan.errors import DEPTH, Message, Place, RenderError, SystemFault
from jiaokan.system.listing import resource

_ADDRESSES = 33 * 2**30
"""Addresses that Saxon (GraalVM) reserves when it is loaded, with those of the program: measured, 32.3 GB."""
_LINES = 6  # lines of Saxon's report that are passed on: what, where, in which template; not the whole stack
_NOTICE = re.compile(r"     invoked by|Loading \w+")
"""Saxon's stack, and its notices that it loads a table, such as BasicLatin for a regular expression."""
_ERROR = re.compile(r"\berror\b", re.IGNORECASE)
_CODES = re.compile(r"(?<=[^\x00-\x7f])\[x[0-9a-f]+\]")
"""Saxon adds the code of each reported character beyond ASCII: 游[x6e38]."""
_PROLOG = re.compile(rb"(?:\xef\xbb\xbf)?(?:\s+|<\?.*?\?>|<!--.*?-->)*", re.DOTALL)


def transform(
    stylesheet: str, source: bytes, *, parameters: Mapping[str, str] | None = None, base: Path | None = None
) -> str:
    """Run the stylesheet `stylesheet` (such as ``xslt/html/main.xsl``) over an XML document.

    `parameters` are untyped strings, which the stylesheet casts, beside the program's words in the language of
    ``interface`` (`messages.terms`); `base` is the folder in which ``xsl:result-document``
    writes. Returns the principal result. Raises RenderError with Saxon's own message (code, file, line), and for a
    document with a DTD, whose entities must not be expanded; SystemFault if a limit of addresses keeps Saxon out.
    """
    path = resource(stylesheet)
    _refuse_dtd(source)
    try:
        text = source.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise RenderError(Message("not-utf-at-byte", start=error.start)) from None
    with _report_errors(stylesheet):
        run = _compile(path)
        run.clear_parameters()
        named_values = parameters or {}
        words = json.dumps(messages.terms(named_values.get("interface", "hans")), ensure_ascii=False)
        for name, value in {"words": words, **named_values}.items():
            run.set_parameter(name, _processor().make_string_value(value))
        if base is not None:
            run.set_base_output_uri(base.resolve().as_uri() + "/")
        return run.transform_to_string(xdm_node=_processor().parse_xml(xml_text=text)) or ""


def transform_by(stylesheet: str, source: bytes, *, name: str) -> str:
    """Run an untrusted stylesheet, given as text, over an XML document; `name` is its name in errors.

    It cannot read files or addresses. Raises RenderError and SystemFault as `transform`.
    """
    _refuse_dtd(source)
    with _report_errors(name):
        run = _from_text(stylesheet)
        document = _confined_processor().parse_xml(xml_text=source.decode("utf-8-sig"))
        return run.transform_to_string(xdm_node=document) or ""


def is_loaded() -> bool:
    """Whether this process has loaded Saxon, which takes some 150 MB until the process ends."""
    return _processor.cache_info().currsize > 0


def _check_address_space() -> None:
    """Raise SystemFault where Saxon could not reserve its addresses: it would end the process without a word."""
    if sys.platform == "win32":
        return
    import resource as limits

    allowed = limits.getrlimit(limits.RLIMIT_AS)[0]
    if allowed != limits.RLIM_INFINITY and allowed < _ADDRESSES:
        raise SystemFault(
            Message("xslt-reserves-gb-addresses-ulimit", addresses=_ADDRESSES // 2 ** 30, allowed=allowed // 2 ** 20),
            mend=Message("run-counts-addresses-not-memory"))


@cache
def _processor() -> PySaxonProcessor:
    return PySaxonProcessor(license=False)


@cache
def _confined_processor() -> PySaxonProcessor:
    """Return a processor that opens no URI: doc(), document(), collection(), unparsed-text(), include, import fail."""
    saxon = PySaxonProcessor(license=False)
    for name, value in (("allowedProtocols", "none"), ("allow-external-functions", "false")):
        saxon.set_configuration_property(f"http://saxon.sf.net/feature/{name}", value)
    return saxon


@cache
def _compile(path: Path) -> PyXsltExecutable:
    return _processor().new_xslt30_processor().compile_stylesheet(stylesheet_file=str(path))


@cache
def _from_text(stylesheet: str) -> PyXsltExecutable:
    return _confined_processor().new_xslt30_processor().compile_stylesheet(stylesheet_text=stylesheet)


@contextmanager
def _report_errors(stylesheet: str) -> Iterator[None]:
    """Turn Saxon's errors into RenderError.

    At run time Saxon writes the place of an error to the standard error of the process, not through Python, and only
    the reason into the exception; so that stream is captured.
    """
    _check_address_space()
    sys.stderr.flush()
    with tempfile.TemporaryFile() as captured:
        stderr = os.dup(2)
        os.dup2(captured.fileno(), 2)
        try:
            yield
        except PySaxonApiError as error:
            captured.seek(0)
            report = _CODES.sub("", captured.read().decode(errors="replace"))
            if "JAXP00010006" in report:
                raise RenderError(Message("elements-nested-more-deep", depth=DEPTH),
                                  mend=Message("check-file-no-book-needs")) from None
            lines = _relevant(report) or _relevant(str(error))
            raise RenderError("\n  ".join(lines), place=Place(stylesheet)) from None
        finally:
            os.dup2(stderr, 2)
            os.close(stderr)


def _relevant(report: str) -> list[str]:
    """Return the lines of a report that are passed on: from the error if much is before it, without notices of what
    Saxon loads and without the stack."""
    lines = [line.strip() for line in report.splitlines() if line.strip() and not _NOTICE.match(line)]
    begin = next((n for n, line in enumerate(lines) if _ERROR.search(line)), 0)
    return lines[begin if begin >= _LINES else 0:][:_LINES]


def _refuse_dtd(source: bytes) -> None:
    """Raise RenderError if the prolog declares a document type."""
    prolog = _PROLOG.match(source)
    if prolog and source.startswith(b"<!DOCTYPE", prolog.end()):
        raise RenderError(Message("document-dtd"), mend=Message("remove-doctype-entities-never-expanded"))
