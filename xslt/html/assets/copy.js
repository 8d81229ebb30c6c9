// Copying gives the words of the text and nothing that the page adds to them; the key c gives their reference too.
"use strict";
(() => {
  const main = document.getElementById("text"), words = document.getElementById("view").dataset;
  const { make } = self.jiaokan;
  // What stands in the page beside the words of the text. Entries are copied only when one begins to select in them.
  const added = ".ref, .leafpage, .m, .call, .move, .who, .in, .more, .voices, .of, del, small.juan, small.figure, .space, .at, .why, button, .heads";
  const aside = ".legend, .apparatus, .moves, .quoted, .reading, .absent", block = "p, h1, h2, h3, li, tr, .line, div.note";

  // Who speaks, where the words of a note do not say it themselves and one has selected it from its beginning.
  const speaker = (note, range) => {
    const who = note.querySelector(":scope > .who"), attribution = note.querySelector(":scope > p .attribution");
    if (!who || !range.intersectsNode(who) || (attribution?.textContent && attribution.checkVisibility())) return "";
    return `${who.firstChild.data.trim()}${self.jiaokan.marked("：")}`;
  };
  // The words of a range as one sees them, a line for each block.
  const plain = (range) => {
    const start = range.startContainer, within = (start.nodeType === 1 ? start : start.parentElement).closest(aside);
    const root = range.commonAncestorContainer, lines = [], begun = new Set();
    // Of several witnesses side by side, which says what.
    const beside = new Set([...main.querySelectorAll(".column")].filter((each) => range.intersectsNode(each)).map((each) => each.dataset.name)).size > 1;
    let last = null, column = null;
    const take = (node) => {
      const parent = node.parentElement;
      if (parent.closest(added) || (!within && parent.closest(aside)) || !parent.checkVisibility()) return;
      const text = node.data.slice(node === start ? range.startOffset : 0, node === range.endContainer ? range.endOffset : undefined);
      const owner = parent.closest(block);
      if (!text.trim()) return;
      const stands = parent.closest(".column");
      if (beside && stands && stands !== column) { lines.push(`〔${stands.dataset.name}〕`); column = stands; last = null; }
      if (owner !== last) { lines.push(""); last = owner; }
      const note = parent.closest("div.note");
      if (note && !begun.has(note)) { begun.add(note); lines[lines.length - 1] += speaker(note, range); }
      lines[lines.length - 1] += text;
    };
    if (root.nodeType === 3) take(root);
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT, (node) => range.intersectsNode(node) ? 1 : 2);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) take(node);
    return lines.map((line) => line.replace(/\s*\n\s*/g, "")).filter(Boolean).join("\n");
  };
  const chosen = () => {
    const selection = getSelection();
    if (selection.isCollapsed || !selection.rangeCount) return null;
    const range = selection.getRangeAt(0);
    return main.contains(range.commonAncestorContainer) || range.intersectsNode(main) ? range : null;
  };
  let pending = "";
  document.addEventListener("copy", (event) => {
    const range = chosen(), text = pending || (range ? plain(range) : "");
    if (!text || (!pending && document.activeElement?.matches("input, select, pre"))) return;
    event.clipboardData.setData("text/plain", text);
    event.preventDefault();
  });
  const put = async (text) => {
    try { await navigator.clipboard.writeText(text); } catch {
      pending = text;
      document.execCommand("copy");
      pending = "";
    }
  };

  // --- Where the words stand --------------------------------------------------------------------------------------
  // The units and notes some of whose own words are in the range.
  const units = (range) => [...main.querySelectorAll("p.jing[id], .note[id]")].filter((each) => range.intersectsNode(each)
    && self.jiaokan.cells(each).some(({ node, at, end }) => range.comparePoint(node, at) === 0 && range.comparePoint(node, end) === 0));
  const where = (first, last) => {
    const name = main.dataset.title, witness = self.jiaokan.witness(first.id);
    const number = (each) => {
      const unit = each.closest("p.jing") || each.closest(".passage")?.querySelector("p.jing") || each;
      return unit.dataset.ref || each.id.replace(/^[^.]*\./, "").replace(/\.n\d.*$/, "");
    };
    const who = first.closest(".note")?.querySelector(":scope > .who")?.firstChild.data.trim() || "";
    const to = number(last) !== number(first) ? `–${number(last)}` : "";
    return `${name}${witness ? ` ${self.jiaokan.names?.get(witness) || witness}` : ""} ${number(first)}${to}${who ? ` ${who}` : ""}`;
  };
  const reference = (range) => {
    const found = units(range), first = found[0] || main.querySelector("p.jing[id]");
    if (!first) return null;
    const exact = main.matches(".one, .parallel") ? null : self.jiaokan.position(range);
    return { id: first.id, where: where(first, found.at(-1) || first), at: exact?.at || "", of: exact?.id || first.id, address: self.jiaokan.address(exact?.id || first.id, exact?.at), text: plain(range) };
  };

  // --- With one key: text, and the same as BibTeX, RIS, CSL-JSON -----------------------------------------------------
  let panel = null;
  const close = () => { panel?.remove(); panel = null; };
  const offer = (said) => {
    close();
    const told = make("span", { textContent: words.copied });
    told.setAttribute("role", "status");
    const buttons = Object.entries(self.jiaokan.forms(said)).map(([name, text]) => {
      const button = make("button", { type: "button", textContent: name });
      button.addEventListener("click", async () => { await put(text); told.textContent = `${words.copied} ${name}`; });
      return button;
    });
    panel = make("div", { id: "copied", tabIndex: -1, lang: document.documentElement.lang }, make("p", { lang: main.lang, textContent: said.where }), make("p", {}, told, ...buttons));
    panel.setAttribute("role", "dialog");
    panel.setAttribute("aria-label", words.copyWhere);
    document.body.append(panel);
  };
  document.addEventListener("keydown", async (event) => {
    if (event.key === "Escape") { close(); return; }
    if (event.key !== "c" || event.ctrlKey || event.metaKey || event.altKey || event.target.closest?.("input, select, textarea")) return;
    const range = chosen(), said = range && reference(range);
    if (!said?.text) return;
    event.preventDefault();
    await put(Object.values(self.jiaokan.forms(said))[0]);
    offer(said);
  });
  document.addEventListener("pointerdown", (event) => { if (panel && !panel.contains(event.target)) close(); });
  Object.assign(self.jiaokan, { plain, chosen, said: reference, put });
})();
