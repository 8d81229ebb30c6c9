"""Whether the PDFs of ``build/`` show all of their editions, character by character: ``make edition printed``."""

from __future__ import annotations

import sys
from pathlib import Path

from msgspec.structs import replace

from jiaokan.decisions.characters import load_substitutes
from jiaokan.settings import catalog
from jiaokan.settings.folder import edition_path, pdf_paths
from tests.pdf_text import difference, expected_text, printed_text

ROOT = Path(__file__).parent.parent
DECISIONS = ROOT / "tei" / "decisions"
CATALOG = catalog.load(ROOT)
PLANS = [plan for plan in CATALOG.editions.values() if edition_path(CATALOG, plan).exists()]


def substitutes() -> dict[str, str]:
    """Return what is printed for the characters that no font has, as this folder decides it."""
    return {char: decision.standard for char, decision in load_substitutes(DECISIONS / "print.toml").items()}


def main() -> int:
    """Print for each PDF whether it is whole; return 1 if one is not."""
    wrong = 0
    for plan in PLANS:
        expected = expected_text(edition_path(CATALOG, plan).read_bytes(), substitutes())
        for layout, path in pdf_paths(ROOT / "build", plan).items():
            printed = printed_text(path.read_bytes(), replace(plan.print, layout=layout))
            parted = difference(expected, printed)
            print(f"{path.name}: {parted or f'all {len(expected)} characters'}")
            wrong += bool(parted)
    return min(wrong, 1)


if __name__ == "__main__":
    sys.exit(main())
