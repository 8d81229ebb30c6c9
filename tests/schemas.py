"""Writes what is generated: the ODD, its RELAX NG and the Schematron from the XSD, ``elements.toml`` and
``rules.toml``, and what the XSD and the stylesheets know of the classes of variants (``tests/variants.py``).

Run ``python -m tests.schemas``. The ODD includes elements of TEI and changes them: an element keeps its model classes,
so that others can build on it, and what TEI gives it beyond the XSD is deleted by name: an attribute that none of our
elements has in its class, a class of which an element has nothing in the element, and the rest there, too. Where the
XSD declares an element differently under different parents, the ODD has the union, and a constraint for each parent
that says which part of it holds there.
"""

from __future__ import annotations

import tomllib
from collections.abc import Collection, Iterable, Iterator
from pathlib import Path

from lxml import etree
from lxml.builder import ElementMaker

from jiaokan.messages import CHINESE, ENGLISH, TERM, wording
from jiaokan.model.variants import TABLE, VARIANT_CLASSES
from jiaokan.model.vocabulary import TEI
from jiaokan.relaxng import RNG
from jiaokan.validate.rules import RULES
from tests import odd as compiled_odd
from tests import tei_attributes, variants
from tests.xsd import Declared, Element, T, Xsd

ROOT = Path(__file__).parents[1]
SCH = "http://purl.oclc.org/dsdl/schematron"
XSL = "http://www.w3.org/1999/XSL/Transform"
EXAMPLES = "http://www.tei-c.org/ns/Examples"
NAMES = ", ".join(VARIANT_CLASSES.values())
DATA = tomllib.loads((ROOT / "pipeline/jiaokan/validate/elements.toml").read_text("utf-8"))
KEYS = (
    {"name": "ids", "match": "*[@xml:id]", "use": "@xml:id"},
    {"name": "marks", "match": "tei:milestone[@ed]", "use": "@ed"},
    {
        "name": "numbered", "match": "tei:text//tei:note[@xml:id] | tei:text//tei:app[@xml:id]",
        "use": "concat(local-name(), replace(@xml:id, '[0-9]+$', ''))",
    },
)
S = ElementMaker(namespace=SCH, nsmap={None: SCH})


def both(tag: str, words: list[str] | tuple[str, str]) -> list[Element]:
    """An element in English and in Chinese."""
    english, chinese = T(tag, words[0]), T(tag, words[1])
    for each, lang in ((english, "en"), (chinese, "zh")):
        each.set("{http://www.w3.org/XML/1998/namespace}lang", lang)
    return [english, chinese]


def words_of(key: str) -> tuple[str, str]:
    """What an element or attribute is for, or a statement on the encoding, in English and in Chinese."""
    english, chinese = (wording(f"tei-{key.replace(':', '.')}", language).replace("{classes}", NAMES)
                        for language in (ENGLISH, CHINESE))
    return english, chinese


def element_spec(xsd: Xsd, name: str, sample: Element) -> Element:
    """One ``elementSpec``."""
    module = DATA["elements"][name]
    declared = xsd.declared[name]
    described = both("desc", words_of(f"element-{name}"))
    attributes = dict.fromkeys(a for d in declared for a in d.attributes)
    spec = T.elementSpec(*described, ident=name, module=module, mode="change")
    unused = unused_classes(name, attributes)
    if unused:
        spec.append(T.classes(*(T.memberOf(key=group, mode="delete") for group in unused), mode="change"))
    contents = {etree.tostring(T.content(*d.content)): d.content for d in declared}
    if len(contents) == 1:
        spec.append(T.content(*copies(declared[0].content)))
    else:
        spec.append(T.content(T.alternate(*(c for content in contents.values() for c in copies(content)))))
    if len(declared) > 1:
        spec.extend(constraint(*each) for each in placed(xsd, name))
    spec.extend(constraint(*once(name, each.counted)) for each in declared if each.counted)
    deleted = [T.attDef(ident=a, mode="delete") for a in unwanted(name, attributes, unused, used_attributes(xsd))]
    if attributes or deleted:
        spec.append(T.attList(*(attribute(xsd, a, declared) for a in attributes), *deleted))
    if sample is not None:
        spec.append(T.exemplum(sample))
    return spec


