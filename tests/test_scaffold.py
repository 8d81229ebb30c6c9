"""`jiaokan init --from`: what files show becomes settings that load, read, and build; cases as data."""

from __future__ import annotations

import tempfile
import tomllib
from datetime import date
from pathlib import Path

import pytest
from click.testing import CliRunner
from hypothesis import given, settings
from hypothesis import strategies as st

from jiaokan import readers
from jiaokan.cli import cli
from jiaokan.editions.witness import make_witness
from jiaokan.model import Line, Paragraph, Unit
from jiaokan.model.walk import blocks, notes
from jiaokan.scaffold.files import load_text
from jiaokan.scaffold.folder import Folder, _sigla_of, make_folder
from jiaokan.scaffold.survey import group_files, survey
from jiaokan.scaffold.works import group_by_work
from jiaokan.settings import catalog as catalogs
from jiaokan.structure.bylines import makers
from jiaokan.structure.rows import Row
from jiaokan.structure.verses import part_lines
from jiaokan.tei.views import source_text
from tests.amount import examples
from tests.outline import outline

CASES = sorted((Path(__file__).parent / "cases/scaffold").iterdir())
BUILT = ("three-versions", "unpunctuated-juan", "numbers-of-sections")


def made(files: list[Path]) -> Folder:
    """The settings for some files."""
    return make_folder(group_by_work([survey(*group) for group in group_files(files)]), today=date(2026, 1, 1))


def written(folder: Folder, root: Path) -> Path:
    """The settings as files."""
    for name, data in folder.files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    return root


def test_parts_of_texts() -> None:
    names = ("zhang.txt", "zhang_01.txt", "zhang_02.txt", "001_鼎銘.html", "002_鐘銘.html", "li-1.txt", "li-2.txt")
    groups = [tuple(each.name for each in group) for group in group_files([Path(name) for name in names])]
    assert groups == [names[:1], names[1:3], names[3:5], names[5:6], names[6:]]


@pytest.mark.parametrize(("line", "names"), [
    ("何休學", ["何休"]), ("宋　鮑彪　原注", ["鮑彪"]), ("元　吳師道補正", ["吳師道"]), ("杜氏　盡十一年", ["杜氏"]),
    ("政事　文學", []), ("在太學", []),
])
def test_a_line_of_the_title_page_names_its_makers(line: str, names: list[str]) -> None:
    assert [maker.name for maker in makers(Row(1, line, 8)) if maker.comments] == names


def told(folder: Folder, root: Path) -> str:
    """All that a case holds fast: the report, the settings, and what the readers make of the texts by them."""
    catalog = catalogs.load(root)
    said = ["\n".join(folder.report)]
    for name in sorted(folder.files):
        text = folder.files[name].decode()
        said += [f"--- {name}\n{text}"] if name.endswith(".toml") else []
    for entry in catalog.sources.values():
        document, findings = readers.read(entry, catalog)
        said.append(f"--- {entry.id} as read\n{outline(document)}")
        said += [f"{finding.rule}: {finding.message}" for finding in findings]
    return "\n".join(said).rstrip("\n") + "\n"


@pytest.mark.parametrize("case", CASES, ids=lambda path: path.name)
def test_case(case: Path, tmp_path: Path) -> None:
    folder = made(sorted((case / "in").iterdir()))
    assert told(folder, written(folder, tmp_path)) == (case / "golden.txt").read_text(encoding="utf-8")


@pytest.mark.thorough
@pytest.mark.parametrize("name", BUILT)
def test_two_commands_make_a_site(name: str, tmp_path: Path) -> None:
    files = sorted((next(case for case in CASES if case.name == name) / "in").iterdir())
    folder = tmp_path / "own"
    runner = CliRunner()
    dry = runner.invoke(cli, ["init", str(folder), "--dry", "--from", *map(str, files)])
    assert dry.exit_code == 0
    assert not folder.exists()
    assert runner.invoke(cli, ["init", str(folder), "--from", *map(str, files)]).exit_code == 0
    plans = [tomllib.loads(path.read_text(encoding="utf-8")) for path in (folder / "tei/editions").glob("*.toml")]
    assert all(plan["print"]["missing"] == "〓" for plan in plans)
    built = runner.invoke(cli, ["build", str(folder), "--jobs", "1", "--findings"])
    assert built.exit_code == 0, built.output
    assert (folder / "build/html/index.html").exists()
    assert all((folder / f"build/pdf/{plan['id']}.pdf").exists() for plan in plans)


