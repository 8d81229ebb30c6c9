"""Find the files that are installed with the program: beside the package in a checkout, inside it in a wheel."""

from __future__ import annotations

from pathlib import Path

from pipeline.errors import JiaokanError

_PACKAGE = Path(__file__).parents[1]


def resource(name: str) -> Path:
    """Return the path of a resource such as ``schema/jiaokan.xsd``.

    Raises JiaokanError if it is in neither place: the installation is broken.
    """
    for root in (_PACKAGE / "data", _PACKAGE.parent):
        path = root / name
        if path.exists():
            return path
    raise JiaokanError(f"the installation lacks {name}", mend="install jiaokan again")
