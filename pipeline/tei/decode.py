"""One TEI element as one value of the model, by the table of shapes; errors name the line."""

from __future__ import annotations

from typing import Any

from pipeline.errors import Message, TeiError, suggestion
from pipeline.model.vocabulary import TEI
from pipeline.tei.shapes import SHAPES, Shape
from pipeline.tei.tree import Element, blocks, local, place

_BY_TAG = {
    f"{space}{shape.tag}": tuple(each for each in SHAPES if each.tag == shape.tag)
    for shape in SHAPES for space in ("", f"{{{TEI}}}")
}
_ALONE = {tag: each for tag, (each, *rest) in _BY_TAG.items() if not (rest or each.fixed or each.needs)}
"""The shape of a tag that has only one."""
TYPED = {tag: frozenset().union(*(each.known - each.fixed.keys() for each in shapes)) for tag, shapes in _BY_TAG.items()
         if len(shapes) > 1 and not tag.startswith("{")}
"""Elements whose attributes depend on their type, which our schema cannot express: all attributes of any type."""


def shape_of(node: Element) -> Shape | None:
    """Return the shape of an element, by its name and type; None if there is none."""
    tag: Any = node.tag
    if (alone := _ALONE.get(tag)) is not None:
        return alone
    for shape in _BY_TAG.get(tag, ()):
        for name, value in shape.fixed.items():
            if node.get(name) != value:
                break
        else:
            if not shape.needs or node.get(shape.needs) is not None:
                return shape
    return None


def misplaced_in(unit: Element) -> Element | None:
    """Return the element around a unit of base text and its entries if it is not a paragraph of base text; else None.

    No collation would find such a unit.
    """
    above = unit.getparent()
    while above is not None and local(above) in ("app", "lem", "rdg"):
        above = above.getparent()
    return None if above is None or local(above) in ("ab", "div") else above


def misplaced_unit(above: Element) -> tuple[Message, Message]:
    """Return message and mend for a unit in another element."""
    return (Message("a unit of base text is not allowed in <{}>", local(above)),
            Message('put it into <ab type="jing">, one unit after the other'))


class Decoder:
    """Builds values from elements of one file."""

    def __init__(self, name: str) -> None:
        self.name = name

    def only(self, parent: Element, *tags: str) -> list[Element]:
        """Return the children of an element, all of them called one of `tags`.

        Raises TeiError for another child, and for text between them.
        """
        children = list(blocks(parent, self.name))
        for child in children:
            if local(child) not in tags:
                raise self.unknown(child, parent, tags)
        return children

    def shape(self, node: Element) -> Shape:
        """Return the shape of an element; raises TeiError if there is none."""
        if (found := shape_of(node)) is not None:
            return found
        parent = node.getparent()
        raise self.unknown(node, node if parent is None else parent, sorted({each.tag for each in SHAPES}))

    def build(self, node: Element, shape: Shape, **content: Any) -> Any:
        """Return the model's value for an element: its attributes by the table, and `content`.

        Raises TeiError for an attribute that is unknown, missing, malformed, or has a value outside its closed list.
        """
        values = {**shape.implied, **content}
        if given := node.keys():  # with the values lxml takes quadratic time
            for field, key, read, allowed in shape.reads:
                if key in given:
                    written: Any = node.get(key)  # the stubs know of bytes
                    try:
                        value = read(written)
                    except TeiError as error:
                        message = Message("{}/@{}: {}", local(node), key, error.message)
                        raise self.error(node, message, error.mend) from None
                    except (ValueError, IndexError):
                        message = Message('invalid value of {}/@{}: "{}"', local(node), key, written)
                        raise self.error(node, message) from None
                    if allowed and value not in allowed:
                        message = Message('invalid value of {}/@{}: "{}"', local(node), key, written)
                        raise self.error(node, message, _near(value, allowed))
                    values[field] = value
            if not shape.known.issuperset(given):
                other = next(each for each in map(str, given) if each not in shape.known)
                message = Message("<{}> cannot have the attribute {}", local(node), other)
                raise self.error(node, message, _near(other, shape.known))
        try:
            return shape.kind(**values)
        except TypeError:
            missing = sorted(each.key for each in shape.attributes if each.field not in values)
            raise self.error(node, Message("<{}> lacks one of: {}", local(node), ", ".join(missing))) from None

    def unknown(self, node: Element, parent: Element, expected: Any) -> TeiError:
        """Return the error for an element that is not allowed here, with the nearest of those expected."""
        attributes = "".join(f' {key}="{node.get(key)}"' for key in ("type", "unit") if node.get(key))
        message = Message("<{}> is not allowed in <{}>", local(node) + attributes, local(parent))
        return self.error(node, message, _near(local(node), expected))

    def error(self, node: Element, message: str, mend: str = "") -> TeiError:
        """Return the error for an element, with its line."""
        return TeiError(message, place=place(node, self.name), mend=mend)


def _near(found: str, expected: Any) -> str:
    return suggestion(found, expected, Message("expected one of: {}", ", ".join(sorted(expected))))
