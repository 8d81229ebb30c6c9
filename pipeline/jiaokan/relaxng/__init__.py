"""RELAX NG: a grammar and a document come in, the faults of the document go out; sealed, it knows of no editions.

In come a grammar's outermost element (XML syntax, or compact syntax by `from_compact`) and a document's; out go its
`SchemaFault` values: the element or attribute, what is wrong, what the grammar allows there. Read first `patterns`
(patterns and their derivatives), `grammar` (a schema compiled to patterns) and `check` (every fault once).
"""

from jiaokan.relaxng.check import GrammarCheck, SchemaFault
from jiaokan.relaxng.compact import from_compact
from jiaokan.relaxng.datatypes import GrammarError
from jiaokan.relaxng.grammar import Grammar, Load
from jiaokan.relaxng.names import RNG
from jiaokan.relaxng.patterns import ContentPattern, allowed_names
from jiaokan.relaxng.timed import compile_pattern
from jiaokan.relaxng.values import DATES, FORMS, explain_date, list_values

__all__ = [
    "DATES",
    "FORMS",
    "RNG",
    "ContentPattern",
    "Grammar",
    "GrammarCheck",
    "GrammarError",
    "Load",
    "SchemaFault",
    "allowed_names",
    "compile_pattern",
    "explain_date",
    "from_compact",
    "list_values",
]
