"""What a raw text is: chapters, layers and speakers by the whole text, and by the editor's examples; each kind in
several shapes."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from jiaokan.cli import cli
from jiaokan.errors import SourceError
from jiaokan.scaffold.doubts import doubts
from jiaokan.scaffold.survey import Survey, survey
from jiaokan.scaffold.voices import speaker_of
from jiaokan.scaffold.works import chapter_texts, group_by_work
from jiaokan.structure.bylines import makers, same_person
from jiaokan.structure.examples import read_example
from jiaokan.structure.layers import inline_labels, labels_of_lines
from jiaokan.structure.proposals import propose_heads
from jiaokan.structure.rows import Row

BASE = (
    "鼎之為器也三足而立其心不傾以烹以養", "鐘之為器也叩之以大則大鳴叩之以小則小鳴",
    "磬之為器也曲折如矩擊之其聲清越以長", "琴之為器也絲桐合聲君子御之以和其心",
    "爵之為器也有足有柱飲者舉之以成禮儀", "觚之為器也有稜有角不觚則失其名矣",
)
NOTES = (
    "三足而立者言其穩也其心不傾者謂中正也", "叩之以大則大鳴者言聲隨其力也小鳴亦然也",
    "曲折如矩者謂其形也清越以長者謂其聲也", "絲桐合聲者言材之相得也君子御之者謂養心也",
    "有足有柱者言其制也以成禮儀者謂其用也", "有稜有角者言其形也失其名者謂無實也",
)
NAMES = ("辨鼎", "審鐘", "擊磬", "御琴", "舉爵", "正觚")
HEADER = "# -*- mode: mandoku-view; -*-\n#+TITLE: 器典\n<pb:KR9z0009_X_001-1a>¶\n"


def surveyed(tmp_path: Path, text: str, name: str = "a.txt", *examples: str) -> Survey:
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    return survey(path, examples=[*map(read_example, examples)])


def titles(text: Survey) -> list[str]:
    return [head.title for head in text.heads.heads]


def doubted(text: Survey) -> str:
    return "\n".join(str(doubt) for doubt in doubts(group_by_work([text])[0], ["a"]))


def juans(*, contents: bool, indent: str) -> str:
    """A Mandoku text of two juan, three chapters each; the juan list their titles."""
    lines = [HEADER]
    for n, juan in enumerate("一二"):
        lines.append(f"器典卷{juan}¶\n")
        names = NAMES[3 * n : 3 * n + 3]
        lines.append("　" + "　".join(names) + "¶\n" if contents else "")
        lines += [f"{indent}{name}¶\n{base}¶\n{base}¶\n" for name, base in zip(names, BASE[3 * n :], strict=False)]
        lines.append(f"器典卷{juan}¶\n")
    return "".join(lines)


@pytest.mark.parametrize(("contents", "indent"), [(True, "　　"), (True, "")])
def test_titles_below_juan_head_the_chapters(contents: bool, indent: str, tmp_path: Path) -> None:
    assert titles(surveyed(tmp_path, juans(contents=contents, indent=indent))) == [*NAMES]


def test_halves_of_a_juan_are_two_chapters(tmp_path: Path) -> None:
    names = ("器典卷一上", "器典卷一下", "器典卷二上", "器典卷二下")
    text = HEADER + "".join(f"{name}¶\n{base * 3}¶\n{name}¶\n" for name, base in zip(names, BASE, strict=False))
    assert titles(surveyed(tmp_path, text)) == [*names]


def test_short_lines_of_a_speech_head_nothing(tmp_path: Path) -> None:
    lines = [line for n, base in enumerate(BASE * 2) for line in ("「善", base) if n % 3 == 0 or line == base]
    assert len(surveyed(tmp_path, "器典\n" + "\n".join(lines)).heads.heads) == 1


@pytest.mark.parametrize(("names", "expected"), [
    (("原序", "東序", "辨鼎", "西序", "審鐘", "後序"), ["辨鼎", "西序", "審鐘"]),
    (("辨鼎", "東序", "審鐘", "大序"), ["辨鼎", "東序", "審鐘"]),
])
def test_a_preface_is_one_by_its_place(names: tuple[str, ...], expected: list[str]) -> None:
    rows = [row for n, name in enumerate(names) for row in (Row(2 * n, name, 2), Row(2 * n + 1, BASE[n % 6]))]
    lowered = [heads.heads for heads in propose_heads(rows, "器典") if heads.kind == "lowered"]
    assert [[head.title for head in heads] for heads in lowered] == [expected]


@pytest.mark.parametrize("inner", [
    '<p>Alpha <milestone unit="chapter" n="2"/>beta.</p><p>Gamma.</p>',
    '<p>Alpha.</p><milestone unit="chapter" n="2"/><p>Beta.</p><p>Gamma.</p>',
    '<p>Alpha <milestone unit="chapter" n="2"/>beta.</p>Gamma.',
    '<milestone unit="chapter" n="1"/><p>Alpha <hi>one</hi> <milestone unit="chapter" n="2"/>be<hi>ta</hi>.</p>',
])
def test_a_chapter_of_tei_begins_at_a_milestone(inner: str, tmp_path: Path) -> None:
    header = "<teiHeader><fileDesc><titleStmt><title>T</title></titleStmt></fileDesc></teiHeader>"
    chapters = "".join(f'<div type="textpart" subtype="chapter" n="{n}">{words}</div>'
                       for n, words in ((1, inner), (3, "<p>Delta.</p>")))
    text = surveyed(tmp_path, f'<TEI xmlns="http://www.tei-c.org/ns/1.0">{header}<text><body>'
                    f'<div type="edition">{chapters}</div></body></text></TEI>', "a.xml")
    assert [chapter[:2].lower() for chapter in chapter_texts(text)] == ["al", "be", "de"]
    assert ("Gamma" in chapter_texts(text)[1]) == ("Gamma" in inner)


LABELS = ("", "註曰", "義曰")
MASTERS = ("何氏曰", "趙氏曰", "何氏曰", "趙氏曰", "何氏曰", "趙氏曰")


@pytest.mark.parametrize("labels", [*((label,) * 6 for label in LABELS), MASTERS], ids=lambda each: each[0] + each[1])
def test_lowered_lines_are_a_commentary(labels: tuple[str, ...], tmp_path: Path) -> None:
    pairs = zip(BASE, labels, NOTES, strict=True)
    text = HEADER + "".join(f"　　{name}第{n}¶\n{base}¶\n　{label}{note}¶\n" for name, n, (base, label, note) in zip(
        NAMES, "一二三四五六", pairs, strict=True))
    found = surveyed(tmp_path, text)
    assert (found.notes.lines, found.notes.count, len(found.heads.heads)) == ("　", 6, 6)


@pytest.mark.parametrize(("name", "head", "sign"), [("a.md", "## {}", "> "), ("a.wiki", "=={}==", ":")])
def test_lines_that_markup_sets_apart_are_a_commentary(name: str, head: str, sign: str, tmp_path: Path) -> None:
    text = "".join(f"{head.format(title)}\n\n{base}\n\n{sign}{who}曰：{note}\n\n" for title, base, who, note in zip(
        NAMES, BASE, ("陸云士", "張三才", "陸云士", "張三才", "陸云士", "張三才"), NOTES, strict=True))
    found = surveyed(tmp_path, text, name)
    assert (found.notes.lines, found.notes.count) == (sign.strip(), 6)
    assert dict(found.notes.speakers) == {"陸云士曰：": 3, "張三才曰：": 3}


def test_lowered_lines_of_another_matter_are_no_commentary(tmp_path: Path) -> None:
    verse = ("月出皎兮照我北堂願言思子不可見兮", "水深不測舟去悠悠涉江而望兮心傷",
             "山高無極雲起蒼蒼登高而歌兮獨行", "風來自南吹我衣裳兮誰與我同歸乎")
    lines = [HEADER, *(f"{base}¶\n" for base in BASE * 4), *(f"　{line}¶\n" for line in verse)]
    assert surveyed(tmp_path, "".join(lines)).notes.lines == ""


def test_a_text_in_one_line_is_a_doubt(tmp_path: Path) -> None:
    assert "one chapter has all" in doubted(surveyed(tmp_path, "".join(BASE * 30)))


@pytest.mark.parametrize(("form", "contents", "expected"), [
    ("{name}章第{n}", "辨鼎審鐘擊磬御琴", ["辨鼎", "審鐘", "擊磬", "御琴"]),
    ("{name}第{n}", "一曰辨鼎二曰審鐘三曰擊磬四曰御琴", ["辨鼎", "審鐘", "擊磬", "御琴"]),
    ("第{n}章", "", ["第一章", "第二章", "第三章", "第四章"]),
    ("器典卷第{n}", "辨鼎第一審鐘第二擊磬第三御琴第四", ["器典卷第一", "器典卷第二", "器典卷第三", "器典卷第四"]),
])
def test_counted_headings_in_one_line_head_chapters(
    form: str, contents: str, expected: list[str], tmp_path: Path
) -> None:
    body = "".join(BASE) * 8 + "此其第二也"
    line = f"凡四篇{contents}序之如此也" + "".join(
        form.format(name=name, n=n) + body for name, n in zip(NAMES, "一二三四", strict=False))
    text = surveyed(tmp_path, line + "\n")
    assert titles(text) == expected
    assert "4 counted headings" in doubted(text) and "".join(text.text.split()) == line


def test_comments_inside_lines_are_a_doubt(tmp_path: Path) -> None:
    rows = [Row(n, f"{base}也注{note}也") for n, (base, note) in enumerate(zip(BASE * 3, NOTES * 3, strict=True))]
    assert inline_labels(rows)[1] == 18
    assert inline_labels([Row(n, base) for n, base in enumerate(BASE)]) == ("", 0)
    said = doubted(surveyed(tmp_path, "\n".join(row.text for row in rows)))
    assert "commentary is in the lines of base text" in said


@pytest.mark.parametrize(("line", "names"), [
    ("甲陽子次註林甲孫乙髙丙等奉敕校正孫丁重改誤", ["甲陽子", "林甲", "孫丁"]),
    ("漢趙氏注　宋孫某音義并疏", ["趙氏", "孫某", "孫某"]), ("晉陳某撰宋裴某之注", ["陳某", "裴某之"]),
    ("晉 陳某 撰　宋 裴某之 注", ["陳某", "裴某之"]), ("唐三藏沙門義某譯", ["義某"]),
    ("宋太中大夫國子博士聞喜裴丁之注", ["裴丁之"]), ("後學天台胡丁省音註", ["胡丁省"]),
    ("漢　蘭　臺　令　　史班　丁撰唐祕書少監琅邪縣開國子顏丁古注", ["班丁", "顏丁古"]),
    ("北周漢中郡守前司隸臣甄丁重述唐上輕車都尉臣李丁風等奉勑注釋", ["甄丁", "李丁風"]),
    ("朝散大夫權御史中丞充理檢使上護軍賜紫金魚袋臣司馬丁奉敕編集", ["司馬丁"]),
    ("大唐三藏法師甲乙奉　詔譯", ["甲乙"]), ("　唐　韓丁李丙　撰", ["韓丁", "李丙"]),
    ("器氏春秋第一卷　高氏訓解", ["高氏"]), ("宋宣城太守范丁撰唐章懷太子賢注", ["范丁", "章懷太子賢"]),
    ("王言解第三", []), ("相魯　始誅　王言解", []), ("南華真經注疏", []), ("宋文憲公全集", []),
    ("右將軍王丁之傳", []),
])
def test_a_row_of_makers_names_them_all(line: str, names: list[str]) -> None:
    assert [maker.name for maker in makers(Row(1, line, 4))] == names


@pytest.mark.parametrize(("short", "full", "same"), [
    ("善", "李善", True), ("李善", "李善", True), ("趙氏", "趙岐", True), ("郭氏", "趙岐", False),
    ("李", "李善", False),
])
def test_short_and_full_names_are_one_person(short: str, full: str, same: bool) -> None:
    assert same_person(short, full) is same


@pytest.mark.parametrize(("page", "words", "persons"), [
    ("宋國子博士聞喜裴丁之注", ("丁之案", "臣丁之案"), {"裴丁之"}),
    ("漢　趙丙　注\n唐朝議大夫臣李丁風等注釋", ("臣丁風等謹按", "臣丁風等謹按"), {"李丁風"}),
    ("宋　彭丙　纂集", ("潁濱蘇丁曰", "臨川王丁丙曰"), {"蘇丁", "王丁丙"}),
    ("魏　何丁　集解", ("註孔丁國曰", "註馬丁曰"), {"孔丁國", "馬丁"}),
    ("宋　呂丙　編", ("尹洙曰", "洙曰"), {"尹洙"}),
])
def test_a_label_names_the_person_that_the_page_or_another_label_names(
    page: str, words: tuple[str, str], persons: set[str], tmp_path: Path
) -> None:
    notes = [f"（{words[n % 2]}{note}）" for n, note in enumerate(NOTES * 2)]
    text = surveyed(tmp_path, f"器典\n{page}\n" + "\n".join(
        base + note for base, note in zip(BASE * 2, notes, strict=True)))
    assert {speaker_of(label, text) for label, _ in text.notes.speakers} == persons


def test_of_several_commentators_the_one_without_labels_has_the_rest(tmp_path: Path) -> None:
    notes = [f"（{'臣丁風等謹按' * (n % 3 == 0)}{note}）" for n, note in enumerate(NOTES * 2)]
    text = surveyed(tmp_path, "器典\n漢　趙丙　注\n唐朝議大夫臣李丁風等注釋\n" + "\n".join(
        base + note for base, note in zip(BASE * 2, notes, strict=True)))
    assert text.author == "趙丙" and "several commentators (趙丙, 李丁風)" in doubted(text)


@pytest.mark.parametrize(("makers", "labels", "expected"), [
    ("元　胡丙　音註", ("索隱曰", *("",) * 9), []),  # quoted by the one commentator
    ("元　胡丙　音註", ("孔丁逹曰", *("",) * 9), []),
    ("唐　顏丁古　注", ("應丁曰", "如丙曰", "丁古曰"), ["丁古曰", "如丙曰", "應丁曰"]),
    ("", ("索隱曰", "正義曰"), ["正義曰", "索隱曰"]),
])
def test_one_commentator_quotes_a_collector_lets_speak(
    makers: str, labels: tuple[str, ...], expected: list[str], tmp_path: Path
) -> None:
    comments = [f"{labels[n % len(labels)]}{note}" for n, note in enumerate(NOTES * 10)]
    text = surveyed(tmp_path, f"器典\n{makers}\n" + "\n".join(
        f"{base}（{comment}）" for base, comment in zip(BASE * 10, comments, strict=True)))
    assert sorted(words for words, _ in text.notes.speakers) == sorted(expected)


@pytest.mark.parametrize("sign", ["（補疏）", "(補疏)", "——朱某", "〔朱某〕"])
def test_notes_signed_at_their_ends_are_by_who_signs(sign: str, tmp_path: Path) -> None:
    text = HEADER + "　　明　屠丙　撰¶\n" + "".join(
        f"　　　{name}第{n}¶\n{base}¶\n　{note}{sign * (n in '二四六')}¶\n" for name, n, base, note in zip(
            NAMES, "一二三四五六", BASE, NOTES, strict=True))
    name = sign.strip("（）()—〔〕")
    assert dict(surveyed(tmp_path, text).signed) == {name: name}


@pytest.mark.parametrize(("line", "label"), [
    ("呂註道者萬物之所由也", "呂註"), ("鬳齋口義道者萬物之所由也", "鬳齋口義"), ("疑獨註曰道者萬物之所由", "疑獨註曰"),
    ("諸解多異今從其長者", ""), ("按諸解皆以為然", ""), ("閩中海錯疏卷上", ""), ("道可道非常道", ""),
])
def test_a_label_of_a_work_names_somebody(line: str, label: str) -> None:
    assert labels_of_lines([line] * 3) == (((label, 3),) if label else ())


def test_names_after_a_circle_count_in_a_collection(tmp_path: Path) -> None:
    notes = ("趙丙公曰言其穩也○沈丁曰此其一", "王丙曰聲隨力也", "趙丙公曰謂其形也", "王丙曰材之相得○尹丁曰養心也")
    text = surveyed(tmp_path, "器典\n" + "\n".join(
        f"{base}（{note}）" for base, note in zip((*BASE, *BASE[:2]), notes * 2, strict=True)))
    assert {"沈丁曰", "尹丁曰"} <= {words for words, _ in text.notes.speakers}


def test_answers_and_methods_of_a_text_are_no_commentary(tmp_path: Path) -> None:
    sums = ("廣十五步從十六步", "粟一斗欲為糲米", "方二十步深三尺", "五人分七錢", "金九枚銀十一枚", "邑方不知大小")
    text = HEADER + "　　魏　劉丙　注¶\n" + "".join(
        f"　　　{name}第{n}¶\n今有{what}問各幾何({note})¶\n　　荅曰若干¶\n　　術曰置其數以法乘之({note})¶\n"
        for name, n, what, note in zip(NAMES, "一二三四五六", sums, NOTES, strict=True))
    book = surveyed(tmp_path, text)
    assert (book.notes.lines, book.author, book.notes.brackets) == ("", "劉丙", "()")


def test_a_title_names_the_commentator_before_who_collected(tmp_path: Path) -> None:
    text = HEADER.replace("器典", "陸氏器解") + "　　明　姚丙　輯¶\n" + "".join(
        f"{base}({note})¶\n" for base, note in zip(BASE, NOTES, strict=True))
    assert surveyed(tmp_path, text).author == "陸氏"


def test_comments_by_name_that_nothing_sets_apart_are_a_doubt(tmp_path: Path) -> None:
    who = ("范曰", "謝曰", "尹丁曰")
    text = "器典\n" + "\n".join(f"{base}\n{who[n % 3]}{note}" for n, (base, note) in enumerate(
        zip(BASE * 2, NOTES * 2, strict=True)))
    assert "12 paragraphs begin with names (范曰 4, 謝曰 4, 尹丁曰 4)" in doubted(surveyed(tmp_path, text))
    assert "begin with names" not in doubted(surveyed(tmp_path, text.replace("范", "孔子").replace("謝", "子").replace(
        "尹丁", "對")))


def test_who_collects_comments_has_none_of_them(tmp_path: Path) -> None:
    who = ("蘇丁曰", "王丙曰", "呂甲曰", "陸乙曰", "", "蘇丁曰")
    text = surveyed(tmp_path, "器典\n宋　彭丙　纂集\n" + "\n".join(
        f"{base}（{label}{note}）" for base, label, note in zip(BASE * 3, who * 3, NOTES * 3, strict=True)))
    assert not text.unsigned and len(text.notes.speakers) == 4


def test_words_that_introduce_name_whom_the_page_names(tmp_path: Path) -> None:
    notes = ("器也（言其用也新校定云按別本作某）", "立也（謂不傾也）", "鳴也（聲也新校定云別本無此）",
             "養也（食也新校定云古本同）") * 3
    found = surveyed(tmp_path, "器典\n甲陽子次註林甲等奉敕校定\n" + "\n".join(
        base + note for base, note in zip(BASE * 2, notes, strict=True)))
    assert [words for words, _ in found.notes.speakers] == ["新校定云"]
    assert (found.author, speaker_of("新校定云", found), speaker_of("註曰", found)) == ("甲陽子", "林甲", "甲陽子")


def test_labels_that_most_lines_have_are_speakers_however_seldom_each_speaks() -> None:
    lines = [f"{name}曰：{note}" for name, note in zip(("陸云士", "黃交三", "弟木山") * 2, NOTES, strict=True)]
    assert len(labels_of_lines(lines)) == 3
    assert labels_of_lines([f"{name}曰{note}" for name, note in zip("鼎鐘磬琴爵觚", NOTES, strict=True)]) == ()


@pytest.mark.parametrize(("examples", "expected"), [
    ((), ["卷一", "卷二"]),
    (("a.md:3=head",), ["辨鼎", "審鐘", "擊磬", "御琴"]),
    (("a.md:3=head", "a.md:5=text"), ["辨鼎", "擊磬", "御琴"]),
    (("a.md:7=text",), ["辨鼎", "審鐘", "擊磬", "御琴"]),
])
def test_examples_choose_the_chapters(examples: tuple[str, ...], expected: list[str], tmp_path: Path) -> None:
    heads = ["# 器典", "## 卷一", "### 辨鼎", BASE[0], "### 審鐘", BASE[1],
             "## 卷二", "### 擊磬", BASE[2], "### 御琴", BASE[3]]
    found = surveyed(tmp_path, "\n".join(heads), "a.md", *examples) if examples else surveyed(
        tmp_path, "\n".join(heads), "a.md", "a.md:2=head")
    assert titles(found) == expected


def test_examples_say_what_a_note_is_and_whose(tmp_path: Path) -> None:
    text = HEADER + "".join(f"{base}¶\n　{line}¶\n" for base, line in zip(BASE, BASE[::-1], strict=True))
    assert surveyed(tmp_path, text).notes.lines == ""
    found = surveyed(tmp_path, text, "a.txt", "a.txt:5=note:何某", "何=何某")
    assert (found.notes.lines, found.author, found.guessed) == ("　", "何某", False)
    assert speaker_of("何曰", found) == "何某"


@pytest.mark.parametrize("text", ["a", "a.txt:3=chapter", "a.txt:3=head:7", "a.txt:3=text:x", "a.txt=head"])
def test_a_wrong_example_is_one_message(text: str) -> None:
    if text == "a.txt=head":  # two names
        assert read_example(text).kind == "person"
        return
    with pytest.raises(SourceError):
        read_example(text)


def test_an_example_of_another_file_is_one_message(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("\n".join(BASE), encoding="utf-8")
    done = CliRunner().invoke(cli, ["init", str(tmp_path / "e"), "--from", str(tmp_path / "a.txt"),
                                    "--example", "b.txt:1=head"])
    assert done.exit_code == 2 and "b.txt is not among the files" in done.output
