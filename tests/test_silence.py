"""Who reads what: a witness that is not named, that is not there, or that omits words; in all outputs the same."""

from __future__ import annotations

import csv
import json

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from jiaokan.characters.scripts import Interface
from jiaokan.editions.other import as_ours
from jiaokan.entries import entries
from jiaokan.entries.collation_notes import as_xml
from jiaokan.exchange import exports
from jiaokan.model import App
from jiaokan.model.attestation import SIGNS, states
from jiaokan.model.text import shown
from jiaokan.model.walk import walk
from jiaokan.tei.views import plain_text
from tests.amount import examples

NAMES = ("A", "B", "C")
WORDS = {"attested": "novum", "omits": "", "lost": "<gap reason='lost'/>"}
LISTED = "".join(f"<witness xml:id='{name}'>{name}</witness>" for name in NAMES)


def edition(body: str, declared: str = "") -> bytes:
    """Return a TEI file of another project."""
    return (f"<TEI xmlns='http://www.tei-c.org/ns/1.0' xml:lang='la'><teiHeader><fileDesc><sourceDesc><listWit>{LISTED}"
            f"</listWit></sourceDesc></fileDesc><encodingDesc><p>{declared}</p></encodingDesc></teiHeader><text><body>"
            f"{body}</body></text></TEI>").encode()


def read(body: str, witness: str, declared: str = "") -> str:
    made = as_ours(edition(body, declared), name="x.xml")
    assert made is not None
    return plain_text(made.document, witness=witness)


ROWS = st.lists(st.tuples(*(st.sampled_from(("lemma", "silent", *WORDS)) for _ in NAMES[1:])), min_size=1, max_size=4)


@given(ROWS)
@settings(max_examples=examples(40), deadline=None)
def test_all_outputs_agree(rows: list[tuple[str, ...]]) -> None:
    assume(any(state in WORDS for row in rows for state in row))
    body = ""
    for row in rows:
        agree = " ".join(f"#{name}" for name, state in zip(NAMES, ("lemma", *row), strict=True) if state == "lemma")
        body += f"verbum <app><lem wit='{agree}'>vetus</lem>"
        body += "".join(f"<rdg wit='#{name}'>{WORDS[state]}</rdg>"
                        for name, state in zip(NAMES[1:], row, strict=True) if state in WORDS) + "</app> "
    made = as_ours(edition(f"<p>{body}finis</p>"), name="x.xml")
    assert made is not None
    apps = [item for item in walk(made.document) if isinstance(item, App)]
    settings_ = exports.ExportSettings(sigla={name: name for name in NAMES}, persons={})
    table = list(csv.DictReader(exports.get("csv").write(made.document, settings_).splitlines()))
    aligned = json.loads(exports.get("collatex-json").write(made.document, settings_))["table"]
    for n, name in enumerate(NAMES):
        wanted = [state for row in rows if any(each != "lemma" and each != "silent" for each in row)
                  for state in [("lemma", *row)[n]]]
        said = [states(app, NAMES)[name] for app in apps]
        assert said == ["attested" if state == "lemma" else state for state in wanted]
        cells = {"attested": ("vetus", "novum"), "omits": ("∅",), "lost": ("〓",), "silent": ("",)}
        assert all(row[name] in cells[state] for row, state in zip(table, said, strict=True))
        tokens = [cell[0] for cell in aligned[n] if cell]
        assert [t["state"] for t in tokens if "state" in t] == [s for s in said if s in ("silent", "lost")]
        entries_ = json.loads(exports.get("json").write(made.document, settings_))["entries"]
        assert [name in row.get("silent", ()) for row in entries_] == [state == "silent" for state in said]
        lines = exports.get("apparatus").write(made.document, settings_).splitlines()
        assert [name in line.partition("[silent:")[2] for line in lines] == [state == "silent" for state in said]
        text = plain_text(made.document, witness=name)
        assert text.count(SIGNS["silent"]) == said.count("silent")


