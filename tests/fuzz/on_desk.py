"""Requests to the desk by a browser, by other programs and by nobody's good will: addresses, heads, bodies, tokens.

The law: an answer that is documented, with the heads that confine a page; nothing of outside the site is given; who
may not write writes nothing; what is refused has changed nothing, and what was decided, taken back, leaves the files as
they were.
"""

from __future__ import annotations

import json
import os
import random
import shutil
import tempfile
from collections.abc import Collection, Mapping
from functools import cache
from pathlib import Path
from typing import Any

from jiaokan.decisions.kinds import KINDS
from jiaokan.desk.guard import HEADER
from jiaokan.desk.server import Desk
from tests.asgi import request
from tests.fuzz import text, words
from tests.fuzz.on_decisions import built

NAME = "desk"
SECRET = "NOBODY-MAY-READ-THIS"
"""Words of files that no answer has."""
KNOWN = {200, 206, 303, 304, 307, 400, 403, 404, 405, 409, 413, 415, 416, 421, 422, 503}
READ = words("overview entry line filed tasks selected news")
WRITE = words("held decide undo redo")
PATHS = ("", "lunyu/", "lunyu/1.html", "lunyu/index.html", "lunyu", "assets/a.css", "out.txt", "out.html",
         "away/x.html", "pipe.css", "pipe.html", ".desk/assets/desk.js", ".desk/assets/../server.py", ".desk/font.woff",
         ".cache/x", "../../tei/catalog.toml", "..\\..\\tei\\catalog.toml",
         "a\0b.html", "a\0b", "x" * 300 + ".html", "a/" * 3000,
         "a/" * 3000 + "b.html", "//etc/passwd", "lunyu//1.html", ".html", "lunyu/.html", "loop.html", "dir.html",
         "con", "a.html/", "lunyu/1.html/x.html", "甲.html", "\ufffd.html", "lunyu/%2e%2e/1.html")
IDS = words("""
lunyu.1.1.1.a1 lunyu.1.1.1 lunyu.1.1.1.n1 lunyu.1.2.3 lunyu.1.1 lunyu. .1 lunyu 1.1.1 x lunyu.1.1.1.n1.n1
""")
FILES = ("tei/decisions/lemmas.toml", "tei/decisions/readings.toml", "tei/decisions/new.toml", "tei/catalog.toml",
         "tei/decisions/../catalog.toml", "/etc/passwd", "tei/decisions/a\0.toml", "tei/decisions/.toml",
         "tei/decisions/" + "x" * 300 + ".toml", "tei\\decisions\\x.toml", "tei/decisions/con.toml",
         "tei/decisions/a/b.toml", "", "tei/punctuation/lunyu/01.txt", "tei/decisions/out.toml")
HEADS = {
    "host": ("127.0.0.1", "127.0.0.1:8765", "localhost", "[::1]:8765", "evil.example", "127.0.0.1.", "localhost.", "",
             "127.0.0.1:x", "127.0.0.1:８", "127.0.0.1@evil", "127.0.0.1:80:80", "::1", "[::1"),
    "origin": ("http://127.0.0.1", "http://evil.example", "null", "", "http://127.0.0.1:8765", "\xff"),
    "sec-fetch-site": ("same-origin", "none", "same-site", "cross-site", ""),
    "content-type": ("application/json", "text/plain", "", "application/json; charset=x", "multipart/form-data"),
    "content-length": ("0", "-1", "99999999999", "²", "+5", "1_0", "x", "", "9" * 5000),
    "cookie": ("jiaokan-desk=x", "=", ";;;", "jiaokan-desk=\xff", "a=b; " * 300),
    "range": ("bytes=0-0", "bytes=-1", "bytes=5-1", "bytes=0-99999999999999999999", "bytes=" + "0-1," * 500, "x",
              "bytes=a-b", "bytes=--1", "bytes=0-,0-,0-", "bytes=\xb2-\xb3"),
    "if-none-match": ("*", '"x"', "\xff"),
    "if-modified-since": ("x", "Thu, 01 Jan 1970 00:00:00 GMT", "\xff", "9" * 99),
    "transfer-encoding": ("chunked",), HEADER: ("", "x", "\xff"),
}


class Still(Desk):
    """A desk that builds no site."""

    def make(self, without: Collection[str] = ()) -> None:
        """Make nothing."""


