"""The API in a notebook: values with sigla, matrices, inputs of all kinds, short safe reprs, errors that are ours."""

from __future__ import annotations

import io
import math
import pickle
from collections.abc import Callable
from html.parser import HTMLParser
from pathlib import Path

import pytest

import jiaokan
from jiaokan import JiaokanError, TeiText, collate_texts, read_source, read_tei, to_html, to_pdf, validate_tei
from jiaokan.api.inputs import file_of, read_bytes, xml_files
from jiaokan.api.tei_text import Source
from jiaokan.exchange.exports import names

CASES = Path(__file__).parent / "cases" / "tei"
SAMPLE = CASES / "sample.xml"
OTHERS = sorted((CASES / "others").glob("*.xml"))


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


@pytest.fixture(scope="module")
def three() -> TeiText:
    return collate_texts({"宋本": "溪水甚清可以濯足\n其魚在藻", "明 本": "溪水甚淸可濯足\n其魚在藻",
                          "D.7/b": "溪水甚清可以濯足"})


@pytest.fixture(scope="module")
def silence() -> TeiText:
    return read_tei(CASES / "others" / "silence.xml")


def test_witnesses_have_the_sigla_that_the_user_gave(three: TeiText) -> None:
    assert three.witnesses == ("宋本", "明 本", "D.7/b") == three.agreement().labels
    assert [(entry.lemma.words, entry.variant, entry.of("明 本").words) for entry in three.entries  # type: ignore[union-attr]
            ] == [("清", "graphic", "淸"), ("以", "omission", "")]
    assert three.entries[1].lemma.witnesses == ("宋本", "D.7/b")
    assert three.read(witness="明 本") == "溪水甚淸可濯足\n其魚在藻"
    assert [row["rule"] for row in three.findings.rows()] == ["collate-fragment"] and "w1" not in str(three.rows())


@pytest.mark.parametrize("kind", ["words", "bytes", "path", "open", "tei"])
def test_a_witness_keeps_its_siglum_whatever_its_text_is_given_as(kind: str) -> None:
    Path("a.txt").write_text("其魚在藻\n", encoding="utf-8")
    given = {"words": "其魚在藻", "bytes": "其魚在藻".encode(), "path": Path("a.txt"), "open": io.StringIO("其魚在藻"),
             "tei": read_source(b"x\n" + "其魚在藻\n".encode(), reader="plain", chapters={1: "x"})}
    text = collate_texts({"甲.1": given[kind], "乙.1": "其魚在荇"})  # type: ignore[dict-item]
    assert text.witnesses == ("甲.1", "乙.1")


def test_witnesses_with_one_siglum_stay_two() -> None:
    tei = SAMPLE.read_bytes().replace("通解".encode(), "本义".encode())
    labels = read_tei(tei).witnesses
    assert len(set(labels)) == len(labels) == 4 and "本义" in labels


def test_silent_lost_and_omitting_witnesses_are_told_apart(silence: TeiText) -> None:
    states = {entry.lemma.words: {name: entry.state(name) for name in silence.witnesses} for entry in silence.entries}
    assert {state for row in states.values() for state in row.values()} == {"attested", "omits", "lost", "silent"}
    assert states["mons"]["R"] != "omits" and states["lenis"]["R"] == "omits"
    rows = silence.rows()
    for row in rows:
        assert row["state"] == states[str(row["lemma"])][str(row["witness"])]
        assert (row["reading"] is None) == (row["state"] == "silent") and (row["reading"] == "") <= (
            row["state"] == "omits")
    assert any(row["state"] == "silent" for row in rows)
    cells = {cell.state for column in silence.columns() for cell in column.cells.values()}
    assert cells >= {"attested", "omits", "silent"}


