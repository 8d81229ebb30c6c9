"""An apparatus by another method is the same apparatus; the rest of the file stays as it is written."""

from __future__ import annotations

import re
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from lxml import etree

from jiaokan.cli import cli
from jiaokan.editions.other import stranger
from jiaokan.errors import TeiError
from jiaokan.exchange.conversion import convert_apparatus
from jiaokan.exchange.conversion.proof import contents, witnesses_of
from jiaokan.tei.linking.stream import decode_bytes, scan
from jiaokan.validate import Checks, validate_bytes
from jiaokan.validate.choice import OWN
from tests.amount import examples
from tests.apparatus import texts
from tests.pathological import steps

HERE = Path(__file__).parent / "cases"
FILES = [*sorted((HERE / "tei" / "others").glob("*.xml")), HERE / "exports/edition.xml", HERE / "tei/sample.xml"]
FILES = [path for path in FILES if "<rdg" in path.read_text(encoding="utf-8")]
APART = product(("double-end-point", "location"), ("internal", "external"))
WAYS: list[tuple[Any, Any]] = [("parallel", "internal"), *APART]
HEADER = ("<teiHeader><fileDesc><titleStmt><title>t</title></titleStmt><publicationStmt><p/></publicationStmt>"
          "<sourceDesc><listWit><witness xml:id='A'/><witness xml:id='B'/><witness xml:id='C'/></listWit></sourceDesc>"
          "</fileDesc></teiHeader>")


def tei(body: str) -> bytes:
    """Return a document with this in its body."""
    return (f"<TEI xmlns='http://www.tei-c.org/ns/1.0'>{HEADER}<text><body>{body}</body></text></TEI>").encode()


def there(data: bytes, way: tuple[Any, Any]) -> bytes:
    """Return a file by another method, which is proved at once."""
    return convert_apparatus(data, way[0], file="x", where=way[1], split=True, keep=True).data


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
@pytest.mark.parametrize("way", WAYS, ids="-".join)
def test_every_method_and_back(path: Path, way: tuple[Any, Any]) -> None:
    data = path.read_bytes()
    first = contents(data, path.name)
    once = there(data, way)
    for back in WAYS:
        twice = there(once, back)
        assert contents(twice, path.name) == first
    if way[0] != "location":
        assert there(once, way) == once


@pytest.mark.parametrize("path", [path for path in FILES if path.stem in ("parallel", "edition", "sample")],
                         ids=lambda path: path.stem)
def test_by_two_points_and_back_not_a_byte_is_another(path: Path) -> None:
    data = there(path.read_bytes(), ("parallel", "internal"))
    for where in ("internal", "external"):
        assert there(there(data, ("double-end-point", where)), ("parallel", "internal")) == data


@pytest.mark.parametrize("way", WAYS, ids="-".join)
@pytest.mark.parametrize("name", ["parallel", "double-end-internal", "cbeta"])
def test_another_reader_finds_the_same_texts(name: str, way: tuple[Any, Any]) -> None:
    data = (HERE / "tei" / "others" / f"{name}.xml").read_bytes()
    data = re.sub(b"<lacuna(Start|End)/>| hand=.#A2.", b"", data).replace(b"#x", b"#A #B")
    ours = contents(data, name).texts
    made = texts(there(data, way))
    sigla = witnesses_of(data, name).sigla
    assert {sigla.get(key, ""): words for key, words in made.items()} == {
        key: words for key, words in ours.items() if key in {"", *(sigla[each] for each in made if each)}}


@pytest.mark.parametrize("path", [path for path in FILES if path.parent.stem == "others"], ids=lambda path: path.stem)
def test_read_as_an_edition_it_is_the_same(path: Path) -> None:
    """The reader of anybody's TEI makes the same text and entries of each method; those that overlap it joins, which
    stand in pieces in parallel segmentation."""
    ways = WAYS if path.stem != "double-end-internal" else WAYS[1:]
    made = [stranger(there(path.read_bytes(), way), name="x.xml").document for way in ways]
    assert [each.divisions for each in made] == [made[0].divisions] * len(made)


