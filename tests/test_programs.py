"""A test that needs a program says what is missing, also where the program is there by half."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests import programs

HALF = {
    "a stub": "#!/bin/sh\necho 'please run: snap install it' >&2\nexit 1\n",
    "a wrapper without what it wraps": "#!/bin/sh\nexec /nowhere/java -jar it.jar\n",
    "no program": "\x7fELF, cut off",
    "an archive for Java": "PK, cut off",
}


@pytest.mark.parametrize("content", HALF.values(), ids=HALF)
def test_half_a_program_is_missing(content: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "half"
    path.write_text(content)
    path.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    programs.missing.cache_clear()
    assert "half is installed, but does not" in programs.missing("half")
    path.write_text("#!/bin/sh\nexit 0\n")
    programs.missing.cache_clear()
    assert programs.missing("half") == "" and programs.command("half") == [str(path)]
    assert programs.missing("other") == "other is not installed"
    programs.missing.cache_clear()