SIGNS = "鼎銘之為器也，。第一二章()（）【】〔〕○#=* 　1.曰程子注：右/¶"
LINES = st.lists(st.text(alphabet=SIGNS, max_size=20), min_size=1, max_size=14)


@settings(deadline=None, max_examples=examples(150))
@given(LINES, st.sampled_from(["a.txt", "a.md"]))
def test_any_text_gives_a_folder_that_loads_and_reads_back(lines: list[str], name: str) -> None:
    if not "".join(lines).strip():
        lines = ["鼎", *lines]
    with tempfile.TemporaryDirectory() as place:
        path = Path(place) / name
        path.write_text("\n".join(lines), encoding="utf-8")
        catalog = catalogs.load(written(made([path]), Path(place) / "own"))
        entry = next(iter(catalog.sources.values()))
        document, _ = readers.read(entry, catalog)  # holds that the text gives its source back
        gone = sum(len("".join(words.split())) for _, words in document.dropped)
        assert len("".join(source_text(document).split())) + gone >= len("".join("".join(lines).split())) - 1


def test_a_text_of_several_never_has_the_id_of_their_edition(tmp_path: Path) -> None:
    """A title that fills an id leaves no room for what tells its texts apart."""
    title = "Amaramala: Digital Critical Edition of a Manuscript"
    for name, word in (("a", "carana"), ("b", "karana")):
        (tmp_path / f"{name}.txt").write_text(
            f"# -*- mode: mandoku-view; -*-\n#+TITLE: {title}\n** One\nguru {word} namah and so on¶\n** Two\n"
            f"ahamkara {word} mala¶\n", encoding="utf-8")
    folder = made([tmp_path / "a.txt", tmp_path / "b.txt"])
    catalog = catalogs.load(written(folder, tmp_path / "own"))
    assert len(catalog.sources) == 2
    assert not catalog.sources.keys() & catalog.editions.keys()


@pytest.mark.parametrize("inside", ["", "below"])
def test_a_folder_without_texts_is_one_message(inside: str, tmp_path: Path) -> None:
    home = tmp_path / "given"
    (home / inside).mkdir(parents=True)
    done = CliRunner().invoke(cli, ["init", str(tmp_path / "f"), "--from", str(home)])
    assert done.exit_code == 2 and "no text found in" in done.output and "Traceback" not in done.output
    assert not (tmp_path / "f").exists()


@pytest.mark.parametrize(("data", "words"), [
    (b"%PDF-1.7 ...", "a PDF"), (b"\xd0\xcf\x11\xe0\xa1\xb1", "a .doc"), (b"{\\rtf1 x}", "RTF is"),
    (b"PK\x03\x04\x14\x00", "the archive cannot be read"),
    (b"<?xml version='1.0'?><book><p>x</p></book>", "XML, but not TEI"),
    (b"PK\x03\x04" + bytes(26) + b"mimetypeapplication/epub+zip", "the EPUB cannot be read"),
])
def test_what_is_not_text_is_refused_with_the_way(data: bytes, words: str, tmp_path: Path) -> None:
    file = tmp_path / "text.txt"
    file.write_bytes(data)
    result = CliRunner().invoke(cli, ["init", str(tmp_path / "new"), "--from", str(file)])
    assert result.exit_code == 2 and words in result.output and "→" in result.output
    assert not (tmp_path / "new").exists()


BINARY = [
    (b"\x89PNG\r\n\x1a\nrest", "a picture is not text"), (b"GIF89a\x01\0\x01\0\x80;", "a picture is not text"),
    (b"\xff\xd8\xff\xe0\0\x10JFIF", "a picture is not text"), (b"\x1f\x8b\x08\0\0\0\0\0", "an archive is not text"),
    (b"\x7fELF\x02\x01\x01\0\0", "this is not text"), ("學而時\0習之".encode(), "this is not text"),
    (b"\x01\x02some words\x03", "this is not text"), ("Cælum non animum mutant".encode("latin-1"), "the encoding"),
]