@pytest.mark.parametrize("added", [
    "arma <app><lem/><rdg wit='#A'>et</rdg></app> canit", "arma<app><lem/><rdg wit='#A'>que</rdg></app> canit",
    "arma <app><lem/><rdgGrp><rdg wit='#A'>et</rdg></rdgGrp></app>canit",
    "<hi>arma</hi> <app><lem/><rdg wit='#A'><hi>et</hi> ipse</rdg><rdg wit='#B'/></app> canit",
    "射 <app><lem/><rdg wit='#A'>者</rdg></app>人",
])
def test_every_method_keeps_an_addition_apart_or_joined(added: str) -> None:
    ways = [there(tei(f"<p>{added}</p>"), way) for way in WAYS]
    made = [stranger(data, name="x.xml").document.divisions for data in ways]
    assert made == [stranger(tei(f"<p>{added}</p>"), name="x.xml").document.divisions] * len(WAYS)


ANY = Checks(schemas=(OWN,))


@pytest.mark.parametrize("way", WAYS, ids="-".join)
def test_the_schema_takes_it(way: tuple[Any, Any]) -> None:
    body = ("<p>a <app><lem>b</lem><rdg wit='#A'>c</rdg></app> d</p><app><lem><p>e</p></lem><rdg wit='#B'><p>f</p>"
            "</rdg></app><lg><l>g <app><lem/><rdg wit='#C'>h</rdg></app></l></lg>")
    made = there(tei(body), way)
    assert [str(each) for each in validate_bytes(made, name="x.xml", checks=ANY) if each.severity == "error"] == []


OVERLAP = ("<p><anchor xml:id='a'/>one <anchor xml:id='b'/>two<app from='#a'><rdg wit='#A'>1 2</rdg></app> three"
           "<app from='#b'><rdg wit='#{}'>2 3</rdg></app> four</p>")
ACROSS = ("<p>one <anchor xml:id='a'/>two</p><p>three<anchor xml:id='b'/> four</p><p><app from='#a' to='#b'>"
          "<rdg wit='#A'>2 3</rdg></app></p>")


@pytest.mark.parametrize(("body", "reason"), [
    (OVERLAP.format("B"), "it begins in the entry of line 1 and continues after it"),
    (ACROSS, "it begins in <p> of line 1 and continues after it"),
])
def test_what_overlaps_is_refused_or_cut(body: str, reason: str) -> None:
    with pytest.raises(TeiError, match=reason):
        convert_apparatus(tei(body), "parallel", file="x.xml")
    made = convert_apparatus(tei(body), "parallel", file="x.xml", split=True)
    assert made.data.count(b"prev=") == made.data.count(b"next=") == 1
    assert [each.rule for each in made.findings] == ["tei-app-split"]
    assert texts(made.data)["A"] in ("12threefour", "one23four")
    assert there(made.data, ("double-end-point", "internal")).count(b"<app") == tei(body).count(b"<app")


def test_a_witness_in_two_that_overlap_is_refused() -> None:
    with pytest.raises(TeiError, match="both name A"):
        convert_apparatus(tei(OVERLAP.format("A")), "parallel", file="x.xml", split=True)


@pytest.mark.parametrize(("app", "reason"), [
    ("from='#q'", 'from="#q" points to no element of the text'),
    ("loc='7'", 'loc="7" is the number or id of no element'),
    ("loc='1'", "its words 'x' are not in the text of 1"),
])
def test_what_belongs_nowhere_is_told_with_its_line_or_kept(app: str, reason: str) -> None:
    data = tei(f"<p n='1'>one <app><lem>two</lem><rdg wit='#A'>2</rdg></app></p>\n<p><app {app}><lem>x</lem>"
               "<rdg wit='#B'>y</rdg></app></p>")
    with pytest.raises(TeiError, match=f"x.xml:2: <app> cannot be converted: {re.escape(reason)}"):
        convert_apparatus(data, "location", file="x.xml")
    made = convert_apparatus(data, "location", file="x.xml", keep=True)
    assert f"<app {app}><lem>x</lem>".encode() in made.data
    assert [each.rule for each in made.findings] == ["tei-app-kept"]


@pytest.mark.parametrize(("n", "start"), [("0", 0), ("1", 0), ("03", 4), ("x", 0), ("²", 0)])
def test_a_number_counts_like_words_and_any_other_is_the_file_s_own(n: str, start: int) -> None:
    data = tei(f"<p n='1'>a b a b a</p><p><app loc='1'><lem n='{n}'>a</lem><rdg wit='#A'>x</rdg></app></p>")
    assert [each.start for each in contents(data, "x").entries] == [start]