@pytest.mark.parametrize("path", [SAMPLE, *OTHERS], ids=lambda path: path.stem)
def test_the_values_agree_with_each_other_and_with_the_csv(path: Path) -> None:
    text = read_tei(path)
    sheet = text.apparatus("csv").splitlines()
    assert len(text.entries) + len(text.moves) <= len(sheet) - 1
    assert {row["entry"] for row in text.rows()} == {entry.id for entry in (*text.entries, *text.moves)}
    assert all(isinstance(value, str | None) for row in text.rows() for value in row.values())
    assert len({tuple(row) for row in text.rows()}) <= 1
    for entry in text.entries:
        named = {name for name in text.witnesses if entry.of(name)}
        assert not named.intersection(entry.silent)
    for value in (text, text.entries, text.notes(), text.findings, *text.entries, *text.notes()):
        assert len(repr(value)) < 400 and "\n" not in repr(value)
    for value in (text.entries, text.notes(), text.moves):
        assert pickle.loads(pickle.dumps(value)) == value
        hash(value)


def test_columns_hold_the_words_of_each_witness(three: TeiText) -> None:
    for siglum in three.witnesses:
        words = "".join(column.cells[siglum].words for column in three.columns())
        assert words == three.read(witness=siglum).replace("\n", "")
    states = [column.cells["D.7/b"].state for column in three.columns()]
    assert states[-1] == "silent" and "omits" not in states
    light = three.columns(level="reading").rows()
    assert list(light[0]) == ["reference", *three.witnesses]


def test_agreement_is_a_matrix(three: TeiText) -> None:
    matrix = three.agreement()
    assert matrix.rows == ((1.0, 0.0, 1.0), (0.0, 1.0, 0.0), (1.0, 0.0, 1.0))
    assert matrix.compared[0][1] == 2 and matrix.edges()[0] == ("宋本", "明 本", 0.0)
    assert matrix.as_dict()["宋本"]["D.7/b"] == 1.0
    assert three.agreement(level="substantive").rows[0][1] == 0.0
    assert three.agreement("characters").rows[0][1] > 0.5
    apart = read_tei(CASES / "others" / "parallel.xml").agreement()
    assert all(math.isnan(share) or 0 <= share <= 1 for row in apart.rows for share in row)
    assert not any(math.isnan(share) for *_, share in apart.edges())


def test_notes_of_a_speaker_by_each_of_his_names() -> None:
    text = read_tei(SAMPLE)
    speakers = {note.speaker for note in text.notes()} - {""}
    assert len(speakers) > 1
    for speaker in speakers:
        notes = text.notes(speaker)
        assert notes and {note.speaker for note in notes} == {speaker}
    assert sum(len(text.notes(speaker)) for speaker in speakers) <= len(text.notes())
    about = next(note for note in text.notes() if note.on)
    assert about.on_words and about.on.startswith("sample:") and about.witnesses[0] in text.witnesses
    assert {note.kind for note in text.notes(kind="commentary")} == {"commentary"}


def test_a_file_is_a_path_contents_or_open() -> None:
    data = SAMPLE.read_bytes()
    Path("s.xml").write_bytes(data)
    with Path("s.xml").open("rb") as raw, Path("s.xml").open(encoding="utf-8") as decoded:
        for file in ("s.xml", Path("s.xml"), data, bytearray(data), memoryview(data), io.BytesIO(data), raw, decoded):
            assert read_tei(file).tei == data  # type: ignore[arg-type]
    for given in (data, io.BytesIO(data), Path("s.xml"), read_tei(data), ["s.xml"], iter(["s.xml"])):
        assert {finding.rule for finding in validate_tei(given)} == {f.rule for f in validate_tei("s.xml")}
    page = to_html([data], "site")
    assert page.pages and len(repr(page)) < 100
    words = "學而\n子曰[程子曰]\n".encode()
    text = read_source(words, reader="brackets", convention={"brackets": "[]"}, chapters={1: "學而"})
    assert text.read("1") == "子曰"


