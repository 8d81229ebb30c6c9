"""The editor's desk without a browser: what an answer writes, what it changes on the page, how it is taken back."""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from lxml import html
from msgspec import structs
from starlette.applications import Starlette
from starlette.types import Message

from jiaokan.desk.guard import Guard
from jiaokan.desk.remake import ReceivedSources, open_text
from jiaokan.desk.requests import Amend, Choose, Decide, Repair, Request, Withdraw
from jiaokan.desk.session import LATER, Session, build_stale
from jiaokan.desk.texts import OUTSIDE
from jiaokan.errors import DecisionError, JiaokanError
from jiaokan.model import Note, Unit
from jiaokan.model.text import counted
from jiaokan.model.walk import walk
from tests.asgi import request
from tests.filing import two_editors

pytestmark = pytest.mark.long

WHY = "说、悦古今字，从古"


def files(session: Session) -> dict[str, bytes]:
    """Everything that an editor writes, by its path."""
    home = session.root / "tei"
    return {path.relative_to(home).as_posix(): path.read_bytes() for path in sorted(home.rglob("*")) if path.is_file()}


def asked(session: Session, number: int = 0) -> dict[str, object]:
    """A question that is open."""
    return session.entry("lunyu", session.overview("lunyu", "editors")["open"][number]["id"])


def choose(question: dict[str, object], words: str, cert: str = "medium") -> Request:
    action = Choose(entry=str(question["id"]), context=str(question["context"]), words=words, why=WHY, cert=cert)  # type: ignore[arg-type]
    return Request(text="lunyu", actions=(action,))


def second(question: dict[str, object]) -> str:
    return str(question["choices"][1]["words"])  # type: ignore[index]


def test_an_answer_is_one_table_and_the_page_is_mended(session: Session) -> None:
    before, question = files(session), asked(session)
    told = session.decide(choose(question, second(question), "low"), "editors")
    after = files(session)
    assert {name for name in after if after[name] != before.get(name)} == {"decisions/lemmas.toml"}
    written = after["decisions/lemmas.toml"].decode()
    assert written == told["edits"][0]["come"][0] and written.startswith("[[lemma]]\n") and WHY in written
    part, = told["parts"]
    assert part["html"].startswith("<article>") and "存疑" in part["html"] and told["misfits"] == []
    assert session.entry("lunyu", str(question["id"]))["kind"] == "doubt"


def test_a_mended_part_is_what_a_build_makes_of_it(session: Session) -> None:
    question = asked(session)
    part, = session.decide(choose(question, second(question)), "editors")["parts"]
    assert build_stale(session.root, LATER) == ""
    page = (session.site / "lunyu" / f"{part['page']}.html").read_text(encoding="utf-8")
    inside = part["html"].removeprefix("<article>").strip().removesuffix("</article>").strip()
    assert inside in page


def test_a_mended_part_has_its_translations(session: Session) -> None:
    question = asked(session)
    path = session.root / "tei" / "translations" / "lunyu" / "en" / "01.txt"
    path.parent.mkdir(parents=True)
    own = walk(session.desk_text("lunyu").document)
    unit, words = next((each.id.partition(".")[2], counted(each.content)) for each in own
                       if isinstance(each, Unit) and each.id == question["unit"])
    path.write_text(f"# resp: editors\n{unit}\t{words}\tThe Master said.\n", encoding="utf-8")
    part, = session.decide(choose(asked(session), second(question)), "editors")["parts"]
    assert "The Master said." in part["html"]


def faults(session: Session) -> list[dict[str, object]]:
    """What every window is told of files that cannot be read."""
    told = session.overview("lunyu", "editors")["conflicts"]
    assert told == session.overview("lunyu", "editors")["conflicts"]
    return [row for row in told if row["kind"] == "fault"]