def test_all_else_is_as_it_was_written() -> None:
    body = ("<!-- c --><p rend = 'a'  >&#x4e00;&amp; <app ><lem  wit='#A'>t</lem> <rdg wit=\"#B\">u</rdg></app>"
            "<?pi x?></p >")
    made = convert_apparatus(tei(body), "double-end-point", file="x.xml", where="internal").data.decode()
    assert ("<!-- c --><p rend = 'a'  >&#x4e00;&amp; <anchor xml:id=\"app.1.from\"/>t<app from=\"#app.1.from\" >"
            "<lem  wit='#A'>t</lem> <rdg wit=\"#B\">u</rdg></app><?pi x?></p >") in made
    assert scan(made).markup() == made
    assert decode_bytes("\ufeff<a/>".encode("utf-16-le"))[1] == "utf-16-le"


def test_the_command(tmp_path: Path) -> None:
    target = tmp_path / "o.xml"
    source = HERE / "tei" / "others" / "parallel.xml"
    said = CliRunner().invoke(cli, ["convert", str(source), "--apparatus", "location", "--proof", "-o", str(target)])
    assert said.exit_code == 0, said.output
    assert "(as printed)\t" in said.output and "NOT" not in said.output
    assert "\tvirumque\tvirumque A B | virum C" in said.output
    assert b'method="location-referenced" location="external"' in target.read_bytes()
    refused = CliRunner().invoke(cli, ["convert", str(source), "--apparatus", "parallel", "--proof"])
    assert refused.exit_code == 2 and "the file with --out" in refused.output


WORDS = st.text(alphabet="ab甲 ", min_size=1, max_size=4)


def entry(parts: list[str], readings: list[tuple[str, str]]) -> str:
    """Return an entry in parallel segmentation, its witnesses in one reading each."""
    said = dict(readings)
    rdg = "".join(f"<rdg wit='#{who}'>{words}</rdg>" for who, words in said.items())
    return f"<app><lem>{''.join(parts)}</lem>{rdg}</app>"


def twice_named(data: bytes) -> bool:
    """Whether an entry in the lemma of another names a witness of the other: what that has is then not said."""
    said = re.compile("wit='#(.)'")
    return any(
        set(said.findall(etree.tostring(inner).decode().replace('"', "'")))
        & {rdg.get("wit", "")[1:] for rdg in outer.findall("{*}rdg")}
        for outer in etree.fromstring(data).iter("{*}app") for inner in outer.iterfind("{*}lem//{*}app")
    )


READINGS = st.lists(st.tuples(st.sampled_from("ABC"), WORDS | st.just("")), min_size=1, max_size=3)
INLINE = st.recursive(
    WORDS | st.sampled_from(["<lb/>", "<gap/>b", "a<gap/>"]),
    lambda inner: st.builds(entry, st.lists(inner, max_size=3), READINGS)
    | st.builds(lambda parts: f"<hi>a{''.join(parts)}</hi>", st.lists(inner, max_size=3)),
    max_leaves=8,
)
BODIES = st.lists(st.builds(lambda n, parts: f"<p{n}>{''.join(parts)}</p>", st.sampled_from(["", " n='1'", " n='2'"]),
                            st.lists(INLINE, min_size=1, max_size=4)), min_size=1, max_size=3)


@given(BODIES, st.sampled_from(WAYS), st.sampled_from(WAYS))
@settings(max_examples=examples(200), deadline=None)
def test_law(body: list[str], way: tuple[Any, Any], back: tuple[Any, Any]) -> None:
    """Whatever stands in whatever: by each method and by another after it the texts and entries are the same.

    But for entries about elements without words, of which a location cannot say which comes first: those are refused.
    """
    data = tei("".join(body) + "<p>z <app><lem>y</lem><rdg wit='#A'>x</rdg></app></p>")
    assume(not twice_named(data))
    first = contents(data, "x")
    once = there(data, way)
    twice = there(once, back)
    assert contents(twice, "x") == first
    assert texts(once) == texts(data) == first.texts