@pytest.mark.parametrize(("declared", "words"), [
    ("", "sol 〔?〕."), ("We print a negative apparatus.", "sol oritur."),
    ("A positive critical apparatus.", "sol 〔?〕."),
])
def test_the_header_can_say_what_silence_means(declared: str, words: str) -> None:
    assert read("<p>sol <app><lem wit='#A'>oritur</lem><rdg wit='#B'>cadit</rdg></app>.</p>", "C", declared) == words


def test_where_no_lemma_names_anybody_silence_is_agreement() -> None:
    assert read("<p>sol <app><lem>oritur</lem><rdg wit='#B'>cadit</rdg></app>.</p>", "C") == "sol oritur."


@pytest.mark.parametrize(("body", "words"), [
    ("<p>sol <app><lem wit='#A'/><rdg wit='#B'>ipse</rdg></app> oritur</p>", "sol ipse oritur"),
    ("<p>sol<app><lem wit='#A'/><rdg wit='#B'> ipse</rdg></app> oritur</p>", "sol ipse oritur"),
    ("<p>sol<app><lem wit='#A'/><rdg wit='#B'>us</rdg></app> oritur</p>", "solus oritur"),
    ("<p><app><lem wit='#A'/><rdg wit='#B'>ipse</rdg></app> sol</p>", "ipse sol"),
    ("<p>日 <app><lem wit='#A'/><rdg wit='#B'>始</rdg></app> 出</p>", "日始出"),
    ("<lg><l>sol</l><app><lem wit='#A'/><rdg wit='#B'><l>ipse</l><l>venit</l></rdg></app></lg>", "sol ipse venit"),
    ("<p><app><lem wit='#A'>x</lem><rdg wit='#B'><w>sol</w><w>it</w></rdg></app></p>", "sol it"),
    ("<p><app><lem wit='#A'>x</lem><rdg wit='#B'><w part='I'>so</w><w part='F'>lis</w></rdg></app></p>", "solis"),
    ("<p><w>日</w><w>出</w></p><p><app><lem wit='#A'>x</lem><rdg wit='#B'>y</rdg></app></p>", "日出\ny"),
])
def test_words_of_two_elements_are_two_words(body: str, words: str) -> None:
    assert read(body, "B") == words


@pytest.mark.parametrize("body", [
    "<p>sol <app><lem wit='#A'>oritur</lem><rdg wit='#B'>cadit</rdg></app></p>",
    "<p>sol <app><lem wit='#A'>et luna</lem><rdg wit='#B'/></app> sunt</p>",
    "<p>sol <app><lem wit='#A'/><rdg wit='#B'>et luna</rdg></app> sunt</p>",
    "<p>sol <app><lem wit='#A'>oritur</lem><rdg wit='#B'><gap reason='lost'/></rdg></app></p>",
    "<head>de <app><lem wit='#A'>sole</lem><rdg wit='#B'>luna</rdg></app></head><p>sol</p>",
    "<p>子曰<app><lem wit='#A'>學而</lem><rdg wit='#B'>斅而</rdg></app>時習之</p>",
])
@pytest.mark.parametrize("form", ["apparatus", "reledmac", "ekdosis", "jiaokanji", "table", "json", "web-annotation"])
@pytest.mark.parametrize("interface", ["en", "hans"])
def test_whatever_words_an_entry_names_the_silent(form: str, body: str, interface: Interface) -> None:
    made = as_ours(edition(body), name="x.xml")
    assert made is not None
    written = exports.get(form).write(made.document, exports.ExportSettings(interface=interface))
    assert "[silent: C]" in written or "C未详" in written
    if form == "jiaokanji" and interface == "hans":
        assert "C未详" in written
    told = as_xml(made.document, {}, interface)  # what pages, print, EPUB and DOCX say
    assert "silent: <siglum" in told if interface == "en" else "未详" in told


NESTED = ("<p>sol <app><lem wit='#A'>oritur</lem><rdg wit='#B #C #D'>cadit <app>{}</app> mane</rdg></app> semper</p>")


