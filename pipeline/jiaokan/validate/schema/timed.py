"""XSD whose patterns take bounded time, as those of RELAX NG do: the schema may be a stranger's."""

from __future__ import annotations

from typing import Any

import xmlschema
from xmlschema.validators import XsdPatternFacets
from xmlschema.validators.builders import XsdBuilders

from jiaokan.relaxng import compile_pattern


class _TimedPatterns(XsdPatternFacets):
    """The patterns of a type, timed."""

    __slots__ = ()

    def _parse_value(self, elem: Any) -> Any:
        checked = super()._parse_value(elem)  # reports what is invalid
        return compile_pattern(elem.get("value"), self.xsd_version) if elem.get("value") is not None else checked


class TimedSchema10(xmlschema.XMLSchema10):
    """An XSD 1.0 whose patterns are timed."""

    builders = XsdBuilders("1.0", _TimedPatterns)


class TimedSchema11(xmlschema.XMLSchema11):
    """An XSD 1.1 whose patterns are timed."""

    builders = XsdBuilders("1.1", _TimedPatterns)