def test_folders_and_patterns_are_validated() -> None:
    for name in ("a.xml", "deep/b.xml", "deep/deeper/c.xml", "build/.jiaokan-site/d.xml"):
        Path(name).parent.mkdir(parents=True, exist_ok=True)
        Path(name).write_text("<TEI", encoding="utf-8")
    Path("deep/e.txt").write_text("", encoding="utf-8")

    def files(given: Source | list[Source]) -> set[str]:
        return {finding.place.file for finding in validate_tei(given)}

    assert files("deep") == {"deep/b.xml", "deep/deeper/c.xml"} == files("deep/**/*.xml") == files(Path("deep"))
    assert files("*.xml") == {"a.xml"}
    assert files(str(Path.cwd() / "?.xml")) == {str(Path.cwd() / "a.xml")}
    assert files(["a.xml", Path("deep")]) == {"a.xml", "deep/b.xml", "deep/deeper/c.xml"}
    findings = validate_tei("deep")
    assert repr(findings) == "<2 findings: error 2>" and next(iter(findings)).rule == "xml-malformed"
    assert findings.rows()[0]["file"] == "deep/b.xml"
    with pytest.raises(JiaokanError, match=r"nothing\.xml"):
        validate_tei(["a.xml", "nothing.xml"])


class _Tags(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.tags: set[str] = set()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        assert not attrs


EVIL = "<script>alert(1)</script>\"'&\u202e"


def test_html_of_a_notebook_escapes_what_the_text_says() -> None:
    text = collate_texts({f"甲{EVIL}": f"溪{EVIL}水", "乙": f"溪<img src=x onerror=alert(2)>水\n{EVIL}"})
    named = TeiText(tei=text.tei, name=EVIL)
    values = (text, named, text.entries, text.columns(), text.agreement(), text.findings, named.notes(),
              validate_tei(TeiText(tei=b"<TEI" + EVIL.encode(), name=EVIL)), text.compare(named), jiaokan.Edition)
    for value in values[:-1]:
        page = value._repr_html_()  # type: ignore[union-attr]
        parser = _Tags()
        parser.feed(page)
        assert parser.tags <= {"table", "caption", "tr", "th", "td"} and "\u202e" not in page and len(page) < 20_000


def test_what_a_cell_shows_is_short() -> None:
    long = collate_texts({"甲": "\n".join(f"溪水{n}" * 60 for n in range(60)), "乙": "\n".join(["溪水" * 40] * 60)})
    values = (long, long.document, long.collated, long.entries, long.columns(), long.agreement(), long.entries[0],
              long.columns()[0], long.entries[0].lemma)
    for value in values:
        assert len(repr(value)) < 600, repr(value)[:200]
    assert len(long.columns()._repr_html_()) < 20_000


def test_a_repr_never_fails() -> None:
    for tei in (b"", b"<TEI", b"<a/>", b"\xff"):
        text = TeiText(tei=tei, name="x")
        assert repr(text).startswith("TeiText('x'") and text._repr_html_().startswith("<table>")


def test_two_releases_are_compared() -> None:
    old, new = (collate_texts({"甲": words, "乙": "溪水甚清"}) for words in ("溪水清", "溪水深"))
    changes = old.compare(new)
    assert {"kind": "text", "reference": "edition:1.1.1", "old": "溪水清", "new": "溪水深"} in changes.rows()
    assert not old.compare(old)


def _text() -> TeiText:
    return collate_texts({"甲": "溪水", "乙": "溪木"})


ERRORS: dict[str, Callable[[], object]] = {
    "no file": lambda: read_tei("none.xml"),
    "folder": lambda: read_tei("."),
    "empty path": lambda: read_tei(""),
    "nul in path": lambda: read_tei("a\0.xml"),
    "path too long": lambda: read_tei("a" * 5000),
    "xml as path": lambda: read_tei("<TEI/>"),
    "no path": lambda: read_tei(7),  # type: ignore[arg-type]
    "none": lambda: read_tei(None),  # type: ignore[arg-type]
    "no xml": lambda: read_tei(b"words"),
    "broken xml": lambda: read_tei(b"<TEI><text>"),
    "no tei": lambda: read_tei(b"<html/>"),
    "empty": lambda: read_tei(b""),
    "closed file": lambda: read_tei(_closed()),
    "other encoding": lambda: read_tei(io.TextIOWrapper(io.BytesIO(b"\xff\xfe\xff"), encoding="utf-8")),
    "no words of an apparatus": lambda: read_tei(SAMPLE, text="none.xml"),
    "reference": lambda: _text().read("9.9"),
    "reference of a number": lambda: _text().read(1),  # type: ignore[arg-type]
    "siglum": lambda: _text().read(witness="丁"),
    "siglum of an entry": lambda: _text().entries[0].state("丁"),
    "siglum of a number": lambda: _text().entries[0].of(1),  # type: ignore[arg-type]
    "style": lambda: _text().read(punctuated="thick"),
    "form": lambda: _text().apparatus("word"),
    "level": lambda: _text().rows(level="some"),  # type: ignore[arg-type]
    "level of a list": lambda: _text().apparatus("csv", level=[]),  # type: ignore[arg-type]
    "class": lambda: _text().apparatus("csv", without=["mistake"]),
    "classes as a string": lambda: _text().columns(without="graphic"),
    "part": lambda: _text().agreement(part="half"),
    "measure": lambda: _text().agreement("distance"),
    "speaker": lambda: read_tei(SAMPLE).notes("孔子"),
    "kind of note": lambda: _text().notes(kind="joke"),
    "witnesses of a witness": lambda: _source(b"words").agreement(),
    "columns of a witness": lambda: _source(b"words").columns(),
    "source of an edition": lambda: _text().source(),
    "save in a file": lambda: _text().save(SAMPLE / "x.xml"),
    "save nowhere": lambda: _text().save(3),  # type: ignore[arg-type]
    "compare with nothing": lambda: _text().compare("none.xml"),
    "one witness": lambda: collate_texts({"甲": "溪水"}),
    "no witness": lambda: collate_texts({}),
    "empty witness": lambda: collate_texts({"甲": "溪水", "乙": ""}),
    "witness of a number": lambda: collate_texts({"甲": "溪水", "乙": 3}),  # type: ignore[dict-item]
    "siglum empty": lambda: collate_texts({"": "溪水", "乙": "溪"}),
    "siglum a number": lambda: collate_texts({1: "溪水", 2: "溪"}),  # type: ignore[dict-item]
    "a string": lambda: collate_texts("溪水"),
    "words as paths": lambda: collate_texts(["溪水", "溪木"]),
    "a path as words": lambda: collate_texts({"甲": str(SAMPLE), "乙": "溪"}),
    "surrogate": lambda: collate_texts({"甲": "\ud800", "乙": "溪"}),
    "base": lambda: collate_texts({"甲": "溪水", "乙": "溪"}, base="丙"),
    "date": lambda: collate_texts({"甲": "溪水", "乙": "溪"}, date="yesterday"),
    "reader": lambda: read_source(b"words", reader="magic"),
    "no reader": lambda: read_source(b"words", reader=None),  # type: ignore[arg-type]
    "source": lambda: read_source("none.txt", reader="plain"),
    "source empty": lambda: _source(b""),
    "source not text": lambda: _source(b"\xff\xfe\x00"),
    "convention missing": lambda: read_source(b"words", reader="brackets", convention="none.toml"),
    "convention wrong": lambda: read_source(b"words", reader="brackets", convention={"bracket": "[]"}),
    "convention no toml": lambda: read_source(b"words", reader="brackets", convention={"brackets": object()}),
    "persons missing": lambda: read_source(b"words", reader="plain", persons="none.toml"),
    "chapters a list": lambda: read_source(b"words", reader="plain", chapters=["a"]),  # type: ignore[arg-type]
    "chapters by name": lambda: read_source(b"words", reader="plain", chapters={"a": "b"}),  # type: ignore[dict-item]
    "validate nothing": lambda: validate_tei("none/"),
    "validate a pattern": lambda: validate_tei("none/*.xml"),
    "validate a wrong pattern": lambda: validate_tei("**none"),
    "validate an empty folder": lambda: validate_tei("."),
    "validate a number": lambda: validate_tei(3),  # type: ignore[arg-type]
    "rule": lambda: validate_tei(SAMPLE, ignore=["no-such-rule"]),
    "rules as a string": lambda: validate_tei(SAMPLE, ignore="structure"),
    "schema": lambda: validate_tei(SAMPLE, schemas=["none.rng"]),
    "schema as a string": lambda: validate_tei(SAMPLE, schemas="jiaokan"),
    "html of nothing": lambda: to_html("none.xml", "site"),
    "html of a number": lambda: to_html(3, "site"),  # type: ignore[arg-type]
    "html in a file": lambda: to_html(_text(), SAMPLE),
    "pdf of nothing": lambda: to_pdf("none.xml", "x.pdf"),
    "pdf to nothing": lambda: to_pdf(_text(), ""),
    "layout": lambda: to_pdf(_text(), "x.pdf", layout="round"),
    "output": lambda: to_pdf(_text(), "x.pdf", form="odt"),
    "plan": lambda: to_pdf(_text(), "x.pdf", plan="none.toml"),
    "font": lambda: to_pdf(_text(), "x.pdf", fonts=["none.ttf"]),
    "edition": lambda: jiaokan.Edition("none"),
    "no edition": lambda: jiaokan.Edition("."),
    "edition of a number": lambda: jiaokan.Edition(3),  # type: ignore[arg-type]
}


def _closed() -> io.StringIO:
    stream = io.StringIO("x")
    stream.close()
    return stream


def _source(data: bytes) -> TeiText:
    return read_source(data, reader="plain")


@pytest.mark.parametrize("name", ERRORS)
def test_every_mistake_is_an_error_of_ours(name: str) -> None:
    with pytest.raises(JiaokanError) as caught:
        ERRORS[name]()
    assert str(caught.value).strip() and "/tmp" not in str(caught.value).replace(str(Path.cwd()), "")


def test_mistakes_in_an_edition_folder(example: Path) -> None:
    edition = jiaokan.Edition(example)
    assert len(repr(edition)) < 200 and "<td>lunyu</td>" in edition._repr_html_()
    for wrong in (lambda: edition.text("none"), lambda: edition.convert("none"), lambda: edition.collate("jizhu"),
                  lambda: edition.collate("lunyu", {"none": b""}), lambda: edition.text(3),  # type: ignore[arg-type]
                  lambda: edition.collate("lunyu", {"yishu": "none.xml"})):
        with pytest.raises(JiaokanError):
            wrong()
    witnesses = {name: edition.convert(name) for name in edition.sources}
    lunyu = edition.collate("lunyu", witnesses)
    assert lunyu.entries and "义疏" in lunyu.witnesses


def test_every_form_of_the_apparatus_takes_the_same_options() -> None:
    for form in names():
        for wrong in ({"level": "x"}, {"part": "x"}, {"without": ["x"]}):
            with pytest.raises(JiaokanError):
                _text().apparatus(form, **wrong)  # type: ignore[arg-type]


def test_a_notebook_completes_the_names_of_the_api() -> None:
    assert {*jiaokan.__all__} <= {*dir(jiaokan)}
    assert {"TYPE_CHECKING", "annotations"}.isdisjoint(dir(jiaokan))


def test_what_cannot_be_written_or_read_is_named_as_it_was_given(tmp_path: Path) -> None:
    with pytest.raises(JiaokanError) as refused:
        jiaokan.collate_texts({"a": "x y", "b": "x z"}).save(tmp_path)
    assert str(refused.value.place) == str(tmp_path) and [*tmp_path.iterdir()] == []
    for value in (None, 3, ["x", "y"]):
        with pytest.raises(JiaokanError, match="bytes"):
            jiaokan.read_tei(value)  # type: ignore[arg-type]


@pytest.mark.parametrize(("wrong", "mend"), [
    ("lunyu", "did you mean 'tei/editions/lunyu.xml'?"), ("a.tx", "did you mean 'a.txt'?"),
    ("lunyuu", "did you mean 'tei/editions/lunyu.xml'?"),
    ("tei/editions/lunyi.xml", "did you mean 'tei/editions/lunyu.xml'?"),
    ("zzzz", "check its name and its permissions"),
])
def test_a_file_that_is_missing_is_told_the_one_that_is_meant(
    wrong: str, mend: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "tei/editions").mkdir(parents=True)
    for name in ("tei/catalog.toml", "tei/editions/lunyu.xml", "a.txt"):
        (tmp_path / name).write_text("x", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    for function in (read_bytes, file_of, xml_files):
        with pytest.raises(JiaokanError) as error:
            function(Path(wrong))
        assert str(error.value.mend) == mend
