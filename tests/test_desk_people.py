"""Several editors on one desk: who decides where, comments, approval, second decisions; guesses on a new folder."""

from __future__ import annotations

import re
import tomllib
from typing import Any

import pytest
from lxml import etree

from jiaokan.decisions.kinds import load
from jiaokan.decisions.tables import EditorsRemark, Lemma, Second
from jiaokan.desk.requests import Action, Amend, Answer, Approve, Choose, Decide, Request, Set, Withdraw
from jiaokan.desk.session import LATER, Session, build_stale
from jiaokan.errors import DecisionError, JiaokanError
from tests.filing import two_editors

pytestmark = pytest.mark.long
TEI = {"t": "http://www.tei-c.org/ns/1.0"}


@pytest.fixture
def desk(session: Session) -> Session:
    two_editors(session.root)
    session.refresh()
    return session


def do(desk: Session, who: str, *actions: Action) -> dict[str, Any]:
    return desk.decide(Request(text="lunyu", actions=actions), who)


def question(desk: Session, number: int = 0) -> dict[str, Any]:
    return desk.entry("lunyu", desk.overview("lunyu", "jia")["open"][number]["id"])


def chosen(asked: dict[str, Any], *, proposed: bool = False) -> Choose:
    return Choose(entry=asked["id"], context=asked["context"], words=asked["choices"][1]["words"], why="试",
                  proposed=proposed)


def test_only_editors_sign_in_and_decide(session: Session) -> None:
    """A commentator is a person of the folder, but does not sign decisions."""
    assert session.overview("lunyu", "")["persons"] == [{"id": "editors", "name": ""}]
    two_editors(session.root)
    session.refresh()
    told = session.overview("lunyu", "zhuxi")
    assert [each["id"] for each in told["persons"]] == ["jia", "yi"] and told["who"] == ""
    asked = question(session)
    for who in ("", "zhuxi", "editors", "bing"):
        with pytest.raises(DecisionError, match=r"not an editor|nobody is signed in"):
            do(session, who, chosen(asked))
        with pytest.raises(DecisionError, match=r"not an editor|nobody is signed in"):
            session.turn("undo", "lunyu", who)
    assert do(session, "jia", chosen(asked))["edits"]


def test_in_an_assigned_chapter_others_only_comment(desk: Session) -> None:
    asked = question(desk)
    give = Decide(kind="assigned", said={"unit": "lunyu:1", "person": "yi", "why": "分工"})
    with pytest.raises(DecisionError, match="'zhuxi' is not an editor"):
        do(desk, "jia", Decide(kind="assigned", said={"unit": "lunyu:1", "person": "zhuxi", "why": "分工"}))
    assert do(desk, "jia", give)["assigned"] == {"lunyu.1": "yi"}
    path = "tei/decisions/lemmas.toml"
    for action in (chosen(asked), Withdraw(path=path, table='[[lemma]]\nunit = "lunyu:1.1.1"\n'),
                   Amend(path=path, table='[[lemma]]\nunit = "lunyu.1.1.1"\n', written="")):
        with pytest.raises(DecisionError, match="assigned to 乙某"):
            do(desk, "jia", action)
    remark = Decide(kind="comment", entry=asked["id"], context=asked["context"], said={"why": "何据？"})
    assert do(desk, "jia", remark)["commented"] == [asked["id"]]
    answer = Decide(kind="comment", entry=asked["id"], context=asked["context"], said={"why": "据皇本"})
    do(desk, "yi", answer, chosen(asked))
    thread = desk.entry("lunyu", asked["id"])["comments"]
    assert [(each["resp"], each["why"]) for each in thread] == [("jia", "何据？"), ("yi", "据皇本")]
    assert len(load(desk.root, EditorsRemark)) == 2 and len(load(desk.root, Lemma)) == 1


