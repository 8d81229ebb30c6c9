"""What a press sets besides the text: margins, faces, and how the sheet is printed and cut. Tables in ``[print]``."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec

Margin = Annotated[float, msgspec.Meta(ge=0, le=200)]
Share = Annotated[int, msgspec.Meta(ge=0, le=100)]
Words = Annotated[str, msgspec.Meta(min_length=1)]


class Margins(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """White space round the text in millimetres of the trimmed page: the table ``[print.margins]``. 0: as the layout
    has it."""

    inside: Margin = 0.0
    """At the spine."""
    outside: Margin = 0.0
    """At the fore-edge, where references and sigla stand; what the line, of whole characters, leaves is added."""
    top: Margin = 0.0
    """Above the text; the running head stands in it."""
    bottom: Margin = 0.0
    """Below the text."""


class Faces(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Families of fonts by what is set in them: the table ``[print.faces]``. A family is one of the program's
    (Noto Serif SC, Noto Sans SC, Libertinus Serif) or of the files that ``fonts`` names; characters that it lacks
    come from Noto Serif SC, then from the files of ``fonts`` in their order."""

    base: str = ""
    """Of the base text, and of all that is not named here: a Song face 宋体."""
    commentary: str = ""
    """Of notes 注 and 疏: a Kai 楷体 or Fangsong 仿宋 face, for instance."""
    apparatus: str = ""
    """Of the entries 校勘记."""
    latin: str = ""
    """Of letters and digits, wherever they stand."""

    def named(self) -> tuple[str, ...]:
        """Give the families, each once."""
        return tuple(dict.fromkeys(filter(None, (self.base, self.commentary, self.apparatus, self.latin))))


class Woodcut(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How the traditional page is cut: the table ``[print.woodcut]``. The terms are those of bibliography 版本学, as
    catalogues of old prints describe a page."""

    heading: str = ""
    """What stands at the head of the centre strip 版心 (钦定四库全书); empty: the title of the work."""
    fishtails: Literal["single", "double"] = "single"
    """鱼尾: one above the middle of the centre strip, or a second one below that faces it."""
    trunk: Literal["none", "thin", "thick"] = "none"
    """象鼻: the line on the fold above and below; a thin one makes a 细黑口, a thick one a 粗黑口, none a 白口."""
    frame: Literal["double", "sides"] = "double"
    """Double lines on all four sides 四周双边, or at left and right only 左右双边."""
    raised: tuple[Words, ...] = ()
    """Words of the base text that begin a column, a character above all others 抬头 (皇帝, 圣祖)."""
    ringed: tuple[Words, ...] = ()
    """Words of the base text with a ring beside each character 圈点."""


class Press(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What the printing house needs of the file: the table ``[print.press]`` (``pip install 'jiaokan[press]'``)."""

    bleed: Annotated[float, msgspec.Meta(ge=0, le=20)] = 0.0
    """Millimetres of paper beyond the trim on each side (BleedBox); the page's size is that of the trim (TrimBox)."""
    marks: bool = False
    """Whether crop marks stand at the corners, outside bleed and trim."""
    ink: Literal["screen", "black", "spot"] = "screen"
    """Colours: ``screen`` as on a screen (sRGB); ``black`` all in black ink alone (K); ``spot`` black alone, and the
    editor's red in an ink of its own (a Separation colour)."""
    spot: str = "PANTONE 485 C"
    """Name of the second ink, as the press calls it; the plate has this name."""
    spot_cmyk: Annotated[tuple[Share, ...], msgspec.Meta(min_length=4, max_length=4)] = (0, 95, 100, 0)
    """The second ink in percent of cyan, magenta, yellow and black, for proofs and presses that have no such ink."""
    profile: str = ""
    """ICC profile of the press, a file in the edition's folder (``icc/PSOuncoated_v3_FOGRA52.icc``); with it the PDF
    is PDF/X-4."""
    condition: str = ""
    """Name of the printing condition in the registry of the ICC (FOGRA52, JC200103); empty: the profile's own name."""

    def wanted(self) -> bool:
        """Say whether the file is to be made otherwise than for reading."""
        return self != Press()
