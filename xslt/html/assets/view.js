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
  // What is in a part by its id: to look for each by itself would go through all of it each time.
  const indexed = (part) => new Map([...part.querySelectorAll("[id]")].reverse().map((element) => [element.id, element]));
  // The number of an entry, from the edited text or from the list of entries.
  const numbered = (entries, id) => {
    const number = entries.get(`e-${id}`)?.querySelector(":scope > .m")?.cloneNode(true);
    if (number) number.setAttribute("href", `#e-${id}`);
    return number;
  };
  const mark = (owner, cells, [start, length, id], entries, named) => {
    const number = numbered(entries, id), level = number ? [...number.classList].find((each) => /^r\d$/.test(each)) : "r3";
    // It omits what the edited text has; an entry that only says how a note is abridged has no words at all.
    const omits = [...entries.get(`e-${id}`)?.querySelectorAll(":scope > .why b") || []].some((each) => each.textContent && each.textContent !== "∅");
    const marks = length ? surround(cells, start, length, `v ${level} differs`) : [make("span", { className: `v ${level} differs${omits ? " omits" : ""}` })];
    if (!length) before(owner, cells, start, marks[0]);
    if (!named.has(id)) { named.add(id); marks[0].id = id; }
    for (const each of marks) each.dataset.id = id;
    if (number) marks.at(-1).after(number);
  };

  // The edition's number is the number everywhere; beside it the witness's own, named as such.
  const number = (owner, places, name, entries) => {
    const ref = owner.querySelector(":scope > a.ref");
    if (!ref) return;
    const [first] = places.filter(([at]) => !at), own = make("small", { className: "own", textContent: `${name} ${ref.textContent.trim()}` });
    ref.replaceChildren(...(first ? [referred(first[1], entries) + (first[2] ? "…" : "")] : []), own);
  };
  // Where a unit of the edition begins, with its number inside a unit of the witness.
  const begins = ([at, , here], owner, entries) => {
    const place = make("span", { className: "at", id: here });
    if (at && owner.matches(".jing")) place.dataset.ref = referred(here, entries);
    return place;
  };
  // The number of a unit of the edition, as its page has it.
  const referred = (id, entries) => entries.get(id)?.dataset.ref || id.replace(/^[^.]*\./, "");

  // The page of a witness: its blocks, then the entries in which the edited text differs from it.
  const build = (witness, name, view, text) => {
    const root = make("div", {});
    root.append(...new DOMParser().parseFromString(view.html, "text/html").body.childNodes);
    const entries = indexed(text), own = indexed(root), named = new Set(), owners = new Set([...Object.keys(view.at), ...Object.keys(view.differs)]);
    for (const id of owners) {
      const owner = own.get(id);
      if (!owner) continue;
      // From the last to the first: what stands before stays where it was counted.
      const cells = self.jiaokan.cells(owner), places = view.at[id] || [];
      const rows = [...places.filter(([, , again]) => !again).map(([at, here]) => [at, -1, here]), ...(view.differs[id] || [])].sort((a, b) => b[0] - a[0] || b[1] - a[1]);
      for (const row of rows)
        if (row[1] < 0) before(owner, cells, row[0], begins(row, owner, entries)); else mark(owner, cells, row, entries, named);
      if (places.length) owner.dataset.edition = places.map(([, here]) => here).join(" ");
    }
    for (const unit of root.querySelectorAll("p.jing")) number(unit, view.at[unit.id] || [], name, entries);
    for (const ref of root.querySelectorAll(".given > .ref")) ref.textContent = `${name} ${ref.textContent}`;
    const list = make("ol", {});
    for (const entry of text.querySelectorAll(".apparatus > ol > li")) if (named.has(entry.id.slice(2))) list.append(entry.cloneNode(true));
    const head = text.querySelector(".apparatus h3")?.cloneNode(true);
    if (list.children.length) root.append(make("section", { className: "apparatus" }, ...(head ? [head] : []), list));
    return { nodes: [...root.childNodes], differs: named.size };
  };
  Object.assign(self.jiaokan, { view: { load, build } });
})();
