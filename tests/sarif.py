"""The part of SARIF 2.1.0 that we write, as types: property names, what is required, what values may be.

From OASIS, Static Analysis Results Interchange Format Version 2.1.0, §3.13 to §3.52; what is not named here is refused.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec

Level = Literal["none", "note", "warning", "error"]
From1 = Annotated[int, msgspec.Meta(ge=1)]
From0 = Annotated[int, msgspec.Meta(ge=0)]
Words = Annotated[str, msgspec.Meta(min_length=1)]


class Strict(msgspec.Struct, forbid_unknown_fields=True, rename="camel"):
    """An object in which an unknown property is an error."""


class Message(Strict):
    text: Words


class Configuration(Strict):
    level: Level


class Descriptor(Strict, kw_only=True):
    """GitHub's code scanning refuses one without these."""

    id: Words
    short_description: Message
    full_description: Message
    help: Message
    default_configuration: Configuration


class Component(Strict):
    name: Words
    version: Words
    semantic_version: Annotated[str, msgspec.Meta(pattern=r"^\d+\.\d+\.\d+")]
    rules: list[Descriptor]


class Tool(Strict):
    driver: Component


class Region(Strict, kw_only=True):
    start_line: From1
    start_column: From1 | None = None


class Artifact(Strict):
    uri: Annotated[str, msgspec.Meta(pattern=r"^[^\s<>\"{}|\\^`]+$")]


class Physical(Strict, kw_only=True):
    artifact_location: Artifact
    region: Region | None = None


class Location(Strict):
    physical_location: Physical


class Result(Strict):
    rule_id: Words
    rule_index: From0
    level: Level
    message: Message
    locations: list[Location]
    partial_fingerprints: dict[str, str]


class Run(Strict):
    tool: Tool
    column_kind: Literal["utf16CodeUnits", "unicodeCodePoints"]
    language: Annotated[str, msgspec.Meta(pattern=r"^[a-zA-Z]{2}(-[a-zA-Z]{2})?$")]
    results: list[Result]


class Log(msgspec.Struct, forbid_unknown_fields=True, kw_only=True):
    schema: str = msgspec.field(name="$schema")
    version: Literal["2.1.0"]
    runs: list[Run]


def check(log: Any) -> Log:
    """Return a log as types; raises msgspec.ValidationError, AssertionError for an index that leads to another rule."""
    found = msgspec.convert(log, Log)
    for run in found.runs:
        names = [rule.id for rule in run.tool.driver.rules]
        assert len(set(names)) == len(names)
        assert all(names[result.rule_index] == result.rule_id for result in run.results)
    return found