@cache
def folder() -> Path:
    """An edition folder whose site has what a site should not have: links out of it, in a circle, a pipe."""
    root = Path(shutil.copytree(built(), Path(tempfile.mkdtemp(prefix="jiaokan-fuzz-")) / "demo"))
    site = root / "build/html"
    for name in ("lunyu", "assets", "dir.html"):
        (site / name).mkdir(parents=True)
    for name in ("index.html", "lunyu/index.html", "lunyu/1.html"):
        (site / name).write_text('<html><head></head><body class="chapter">学</body></html>', encoding="utf-8")
    (site / "assets/a.css").write_text("a {}", encoding="utf-8")
    secret = root.parent / "secret"
    secret.mkdir()
    (secret / "x.html").write_text(f"<head></head>{SECRET}", encoding="utf-8")
    (site / "out.txt").symlink_to(secret / "x.html")
    (site / "out.html").symlink_to(secret / "x.html")
    (site / "away").symlink_to(secret)
    (site / "loop.html").symlink_to(site / "loop.html")
    for name in ("pipe.css", "pipe.html"):
        os.mkfifo(site / name)
    return root


@cache
def desk() -> Still:
    """The desk of it."""
    return Still(folder())


@cache
def entries() -> tuple[dict[str, Any], ...]:
    """What is asked of the editor, as the page has it."""
    status, _, body = answer("GET", "/.desk/api/overview", "text=lunyu", {"host": "127.0.0.1"}, b"")
    assert status == 200, body
    ids = [each["id"] for each in json.loads(body)["open"]][:8]
    return tuple(json.loads(answer("GET", "/.desk/api/entry", f"text=lunyu&id={each}", {"host": "127.0.0.1"}, b"")[2])
                 for each in ids)


def made(chance: random.Random) -> str:
    """As JSON: method, path, question, heads that are not as they should be, and a body."""
    heads = {name: chance.choice(HEADS[name]) for name in HEADS if chance.random() < 0.04}
    kind = chance.random()
    if kind < 0.35:
        path = chance.choice((*PATHS, f"{text(chance)}.html", text(chance)))
        return json.dumps([chance.choice(("GET", "GET", "HEAD", "POST", "DELETE")), f"/{path}", "", heads, ""])
    if kind < 0.6:
        said = {name: _word(chance) for name in ("text", "id", "who", "work", "words", "before", "since", "page")
                if chance.random() < 0.6}
        asked = "&".join(f"{name}={value}" for name, value in said.items())
        return json.dumps(["GET", f"/.desk/api/{chance.choice(READ)}", asked, heads, ""])
    what = chance.choice((*WRITE, *["decide"] * 5))
    return json.dumps(["POST", f"/.desk/api/{what}", "", heads, _body(chance, what)])


def _word(chance: random.Random) -> str:
    return chance.choice(("lunyu", "lunyu", chance.choice(IDS), "glyph", "scope", "0", "9" * 30, "²", "学而", "editors",
                          text(chance), "1.1", "%00", "%ff", "甲" * 300))


def _body(chance: random.Random, what: str) -> str:
    """What a page would send, or nearly."""
    who = chance.choice(("editors", "editors", "zhuxi", text(chance)))
    said: Any = {"text": chance.choice((*["lunyu"] * 9, _word(chance)))}
    if what == "decide":
        said |= {"actions": [_action(chance) for _ in range(chance.choice((0, 1, 1, 1, 2)))], "resp": who}
    elif what == "held":
        said |= {"id": chance.choice(IDS), "line": text(chance)}
    else:
        said |= {"resp": who}
    for key in [key for key in said if chance.random() < 0.03]:
        said[key] = chance.choice((None, 1, [], {}, "", "甲" * 999, 1e308, -0.0, [[[]]]))
    written = json.dumps(said, ensure_ascii=chance.random() < 0.5)
    if chance.random() < 0.06:
        at = chance.randrange(len(written))
        odd = chance.choice(("", "\\ud800", "\0", "[" * 99, "1e999", '"', "\ufeff"))
        written = written[:at] + odd + written[at + 1 :]
    return written


