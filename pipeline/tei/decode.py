"""One TEI element as one value of the model, by the table of shapes; what does not fit is told with its line."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from pipeline.errors import TeiError, suggestion
from pipeline.tei.shapes import SHAPES, Shape
from pipeline.tei.tree import Element, blocks, local, place

_BY_TAG = {shape.tag: tuple(each for each in SHAPES if each.tag == shape.tag) for shape in SHAPES}


class Decoder:
    """Builds values from elements of one file."""

    def __init__(self, name: str) -> None:
        self.name = name

    def only(self, parent: Element, *tags: str) -> list[Element]:
        """Give the children of an element, all of them called one of `tags`.

        Raises TeiError for another child, and for text between them.
        """
        children = list(blocks(parent, self.name))
        for child in children:
            if local(child) not in tags:
                raise self.unknown(child, parent, tags)
        return children

    def shape(self, node: Element) -> Shape:
        """Give the row of the table that fits an element; raises TeiError if none does."""
        for shape in _BY_TAG.get(local(node), ()):
            for name, value in shape.fixed.items():
                if node.get(name) != value:
                    break
            else:
                if not shape.needs or node.get(shape.needs) is not None:
                    return shape
        parent = node.getparent()
        raise self.unknown(node, node if parent is None else parent, sorted(_BY_TAG))

    def build(self, node: Element, shape: Shape, **content: Any) -> Any:
        """Give the model's value for an element: its attributes by the table, and `content`.

        Raises TeiError for an attribute that is unknown, missing, malformed, or has a value outside its closed list.
        """
        values = {**shape.says, **content}
        given = [*map(str, node.attrib)]  # with the values lxml takes quadratic time
        for each in shape.attributes if given else ():
            written = node.get(each.key)
            if written is not None:
                values[each.field] = self.value(node, shape, each.field, each.key, each.codec.read, written)
        for key in given:
            if key not in shape.known:
                raise self.error(node, f"<{local(node)}> has the unknown attribute {key}", _near(key, shape.known))
        return self.made(node, shape, values)

    def value(
        self, node: Element, shape: Shape, field: str, key: str, read: Callable[[str], Any], written: str
    ) -> Any:
        """Give one attribute's value; raises TeiError if it is malformed or not in the closed list of its field."""
        try:
            value = read(written)
        except (ValueError, TeiError, IndexError) as error:
            reason = error.message if isinstance(error, TeiError) else f"{written!r} is malformed"
            raise self.error(node, f"{local(node)}/@{key}: {reason}", getattr(error, "mend", "")) from None
        allowed = shape.allowed(field)
        if allowed and value not in allowed:
            raise self.error(node, f"{local(node)}/@{key} is {written!r}", _near(value, allowed))
        return value

    def made(self, node: Element, shape: Shape, values: dict[str, Any]) -> Any:
        """Give the value itself; raises TeiError if a required attribute is missing."""
        try:
            return shape.kind(**values)
        except TypeError:
            missing = sorted(each.key for each in shape.attributes if each.field not in values)
            raise self.error(node, f"<{local(node)}> lacks one of: {', '.join(missing)}") from None

    def unknown(self, node: Element, parent: Element, expected: Any) -> TeiError:
        """Give the error for an element that the encoding does not know here, with the nearest of what is expected."""
        attributes = "".join(f' {key}="{node.get(key)}"' for key in ("type", "unit") if node.get(key))
        return self.error(
            node, f"<{local(node)}{attributes}> cannot stand in <{local(parent)}>", _near(local(node), expected)
        )

    def error(self, node: Element, message: str, mend: str = "") -> TeiError:
        """Give the error for an element, with its line."""
        return TeiError(message, place=place(node, self.name), mend=mend)


def _near(found: str, expected: Any) -> str:
    """Suggest the nearest of what was expected."""
    return suggestion(found, expected, f"expected one of: {', '.join(sorted(expected))}")
