"""Rules on addresses: their form, and pointers with a prefix that the header declares."""

from __future__ import annotations

import re
from collections.abc import Iterator
from urllib.parse import unquote, urlsplit

from jiaokan.errors import Message, suggestion
from jiaokan.model.pointers import address
from jiaokan.tei.prefixes import declared_prefixes, resolve
from jiaokan.tei.tree import Element, local
from jiaokan.validate.rule import POINTING, Problem, Subject, is_value, rule
from jiaokan.validate.rules.general import is_file, problem_of_file

_SCHEMES = frozenset({
    "http", "https", "urn", "mailto", "ftp", "ftps", "sftp", "file", "tel", "tag", "info", "data", "doi", "ark", "geo",
    "about", "news", "ws", "wss",
})
"""Schemes that are registered, or used as if they were; no header declares them."""
_FORBIDDEN = re.compile(r'[<>"{}|^`\\]')
_WEB = re.compile(r"(?:https?|ftp):", re.I)
_HOST = re.compile(r"[\w%.-]+|\[?[0-9a-f:.]+\]?", re.I)
_TYPOS = (
    (re.compile(r"(https?|ftp)//(.*)", re.I | re.S), "{0}://{1}"),
    (re.compile(r"(https?|ftp):(?!//)[:;]*/*(.*)", re.I | re.S), "{0}://{1}"),
    (re.compile(r"()(www\.[\w-]+\..*)", re.I | re.S), "https://{1}"),
)
"""What is meant by addresses that lack a colon, a slash or the scheme."""


@rule("address-malformed")
def _check_addresses(subject: Subject) -> Iterator[Problem]:
    for element, name in subject.pointing:
        if is_value(element, name):
            continue
        previous = ""
        for word in element.get(name, "").split():
            if word[0] != "#" and (mend := _correction(word, previous)):
                mend = Message("rendition-points") if name == "rendition" else mend
                message = Message("address-invalid", element=local(element), name=name, address=word[:80])
                yield Problem(element, message, mend, attribute=name)
            previous = word


def _correction(word: str, previous: str) -> Message | None:
    """Return how to correct an address; None if it is correct."""
    before = word.partition("#")[0]
    for pattern, meant in _TYPOS:
        if match := pattern.fullmatch(word):
            return Message("did-you-mean", name=meant.format(*match.groups()))
    scheme, _, rest = before.partition("://")
    if rest and scheme not in _SCHEMES and scheme.isalpha() and (near := suggestion(scheme, ["http", "https"], "")):
        return near
    if "\\" in before:
        return Message("did-you-mean", name=word.replace("\\", "/"))
    if forbidden := _FORBIDDEN.search(before):
        return Message("write-escaped", character=forbidden[0], escaped=f"%{ord(forbidden[0]):02X}")
    if _WEB.match(word) and word[-1] in ",;":
        return Message("did-you-mean", name=word.rstrip(",;"))
    if _WEB.match(previous) and not any(sign in word for sign in ":/#."):
        return Message("write-escaped", character=" ", escaped="%20")
    try:
        parts = urlsplit(word)
        wrong = _WEB.match(word) and not _HOST.fullmatch(parts.hostname or "")
        return Message("address-https-example-org") if wrong else None
    except ValueError:
        return Message("address-https-example-org")


@rule("prefix-undeclared")
def _check_prefixes(subject: Subject) -> Iterator[Problem]:
    """In a file of others only if it declares prefixes at all: others declare them once for many files."""
    declared = {definition.get("ident", "") for definition in subject.all("prefixDef")}
    for element, name, word in _prefixed_pointers(subject) if declared or subject.is_ours else ():
        prefix = word.partition(":")[0]
        if prefix not in declared and prefix.lower() not in _SCHEMES:
            message = Message("undeclared-prefix", element=local(element), name=name, prefix=prefix)
            mend = suggestion(prefix, declared, Message("declare-listprefixdef"))
            yield Problem(element, message, mend, attribute=name)


@rule("prefix-unresolved")
def _check_prefixed_pointers(subject: Subject) -> Iterator[Problem]:
    declared = {} if subject.is_ours else declared_prefixes(subject.root)
    for element, name, word in _prefixed_pointers(subject) if declared else ():
        prefix = word.partition(":")[0]
        if prefix not in declared:
            continue
        resolved = resolve(word, declared)
        if not resolved:
            message = Message("prefix-pattern-differs", element=local(element), name=name, pointer=word)
            patterns = ", ".join(pattern.pattern for pattern, _ in declared[prefix])
            yield Problem(element, message, Message("expected-pattern", pattern=patterns[:80]), attribute=name)
        elif all(problems := [_unknown_target(subject, element, name, target) for target in resolved]):
            yield next(filter(None, problems))


def _prefixed_pointers(subject: Subject) -> Iterator[tuple[Element, str, str]]:
    for element, name in subject.pointing:
        points = name in POINTING or not (subject.is_ours or is_value(element, name))
        if points and ":" in (value := element.get(name, "")):
            for word in value.split():
                prefix, colon, _ = word.partition(":")
                if colon and not any(sign in prefix for sign in "#/.?"):
                    yield element, name, word


def _unknown_target(subject: Subject, element: Element, name: str, target: str) -> Problem | None:
    """Return the problem of a pointer that a prefix stands for; None if it leads somewhere or nobody can know."""
    parts = address(target)
    if not parts.scheme and not parts.path and parts.fragment and "(" not in parts.fragment:
        message = Message("points-no-element-id", element=local(element), name=name, wanted=parts.fragment)
        mend = subject.nearest_id(parts.fragment) or Message("declare-correct-pointer")
        return None if unquote(parts.fragment) in subject.ids else Problem(element, message, mend, attribute=name)
    folder = subject.folder and (subject.folder / unquote(parts.path)).parent
    here = folder is not None and folder.is_dir()  # elsewhere a project may keep it apart
    return problem_of_file(subject, element, name, target) if here and is_file(target) else None