@pytest.mark.parametrize(("name", "damage", "line"), [
    ("decisions/lemmas.toml", lambda text: f"{text}[[lemma\n", True),
    ("decisions/lemmas.toml", lambda text: text.replace("why =", "wy ="), True),
    ("decisions/lemmas.toml", lambda text: text.replace(f'"{WHY}"', f'"{WHY}'), True),
    ("persons.toml", lambda text: f"{text}[[person]\n", True),
    ("editions/lunyu.toml", lambda text: text.replace("witnesses = ", "witnesses ="[:4] + " "), True),
    ("catalog.toml", lambda text: text.replace("[project]", "[projekt]"), True),
])
def test_of_a_file_that_cannot_be_read_everything_stays_and_the_place_is_opened(
    session: Session, name: str, damage: Callable[[str], str], line: bool,
) -> None:
    session.decide(choose(asked(session), second(asked(session))), "editors")
    before, state = session.overview("lunyu", "editors"), session.state
    path = session.root / "tei" / name
    whole = path.read_text(encoding="utf-8")
    path.write_text(damage(whole), encoding="utf-8")
    assert session.news("lunyu", "1", state)["state"] > state
    fault, *_ = faults(session)
    assert (fault["path"], bool(fault["line"])) == (f"tei/{name}", line)
    assert str(fault["table"]) in path.read_text(encoding="utf-8") and fault["table"]
    assert session.overview("lunyu", "editors")["open"] == before["open"]
    assert session.entry("lunyu", before["open"][0]["id"])["choices"]
    with pytest.raises(JiaokanError):
        session.decide(choose(asked(session, 1), second(asked(session, 1))), "editors")
    assert path.read_text(encoding="utf-8") == damage(whole)
    start = damage(whole).rindex(str(fault["table"]))
    rest = whole[start : len(whole) - (len(damage(whole)) - start - len(str(fault["table"])))]
    session.repair(Repair(path=f"tei/{name}", was=str(fault["table"]), text=rest), "editors")
    assert path.read_text(encoding="utf-8").strip() == whole.strip() and faults(session) == []
    assert session.decide(choose(asked(session, 1), second(asked(session, 1))), "editors")["edits"]


def test_a_file_that_is_moved_away_and_back_is_seen(session: Session) -> None:
    def count() -> int:
        return sum(row["kind"] == "decided" for row in session.overview("lunyu", "editors")["open"])

    question, before = asked(session), count()
    session.decide(choose(question, second(question)), "editors")
    path, aside = session.root / "tei" / "decisions" / "lemmas.toml", session.root / "lemmas.toml"
    for source, target, more in ((path, aside, 0), (aside, path, 1)):
        source.rename(target)
        state = session.state
        assert session.news("", "", state)["state"] > state  # also on pages of no chapter
        assert count() == before + more


def test_only_a_file_that_cannot_be_read_is_repaired_and_in_nobody_elses_name(session: Session) -> None:
    question = asked(session)
    session.decide(choose(question, second(question)), "editors")
    path = session.root / "tei" / "decisions" / "lemmas.toml"
    table = path.read_text(encoding="utf-8")
    for name in ("tei/decisions/lemmas.toml", "tei/catalog.toml", "../other.toml", "build/x"):
        with pytest.raises(DecisionError):
            session.repair(Repair(path=name, was=table, text="x"), "editors")
    path.write_text(f"{table}x\n", encoding="utf-8")
    fault, = faults(session)
    for was, text in ((fault["table"], str(fault["table"]).replace('"editors"', '"zhuxi"')), ("nowhere", table)):
        with pytest.raises(DecisionError):
            session.repair(Repair(path=str(fault["path"]), was=str(was), text=text), "editors")
    session.repair(Repair(path=str(fault["path"]), was=str(fault["table"]), text="y\n"), "editors")
    assert faults(session)[0]["table"] == "y"
    session.turn("undo", "lunyu", "editors")


def test_what_was_decided_is_taken_back_and_done_again_also_in_another_sitting(session: Session) -> None:
    before, page = files(session), session.desk_text("lunyu").part("1", ["lunyu.1"])
    question = asked(session)
    session.decide(choose(question, second(question)), "editors")
    decided = files(session)
    later = Session(session.root)
    assert later.turn("undo", "lunyu", "editors")["what"]
    assert {**files(later), "editions/lunyu.xml": b""} == {**before, "editions/lunyu.xml": b""}
    assert later.desk_text("lunyu").part("1", ["lunyu.1"]) == page
    later.turn("redo", "lunyu", "editors")
    assert files(later)["decisions/lemmas.toml"] == decided["decisions/lemmas.toml"]


