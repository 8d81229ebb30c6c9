"""Correction by example: what an example of each kind makes of a text, as its reader reads it, what it says it changes,
and what it says when it cannot be met. Each kind in several formats and shapes."""

from __future__ import annotations

import tomllib
from datetime import date
from pathlib import Path

import pytest

from jiaokan.scaffold.detection import Detection, settings_by_examples
from jiaokan.scaffold.folder import Folder
from jiaokan.scaffold.outcomes import FolderReading
from jiaokan.structure.example_heads import split_at_heads
from jiaokan.structure.examples import read_example

BASE = (
    "壺之為器也腹大而口小貯水以備旱貯酒以待賓", "盤之為器也平而淺承水以盥其手盛果以饗其客",
    "甑之為器也底有七穴蒸米成飯氣自下升而不漏", "罍之為器也飾以雲雷大者一石小者五斗以盛醴",
    "缶之為器也質朴無文秦人擊之以節其歌聲悲壯", "豆之為器也高足而圓盛肉醢以薦於廟無敢不恭",
)
NAMES = ("論壺", "論盤", "論甑", "論罍", "論缶", "論豆")
HEADER = "# -*- mode: mandoku-view; -*-\n#+TITLE: 陶典\n<pb:KR9z0031_X_001-1a>¶\n"


class Corrected:
    """The settings and the reading of files by some examples."""

    def __init__(self, home: Path, files: dict[str, str], *examples: str) -> None:
        for name, text in files.items():
            path = home / "in" / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        given = [home / "in" / name for name in files]
        given = [home / "in"] if any("/" in name for name in files) else given
        detection = Detection(given, None, home / "unpacked", date(2026, 1, 1))
        self.folder: Folder = settings_by_examples(detection, [*map(read_example, examples)])
        self.reading = FolderReading.of(self.folder)

    def lines(self, layer: str, text: int = 0) -> list[str]:
        """Return the words of one layer, line by line."""
        return ["".join(stretch.words for stretch in line if stretch.layer == layer).strip(" 　¶=#*>:")
                for line in self.reading.texts[text].lines if any(stretch.layer == layer for stretch in line)]

    @property
    def report(self) -> list[str]:
        return [str(line) for line in self.folder.outcomes]

    def convention(self) -> dict[str, object]:
        name = next(name for name in self.folder.files if name.startswith("tei/conventions/"))
        return tomllib.loads(self.folder.files[name].decode())


def plain(heads: tuple[str, ...] = NAMES) -> str:
    return "\n".join(line for head, base in zip(heads, BASE, strict=True) for line in (head, base))


def mandoku(indent: str = "　　") -> str:
    return HEADER + "".join(f"{indent}{head}¶\n{base}¶\n" for head, base in zip(NAMES, BASE, strict=True))


@pytest.mark.parametrize(("name", "text", "example", "count"), [
    ("a.txt", plain(), "a.txt:3=head", 6),
    ("a.txt", mandoku(), "a.txt:4=head", 6),
    ("a.md", "# 陶典\n\n## 上\n\n" + "\n\n".join(
        f"### {head}\n\n{base}" for head, base in zip(NAMES, BASE, strict=True)), "a.md:5=head", 6),
    ("a.wiki", "\n".join(f"=={head}==\n{base}" for head, base in zip(NAMES, BASE, strict=True)), "a.wiki:1=head", 6),
    ("a.txt", "".join(f"{head}章第{n}{base}" for head, n, base in zip(NAMES, "一二三四五六", BASE, strict=True)),
     "a.txt:1:論壺章第一=head", 6),
])
def test_a_head_makes_all_like_it_heads(name: str, text: str, example: str, count: int, tmp_path: Path) -> None:
    assert len(Corrected(tmp_path, {name: text}, example).lines("head")) == count


