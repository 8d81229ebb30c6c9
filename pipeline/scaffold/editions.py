"""The edition that a Mandoku file transcribes, its title and its siglum."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection
from pathlib import Path

_PAGE = re.compile(r"<pb:[^_<>]+_([^_<>]+)_[^<>]*>")
_PROPERTY = re.compile(r"^#\+PROPERTY: (?:WITNESS|BASEEDITION) +(\S+)", re.M)
_TITLES = {
    "SBCK": "四部叢刊本", "WYG": "文淵閣四庫全書本", "CHANT": "漢達文庫本", "tls": "漢學文典本", "TLS": "漢學文典本",
    "master": "底本",
}
"""Editions by their names in Kanripo, of which not every Readme.org has a title."""


def edition_of(text: str) -> str:
    """Return the name of the edition whose pages a Mandoku text has, or that it declares; empty if it names none."""
    pages: Counter[str] = Counter(_PAGE.findall(text))
    if pages:
        return max(pages, key=lambda each: pages[each])
    declared = _PROPERTY.search(text)
    return declared[1] if declared else ""


def title_of_edition(name: str, folder: Path) -> str:
    """Return the title of an edition: by the Readme.org of its folder (``| SBCK | 【四部叢刊】 |``), else the usual
    one; if there is none, its name."""
    readme = folder / "Readme.org"
    said = readme.read_text(encoding="utf-8", errors="replace") if readme.is_file() else ""
    found = re.search(rf"^\s*\|\s*{re.escape(name)}\s*\|\s*【?([^|】]+?)】?\s*\|", said, re.M)
    if not found:
        return _TITLES.get(name, name)
    collection, _, copy = found[1].strip().partition("・")  # 四庫全書・文淵閣: the copy of the collection
    return f"{copy}{collection}".removesuffix("本") + "本"


def short_siglum(title: str, taken: Collection[str]) -> str:
    """Return a siglum for the apparatus from the Chinese title of an edition: its first character, else two; empty if
    they are taken."""
    if title.isascii():
        return ""
    return next((each for each in (title[:1], title[:2], title[1:2]) if each and each not in taken), "")
