"""What the pages of the manual say besides the keys themselves."""

from __future__ import annotations

FILES = {
    "catalog": "tei/catalog.toml", "persons": "tei/persons.toml",
    "places": "tei/places.toml", "edition": "tei/editions/ID.toml",
    "print": "[print] tei/editions/ID.toml", "convention": "tei/conventions/ID.toml", "reader": "reader",
    "decisions": "tei/decisions/*.toml", "lists": "tei/lists/*.tsv", "layout": "xslt/layouts/NAME/layout.toml",
}
"""Where each topic's settings stand."""
TITLES = {
    "en": {
        "catalog": "the texts, the works, the project", "persons": "everybody whom the texts cite",
        "places": "places, states, dynasties and clans that the editor marks",
        "edition": "what is collated or shown", "print": "how the PDF is set",
        "convention": "how a source marks its layers", "reader": "the formats that are read",
        "decisions": "what the editor decided", "lists": "what the texts cite and say in their own way",
        "layout": "a layout of the printed book", "in": "in", "stage": "takes effect when", "needs": "needs",
    },
    "zh": {
        "catalog": "底料、著作与全书事项", "persons": "文中所引诸家", "places": "编者所标之地、国、朝代、氏族",
        "edition": "校何书、示何本",
        "print": "PDF 版式",
        "convention": "底料如何标其层次", "reader": "所能读之格式", "decisions": "编者所定",
        "lists": "本书特有之称引用语",
        "layout": "印本版式", "in": "在", "stage": "生效于", "needs": "须有",
    },
}
"""Heads of the pages, and words in them."""
STAGES = {
    "en": {"read": "sources are read", "collate": "witnesses are collated", "print": "the book is printed"},
    "zh": {"read": "读入", "collate": "校勘", "print": "排印"},
}
"""Names of the stages that a decision changes."""
ABOUT = {
    "en": {
        "catalog": "Every source has a row [[source]], every work a row "
                   "[[work]]; of a library these may stand in files of their own, tei/catalog/*.toml, one for "
                   "each text. `jiaokan init --from FILES` writes it.",
        "persons": "One row [[person]] for each. A person may have the "
                   "id of a text: `laozi` the author and the book. [[named]]: of whom the texts only speak.",
        "places": "Optional: who is meant by names in tei/punctuation, with those of tei/persons.toml.",
        "edition": "One file for each edition, named as its id.",
        "print": "A table of an edition's file; all keys have defaults.",
        "convention": "A source has the file of its own id, or the one that `convention` in its catalog entry "
                      "names; its own file then says what differs. Which keys there are depends on the reader.",
        "reader": "`reader` of a [[source]]; `jiaokan explain reader NAME` shows the keys of its convention.",
        "decisions": "Each is a table with who (`resp`), why and how surely. "
                     "`jiaokan review` asks and writes those on readings.",
        "lists": "Optional. Cells are parted by tabs, # begins a remark; columns in [ ] may be left out.",
        "layout": "Only for who adds a layout to the program; which there are, `jiaokan explain print` says.",
        "list titles": "how works are cited", "list uses": "words round a title that make it a citation",
        "list works": "usual names of cited works", "list traditions": "editions whose readings notes report",
        "list remarks": "formulae of textual remarks", "list readings": "what a remark says against the text",
        "list clauses": "what may stand round a remark", "list speech": "words that lead into speech",
    },
    "zh": {
        "catalog": "每一底料一条 [[source]]，每一著作一条 [[work]]；书多者可各自成文件，置 tei/catalog/ 下。"
                   "jiaokan init --from 文件… 可代写。",
        "persons": "一人一条 [[person]]。人与书可同 id：作者 laozi 与书 laozi 并存无妨。[[named]] 非注家。",
        "places": "可有可无：tei/punctuation 中专名所指，与 tei/persons.toml 相辅。",
        "edition": "一版一文件，文件名即其 id。",
        "print": "写在该版文件中；各键皆有默认值。",
        "convention": "底料用与其 id 同名之文件，或目录（catalog）中 convention "
                      "所指者；自有文件只写不同之处。可用之键因读入器而异。",
        "reader": "写在 [[source]] 的 reader；jiaokan explain reader 名称 列出其体例之键。",
        "decisions": "每条皆记何人（resp）、何故（why）、把握（cert）。关于异文者，jiaokan review 逐条问而代写。",
        "lists": "可有可无。格间用制表符，# 起为注释；[ ] 中之栏可略。",
        "layout": "只为给程序增添版式者；现有版式见 jiaokan explain print。",
        "list titles": "书名如何称引", "list uses": "书名前后标明引用之语", "list works": "所引书之通名",
        "list traditions": "注家所称引之版本", "list remarks": "校语之式", "list readings": "校语谓文当如何",
        "list clauses": "校语前后之语", "list speech": "引出言语之字样",
        "reader brackets": "注在括号中，一括号可有数家", "reader mandoku": "Kanripo（漢籍リポジトリ）之 Mandoku 文本",
        "reader paragraphs": "一段一家，段首署名", "reader plain": "无注或注在括号中的纯文本、Markdown、维基文本",
        "reader verse": "韵语与注不分之书", "reader zhushu": "经注疏合刻：注在括号，疏自为段",
        "glyph": "私用区字代表何字", "correction": "误字及其当作", "supplied": "转录所脱之文",
        "literal": "此处之 □ 是原文", "target": "某注所注者何语",
        "boundary": "某处何层开始，是谁之言", "lost": "全书脱而无痕之字",
        "passim": "一本惯用之字，凡他本有正字处皆从之", "merge": "括号中诸条合为一条",
        "split": "括号中一条按 | 分为数条", "lemma": "印何读法；cert = \"low\" 则存疑",
        "emendation": "印诸本所无之文", "conjecture": "记他人所拟而不印者",
        "class": "定异文之类", "reject": "非异文", "note": "只加按语", "character": "字体所无之字印作何字",
    },
}
"""What each page says first, and each thing on it in a few words."""