def test_heads_inside_a_line_have_the_titles_of_the_contents() -> None:
    text = "一曰論壺二曰論盤三曰平豆" + "".join(
        f"{head}章第{n}{base}" for head, n, base in zip(("論壺", "論盤", "平豆"), "一二三", BASE, strict=False))
    heads = [line for line in split_at_heads(text, ["論壺章第一"]).split("\n") if "章第" in line]
    assert heads == ["論壺章第一", "論盤章第二", "平豆章第三"]


@pytest.mark.parametrize(("name", "text", "example", "gone"), [
    ("a.txt", plain(), "a.txt:7=no-head", "論罍"), ("a.txt", mandoku(), "a.txt:10=no-head", "論罍"),
    ("a.md", "\n\n".join(f"## {head}\n\n{base}" for head, base in zip(NAMES, BASE, strict=True)),
     "a.md:13=no-head", "論罍"),
])
def test_a_line_that_is_no_head_is_none(name: str, text: str, example: str, gone: str, tmp_path: Path) -> None:
    assert gone in Corrected(tmp_path / "before", {name: text}).lines("head")
    assert gone not in Corrected(tmp_path, {name: text}, example).lines("head")


def test_a_section_is_no_chapter(tmp_path: Path) -> None:
    text = "\n".join(["# 陶典上", *(f"## {head}\n{base}" for head, base in zip(NAMES[:3], BASE, strict=False)),
                      "# 陶典下", *(f"## {head}\n{base}" for head, base in zip(NAMES[3:], BASE[3:], strict=True))])
    corrected = Corrected(tmp_path, {"a.md": text}, "a.md:1=head", "a.md:2=head:2")
    assert (corrected.lines("head"), corrected.lines("section")) == (["陶典上", "陶典下"], [*NAMES])


NOTES = tuple(f"{base[0]}者言其用也{base[6:12]}者謂其形也" for base in BASE)


def lowered(label: str = "", indent: str = "　") -> str:
    return HEADER + "".join(f"　　　{head}第{n}¶\n{base}¶\n{indent}{label}{note}¶\n" for head, n, base, note in zip(
        NAMES, "一二三四五六", BASE, NOTES, strict=True))


def test_a_note_makes_the_lines_like_it_notes_and_a_text_unmakes_one(tmp_path: Path) -> None:
    corrected = Corrected(tmp_path, {"a.txt": lowered()}, "a.txt:6=note:何某", "a.txt:9=text")
    assert len(corrected.lines("note")) == 5 and NOTES[1] in corrected.lines("base")
    assert set(corrected.reading.speakers()) == {"何某"}


@pytest.mark.parametrize("blank", ["　", "    ", "\t"])
def test_lines_are_lowered_by_any_blank(blank: str, tmp_path: Path) -> None:
    text = "\n".join(f"{head}\n{base}\n{blank}{note}" for head, base, note in zip(NAMES, BASE, NOTES, strict=True))
    corrected = Corrected(tmp_path, {"a.txt": text}, "a.txt:3=note:某甲")
    assert len(corrected.lines("note")) == 6 and len(corrected.lines("head")) == 6


def test_a_text_in_brackets_is_no_note(tmp_path: Path) -> None:
    text = "\n".join(f"{base}（{note}）" for base, note in zip(BASE, NOTES, strict=True))
    assert Corrected(tmp_path / "before", {"a.txt": text}).lines("note")
    assert not Corrected(tmp_path, {"a.txt": text}, f"a.txt:1:{NOTES[0][:6]}=text").lines("note")


@pytest.mark.parametrize(("note", "example", "speakers"), [
    ("（{}）", "a.txt:1=note:何某", {"何某": 6}),  # unsigned
    ("（甄曰{}）", "a.txt:1=note:甄某", {"甄某": 6}),  # introduced
    ("（{}○甄敬曰{}）", "a.txt:1:甄敬曰=note:甄敬之", {"甄敬之": 6}),  # introduced later in the note
    ("（{}（新疏））", "a.txt:1=note:甄某", {"甄某": 6}),  # signed
])
def test_who_speaks(note: str, example: str, speakers: dict[str, int], tmp_path: Path) -> None:
    text = "\n".join(f"{base}{note.format(words, words[:5])}" for base, words in zip(BASE, NOTES, strict=True))
    voices = Corrected(tmp_path, {"a.txt": text}, example).reading.speakers()
    assert {name: voices[name] for name in speakers} == speakers