@pytest.mark.parametrize(("declared", "inner", "states_of"), [
    ("positive apparatus", "<lem wit='#B'>cras</lem><rdg wit='#C'>hodie</rdg>", "cras hodie ?"),
    ("negative apparatus", "<lem wit='#B'>cras</lem><rdg wit='#C'>hodie</rdg>", "cras hodie cras"),
    ("positive apparatus", "<lem>cras</lem><rdg wit='#C'>hodie</rdg>", "? hodie ?"),
    ("negative apparatus", "<lem>cras</lem><rdg wit='#C'>hodie</rdg>", "cras hodie cras"),
    ("", "<lem wit='#B'>cras</lem><rdg wit='#C'>hodie</rdg>", "cras hodie ?"),
])
def test_an_entry_inside_a_reading_uses_silence_as_the_edition_does(declared: str, inner: str, states_of: str) -> None:
    data = edition(NESTED.format(inner), declared).replace(b"</listWit>", b"<witness xml:id='D'>D</witness></listWit>")
    made = as_ours(data, name="x.xml")
    assert made is not None
    for name, wanted in zip("BCD", states_of.split(), strict=True):
        text = plain_text(made.document, witness=name)
        assert ("〔?〕" if wanted == "?" else f"cadit {wanted} mane") in text, (name, text)


@pytest.mark.parametrize(("wit", "reads"), [
    ("lem wit='#A #B'|rdg wit='Ac'", "vetus"), ("lem wit='#B'|rdg wit='Ac'", "novum"),
    ("lem wit='#A'|rdg wit='A.pc.'", "vetus"), ("lem wit='#A #B'|rdg wit='#A2'", "vetus"),
    ("lem wit='#A #B'|rdg wit='Acorr #C'", "vetus"), ("lem|rdg wit='Ac'", "novum"),
])
def test_who_is_named_for_the_lemma_has_it_beside_his_correction(wit: str, reads: str) -> None:
    """A file that gives the lemma to A, and something else to a corrector of A, says both."""
    lemma, reading = wit.split("|")
    entry = f"<app><{lemma}>vetus</lem><{reading}>novum</rdg></app>"
    assert read(f"<p>verbum {entry} finis</p>", "A") == f"verbum {reads} finis"


@pytest.mark.parametrize("declared", ["", "negative apparatus", "positive apparatus"])
@pytest.mark.parametrize(("entry", "reads"), [
    ("<lem wit='#A'>vetus</lem><rdg wit='Ac'>novum</rdg>", "vetus"),
    ("<lem wit='#A #B'>vetus</lem><rdg wit='A.pc.'/>", "vetus"),
    ("<lem wit='#B'>vetus</lem><rdg wit='#A'>vetus</rdg><rdg wit='Ac'>novum</rdg>", "vetus"),
    ("<lem wit='#B'>vetus</lem><rdg wit='Ac'>novum</rdg>", "novum"),
])
def test_who_is_named_for_the_lemma_has_it_whatever_silence_means(declared: str, entry: str, reads: str) -> None:
    assert read(f"<p>verbum <app>{entry}</app> finis</p>", "A", declared) == f"verbum {reads} finis"


def test_the_base_of_a_negative_apparatus_has_its_lemma_beside_his_correction() -> None:
    ordinary = "verbum <app><lem wit='#A'>unum</lem><rdg wit='#B'>aliud</rdg></app> " * 30
    body = f"<p>{ordinary}ad <app><lem wit='#A'>vetus</lem><rdg wit='Ac'>novum</rdg></app> finis</p>"
    assert read(body, "A").endswith("ad vetus finis")
    assert read(body, "C").endswith("ad vetus finis")


def test_in_a_negative_apparatus_a_reading_like_the_lemma_silences_nobody() -> None:
    body = ("<p>verbum <app><lem wit='#B'>vetus</lem><rdg wit='#A'>vetus</rdg><rdg wit='#C'>novum</rdg></app> finis "
            "<app><lem wit='#B'>est</lem><rdg wit='#A'>est</rdg><rdg wit='#B1'>erat</rdg></app></p>")
    assert [read(body, name, "negative apparatus") for name in NAMES] == [
        "verbum vetus finis est", "verbum vetus finis est", "verbum novum finis est"]


