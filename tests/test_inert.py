"""Published TEI is inert: nothing in it runs in a browser, and all its words stay."""

from __future__ import annotations

import functools
import http.server
import threading
from pathlib import Path

import pytest
from lxml import etree

from jiaokan.outputs import OutputSettings
from jiaokan.outputs.html import make
from jiaokan.tei.inert import make_inert
from jiaokan.tei.tree import SCHEMAS, schema_instructions
from tests.browsing import SAMPLE, needs_browser

SVG, HTML, MATHML, XLINK = (f"http://www.w3.org/{each}" for each in
                            ("2000/svg", "1999/xhtml", "1998/Math/MathML", "1999/xlink"))
SHAPES = {
    "onload": f'<svg xmlns="{SVG}" onload="window.ran=1"/>',
    "script of SVG": f'<v:svg xmlns:v="{SVG}"><v:g><v:script>window.ran=1</v:script></v:g></v:svg>',
    "script alone": f'<s xmlns="urn:other"><h:script xmlns:h="{HTML}">window.ran=1</h:script></s>',
    "namespace in references": '<script xmlns="http://www.w3.org/1999/xht&#109;l">window.ran=1</script>',
    "attribute of HTML": f'<img xmlns="{HTML}" src="nowhere" onerror="window.ran=1"/>',
    "frame": f'<iframe xmlns="{HTML}" src="javascript:parent.ran=1" srcdoc="&lt;script>parent.ran=1&lt;/script>"/>',
    "animation": f'<svg xmlns="{SVG}"><animate onbegin="window.ran=1" attributeName="x" dur="1s"/></svg>',
    "HTML in SVG": f'<svg xmlns="{SVG}"><foreignObject><b xmlns="{HTML}"><script>window.ran=1</script></b>'
                   "</foreignObject></svg>",
    "formula": f'<math xmlns="{MATHML}" onfocus="window.ran=1" tabindex="0" autofocus=""><mi>x</mi></math>',
    "stylesheet inside": '<?xml-stylesheet href="data:text/css,*{}"?>',
}


def page_with(shape: str, before: str = "") -> bytes:
    header = f"<xenoData>{shape}</xenoData>".encode()
    tei = SAMPLE.replace(b"</fileDesc>", b"</fileDesc>" + header, 1)
    return tei.replace(b"<TEI", f"{before}<TEI".encode(), 1)


@pytest.mark.parametrize("shape", SHAPES.values(), ids=SHAPES)
def test_nothing_that_a_browser_runs_is_left(shape: str) -> None:
    data, left_out = make_inert(page_with(shape), name="x")
    root = etree.fromstring(data)
    assert left_out and b"window.ran" not in b"".join(value.encode() for value in root.xpath("//@*"))
    assert not [*root.iter(f"{{{SVG}}}*", f"{{{HTML}}}*")] and b"<?xml-stylesheet" not in data
    assert make_inert(data, name="x") == (data, ())


def test_a_file_without_such_things_keeps_its_bytes() -> None:
    assert make_inert(SAMPLE, name="x") == (SAMPLE, ())
    formula = page_with(f'<math xmlns="{MATHML}" display="block"><mi>x</mi></math>', "<!-- by hand --><?own pi?>")
    assert make_inert(formula, name="x") == (formula, ())
    with_schemas = SAMPLE.replace(b"<TEI", schema_instructions("../schema").encode() + b"<TEI", 1)
    assert len(SCHEMAS) == 3 and make_inert(with_schemas, name="x").data == SAMPLE


def test_words_inside_html_and_around_svg_stay() -> None:
    body = (f'甲<h:p xmlns:h="{HTML}" onclick="x()">乙<h:b>丙</h:b><h:script>x()</h:script>丁</h:p>戊'
            f'<svg xmlns="{SVG}"/>己')
    data, left_out = make_inert(page_with(body, "<!-- by hand -->"), name="x")
    assert "".join(etree.fromstring(data).find(".//{*}xenoData").itertext(etree.Element)) == "甲乙丙丁戊己"
    assert {"onclick", "script", "svg", "p", "b"} == set(left_out)
    assert b"<!-- by hand -->" in data and b"it: svg -->" in data


@pytest.mark.parametrize("address", [
    "javascript:alert(1)", " JavaScript:alert(1)", "java&#10;script:alert(1)", "&#9;vbscript:x", "javascr&#9;ipt:x",
])
def test_addresses_that_are_scripts_are_removed(address: str) -> None:
    data = make_inert(page_with(f'<p xmlns:l="{XLINK}"><x l:href="{address}"/><ref target="{address}">字</ref></p>'),
                     name="x").data
    found = etree.fromstring(data).find(".//{*}xenoData/{*}p")
    assert found[0].attrib == {} and found[1].attrib == {} and found[1].text == "字"


def test_a_sentence_about_scripts_stays() -> None:
    data = page_with('<p n="see: the typescript: a javascript: scheme"/>')
    assert make_inert(data, name="x") == (data, ())


@needs_browser
def test_no_published_file_runs_a_script(tmp_path: Path, browser: object) -> None:
    shapes = "".join(SHAPES.values())
    style = ('<?xml-stylesheet type="text/xsl" href="data:text/xml,%3Cx:stylesheet version=%221.0%22 '
             'xmlns:x=%22http://www.w3.org/1999/XSL/Transform%22%3E%3C/x:stylesheet%3E"?>')
    told = make(page_with(shapes, style), tmp_path / "text", OutputSettings())
    assert "browser-would-run" in {each.rule for each in told.findings}
    handler = functools.partial(http.server.SimpleHTTPRequestHandler, directory=str(tmp_path))
    handler.log_message = lambda *_: None  # type: ignore[attr-defined]
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        page = browser.new_page()  # type: ignore[attr-defined]
        files = sorted((tmp_path / "text").rglob("*.xml"))
        assert len(files) > 2
        for path in files:
            page.goto(f"http://127.0.0.1:{server.server_port}/{path.relative_to(tmp_path).as_posix()}")
            page.wait_for_timeout(300)
            assert page.evaluate("() => window.ran") is None, path
        page.close()
        server.shutdown()