def used_attributes(xsd: Xsd) -> frozenset[str]:
    """The attributes that any element has."""
    declarations = (declaration for declared in xsd.declared.values() for declaration in declared)
    return frozenset(a for declaration in declarations for a in declaration.attributes)


def unused_classes(name: str, attributes: Iterable[str]) -> list[str]:
    """The classes of attributes, of those that an element is a member of itself, from which it has none."""
    wanted = {*attributes}
    return [group for group in tei_attributes.of_element(name).classes
            if wanted.isdisjoint(a for members in tei_attributes.inherited([group]).values() for a in members)]


def unwanted(name: str, attributes: Iterable[str], unused: Collection[str], used: Collection[str]) -> list[str]:
    """The attributes that TEI gives an element by the other classes, or by itself, and that it does not have here;
    without those that no element has, which their classes lose."""
    given = tei_attributes.of_element(name)
    classes = tei_attributes.inherited(group for group in given.classes if group not in unused)
    by_class = {a for members in classes.values() for a in members if a in used}
    return sorted((by_class | given.attributes) - {*attributes})


def changed_classes(xsd: Xsd) -> Iterator[Element]:
    """One ``classSpec`` for each class of which no element has all attributes."""
    used, classes = used_attributes(xsd), dict[str, frozenset[str]]()
    for name, declared in xsd.declared.items():
        unused = unused_classes(name, {a for declaration in declared for a in declaration.attributes})
        classes |= tei_attributes.inherited(
            group for group in tei_attributes.of_element(name).classes if group not in unused)
    for name, attributes in sorted(classes.items()):
        if lost := sorted(attributes - used):
            deleted = T.attList(*(T.attDef(ident=a, mode="delete") for a in lost))
            yield T.classSpec(deleted, ident=name, type="atts", mode="change")


def copies(elements: list[Element]) -> list[Element]:
    return [etree.fromstring(etree.tostring(each)) for each in elements]


def attribute(xsd: Xsd, name: str, declared: list[Declared]) -> Element:
    """One ``attDef``: the union of what the declarations allow."""
    having = [d for d in declared if name in d.attributes]
    required = len(having) == len(declared) and all(name in d.required for d in declared)
    kinds = [xsd.datatype(d.attributes[name]) for d in having]
    closed = all(values for _, values in kinds)
    usage = "req" if required else "opt"
    definition = T.attDef(*both("desc", words_of(f"attribute-{name}")), ident=name, mode="change", usage=usage)
    opened = next((datatype for datatype, values in kinds if not values), kinds[0][0])
    definition.append(copies([opened])[0])
    if closed:
        values = dict.fromkeys(v for _, each in kinds for v in each)
        definition.append(T.valList(*map(value_item, values), type="closed", mode="replace"))
    return definition


def value_item(value: str) -> Element:
    """One ``valItem``; of a class of variants also what it means."""
    kind = value.removeprefix("#var-") if value.startswith("#var-") else ""
    words = [f"{wording(f'{TERM}variant-{kind}', language)}{stop}{wording(f'gloss-{kind}', language)}"
             for language, stop in ((ENGLISH, ". "), (CHINESE, "。"))] if kind in TABLE else None
    return T.valItem(*(both("desc", words) if words else ()), ident=value)