def _action(chance: random.Random) -> dict[str, Any]:
    """One thing that an editor does."""
    entry = chance.choice(entries())
    about = {"entry": entry["id"], "context": entry["context"]} if chance.random() < 0.8 else {
        "entry": _word(chance), "context": text(chance)}
    match chance.choice(("choose", "decide", "decide", "withdraw", "amend", "type")):
        case "choose":
            words = chance.choice([*(each["words"] for each in entry["choices"]), text(chance)])
            return {"do": "choose", **about, "words": words, "why": chance.choice(("试", text(chance)))}
        case "decide":
            return _decision(chance, about if chance.random() < 0.7 else {})
        case "withdraw":
            table = chance.choice(("[[lemma]]\n", text(chance), ""))
            return {"do": "withdraw", "path": chance.choice(FILES), "table": table}
        case "amend":
            written = chance.choice((f'[[lemma]]\nunit = "{text(chance)}"', text(chance), *TABLES))
            return {"do": "amend", "path": chance.choice(FILES), "table": text(chance), "written": written}
    return {"do": "type", "id": chance.choice(("lunyu.1.1.1", *IDS)), "was": chance.choice(("", text(chance))),
            "line": chance.choice(("", text(chance), "子曰：“学而时习之，不亦说乎？")), "why": text(chance)}


TABLES = ("", "[[lemma]]", "a = " + "[" * 900, "[[x]]\n" * 2, "lemma = []", "a." * 2000 + "b = 1", "[[lemma]]\n" * 2)
"""What is not one table."""


def _decision(chance: random.Random, about: Mapping[str, str]) -> dict[str, Any]:
    kind = chance.choice(KINDS)
    values = ("学", "悦", "jijie", 1, True, None, ["jijie"])
    said = {key: chance.choice((text(chance), chance.choice(IDS), *values)) for key in kind.table.__struct_fields__
            if chance.random() < 0.6}
    return {"do": "decide", "kind": kind.name if chance.random() < 0.95 else text(chance), "said": said, **about}


def answer(
    method: str, path: str, asked: str, heads: Mapping[str, str], body: bytes
) -> tuple[int, dict[str, str], bytes]:
    """Ask the desk, without a socket."""
    scope = {"type": "http", "asgi": {"version": "3.0"}, "http_version": "1.1", "method": method, "scheme": "http",
             "path": path, "raw_path": path.encode("utf-8", "surrogatepass"), "root_path": "",
             "query_string": asked.encode("utf-8", "surrogatepass"), "server": ("127.0.0.1", 8765),
             "headers": [(name.encode(), value.encode("latin-1", "replace")) for name, value in heads.items()]}
    said = request(desk().app, scope, body)
    told = {name.decode(): value.decode("latin-1") for name, value in said[0]["headers"]}
    return said[0]["status"], told, b"".join(each.get("body", b"") for each in said[1:])


def files() -> dict[str, bytes]:
    """What an editor writes, by its path."""
    home = folder() / "tei"
    return {str(path.relative_to(home)): path.read_bytes()
            for part in ("decisions", "punctuation") for path in (home / part).rglob("*") if path.is_file()}


def hold(given: str) -> None:
    """Ask it, and look at the answer and at the files; what was decided is taken back."""
    method, path, asked, wrong, body = json.loads(given)
    data = body.encode("utf-8", "surrogatepass")
    heads = {"host": "127.0.0.1", "content-type": "application/json", "content-length": str(len(data)),
             HEADER: desk().app.secret, **wrong}
    before = files()
    status, told, said = answer(method, path, asked, heads, data)
    assert status in KNOWN, f"{status} {said[:300]!r}"
    assert "frame-ancestors 'none'" in told["content-security-policy"] and told["x-content-type-options"] == "nosniff"
    assert SECRET.encode() not in said and b"Traceback" not in said
    if told.get("content-type", "").startswith("application/json"):
        assert status == 200 or json.loads(said)["error"]
    after = files()
    if status != 200 or method != "POST":
        assert after == before, path
    elif path.endswith("/decide"):
        assert heads[HEADER] == desk().app.secret and "evil" not in heads.get("origin", "")
        _taken_back(before, json.loads(data)["resp"])


def _taken_back(before: Mapping[str, bytes], who: str) -> None:
    """An undo leaves the files as they were; done again and taken back once more, too."""
    after = files()
    heads = {"host": "127.0.0.1", "content-type": "application/json", HEADER: desk().app.secret}
    body = json.dumps({"text": "lunyu", "resp": who}).encode()
    for turn, state in (("undo", before), ("redo", after), ("undo", before)):
        status, _, said = answer("POST", f"/.desk/api/{turn}", "", {**heads, "content-length": str(len(body))}, body)
        assert status == 200, said
        assert files() == state, turn