@pytest.mark.parametrize(("data", "words"), BINARY)
def test_a_binary_file_is_no_base_text(data: bytes, words: str, tmp_path: Path) -> None:
    test_what_is_not_text_is_refused_with_the_way(data, words, tmp_path)


@pytest.mark.parametrize("data", [data for data, words in BINARY if "encoding" not in words])
@pytest.mark.parametrize("inside", ["2.txt", "below/2.md", "2.jpg"])
def test_a_binary_file_in_a_folder_is_passed_over_by_name(data: bytes, inside: str, tmp_path: Path) -> None:
    home = tmp_path / "given"
    (home / inside).parent.mkdir(parents=True, exist_ok=True)
    (home / "1.txt").write_text("學而\n子曰學而時習之不亦說乎。\n", encoding="utf-8")
    (home / inside).write_bytes(data)
    done = CliRunner().invoke(cli, ["init", str(tmp_path / "own"), "--from", str(home)])
    assert done.exit_code == 0 and f"given: 1 file that is not text is passed over: {inside}" in done.output
    assert len(catalogs.load(tmp_path / "own").sources) == 1


@pytest.mark.parametrize("data", ["學而時\f習之\x1a".encode(), "學而時習之\n".encode("utf-16"),
                                  "子曰學而時習之不亦說乎\n".encode("gb18030"),
                                  "學而\x01時習之不亦說乎有朋自遠方來不亦樂乎".encode()])