def placed(xsd: Xsd, name: str) -> Iterator[tuple[str, str, str, tuple[str, str]]]:
    """For each parent under which an element is declared: id, context, test and words of a constraint."""
    for each in xsd.declared[name]:
        context = f"tei:{each.parent}/tei:{name}" if each.parent else f"tei:text//tei:{name}"
        known = ", ".join(f"'{a}'" for a in each.attributes) or "''"
        inner = sorted({e.get("key") for c in each.content for e in c.iter(f"{{{TEI}}}elementRef")})
        tests = [f"not(@*[not(name() = ({known}))])"]
        tests += [f"@{a}" for a in sorted(each.required)]
        tests.append(f"not(*[not(local-name() = ({', '.join(repr(i) for i in inner) or repr('')}))])")
        for a, declaration in each.attributes.items():
            if values := xsd.datatype(declaration)[1]:
                tests.append(f"(not(@{a}) or @{a} = ({', '.join(repr(v) for v in values)}))")
        words = [", ".join(names) for names in (each.attributes, inner)]
        where = each.parent or "the text"
        english = f"{name} in {where}: attributes {words[0] or 'none'}; content {words[1] or 'words'}."
        chinese = f"{name} 在 {each.parent or '正文'} 中：属性 {words[0] or '无'}；内容 {words[1] or '文字'}。"
        yield f"structure-{name}-{each.parent or 'text'}", context, " and ".join(tests), (english, chinese)


def once(name: str, counted: dict[str, str]) -> tuple[str, str, str, tuple[str, str]]:
    """The constraint that each child stands once, in any order: id, context, test and words."""
    test = " and ".join(f"count(tei:{child}) {'=' if least == '1' else '<='} 1" for child, least in counted.items())
    needed = ", ".join(child for child, least in counted.items() if least == "1")
    english = f"What stands in {name} stands there once, in any order; needed are {needed}."
    return f"structure-{name}", f"tei:{name}", test, (english, f"{name} 之内各项只出现一次，次序不拘；必备：{needed}。")


def constraint(identifier: str, context: str, test: str, words: tuple[str, str], role: str = "error") -> Element:
    """One ``constraintSpec``; without a context only its words: XPath cannot say it."""
    made = T.constraintSpec(*both("desc", words), ident=identifier, scheme="schematron")
    if context:
        asserted = S("assert", f"{words[0]} {words[1]}", id=identifier, role=role, test=test)
        made.append(T.constraint(S.rule(asserted, context=context)))
    return made


def example(name: str, root: Element) -> Element | None:
    """The first element of this name in the sample, shortened, in the namespace of examples."""
    found = root.iter(f"{{{TEI}}}{name}")
    best = min(found, key=lambda e: (not e.attrib and not len(e), len(etree.tostring(e))), default=None)
    if best is None:
        return None
    text = etree.tostring(shortened(best), encoding="unicode").replace(TEI, EXAMPLES)
    made = etree.Element(f"{{{EXAMPLES}}}egXML", nsmap={None: EXAMPLES})
    made.append(etree.fromstring(text))
    etree.cleanup_namespaces(made)
    return made


def shortened(element: Element) -> Element:
    """A copy with nothing around it; of one that is long, its children's insides left out."""
    made = etree.fromstring(etree.tostring(element, with_tail=False))
    for inner in made.iterdescendants():
        inner.attrib.pop("{http://www.w3.org/XML/1998/namespace}id", None)  # an id may stand once in the whole ODD
    if len(etree.tostring(made)) > 900:
        for child in made:
            for inner in list(child):
                child.remove(inner)
            child.text = "…"
    return made


def odd() -> bytes:
    """The whole customisation."""
    xsd = Xsd(ROOT / "schema")
    sample = etree.parse(str(ROOT / "tests/cases/tei/sample.xml")).getroot()
    modules: dict[str, list[str]] = {}
    for name in sorted(xsd.declared):
        modules.setdefault(DATA["elements"][name], []).append(name)
    spec = T.schemaSpec(ident="jiaokan", start="TEI", source="tei:4.12.0")
    spec.append(T.moduleRef(key="tei"))
    spec.extend(T.moduleRef(key=m, include=" ".join(names)) for m, names in sorted(modules.items()))
    shared = both("desc", ("What the rules below share.", "诸规则所共用。"))
    setup = T.constraintSpec(*shared, ident="shared", scheme="schematron")
    setup.append(T.constraint(S.ns(prefix="tei", uri=TEI), *keys()))
    spec.append(setup)
    for rule in RULES:
        words = rule.explanation, rule.explanation.in_language("zh")
        spec.append(constraint(rule.id, rule.context, rule.test, words, rule.severity))
    spec.extend(changed_classes(xsd))
    spec.extend(element_spec(xsd, name, example(name, sample)) for name in sorted(xsd.declared))
    return serialised(document(spec))


