"""Decide which steps are up to date.

A step is up to date if its record has the same key (content of its inputs, settings, program, packages) and its outputs
are unchanged; unchanged files are not re-read (`jiaokan.system.store`). The record includes the report of the step, so
that a build with nothing to do prints the same table.

The outputs folder may come from somebody else. Its records count only if this user's cache has their hash: then a build
of this user wrote them. Else all steps are stale.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable
from pathlib import Path

import msgspec

from jiaokan.build.stages import Step, program_of
from jiaokan.build.work import Outcome
from jiaokan.errors import decode_message, encode_message
from jiaokan.system.atomic import MARK, RECORDS, check_ours, remove, write_file
from jiaokan.system.store import Fingerprints, Store, cache_folder, fingerprint

_MOST = 20_000
"""Hashes of records that are stored; a build writes one every few seconds at most. Fewer, and folders that are seldom
built are built anew; more, and the user's cache has more tiny files."""


class Record(msgspec.Struct, frozen=True, kw_only=True):
    """The record of a finished step."""

    key: str
    outputs: dict[str, str]  # the fingerprints of its outputs, by path relative to the outputs folder
    outcome: Outcome


class Cache:
    """The records of one outputs folder, in one JSON file."""

    def __init__(self, out: Path) -> None:
        self.out, self.path = out, out / RECORDS
        self.files = Fingerprints(Store(cache_folder("files", out)))
        self._homes = [("", f"{out}{os.sep}"), (f"..{os.sep}", f"{out.parent}{os.sep}")]
        self._changed = False
        self._keys: dict[str, str] = {}  # keys computed by `known`, by step: they are used once more
        self._trusted = Store(cache_folder("records"), limit=_MOST)
        try:
            self.records = self._trusted_records(self.path.read_bytes())
        except (OSError, msgspec.DecodeError):  # none yet, or of another version
            self.records = {}

    def _trusted_records(self, data: bytes) -> dict[str, Record]:
        """Return the records in a file; none if this user's builds did not write it."""
        if self._trusted.get(hashlib.sha256(data).hexdigest(), "", bool) is None:
            return {}
        return msgspec.json.decode(data, type=dict[str, Record], dec_hook=decode_message)

    def trust(self, data: bytes) -> None:
        """Store that a build of this user wrote these records."""
        self._trusted.put(hashlib.sha256(data).hexdigest(), "", True)

    @property
    def storage_files(self) -> tuple[Path, Path]:
        """The files in which records and hashes are stored."""
        return self.path, self.files.path

    def key(self, step: Step, root: Path) -> str:
        """Return the key of a step: a hash of everything that its outputs depend on.

        Raises JiaokanError if a package that its stage runs on is not installed.
        """
        return self._keys.pop(step.name, "") or key_of(step, root, self.files.of)

    def known(self, step: Step, root: Path) -> bool:
        """Whether the step's inputs match its last record, ignoring its outputs."""
        record = self.records.get(step.name)
        if record is None:
            return False
        key = self._keys[step.name] = self.key(step, root)
        return record.key == key

    def fresh(self, step: Step, key: str) -> Outcome | None:
        """Return the report of a step that is up to date, else None."""
        record = self.records.get(step.name)
        if record is None or record.key != key:
            return None
        same = {self._key(path): self.files.of(path) for path in step.outputs} == record.outputs
        return record.outcome if same else None

    def clear_unknown(self, step: Step) -> None:
        """Remove outputs of a skipped step that its last run did not make, from the outputs folder."""
        record = self.records.get(step.name)
        for path in step.outputs:
            known = record is not None and self.files.of(path) == record.outputs.get(self._key(path))
            if not known and path.is_relative_to(self.out):
                self.files.forget(path)
                remove(path)

    def clear(self, step: Step, key: str) -> None:
        """Remove outputs that somebody changed, since a step may reuse parts of its outputs.

        Folders inside the cache always belong to the program, and are removed if they lack its mark. Raises
        JiaokanError if another folder contains files that the program did not make.
        """
        record = self.records.get(step.name)
        known = None if record is None or record.key != key else record.outputs
        for path in step.outputs:
            in_cache = path.is_relative_to(self.path.parent)
            changed = known is not None and self.files.of(path) != known.get(self._key(path))
            if in_cache and (changed or (path.is_dir() and not (path / MARK).is_file())):
                remove(path)
            elif changed and path.is_relative_to(self.out):
                if path.is_dir():
                    check_ours(path)
                remove(path)

    def drop(self, step: Step) -> None:
        """Remove the outputs of a step that failed: they no longer correspond to the texts."""
        self.records.pop(step.name, None)
        self._changed = True
        for path in step.outputs:
            self.files.forget(path)
            remove(path)

    def keep(self, step: Step, key: str, outcome: Outcome) -> None:
        """Record a finished step."""
        for path in step.outputs:
            self.files.forget(path)
        hashes = {self._key(path): self.files.of(path) for path in step.outputs}
        self._changed = True
        self.records[step.name] = Record(key=key, outputs=hashes, outcome=outcome)

    def forget(self, steps: tuple[Step, ...]) -> None:
        """Remove records of steps that no longer exist, and their outputs in the outputs folder."""
        outputs = {self._key(path) for step in steps for path in step.outputs}
        names = {step.name for step in steps}
        for name, record in tuple(self.records.items()):
            for output in record.outputs.keys() - outputs:
                path = (self.out / output).resolve()
                if path.is_relative_to(self.out):
                    remove(path)  # also if another version wrote the output elsewhere
            if name not in names:
                del self.records[name]
                self._changed = True

    def save(self) -> None:
        """Write the records and the hashes of files."""
        if self._changed:
            data = msgspec.json.encode(self.records, order="sorted", enc_hook=encode_message)
            self.trust(data)  # first: a killed build leaves no unknown records
            write_file(self.path, data)
            self._changed = False
        self.files.save()

    def _key(self, path: Path) -> str:
        """Return a path relative to the outputs; `relpath` is slow and only for paths outside."""
        name = str(path)
        for up, home in self._homes:
            if name.startswith(home):
                return f"{up}{name[len(home):]}"
        return os.path.relpath(path, self.out)


def key_of(step: Step, root: Path, content: Callable[[Path], str] | None = None) -> str:
    """Return the key of a step, as `Cache.key`; `content` returns the fingerprint of a path.

    Raises JiaokanError if a package that its stage runs on is not installed.
    """
    content, home = content or fingerprint, f"{root}{os.sep}"
    lines = [f"\n{_name(str(path), home)} {content(path)}" for path in step.inputs]
    head = f"{step.name}\n{program_of(step.stage)}\n".encode()
    return hashlib.sha256(head + step.settings + "".join(lines).encode()).hexdigest()


def _name(path: str, home: str) -> str:
    """Return the name of an input, which does not depend on where the folder is."""
    return path[len(home):].replace(os.sep, "/") if path.startswith(home) else Path(path).name
