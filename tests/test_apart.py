"""A function in a process of its own: result, error, end."""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from pathlib import Path

import pytest

from jiaokan.errors import JiaokanError, RenderError
from jiaokan.outputs import OutputSettings, pdf
from jiaokan.system import xslt
from jiaokan.system.listing import resource
from jiaokan.system.process import apart, can_fork, serve_alone, workers
from jiaokan.system.xslt import transform
from tests.plans import print_plan

pytestmark = pytest.mark.starts
SAMPLE = (Path(__file__).parent / "cases" / "tei" / "sample.xml").read_bytes()


def test_it_gives_what_the_function_gives() -> None:
    assert apart("礼记".replace, "记", "经") == "礼经"
    assert apart(resource, "xslt") == resource("xslt")


def test_the_page_is_the_same() -> None:
    settings = OutputSettings(print=print_plan(layout="traditional"))
    assert apart(pdf.typst_source, SAMPLE, settings) == pdf.typst_source(SAMPLE, settings)


def test_an_error_comes_back_whole() -> None:
    with pytest.raises(RenderError, match="DTD") as caught:
        apart(transform, "xslt/prepare/keep.xsl", b"<!DOCTYPE a><a/>")
    assert "DOCTYPE" in caught.value.mend


def test_a_process_that_ends_is_an_error() -> None:
    with pytest.raises(JiaokanError, match="a process ended"):
        apart(os._exit, 3)
    with pytest.raises(JiaokanError, match="ValueError"):
        apart(int, "x")


def _family() -> tuple[int, int, int]:
    return os.getpid(), apart(os.getppid), apart(os.getpid)


def _after_saxon() -> tuple[bool, bool]:
    before = can_fork()
    with suppress(RenderError):  # it is no TEI
        transform("xslt/prepare/keep.xsl", b"<a/>")
    return before, can_fork()


@pytest.mark.skipif(sys.platform != "linux", reason="other systems start Python")
def test_a_worker_is_forked_until_it_has_threads() -> None:
    with workers(1, serve_alone) as pool:
        worker, parent, child = pool.submit(_family).result()
        assert worker == parent != child
        with pytest.raises(RenderError, match="DTD"):
            pool.submit(apart, transform, "xslt/prepare/keep.xsl", b"<!DOCTYPE a><a/>").result()
        with pytest.raises(JiaokanError, match="a process ended: 3"):
            pool.submit(apart, os._exit, 3).result()
        assert pool.submit(_after_saxon).result() == (True, False)
        worker, parent, child = pool.submit(_family).result()
        assert worker == parent != child
    assert not can_fork()


def test_the_report_of_a_stylesheet_begins_with_its_error_whatever_saxon_loads() -> None:
    loading = "".join(f"Loading {name} ...\n" for name in ("BasicLatin", "Latin-1Supplement", "Greek", "Han", "Kana"))
    error = "Error at char 3 in expression on line 4 of a.xsl:\n  FORG0001 Cannot convert 鼎\n     invoked by x\n"
    expected = ["Error at char 3 in expression on line 4 of a.xsl:", "FORG0001 Cannot convert 鼎"]
    assert xslt._relevant(loading + error) == expected
    assert xslt._relevant("note\n" * 20 + error) == expected
    assert xslt._relevant("a message\n" + error) == ["a message", *expected]
    assert xslt._relevant(loading) == []
