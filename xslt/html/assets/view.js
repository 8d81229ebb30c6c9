// One witness as itself: its own division, order and words, made from its own TEI (view-PAGE-WITNESS.js); the units of the
// edition are places in it, and what the edited text has otherwise is marked and opens its entry.
"use strict";
(() => {
  const { make, script } = self.jiaokan;

  // The stored view of a witness; null if it cannot be read.
  const load = async (witness, address) => {
    if (!self.jiaokanViews?.[witness]) await script(address);
    return self.jiaokanViews?.[witness] || null;
  };

  // Put something before the character at an offset; after the last, if there is none.
  const before = (owner, cells, offset, what) => {
    const cell = cells[offset] || cells.at(-1);
    if (!cell) { (owner.matches("p, h1, h2") ? owner : owner.querySelector("p") || owner).append(what); return; }
    const range = document.createRange();
    range.setStart(cell.node, cells[offset] ? cell.at : cell.end);
    range.insertNode(what);
  };
  // Put a mark of difference round some characters, text node by text node, from the last; give the marks in order.
  const surround = (cells, start, length, name) => {
    const parts = [];
    for (const cell of cells.slice(start, start + length)) {
      const last = parts.at(-1);
      if (last?.node === cell.node && last.end === cell.at) last.end = cell.end;
      else parts.push({ ...cell });
    }
    return parts.reverse().map(({ node, at, end }) => {
      const range = document.createRange(), mark = make("span", { className: name });
      range.setStart(node, at);
      range.setEnd(node, end);
      range.surroundContents(mark);
      return mark;
    }).reverse();
  };
  // `edited` gives an element of the edited text by its id.
  const mark = (owner, cells, [start, length, id], edited, named) => {
    const entry = edited(`e-${id}`), number = entry?.querySelector(":scope > .m")?.cloneNode(true), level = number ? [...number.classList].find((each) => /^r\d$/.test(each)) : "r3";
    // It omits what the edited text has; an entry that only says how a note is abridged has no words at all.
    const omits = [...entry?.querySelectorAll(":scope > .why b") || []].some((each) => each.textContent && each.textContent !== "∅");
    const marks = length ? surround(cells, start, length, `v ${level} differs`) : [make("span", { className: `v ${level} differs${omits ? " omits" : ""}` })];
    if (!length) before(owner, cells, start, marks[0]);
    if (!named.has(id)) { named.add(id); marks[0].id = id; }
    for (const each of marks) each.dataset.id = id;
    number?.setAttribute("href", `#e-${id}`);
    if (number) marks.at(-1).after(number);
  };

  // The edition's number is the number everywhere; beside it the witness's own, named as such.
  const number = (owner, places, name, edited) => {
    const ref = owner.querySelector(":scope > a.ref");
    if (!ref) return;
    const [first] = places.filter(([at]) => !at), own = make("small", { className: "own", textContent: `${name} ${ref.textContent.trim()}` });
    ref.replaceChildren(...(first ? [referred(first[1], edited) + (first[2] ? "…" : "")] : []), own);
  };
  // Where a unit of the edition begins, with its number inside a unit of the witness.
  const begins = ([at, here], owner, edited) => {
    const place = make("span", { className: "at", id: here });
    if (at && owner.matches(".jing")) place.dataset.ref = referred(here, edited);
    return place;
  };
  // The number of a unit of the edition, as its page has it.
  const referred = (id, edited) => edited(id)?.dataset.ref || id.replace(/^[^.]*\./, "");

  // Nodes in the order of the text, each with the division that it goes into.
  const spread = (nodes, into) => nodes.flatMap((node) => {
    if (!node.matches?.("article, section.div")) return [[node, into]];
    const content = [...node.childNodes];
    node.replaceChildren();
    return [[node, into], ...spread(content, node)];
  });
  // The page of a witness: its sections, its nodes, what marks in one of them where the edited text differs, and which entries are marked.
  const build = (name, { html, at, differs }, edited) => {
    const { body } = new DOMParser().parseFromString(html, "text/html"), named = new Set(), sections = [...body.querySelectorAll("section.div[id]")];
    for (const ref of body.querySelectorAll(".given > .ref")) ref.textContent = `${name} ${ref.textContent}`;
    const items = sections.map((section) => ({ id: section.id, number: section.querySelector(".given > .ref")?.textContent, head: section.querySelector("h2, h1")?.cloneNode(true) }));
    const prepare = (part) => {
      for (const owner of [part, ...part.querySelectorAll("[id]")]) {
        const places = at[owner.id] || [];
        // From the last to the first: what stands before stays where it was counted.
        const rows = [...places.filter(([, , again]) => !again).map(([start, here]) => [start, -1, here]), ...(differs[owner.id] || [])].sort((a, b) => b[0] - a[0] || b[1] - a[1]);
        const cells = rows.length ? self.jiaokan.cells(owner) : [];
        for (const row of rows)
          if (row[1] < 0) before(owner, cells, row[0], begins([row[0], row[2]], owner, edited)); else mark(owner, cells, row, edited, named);
        if (places.length) owner.dataset.edition = places.map(([, here]) => here).join(" ");
        if (owner.matches("p.jing")) number(owner, places, name, edited);
      }
    };
    // What of the witness has a unit or entry of the edition.
    const owner = (id) => [[at, 1], [differs, 2]].map(([table, key]) => Object.keys(table).find((own) => table[own].some((row) => row[key] === id))).find(Boolean) || id;
    return { items, nodes: spread([...body.childNodes], null), prepare, owner, named, differs: new Set(Object.values(differs).flat().map((row) => row[2])).size };
  };
  Object.assign(self.jiaokan, { view: { load, build } });
})();
