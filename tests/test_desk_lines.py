"""Marks and names typed at the desk: one row of a file, its words held, undone to the byte, others' rows kept."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jiaokan.decisions.punctuation.files import insert_line, parse, remove_line
from jiaokan.desk.journal import Clash
from jiaokan.desk.requests import Request, Type
from jiaokan.desk.session import LATER, Session, build_stale
from jiaokan.errors import DecisionError
from tests.filing import two_editors

UNIT, WORDS = "1.1.1", "子曰学而时习之不亦说乎"
TYPED = "子曰：“学而时习之，不亦说乎？”"
HEAD = "# resp: editors\n# when: 2026-11-22\n# cert: medium\n# evidence: by reading\n"


def write(desk: Session, text: str, line: str, *, was: str | None = None, who: str = "editors",
          unit: str = UNIT) -> dict[str, object]:
    name = f"{desk.desk_text(text).document.id}.{unit}"
    action = Type(id=name, was=desk.line(text, name)["was"] if was is None else was, line=line)
    return desk.decide(Request(text=text, actions=(action,)), who)


def test_a_line_is_typed_changed_and_taken_back(session: Session) -> None:
    path = session.root / "tei" / "punctuation" / "lunyu" / "01.txt"
    told = write(session, "lunyu", TYPED)
    first = path.read_text(encoding="utf-8")
    assert first.count("\n") == 5 and first.endswith(f"\n{UNIT}\t{TYPED}\n") and first.startswith("# resp: editors\n")
    assert "学而时习之<i" in str(told["parts"]) and told["conflicts"] == []
    write(session, "lunyu", "有朋自远方来，不亦乐乎？", unit="1.1.2")
    write(session, "lunyu", TYPED.replace("，", "；"))
    assert path.read_text(encoding="utf-8").splitlines()[4:] == [
        f"{UNIT}\t{TYPED.replace('，', '；')}", "1.1.2\t有朋自远方来，不亦乐乎？"]
    for _ in range(3):
        assert session.turn("undo", "lunyu", "editors")["what"]
    assert not path.exists()


def test_a_reading_edition_has_a_desk_too(session: Session) -> None:
    assert session.overview("jizhu", "editors")["open"] == []
    told = write(session, "jizhu", TYPED)
    part, = told["parts"]  # type: ignore[misc]
    assert build_stale(session.root, LATER) == ""
    page = (session.site / "jizhu" / f"{part['page']}.html").read_text(encoding="utf-8")
    assert part["html"].removeprefix("<article>").strip().removesuffix("</article>").strip() in page


WRONG = (
    (TYPED.replace("习", "𥡝"), 8, "has 「习」"), (TYPED[:-3], 13, "nothing"),
    (TYPED.replace("，", ","), 10, "not a mark"),
    (TYPED.replace("”", ""), 4, "not closed"), (TYPED.replace("子", "_子|nobody_"), 1, "unknown id"),
)


def test_what_is_no_punctuation_is_refused_at_its_place(session: Session) -> None:
    for line, column, said in WRONG:
        first = session.check_line("lunyu", f"lunyu.{UNIT}", line)["faults"][0]
        assert said in first["message"] and first["column"] == column
        with pytest.raises(DecisionError, match=f"character {column}: "):
            write(session, "lunyu", line)
    assert not (session.root / "tei" / "punctuation").exists()


def test_two_who_type_one_line_are_shown_both(session: Session) -> None:
    write(session, "lunyu", TYPED)
    with pytest.raises(Clash) as clash:
        write(session, "lunyu", f"{WORDS}。", was="")
    assert clash.value.mine == f"{UNIT}\t{WORDS}。" and clash.value.theirs == f"{UNIT}\t{TYPED}"
    two_editors(session.root)
    write(session, "lunyu", f"{WORDS}。", was=clash.value.theirs, who="yi")
    text = (session.root / "tei" / "punctuation" / "lunyu" / "01.txt").read_text(encoding="utf-8")
    assert TYPED not in text and "# resp: yi\n" in text


def test_what_the_program_proposed_is_shown_and_taken(session: Session) -> None:
    path = session.root / "tei" / "punctuation" / "lunyu" / "01.txt"
    path.parent.mkdir(parents=True)
    path.write_text(f"{HEAD}1.1.2\t有朋自远方来，不亦乐乎？\n\n{HEAD.replace('editors', 'jiaokan')}"
                    f"{UNIT}\t{WORDS[:7]}，?{{model 0.6}}{WORDS[7:]}。{{end}}\n", encoding="utf-8")
    line = session.line("lunyu", f"lunyu.{UNIT}")
    assert line["line"] == WORDS and line["proposal"]["line"] == f"{WORDS[:7]}，{WORDS[7:]}。"
    assert [each["low"] for each in line["proposal"]["marks"]] == [True, False]
    before = path.read_bytes()
    write(session, "lunyu", line["proposal"]["line"])
    text = path.read_text(encoding="utf-8")
    assert f"{UNIT}\t{WORDS[:7]}，{WORDS[7:]}。\n" in text and "model" not in text
    session.turn("undo", "lunyu", "editors")
    assert path.read_bytes() == before


heads = st.sampled_from((HEAD, HEAD.replace("editors", "zhuxi"), HEAD.replace("medium", "low"),
                         HEAD.replace("editors", "jiaokan")))
rows = st.lists(st.tuples(st.integers(1, 9), st.sampled_from("。，；")), max_size=4)
blocks = st.lists(st.tuples(heads, rows), max_size=4)


@given(blocks, heads, st.integers(10, 12))
def test_a_piece_stands_under_its_head_and_nothing_else_changes(
    made: list[tuple[str, list[tuple[int, str]]]], head: str, number: int,
) -> None:
    text = "\n".join(head + "".join(f"1.{n}\t甲{mark}\n" for n, mark in lines) for head, lines in made)
    piece = f"{head}1.{number}\t乙。"
    after = insert_line(text, piece)
    before, now = (parse(Path("x"), each.split("\n"), ["zhuxi"])[0] for each in (text, after))
    new = [each for each in now if each.text.graphs == "乙"]
    assert len(new) == 1 and "\n".join(new[0].basis.head()) + "\n" == head
    assert [(each.ref, each.text, each.basis) for each in now if each is not new[0]] == [
        (each.ref, each.text, each.basis) for each in before]
    taken = remove_line(after, piece)
    assert taken is not None and [(e.ref, e.basis) for e in parse(Path("x"), taken.split("\n"), ["zhuxi"])[0]] == [
        (each.ref, each.basis) for each in before]
