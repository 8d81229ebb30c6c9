// Reading one witness from its own view, or up to four side by side (beside.js): made from the edited text, its entries and who has
// what; so is one that has no view.
"use strict";
(() => {
  const main = document.getElementById("text"), form = document.getElementById("view");
  const set = form.querySelector(".which");
  if (!set) return;
  const boxes = [...set.querySelectorAll("input[name=w]")], most = Number(set.dataset.most);
  const names = new Map(boxes.map((box) => [box.value, box.parentElement.textContent.trim()]));
  const titles = new Map(boxes.map((box) => [box.value, box.parentElement.title]));
  const plain = main.className;
  const { make } = self.jiaokan, whole = make("div", {});  // the edited text, while something else is shown

  // --- Who reads what: entry → its groups of witnesses, the lemma's first -----------------------------------------
  const entries = new Map();
  const gather = (part) => {
    for (const entry of part.querySelectorAll(".apparatus li")) {
      const groups = [...entry.querySelectorAll(".why > .lem, .why > .rdg")].map((row) => ({
        witnesses: [...row.querySelectorAll(".sigla abbr")].map((abbr) => abbr.textContent),
        words: row.querySelector("b"), empty: row.querySelector("b").textContent === "∅",
      }));
      entries.set(entry.id.slice(2), groups);
    }
  };
  // The edited text, wherever it is now.
  const edited = () => whole.hasChildNodes() ? whole : main;
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
  const become = (root, witness, others, pointed = false) => {
    if (!entries.size) { self.jiaokan.all(); gather(edited()); }
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
      if (own !== 0 && word.matches("div") && !word.textContent) word.remove();
    }
    const other = `data-o-${witness.toLowerCase()}`;
    for (const each of root.querySelectorAll(`[${CSS.escape(other)}]`)) each.replaceChildren(...drawn(each.getAttribute(other)));
    if (!pointed) own(root);
    for (const empty of root.querySelectorAll(".notes, .base")) if (!empty.children.length) empty.remove();
  };
  // A witness has the marks of its source alone: the editor's are laid on the edited words and would meet them.
  const own = (root) => {
    for (const mark of root.querySelectorAll(".pc")) mark.remove();
    for (const mark of root.querySelectorAll(".aside")) mark.replaceWith(...mark.childNodes);
  };

  // --- What is shown ----------------------------------------------------------------------------------------
  const stored = new Map();  // witness → its own view, once it is read
  const told = (witness, count) => banner(`${form.dataset.read}${self.jiaokan.marked("：")}${names.get(witness)}${self.jiaokan.marked("《")}${titles.get(witness)}${self.jiaokan.marked("》")}`, `${form.dataset.differs} ${count}`);
  const FIRST = 2500;  // characters that are shown at once
  let page = null, rest = [], known = null;
  const end = make("p", { className: "end" }), apparatus = make("section", { className: "apparatus" });
  const { all, near: put } = self.jiaokan;
  // An element of the edited text, whose section is made if it waits.
  const element = (id) => {
    if (!known?.has(id) && (put(id) || !known)) known = new Map([...whole.querySelectorAll("[id]")].reverse().map((each) => [each.id, each]));
    return known.get(id);
  };
  const further = (wanted = (_) => true) => {
    while (rest.length && wanted(rest[0][0])) {
      const [[node, into]] = rest.splice(0, 1);
      if (node.nodeType === 1) page.prepare(node);
      if (into) into.append(node); else apparatus.before(node);
      if (node.nodeType === 1) main.dispatchEvent(new CustomEvent("more", { detail: node }));
    }
    if (rest.length) { near.observe(end); return; }
    near.disconnect();
    if (!end.isConnected) return;
    end.remove();
    enter([...page.named]);
    apparatus.hidden = !page.named.size;
  };
  // Entries in the list at the end: those that a card asks for; once the end is reached, all.
  const enter = (ids) => {
    const entries = ids.map((id) => element(`e-${id}`)).filter(Boolean), head = entries[0]?.closest(".apparatus").querySelector("h3");
    apparatus.replaceChildren(...(head ? [head.cloneNode(true)] : []), make("ol", {}, ...entries.map((entry) => entry.cloneNode(true))));
  };
  const long = (length) => (node) => (length > 0 ? (length -= node.textContent.length + 1, true) : false);
  const near = new IntersectionObserver((seen) => { if (seen.some(({ isIntersecting }) => isIntersecting)) { near.unobserve(end); further(long(FIRST)); } }, { rootMargin: "100%" });
  const one = (witness) => {
    known = null;
    page = self.jiaokan.view.build(names.get(witness), stored.get(witness), element);
    rest = page.nodes;
    apparatus.hidden = true;
    apparatus.replaceChildren();
    main.replaceChildren(told(witness, page.differs), apparatus, end);
    further(long(FIRST));
  };
  // What is named is made in the edited text and here: the text as far as that, of the entries that one.
  self.jiaokan.near = (id, name) => {
    const made = put(id, name), own = main.matches(".one") && !name, word = id.replace(/^e-/, ""), before = rest.length;
    if (!own) return made;
    const where = [word, page.owner(word)].map((each) => `#${CSS.escape(each)}, #p-${CSS.escape(each)}`).join();
    let left = document.querySelector(where) ? 0 : rest.findIndex(([node]) => node.matches?.(where) || node.querySelector?.(where)) + 1;
    further(() => left-- > 0);
    const asked = word !== id && apparatus.hidden && element(id);
    if (asked) enter([word]);
    return made || before > rest.length || Boolean(asked);
  };
  self.jiaokan.all = () => { const some = rest.length > 0; further(); return all() || some; };
  // In how many places a witness differs from the edited text.
  const differing = (witness) => {
    self.jiaokan.all();
    gather(whole);
    const lacking = (word) => { for (let each = word.closest("[data-w]"); each; each = each.parentElement.closest("[data-w]")) if (!has(each, witness)) return true; return false; };
    return [...whole.querySelectorAll(".v[id]")].filter((word) => entries.has(word.id) && group(word.id, witness) !== 0 && !lacking(word)).length;
  };
  const parallel = (chosen) => {
    const columns = chosen.map((witness) => ({ witness, name: names.get(witness), title: titles.get(witness) }));
    self.jiaokan.beside.show(columns, whole, chosen.length > 1 ? banner("", "") : told(chosen[0], differing(chosen[0])));
  };
  const banner = (text, more) => {
    const back = make("button", { type: "button", textContent: form.dataset.edited });
    back.addEventListener("click", () => { for (const box of boxes) box.checked = false; choose(); });
    const line = make("p", { className: "reading" }, make("b", { textContent: text }), more, back);
    line.setAttribute("role", "status");
    return line;
  };

  // For the commentary of a unit: the passage of the edited text, and a copy of it as a witness has it.
  const passage = (id) => [...edited().querySelectorAll(".passage")].find((each) => [...each.querySelectorAll(".jing")].some((unit) => unit.id === id));
  Object.assign(self.jiaokan, { become, gather, names, passage });

  // The table of contents of what is shown.
  const contents = document.querySelector(".contents ol"), listed = contents ? [...contents.children] : [];
  const list = () => {
    if (!contents) return;
    const own = main.matches(".one") ? page.items : [];
    contents.replaceChildren(...(own.length ? own.map(({ id, number, head }) => {
      const link = make("a", { href: `#${id}` });
      for (const each of head?.querySelectorAll(".ref, .note, .m") || []) each.remove();
      link.append(make("span", { className: "n", textContent: number || id.replace(/^[^.]*\./, "") }), head?.textContent.trim() || "");
      return make("li", {}, link);
    }) : listed));
  };
  const choices = [...document.querySelectorAll(".texts button")];
  for (const choice of choices) choice.addEventListener("click", () => {
    for (const box of boxes) box.checked = box.value === choice.value;
    choose();
  });
  const show = (chosen) => {
    if (chosen.length && !whole.hasChildNodes()) whole.append(...main.childNodes);
    reading = chosen;
    for (const choice of choices) choice.setAttribute("aria-pressed", String(chosen.length ? chosen.includes(choice.value) : !choice.value));
    main.className = [plain, chosen.length === 1 && stored.has(chosen[0]) ? "one" : chosen.length ? "parallel" : ""].join(" ").trim();
    main.style.setProperty("--columns", chosen.length);
    self.jiaokan.beside.leave();
    near.disconnect();
    rest = [];
    if (!chosen.length) main.replaceChildren(...whole.childNodes);
    else if (stored.has(chosen[0]) && chosen.length === 1) one(chosen[0]);
    else parallel(chosen);
    list();
    document.fonts.ready.then(() => document.documentElement.classList.remove("laying"));
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
  const find = (id) => {
    if (!id) return null;
    self.jiaokan.near(id);
    self.jiaokan.beside.reach(id);
    return whole.querySelector(`#${CSS.escape(id)}`);
  };
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
    const unit = host(id), here = document.getElementById(main.matches(".one") ? id.replace(/^e-/, "") : id) || document.getElementById(`p-${id}`);
    if (here) { if (!here.matches("#text")) self.jiaokan.arrive(here); return; }
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