def test_others_lines_stay_and_the_same_table_is_not_overwritten(session: Session) -> None:
    question = asked(session)
    told = session.decide(choose(question, second(question)), "editors")
    path = session.root / "tei" / "decisions" / "lemmas.toml"
    theirs = "# 他人所记\n\n" + path.read_text(encoding="utf-8") + "\n# 末\n"
    path.write_text(theirs, encoding="utf-8")
    session.turn("undo", "lunyu", "editors")
    assert path.read_text(encoding="utf-8") == "# 他人所记\n\n# 末\n"
    session.turn("redo", "lunyu", "editors")
    path.write_text(path.read_text(encoding="utf-8").replace(WHY, "他说"), encoding="utf-8")
    with pytest.raises(DecisionError, match="somebody else"):
        session.turn("undo", "lunyu", "editors")
    table = told["edits"][0]["come"][0]
    with pytest.raises(DecisionError, match="somebody else"):
        session.decide(Request(text="lunyu", actions=(
            Withdraw(path="tei/decisions/lemmas.toml", table=table),)), "editors")
    assert "他说" in path.read_text(encoding="utf-8")


@pytest.mark.parametrize(("request_", "said"), [
    (Request(text="lunyu", actions=(Decide(kind="what", said={}),)), "unknown kind"),
    (Request(text="lunyu", actions=(Decide(kind="lemma", said={}),)), "required field"),
    (Request(text="lunyu", actions=(Choose(entry="x", context="", words="", why=""),)), "has changed"),
    (Request(text="lunyu", actions=(Withdraw(path="tei/decisions/../catalog.toml", table=""),)),
     "not a file of decisions"),
    (Request(text="other", actions=()), "unknown edition"),
])
def test_what_cannot_be_decided_writes_nothing(session: Session, request_: Request, said: str) -> None:
    before = files(session)
    with pytest.raises(DecisionError, match=said):
        session.decide(request_, "editors")
    assert files(session) == before


def test_a_decision_that_does_not_fit_is_not_kept(session: Session) -> None:
    before = files(session)
    lemma = Decide(kind="lemma", said={"unit": "lunyu.1.1.1", "context": "此处[无]文", "reading": "有", "why": "试"})
    with pytest.raises(DecisionError, match="does not fit"):
        session.decide(Request(text="lunyu", actions=(lemma,)), "editors")
    assert files(session) == before


TWICE = """lemma lemma2, lemma2 lemma, lemma reject, lemma emendation, lemma2 emendation, class class2, class lemma2,
class reject, reject lemma, reject lemma2, reject class, reject emendation, emendation lemma, emendation reject,
note reject"""
"""Two decisions on one entry that contradict each other; 2: on its second reading, or another class."""


@pytest.mark.parametrize("pair", TWICE.split(","))
def test_a_second_decision_that_contradicts_one_is_refused_and_names_it(session: Session, pair: str) -> None:
    question, (first, then) = asked(session), pair.split()

    def request(name: str) -> Request:
        kind, now = name.rstrip("2"), session.questions("lunyu")[str(question["id"])]
        said = {key: question[key] for key in ("unit", "speaker", "context")} | {"why": WHY}
        if kind in ("lemma", "class"):
            said["reading"] = question["lemma"] if name == "lemma" else second(question)
        more = {"class": {"variant": "loan" if name == "class2" else "corruption"}, "emendation": {"reading": "某"}}
        return Request(text="lunyu", actions=(Decide(
            kind=kind, entry=str(question["id"]), context=now.entry.context, said={**said, **more.get(kind, {})}),))

    session.decide(request(first), "editors")
    before = files(session)
    with pytest.raises(DecisionError, match=rf"contradicts the \[\[{first.rstrip('2')}\]\].*lemmas.toml:1 \({WHY}\)"):
        session.decide(request(then), "editors")
    assert files(session) == before