CORRECTED = "<p>verbum <app><lem wit='#B'>vetus</lem><rdg wit='#A'>{}</rdg></app> finis</p>"


@pytest.mark.parametrize(("words", "states_of"), [
    ("<del hand='#h1'>unum</del><add hand='#h2'>duo</add>", {"A": "unum", "A-h1": "", "A-h2": "duo"}),
    ("<subst><del hand='#h1'>unum</del><add hand='#h2'>duo</add></subst>", {"A": "unum", "A-h1": "", "A-h2": "duo"}),
    ("<add hand='#h2' seq='2'>duo</add><del hand='#h1' seq='1'>unum</del>", {"A": "unum", "A-h1": "", "A-h2": "duo"}),
    ("sol <add hand='#h1'>ipse</add> it <add hand='#h2'>cras</add>",
     {"A": "sol it", "A-h1": "sol ipse it", "A-h2": "sol ipse it cras"}),
    ("a<add hand='#h1'>b<del hand='#h2'>c</del></add>d", {"A": "ad", "A-h1": "abcd", "A-h2": "abd"}),
    ("a<add hand='#h1'>b<del hand='#h1'>c</del></add>d", {"A": "ad", "A-h1": "abd"}),
    ("a<add hand='#h1'>b</add><del hand='#h2'>c</del><add>d</add>e<del>f</del>",
     {"A": "acef", "A-h1": "abcef", "A-h2": "abdef", "A-pc": "abde"}),
    ("<subst hand='#h1'><del>unum</del><add>duo</add></subst>", {"A": "unum", "A-h1": "duo"}),
    ("<del>unum</del><add>duo</add>", {"A-ac": "unum", "A-pc": "duo"}),
])
def test_each_correction_is_of_its_hand(words: str, states_of: dict[str, str]) -> None:
    made = as_ours(edition(CORRECTED.format(words)), name="x.xml")
    assert made is not None
    app = next(item for item in walk(made.document) if isinstance(item, App))
    assert {name: " ".join(shown(reading.content).split())
            for reading in app.readings for name in reading.witnesses} == states_of
    assert "B" in app.lemma.witnesses


@pytest.mark.parametrize(("reading", "word"), [
    ("cadit mane <app><lem wit='#B'/><rdg wit='#C'>iam</rdg></app> rursus", "mane"),
    ("<app><lem wit='#B'/><rdg wit='#C'>iam</rdg></app> cadit", "sol"),
    ("cadit <app><lem wit='#B'>hodie</lem><rdg wit='#C'>cras</rdg></app> et <app><lem wit='#B'/>"
     "<rdg wit='#C'>iam</rdg></app>", "et"),
])
def test_an_addition_inside_a_reading_is_after_words_of_the_reading(reading: str, word: str) -> None:
    body = f"<p>sol <app><lem wit='#A'>oritur et lucet omnibus</lem><rdg wit='#B #C'>{reading}</rdg></app> semper</p>"
    made = as_ours(edition(body), name="x.xml")
    assert made is not None
    inner = [entry for entry in entries(made.document) if entry.around]
    assert inner[-1].last_word == word


@pytest.mark.parametrize(("words", "form"), [
    ("—", "— B"), ("…", "… B"), ("——", "—— B"), ("，", "om. B"), ("", "om. B")])
def test_a_dash_is_not_an_omission(words: str, form: str) -> None:
    """Of a text without punctuation a witness that has a mark only omits words; a dash or dots stand for something."""
    made = as_ours(edition(f"<p>verbum <app><lem wit='#A'>vetus</lem><rdg wit='#B'>{words}</rdg></app> finis</p>"),
                   name="x.xml")
    assert made is not None
    assert form in exports.get("jiaokanji").write(
        made.document, exports.ExportSettings(sigla={name: name for name in NAMES}, persons={}))
