// Reading one witness from its own view, or up to four side by side: made from the edited text, its entries and who has what; so is one
// that has no view.
"use strict";
(() => {
  const main = document.getElementById("text"), form = document.getElementById("view");
  const set = form.querySelector(".which");
  if (!set) return;
  const boxes = [...set.querySelectorAll("input[name=w]")], most = Number(set.dataset.most);
  const names = new Map(boxes.map((box) => [box.value, box.parentElement.textContent.trim()]));
  const titles = new Map(boxes.map((box) => [box.value, box.parentElement.title]));
  const plain = main.className;
  let edited = [];
  const whole = document.createElement("div");  // the edited text, while something else is shown
  const { make } = self.jiaokan;

  // --- Who reads what: entry → its groups of witnesses, the lemma's first -----------------------------------------
  const entries = new Map();
  const gather = () => {
    self.jiaokan.all();
    if (!main.matches(".one, .parallel")) edited = [...main.childNodes];
    for (const entry of entries.size ? [] : main.querySelectorAll(".apparatus li")) {
      const groups = [...entry.querySelectorAll(".why > .lem, .why > .rdg")].map((row) => ({
        witnesses: [...row.querySelectorAll(".sigla abbr")].map((abbr) => abbr.textContent),
        words: row.querySelector("b"), empty: row.querySelector("b").textContent === "∅",
      }));
      entries.set(entry.id.slice(2), groups);
    }
  };
  // -1: the witness has nothing to do with the place.
  const group = (id, witness) => witness ? entries.get(id).findIndex((each) => each.witnesses.includes(names.get(witness))) : 0;
  const has = (element, witness) => element.dataset.w.split(" ").includes(witness);

  // Half-width punctuation of a Chinese text is drawn full-width, as in the page itself.
  const wide = { ",": "，", ";": "；", ":": "：", "?": "？", "!": "！" };
  const widened = (text) => /^(lzh|zh)/.test(main.lang) ? text.split(/([,;:?!])/).map((part) => {
    const sign = wide[part] && make("span", { className: "full" }, make("span", { textContent: part }));
    if (sign) sign.dataset.form = wide[part];
    return sign || part;
  }) : [text];
  // Between two signs U+2063 is punctuation that the witness prints as a note (〈句〉): no word of its text.
  const drawn = (text) => text.split("\u2063").flatMap((part, at) => at % 2 ? [make("span", { className: "punct", textContent: part })] : widened(part));

  // Turn a copy of the edited text into a witness. What it has otherwise than one of `others` ("": the edited text) is marked.
  const become = (root, witness, others) => {
    gather();
    for (const each of root.querySelectorAll("[data-w]")) if (!has(each, witness)) each.remove();
    for (const word of [...root.querySelectorAll(".v")]) {
      if (!root.contains(word) || !entries.has(word.id)) continue;
      const own = group(word.id, witness), mark = word.nextElementSibling?.matches(".m") ? word.nextElementSibling : word.querySelector(":scope > .m");
      if (!others.some((other) => group(word.id, other) !== own)) { mark?.remove(); word.classList.remove("v"); }
      else word.classList.add("differs");
      const reading = entries.get(word.id)[own];
      if (own !== 0) word.replaceChildren(...(!reading || reading.empty ? [] : reading.words.cloneNode(true).childNodes));
      // An entry that only says how notes are abridged has no words at all.
      if (!word.textContent && entries.get(word.id).some((each) => !each.empty && each.words.textContent)) {
        // It omits what another has; where the entry does not name it, what it has is unknown; where its words are lost, it omits none.
        if (!reading) word.replaceChildren(make("span", { className: "silent", textContent: "〔?〕" }));
        else if (reading.empty) word.classList.add("omits");
        else word.replaceChildren(make("span", { className: "gap", textContent: "〓" }));
      }
      if (own === 0) continue;
      if (word.matches("div") && !word.textContent) word.remove();
    }
    const other = `data-o-${witness.toLowerCase()}`;
    for (const each of root.querySelectorAll(`[${CSS.escape(other)}]`)) each.replaceChildren(...drawn(each.getAttribute(other)));
    own(root);
    for (const empty of root.querySelectorAll(".notes, .base")) if (!empty.children.length) empty.remove();
  };
  // A witness has the marks of its source alone: the editor's are laid on the edited words and would meet them.
  const own = (root) => {
    for (const mark of root.querySelectorAll(".pc")) mark.remove();
    for (const mark of root.querySelectorAll(".aside")) mark.replaceWith(...mark.childNodes);
  };

  // --- What is shown ----------------------------------------------------------------------------------------
  const copy = () => { const root = make("div", {}); root.append(...edited.map((node) => node.cloneNode(true))); return root; };
  const stored = new Map();  // witness → its own view, once it is read
  const told = (witness, count) => banner(`${form.dataset.read}${self.jiaokan.marked("：")}${names.get(witness)}${self.jiaokan.marked("《")}${titles.get(witness)}${self.jiaokan.marked("》")}`, `${form.dataset.differs} ${count}`);
  const one = (witness) => {
    const { nodes, differs } = self.jiaokan.view.build(witness, names.get(witness), stored.get(witness), whole);
    main.replaceChildren(told(witness, differs), ...nodes);
  };
  const parallel = (chosen) => {
    const root = copy();
    for (const whole of root.querySelectorAll(".passage:has(.jing, .notes)")) {
      // A head or trailer is the edition's; the comments on it are the witnesses'.
      const text = whole.querySelector(".jing"), passage = text ? whole : whole.querySelector(":scope > .notes");
      if (!passage) continue;
      const row = make("div", { className: "row" }), taken = new Set();  // an id is that of the first column that has it
      chosen.forEach((witness) => {
        const column = text ? passage.cloneNode(true) : make("div", {}, passage.cloneNode(true));
        become(column, witness, chosen.length > 1 ? chosen.filter((other) => other !== witness) : [""]);
        if (text && !column.querySelector(".jing")) column.prepend(make("p", { className: "absent", textContent: `${names.get(witness)}${form.dataset.lacks}` }));
        for (const each of column.querySelectorAll("p.jing[id], .note[id]")) each.dataset.of = each.id;
        for (const each of column.querySelectorAll("[id]")) if (taken.has(each.id)) each.removeAttribute("id"); else taken.add(each.id);
        column.removeAttribute("id");
        column.className = "column";
        Object.assign(column.dataset, { name: names.get(witness), witness });
        row.append(column);
      });
      if (passage.id) row.id = passage.id;
      passage.replaceWith(row);
    }
    const heads = chosen.map((witness) => make("b", { title: titles.get(witness), textContent: names.get(witness) }));
    for (const part of root.querySelectorAll("section.div")) folded(part, chosen);
    const head = chosen.length > 1 ? banner("", "") : told(chosen[0], root.querySelectorAll(".differs").length);
    main.replaceChildren(head, make("div", { className: "heads" }, ...heads), ...root.childNodes);
  };
  // A section that some lack: one sentence says so, and those that have it take the room; so do several units in a row that one lacks.
  const folded = (section, chosen) => {
    const rows = [...section.querySelectorAll(":scope > .row")];
    const lacking = chosen.filter((_, place) => rows.length && rows.every((row) => row.children[place].querySelector(".absent")));
    if (lacking.length && lacking.length < chosen.length) {
      const rest = chosen.filter((witness) => !lacking.includes(witness));
      for (const row of rows) for (const witness of lacking) row.children[[...row.children].findIndex((each) => each.dataset.name === names.get(witness))].remove();
      section.style.setProperty("--columns", rest.length);
      const told = make("p", { className: "absent" }, `${lacking.map((witness) => names.get(witness)).join(self.jiaokan.marked("、"))}${form.dataset.absent}`);
      const heads = make("div", { className: "heads names" }, ...rest.map((witness) => make("span", { title: titles.get(witness), textContent: names.get(witness) })));
      section.classList.add("folded");
      rows[0].before(told, heads);
    }
    rows.forEach((row, at) => [...row.children].forEach((column) => {
      const absent = column.querySelector(".absent"), above = rows[at - 1] && [...rows[at - 1].children].find((each) => each.dataset.name === column.dataset.name);
      if (absent && above?.querySelector(".absent")) absent.classList.add("again");
    }));
  };
  const banner = (text, more) => {
    const back = make("button", { type: "button", textContent: form.dataset.edited });
    back.addEventListener("click", () => { for (const box of boxes) box.checked = false; choose(); });
    const line = make("p", { className: "reading" }, make("b", { textContent: text }), more, back);
    line.setAttribute("role", "status");
    return line;
  };

  // For the commentary of a unit: the passage of the edited text, and a copy of it as a witness has it.
  const passage = (id) => edited.flatMap((node) => [...(node.querySelectorAll?.(".passage") || [])])
    .concat(edited.filter((node) => node.matches?.(".passage"))).find((each) => [...each.querySelectorAll(".jing")].some((unit) => unit.id === id));
  Object.assign(self.jiaokan, { become, names, passage });

  // The table of contents of what is shown.
  const contents = document.querySelector(".contents ol"), listed = contents ? [...contents.children] : [];
  const list = () => {
    if (!contents) return;
    const own = main.matches(".one") ? [...main.querySelectorAll("section.div[id]")] : [];
    contents.replaceChildren(...(own.length ? own.map((section) => {
      const head = section.querySelector("h2, h1")?.cloneNode(true), link = make("a", { href: `#${section.id}` });
      for (const each of head?.querySelectorAll(".ref, .note, .m") || []) each.remove();
      link.append(make("span", { className: "n", textContent: section.querySelector(".given > .ref")?.textContent || section.id.replace(/^[^.]*\./, "") }), head?.textContent.trim() || "");
      return make("li", {}, link);
    }) : listed));
  };
  const choices = [...document.querySelectorAll(".texts button")];
  for (const choice of choices) choice.addEventListener("click", () => {
    for (const box of boxes) box.checked = box.value === choice.value;
    choose();
  });
  const show = (chosen) => {
    if (chosen.length) gather();
    reading = chosen;
    for (const choice of choices) choice.setAttribute("aria-pressed", String(chosen.length ? chosen.includes(choice.value) : !choice.value));
    main.className = [plain, chosen.length === 1 && stored.has(chosen[0]) ? "one" : chosen.length ? "parallel" : ""].join(" ").trim();
    main.style.setProperty("--columns", chosen.length);
    if (chosen.length && !whole.hasChildNodes()) whole.append(...edited.map((node) => node.cloneNode(true)));
    if (!chosen.length) main.replaceChildren(...edited);
    else if (stored.has(chosen[0]) && chosen.length === 1) one(chosen[0]);
    else parallel(chosen);
    list();
    main.dispatchEvent(new Event("shown"));
  };
  const limit = () => {
    const full = boxes.filter((box) => box.checked).length >= most;
    for (const box of boxes) box.disabled = full && !box.checked;
  };
  // A single witness is read from its own view, which comes from a file of its own.
  const present = async (chosen) => {
    const address = chosen.length === 1 && !stored.has(chosen[0]) && boxes.find((box) => box.value === chosen[0]).dataset.view;
    if (address) {
      const view = await self.jiaokan.view.load(chosen[0], address);
      if (view) stored.set(chosen[0], view);
      if (boxes.filter((box) => box.checked).map((box) => box.value).join() !== chosen.join()) return;  // chosen otherwise meanwhile
    }
    show(chosen);
    lead();
  };

  // --- Where a link leads: to its place, or to where it would be --------------------------------------------------
  const find = (id) => id ? whole.querySelector(`#${CSS.escape(id)}`) : null;
  // The unit or note that something of the edited text belongs to.
  const host = (id) => {
    const there = find(id) || find(id.replace(/^e-/, ""));
    return there?.closest("p.jing, .note[id]") || there;
  };
  // The last unit of the edited text before this one that is shown here.
  const previous = (unit) => {
    const units = [...whole.querySelectorAll("p.jing")], at = units.findIndex((each) => each === unit || unit.compareDocumentPosition(each) & 4);
    return units.slice(0, at < 0 ? units.length : at).reverse().map((each) => document.getElementById(each.id)).find(Boolean);
  };
  const lead = () => {
    for (const told of main.querySelectorAll(".lacking")) told.remove();
    const id = self.jiaokan.named();
    if (!id) return;
    const here = document.getElementById(id) || document.getElementById(`p-${id}`);
    if (here) { if (!here.matches("#text")) self.jiaokan.arrive(here); return; }
    const unit = host(id);
    if (!unit) { self.jiaokan.missing(id); return; }
    const near = document.getElementById(unit.id) || document.getElementById(`p-${unit.id}`);
    if (near) { self.jiaokan.arrive(near, { block: "center" }); return; }
    const lacking = reading.map((witness) => names.get(witness)).join(self.jiaokan.marked("、")), last = previous(unit)?.closest(".passage, .row");
    const told = make("p", { className: "absent lacking", tabIndex: -1 }, `${lacking}${form.dataset.lacksHere}${self.jiaokan.marked("：")}${unit.id.replace(/^[^.]*\./, "")}`);
    told.setAttribute("role", "status");
    if (last) last.after(told); else main.querySelector(".reading").after(told);
    self.jiaokan.arrive(told, { block: "center" });
  };
  addEventListener("hashchange", () => { if (boxes.some((box) => box.checked)) lead(); });

  const choose = () => {
    const chosen = boxes.filter((box) => box.checked).map((box) => box.value), view = new URLSearchParams(location.search);
    if (chosen.length) view.set("w", chosen.join(",")); else view.delete("w");
    self.jiaokan.keep(view, "pushState");  // a step of the history, which other settings are not
    limit();
    present(chosen);
  };
  set.addEventListener("change", choose);
  // The witnesses that the address names.
  const address = () => {
    const wanted = (new URLSearchParams(location.search).get("w") || "").split(",");
    for (const box of boxes) box.checked = wanted.includes(box.value) && wanted.indexOf(box.value) < most;
    limit();
    return boxes.filter((box) => box.checked).map((box) => box.value);
  };
  let reading = address();
  if (reading.length) present(reading);
  addEventListener("popstate", () => { if (address().join() !== reading.join()) present(address()); });
})();
