"""What is up to date, judged by content; a file that the system says is the same is not read again
(`pipeline.system.store`).

A step is done when its record has the same key (content of its inputs, settings, program, packages) and its
output is still what it made. The record also keeps what the step reported, so that a build that does nothing
can show the same table.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable
from pathlib import Path

import msgspec

from pipeline.build.stages import Step, program_of
from pipeline.build.work import Outcome
from pipeline.errors import restored, stored
from pipeline.system.atomic import MARK, RECORDS, check_ours, remove, write_file
from pipeline.system.store import Fingerprints, Store, cache_folder, fingerprint


class Record(msgspec.Struct, frozen=True, kw_only=True):
    """What is known of a step that was done."""

    key: str
    outputs: dict[str, str]
    """What it made, by its path in the outputs folder or outside it, with a fingerprint."""
    outcome: Outcome


class Cache:
    """The records of one outputs folder, kept in one JSON file."""

    def __init__(self, out: Path) -> None:
        self.out, self.path = out, out / RECORDS
        self.files = Fingerprints(Store(cache_folder("files", out)))
        self._homes = [("", f"{out}{os.sep}"), (f"..{os.sep}", f"{out.parent}{os.sep}")]
        self._changed = False
        self._keys: dict[str, str] = {}
        """Keys of steps by their names, worked out and not yet asked for: their inputs are looked at once, too."""
        try:
            self.records = msgspec.json.decode(self.path.read_bytes(), type=dict[str, Record], dec_hook=restored)
        except (OSError, msgspec.DecodeError):  # none yet, or of another version: everything is done again
            self.records = {}

    @property
    def own(self) -> tuple[Path, Path]:
        """The files in which it keeps what it knows."""
        return self.path, self.files.path

    def key(self, step: Step, root: Path) -> str:
        """Give the key of a step: a hash of everything that decides what it makes.

        Raises JiaokanError if a package that its stage runs on is not installed.
        """
        return self._keys.pop(step.name, "") or key_of(step, root, self.files.of)

    def known(self, step: Step, root: Path) -> bool:
        """Tell whether a step was once done with what it is made of now, whatever became of its outputs."""
        record = self.records.get(step.name)
        if record is None:
            return False
        key = self._keys[step.name] = self.key(step, root)
        return record.key == key

    def fresh(self, step: Step, key: str) -> Outcome | None:
        """Give what a step reported if it need not be done again, else None."""
        record = self.records.get(step.name)
        if record is None or record.key != key:
            return None
        same = {self._key(path): self.files.of(path) for path in step.outputs} == record.outputs
        return record.outcome if same else None

    def clear(self, step: Step, key: str) -> None:
        """Take away outputs that somebody changed: a step may keep parts of what it finds. What stands among the cache
        is the program's own, whatever has become of it; in any other folder is nothing that another has put there.

        Raises JiaokanError if there is.
        """
        record = self.records.get(step.name)
        known = None if record is None or record.key != key else record.outputs
        for path in step.outputs:
            own = path.is_relative_to(self.path.parent)
            changed = known is not None and self.files.of(path) != known.get(self._key(path))
            if own and (changed or not (path / MARK).is_file()):
                remove(path)
            elif changed and path.is_relative_to(self.out):
                if path.is_dir():
                    check_ours(path)
                remove(path)

    def drop(self, step: Step) -> None:
        """Take away what a step made before that could not be done now: it is no longer what the texts say."""
        self.records.pop(step.name, None)
        self._changed = True
        for path in step.outputs:
            self.files.forget(path)
            remove(path)

    def keep(self, step: Step, key: str, outcome: Outcome) -> None:
        """Record that a step has been done."""
        for path in step.outputs:
            self.files.forget(path)
        made = {self._key(path): self.files.of(path) for path in step.outputs}
        self._changed = True
        self.records[step.name] = Record(key=key, outputs=made, outcome=outcome)

    def forget(self, steps: tuple[Step, ...]) -> None:
        """Forget what is no step any more, and take away what it made in the outputs folder."""
        made = {self._key(path) for step in steps for path in step.outputs}
        names = {step.name for step in steps}
        for name, record in tuple(self.records.items()):
            for each in record.outputs.keys() - made:
                path = (self.out / each).resolve()
                if path.is_relative_to(self.out):
                    remove(path)  # also of a step that another version had make its output elsewhere
            if name not in names:
                del self.records[name]
                self._changed = True

    def save(self) -> None:
        """Write the records, and what is known of the files."""
        if self._changed:
            write_file(self.path, msgspec.json.encode(self.records, order="sorted", enc_hook=stored))
            self._changed = False
        self.files.save()

    def _key(self, path: Path) -> str:
        """Give a path as seen from the outputs; `relpath`, which looks at each part, is for what lies far from them."""
        name = str(path)
        for up, home in self._homes:
            if name.startswith(home):
                return f"{up}{name[len(home):]}"
        return os.path.relpath(path, self.out)


def key_of(step: Step, root: Path, content: Callable[[Path], str] | None = None) -> str:
    """Give the key of a step as it is here and now, as `Cache.key`; `content` gives the fingerprint of a path.

    Raises JiaokanError if a package that its stage runs on is not installed.
    """
    content, home = content or fingerprint, f"{root}{os.sep}"
    said = [f"\n{_name(str(path), home)} {content(path)}" for path in step.inputs]
    head = f"{step.name}\n{program_of(step.stage)}\n".encode()
    return hashlib.sha256(head + step.settings + "".join(said).encode()).hexdigest()


def _name(path: str, home: str) -> str:
    """Give the name of an input that is the same wherever the folder lies."""
    return path[len(home):].replace(os.sep, "/") if path.startswith(home) else Path(path).name