@pytest.mark.parametrize("why", ["\0", "\ufffe", "\x85", "\x1b[31m", "\u202e"])
def test_what_no_file_can_hold_is_not_written(session: Session, why: str) -> None:
    question, before = asked(session), files(session)
    action = structs.replace(choose(question, second(question)).actions[0], why=why)
    with pytest.raises(DecisionError, match=r"`why` contains U\+"):
        session.decide(Request(text="lunyu", actions=(action,)), "editors")
    assert files(session) == before


def test_a_conflict_is_told_and_can_be_withdrawn(session: Session) -> None:
    path = session.root / "tei" / "decisions" / "lemmas.toml"
    table = ('[[lemma]]\nunit = "lunyu.1.1.1"\ncontext = "此处[无]文"\nreading = "有"\nresp = "editors"\nwhy = "试"\n'
             'when = "2026-11-22"\ncert = "low"\n')
    path.write_text(table, encoding="utf-8")
    conflict, = session.news("lunyu", "1", 0) and session.overview("lunyu", "editors")["conflicts"]
    assert "stands 0 times" in conflict["reason"] and conflict["table"] == table.strip()
    withdraw = Withdraw(path=conflict["path"], table=conflict["table"])
    told = session.decide(Request(text="lunyu", actions=(withdraw,)), "editors")
    assert told["conflicts"] == [] and path.read_text(encoding="utf-8") == ""


READ = Decide(kind="correction", said={
    "source": "jizhu", "context": "致饰于外", "sic": "饰", "corr": "飾", "why": "试", "cert": "low"})
PAIR = Decide(kind="pair", said={"left": "之", "right": "也", "variant": "corruption", "why": "试", "cert": "low"})


@pytest.mark.parametrize(("action", "path", "shows"), [
    (READ, "decisions/text-jizhu.toml", "<ins[^>]*>飾</ins>"), (PAIR, "decisions/characters.toml", "讹"),
], ids=["correction", "pair"])
def test_what_is_decided_of_a_source_or_of_characters_is_shown_at_once(
    session: Session, action: Decide, path: str, shows: str,
) -> None:
    before = files(session)
    told = session.decide(Request(text="lunyu", actions=(action,)), "editors")
    after = files(session)
    decided = {name for name in after if name.startswith("decisions/") and after[name] != before.get(name)}
    assert decided == {path} and any(re.search(shows, part["html"]) for part in told["parts"])
    anew = open_text(session.desk_text("lunyu").plan, session.catalog, ReceivedSources(session.catalog))
    assert session.desk_text("lunyu").document == anew.document  # what was collated again with what was kept
    session.turn("undo", "lunyu", "editors")
    assert files(session) == before


STALE = """# 记
[[correction]]
source = "jizhu"
context = "此处无文"
sic = "无"
corr = "有"
resp = "editors"
why = "试"
cert = "low"
"""


def test_a_decision_of_others_that_fits_its_source_no_more_can_be_written_anew(session: Session) -> None:
    session.desk_text("lunyu")
    path = session.root / "tei" / "decisions" / "text-jizhu.toml"
    path.write_text(STALE, encoding="utf-8")
    session.refresh()
    conflict, = session.conflicts("lunyu")
    assert conflict["kind"] == "source" and conflict["table"] == STALE.strip()
    assert session.conflicts("lunyu") == Session(session.root).conflicts("lunyu")  # such a desk opens, too
    assert session.tasks("lunyu", "glyph", "editors") == {"tasks": []}

    def rewritten(written: str) -> Request:
        rewrite = Amend(path=conflict["path"], table=conflict["table"], written=written)
        return Request(text="lunyu", actions=(rewrite,))

    for wrong, said in ((STALE.replace("corr =", "korr ="), "korr"), ("[[what]]", "expected one table"),
                        ("x", "expected one table"), (STALE + STALE, "expected one table"),
                        (STALE.replace('"editors"', '"nobody"'), "nobody"),
                        ('[[pair]]\nleft = "a"\nright = "b"\nvariant = "loan"\nresp = "editors"\nwhy = "x"\n',
                         "cannot contain .*pair")):
        with pytest.raises(DecisionError, match=said):
            session.decide(rewritten(wrong), "editors")
        assert path.read_text(encoding="utf-8") == STALE
    mended = STALE.replace("此处无文", "致饰于外").replace('"无"', '"饰"').replace('"有"', '"飾"')
    told = session.decide(rewritten(mended), "editors")
    assert told["conflicts"] == [] and any(re.search("<ins[^>]*>飾</ins>", part["html"]) for part in told["parts"])
    assert path.read_text(encoding="utf-8") == mended