def test_old_and_damaged_text_is_text(data: bytes, tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_bytes(data)
    assert load_text(tmp_path / "a.txt").text.startswith(("學而", "子曰"))



def test_each_chapter_of_a_new_edition_has_a_base_with_words_in_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = (Path(__file__).parent / "cases/scaffold/speakers-in-lines/in/qiming.txt").read_text(encoding="utf-8")
    (tmp_path / "a.txt").write_text(whole.partition("　　叩之")[0] + "　　注曰：【叩，擊也。】\n", encoding="utf-8")
    (tmp_path / "b.txt").write_text(whole, encoding="utf-8")
    done = CliRunner().invoke(cli, ["init", str(tmp_path / "own"), "--from", *map(str, sorted(tmp_path.glob("*.txt")))])
    assert "chapter 2 鐘銘: base qiming-b, because qiming-a has no words there" in done.output
    for name in ("qiming-a", "qiming-b"):
        target = tmp_path / f"own/tei/witnesses/{name}.xml"
        CliRunner().invoke(cli, ["convert", name, "-C", str(tmp_path / "own"), "-o", str(target)])
    collated = CliRunner().invoke(cli, ["collate", "qiming", "-C", str(tmp_path / "own")])
    assert collated.exit_code == 0, collated.output
    monkeypatch.chdir(tmp_path)
    (tmp_path / "qiming").mkdir()  # a folder of the edition's name is no file to collate
    again = CliRunner().invoke(cli, ["collate", "qiming", "-C", "own"])
    assert again.exit_code == 0 and again.output == collated.output


@pytest.mark.parametrize("title", ["De bello", "P. OVIDII NASONIS METAMORPHOSEON LIBER PRIMUS", "Ἱστοριῶν πρώτη"])
@pytest.mark.parametrize("convention", ["", "chapter = 1\n"])
def test_a_title_in_letters_heads_the_chapter_of_all_witnesses(title: str, convention: str, tmp_path: Path) -> None:
    words = "In nova fert animus mutatas dicere formas corpora, di, coeptis nam vos mutastis et illas, coss. duobus."
    for name, verb in (("A", "fert"), ("B", "fuit"), ("C", "tulit")):
        text = "\n\n".join([title, words.replace("fert", verb), words])
        (tmp_path / f"{name}.txt").write_text(text + "\n", encoding="utf-8")
    done = CliRunner().invoke(cli, ["init", str(tmp_path / "own"), "--from", *map(str, sorted(tmp_path.glob("*.txt")))])
    assert "nothing to collate" not in done.output
    catalog = catalogs.load(tmp_path / "own")
    assert [source.siglum for source in catalog.sources.values()] == ["A", "B", "C"]
    for name in catalog.sources:
        if convention:
            path = tmp_path / f"own/tei/conventions/{name}.toml"
            path.parent.mkdir(exist_ok=True)
            path.write_text(convention, encoding="utf-8")
        settings = catalogs.load(tmp_path / "own")
        assert [c.n for c in make_witness(settings.sources[name], settings).document.chapters()] == ["1"]


_ANTIGONE = "ΑΝΤΙΓΟΝΗ\nὮ κοινὸν αὐτάδελφον Ἰσμήνης κάρα,\nἆρ᾽ οἶσθ᾽ ὅ τι Ζεὺς τῶν ἀπ᾽ Οἰδίπου κακῶν"
_PLAYS = [
    (f"{_ANTIGONE}\n\nΙΣΜΗΝΗ\nἐμοὶ μὲν οὐδεὶς μῦθος, Ἀντιγόνη, φίλων\n\n{_ANTIGONE}",
     "ΑΝΤΙΓΟΝΗ ΙΣΜΗΝΗ ΑΝΤΙΓΟΝΗ", [2, 1, 2]),
    ("dhṛtarāṣṭra uvāca\ndharmakṣetre kurukṣetre samavetā yuyutsavaḥ |\nmāmakāḥ pāṇḍavāś caiva kim akurvata |\n\n"
     "sañjaya uvāca\ndṛṣṭvā tu pāṇḍavānīkaṃ vyūḍhaṃ duryodhanas |\nācāryam upasaṅgamya rājā vacanam abravīt ||",
     "dhṛtarāṣṭra uvāca sañjaya uvāca", [2, 2]),
    ("Mens.\nBibe, Palaestrio, dum licet bibere nobis.\nLucr.\nNunc mihi certum est hoc quod dixi\nfacere cras.\n"
     "Mens.\nFac ergo, si sapis, priusquam dominus\nredeat noster.", "Mens. Lucr. Mens.", [1, 2, 2]),
    ("ACT I\n\nSCENE I\n\nHAMLET\nWho walks so late upon the castle wall\nand will not sleep?\n\nHENRY V\n"
     "A man who cannot sleep, as thou\nwho asketh.\n\nSCENE II\nHAMLET\nThen watch with me until the morning star\n"
     "is risen.\n\nHENRY V\nI will, my lord, and longer if I may\nbe with thee.",
     "HAMLET HENRY V HAMLET HENRY V", [2, 2, 2, 2]),
    (f"Ἀντιγόνη\n\n{_ANTIGONE}\n\nΧΟΡΟΣ\nἀκτὶς ἀελίου, Ἀντιγόνη, κάρα,\nτὸ κάλλιστον ἑπταπύλῳ φανὲν\n"
     "Θήβᾳ τῶν προτέρων φάος\n\n"
     "ΚΡΕΩΝ\nἄνδρες, τὰ μὲν δὴ πόλεος ἀσφαλῶς θεοὶ\nπολλῷ σάλῳ σείσαντες ὤρθωσαν πάλιν\n\nΧΟΡΟΣ\n"
     "πολλὰ τὰ δεινά, Κρέων χορός\nθρώπου δεινότερον πέλει", "ΑΝΤΙΓΟΝΗ ΧΟΡΟΣ ΚΡΕΩΝ ΧΟΡΟΣ", [2, 3, 2, 2]),
    ("Whan that Aprille with his shoures soote\nThe droghte of March hath perced to the roote\n\n"
     "And bathed every veyne in swich licour\nOf which vertu engendred is the flour", "", [2, 2]),
]


@pytest.mark.parametrize(("text", "speakers", "stanzas"), _PLAYS)
def test_a_plain_play_or_poem_has_its_speakers_stanzas_and_verses(
    text: str, speakers: str, stanzas: list[int], tmp_path: Path
) -> None:
    for name in ("A", "B2"):
        (tmp_path / f"{name}.txt").write_text(text.replace("i", "y") if name == "B2" else text, encoding="utf-8")
    files = map(str, sorted(tmp_path.glob("*.txt")))
    assert CliRunner().invoke(cli, ["init", str(tmp_path / "own"), "--from", *files]).exit_code == 0
    settings = catalogs.load(tmp_path / "own")
    assert [source.siglum for source in settings.sources.values()] == ["A", "B2"]
    document = make_witness(next(iter(settings.sources.values())), settings).document
    paragraphs = [block for block in blocks(document) if isinstance(block, Paragraph)]
    units = [(block.form, unit) for block in paragraphs for unit in block.content if isinstance(unit, Unit)]
    assert " ".join(str(unit.content[0]) for form, unit in units if form == "speaker") == speakers
    lines = [[line for line in unit.content if isinstance(line, Line)] for _, unit in units if unit.verse]
    assert [*map(len, lines)] == stanzas
    assert [line.n for stanza in lines for line in stanza] == [str(n + 1) for n in range(sum(stanzas))]


@pytest.mark.parametrize(("lines", "parts"), [
    ("ACT I|SCENE I|SCENE II|ACT II|SCENE I|SCENE II", "ACT I|ACT II|SCENE I|SCENE II"),
    ("AKT 1|AKT 2", "AKT 1|AKT 2"), ("SCENE IV|SCENE V", "SCENE IV|SCENE V"), ("ΣΚΗΝΗ 3", "ΣΚΗΝΗ 3"),
    ("HENRY V|HENRY V", ""), ("SOLDIER 1|SOLDIER 2|SOLDIER 1|SOLDIER 3", ""), ("Scene I|Scene II", ""),
])
def test_capitals_with_numbers_in_order_count_parts(lines: str, parts: str) -> None:
    rows = [Row(n, text) for n, text in enumerate(lines.split("|"))]
    assert "|".join(part_lines(rows)) == parts
@pytest.mark.parametrize(("line", "title"), [
    ("भगवद्गीता", "भगवद्गीता"), ("HAMLET, PRINCE OF DENMARK", "HAMLET, PRINCE OF DENMARK"),
    ("Arma, virumque!", "Arma virumque"),
])
def test_a_title_keeps_its_last_vowel_sign_and_its_comma(line: str, title: str, tmp_path: Path) -> None:
    for name in ("A", "B2"):
        text = f"{line}\n\narma virumque cano, Troiae qui primus ab oris {name}\n"
        (tmp_path / f"{name}.txt").write_text(text, encoding="utf-8")
    files = map(str, sorted(tmp_path.glob("*.txt")))
    assert CliRunner().invoke(cli, ["init", str(tmp_path / "own"), "--from", *files]).exit_code == 0
    assert [work.title for work in catalogs.load(tmp_path / "own").works.values()] == [title]


AOZORA = [
    ("子曰［＃（ク）］、學《まな》［＃（ビテ）］而習［＃レ］之、不［＃（ズ）］［＃二］亦說［＃一］乎。",
     "子曰ク、學まなビテ而習レ之、不ズ二亦說一乎。", "okurigana ruby okurigana kaeriten okurigana kaeriten kaeriten"),
    ("ゆく河の｜流れ《ながれ》は久《ひさ》しく「世」《よ》と［＃「世」に傍点］",
     "ゆく河の流れながれは久ひさしく「世」《よ》と", "ruby ruby"),
    ("今日《けふ》は《源氏》をよみ、栖《すみか》に", "今日けふは《源氏》をよみ、栖すみかに", "ruby ruby"),
]


@pytest.mark.parametrize(("line", "printed", "kinds"), AOZORA)
def test_the_notation_of_aozora_bunko_is_readings_and_reading_marks(
    line: str, printed: str, kinds: str, tmp_path: Path
) -> None:
    head = "［＃３字下げ］一［＃「一」は中見出し］"
    lines = ["書名", "", "-" * 55, "《》：ルビ", "-" * 55, "", head, "", line, "", "底本：某"]
    (tmp_path / "x.txt").write_text("\n".join(lines), encoding="utf-8")
    done = CliRunner().invoke(cli, ["init", str(tmp_path / "own"), "--from", str(tmp_path / "x.txt")])
    assert done.exit_code == 0, done.output
    settings = catalogs.load(tmp_path / "own")
    document = make_witness(next(iter(settings.sources.values())), settings).document
    assert " ".join(note.subtype for note in notes(document)) == kinds
    assert printed in source_text(document)
    assert {"aozora-legend", "aozora-colophon", "aozora-note", "aozora-sign"} <= {rule for rule, _ in document.dropped}


@pytest.mark.parametrize(("name", "sigla"), [
    ("郭象", ["郭", "郭象", "郭象"]), ("KR3b0009_001", []), ("T0235", []), ("phi0631.phi001.perseus-lat3", []),
    ("CBETA", ["CBETA"]), ("big5", ["B", "B5", "Bi"]), ("The Catilinarian Conspiracy", ["C", "Ca"]),
    ("Parisinus 7774", ["P", "P7774", "Pa"]),
    ("Ad3", ["Ad3"]), ("Hg", ["Hg"]), ("book", ["B", "Bo"]), ("Der Antichrist", ["A", "An"]),
])
def test_sigla_mean_something(name: str, sigla: list[str]) -> None:
    assert _sigla_of(name) == sigla


def test_the_report_of_many_works_is_a_page(tmp_path: Path) -> None:
    for n in range(40):
        words = "".join(chr(0x4E00 + 37 * n + 500 * k) for k in range(30))
        (tmp_path / f"w{chr(97 + n % 26)}{n}.txt").write_text(f"{words}\n{words[::-1]}\n", encoding="utf-8")
    files = [str(path) for path in sorted(tmp_path.glob("*.txt"))]
    page, whole = (CliRunner().invoke(cli, ["init", str(tmp_path / "new"), "--dry", *more, "--from", *files]).output
                   for more in ((), ("-v",)))
    assert len(page.splitlines()) < 60 < 100 < len(whole.splitlines())
    assert "more lines" in page


@pytest.mark.parametrize(("names", "sigla"), [
    (("毛本", "毛晉本"), ["毛本", "毛晉本"]), (("【大】", "【宋】"), ["大", "宋"]), (("Pal", "R2"), ["Pal", "R2"]),
])
def test_witnesses_of_a_tei_file_keep_their_sigla(names: tuple[str, str], sigla: list[str], tmp_path: Path) -> None:
    listed = "".join(f'<witness xml:id="w{n}" n="{name}">{name}</witness>' for n, name in enumerate(names))
    (tmp_path / "x.xml").write_text(
        '<TEI xmlns="http://www.tei-c.org/ns/1.0"><teiHeader><fileDesc><titleStmt><title>T</title></titleStmt>'
        f"<publicationStmt><p/></publicationStmt><sourceDesc><listWit>{listed}</listWit></sourceDesc></fileDesc></teiHeader>"
        '<text><body><p>古人有言<app><lem wit="#w0">曰</lem><rdg wit="#w1">云</rdg></app>如是</p></body></text></TEI>',
        encoding="utf-8")
    made = CliRunner().invoke(cli, ["init", str(tmp_path / "f"), "--from", str(tmp_path / "x.xml")])
    assert made.exit_code == 0, made.output
    catalog = tomllib.loads((tmp_path / "f" / "tei" / "catalog.toml").read_text(encoding="utf-8"))
    assert [source["siglum"] for source in catalog["source"]] == sigla


@pytest.mark.parametrize(("words", "other", "title"), [
    ("Arma virumque cano, Troiae qui primus ab oris\nItaliam fato venit", "virosque", "Arma virumque cano Troiae"),
    ("古人有言，曰學而時習之不亦說乎\n有朋自遠方來不亦樂乎", "矣", "古人有言曰學"),
    ("Ἄνδρα μοι ἔννεπε, Μοῦσα, πολύτροπον ὃς μάλα\nπλάγχθη ἐπεὶ Τροίης ἱερὸν", "πέρσεν", "Ἄνδρα μοι ἔννεπε Μοῦσα"),
])
def test_witnesses_without_a_title_are_called_by_their_first_words(
    words: str, other: str, title: str, tmp_path: Path
) -> None:
    for name, text in (("Parisinus 14", words), ("Vaticanus", f"{words} {other}")):
        (tmp_path / f"{name}.txt").write_text(text + "\n", encoding="utf-8")
    files = [str(path) for path in sorted(tmp_path.glob("*.txt"))]
    made = CliRunner().invoke(cli, ["init", str(tmp_path / "f"), "--from", *files])
    assert made.exit_code == 0 and f"called by its first words, “{title}”" in made.output, made.output
    (edition,) = (tmp_path / "f" / "tei" / "editions").glob("*.toml")
    plan = tomllib.loads(edition.read_text(encoding="utf-8"))
    assert (plan["title"], plan["chapters"][0]["title"]) == (title, title)