def test_two_names_are_one_person(tmp_path: Path) -> None:
    text = "\n".join(f"{base}（{name}曰{note}）" for base, name, note in zip(
        BASE, ("何氏", "何晏之") * 3, NOTES, strict=True))
    assert set(Corrected(tmp_path, {"a.txt": text}, "何氏=何晏之").reading.speakers()) == {"何晏之"}


@pytest.mark.parametrize(("kind", "layer"), [("front", "front"), ("page", "page")])
def test_lines_before_the_text(kind: str, layer: str, tmp_path: Path) -> None:
    text = "陶人之言\n" + plain()
    corrected = Corrected(tmp_path, {"a.txt": text}, f"a.txt:1={kind}")
    assert corrected.lines(layer) == ["陶人之言"] and len(corrected.lines("head")) == 6


def test_back_matter_begins_at_its_line(tmp_path: Path) -> None:
    corrected = Corrected(tmp_path, {"a.txt": plain() + "\n校畢記\n甲子歲得舊本於市因校一過而記之"}, "a.txt:13=back")
    assert corrected.lines("back") == ["校畢記", "甲子歲得舊本於市因校一過而記之"]


def test_files_of_a_folder_are_named_by_their_end(tmp_path: Path) -> None:
    files = {f"{n} {head}/text.txt": f"{base}\n短行\n{base}" for n, (head, base) in enumerate(
        zip(NAMES, BASE, strict=True), 1)}
    corrected = Corrected(tmp_path, files, "2 論盤/text.txt:2=head:2")
    assert "短行" in corrected.lines("section")


def test_a_name_of_several_files_is_asked_for(tmp_path: Path) -> None:
    files = {f"{n} {head}/text.txt": f"{base}\n{head}" for n, (head, base) in enumerate(
        zip(NAMES, BASE, strict=True), 1)}
    with pytest.raises(Exception, match="6 files have this name"):
        Corrected(tmp_path, files, "text.txt:2=head")


def test_one_witness_among_several(tmp_path: Path) -> None:
    other = plain(tuple(f"{name}篇" for name in NAMES)).replace("器", "噐").replace("論缶篇", "缶篇之題")
    corrected = Corrected(tmp_path, {"a.txt": plain(), "b.txt": other}, "b.txt:11=text")
    assert [len(corrected.lines("head", text)) for text in (0, 1)] == [6, 5]


@pytest.mark.parametrize(("example", "words"), [
    ("a.txt:3=head", "changes nothing"), ("甲=乙", "no notes are by 甲"),
    ("a.txt:2:貯水=note", "nothing marks where the note ends"),
])
def test_what_cannot_be_met_or_changes_nothing_is_said(example: str, words: str, tmp_path: Path) -> None:
    corrected = Corrected(tmp_path, {"a.txt": plain()}, example)
    assert words in corrected.report[0]
    assert (words in "".join(map(str, corrected.folder.doubts))) is (words != "changes nothing")


@pytest.mark.parametrize("example", ["a.txt:90=head", "b.txt:1=head"])
def test_a_place_that_is_none_is_an_error(example: str, tmp_path: Path) -> None:
    with pytest.raises(Exception, match=r"has no words|not among the files"):
        Corrected(tmp_path, {"a.txt": plain()}, example)


def test_the_report_counts_what_each_example_changes(tmp_path: Path) -> None:
    corrected = Corrected(tmp_path, {"a.txt": lowered()}, "a.txt:6=note:何某", "a.txt:4=no-head")
    assert len(corrected.report[0].split(": ", 1)) == 2 and "chapter headings +0 −1" in corrected.report[1]
