// Witnesses side by side: a row for each passage of the edited text, a column for each witness. Only rows near the window have their
// columns; those that are far again keep their height. A row of a section that waits as text (later.js) is made with it.
"use strict";
(() => {
  const main = document.getElementById("text"), form = document.getElementById("view"), { make } = self.jiaokan;
  // How near the window a row gets its columns, how far it loses them; characters that are set at once: the first screen,
  // all of a short chapter. A choice: while one scrolls by the wheel no row is seen empty, and at rest 燕礼 has under 4,000 elements.
  const NEAR = "60%", FAR = "250%", FIRST = 900, SHORT = 8000;
  let columns = [], source = null, pointed = false;
  /** @type {Map<Element, any>} */
  const boxes = new Map();  // a box of the page → what it is made of
  let near = null, far = null;

  // --- What a row has ---------------------------------------------------------------------------------------------
  const lacks = (passage, witness) => {
    const units = [...passage.querySelectorAll(".jing[data-w]")];
    return units.length > 0 && units.every((unit) => !unit.dataset.w.split(" ").includes(witness));
  };
  const column = (passage, text, { witness, name }, taken, again) => {
    const cell = make("div", {}, ...(text ? [...passage.cloneNode(true).childNodes] : [passage.cloneNode(true)]));
    self.jiaokan.become(cell, witness, columns.length > 1 ? columns.map((other) => other.witness).filter((other) => other !== witness) : [""], pointed);
    if (text && !cell.querySelector(".jing")) cell.prepend(make("p", { className: again ? "absent again" : "absent", textContent: `${name}${form.dataset.lacks}` }));
    for (const place of cell.querySelectorAll("p.jing[id], .note[id]")) place.dataset.of = place.id;
    for (const place of cell.querySelectorAll("[id]")) if (taken.has(place.id)) place.removeAttribute("id"); else taken.add(place.id);
    cell.className = "column";
    Object.assign(cell.dataset, { name, witness });
    return cell;
  };
  // A head or trailer is the edition's; the comments on it are the witnesses'.
  const rowOf = (whole, before) => {
    const text = whole.querySelector(".jing"), passage = text ? whole : whole.querySelector(":scope > .notes");
    const row = make("div", { className: "row", id: passage.id || "" });
    if (!row.id) row.removeAttribute("id");
    row.style.minBlockSize = `${Math.min(60, 4 + Math.round(passage.textContent.length * columns.length / 60) * 2)}rem`;
    boxes.set(row, { of: whole, make: () => {
      const taken = new Set(row.id ? [row.id] : []);  // an id is that of the first column that has it
      return columns.map((chosen) => column(passage, text, chosen, taken, before && lacks(before, chosen.witness)));
    } });
    return row;
  };

  // --- What the page has ------------------------------------------------------------------------------------------
  const waits = (node) => node.querySelector?.(":scope > noscript.later");
  // A section or part that waits as text: a box for its rows.
  const later = (node, shell) => {
    shell.style.minBlockSize = "90rem";
    boxes.set(shell, { of: node, once: true, make: () => {
      const nodes = self.jiaokan.open(node);
      for (const part of nodes) if (part.querySelectorAll) self.jiaokan.gather(make("div", {}, part.cloneNode(true)));
      return placed(nodes);
    } });
    return shell;
  };
  const listOf = (node) => {
    const list = node.cloneNode(false);
    list.style.minBlockSize = "6rem";
    boxes.set(list, { of: node, make: () => [...node.cloneNode(true).childNodes] });
    return list;
  };
  const placed = (nodes) => {
    let before = null;
    return nodes.map((node) => {
      if (node.nodeType !== 1 || node.matches("p.legend")) return node.nodeType === 1 ? "" : node.cloneNode();
      if (node.matches(".div")) { const shell = node.cloneNode(false); return waits(node) ? later(node, shell) : (shell.append(...placed([...node.childNodes])), shell); }
      if (node.matches(".part")) return later(node, make("div", { className: "waiting" }));
      if (node.matches(".apparatus")) return listOf(node);
      if (!node.matches(".passage") || !node.querySelector(":scope .jing, :scope > .notes")) return node.cloneNode(true);
      const row = rowOf(node, before);
      before = node;
      if (node.querySelector(".jing")) return row;
      const whole = node.cloneNode(true);
      whole.querySelector(":scope > .notes").replaceWith(row);
      return whole;
    });
  };

  // --- What is near -----------------------------------------------------------------------------------------------
  const fill = (box) => {
    const content = boxes.get(box);
    if (!content || box.hasChildNodes()) return;
    const nodes = content.make();
    if (content.once) { boxes.delete(box); near?.unobserve(box); box.style.minBlockSize = ""; }
    box.append(...nodes);
    if (content.once) watch(box); else box.style.minBlockSize = "";
    main.dispatchEvent(new CustomEvent("more", { detail: box }));
  };
  const empty = (box) => {
    if (!box.hasChildNodes() || box.contains(document.activeElement) || box.querySelector(".active")) return;
    const selection = getSelection();
    if (!selection.isCollapsed && selection.containsNode(box, true)) return;
    box.style.minBlockSize = `${getComputedStyle(main).writingMode === "vertical-rl" ? box.offsetWidth : box.offsetHeight}px`;
    box.replaceChildren();
  };
  const watch = (part) => { for (const box of [part, ...part.querySelectorAll("*")]) if (boxes.has(box)) { near?.observe(box); far?.observe(box); } };
  const leave = () => { near?.disconnect(); far?.disconnect(); near = far = null; boxes.clear(); columns = []; };
  // The first screen at once, the rest as it comes near.
  const first = () => {
    let length = 0;
    while (length < FIRST) {
      const box = [...boxes.keys()].find((row) => row.isConnected && !row.hasChildNodes());
      if (!box) break;
      fill(box);
      length += box.textContent.length / columns.length + 1;
    }
  };
  const show = (chosen, whole, head) => {
    leave();
    [columns, source] = [chosen, whole];
    self.jiaokan.gather(whole);
    const heads = make("div", { className: "heads" }, ...columns.map(({ name, title }) => make("b", { title, textContent: name })));
    main.replaceChildren(points(head, chosen), heads, ...placed([...whole.childNodes]));
    first();
    const root = getComputedStyle(main).writingMode === "vertical-rl" ? main : null;
    near = new IntersectionObserver((seen) => { for (const { target, isIntersecting } of seen) if (isIntersecting) fill(target); }, { rootMargin: NEAR, root });
    far = new IntersectionObserver((seen) => { for (const { target, isIntersecting } of seen) if (!isIntersecting && !boxes.get(target)?.once) empty(target); }, { rootMargin: FAR, root });
    watch(main);
    if (source.textContent.length * columns.length < SHORT) every();
  };
  // The edition's punctuation over the words of the witnesses, if one wishes.
  const points = (head, chosen) => {
    if (!source.querySelector(".pc")) return head;
    const button = make("button", { type: "button", textContent: form.dataset.points });
    button.setAttribute("aria-pressed", String(pointed));
    button.addEventListener("click", () => { pointed = !pointed; show(chosen, source, head); head.querySelector("[aria-pressed]").focus(); });
    head.querySelector("[aria-pressed]")?.remove();
    head.append(button);
    return head;
  };
  // Make the row of something in the edited text.
  const reach = (id) => {
    const wanted = source?.querySelector(`#${CSS.escape(id)}`);
    for (let step = 0; wanted && step < 3; step++)
      for (const [box, { of, once }] of [...boxes]) if (of.contains(wanted) || once && self.jiaokan.open(of).some((part) => part.contains(wanted))) fill(box);
  };
  Object.assign(self.jiaokan, { beside: { show, leave, reach } });

  // --- All rows, for what needs the whole page ------------------------------------------------------------------------
  const every = () => {
    const some = boxes.size > 0;
    far?.disconnect();
    far = null;  // nothing is emptied again
    for (let left = [...boxes.keys()]; left.length; left = [...boxes.keys()].filter((box) => !box.hasChildNodes())) for (const box of left) fill(box);
    return some;
  };
  const { all } = self.jiaokan;
  self.jiaokan.all = () => columns.length ? every() : all();
})();
