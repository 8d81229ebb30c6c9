"""What is missing, or read otherwise, for several paragraphs is one entry in every output, and says how far it goes."""

from __future__ import annotations

import csv
import json

import pytest
from lxml import etree

from jiaokan.editions.other import as_ours
from jiaokan.entries import collated, entries
from jiaokan.exchange import exports
from jiaokan.stats.measures import measure_agreement
from jiaokan.tei.views import plain_text

LISTED = "".join(f"<witness xml:id='{name}'>{name}</witness>" for name in "ABC")
_TURN = "<app><lem/><rdg wit='#{}'><{}/></rdg></app>"


def turn(name: str, what: str) -> str:
    return _TURN.format(name, what)


RUNS = {
    "lacuna": ("<p>unus duo " + turn("B", "lacunaStart") + " tres</p><p>quattuor quinque</p><p>sex "
               + turn("B", "lacunaEnd") + " septem</p>", [("tres", "B", "lost", "sex")]),
    "fragment": ("<head>caput</head><p>unus duo</p><p>tres quattuor</p><p>quinque " + turn("B", "witStart")
                 + " sex</p><p>septem octo</p>", [("caput", "B", "lost", "quinque")]),
    "breaks off": ("<lg><l>unus duo</l><l>tres " + turn("C", "witEnd") + " quattuor</l><l>quinque</l></lg>"
                   "<lg><l>sex septem</l></lg>", [("quattuor", "C", "lost", "sex septem")]),
    "in a reading": ("<p>unus <app><lem wit='#A #C'>duo</lem><rdg wit='#B'><witEnd/></rdg></app> tres</p><p>quattuor"
                     "</p><p>quinque</p>", [("duo", "B", "lost", "quinque")]),
    "two": ("<p>unus " + turn("B", "lacunaStart") + " duo</p><p>tres " + turn("C", "lacunaStart") + " quattuor</p><p>"
            "quinque</p><p>sex " + turn("C", "lacunaEnd") + turn("B", "lacunaEnd") + " septem</p>",
            [("duo", "B", "lost", "sex"), ("quattuor", "C", "lost", "sex")]),
    "inside another": ("<p>unus " + turn("B", "lacunaStart") + " duo</p><p>" + turn("C", "lacunaStart") + "tres</p><p>"
                       "quattuor " + turn("C", "lacunaEnd") + " quinque</p><p>sex " + turn("B", "lacunaEnd")
                       + " septem</p>", [("duo", "B", "lost", "sex"), ("tres", "C", "lost", "quattuor")]),
    "omission": ("<p>unus <anchor xml:id='i'/>duo</p><p>tres</p><p>quattuor<anchor xml:id='j'/> quinque</p>"
                 "<p><app from='#i' to='#j'><lem wit='#A #C'>duo tres quattuor</lem><rdg wit='#B'/></app></p>",
                 [("duo", "B", "omits", "quattuor")]),
    "other words": ("<p>unus <anchor xml:id='i'/>duo</p><p>tres</p><p>quattuor<anchor xml:id='j'/> quinque</p>"
                    "<p><app from='#i' to='#j'><lem wit='#A'/><rdg wit='#B #C'>nihil</rdg></app></p>",
                    [("duo", "B C", "attested", "quattuor")]),
    "chinese": ("<p>子曰" + turn("B", "lacunaStart") + "學而</p><p>時習之</p><p>不亦"
                + turn("B", "lacunaEnd") + "說乎</p>",
                [("學而", "B", "lost", "不亦")]),
}


def edition(body: str) -> bytes:
    return (f"<TEI xmlns='http://www.tei-c.org/ns/1.0'><teiHeader><fileDesc><sourceDesc><listWit>{LISTED}</listWit>"
            f"</sourceDesc></fileDesc><encodingDesc><variantEncoding method='double-end-point' location='internal'/>"
            f"</encodingDesc></teiHeader><text><body><div>{body}</div></body></text></TEI>").encode()


@pytest.mark.parametrize("shape", RUNS)
def test_a_run_is_one_entry(shape: str) -> None:
    body, wanted = RUNS[shape]
    made = as_ours(edition(body), name="x.xml")
    assert made is not None
    document = made.document
    listed = entries(document)
    assert [(entry.lemma.words, " ".join(n for r in entry.readings for n in r.witnesses), entry.readings[0].state,
             entry.readings[0].until[1]) for entry in listed] == wanted
    assert all(reading.until[0] for entry in listed for reading in entry.readings[-1:])
    assert len(collated(document, listed)) == len(wanted)
    settings = exports.ExportSettings(sigla={name: name for name in "ABC"})
    rows = list(csv.DictReader(exports.get("csv").write(document, settings).splitlines()))
    assert len(rows) == len(wanted)
    assert f"NCHAR={len(wanted)};" in exports.get("nexus").write(document, settings)
    assert len(json.loads(exports.get("json").write(document, settings))["entries"]) == len(wanted)
    last = wanted[-1][3]
    assert last in exports.get("apparatus").write(document, settings)
    for interface in ("en", "hant"):
        notes = exports.get("jiaokanji").write(document, exports.ExportSettings(interface=interface))
        assert notes.count("〔") == len(wanted) and notes.count(last) >= 1
    pairs = measure_agreement(document).pairs
    assert max(both for _, both in pairs.values()) <= len(wanted)


@pytest.mark.parametrize("shape", RUNS)
def test_a_witness_still_lacks_every_word_of_the_run(shape: str) -> None:
    body, wanted = RUNS[shape]
    made = as_ours(edition(body), name="x.xml")
    assert made is not None
    for _, names, _, last in wanted:
        for name in names.split():
            assert last not in plain_text(made.document, witness=name)
    assert wanted[0][3] in plain_text(made.document, witness="A")


@pytest.mark.parametrize("shape", RUNS)
def test_plain_tei_reads_as_the_witness(shape: str) -> None:
    body, _ = RUNS[shape]
    made = as_ours(edition(body), name="x.xml")
    assert made is not None
    text = exports.get("tei-plain").write(made.document, exports.ExportSettings(sigla={name: name for name in "ABC"}))
    for name in "ABC":
        root = etree.fromstring(text.encode())
        for reading in root.xpath("//*[@wit]"):
            if f"#{name}" not in reading.get("wit").split():
                reading.getparent().remove(reading)
        etree.strip_elements(root, "{*}teiHeader", "{*}head")
        words = "".join(root.itertext())
        assert _letters(words) == _letters(plain_text(made.document, witness=name)), name


def _letters(text: str) -> str:
    return "".join(filter(str.isalpha, text))


def test_separate_omissions_stay_separate() -> None:
    body = ("<p>unus <app><lem wit='#A #C'>duo</lem><rdg wit='#B'/></app></p><p><app><lem wit='#A #C'>tres</lem>"
            "<rdg wit='#B'/></app> quattuor</p>")
    made = as_ours(edition(body), name="x.xml")
    assert made is not None
    assert [entry.readings[0].until for entry in entries(made.document)] == [("", "")] * 2