def test_what_one_proposes_another_approves_and_the_header_says_so(desk: Session) -> None:
    asked = question(desk)
    told = do(desk, "jia", chosen(asked, proposed=True))
    assert told["proposed"] == [asked["id"]]
    path, table = told["edits"][0]["path"], told["edits"][0]["come"][0]
    assert "proposed = true\n" in table
    said = [(each.get("status"), each.get("who")) for each in changes(desk)]
    assert said == [("proposed", "#jia"), (None, "#jiaokan")]
    with pytest.raises(DecisionError, match="of their own"):
        do(desk, "jia", Approve(path=path, table=table))
    with pytest.raises(DecisionError, match="not approved yet"):
        do(desk, "jia", Amend(path=path, table=table, written=f'{table}approved = "yi"\n'))
    with pytest.raises(DecisionError, match="names another person"):
        do(desk, "yi", Amend(path=path, table=table.replace('"jia"', '"zhuxi"'), written=table))
    told = do(desk, "yi", Approve(path=path, table=table))
    made = load(desk.root, Lemma)[0].decision
    assert (made.proposed, made.approved, made.resp, told["proposed"]) == (False, "yi", "jia", [])
    change, _ = changes(desk)
    assert (change.get("status"), change.get("who"), change.get("target")) == ("approved", "#yi", f"#{made.id}")
    assert change.get("when") == str(made.approved_when)
    desk.turn("undo", "lunyu", "yi")
    assert (desk.root / path).read_text(encoding="utf-8") == table


def changes(desk: Session) -> list[Any]:
    assert build_stale(desk.root, LATER) == ""
    tree = etree.parse(desk.root / "tei" / "editions" / "lunyu.xml")
    assert not tree.xpath("//t:change/@target[not(id(substring(., 2)))]", namespaces=TEI)
    return tree.xpath("//t:revisionDesc/t:change", namespaces=TEI)  # type: ignore[no-any-return]


def test_a_second_editor_decides_without_seeing_the_first(desk: Session) -> None:
    first, other = question(desk, 0), question(desk, 1)
    do(desk, "jia", chosen(first), chosen(other))
    assert desk.tasks("lunyu", "second", "jia")["tasks"] == []  # nobody decides their own again
    rows = desk.tasks("lunyu", "second", "yi")["tasks"]
    assert {row["id"] for row in rows} >= {first["id"], other["id"]}
    assert rows == desk.tasks("lunyu", "second", "bing")["tasks"]
    shown = desk.second("lunyu", first["id"])
    assert "试" not in str(shown) and "jia" not in str(shown)
    assert [each["words"] for each in shown["choices"]] == sorted(each["words"] for each in shown["choices"])
    for asked, n in ((first, 1), (other, 0)):
        do(desk, "yi", Answer(entry=asked["id"], words=asked["choices"][n]["words"], why="再看"))
    told = desk.tasks("lunyu", "second", "yi")
    assert {row["id"] for row in told["tasks"]}.isdisjoint({first["id"], other["id"]})
    assert (told["agreement"]["count"], told["agreement"]["same"]) == (2, 1)
    apart, = told["agreement"]["apart"]
    assert apart["first"] == other["choices"][1]["words"] and apart["second"] == other["choices"][0]["words"]
    assert len(load(desk.root, Second)) == 2
    with pytest.raises(DecisionError, match="is not a reading"):
        do(desk, "yi", Answer(entry=first["id"], words="无此字", why="再看"))


def test_settings_of_a_new_folder_are_answered_and_taken_back(desk: Session) -> None:
    path = desk.root / "tei" / "editions" / "lunyu.toml"
    before = path.read_bytes()
    base, = (each for each in desk.folder()["settings"] if each["name"] == "base")
    assert base["value"] == "jijie" and set(base["choices"]) == {"jijie", "yishu", "jizhu"}
    said = Set(path=base["path"], key=base["key"], was="jijie", value="yishu")
    told = do(desk, "jia", said)
    assert told["edits"] == [{"path": base["path"], "gone": ['base = "jijie"'], "come": ['base = "yishu"']}]
    assert tomllib.loads(path.read_text("utf-8"))["chapters"][0]["base"] == "yishu"
    assert re.sub(rb"yishu(?=\"\nwit)", b"jijie", path.read_bytes()) == before
    unknown = Set(path=base["path"], key=base["key"], was="yishu", value="x")
    for wrong, why in ((said, "somebody else"), (unknown, "allowed"),
                       (Set(path="tei/catalog.toml", key=("project", "title"), was="", value="x"), "somebody else")):
        with pytest.raises(JiaokanError, match=why):
            do(desk, "jia", wrong)
    desk.turn("undo", "lunyu", "jia")
    assert path.read_bytes() == before and desk.catalog.editions["lunyu"].chapters[0].base == "jijie"
