"""The error for a file that is not JSON, with its line and column."""

from __future__ import annotations

import json

from jiaokan.errors import Message, Place, SourceError


def json_fault(data: bytes | str, file: str) -> SourceError | None:
    """Return the error for a file that is not JSON, with its line and column; None if it is JSON."""
    try:
        json.loads(data)
    except json.JSONDecodeError as error:
        return SourceError(Message("invalid-json", error=error.msg), place=Place(file, error.lineno, error.colno),
                           mend=Message("correct-place"))
    except (ValueError, RecursionError) as error:
        return SourceError(Message("invalid-json", error=error), place=Place(file), mend=Message("correct-place"))
    return None
