// The desk's column: what is open, one question at a time, and what a decision changed. It asks only the desk itself.
"use strict";
(() => {
  const script = document.getElementById("desk-script"), { secret, text: here, page } = script.dataset;
  const { language, words } = self.jiaokanDesk.speak(document.documentElement.lang), main = document.getElementById("text");
  const cards = (title, rows) => rows.length ? [make("h3", { textContent: title }), ...rows] : [];
  const STEPS = 3, KEYS = [["d", "key-desk"], ["t", "key-punctuate"], ["↑ ↓ Enter", "key-entry"], ["1–9", "key-reading"], ["l o c p a r n e", "key-acts"], ["m v", "key-join"], ["w", "key-why"], ["g", "key-like"], ["Ctrl+Enter", "key-file"], ["s b", "key-move"], ["Ctrl+Z Ctrl+Y", "key-undo"]];
  self.jiaokan?.all?.();
  const say = (key, values = {}) => Object.entries(values).reduce((said, [name, value]) => said.replace(`{${name}}`, String(value)), words[key]);
  const make = (tag, props = {}, ...children) => { const { aria, ...own } = props; const e = Object.assign(document.createElement(tag), own); for (const [name, value] of Object.entries(aria || {})) e.setAttribute(`aria-${name}`, value); e.append(...children.filter((each) => each !== null)); return e; };
  const kept = (name, value) => { try { if (value === undefined) return sessionStorage.getItem(`jiaokan-desk-${name}`) || ""; sessionStorage.setItem(`jiaokan-desk-${name}`, value); } catch { /* nothing can be kept here */ } return value || ""; };

  // --- Asking the desk -------------------------------------------------------------------------------------------
  const api = async (name, said, query = {}) => {
    const address = `/.desk/api/${name}?${new URLSearchParams({ ...query, lang: language })}`;
    try {
      const answer = await fetch(address, said ? { method: "POST", headers: { "content-type": "application/json", "x-jiaokan-desk": secret }, body: JSON.stringify(said) } : {});
      const kind = answer.headers.get("content-type") || "";
      const told = kind.includes("json") ? await answer.json() : { error: await answer.text(), mend: "" };
      return answer.ok ? told : { ...told, status: answer.status, error: told.error || String(answer.status) };
    } catch { return { error: say("lost"), mend: "", status: 0 }; }
  };

  // --- The column ------------------------------------------------------------------------------------------------
  const opener = make("button", { type: "button", id: "desk-open", textContent: say("show"), aria: { expanded: "false", controls: "desk" } });
  const desk = make("aside", { id: "desk", hidden: true, lang: language === "zh" ? "zh-Hans" : language, aria: { label: say("desk") } });
  const status = make("p", { className: "status" });
  status.setAttribute("role", "status");
  const body = make("div", { className: "d-body" }), trace = make("div"), top = make("div", { className: "d-top" }), tour = make("div", { className: "card", hidden: true });
  let text = here, state = 0, seen = 0, all = [], over = null;
  const filter = { kind: "open", chapter: "", speaker: "", class: "", work: "", by: "", words: "", order: kept("order") || "weight" };
  let agreed = null;  // how far second decisions agree with the first
  let works = {};  // open work beside the variants, by its kind: asked for when it is wanted
  const button = (key, does, props = {}) => { const e = make("button", { type: "button", textContent: say(key), ...props }); e.addEventListener("click", does); return e; };
  const tell = (said, wrong = false) => { status.textContent = said; status.className = wrong ? "status wrong" : "status"; };
  const fail = (told) => {
    tell([told.at, `${told.error}${told.mend ? ` → ${told.mend}` : ""}`].filter(Boolean).join("："), true);
    if (told.status !== 409) return;
    status.textContent = say("clash");
    trace.replaceChildren(make("div", { className: "two" }, make("div", {}, make("h3", { textContent: say("mine") }), make("pre", { textContent: told.mine, tabIndex: 0 })), make("div", {}, make("h3", { textContent: say("theirs") }), make("pre", { textContent: told.theirs, tabIndex: 0 }))));
  };
  const option = (value, label) => make("option", { value, textContent: label });
  const select = (key, options, value, does) => {
    const e = make("select", { aria: { label: say(key) } }, ...options.map(([id, label]) => option(id, label)));
    e.value = value;
    e.addEventListener("change", () => does(e.value));
    return e;
  };
  // Some values of which one is chosen, all in sight, each with how many it would list.
  let groups = 0;
  const chips = (key, options, value, does) => {
    const name = `${key}-${groups += 1}`, inputs = options.map(([id, label, count]) => {
      const input = make("input", { type: "radio", name, value: id, checked: id === value });
      input.dataset.chip = key;
      input.addEventListener("change", () => does(id));
      return [input, make("label", { className: "chip" }, input, label, count === undefined ? null : make("small", { textContent: ` ${count}` }))];
    });
    const element = make("fieldset", { className: "chips" }, make("legend", { textContent: say(key) }), ...inputs.map(([, label]) => label));
    return { element, get value() { return inputs.find(([input]) => input.checked)?.[0].value || value; }, set value(id) { for (const [input] of inputs) input.checked = input.value === id; }, set disabled(off) { element.disabled = off; } };
  };
  const certainty = (value, does = () => {}) => chips("cert", ["high", "medium", "low"].map((id) => [id, say(id)]), value, does);

  const open = (on) => {
    desk.hidden = !on;
    opener.hidden = on;
    opener.setAttribute("aria-expanded", String(on));
    document.body.classList.toggle("at-desk", on);
    kept("shown", on ? "yes" : "no");
    if (on && !over) load();
  };
  const who = () => over?.who || "";
  const person = (id) => over.persons.find((each) => each.id === id)?.name || over.names[id] || (id === "editors" ? say("everybody") : id);
  const sign = async (value) => { const told = await api("sign", { who: value }); if (told.error) fail(told); else load(); };
  const undos = () => button("undo", () => turn("undo"), { className: "undo" });
  const undo = undos(), redo = button("redo", () => turn("redo"));
  const head = () => {
    const persons = over.persons.map((row) => [row.id, row.name || say("everybody")]);
    top.replaceChildren(
      make("div", { className: "d-row d-whole" }, make("h2", { textContent: say("desk"), tabIndex: -1 }),
        over.texts.length > 1 ? select("edition", over.texts.map((row) => [row.id, row.title]), text, (value) => { text = value; works = {}; ahead.clear(); load(); }) : null,
        undo, redo, button("punctuate", punctuate), button("build", build), button("guide", () => guide(0)), button("hide", () => { open(false); opener.focus(); })),
      persons.length > 1 ? make("div", { className: "d-row d-whole" }, make("label", {}, say("who"), select("who", who() ? persons : [["", "—"], ...persons], who(), sign))) : "",
      question.head, status);
    desk.replaceChildren(top, make("div", { className: "d-scroll" }, tour, body, trace), question.foot);
    if (over.failed) tell(over.failed, true);
  };
  const done = (told) => {
    over = { ...over, ...told };
    for (const e of desk.querySelectorAll("button.undo")) { e.disabled = !over.undo && !refused.length; e.title = over.undo; }
    redo.disabled = !over.redo; redo.title = over.redo;
  };
  // Whether the list may be drawn anew: nobody presses something in it, types in it, or waits for an answer.
  const idle = () => !question.now && !awaited && !waiting && !lines.isOpen() && !body.querySelector(":active, :is(input:not([type=radio]), textarea, select):focus, [open] textarea");
  const redraw = () => {
    const at = body.querySelector(":focus"), there = at?.dataset.id ? `[data-id="${CSS.escape(at.dataset.id)}"]` : at?.dataset.chip ? `[data-chip="${at.dataset.chip}"]:checked` : "", scroll = body.parentElement?.scrollTop || 0;
    list();
    if (there) body.querySelector(there)?.focus({ preventScroll: true });
    if (body.parentElement) body.parentElement.scrollTop = scroll;
  };
  const refresh = async () => {
    const told = await api("overview", null, { text });
    if (told.error) { fail(told); return false; }
    over = told; text = told.text; all = told.open; state = told.state; works = {};
    mark();
    return true;
  };
  const load = async () => {
    const first = !over;
    if (first) over = { persons: [], texts: [], chapters: [], conflicts: [], log: [], open: [], classes: [], kinds: [], names: {}, assigned: {} };
    if (!await refresh()) { if (first) head(); return; }
    head(); done({});
    await news();
    const wanted = kept("entry");
    kept("entry", "");
    const typed = kept("line");
    kept("line", "");
    if (typed && text === here) lines.open(typed);
    if (wanted && all.some((row) => row.id === wanted)) await ask(wanted); else list();
    if (!over.log.length && !kept("guided")) guide(0);
  };

  let awaited = false;  // whether an entry is asked for
  let wish = 0;  // what was wanted last: an answer that comes late to something else is not shown

  // --- The list --------------------------------------------------------------------------------------------------
  const sought = (row) => !filter.words || [row.ref, row.before + row.lemma + row.after, ...(row.readings || []), row.told || ""].some((each) => each.includes(filter.words));
  const shown = () => matching().filter(sought);
  const fits = (row, wanted) => (!wanted.kind || row.kind === wanted.kind || Boolean(over[wanted.kind]?.includes(row.id))) && (!wanted.chapter || row.chapter === wanted.chapter) && (!wanted.speaker || (wanted.speaker === "-" ? !row.speaker : row.speaker === wanted.speaker)) && (!wanted.class || row.class === wanted.class);
  const inOrder = (rows) => (filter.order === "text" ? [...rows].sort((a, b) => a.n - b.n) : rows);
  const matching = () => filter.work ? (works[filter.work] || []).filter((row) => (!filter.chapter || row.chapter === filter.chapter) && (!filter.by || row.by === filter.by)) : inOrder(all.filter((row) => fits(row, filter)));
  const count = (key, value) => { const wanted = { ...filter, [key]: value }; return all.reduce((n, row) => n + Number(fits(row, wanted)), 0); };
  // A place as a reader names it: the title of its chapter and the number in it.
  const place = (row) => [over.chapters.find((chapter) => chapter.id === row.chapter)?.title, (row.ref || "").replace(/^[^:]*:/, "")].filter(Boolean).join(" ");
  const named = (id) => words[`class-${id}`] || id;
  const context = (row) => make("span", { lang: "lzh" }, row.before.slice(-6), make("mark", { textContent: row.lemma || "∅" }), row.after.slice(0, 6));
  const list = () => {
    const blind = filter.work === "second";  // the page, the log and the files say what was decided first
    document.body.classList.remove("at-entry");
    document.body.classList.toggle("blind", blind);
    if (main) main.inert = blind;
    wish += 1;
    awaited = stale = false;
    question.close();
    const rows = shown(), again = (key) => (value) => { filter[key] = value; redraw(); };
    if (filter.work && !works[filter.work]) fetchWork(filter.work);
    const item = (row) => {
      const e = make("button", { type: "button" }, make("span", { className: "ref", textContent: row.ref.replace(/^[^:]*:/, ""), title: place(row) }), context(row), make("span", { className: "state", textContent: row.work ? person(row.by) : named(row.class) }));
      e.dataset.id = row.id;
      e.addEventListener("click", () => (row.work ? task(row) : go(row)));
      return make("li", {}, e);
    };
    const items = make("ol", { className: "entries", aria: { label: say("list") } }), rest = button("more", () => fill(true));
    let drawn = 0;
    const fill = (on) => {
      const first = drawn;
      for (const row of rows.slice(drawn, drawn += 300)) items.append(item(row));
      rest.hidden = drawn >= rows.length;
      if (on) items.children[first]?.firstChild.focus();
    };
    fill(false);
    const wrong = conflicts(), empty = rows.length ? "" : left(again);
    body.replaceChildren(...(blind ? [] : wrong), ...filters(again), make("p", { className: "d-count", textContent: say("found", { n: rows.length }) }), empty,
      ...(blind ? [make("p", { textContent: say("hidden") }), agreement(), items, rest] : [other(), filter.work ? "" : bulk(rows), filter.work ? "" : replacing(), items, rest, folder(), filed(), progress(), log()]), keys());
    body.prepend(...[...body.querySelectorAll(".fault")]);
  };
  // What the list can be narrowed to: each value with the number of entries that it would leave.
  const filters = (again) => {
    const works_ = [["", say("entries")], ...["mark", "glyph", "unnamed", "finding", "second"].map((key) => [key === "unnamed" ? "speaker" : key, say(key)])];
    const speakers = [...new Set(all.map((row) => row.speaker).filter(Boolean))], makers = [...new Set((works[filter.work] || []).map((row) => row.by).filter(Boolean))];
    const numbered = (key, options) => options.map(([id, label]) => [id, label, count(key, id)]).filter(([id, , n]) => n || id === filter[key] || !id);
    const search = make("input", { type: "search", value: filter.words, placeholder: say("search"), aria: { label: say("search") } });
    search.addEventListener("change", () => { filter.words = search.value.trim(); list(); });
    const work = make("label", {}, say("work"), select("work", works_, filter.work, again("work"))), chapters = over.chapters.map((row) => [row.id, row.title]);
    const chapter = (options) => make("label", {}, say("chapter"), select("chapter", [["", say("all")], ...options], filter.chapter, again("chapter")));
    if (filter.work) return [make("div", { className: "d-row" }, work, make("label", {}, say("by"), select("by", [["", say("all")], ...makers.map((id) => [id, person(id)])], filter.by, again("by"))), chapter(chapters)), search];
    const active = ["speaker", "class"].filter((key) => filter[key]).map((key) => { const e = make("button", { type: "button", className: "chip", textContent: `${key === "class" ? named(filter.class) : filter.speaker === "-" ? say("text") : person(filter.speaker)} ×` }); e.addEventListener("click", () => again(key)("")); return e; });
    return [make("div", { className: "d-row" }, work, chapter(numbered("chapter", chapters).map(([id, label, n]) => [id, `${label} ${n}`]))),
      chips("kind", numbered("kind", [...["open", "doubt", "decided", "proposed", "commented"].map((id) => [id, say(id)]), ["", say("all")]]), filter.kind, again("kind")).element,
      chips("order", [["weight", say("byWeight")], ["text", say("byText")]], filter.order, (value) => { kept("order", value); again("order")(value); }).element,
      make("details", { open: narrowed, ontoggle: ({ target }) => { narrowed = target.open; } }, make("summary", { textContent: say("narrow") }),
        chips("speaker", numbered("speaker", [["", say("all")], ["-", say("text")], ...speakers.map((id) => [id, person(id)])]), filter.speaker, again("speaker")).element,
        chips("variant", numbered("class", [["", say("all")], ...over.classes.map((id) => [id, named(id)])]), filter.class, again("class")).element),
      ...(active.length ? [make("div", { className: "d-row" }, ...active)] : []), search];
  };
  let narrowed = false;  // whether layers and classes are shown
  // An empty list says where there is something.
  const left = (again) => {
    if (filter.work) return filter.work in works ? make("p", { textContent: say("nothingLeft") }) : "";
    if (!all.length) return make("div", { className: "left" }, make("p", { textContent: say("noEntries") }), make("div", { className: "d-row" }, ...["mark", "finding"].map((work) => make("button", { type: "button", className: "chip", textContent: say(work), onclick: () => again("work")(work) }))));
    const to = (label, n, wanted) => { const e = make("button", { type: "button", className: "chip", textContent: `${label} ${n}` }); e.addEventListener("click", () => { Object.assign(filter, wanted); list(); }); return n ? e : null; };
    const all_ = { speaker: "", class: "", chapter: "", words: "" }, elsewhere = all.filter((row) => row.kind === "open").length, others = { ...filter, ...all_ };
    const here_ = (kind) => all.filter((row) => fits(row, { ...filter, kind })).length, total = (kind) => all.filter((row) => fits(row, { ...others, kind })).length;
    const found = [filter.words ? to(say("withoutSearch"), matching().length, { words: "" }) : null, filter.kind === "open" ? to(say("openElsewhere"), elsewhere, all_) : null,
      ...["doubt", "decided"].filter((kind) => kind !== filter.kind).map((kind) => here_(kind) ? to(say(kind), here_(kind), { kind }) : to(say(kind), total(kind), { ...all_, kind })),
      over.persons.length > 1 && total("decided") ? make("button", { type: "button", className: "chip", textContent: say("second"), onclick: () => again("work")("second") }) : null].filter(Boolean);
    return make("div", { className: "left" }, make("p", { textContent: say(found.length ? "left" : "nothingLeft") }), make("div", { className: "d-row" }, ...found));
  };
  // One decision on all entries that are listed, written and undone together.
  const bulk = (rows) => {
    const open = rows.filter((each) => each.kind !== "decided"), why = make("textarea", { rows: 2, aria: { label: say("why") } });
    const act = select("act", ["lemma", "leave", "reject"].map((each) => [each, say(each === "lemma" ? "asPrinted" : each)]), "lemma", () => {});
    const cert = certainty(kept("cert") || "medium");
    const one = (row) => {
      const said = { why: why.value, cert: act.value === "leave" ? "low" : cert.value };
      return act.value === "reject" ? { do: "decide", kind: "reject", entry: row.id, context: row.context, said } : { do: "choose", entry: row.id, context: row.context, words: row.lemma, ...said };
    };
    const go = () => { if (why.value.trim()) send(open.map(one)); else { tell(say("needs"), true); why.focus(); } };
    return open.length > 1 ? make("details", {}, make("summary", { textContent: say("bulk", { n: open.length }) }), make("div", { className: "d-row" }, act, cert.element), make("label", {}, say("why"), why), button("file", go, { className: "main" })) : "";
  };
  // Find and replace over the readings: what it would decide is listed first, each place can be left out.
  const replacing = () => {
    const input = (key) => make("input", { type: "text", lang: "lzh", aria: { label: say(key) } }), [from, to] = [input("find"), input("replace")];
    const why = make("textarea", { rows: 2, aria: { label: say("why") } }), cert = certainty(kept("cert") || "medium"), result = make("div");
    const preview = () => {
      const found = from.value ? matching().filter((row) => row.kind !== "decided" && row.lemma.includes(from.value)) : [], words = (row) => row.lemma.replaceAll(from.value, to.value);
      const fits = found.filter((row) => row.readings.includes(words(row)) && words(row) !== row.lemma), boxes = fits.map((row) => make("input", { type: "checkbox", checked: true, value: row.id }));
      const write = () => {
        if (!why.value.trim()) { tell(say("needs"), true); why.focus(); return; }
        send(fits.filter((_, n) => boxes[n].checked).map((row) => ({ do: "choose", entry: row.id, context: row.context, words: words(row), why: why.value, cert: cert.value })));
      };
      result.replaceChildren(make("p", { textContent: say("replaces", { n: fits.length, rest: found.length - fits.length }) }),
        make("ul", { className: "entries" }, ...fits.map((row, n) => make("li", {}, make("label", {}, boxes[n], ` ${row.ref.replace(/^[^:]*:/, "")} `, context(row), ` → ${words(row) || "∅"}`)))),
        ...(fits.length ? [make("label", {}, say("why"), why), make("div", { className: "d-row" }, cert.element, button("file", write, { className: "main" }))] : []));
    };
    return make("details", { className: "replacing" }, make("summary", { textContent: say("replacing") }), make("div", { className: "d-row" }, make("label", {}, say("find"), from), make("label", {}, say("replace"), to), button("preview", preview)), result);
  };
  // How far second decisions agree with the first, and where they do not.
  const agreement = () => agreed?.count ? make("div", { className: "card" }, make("p", { textContent: say("agreement", { n: agreed.count, same: agreed.same, share: Math.round(agreed.same / agreed.count * 100), kappa: agreed.kappa ?? "—" }) }),
    ...agreed.apart.map((each) => make("p", { lang: "lzh", textContent: `${each.ref} ${each.first || "∅"} / ${each.second || "∅"} ${person(each.resp)}：${each.why}` }))) : make("p", { textContent: say("noAgreement") });
  // What `init` guessed of a new folder: each value is changed in its file.
  const folder = () => {
    const rows = make("div"), box = make("details", {}, make("summary", { textContent: say("folder") }), rows);
    const row = (each) => {
      const e = each.choices.length ? make("select", {}, ...each.choices.map((one) => option(one, person(one)))) : make("input", { type: "text", lang: "lzh" });
      e.value = each.value; e.name = `${each.path}:${each.key.join(".")}`;
      e.addEventListener("change", () => send([{ do: "set", path: each.path, key: each.key, was: each.value, value: e.value }]));
      return make("label", {}, `${each.about} ${say(`set-${each.name}`)}`, e);
    };
    box.addEventListener("toggle", async () => {
      if (!box.open || rows.firstChild) return;
      const told = await api("folder");
      if (told.error) { fail(told); return; }
      rows.append(...told.questions.map((each) => make("div", { className: "card" }, make("p", { textContent: each.told }), button("checked", () => send([{ do: "withdraw", path: each.path, table: each.table }])))), ...told.settings.map(row));
    });
    return box;
  };
  const fetchWork = async (work) => {
    tell(say("wait"));
    const told = await api("tasks", null, { text, work });
    if (told.error) { fail(told); return; }
    works[work] = told.tasks;
    agreed = told.agreement || agreed;
    tell("");
    if (filter.work === work && !question.now) list();
  };
  // What is open beside the variants: a line to be typed, or a form filled with what is proposed.
  const task = (row) => {
    if (row.work === "mark") { toLine(row.id); return; }
    if (row.work === "second") { again(row); return; }
    if (text === here) point(row.id);
    const form = other(row.form ? { ...row.form, path: "", table: "" } : null);
    form.open = true;
    wish += 1;
    body.replaceChildren(make("h2", { tabIndex: -1 }, make("span", { textContent: `${row.ref} ` }), context(row)), make("div", { className: "d-row" }, button("back", list)),
      ...cards(say("onWhat"), row.told ? [make("p", { className: "card", textContent: row.told })] : []), ...(row.at ? [make("small", { textContent: row.at }), make("pre", { textContent: row.line, tabIndex: 0, lang: "lzh" })] : []), row.table ? rewriting(row) : form);
    body.querySelector("h2").focus({ preventScroll: true });
  };
  // A decided entry once more, without the first decision and without the page, which prints it.
  const again = async (row) => {
    const q = await api("second", null, { text, id: row.id });
    if (q.error) { fail(q); return; }
    let at = 0;
    const why = make("textarea", { rows: 2, aria: { label: say("why") } });
    const write = () => { if (why.value.trim()) send([{ do: "second", entry: q.id, words: q.choices[at].words, why: why.value }]); else { tell(say("needs"), true); why.focus(); } };
    wish += 1;
    body.replaceChildren(make("h2", { tabIndex: -1 }, `${q.ref} `, context({ ...q, lemma: "？" })), make("div", { className: "d-row" }, button("back", list)),
      make("fieldset", {}, make("legend", { textContent: say("readings") }), ...q.choices.map((each, n) => question.radio("reading", String(n), !n, () => { at = n; }, make("b", { lang: "lzh", textContent: each.words || "∅" }), make("span", { textContent: each.witnesses.join("、") })))),
      make("label", {}, say("why"), why), button("file", write, { className: "main" }), ...question.witnesses(q));
    body.querySelector("h2").focus({ preventScroll: true });
  };
  // The table of a file as text: what is written stands in its place, if it is one. Of a file that cannot be read, the words.
  const rewriting = (row) => {
    const area = make("textarea", { rows: Math.min(16, row.table.split("\n").length + 1), value: row.mended || row.table, lang: "lzh", spellcheck: false, aria: { label: say("asText") } });
    const write = () => (row.kind === "fault" ? repair(row, area.value) : send([{ do: "amend", path: row.path, table: row.table, written: area.value }]));
    return make("div", {}, make("label", {}, `${say("asText")} (${row.path})`, area), make("div", { className: "d-row" }, button("file", write, { className: "main" })));
  };
  const repair = async (row, words) => {
    tell(say("writing"));
    const told = await api("repair", { path: row.path, was: row.table, text: words });
    if (told.error) { fail(told); return; }
    tell(say("written", { path: row.path }));
    if (await refresh()) { done({}); list(); }
  };
  const asText = (row) => { const e = button(row.kind === "fault" ? "openFile" : "asText", () => {
    const form = rewriting(row), area = form.querySelector("textarea"), start = row.table.split("\n").slice(0, (row.at || 1) - 1).join("\n").length + Number(row.at > 1);
    e.closest(".card").append(form); e.remove(); area.focus();
    if (row.at) { const end = row.table.indexOf("\n", start); area.setSelectionRange(start, end < 0 ? row.table.length : end); area.scrollTop = Math.max(0, row.at - 4) * area.scrollHeight / row.table.split("\n").length; }
  }); return e; };
  const conflicts = () => over.conflicts.length ? [make("h3", { textContent: say("conflicts") }), ...over.conflicts.map((row) => (row.kind === "fault" ? fault(row) : make("div", { className: "card" },
    make("p", { className: "wrong", textContent: `${row.unit ? place({ chapter: row.unit.replace(":", ".").split(".").slice(0, 2).join("."), ref: row.unit }) : row.path} ${row.context || ""}` }), make("p", { textContent: row.reason }),
    make("div", { className: "d-row" }, row.mended ? button("mend", () => send([{ do: "amend", path: row.path, table: row.table, written: row.mended }])) : null, row.table ? asText(row) : null, row.table ? button("withdraw", () => send([{ do: "withdraw", path: row.path, table: row.table }])) : null, row.kind === "line" && row.unit ? button("punctuate", () => toLine(row.unit)) : null, row.table && row.unit ? button("reanchor", () => question.move(row)) : null))))] : [];
  const fault = (row) => make("div", { className: "card fault" }, make("p", { className: "wrong", textContent: `${row.path}${row.line ? `:${row.line}` : ""}` }), make("p", { textContent: `${row.reason}${row.mend ? ` → ${row.mend}` : ""}` }), make("p", { textContent: say("fault") }), make("div", { className: "d-row" }, row.table ? asText(row) : null));
  const progress = () => make("details", {}, make("summary", { textContent: say("progress") }), ...over.chapters.map((each) => {
    const bar = (key, value, max) => max ? [make("small", { textContent: say(key, each) }), make("progress", { max, value, aria: { label: `${each.title} ${say(key, each)}` } })] : [];
    // One bar a chapter: of what may be decided, what is; marks and names are counted beside it.
    const may = each.open + each.doubt + each.decided;
    return make("div", {}, make("a", { href: `/${text}/${each.page}.html`, textContent: each.title }), over.assigned[each.id] ? ` ${person(over.assigned[each.id])} ` : " ",
      ...(may ? bar("chapters", each.doubt + each.decided, may) : bar("typedLines", each.typed, each.all)),
      may && each.typed ? make("small", { textContent: ` ${say("typedLines", each)}` }) : null);
  }));
  // A decision on no entry: a correction, a boundary, a character. What is selected in the text is its context.
  const other = (old = null) => {
    const fields = make("div"), inputs = new Map();
    // What is selected on the page, as the sources have it: its fields are filled.
    const pick = async () => {
      const told = await api("selected", null, { text, ...picked });
      if (told.error) { fail(told); return; }
      const own = inputs.get("source")?.[0], names = Object.keys(told.selected), found = told.selected[own && names.includes(own.value) && own.dataset.set ? own.value : names[0]];
      if (!found) { tell(say("notOnce"), true); return; }
      if (own) { own.value = names.find((each) => told.selected[each] === found); own.dataset.set = "yes"; }
      if (kind.value === "target") { const e = inputs.get(picked.note ? "context" : "words")[0]; e.value = found.sic; return; }
      for (const [name, [e]] of inputs) if (name in found) e.value = found[name];
    };
    const kinds = over.kinds.filter((each) => old ? each.name === old.kind : !each.entry);
    const kind = select("other", kinds.map((each) => [each.name, words[`kind-${each.name}`] || each.name]), old ? old.kind : "correction", () => fill());
    const why = make("textarea", { rows: 2, value: old ? old.said.why || "" : kept("why"), aria: { label: say("why") } });
    const cert = certainty(old?.said.cert || kept("cert") || "medium");
    const fill = () => {
      inputs.clear();
      const chosen = over.kinds.find((each) => each.name === kind.value);
      fields.replaceChildren(make("small", { textContent: chosen.needs }), ...chosen.fields.map((each) => {
        const called = (one) => each.name === "variant" ? named(one) : each.name === "verdict" ? words[`verdict-${one}`] || one : person(one);
        const e = each.choices.length ? make("select", {}, ...each.choices.map((one) => option(one, called(one)))) : make("input", { type: "text", lang: "lzh" });
        if (old) e.value = String(old.said[each.name] ?? "");
        inputs.set(each.name, [e, each]);
        e.name = each.name;
        return make("label", {}, words[`field-${each.name}`] || each.name, e);
      }), picked.words ? button("fromText", pick) : make("small", { textContent: say("selectFirst") }));
    };
    const go = () => {
      const said = { why: why.value, ...(old?.said.notes ? { notes: true } : {}) };
      if (kind.value !== "lost" || cert.value) said.cert = cert.value;
      for (const [name, [e, each]] of inputs) if (e.value !== "" || each.required) said[name] = each.type === "number" ? Number(e.value || 0) : e.value;
      if (!why.value.trim()) { tell(say("needs"), true); why.focus(); return; }
      kept("why", why.value);
      send([...(old?.table ? [{ do: "withdraw", path: old.path, table: old.table }] : []), { do: "decide", kind: kind.value, said }]);
    };
    fill();
    return make("details", { open: Boolean(old) }, make("summary", { textContent: say(old?.table ? "change" : "other") }), kind, fields, make("label", {}, say("why"), why), make("div", { className: "d-row" }, cert.element, button("file", go, { className: "main" })));
  };
  // All that is decided of this text, whatever its kind: to be changed or withdrawn.
  const filed = () => {
    const rows = make("div"), box = make("details", {}, make("summary", { textContent: say("filed") }), rows);
    box.addEventListener("toggle", async () => {
      if (!box.open || rows.firstChild) return;
      const told = await api("filed", null, { text });
      if (told.error) { fail(told); return; }
      const mine = told.filed.filter((each) => !filter.chapter || !each.said.unit || `${each.said.unit.replace(":", ".")}.`.startsWith(`${filter.chapter}.`));
      const card = (each) => { const e = make("div", { className: "card" }, make("pre", { textContent: each.table, tabIndex: 0 })); e.append(make("div", { className: "d-row" }, button("change", () => { const form = other(each); e.replaceChildren(form); form.querySelector("textarea").focus(); }), asText(each), button("withdraw", () => send([{ do: "withdraw", path: each.path, table: each.table }])))); return e; };
      const more = (n) => { rows.append(...mine.slice(n, n + 50).map(card)); if (mine.length > n + 50) { const e = button("more", () => { e.remove(); more(n + 50); }); rows.append(e); } };
      more(0);
      if (!mine.length) rows.append(make("p", { textContent: say("nothing") }));
    });
    return box;
  };
  const log = () => make("details", {}, make("summary", { textContent: say("log") }), make("ol", {}, ...over.log.map((each) => make("li", { textContent: `${each.when.slice(0, 16).replace("T", " ")} ${person(each.who)} ${each.do === "decide" ? "" : say(each.do)} ${each.place.replace(/^[^.]*\./, "")} ${each.what}` }))));
  const keys = () => make("details", {}, make("summary", { textContent: say("keys") }), make("dl", {}, ...KEYS.flatMap(([key, does]) => [make("dt", {}, make("kbd", { textContent: key })), make("dd", { textContent: say(does) })])));
  // The words that were selected on the page last, those before them, and whether they stand in a note.
  let picked = { words: "", before: "", note: "" };
  document.addEventListener("selectionchange", () => {
    const range = getSelection()?.rangeCount ? getSelection().getRangeAt(0) : null, at = range?.startContainer.parentElement?.closest("p.jing[id], .note[id]");
    const bare = (words) => words.replace(/[^\p{Script=Han}○□〓]/gu, "");
    if (!at || !main.contains(at) || !bare(String(range))) return;
    const all = document.createRange();
    all.setStart(at, 0); all.setEnd(range.startContainer, range.startOffset);
    picked = { words: bare(String(range)), before: bare(String(all)).slice(-12), note: at.matches(".note") ? "yes" : "" };
  });
  // To an entry: on this page beside its words, else to its page first.
  const isHere = (row) => { const chapter = over.chapters.find((one) => one.id === row.chapter); return text === here && chapter?.page === page; };
  const go = async (row, sitting = null) => {
    if (isHere(row)) { await ask(row.id, sitting); return; }
    const chapter = over.chapters.find((one) => one.id === row.chapter);
    await queue;  // what is being written is written before the page goes
    kept("entry", row.id);
    location.href = `/${text}/${chapter.page}.html${location.search}`;  // without its address: that would open the page's own card
  };
  // To the line of a unit or note: on this page, else on its page first.
  const toLine = (id) => {
    const chapter = over.chapters.find((each) => `${id}.`.startsWith(`${each.id}.`));
    if (text === here && (!chapter || chapter.page === page)) { lines.open(id); return; }
    kept("line", id);
    location.href = `/${text}/${chapter.page}.html${location.search}#${id}`;
  };
  const point = (id) => {
    for (const old of document.querySelectorAll(".desk-here")) old.classList.remove("desk-here");
    const word = document.getElementById(id);
    if (!word) return;
    word.classList.add("desk-here");
    word.scrollIntoView({ block: "center" });
  };

  // --- One question ------------------------------------------------------------------------------------------------
  const AHEAD = 2;
  const ahead = new Map();  // questions that are asked for before they are wanted, by id
  const entry = (id) => { if (!ahead.has(id)) ahead.set(id, api("entry", null, { text, id })); return ahead.get(id); };
  const skip = () => { const rows = shown(), at = rows.findIndex((row) => row.id === question.now?.id), next = rows[at + 1]; if (next) go(next); else list(); };
  const ask = async (id, sitting = null) => {
    awaited = true;
    const mine = wish += 1, row = all.find((one) => one.id === id);
    let q = await entry(id);
    if (q.error || (row && q.context !== row.context) || (!waiting && q.state !== state)) { ahead.delete(id); q = await entry(id); }
    if (mine !== wish) return;
    awaited = false;
    if (q.error) { ahead.delete(id); fail(q); return; }
    body.inert = false;
    question.show(q, sitting);
    done({});
    const rows = shown(), at = rows.findIndex((one) => one.id === id);
    for (const next of rows.slice(at + 1, at + 1 + AHEAD)) if (isHere(next)) entry(next.id);
  };
  // The open question after a decision, or after what others wrote.
  const renew = async () => {
    const old = question.now, row = old && follow(old);
    if (!old || awaited) return;
    if (!row) { if (!waiting) list(); return; }
    const mine = wish, q = await api("entry", null, { text, id: row.id });
    if (mine === wish && question.now === old && !q.error) question.renew(q);
    done({});
  };

  // --- What it changed -------------------------------------------------------------------------------------------
  const mend = (parts) => {
    const mine = parts.filter((each) => each.page === page);
    if (!main || text !== here || !mine.length) return;
    const back = lines.aside();
    const focus = document.activeElement, at = main.contains(focus) ? focus.id || focus.getAttribute("href") : "";
    for (const part of mine) {
      const made = new DOMParser().parseFromString(part.html, "text/html").querySelector("article"), old = document.getElementById(part.id);
      if (old && made.firstElementChild?.id === part.id) old.replaceWith(document.adoptNode(made.firstElementChild));
      else {
        const around = part.id.endsWith(".");  // the sections of the chapter stay
        for (const each of around ? made.children : []) { const kept = document.getElementById(each.id); if (kept?.matches("section")) each.replaceWith(kept); }
        for (const each of [...main.children]) if (!each.matches("meta, .printed")) each.remove();
        main.append(...document.adoptNode(made).childNodes);
      }
    }
    main.dispatchEvent(new Event("shown"));
    back();
    if (at) (document.getElementById(at) || main.querySelector(`[href="${CSS.escape(at)}"]`))?.focus({ preventScroll: true });
  };
  const difference = (edits) => make("details", {}, make("summary", { textContent: say("diff") }), ...edits.map((each) => make("div", {}, make("small", { textContent: each.path }), make("pre", { tabIndex: 0 }, ...each.gone.map((one) => make("span", { className: "gone", textContent: `${one}\n` })), ...each.come.map((one) => make("span", { className: "come", textContent: `${one}\n` }))))));
  const take = (told, first) => {
    state = seen = told.state; all = told.open; works = {};
    ahead.clear();
    mark();
    mend(told.parts);
    const also = [first];
    if (told.before !== told.after) also.push(say("became", told));
    if (told.misfits.length) also.push(say("misfits", { n: told.misfits.length }));
    trace.replaceChildren(difference(told.edits));
    done(told);
    return also.join(say("separator"));
  };
  // Ids after a rejected entry are others: the row that an entry is by now.
  const follow = (row) => {
    const stands = (one) => one.ref === row.ref && one.speaker === row.speaker && (one.before === row.before || one.after === row.after);
    return all.find((one) => one.id === row.id && stands(one)) || all.find(stands);
  };

  // --- Writing: one after another, while the next question is shown ------------------------------------------------
  let queue = Promise.resolve({}), waiting = 0;
  const refused = [];  // what could not be written, as its form was: undo opens it again
  const unwritten = new Map();  // what is written just now, by the id of its entry: how it is listed meanwhile
  const mark = () => { for (const row of all) if (unwritten.has(row.id)) row.kind = unwritten.get(row.id); };
  const progressing = () => tell(`${say("writing")}${waiting > 1 ? ` (${waiting})` : ""}`);
  const enqueue = (work) => {
    waiting += 1;
    progressing();
    const started = performance.now();
    queue = queue.then(work).then((told) => {
      waiting -= 1;
      desk.dataset.took = String(Math.round(performance.now() - started));
      if (told.error) fail(told); else if (waiting) progressing(); else if (!status.matches(".wrong")) tell(told.said || "");
      return told;
    });
    return queue;
  };
  // Write a decision and show what it changed; what the desk answers is given back, also a refusal.
  const post = (actions, first = "") => {
    const rows = new Map(actions.flatMap(({ entry: id }) => { const row = id && all.find((one) => one.id === id); return row ? [[id, row]] : []; }));
    return enqueue(async () => {
      const known = actions.map((action) => { const row = rows.has(action.entry) && action.do !== "second" ? follow(rows.get(action.entry)) : null; return row ? { ...action, entry: row.id } : action; });
      const told = await api("decide", { text, actions: known });
      if (told.error) return told;
      told.said = take(told, first || say("written", { path: [...new Set(told.edits.map((edit) => edit.path))].join("、") }));
      step(actions);
      return told;
    });
  };
  const send = async (actions, next = null, sitting = null) => {
    const row = sitting && all.find((one) => one.id === sitting.id), was = row?.kind;
    if (row) { unwritten.set(row.id, sitting.act === "leave" ? "doubt" : "decided"); row.kind = unwritten.get(row.id); }
    desk.tabIndex = -1;
    desk.focus({ preventScroll: true });  // keys are heard meanwhile
    const written = post(actions);
    if (row) written.then((told) => { unwritten.delete(row.id); if (told.error) { row.kind = was; const now = follow(row); if (now) now.kind = was; refused.push(sitting); reopen(); } });
    if (sitting && next && isHere(next)) go(next); else body.inert = question.foot.inert = true;  // till it is shown: who types on would type into the last one
    const told = await written;
    body.inert = question.foot.inert = false;
    if (told.error) return;
    if (!sitting || !next || !isHere(next)) { const follows = next && follow(next); if (follows) await go(follows); else list(); return; }
    if (!waiting) await renew();
  };
  const reopen = () => { status.append(" ", button("reopen", () => { const last = refused.pop(); if (last) back(last); })); done({}); };
  const back = (sitting) => { const row = follow(sitting.row); if (row) go(row, sitting); };
  const lines = self.jiaokanDesk.lines({ api, say, make, button, certainty, kept, main, text: here, post, tell });
  const question = self.jiaokanDesk.question({ desk: { body, shown: () => shown(), entry, fail, place, get over() { return over; }, get text() { return text; } }, say, make, button, select, certainty, kept, named, person, context, cards, asText, send, list: () => list(), skip, point, tell, undo: undos });
  const punctuate = () => { const id = lines.where(); if (id) lines.open(id); };
  const turn = async (name) => {
    if (name === "undo" && refused.length) { tell(""); back(refused.pop()); return; }
    const asked = question.now;
    const told = await enqueue(async () => {
      const answer = await api(name, { text });
      if (!answer.error) answer.said = take(answer, answer.what ? say(name === "undo" ? "undone" : "redone", answer) : say("nothing"));
      return answer;
    });
    if (told.error) return;
    step([{ do: name }]);
    if (asked && question.now === asked) await renew(); else if (!question.now) list();
  };
  const build = async () => {
    tell(say("building"));
    const told = await api("build", {});
    if (told.error) fail(told);
  };
  let stale = false, asking = false;  // whether the list is older than what the desk knows; whether news are asked for
  // What has changed since this page was made, also by others' hands.
  const news = async () => {
    if (asking) return;
    asking = true;
    // An answer waits while the desk reads changed files again, seconds for a long text.
    const slow = setTimeout(() => { if (!waiting && !status.matches(".wrong")) tell(say("rereading")); }, 400);
    const told = await api("news", null, { text: here, page, since: seen });
    clearTimeout(slow);
    if (status.textContent === say("rereading")) tell("");
    asking = false;
    if (waiting) return;
    if (told.error) { fail(told); lost = true; return; }
    if (lost) { lost = false; tell(""); }
    const changed = told.state !== state, first = !seen;
    seen = told.state;
    if (told.making > 0 && !question.now && !lines.isOpen()) tell(`${say("building")} … ${told.making}`);
    if (told.built !== over.built) {
      over.built = told.built; tell(say("built"));
      if (idle()) { location.reload(); return; }
    } else if (told.failed !== over.failed) { over.failed = told.failed; tell(told.failed, Boolean(told.failed)); }
    if (told.parts.length) mend(told.parts);
    if (changed) {
      const others = !first && told.parts.length;
      ahead.clear();
      if (!await refresh()) return;
      done({});
      stale = true;
      if (others && !status.matches(".wrong")) tell(say("outside"));
      await renew();
    }
    if (stale && idle()) redraw();
  };
  let lost = false;  // whether the desk does not answer
  setInterval(() => { if (!waiting && !document.hidden && over) news(); }, 1000);
  document.addEventListener("visibilitychange", () => { if (!waiting && !document.hidden && over) news(); });
  addEventListener("beforeunload", (event) => { if (waiting) event.preventDefault(); });

  // --- Three decisions, guided -------------------------------------------------------------------------------------
  let at = -1;
  const guide = (n) => {
    at = n;
    tour.hidden = n < 0 || n >= STEPS;
    if (tour.hidden) { kept("guided", "yes"); return; }
    tour.replaceChildren(make("p", { textContent: `${n + 1}/${STEPS} ${say(`step-${n + 1}`)}` }), button("guideEnd", () => guide(-1)));
  };
  const step = (actions) => {
    const did = actions[0]?.do;
    if ((at === 0 && did === "choose") || (at === 1 && actions[0]?.cert === "low") || (at === 2 && did === "redo")) guide(at + 1);
  };

  // --- Keys ------------------------------------------------------------------------------------------------------
  desk.addEventListener("keydown", (event) => {
    event.stopPropagation();
    const typing = event.target.matches("textarea, input[type=text], input[type=search], select"), key = event.key;
    if ((event.ctrlKey || event.metaKey) && key === "Enter" && question.now) { event.preventDefault(); question.file(); return; }
    if (event.altKey && key === "Enter" && question.now) { event.preventDefault(); question.same(); return; }
    if ((event.ctrlKey || event.metaKey) && !typing && (key === "z" || key === "y")) { event.preventDefault(); turn(key === "z" ? "undo" : "redo"); return; }
    if (key === "Escape") { if (question.now || awaited) { list(); desk.querySelector("h2").focus(); } else { open(false); opener.focus(); } return; }
    if (typing || event.ctrlKey || event.metaKey || event.altKey) return;
    if (key === "ArrowDown" || key === "ArrowUp") {
      if (event.target.matches("input[type=radio]")) return;
      const rows = [...body.querySelectorAll("ol.entries button")], mine = rows.indexOf(event.target);
      rows[Math.max(0, Math.min(rows.length - 1, mine + (key === "ArrowDown" ? 1 : -1)))]?.focus();
    } else if (key === "d") { (main || document.body).focus(); }
    else if (!question.now && key === "Enter" && event.target.matches("h2")) body.querySelector("ol.entries button")?.click();
    else if (question.now && key === "t") { if (document.getElementById(question.now.unit)) lines.open(question.now.unit); else punctuate(); }
    else if (key === "t") punctuate();
    else if (question.now && key === "s") skip();
    else if (question.now && key === "b") { list(); desk.querySelector("h2").focus(); }
    else if (question.now && question.press(key)) { /* done */ }
    else return;
    event.preventDefault();
  });
  document.addEventListener("keydown", (event) => {
    if (!desk.hidden && over && (event.ctrlKey || event.metaKey) && ["z", "y"].includes(event.key) && !event.target.closest?.("input, select, textarea, #desk")) { event.preventDefault(); turn(event.key === "z" ? "undo" : "redo"); return; }
    if (!["d", "t"].includes(event.key) || event.ctrlKey || event.metaKey || event.altKey || event.target.closest?.("input, select, textarea, dialog, #desk")) return;
    event.preventDefault();
    open(true);
    if (event.key === "t") punctuate(); else desk.querySelector("h2")?.focus();
  });
  main?.addEventListener("click", ({ target }) => {
    if (desk.hidden || !over || text !== here) return;
    for (let each = target; each && each !== main; each = each.parentElement) {
      const id = (each.id || each.getAttribute("href")?.slice(1) || "").replace(/^e-/, "");
      if (id && all.some((row) => row.id === id)) { ask(id); return; }
    }
  });
  opener.addEventListener("click", () => { open(true); desk.querySelector("h2")?.focus(); });
  document.body.append(opener, desk);
  if (kept("shown") !== "no") open(true);
})();
