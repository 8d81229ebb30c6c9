"""Calls of single functions of the stylesheets."""

from __future__ import annotations

import json
from functools import cache

from saxonche import PyXsltExecutable

from jiaokan import messages
from jiaokan.system import xslt
from jiaokan.system.listing import resource


@cache
def _functions(stylesheet: str) -> PyXsltExecutable:
    """Not the one that transforms: an executable that has transformed a document crashes on function calls."""
    run = xslt._processor().new_xslt30_processor().compile_stylesheet(stylesheet_file=str(resource(stylesheet)))
    words = json.dumps(messages.terms("hans"))
    run.set_parameter("words", xslt._processor().make_string_value(words))
    run.set_property("!omit-xml-declaration", "yes")
    return run


def call(stylesheet: str, function: str, *arguments: str | int) -> str:
    """Call a public function of a stylesheet, ``{namespace}name``; raises RenderError with Saxon's message."""
    saxon = xslt._processor()
    values = [saxon.make_integer_value(a) if isinstance(a, int) else saxon.make_string_value(a) for a in arguments]
    with xslt._report_errors(stylesheet):
        return _functions(stylesheet).call_function_returning_string(function, values) or ""
