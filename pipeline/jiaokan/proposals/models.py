"""The user's learned models: where they are, and what is said of one that is not there or cannot be read."""

from __future__ import annotations

import re
from pathlib import Path

from jiaokan.errors import CatalogError, JiaokanError, Message, Place
from jiaokan.system.atomic import user_folder

DEFAULT, NO_MODEL = "default", "none"
"""The model used unless another is named, and the name that means none."""


def model_file(name: str, ending: str) -> Path:
    """Return the user's file for a learned model; raises CatalogError for a name that is not a file name."""
    if not re.fullmatch(r"[\w-]{1,64}", name) or name == NO_MODEL:
        raise CatalogError(Message("cannot-name-model", name=name), place=Place("--model"),
                           mend=Message("use-letters-digits"))
    return user_folder("models") / f"{name}{ending}"


def model_data(path: Path, command: str) -> bytes:
    """Return the bytes of a model; raises JiaokanError if there is none, which names the `command` that learns one."""
    if path.is_file():
        return path.read_bytes()
    others = ", ".join(sorted(each.stem for each in path.parent.glob(f"*{path.suffix}"))) or "none"
    raise JiaokanError(Message("no-model-learned-machine", path=path.stem, others=others),
                       place=Place(str(path)),
                       mend=Message("jiaokan-learn-path-model", command=command, path=path.stem))


def no_model(path: Path) -> JiaokanError:
    """Return the error for a file that is not a model."""
    return JiaokanError(Message("not-learned-model"), place=Place(str(path)), mend=Message("learn-again"))
