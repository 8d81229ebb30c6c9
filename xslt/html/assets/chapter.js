// What a chapter's page does beyond reading: entries open beside their words, the view is kept in the address.
"use strict";
(() => {
  const root = document.documentElement, main = document.getElementById("text"), form = document.getElementById("view");
  const { make } = self.jiaokan;

  // --- The view in the address -------------------------------------------------------------------------------
  const speakers = () => [...form.querySelectorAll("input[name=speaker]")];
  const hide = (part = main) => {
    const off = speakers().filter((box) => !box.checked).map((box) => box.value);
    for (const note of part.querySelectorAll("[data-speaker]")) note.hidden = off.includes(note.dataset.speaker);
  };
  // Who is silenced is kept for other chapters and visits; an address that names them goes before.
  const SILENCED = "jiaokan-silenced";
  const read = () => {
    const view = new URLSearchParams(location.search);
    for (const radio of form.querySelectorAll("fieldset:not(.own) input[type=radio]"))
      if (view.get(radio.name) === radio.value) radio.checked = true;
    const off = (view.get("without") ?? self.jiaokan.stored(SILENCED)).split(",");
    for (const box of speakers()) box.checked = !off.includes(box.value);
    form.dispatchEvent(new Event("chosen"));
    hide();
  };
  const keep = () => {
    // What this page has no switch for (another chapter's speakers) stays in the address for the next one.
    const view = new URLSearchParams(location.search);
    for (const set of form.querySelectorAll("fieldset:not(.speakers, .which, .own)")) {
      const chosen = set.querySelector("input:checked"), first = set.querySelector("input");
      if (chosen && chosen !== first) view.set(chosen.name, chosen.value); else view.delete(first.name);
    }
    const boxes = speakers(), here = boxes.map((box) => box.value);
    const off = (view.get("without") || "").split(",").filter((one) => one && !here.includes(one));
    off.push(...boxes.filter((box) => !box.checked).map((box) => box.value));
    if (off.length) view.set("without", off.join(",")); else view.delete("without");
    if (boxes.length) self.jiaokan.store(SILENCED, off.join(","));
    const query = self.jiaokan.keep(view);
    const folder = (path) => path.replace(/[^/]*$/, "");
    for (const link of document.querySelectorAll(".turn a, .path a")) if (folder(link.pathname) === folder(location.pathname)) link.search = query;
  };
  form.addEventListener("change", (event) => { if (event.target.name === "speaker") { hide(); fold(); } close(); keep(); });
  main.addEventListener("shown", () => { keep(); close(); hide(); fold(); shorten(main); reveal(); });
  main.addEventListener("more", ({ detail: part }) => { hide(part); fold(part); shorten(part); });
  if (speakers().length) {
    const set = form.querySelector(".speakers");
    for (const [word, on] of [[form.dataset.all, true], [form.dataset.none, false]]) {
      const button = make("button", { type: "button", textContent: word });
      button.addEventListener("click", () => { for (const box of speakers()) box.checked = on; hide(); fold(); keep(); });
      set.append(button);
    }
  }
  form.addEventListener("submit", (event) => event.preventDefault());
  read();
  keep();
  addEventListener("popstate", read);

  // --- Entries -----------------------------------------------------------------------------------------------
  let sheet = null, opener = null;
  const shown = (element) => element && getComputedStyle(element).display !== "none";
  const close = (back) => {
    if (!sheet) return;
    sheet.remove();
    document.body.style.paddingBlockEnd = "";
    for (const active of main.querySelectorAll(".active")) active.classList.remove("active");
    sheet = null;
    if (back && opener) opener.focus({ preventScroll: true });
  };
  // A sheet from below leaves the word in sight above it.
  const lift = (word) => {
    document.body.style.paddingBlockEnd = `${sheet.offsetHeight}px`;
    const box = word.getBoundingClientRect(), bar = document.querySelector(".bar").offsetHeight;
    const free = innerHeight - sheet.offsetHeight;
    if (box.top < bar || box.bottom > free - 8) scrollBy({ top: box.bottom - Math.max(bar + box.height, free - 24) });
  };
  const place = (word) => {
    if (getComputedStyle(sheet).position === "fixed") { lift(word); return; }
    const box = word.getClientRects()[0] || word.getBoundingClientRect(), width = sheet.offsetWidth;
    if (getComputedStyle(main).writingMode === "vertical-rl") {
      // At the left edge, where one reads on; if the word is there, at the right.
      sheet.style.left = (box.left > width + 40 ? 16 : Math.max(16, root.clientWidth - width - 16)) + "px";
      sheet.style.top = "4rem";
      return;
    }
    const below = box.bottom + sheet.offsetHeight + 12 < innerHeight;
    sheet.style.left = Math.max(16, Math.min(box.left + scrollX - 24, scrollX + root.clientWidth - width - 16)) + "px";
    sheet.style.top = (below ? box.bottom + 8 : Math.max(8, box.top - sheet.offsetHeight - 8)) + scrollY + "px";
  };
  // A small card by a word: what it says, and buttons to copy that and to close the card.
  const present = (at, from, label, body, words) => {
    close();
    opener = from;
    const shut = make("button", { type: "button", textContent: form.dataset.close });
    shut.addEventListener("click", () => close(true));
    const copy = make("button", { type: "button", textContent: form.dataset.copy });
    copy.addEventListener("click", async () => {
      try { await navigator.clipboard.writeText(words); copy.textContent = form.dataset.copied; } catch { /* no clipboard here */ }
    });
    sheet = make("div", { id: "sheet", tabIndex: -1 }, ...body, make("p", { className: "tools", lang: root.lang }, copy, shut));
    sheet.setAttribute("role", "dialog");
    sheet.setAttribute("aria-label", label);
    sheet.lang = main.lang;
    document.body.append(sheet);
    at.classList?.add("active");  // a range has none
    place(at);
    sheet.focus({ preventScroll: true });
  };
  self.jiaokan.present = present;
  // lemma ] reading sigla : reading sigla
  const latin = (entry) => {
    const [lemma, ...readings] = entry.querySelectorAll(".why > .lem, .why > .rdg");
    const words = (row) => row.querySelector("b").textContent, sigla = (row) => [...row.querySelectorAll(".sigla abbr")].map((abbr) => abbr.textContent).join(" ");
    // Conjectures of the same words are one reading; a witness omits (om.), a scholar deletes (del.).
    const said = new Map();
    for (const row of readings) {
      const by = row.dataset.by ? row.dataset.by.split("、").map((name) => self.jiaokanNames?.[name] || name).join(", ") : "";
      const key = `${words(row) === "∅" ? (by ? "del." : "om.") : words(row)}${by ? "\u0000" : ""}`;
      said.set(key, [...(said.get(key) || []), by || sigla(row)]);
    }
    const rest = [...said].map(([key, who]) => `${key.replace("\u0000", "")} ${who.join(key.endsWith("\u0000") ? ", " : " ")}`.trim());
    return `${words(lemma)} ] ${rest.join(" : ")}`;
  };
  const open = (id, from, word = document.getElementById(id)) => {
    self.jiaokan.near("e-" + id);
    const entry = document.getElementById("e-" + id);
    if (!entry || !word) return false;
    const body = [...entry.querySelectorAll(":scope > .says, :scope > .comment, :scope > .within, :scope > .why")].map((part) => part.cloneNode(true));
    for (const part of body) {
      part.hidden = false;
      if (part.matches(".comment, .within")) part.firstChild.data = part.firstChild.data.replace(/^[。　]/, "");
    }
    if (!root.lang.startsWith("zh") && !root.hasAttribute("data-letters")) body.splice(1, 0, make("p", { className: "latin", lang: main.lang, textContent: latin(entry) }));
    const names = new Map([...entry.querySelectorAll("abbr")].map((abbr) => [abbr.textContent, abbr.title]));
    body.push(make("p", { className: "explained" }, [...names].map(([siglum, title]) => siglum + self.jiaokan.marked("：") + title).join(self.jiaokan.marked("；"))));
    const label = entry.querySelector(".m").getAttribute("aria-label");
    const readings = [...entry.querySelectorAll(".why > :is(.lem, .rdg) > b")].map((each) => each.textContent);
    // 校 一五：篚，觚: as its mark is called, or by its reference.
    const mark = main.querySelector(`:not(li) > .m[href="#e-${CSS.escape(id)}"]`)?.getAttribute("aria-label");
    const title = [mark || label + self.jiaokan.marked("：") + readings[0], ...readings.slice(1)].join(self.jiaokan.marked("，"));
    const words = [...entry.querySelectorAll(":scope > .says, :scope > .comment, :scope > .within")].map((part) => part.textContent).join("");
    present(word, from, title, body, words + self.jiaokan.marked("（") + label + self.jiaokan.marked("）"));
    cited({ id, reference: self.jiaokan.reference(id), address: self.jiaokan.address(id), sheet, entry: true });
    place(word);
    return true;
  };
  // An address without a host begins at the site's folder.
  const standing = () => (self.jiaokan.lasting() ? [] : [make("p", { className: "explained", lang: root.lang }, form.dataset.relative)]);
  const cited = (detail) => main.dispatchEvent(new CustomEvent("cited", { detail }));
  // A unit's number or a speaker's name: its canonical reference and how to cite it.
  const cite = (link) => {
    const reference = self.jiaokan.reference(link.hash.slice(1)), address = self.jiaokan.address(link.hash.slice(1));
    const body = [make("span", { className: "says" }, reference)];
    // Of a unit in a witness's own numbering, what the edition calls it.
    for (const unit of (link.closest("[data-edition]")?.dataset.edition || "").split(" ").filter(Boolean)) {
      const there = make("a", { href: `#${unit}`, textContent: `${form.dataset.edition} ${self.jiaokan.reference(unit)}` });
      there.addEventListener("click", () => document.querySelector(".reading button")?.click());
      body.push(make("p", { className: "explained", lang: root.lang }, there));
    }
    if (link.matches(".who")) {
      const works = (link.parentElement.dataset.w || "").split(" ").map((id) => self.jiaokan.names?.get(id)).filter(Boolean);
      body.push(make("p", {}, link.title.replace(reference, "").trim()));
      if (link.dataset.who) body.push(make("p", { lang: root.lang }, make("a", { href: `speaker-${link.parentElement.dataset.speaker}.html`, textContent: form.dataset.allNotes })));
      if (works.length) body.push(make("p", { className: "explained", lang: root.lang }, `${form.dataset.in} ${works.join(self.jiaokan.marked("、"))}`));
    }
    body.push(make("p", { className: "explained" }, main.dataset.cite + reference), make("p", { className: "explained address" }, address), ...standing());
    present(link, link, reference, body, main.dataset.cite + reference + " " + address);
    cited({ id: link.hash.slice(1), reference, address, sheet, entry: false });
    place(link);
  };
  main.addEventListener("click", (event) => {
    const mark = event.target.closest(".m"), word = event.target.closest("span.v");
    if (event.target.closest(".apparatus")) return;
    const reference = event.target.closest("a.ref, a.who");
    if (reference) { setTimeout(() => cite(reference)); return; }
    if (mark && open(mark.hash.slice(3), mark, mark.previousElementSibling?.matches(".v") ? mark.previousElementSibling : mark.parentElement)) event.preventDefault();
    else if (word && !event.target.closest("a") && getSelection().isCollapsed) {
      let each = word;
      while (each && !(markOf(each) && shown(markOf(each)))) each = each.parentElement.closest("span.v");
      if (each) open(markOf(each).hash.slice(3), markOf(each), each);
    }
  });
  const markOf = (word) => word.nextElementSibling?.matches(".m") ? word.nextElementSibling : word.querySelector(":scope > .m")
    || word.dataset.id && main.querySelector(`.m[href="#e-${CSS.escape(word.dataset.id)}"]`);
  document.addEventListener("pointerdown", (event) => { if (sheet && !sheet.contains(event.target) && !event.target.closest(".v, .m, .ref, .who")) close(); });
  document.addEventListener("keydown", (event) => {
    if (event.key !== "Escape") return;
    if (sheet) close(true);
    else for (const each of document.querySelectorAll(".bar details[open]:not(.type)")) { each.open = false; each.firstElementChild.focus(); }
  });

  // --- Long comments, and on a phone all: who speaks is shown, and what they say when one asks ---------------------
  const narrow = matchMedia("(max-width: 44rem)");
  const fold = (part = main) => {
    if (!narrow.matches) return;
    for (const left of part.querySelectorAll(".voices")) if (!left.nextElementSibling?.matches(".notes")) left.remove();
    for (const notes of part.querySelectorAll(".passage > .notes")) {
      const before = notes.previousElementSibling;
      const button = before?.matches(".voices") ? before : make("button", { type: "button", className: "voices" });
      const names = [...notes.querySelectorAll("div.note:not([hidden]) > .who")].map((who) => who.firstChild.data.trim());
      button.textContent = [...new Set(names)].join(" ") || form.dataset.notes;
      button.setAttribute("aria-expanded", String(notes.parentElement.classList.contains("asked")));
      if (before && button !== before) before.after(button);
    }
  };
  const ask = (button, open = !button.parentElement.classList.contains("asked")) => {
    button.parentElement.classList.toggle("asked", open);
    button.setAttribute("aria-expanded", String(open));
  };
  narrow.addEventListener("change", () => fold());
  fold();

  const shorten = (part) => {
    for (const note of part.querySelectorAll("div.note.long:not(:has(> .more))")) {
      const button = make("button", { type: "button", className: "more", textContent: form.dataset.more });
      button.setAttribute("aria-expanded", "false");
      note.append(button);
    }
  };
  shorten(main);
  main.addEventListener("click", (event) => {
    const note = event.target.closest(".more")?.parentElement, voices = event.target.closest(".voices");
    if (voices) ask(voices);
    if (note) unfold(note, !note.classList.contains("open"));
  });
  const unfold = (note, whole) => {
    const button = note.querySelector(":scope > .more");
    note.classList.toggle("open", whole);
    button.setAttribute("aria-expanded", String(whole));
    button.textContent = whole ? form.dataset.less : form.dataset.more;
    if (!whole) note.scrollIntoView({ block: "nearest" });
  };
  // An entry that a link names is shown whatever the level: its mark, its row, and beside its words what it says.
  const seek = (target) => {
    for (const each of document.querySelectorAll(".sought")) each.classList.remove("sought");
    const row = target?.closest(".apparatus li"), id = (row || target)?.id.replace(/^e-/, "");
    if (!id || !document.getElementById(`e-${id}`)) return;
    const word = document.getElementById(id);
    for (const each of [word, word && markOf(word), document.getElementById(`e-${id}`).closest("li"), ...main.querySelectorAll(`#${CSS.escape(`e-${id}`)} > .m`)])
      each?.classList.add("sought");
    document.getElementById(`e-${id}`).closest(".apparatus").classList.add("sought");
    if (!word) return;
    show(word);
    // After the browser itself has gone to the row.
    const go = () => {
      self.jiaokan.arrive(word, { block: "center" });
      requestAnimationFrame(() => requestAnimationFrame(() => open(id, markOf(word) || word, word)));
    };
    if (document.readyState === "complete") go(); else addEventListener("load", () => setTimeout(go));
  };
  // A note that is hidden by the view is shown when a link names it.
  const show = (target) => {
    const note = target.closest("[data-speaker]"), base = document.getElementById("layer-base");
    if (target.closest(".notes, small.note") && base.checked) { document.getElementById("layer-all").checked = true; form.dispatchEvent(new Event("chosen")); keep(); }
    if (note?.hidden) note.hidden = false;
  };
  const reveal = () => {
    const target = self.jiaokan.target();
    if (target && main.contains(target)) show(target);
    seek(target);
    const voices = target && target.closest(".notes")?.parentElement.querySelector(":scope > .voices");
    if (voices) ask(voices, true);
    for (let note = target && target.closest(".long"); note; note = note.parentElement.closest(".long")) unfold(note, true);
  };
  // An address that is none says so.
  const missing = (id) => {
    const told = make("p", { className: "lacking", lang: root.lang, tabIndex: -1, textContent: `${form.dataset.noPlace}${self.jiaokan.marked("：")}${id.replace(/^[^.]*\./, "")}` });
    told.setAttribute("role", "status");
    main.prepend(told);
    self.jiaokan.arrive(told, { block: "center" });
  };
  self.jiaokan.missing = missing;
  const follow = () => {
    for (const told of main.querySelectorAll(".lacking")) told.remove();
    reveal();
    if (self.jiaokan.named() && !self.jiaokan.target() && !new URLSearchParams(location.search).get("w")) missing(self.jiaokan.named());
  };
  addEventListener("hashchange", () => { follow(); keep(); });
  follow();

  // --- Where one is: the section in the middle of the window is marked in the contents and on the map ----------------
  const middle = new IntersectionObserver((seen) => {
    for (const { target, isIntersecting } of seen) if (isIntersecting) for (const link of document.querySelectorAll(".contents a, .map a")) {
      if (link.getAttribute("href") === `#${target.id}`) link.setAttribute("aria-current", "location"); else link.removeAttribute("aria-current");
    }
  }, { rootMargin: "-45%" });
  for (const section of main.querySelectorAll(":scope > .div")) middle.observe(section);
  const beside = matchMedia("(min-width: 100rem)");

  // --- The bar leaves while one reads; menus close when one goes on ----------------------------------------------
  let last = 0;
  addEventListener("scroll", () => {
    root.classList.toggle("scrolled", scrollY > 8);
    if (Math.abs(scrollY - last) > 24) { root.classList.toggle("away", scrollY > last && scrollY > 200); last = scrollY; }
  }, { passive: true });
  document.addEventListener("click", (event) => {
    for (const each of document.querySelectorAll(".bar details[open]:not(.type)"))
      if (each.closest(".map") ? !beside.matches && event.target.closest(".map a") : !each.contains(event.target) || event.target.closest(".contents a")) each.open = false;
  });
})();