@pytest.mark.parametrize("way", WAYS, ids="-".join)
@pytest.mark.parametrize("body", [
    "<p>a<app><lem/><rdg wit='#A'>x</rdg></app><app><lem>b</lem><rdg wit='#A'>y</rdg></app>c</p>",
    "<p>a<app><lem>b</lem><rdg wit='#A'>y</rdg></app><app><lem/><rdg wit='#A'>x</rdg></app>c</p>",
    "<p>one <app><lem n='one'/><rdg wit='#A'>x</rdg></app> one <app><lem n='x'>one</lem><rdg wit='#A'/></app></p>",
])
def test_entries_without_words_stand_beside_others(body: str, way: tuple[Any, Any]) -> None:
    once = there(tei(body), way)
    assert texts(once) == texts(tei(body))
    assert contents(there(once, ("parallel", "internal")), "x") == contents(tei(body), "x")


@pytest.mark.parametrize("way", WAYS, ids="-".join)
def test_an_entry_round_its_words_in_the_back_matter_stays(way: tuple[Any, Any]) -> None:
    back = b"</body><back><p>b <app><lem wit='#A'>c</lem><rdg wit='#B'>d</rdg></app></p></back>"
    data = tei("<p>a</p>").replace(b"</body>", back)
    before = contents(data, "x")
    assert len(before.entries) == 1 and contents(there(data, way), "x") == before


def test_numbers_of_the_file_s_own_and_a_witness_named_twice_are_refused_with_their_line() -> None:
    own = tei("<p>a</p>\n<p>b <app><lem n='2'>c</lem><rdg wit='#A'>d</rdg></app></p>")
    with pytest.raises(TeiError, match=r'x\.xml:2: <app> cannot be converted: <lem n="2"> has a number of the file'):
        convert_apparatus(own, "location", file="x.xml")
    twice = tei("<p>a <app><lem>b\n<app><lem/><rdg wit='#A'>x</rdg></app></lem><rdg wit='#A'/></app></p>")
    with pytest.raises(TeiError, match=r"x\.xml:2: <app>: the text of A would not be the same"):
        convert_apparatus(twice, "location", file="x.xml")


POINTS = st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9), st.sampled_from(["", "x", "xy z"])),
                  min_size=1, max_size=3)


@given(POINTS, st.integers(0, 9), st.sampled_from(WAYS))
@settings(max_examples=examples(150), deadline=None)
def test_law_of_what_overlaps(spans: list[tuple[int, int, str]], cut: int, back: tuple[Any, Any]) -> None:
    """Entries that overlap, over paragraphs too, are cut into pieces and are whole again by every other method."""
    marks: dict[int, list[str]] = {}
    apps = ""
    for number, (one, other, words) in enumerate(spans):
        start, end = sorted((one, other))
        marks.setdefault(start, []).append(f"<anchor xml:id='s{number}'/>")
        marks.setdefault(end, []).append(f"<anchor xml:id='e{number}'/>")
        apps += f"<app from='#s{number}' to='#e{number}'><rdg wit='#{'ABC'[number]}'>{words}</rdg></app>"
    parts = ["".join(marks.get(at, ())) + "abcdefghij"[at] + ("</p><p>" if at == cut else "") for at in range(10)]
    data = tei(f"<p>{''.join(parts)}k</p><ab>{apps}</ab>")
    first = contents(data, "x")
    once = there(data, ("parallel", "internal"))
    assert contents(once, "x") == first
    assert texts(once) == first.texts
    assert contents(there(once, back), "x") == first


def test_many_entries_about_like_words_take_steps_in_proportion() -> None:
    def taken(count: int) -> None:
        entries = "".join(f'<app loc="1"><lem n="{n}">丙</lem><rdg wit="#A">天</rdg></app>'
                          for n in range(1, count + 1))
        made = convert_apparatus(
            f'<TEI xmlns="http://www.tei-c.org/ns/1.0"><teiHeader><fileDesc><titleStmt><title>t</title></titleStmt>'
            f'<publicationStmt><p>t</p></publicationStmt><sourceDesc><listWit><witness xml:id="A">A</witness></listWit>'
            f'</sourceDesc></fileDesc><encodingDesc><variantEncoding method="location-referenced" location="external"/>'
            f'</encodingDesc></teiHeader><text><body><p n="1">{"甲乙丙" * count}</p></body></text><standOff><listApp>'
            f"{entries}</listApp></standOff></TEI>".encode(),
            "parallel", file="x.xml", where="internal", split=True, keep=True)
        assert made.data.count(b"<app>") == count

    taken(20)
    few, many = (steps(lambda count=count: taken(count)) for count in (300, 1200))  # type: ignore[misc]
    assert many < 4.4 * few
