"""Plans of print for the tests: by the keys of ``[print]``."""

from __future__ import annotations

from typing import Any

import msgspec

from jiaokan.settings.flat import nested
from jiaokan.settings.plans import PrintPlan


def print_plan(**choices: Any) -> PrintPlan:
    """Return the plan with these keys of ``[print]``."""
    return msgspec.convert(nested(choices, msgspec.inspect.type_info(PrintPlan)), PrintPlan)
