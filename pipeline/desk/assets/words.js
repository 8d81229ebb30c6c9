// What the desk says, in Chinese and English.
"use strict";
self.jiaokanDesk = {
  zh: {
    desk: "案头", show: "案头", hide: "收起", who: "定者", everybody: "编者", undo: "撤回", redo: "重做", build: "重制全书", built: "已重制", building: "重制中，或须数分钟",
    chapter: "篇", speaker: "何人之语", variant: "类", kind: "状态", all: "全部", text: "经文", open: "未定", doubt: "存疑", decided: "已定", conflicts: "不合之定",
    found: "凡 {n} 条", list: "待定诸条", progress: "各篇进度", chapters: "未定 {open}，存疑 {doubt}，已定 {decided}", readings: "诸本之文", none: "无此字",
    why: "理由", cert: "把握", high: "确", medium: "中", low: "疑", like: "同此 {n} 处一并定之", act: "所定", lemma: "从之", leave: "存疑", class: "定类", pair: "二字通书定类", passim: "此本通书从之", reject: "非异文", note: "按语",
    emendation: "改字", merge: "合为一条", split: "分为数条", words: "当作", parts: "以｜分之", context: "原文，所合者加方括号", colleague: "问同人：存疑而附问语", file: "写入", skip: "略过", back: "返回",
    filed: "已定者", withdraw: "撤去此定", remarks: "诸家所记", commentary: "此处诸注", witnesses: "诸本原文", parallels: "他处同例", times: "{n} 处", written: "已写入 {path}", became: "此次 {before} 条成 {after} 条", misfits: "{n} 条旧定不复合", undone: "已撤回：{what}", redone: "已重做：{what}",
    nothing: "无可为", log: "日志", diff: "所改", where: "在文中", needs: "请写理由", clash: "他人已改此处。下左为我所写，下右为今文件", mine: "我", theirs: "今", reanchor: "移至此条", anchor: "点文中异文或列表中一条，再按「移至此条」", saved: "案头已连", lost: "案头已断，所写未失；重开案头后再试",
    guide: "引导", guideEnd: "毕", steps: ["在列表中点第一条（或按 d 入案头，再按回车），选一种读法，写理由，按「写入」。", "再取一条，选「存疑」，把要问同人的话写在理由里，写入。文中即见「存疑」。", "按「撤回」（Ctrl+Z），再按「重做」。每一步皆在 tei/decisions/lemmas.toml 中可读。"],
    keys: "按键", keyList: [["d", "入案头、回正文"], ["t", "点断此处（双击亦可）"], ["↑ ↓ Enter", "择条、开条"], ["1–9", "择读"], ["l o c p a r n e", "从之、存疑、定类、通书定类、此本通书、非异文、按语、改字"], ["m v", "合、分"], ["w", "理由"], ["g", "此类一并"], ["Ctrl+Enter", "写入"], ["s b", "略过、返回"], ["Ctrl+Z Ctrl+Y", "撤回、重做"]],
    change: "改定", changing: "改旧定（{kind}）：写入即以此代之", more: "再列", punctuate: "点断", typed: "{place} 标点已写入", atCharacter: "第 {n} 字：", lineOf: "{place} 标点专名", byReading: "据文义", evidence: "依据", names: "文中有此名", nameIt: "标为专名", proposed: "试标", inDoubt: "（{n} 处存疑）", reasons: "所据", takeLine: "取用", previous: "上一条", next: "下一条", close: "收起",
    carried: "经文已改（{what}），旧标点已移来，请核", clashLine: "他人已改此行，两存如下", keepMine: "写我所标", takeTheirs: "用今文件所有", lineKeys: "Ctrl+Enter 写入并下一条，Ctrl+Shift+Enter 写入，Alt+Enter 取用试标，Alt+N 标专名，Alt+↑↓ 上下条，Esc 收起", busy: "稍候",
    outside: "他人所改已并入", other: "另定（校改、补字、界、字形……）",
  },
  en: {
    desk: "Desk", show: "Desk", hide: "Close", who: "Who decides", everybody: "the editors", undo: "Undo", redo: "Redo", build: "Make all again", built: "All is made", building: "Making all again; it may take minutes",
    chapter: "Chapter", speaker: "Layer", variant: "Class", kind: "State", all: "All", text: "Base text", open: "Open", doubt: "In doubt", decided: "Decided", conflicts: "Decisions that do not fit",
    found: "{n} entries", list: "What is to be decided", progress: "Progress by chapter", chapters: "{open} open, {doubt} in doubt, {decided} decided", readings: "Readings", none: "no word",
    why: "Why", cert: "How sure", high: "high", medium: "medium", low: "low", like: "All {n} places like this", act: "Decision", lemma: "Print it", leave: "Leave open", class: "Class", pair: "Class, wherever the two stand", passim: "This witness throughout", reject: "No variant", note: "Note",
    emendation: "Emend", merge: "Merge", split: "Split", words: "Words to print", parts: "Parted by |", context: "Words of the text, those to be one in brackets", colleague: "Ask a colleague: left open, the question as a note", file: "Write", skip: "Skip", back: "Back",
    filed: "Decided", withdraw: "Withdraw", remarks: "What notes report", commentary: "Comments on this place", witnesses: "The witnesses here", parallels: "The same words elsewhere", times: "{n} places", written: "Written to {path}", became: "{before} entries became {after}", misfits: "{n} decisions no longer fit", undone: "Taken back: {what}", redone: "Done again: {what}",
    nothing: "Nothing to do", log: "Log", diff: "The change", where: "In the text", needs: "Say why", clash: "Somebody else has changed this. Yours is first, then the file as it is", mine: "Yours", theirs: "The file", reanchor: "Anchor here", anchor: "Choose an entry in the text or in the list, then “Anchor here”", saved: "The desk is there", lost: "The desk is gone; nothing written is lost. Open it again and try once more",
    guide: "Guide", guideEnd: "Done", steps: ["Choose the first entry of the list (or press d, then Enter), choose a reading, say why, and press “Write”.", "Take another one, choose “Leave open”, and write what you would ask a colleague as the reason. The text shows 存疑 at once.", "Press “Undo” (Ctrl+Z), then “Redo”. Each step can be read in tei/decisions/lemmas.toml."],
    keys: "Keys", keyList: [["d", "to the desk, back to the text"], ["t", "punctuate here (or double click)"], ["↑ ↓ Enter", "choose an entry, open it"], ["1–9", "choose a reading"], ["l o c p a r n e", "print, leave open, class, class of the pair, throughout, no variant, note, emend"], ["m v", "merge, split"], ["w", "why"], ["g", "all like this"], ["Ctrl+Enter", "write"], ["s b", "skip, back"], ["Ctrl+Z Ctrl+Y", "undo, redo"]],
    change: "Change", changing: "Changes what was decided ({kind}): what you write stands in its place", more: "More", punctuate: "Punctuate", typed: "Punctuation of {place} written", atCharacter: "Character {n}: ", lineOf: "Marks and names of {place}", byReading: "by reading", evidence: "Evidence", names: "Names that stand here", nameIt: "Mark a name", proposed: "Proposed", inDoubt: "({n} in doubt)", reasons: "On what they rest", takeLine: "Take it", previous: "Previous", next: "Next", close: "Close",
    carried: "The text has changed ({what}); the marks were carried over: look at them", clashLine: "Somebody else has changed this line; here are both", keepMine: "Write mine", takeTheirs: "Take the file’s", lineKeys: "Ctrl+Enter writes and goes on, Ctrl+Shift+Enter writes, Alt+Enter takes what is proposed, Alt+N marks a name, Alt+↑↓ other lines, Esc closes", busy: "One moment",
    outside: "What others changed is taken in", other: "Something else (correction, supplied, boundary, glyph …)",
  },
};
