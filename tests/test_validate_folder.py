"""Files held against their folder: planted faults, and mutants of the real texts."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from lxml import etree

from jiaokan.cli import cli
from jiaokan.editions.edition import make_edition, witnesses_of
from jiaokan.editions.witness import make_witness
from jiaokan.errors import Finding, Place
from jiaokan.settings import catalog as catalogs
from jiaokan.system.listing import resource
from jiaokan.system.store import Store
from jiaokan.validate import validate, validate_bytes
from jiaokan.validate.homes import home
from jiaokan.validate.rules import RULES
from jiaokan.validate.schema import jiaokan
from jiaokan.validate.schema.xsd import reasons
from tests.amount import ALL, some
from tests.mutants import mutants

pytestmark = pytest.mark.long

ROOT = Path(__file__).parents[1]
SOURCES = str(ROOT / "pipeline")
SMALL = ("tongjie", "zhushu", "gangmu")
UNSAID = {
    "note/@resp", "note/@cert", "note/@subtype", "quote/@type", "quote/@corresp", "quote/@subtype", "persName/@ref",
    "persName/@corresp", "title/@ref", "seg/@subtype", "seg/@corresp", "corr/@evidence", "corr/@source",
    "supplied/@evidence", "supplied/@source", "note/@targetEnd", "gap/@reason", "rdg/@source", "rdg/@cert",
    "rdg/@resp", "label/@source", "lem/@source", "lem/@cert", "lem/@resp", "label/@corresp", "app/@corresp",
    "seg/@source", "ref/@target",
    "pc/@source", "pc/@type", *(f"{name}/@{key}" for name in ("persName", "placeName", "orgName", "title", "name")
                                for key in ("source", "cert", "ref", "n")),
    *(f"unwrapped {name}" for name in ("persName", "title", "quote", "label", "ref", "seg", "pc")),
    *(f"unwrapped {name}" for name in ("placeName", "orgName", "name")),
    "unwrapped a report", "removed index", "removed a mark of the editor's",
}
"""What an encoder may say or leave unsaid: nothing in the file or its folder contradicts its absence. Words that are
marked (a name, a title, a quotation, a remark) may be unmarked; a reported reading still stands in the comment."""


def run(*arguments: object) -> Result:
    return CliRunner().invoke(cli, [str(each) for each in arguments])


@pytest.mark.thorough
@pytest.mark.parametrize("text", [
    "<pb:KX1a0001_JJ_001-1a>¶\n　　　鼎第一¶\n鼎之用大矣(三足兩耳/鼎烹器也)君子以正位凝¶\n",
    "鼎之用大矣{{*|三足兩耳}}君子以正位凝命\n\n爵者盡也<ref>一本作進</ref>{{*|酒器也}}觚者寡也\n",
])
def test_a_source_of_which_only_markup_is_left_out_is_given_back(tmp_path: Path, text: str) -> None:
    (tmp_path / "a.txt").write_text(text, "utf-8")
    assert run("init", tmp_path / "made", "--from", tmp_path / "a.txt").exit_code == 0
    (source,) = (tmp_path / "made/tei/sources").iterdir()
    written = tmp_path / "made/tei/witnesses" / f"{source.stem}.xml"
    assert run("convert", source.stem, "-C", tmp_path / "made", "-o", written).exit_code == 0
    assert "source-differs" not in run("validate", written).output


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """This repository's edition folder with its witnesses, and an edition of 燕礼 only, without decisions on others."""
    root = tmp_path_factory.mktemp("folder")
    shutil.copytree(ROOT / "tei", root / "tei", ignore=shutil.ignore_patterns("yili.xml", "lemmas-*.toml"))
    (root / "tei" / "witnesses").mkdir(exist_ok=True)
    plan = (root / "tei/editions/yili.toml").read_text("utf-8")
    chapters = re.split(r"(?=^\[\[chapters\]\])", plan, flags=re.M)
    kept = [chapters[0], next(c for c in chapters if "燕礼" in c and "[[chapters]]" in c)]
    (root / "tei/editions/yili.toml").write_text("".join(kept), "utf-8")
    catalog = catalogs.load(root)
    for entry in catalog.sources.values():
        path = root / "tei/witnesses" / f"{entry.id}.xml"
        if not path.exists():
            path.write_bytes(make_witness(entry, catalog).tei)
    plan_ = catalog.editions["yili"]
    made = make_edition(plan_, witnesses_of(plan_, catalog), catalog)
    (root / "tei/editions/yili.xml").write_bytes(made.tei)
    return root


