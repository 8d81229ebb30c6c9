"""The classes of variants are one table, and whoever uses classes knows a new one."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import get_args

import pytest

from jiaokan.messages import languages, wording
from jiaokan.model import VariantClass
from jiaokan.model.variants import TABLE

ROOT = Path(__file__).parents[1]
FILE = ROOT / "pipeline" / "jiaokan" / "model" / "variants.toml"
NEW = """
[paraphrase]
level = "reading"
tei = "orthographic"
review = 20
once = false
joins = true
mark = "m-3 2h6"
list = 9
"""
WORDS = {  # in each catalogue
    "class-paraphrase": ("意引", "paraphrase"), "term-variant-paraphrase": ("意引", "Paraphrase's"),
    "gloss-paraphrase": ("以己意述之，不依原文。", "The words are told in other words."),
    "term-evidence-list-paraphrase": ("意引表", "list of paraphrases"),
    "row-paraphrase": ("{left}即{right}", "{left} is said for {right}"),
}
USERS = '''
import json
from lxml import etree
from jiaokan.characters.relations import LISTS
from jiaokan.collate.formation.cuts import JOINING
from jiaokan.editions.review import urgency
from jiaokan.entries.grounds import _meaning
from jiaokan.characters.relations import GraphPair
from jiaokan.stats.measures import along
from jiaokan.stats import pictures
from tests.saxon import call
from jiaokan.tei.header.declarations import classes
from jiaokan.tei.parse import from_tei
from jiaokan.tei.write import to_tei
from jiaokan.validate import validate_bytes
from pathlib import Path
F = "{urn:jiaokan:functions}"
sample = Path("tests/cases/tei/sample.xml").read_text("utf-8")
old = 'type="orthographic" ana="#var-graphic"'
assert old in sample
sample = sample.replace(old, 'type="orthographic" ana="#var-paraphrase"').replace(
    '<category xml:id="var-loan">', '<category xml:id="var-paraphrase"><catDesc xml:lang="zh">意引</catDesc></category>'
    '<category xml:id="var-loan">')
document = from_tei(sample.encode(), name="sample.xml")
made = [etree.tostring(classes(variants=True, cited={}), encoding="unicode")]
print(json.dumps({
    "found": [each.message for each in validate_bytes(sample.encode(), name="sample.xml")],
    "back": to_tei(document, etree.Element("teiHeader")).decode().count("#var-paraphrase"),
    "label": call("xslt/prepare/main.xsl", F + "word", "variant-paraphrase"),
    "rank": call("xslt/prepare/main.xsl", F + "rank", "paraphrase"),
    "evidence": call("xslt/html/main.xsl", F + "evidence", "list:paraphrase"),
    "taxonomy": "意引" in made[0],
    "urgent": urgency("paraphrase") > urgency("substantive"),
    "joins": "paraphrase" in JOINING, "list": LISTS[-1],
    "row": _meaning("paraphrase", GraphPair("甲", "乙", "high", "x")),
    "picture": pictures.variants(along(document)),
}))
'''


def test_the_table_has_each_class_of_the_model_in_its_order() -> None:
    assert tuple(TABLE) == get_args(VariantClass)


def test_each_class_has_its_own_name_shape_and_place_in_review() -> None:
    for field in ("mark", "review"):
        assert len({getattr(each, field) for each in TABLE.values()}) == len(TABLE), field
    for language in languages():
        for prefix in ("class", "term-variant", "gloss"):
            assert len({wording(f"{prefix}-{name}", language) for name in TABLE}) == len(TABLE), prefix


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the program to which a class was added: an entry in the table and its name in the type, no more."""
    root = tmp_path_factory.mktemp("program")
    for name in ("pipeline", "xslt", "schema"):
        shutil.copytree(ROOT / name, root / name, ignore=shutil.ignore_patterns("__pycache__"))
    (root / "tests" / "cases" / "tei").mkdir(parents=True)
    for name in ("__init__.py", "odd.py", "saxon.py", "schemas.py", "tei_attributes.py", "variants.py", "xsd.py",
                 "cases/tei/sample.xml"):
        shutil.copy(ROOT / "tests" / name, root / "tests" / name)
    table, types = root / "pipeline/jiaokan/model/variants.toml", root / "pipeline/jiaokan/model/document.py"
    table.write_text(table.read_text("utf-8") + NEW, encoding="utf-8")
    old = types.read_text("utf-8")
    types.write_text(old.replace('"addition", "transposition",', '"addition", "transposition", "paraphrase",'), "utf-8")
    assert types.read_text("utf-8") != old
    for index, language in enumerate(("zh", "en")):
        with (root / f"pipeline/jiaokan/messages/{language}.po").open("a", encoding="utf-8") as catalogue:
            catalogue.writelines(f'\nmsgid "{key}"\nmsgstr "{words[index]}"\n' for key, words in WORDS.items())
    (root / "pipeline/jiaokan/characters/paraphrase.tsv").write_text("# 意引\n", encoding="utf-8")
    return root


def run(root: Path, *arguments: str) -> str:
    done = subprocess.run(
        [sys.executable, *arguments], cwd=root, capture_output=True, text=True, check=False,
        env={"PYTHONPATH": f"{root / 'pipeline'}{os.pathsep}{root}", "PATH": ""},
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_a_new_class_is_known_everywhere(copy: Path) -> None:
    run(copy, "-m", "tests.schemas")
    for name in ("values.xsd", "jiaokan.odd", "jiaokan.sch"):
        assert "#var-paraphrase" in (copy / "schema" / name).read_text("utf-8"), name
    assert "Paraphrase's. The words are told in other words." in (copy / "schema/jiaokan.odd").read_text("utf-8")
    made = json.loads(run(copy, "-c", USERS))
    assert "m-3 2h6" in made["picture"] and ">意引<" in made.pop("picture")
    assert made == {
        "found": [], "back": 2, "label": "意引", "rank": "2", "evidence": "意引表", "taxonomy": True, "urgent": True,
        "joins": True, "list": "paraphrase", "row": "甲 is said for 乙",
    }
