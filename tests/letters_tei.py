"""Small TEI files in letters, as other projects write them."""

from __future__ import annotations

HEAD = ('<TEI xmlns="http://www.tei-c.org/ns/1.0"{lang}><teiHeader><fileDesc><titleStmt><title>{title}</title></titleStmt>'
        '<publicationStmt><p/></publicationStmt><sourceDesc><listWit><witness xml:id="A">A</witness>'
        '<witness xml:id="R2">R2</witness></listWit></sourceDesc></fileDesc></teiHeader><text><body>')
VERSE = "".join(f'<l n="{n}">{words}</l>' for n, words in enumerate((
    "cano virumque <app><lem wit='#A'>arma</lem><rdg wit='#R2'>armos</rdg></app>", "primus ab oris", "fato profugus",
    "et terris iactatus", "vi superum <app><lem wit='#A'>saevae</lem><rdg wit='#R2'/></app>", "ob iram"), 1))


def file(body: str, lang: str = "", title: str = "T") -> bytes:
    language = f' xml:lang="{lang}"' if lang else ""
    return f"{HEAD.format(lang=language, title=title)}{body}</body></text></TEI>".encode()