def test_the_texts_are_sound(folder: Path) -> None:
    for path in sorted((folder / "tei").rglob("*.xml")):
        assert [each for each in validate(path) if each.severity != "info"] == [], path.name


def first(text: str, pattern: str, put: str) -> str:
    """Replace the first place that a pattern meets, which must be there."""
    changed, count = re.subn(pattern, put, text, count=1)
    assert count == 1, pattern
    return changed


def in_file(name: str, pattern: str, put: str) -> Callable[[Path], None]:
    def change(root: Path) -> None:
        path = root / "tei" / name
        path.write_text(first(path.read_text("utf-8"), pattern, put), "utf-8")

    return change


def lemma_of_another(root: Path) -> None:
    """Print in one entry what a witness has that is not the base."""
    path = root / "tei/editions/yili.xml"
    text = path.read_text("utf-8")
    entry = re.search(r'<lem wit="#jibian([^"]*)">(\w)</lem><rdg wit="#benyi" ([^>]*)>(\w)</rdg></app>', text)
    assert entry
    others, base, why, other = entry.groups()
    turned = f'<lem wit="#benyi">{other}</lem><rdg wit="#jibian{others}" {why}>{base}</rdg></app>'
    path.write_text(text.replace(entry[0], turned, 1), "utf-8")


def reason(old: str, new: str) -> Callable[[Path], None]:
    """Change a reason, and the remark that prints it."""
    def change(root: Path) -> None:
        for path in (root / "tei" / LEMMAS, root / "tei" / YILI):
            text = path.read_text("utf-8")
            assert old in text
            path.write_text(text.replace(old, new), "utf-8")

    return change


def corrected_once_only(root: Path) -> None:
    """Withdraw one of several corrections of the same slip."""
    decided = root / "tei/decisions/text-benyi.toml"
    tables = re.split(r"(?m)^(?=\[\[)", decided.read_text("utf-8"))
    (withdrawn,) = (table for table in tables if "郝仲与曰孤子" in table)
    decided.write_text("".join(table for table in tables if table != withdrawn), "utf-8")
    witness = root / "tei" / BENYI
    corrected = r"<choice[^>]*><sic>仲与</sic><corr[^>]*>仲舆</corr></choice>(?=曰</label>孤子)"
    witness.write_text(first(witness.read_text("utf-8"), corrected, "仲与"), "utf-8")