def test_a_decision_that_says_another_unit_is_anchored_where_it_was_applied(session: Session) -> None:
    path = session.root / "tei" / "decisions" / "lemmas.toml"
    question = asked(session)
    written = session.decide(choose(question, second(question)), "editors")["edits"][0]["come"][0]
    unit = str(question["unit"])
    path.write_text(written.replace(f'"{unit}"', f'"{unit.rpartition(".")[0]}.99"'), encoding="utf-8")
    session.refresh()
    moved, = session.conflicts("lunyu")
    if moved["kind"] == "moved":
        rewrite = Amend(path=moved["path"], table=moved["table"], written=moved["mended"])
        told = session.decide(Request(text="lunyu", actions=(rewrite,)), "editors")
        assert told["conflicts"] == [] and path.read_text(encoding="utf-8") == written


def test_what_is_outside_of_sections_is_set_alone(session: Session) -> None:
    kept = session.desk_text("lunyu")
    whole, = kept.part("1", ["lunyu.1"])
    around, = kept.part("1", [f"lunyu.1{OUTSIDE}"])
    ours, theirs = html.fromstring(whole.html), html.fromstring(around.html)
    assert [each.get("id") for each in ours] == [each.get("id") for each in theirs]
    others = [[html.tostring(each) for each in page if each.tag != "section"] for page in (ours, theirs)]
    assert others[0] == others[1] and len(around.html) < len(whole.html)


def test_a_correction_that_does_not_fit_its_source_is_not_kept(session: Session) -> None:
    before = files(session)
    wrong = Decide(kind="correction", said={**READ.said, "context": "无此饰文"})
    with pytest.raises(DecisionError, match="no longer fits"):
        session.decide(Request(text="lunyu", actions=(wrong,)), "editors")
    assert files(session) == before


def test_several_at_once_are_one_step(session: Session) -> None:
    before = files(session)
    questions = [asked(session, number) for number in range(4)]
    actions = tuple(action for each in questions for action in choose(each, second(each)).actions)
    told = session.decide(Request(text="lunyu", actions=actions), "editors")
    text = (session.root / "tei" / "decisions" / "lemmas.toml").read_text(encoding="utf-8")
    assert len(told["edits"][0]["come"]) == text.count("[[lemma]]") == 4
    session.turn("undo", "lunyu", "editors")
    assert files(session) == before


KINDS_HERE = (
    Decide(kind="class", said={"reading": "", "variant": "corruption", "why": "试"}),
    Decide(kind="reject", said={"why": "试"}), Decide(kind="note", said={"why": "试"}),
    Decide(kind="emendation", said={"reading": "某", "why": "试"}),
)


@pytest.mark.parametrize("action", KINDS_HERE, ids=[each.kind for each in KINDS_HERE])
def test_each_kind_on_an_entry_is_written_fits_and_goes(session: Session, action: Decide) -> None:
    before, question = files(session), asked(session, 1)
    said = {**action.said, "reading": second(question)} if action.kind == "class" else action.said
    own = structs.replace(action, entry=str(question["id"]), context=str(question["context"]), said=said)
    two_editors(session.root)
    told = session.decide(Request(text="lunyu", actions=(own,)), "yi")
    assert told["misfits"] == [] and f"[[{action.kind}]]" in told["edits"][0]["come"][0]
    assert 'resp = "yi"' in told["edits"][0]["come"][0]
    assert session.turn("undo", "lunyu", "jia")["what"] == ""  # it is not theirs
    session.turn("undo", "lunyu", "yi")
    assert [name for name, data in files(session).items() if data != before.get(name)] == ["catalog.toml",
                                                                                          "persons.toml"]


