"""Whether another build of all texts of this folder, elsewhere and under other settings, gives the same bytes as the
one in ``build/``: ``make edition twice``."""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

from tests.test_edition import ROOT, outputs, run, sources_only


def main() -> int:
    """Name each file that is not the same; give 1 if there is one."""
    with tempfile.TemporaryDirectory() as home:
        root = sources_only(Path(home))
        run("build", root, "-j", "1", PYTHONHASHSEED="7", TZ="Asia/Shanghai", LC_ALL="C", SOURCE_DATE_EPOCH="1")
        once, again = outputs(ROOT / "build"), outputs(root / "build")
    other = sorted(name for name in once.keys() | again.keys() if once.get(name) != again.get(name))
    print(*(f"{name} is not the same" for name in other), f"{len(again)} files", sep="\n")
    return min(len(other), 1)


if __name__ == "__main__":
    sys.exit(main())