BENYI, ZHUSHU, TONGJIE = (f"witnesses/{name}.xml" for name in ("benyi", "zhushu", "tongjie"))
YILI = "editions/yili.xml"
LAST = r'(<note type="commentary"[^\n]*)[\w。]((?:<pc[ >][^<]*</pc>)*</note>)'
DIGEST = r'(<idno type="sha256">)....'
ITEM = '<item n="x" xml:space="preserve">甲</item>'
LEDGER = f'<samplingDecl>\n<ab type="ledger"><list>\n{ITEM}\n</list></ab>\n</samplingDecl>\n</encodingDesc>'
POINTER = 'corresp="w:jibian.6.1.1.n1'
OMITTED = "盖以篇题当之而省。"  # ends the reason why 燕礼 is printed (6.1.1)
DECIDED, LEMMAS = "decisions/text-zhushu.toml", "decisions/lemmas.toml"
FAULTS: list[tuple[str, str, Callable[[Path], None], set[str]]] = [
    ("a character lost", ZHUSHU, in_file(ZHUSHU, LAST, r"\1</note>"), {"source-differs"}),
    ("a space lost", TONGJIE, in_file(TONGJIE, r"<space [^>]*/>", ""), {"source-differs"}),
    ("another source", ZHUSHU, in_file("sources/004_eea16d1983ba7b78.txt", "小臣", "小人"), {"source-differs"}),
    ("a header of another source", ZHUSHU, in_file(ZHUSHU, DIGEST, r"\g<1>0000"), {"source-differs"}),
    ("a ledger of what is not there", ZHUSHU, in_file(ZHUSHU, "</encodingDesc>", LEDGER), {"source-differs"}),
    ("the id of another file", ZHUSHU, in_file(ZHUSHU, r'<TEI ([^>]*)xml:id="zhushu"', r'<TEI \1xml:id="tongjie"'),
     {"id-shared", "reference-broken"}),
    ("a decision that fits no more", ZHUSHU, in_file(DECIDED, r'(?m)^context = "', 'context = "甲甲'),
     {"decision-stale"}),
    ("a phrase that the source does not have", ZHUSHU, in_file(DECIDED, r'(?m)^why = "', 'why = "注疏作「甲乙丙丁」'),
     {"decision-untrue"}),
    ("a word quoted that is not there", YILI, in_file(LEMMAS, r'(?m)^why = "', 'why = "集编作「甲」'),
     {"decision-untrue"}),
    ("a phrase that no note of the commentator has", YILI,
     in_file(LEMMAS, r'(?m)^why = "', 'why = "郑注「甲乙丙丁」。'), {"decision-untrue"}),
    ("words said to be lacking that are there", YILI,
     reason("集编经首有「燕礼」二字", "集编无「燕礼」二字"), {"decision-untrue"}),
    ("a witness said to have the same that lacks the passage", YILI,
     reason("集编经首有「燕礼」二字，", "集编经首有「燕礼」二字，通解同，"), {"decision-untrue"}),
    ("a number of characters that nothing has", YILI,
     reason("集编经首有「燕礼」二字，", "集编经首有此九字，"), {"decision-untrue"}),
    *((f"a reason that {what}", YILI, reason(OMITTED, f"{OMITTED}{words}"), {"reason-contradicts"}) for what, words in (
        ("follows a witness against the edition", "从本义。"), ("calls the lemma wrong", "集编作「燕礼」，误。"),
        ("names another class", "此避讳字。"), ("counts its words wrong", "「燕礼」三字。"),
        ("counts absent witnesses", "四本皆有。"), ("says a mark", "下同。"),
        ("quotes a note in words that are not printed", "郑注「君但以大夫为宾者」。"))),
    ("a class whose reason names another", YILI, reason("乃转录所脱，非异文。", "乃转录所脱，避讳字。"),
     {"reason-contradicts"}),
    ("a phrase that the work at hand does not have", YILI,
     in_file(LEMMAS, r'(?m)^why = "', 'why = "四库本敖氏集说作「甲乙丙丁」。'), {"consulted-differs"}),
    ("a work that is not at hand", YILI, in_file("editions/yili.toml", ', file = "consulted/KR1d0035.txt"', ""),
     {"consulted-absent"}),
    ("a date before the last decision", YILI, in_file(YILI, r'(<date when="20)\d\d', r"\g<1>20"), {"date-early"}),
    ("a slip that is corrected in one place of several", BENYI, corrected_once_only, {"slip-again"}),
    ("a word of a witness lost", YILI, in_file(YILI, LAST, r"\1\2"), {"edition-differs"}),
    ("a pointer to no note of a witness", YILI, in_file(YILI, re.escape(POINTER), f"{POINTER}99"), {"pointer-witness"}),
    ("a pointer to no witness", YILI, in_file(YILI, 'corresp="w:jibian', 'corresp="w:jibain'), {"pointer-witness"}),
    ("a mark lost", YILI, in_file(YILI, '<milestone unit="unit" ed="benyi" n="6.2.1"/>', ""), {"edition-differs"}),
    ("a lemma that the base does not have", YILI, lemma_of_another, {"lemma-differs"}),
]


FIRST = {(file == YILI, *sorted(rules)): name for name, file, _, rules in reversed(FAULTS)}
"""Faults that `make test` plants in the edition, which takes seconds to check: the first of each rule."""


@pytest.mark.parametrize(("name", "file", "plant", "expected"), [
    pytest.param(*fault, id=fault[0],
                 marks=pytest.mark.thorough if fault[1] == YILI and fault[0] not in FIRST.values() else ())
    for fault in FAULTS])
def test_planted_fault(
    name: str, file: str, plant: Callable[[Path], None], expected: set[str], folder: Path, tmp_path: Path
) -> None:
    shutil.copytree(folder, tmp_path / "folder")
    plant(tmp_path / "folder")
    findings = [finding for finding in validate(tmp_path / "folder" / "tei" / file)
                if finding.severity != "info" or finding.rule in expected]
    assert {finding.rule for finding in findings} == expected, name
    assert all(finding.place.line for finding in findings)


def test_every_rule_on_the_folder_has_its_fault() -> None:
    found = {rule for fault in FAULTS for rule in fault[3]}
    assert {each.id for each in RULES if each.folder} == found - {"reference-broken"}


