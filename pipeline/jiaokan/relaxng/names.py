"""Prefixes of a grammar in compact syntax: namespaces and libraries of datatypes."""

from __future__ import annotations

from collections.abc import Callable

from jiaokan.errors import Message
from jiaokan.relaxng.tokens import Token

RNG = "http://relaxng.org/ns/structure/1.0"
COMPATIBILITY = "http://relaxng.org/ns/compatibility/annotations/1.0"
XML = "http://www.w3.org/XML/1998/namespace"
XSD_TYPES = "http://www.w3.org/2001/XMLSchema-datatypes"
INHERIT = "\0"  # the namespace is that of the grammar which includes this one; no namespace has this name


class Declarations:
    """What prefixes are declared; `refuse` returns the error for a token."""

    def __init__(self, refuse: Callable[[Message, Token], Exception]) -> None:
        self.default = INHERIT
        self._refuse = refuse
        self._namespaces = {"xml": XML}
        self._libraries = {"xsd": XSD_TYPES}
        self._given = {"xml"}

    def add_namespace(self, prefix: str, uri: str, token: Token, *, default: bool) -> None:
        """Declare a prefix, the default, or both; raises for a prefix that is declared twice."""
        again = "" in self._given if default else False
        if again or (prefix in self._given and (prefix, uri) != ("xml", XML)):
            raise self._refuse(Message("prefix-declared-twice", prefix=prefix), token)
        if prefix == "xmlns" or (uri == XML) != (prefix == "xml"):
            raise self._refuse(Message("prefix-reserved", prefix=prefix or "default"), token)
        if default:
            self._given.add("")
            self.default = uri
        if prefix:
            self._given.add(prefix)
            self._namespaces[prefix] = uri

    def add_datatypes(self, prefix: str, uri: str, token: Token) -> None:
        """Declare the prefix of a library; raises for one that is declared twice."""
        if prefix in self._libraries and self._libraries[prefix] != uri:
            raise self._refuse(Message("prefix-declared-twice", prefix=prefix), token)
        self._libraries[prefix] = uri

    def namespace(self, prefix: str, token: Token) -> str:
        """Return the namespace of a prefix; raises if it is not declared."""
        if prefix not in self._namespaces:
            raise self._refuse(Message("prefix-undeclared", prefix=prefix), token)
        return self._namespaces[prefix]

    def library(self, prefix: str, token: Token) -> str:
        """Return the library of a prefix; raises if it is not declared."""
        if prefix not in self._libraries:
            raise self._refuse(Message("prefix-undeclared", prefix=prefix), token)
        return self._libraries[prefix]

    def qualify(self, name: str, token: Token) -> str:
        """Return the name of an annotation as ``{namespace}name``; without a prefix it has no namespace."""
        prefix, colon, local = name.rpartition(":")
        uri = self.namespace(prefix, token) if colon else ""
        return f"{{{uri}}}{local}" if uri not in ("", INHERIT) else local

    def prefixes(self) -> dict[str, str]:
        """Return the declared prefixes, as an element of an annotation has them."""
        return {prefix: uri for prefix, uri in self._namespaces.items() if uri not in ("", INHERIT, XML)}