TARGET = Decide(kind="target", said={"source": "jizhu", "context": "时复思绎", "words": "学而时习之", "why": "试"})


def test_what_a_note_is_on_is_decided_and_taken_back(session: Session) -> None:
    before = files(session)
    found = session.selected("jizhu", "时复思绎", "程子曰学习重，习也")["selected"]["jizhu"]
    assert found["sic"] in found["context"]
    told = session.decide(Request(text="jizhu", actions=(TARGET,)), "editors")
    note, = [each for each in walk(session.desk_text("jizhu").document)
             if isinstance(each, Note) and "时复思绎" in counted(each.content)]
    assert note.target == "words:jizhu.1.1.1/2/5"
    assert told["edits"][0]["path"] == "tei/decisions/targets-jizhu.toml"
    session.turn("undo", "jizhu", "editors")
    assert files(session) == before


def test_other_open_work_is_listed_by_its_place(session: Session) -> None:
    marks = session.root / "tei" / "punctuation" / "jizhu" / "01.txt"
    marks.parent.mkdir(parents=True)
    marks.write_text("# resp: zhuxi\n# when: 2026-11-22\n1.1.1\t子曰：?学而时习之不亦说乎。\n", encoding="utf-8")
    session.refresh()
    row, = session.tasks("jizhu", "mark", "editors")["tasks"]
    assert (row["id"], row["by"], row["told"], row["lemma"]) == ("jizhu.1.1.1", "zhuxi", "1 ?", "学")
    source = session.root / "tei" / "decisions" / "text-jizhu.toml"
    assert not source.exists() and session.tasks("jizhu", "finding", "editors")["tasks"] == []
    glyphs = session.tasks("lunyu", "glyph", "editors")["tasks"]
    assert all(each["form"] is None or each["form"]["kind"] for each in glyphs)
    chapter, = session.overview("jizhu", "editors")["chapters"]
    assert chapter["typed"] == 1 < chapter["all"]


def test_the_same_is_not_decided_twice(session: Session) -> None:
    session.decide(Request(text="lunyu", actions=(PAIR,)), "editors")
    before = files(session)
    with pytest.raises(DecisionError, match="already exists"):
        session.decide(Request(text="lunyu", actions=(PAIR,)), "editors")
    assert files(session) == before


def test_the_token_for_the_browser_opens_the_desk_once() -> None:
    guard = Guard(Starlette(), hosts=("localhost",), token="secret")
    ticket = guard.ticket()

    def answers(token: str) -> list[Message]:
        scope = {"type": "http", "method": "GET", "path": "/", "headers": [(b"host", b"localhost:8765")],
                 "scheme": "http", "query_string": f"token={token}".encode()}
        return request(guard, scope)

    first = answers(ticket)[0]
    assert first["status"] == 303 and b"jiaokan-desk-8765=secret;" in dict(first["headers"])[b"set-cookie"]
    assert [answers(token)[0]["status"] for token in (ticket, "", "guess", "secret")] == [403, 403, 403, 303]


@pytest.mark.thorough
def test_the_first_decision_in_a_chapter_with_abridged_notes_elsewhere_is_shown(tmp_path: Path) -> None:
    """The notes of the section are set alone; the 校勘记 of the others speaks of notes that are not there then."""
    shutil.copytree(Path(__file__).parents[1] / "tei", tmp_path / "tei")
    desk = Session(tmp_path)
    kept = desk.desk_text("yili")
    abridged = {row.id for chapter in kept.document.divisions for row in kept.collation_notes(chapter)
                if row.kind == "abridged"}
    sections = {".".join(each.split(".")[:3]) for each in abridged}
    chapters = {section.rpartition(".")[0] for section in sections}
    row = next(row for row in desk.overview("yili", "editors")["open"] if row["chapter"] in chapters
               and ".".join(row["id"].split(".")[:3]) not in sections)
    remark = Decide(kind="note", entry=row["id"], context=row["context"], said={"why": WHY})
    told = desk.decide(Request(text="yili", actions=(remark,)), "editors")
    assert WHY in "".join(part["html"] for part in told["parts"])