def test_a_file_elsewhere_is_read_alone(folder: Path, tmp_path: Path) -> None:
    data = (folder / "tei" / ZHUSHU).read_bytes()
    assert home(tmp_path / "zhushu.xml", data) is None
    (tmp_path / "tei" / "witnesses").mkdir(parents=True)
    alone = tmp_path / "tei" / "witnesses" / "zhushu.xml"
    alone.write_bytes(data)
    assert home(alone, data) is None, "a folder without a catalog"


MUTANTS = [*((f"witnesses/{name}.xml", some(15, 75)) for name in SMALL), (YILI, some(3, 60))]


@pytest.mark.thorough
@pytest.mark.parametrize(("file", "count"), MUTANTS)
def test_mutants_are_found(file: str, count: int, folder: Path) -> None:
    """Whatever breaks the schema, a rule or the text is found; 285 mutants in `make test-all`."""
    path = folder / "tei" / file
    silent: Counter[str] = Counter()
    for what, data in mutants(path.read_bytes(), count, seed=20261120):
        if "which are alike" not in what and not validate_bytes(data, name=path.name, folder=home(path, data)):
            silent[what] += 1
    print(f"{file}: {count} mutants, {count - silent.total()} found, {silent.total()} not: {dict(silent)}")
    assert {what.removeprefix("dropped ") for what in silent} <= UNSAID
    assert not ALL or silent.total() <= count // 10


CHANGES = {
    "tei/witnesses/yishu.xml": ("<title>", "<title> "),
    "tei/sources/jijie.txt": ("学", "學"),
    "tei/persons.toml": ('dynasty = "', 'dynasty = "x'),
    "tei/decisions/lemmas.toml": ("", "# nothing yet\n"),
}
"""What of a folder changes, besides the file that is checked."""


@pytest.mark.thorough
def test_a_verdict_holds_as_long_as_nothing_in_the_folder_changes(tmp_path: Path) -> None:
    """By other processes, as a hook runs; a poisoned verdict shows that it is the one that is taken."""
    folder, cache = tmp_path / "f", tmp_path / "cache"
    shutil.copytree(ROOT / "pipeline/jiaokan/scaffold/tei", folder / "tei")
    catalog = catalogs.load(folder)
    for entry in catalog.sources.values():
        path = folder / "tei/witnesses" / f"{entry.id}.xml"
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(make_witness(entry, catalog).tei)

    def told() -> str:
        done = subprocess.run([sys.executable, "-c", "from jiaokan.cli import main; main()", "validate",
                               "tei/witnesses/jijie.xml"],
                              cwd=folder, env={**os.environ, "JIAOKAN_CACHE": str(cache), "PYTHONPATH": SOURCES},
                              capture_output=True, text=True, check=False)
        return done.stdout + done.stderr

    assert "1 file checked, 0 findings" in told()
    (kept,) = (cache / "verdicts").iterdir()
    Store(cache / "verdicts").put(kept.name, "", [Finding("x", Place("", 1, 1), "poison")])
    shutil.rmtree(cache / "runs", ignore_errors=True)  # on a slow machine the run was old enough to be stored
    assert "poison" in told()
    for name, (old, new) in CHANGES.items():
        before = (folder / name).read_text("utf-8") if (folder / name).exists() else None
        (folder / name).write_text(new if before is None else before.replace(old, new, 1), "utf-8")
        assert "poison" not in told(), name
        if before is None:
            (folder / name).unlink()
        else:
            (folder / name).write_text(before, "utf-8")
        assert "poison" in told(), name


def test_reasons_of_what_is_doubtful_are_all_reasons() -> None:
    """xmlschema, asked only for the elements that libxml2 doubts, says what it says of the whole file."""
    xsd, gate, broken = resource(jiaokan.SCHEMA), etree.XMLSchema(etree.parse(resource(jiaokan.SCHEMA))), 0
    for _, data in mutants((ROOT / "tei/witnesses/tongjie.xml").read_bytes(), some(20, 60), seed=20261122):
        root = etree.fromstring(data, etree.XMLParser(collect_ids=False))
        if not gate.validate(root):
            broken += 1
            assert reasons(root, xsd, jiaokan.doubtful(root, gate.error_log)) == reasons(root, xsd)
    assert broken > some(3, 10)