def document(spec: Element) -> Element:
    """The TEI document around the specification."""
    title = both("title", ("Jiaokan: TEI for editions of layered Chinese classics", "校勘：层注典籍校本之 TEI"))
    licence = T.licence("CC BY 4.0", target="https://creativecommons.org/licenses/by/4.0/")
    header = T.teiHeader(T.fileDesc(
        T.titleStmt(*title), T.publicationStmt(T.publisher("Jiaokan"), T.availability(licence)),
        T.sourceDesc(T.p("Written for this project; generated from its XSD, its rules and the words on its elements.")),
    ))
    paragraphs = [each for n, elements in enumerate(DATA["statements"], 1) for each in stated(n, elements)]
    body = T.body(T.div(*both("head", ("The encoding", "编码说明")), *paragraphs), T.div(T.head("jiaokan"), spec))
    return T.TEI(header, T.text(body))


def stated(number: int, elements: str) -> list[Element]:
    """A statement in both languages; it is true of texts that have one of these elements, which its @n names."""
    made = both("p", words_of(f"encoding-{number}"))
    for each in made if elements else ():
        each.set("n", elements)
    return made


def keys() -> list[Element]:
    """The keys that the rules look things up by."""
    return [etree.Element(f"{{{XSL}}}key", key, nsmap={"xsl": XSL}) for key in KEYS]


def schematron() -> bytes:
    """The rules that XPath can say, for programs that run Schematron."""
    made = S.schema(S.title("Jiaokan: rules of editions"), S.ns(prefix="tei", uri=TEI), queryBinding="xslt2")
    made.extend(keys())
    for rule in RULES:
        if rule.context:
            words = f"{rule.explanation} {rule.explanation.in_language('zh')}"
            asserted = S("assert", words, id=rule.id, role=rule.severity, test=rule.test)
            made.append(S.pattern(S.rule(asserted, context=rule.context), id=f"pattern-{rule.id}"))
    return serialised(made)


def relax_ng() -> bytes:
    """The grammar of the ODD in RELAX NG, which editors of TEI read; its rules are in the Schematron."""
    made = etree.fromstring(compiled_odd.grammar(etree.fromstring(odd())))
    for rule in [node for node in made if not str(node.tag).startswith(f"{{{RNG}}}")]:
        made.remove(rule)
    made.set("ns", TEI)
    for node in made.iter():
        if node is not made and node.get("ns") == TEI:
            del node.attrib["ns"]
    return serialised(made)


def serialised(root: Element) -> bytes:
    etree.cleanup_namespaces(root, keep_ns_prefixes=["sch", "xsl"])
    for each in root.iter():
        if each.text and not each.text.strip():
            each.text = None
        if each.tail and not each.tail.strip():
            each.tail = None
    indent(root)
    return b'<?xml version="1.0" encoding="UTF-8"?>\n' + etree.tostring(root, encoding="UTF-8") + b"\n"


def indent(element: Element, depth: int = 0) -> None:
    """Break lines between elements, but not where there are words, nor in an example."""
    if len(element) and not element.text and element.tag != f"{{{EXAMPLES}}}egXML":
        element.text = "\n" + "  " * (depth + 1)
        for child in element:
            indent(child, depth + 1)
            child.tail = "\n" + "  " * (depth + 1)
        element[-1].tail = "\n" + "  " * depth


MADE = {
    "schema/values.xsd": variants.values, "schema/jiaokan.odd": odd, "schema/jiaokan.sch": schematron,
    "schema/jiaokan.rng": relax_ng,
    "xslt/lib/classes.xsl": variants.stylesheet,
}
"""Each generated file and how it is made; ``values.xsd`` first, since the ODD is made from it."""

if __name__ == "__main__":
    for file, make in MADE.items():
        (ROOT / file).write_bytes(make())
