// The desk's column: what is open, one question at a time, and what a decision changed. It asks only the desk itself.
"use strict";
(() => {
  const script = document.getElementById("desk-script"), { secret, text: here, page } = script.dataset;
  const { language, words } = self.jiaokanDesk.speak(document.documentElement.lang), main = document.getElementById("text");
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
  const body = make("div"), foot = make("div");
  let text = here, state = 0, all = [], over = null, now = null, busy = false, chosen = 0;
  const filter = { kind: "open", chapter: "", speaker: "", class: "", work: "", by: "", words: "" };
  let agreed = null;  // how far second decisions agree with the first
  let works = {};  // open work beside the variants, by its kind: asked for when it is wanted
  const button = (key, does, props = {}) => { const e = make("button", { type: "button", textContent: say(key), ...props }); e.addEventListener("click", does); return e; };
  const tell = (said, wrong = false) => { status.textContent = said; status.className = wrong ? "status wrong" : "status"; };
  const fail = (told) => {
    tell(`${told.error}${told.mend ? ` → ${told.mend}` : ""}`, true);
    if (told.status !== 409) return;
    status.textContent = say("clash");
    foot.replaceChildren(make("div", { className: "two" }, make("div", {}, make("h3", { textContent: say("mine") }), make("pre", { textContent: told.mine, tabIndex: 0 })), make("div", {}, make("h3", { textContent: say("theirs") }), make("pre", { textContent: told.theirs, tabIndex: 0 }))));
  };
  const option = (value, label) => make("option", { value, textContent: label });
  const select = (key, options, value, does) => {
    const e = make("select", { aria: { label: say(key) } }, ...options.map(([id, label]) => option(id, label)));
    e.value = value;
    e.addEventListener("change", () => does(e.value));
    return e;
  };

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
  const undo = button("undo", () => turn("undo")), redo = button("redo", () => turn("redo"));
  const head = () => {
    const persons = over.persons.map((each) => [each.id, each.name || say("everybody")]);
    desk.replaceChildren(
      make("div", { className: "d-row" }, make("h2", { textContent: say("desk"), tabIndex: -1 }),
        over.texts.length > 1 ? select("desk", over.texts.map((each) => [each, each]), text, (value) => { text = value; now = null; load(); }) : null,
        undo, redo, button("punctuate", punctuate), button("build", build), button("guide", () => guide(0)), button("hide", () => { open(false); opener.focus(); })),
      make("div", { className: "d-row" }, make("label", {}, say("who"), select("who", who() ? persons : [["", "—"], ...persons], who(), sign))),
      status, tour, body, foot);
    if (over.failed) tell(over.failed, true);
  };
  const done = (told) => {
    undo.disabled = !told.undo; undo.title = told.undo;
    redo.disabled = !told.redo; redo.title = told.redo;
    over = { ...over, ...told };
  };
  // Whether the list may be drawn anew: nobody presses something in it, types in it, or waits for an answer.
  const idle = () => !now && !awaited && !lines.isOpen() && !body.querySelector(":active, :is(input, textarea, select):focus, [open] textarea");
  const redraw = () => {
    const at = body.querySelector(":focus")?.dataset.id;
    list();
    if (at) body.querySelector(`[data-id="${CSS.escape(at)}"]`)?.focus({ preventScroll: true });
  };
  const load = async () => {
    const told = await api("overview", null, { text });
    if (told.error) { over = over || { persons: [], texts: [], chapters: [], conflicts: [], log: [], open: [], classes: [], names: {} }; head(); fail(told); return; }
    over = told; text = told.text; all = told.open;
    head(); done(told);
    await news();
    const wanted = kept("entry");
    kept("entry", "");
    const typed = kept("line");
    kept("line", "");
    if (typed && text === here) lines.open(typed);
    if (wanted && all.some((each) => each.id === wanted)) await ask(wanted); else list();
    if (!told.log.length && !kept("guided")) guide(0);
  };

  let awaited = false;  // whether an entry is asked for
  let wish = 0;  // what was wanted last: an answer that comes late to something else is not shown

  // --- The list --------------------------------------------------------------------------------------------------
  const sought = (row) => !filter.words || [row.ref, row.before + row.lemma + row.after, ...(row.readings || []), row.told || ""].some((each) => each.includes(filter.words));
  const shown = () => matching().filter(sought);
  const matching = () => filter.work ? (works[filter.work] || []).filter((each) => (!filter.chapter || each.chapter === filter.chapter) && (!filter.by || each.by === filter.by)) : all.filter((each) => (!filter.kind || each.kind === filter.kind || over[filter.kind]?.includes(each.id)) && (!filter.chapter || each.chapter === filter.chapter) && (!filter.speaker || (filter.speaker === "-" ? !each.speaker : each.speaker === filter.speaker)) && (!filter.class || each.class === filter.class));
  const named = (id) => words[`class-${id}`] || id;
  const context = (row) => make("span", { lang: "lzh" }, row.before.slice(-6), make("mark", { textContent: row.lemma || "∅" }), row.after.slice(0, 6));
  const list = () => {
    now = null;
    const blind = filter.work === "second";  // the page, the log and the files say what was decided first
    document.body.classList.remove("at-entry");
    document.body.classList.toggle("blind", blind);
    if (main) main.inert = blind;
    wish += 1;
    awaited = stale = false;
    foot.replaceChildren();
    const rows = shown(), speakers = [...new Set(all.map((each) => each.speaker).filter(Boolean))];
    const again = (key) => (value) => { filter[key] = value; list(); };
    if (filter.work && !works[filter.work]) fetchWork(filter.work);
    const makers = [...new Set((works[filter.work] || []).map((each) => each.by).filter(Boolean))];
    const item = (row) => {
      const e = make("button", { type: "button" }, make("span", { className: "ref", textContent: row.ref.replace(/^[^:]*:/, "") }), context(row), make("span", { className: "state", textContent: row.work ? person(row.by) : named(row.class) }));
      e.dataset.id = row.id;
      e.addEventListener("click", () => (row.work ? task(row) : go(row)));
      return make("li", {}, e);
    };
    const items = make("ol", { className: "entries", aria: { label: say("list") } }), rest = button("more", () => fill(true));
    const search = make("input", { type: "search", value: filter.words, placeholder: say("search"), aria: { label: say("search") } });
    search.addEventListener("change", () => { filter.words = search.value.trim(); list(); });
    let count = 0;
    const fill = (on) => {
      const first = count;
      items.append(...rows.slice(count, count += 300).map(item));
      rest.hidden = count >= rows.length;
      if (on) items.children[first]?.firstChild.focus();
    };
    fill(false);
    body.replaceChildren(
      make("div", { className: "d-row" },
        select("work", [["", say("entries")], ...["mark", "glyph", "unnamed", "finding", "second"].map((each) => [each === "unnamed" ? "speaker" : each, say(each)])], filter.work, again("work")),
        filter.work ? select("by", [["", say("all")], ...makers.map((each) => [each, person(each)])], filter.by, again("by")) : null,
        filter.work ? null : select("kind", [["", say("all")], ...["open", "doubt", "decided", "proposed", "commented"].map((each) => [each, say(each)])], filter.kind, again("kind")),
        select("chapter", [["", say("all")], ...over.chapters.map((each) => [each.id, each.title])], filter.chapter, again("chapter")),
        filter.work ? null : select("speaker", [["", say("all")], ["-", say("text")], ...speakers.map((each) => [each, person(each)])], filter.speaker, again("speaker")),
        filter.work ? null : select("variant", [["", say("all")], ...over.classes.filter((each) => all.some((row) => row.class === each.id)).map((each) => [each.id, named(each.id)])], filter.class, again("class"))),
      search, make("p", { textContent: say("found", { n: rows.length }) }), ...(blind ? [make("p", { textContent: say("hidden") }), agreement(), items, rest] : [other(), filter.work ? "" : bulk(rows), filter.work ? "" : replacing(), items, rest, ...conflicts(), folder(), filed(), progress(), log()]), keys());
  };
  // One decision on all entries that are listed, written and undone together.
  const bulk = (rows) => {
    const open = rows.filter((each) => each.kind !== "decided"), why = make("textarea", { rows: 2, aria: { label: say("why") } });
    const act = select("act", ["lemma", "leave", "reject"].map((each) => [each, say(each === "lemma" ? "asPrinted" : each)]), "lemma", () => {});
    const cert = select("cert", ["high", "medium", "low"].map((each) => [each, say(each)]), kept("cert") || "medium", () => {});
    const one = (row) => {
      const said = { why: why.value, cert: act.value === "leave" ? "low" : cert.value };
      return act.value === "reject" ? { do: "decide", kind: "reject", entry: row.id, context: row.context, said } : { do: "choose", entry: row.id, context: row.context, words: row.lemma, ...said };
    };
    const go = () => { if (why.value.trim()) send(open.map(one)); else { tell(say("needs"), true); why.focus(); } };
    return open.length > 1 ? make("details", {}, make("summary", { textContent: say("bulk", { n: open.length }) }), make("div", { className: "d-row" }, act, cert), make("label", {}, say("why"), why), button("file", go, { className: "main" })) : "";
  };
  // Find and replace over the readings: what it would decide is listed first, each place can be left out.
  const replacing = () => {
    const input = (key) => make("input", { type: "text", lang: "lzh", aria: { label: say(key) } }), [from, to] = [input("find"), input("replace")];
    const why = make("textarea", { rows: 2, aria: { label: say("why") } }), cert = select("cert", ["high", "medium", "low"].map((each) => [each, say(each)]), kept("cert") || "medium", () => {}), result = make("div");
    const preview = () => {
      const found = from.value ? matching().filter((row) => row.kind !== "decided" && row.lemma.includes(from.value)) : [], words = (row) => row.lemma.replaceAll(from.value, to.value);
      const fits = found.filter((row) => row.readings.includes(words(row)) && words(row) !== row.lemma), boxes = fits.map((row) => make("input", { type: "checkbox", checked: true, value: row.id }));
      const write = () => {
        if (!why.value.trim()) { tell(say("needs"), true); why.focus(); return; }
        send(fits.filter((_, n) => boxes[n].checked).map((row) => ({ do: "choose", entry: row.id, context: row.context, words: words(row), why: why.value, cert: cert.value })));
      };
      result.replaceChildren(make("p", { textContent: say("replaces", { n: fits.length, rest: found.length - fits.length }) }),
        make("ul", { className: "entries" }, ...fits.map((row, n) => make("li", {}, make("label", {}, boxes[n], ` ${row.ref.replace(/^[^:]*:/, "")} `, context(row), ` → ${words(row) || "∅"}`)))),
        ...(fits.length ? [make("label", {}, say("why"), why), make("div", { className: "d-row" }, cert, button("file", write, { className: "main" }))] : []));
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
    if (filter.work === work && !now) list();
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
      make("fieldset", {}, make("legend", { textContent: say("readings") }), ...q.choices.map((each, n) => radio("reading", String(n), !n, () => { at = n; }, make("b", { lang: "lzh", textContent: each.words || "∅" }), make("span", { textContent: each.witnesses.join("、") })))),
      make("label", {}, say("why"), why), button("file", write, { className: "main" }), ...itsWitnesses(q));
    body.querySelector("h2").focus({ preventScroll: true });
  };
  // The table of a file as text: what is written stands in its place, if it is one.
  const rewriting = (each) => {
    const area = make("textarea", { rows: Math.min(12, each.table.split("\n").length + 1), value: each.mended || each.table, lang: "lzh", spellcheck: false, aria: { label: say("asText") } });
    return make("div", {}, make("label", {}, `${say("asText")} (${each.path})`, area), make("div", { className: "d-row" }, button("file", () => send([{ do: "amend", path: each.path, table: each.table, written: area.value }]), { className: "main" })));
  };
  const asText = (each) => { const e = button("asText", () => { const form = rewriting(each); e.closest(".card").append(form); e.remove(); form.querySelector("textarea").focus(); }); return e; };
  const conflicts = () => over.conflicts.length ? [make("h3", { textContent: say("conflicts") }), ...over.conflicts.map((each) => make("div", { className: "card" },
    make("p", { className: "wrong", textContent: `${each.unit || each.path} ${each.context || ""}` }), make("p", { textContent: each.reason }),
    make("div", { className: "d-row" }, each.mended ? button("mend", () => send([{ do: "amend", path: each.path, table: each.table, written: each.mended }])) : null, each.table ? asText(each) : null, each.table ? button("withdraw", () => send([{ do: "withdraw", path: each.path, table: each.table }])) : null, each.kind === "line" && each.unit ? button("punctuate", () => toLine(each.unit)) : null, each.table && each.unit ? button("reanchor", () => { moving = each; tell(say("anchor")); }) : null)))] : [];
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
    const cert = select("cert", ["high", "medium", "low"].map((each) => [each, say(each)]), old?.said.cert || kept("cert") || "medium", () => {});
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
    return make("details", { open: Boolean(old) }, make("summary", { textContent: say(old?.table ? "change" : "other") }), kind, fields, make("label", {}, say("why"), why), make("div", { className: "d-row" }, cert, button("file", go, { className: "main" })));
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
  let moving = null;
  // To an entry: on this page beside its words, else to its page first.
  const go = (row) => {
    const chapter = over.chapters.find((each) => each.id === row.chapter);
    if (text === here && chapter && chapter.page === page) return ask(row.id);
    kept("entry", row.id);
    location.href = `/${text}/${chapter.page}.html${location.search}`;  // without its address: that would open the page's own card
    return null;
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
  const acts = { l: "lemma", o: "leave", c: "class", p: "pair", a: "passim", r: "reject", n: "note", e: "emendation", m: "merge", v: "split" };
  const form = {};
  let changing = null;  // what was decided of the question that is open, and is to be something else
  const change = (each) => {
    changing = each;
    form.act = { lemma: each.cert === "low" ? "leave" : "lemma", emendation: "emendation" }[each.kind] || each.kind;
    chosen = Math.max(0, now.choices.findIndex((one) => (each.reading === null ? one.ids.includes(each.witness) : one.words === each.reading)));
    draw();
    form.why.focus();
  };
  const ask = async (id) => {
    changing = null;
    awaited = true;
    const mine = ++wish, told = await api("entry", null, { text, id });
    if (mine !== wish) return;
    awaited = false;
    if (told.error) { fail(told); return; }
    now = told; chosen = 0; form.act = "lemma";
    body.inert = false;
    document.body.classList.add("at-entry");
    point(id);
    draw();
    body.querySelector("h2").focus({ preventScroll: true });
  };
  const radio = (name, value, checked, does, ...label) => {
    const input = make("input", { type: "radio", name, value, checked });
    input.addEventListener("change", does);
    return make("label", { className: "choice" }, input, ...label);
  };
  const field = (key, value, props = {}) => { const e = make(props.rows ? "textarea" : "input", { ...(props.rows ? {} : { type: "text" }), value, ...props, aria: { label: say(key) } }); form[key] = e; return make("label", {}, say(key), e); };
  const escaped = (said) => said.replace(/[[\]\\|]/g, "\\$&");
  // The words of one entry are selected: with the mouse, or with Shift and the arrows.
  const extent = (q) => {
    const plain = q.before + q.lemma + q.after, e = make("input", { type: "text", value: plain, readOnly: true, lang: "lzh", className: "extent", aria: { label: say("extent") } });
    const take = () => {
      const [from, to] = [e.selectionStart, e.selectionEnd];
      if (from < to && form.context) form.context.value = `${escaped(plain.slice(Math.max(0, from - 8), from))}[${escaped(plain.slice(from, to))}]${escaped(plain.slice(to, to + 8))}`;
    };
    for (const each of ["select", "mouseup", "keyup"]) e.addEventListener(each, take);
    return make("label", {}, say("extent"), e);
  };
  // Between two characters of the entry is a button that parts it there.
  const cuts = (q) => {
    const graphs = [...q.lemma], at = new Set(), [before, after] = [q.context.slice(0, q.context.indexOf("[")), q.context.slice(q.context.lastIndexOf("]") + 1)];
    const write = () => { form.parts.value = `${before}[${graphs.map((each, n) => (at.has(n) ? "|" : "") + escaped(each)).join("")}]${after}`; };
    const cut = (n) => {
      const e = make("button", { type: "button", textContent: "｜", aria: { pressed: "false", label: say("cut", { before: graphs[n - 1], after: graphs[n] }) } });
      e.addEventListener("click", () => { if (!at.delete(n)) at.add(n); e.setAttribute("aria-pressed", String(at.has(n))); write(); });
      return e;
    };
    return make("p", { className: "cuts", lang: "lzh" }, ...graphs.flatMap((each, n) => n ? [cut(n), each] : [each]));
  };
  const draw = () => {
    const q = now, choices = q.choices.map((each, n) => radio("reading", String(n), n === chosen, () => { chosen = n; }, make("span", { textContent: `${n + 1}` }), make("b", { lang: "lzh", textContent: each.words || "∅", title: each.words ? "" : say("none") }), make("span", { textContent: [...each.witnesses, person(each.by)].filter(Boolean).join("、") }), make("small", { textContent: each.class ? named(each.class) : "" })));
    const what = Object.entries(acts).filter(([, name]) => name !== "split" || [...q.lemma].length > 1).map(([key, name]) => radio("act", name, form.act === name, () => { form.act = name; more(); }, make("kbd", { textContent: key }), say(name)));
    const rest = make("div");
    const more = () => {
      const parts = [];
      if (["class", "pair"].includes(form.act)) { form.variant = select("variant", over.classes.map((id) => [id, named(id)]), changing?.variant || q.class || "substantive", () => {}); parts.push(make("label", {}, say("variant"), form.variant)); }
      if (form.act === "emendation") parts.push(field("words", changing?.reading ?? q.lemma, { lang: "lzh" }));
      if (form.act === "split") parts.push(cuts(q), field("parts", changing?.context || q.context, { lang: "lzh" }));
      if (form.act === "merge") parts.push(extent(q), field("context", changing?.context || q.context, { lang: "lzh" }));
      if (form.act === "passim") { form.source = select("witnesses", q.witnesses.map((each) => [each.id, each.witness]), q.choices[1]?.ids[0] || "", () => {}); parts.push(make("label", {}, say("witnesses"), form.source)); }
      if (form.act === "leave") parts.push(make("p", { textContent: say("colleague") }));
      form.cert.disabled = form.act === "leave";
      rest.replaceChildren(...parts);
    };
    form.cert = select("cert", ["high", "medium", "low"].map((each) => [each, say(each)]), changing?.cert || kept("cert") || "medium", (value) => kept("cert", value));
    form.like = make("input", { type: "checkbox" });
    form.proposed = make("input", { type: "checkbox", checked: changing?.proposed || false });
    const like = q.same.length > 1 && q.same.includes(q.id) ? make("label", {}, form.like, say("like", { n: q.same.length })) : null;
    const last = kept("why"), why = field("why", changing ? changing.why : "", { rows: 2 });
    const again = last && !changing ? button("sameWhy", () => { form.why.value = last; form.why.focus(); }, { className: "same", textContent: `${say("sameWhy")}${last}` }) : null;
    body.replaceChildren(...[
      make("h2", { tabIndex: -1 }, make("span", { textContent: `${q.ref} ${q.label || ""} ` }), context(q)),
      make("div", { className: "d-row" }, button("back", list), make("a", { href: `#${q.id}`, textContent: say("where") })),
      changing ? make("p", { className: "card", textContent: say("changing", { kind: changing.kind }) }) : null,
      make("fieldset", {}, make("legend", { textContent: say("readings") }), ...choices),
      make("fieldset", { className: "acts" }, make("legend", { textContent: say("act") }), ...what), rest, why, again,
      make("div", { className: "d-row" }, make("label", {}, say("cert"), form.cert), over.persons.length > 1 ? make("label", {}, form.proposed, say("propose")) : null, like),
      make("div", { className: "d-row" }, button("file", file, { className: "main" }), button("skip", skip), moving ? button("reanchor", reanchor) : null),
      ...beside(q)].filter((each) => each !== null));
    more();
  };
  const itsWitnesses = (q) => cards(say("witnesses"), q.witnesses.map((each) => make("p", { className: "card", lang: "lzh" }, make("b", { textContent: `${each.witness} ` }), each.text)));
  const cards = (title, rows) => rows.length ? [make("h3", { textContent: title }), ...rows] : [];
  // What editors say to each other about an entry; the newest last.
  const thread = (q) => {
    const area = make("textarea", { rows: 2, aria: { label: say("comments") } });
    const add = () => { if (area.value.trim()) send([{ do: "decide", kind: "comment", entry: q.id, context: q.context, said: { why: area.value } }], q); else area.focus(); };
    return over.persons.length > 1 || q.comments.length ? [make("details", { className: "thread", open: q.comments.length > 0 }, make("summary", { textContent: `${say("comments")} ${q.comments.length || ""}` }),
      ...q.comments.map((each) => make("p", { className: "card" }, make("small", { textContent: `${person(each.resp)} ${each.when}` }), ` ${each.why} `, each.resp === who() ? button("withdraw", () => send([{ do: "withdraw", path: each.path, table: each.table }], q)) : "")),
      area, button("addComment", add))] : [];
  };
  const beside = (q) => [
    ...cards(say("filed"), q.decisions.map((each) => make("div", { className: "card" }, make("pre", { textContent: each.table, tabIndex: 0 }), button("change", () => change(each)), " ", button("withdraw", () => send([{ do: "withdraw", path: each.path, table: each.table }])), " ",
      each.resp !== who() && !each.approved && over.persons.length > 1 ? button("approve", () => send([{ do: "approve", path: each.path, table: each.table }])) : null))),
    ...thread(q), ...cards(say("remarks"), q.remarks.map((each) => make("p", { className: "card", lang: "lzh", textContent: each }))),
    ...itsWitnesses(q),
    ...cards(say("parallels"), q.parallels.filter((each) => each.sought.length).map((each) => make("p", { className: "card", lang: "lzh" }, `${each.sought.join("、")}：`, make("b", { textContent: say("times", { n: each.count }) }), " ", make("small", { textContent: each.places.join("、") })))),
    ...cards(say("commentary"), q.commentary.map((each) => make("p", { className: "card", lang: "lzh" }, make("a", { href: `#${each.id}`, textContent: each.who }), " ", each.text)))];
  const skip = () => { const rows = shown(), at = rows.findIndex((each) => each.id === now?.id); const next = rows[at + 1]; if (next) go(next); else list(); };
  const action = (q) => {
    const said = { ...(changing ? { unit: changing.unit, speaker: changing.speaker, context: changing.context } : {}), why: form.why.value, cert: form.act === "leave" ? "low" : form.cert.value, ...(form.proposed.checked && !["pair", "passim"].includes(form.act) ? { proposed: true } : {}) }, reading = q.choices[chosen].words, at = { entry: q.id, context: q.context };
    switch (form.act) {
      case "lemma": case "leave": if (changing) return { do: "decide", kind: q.choices[chosen].collated ? "lemma" : "emendation", ...at, said: { ...said, reading } }; return { do: "choose", ...at, words: reading, ...said };
      case "class": return { do: "decide", kind: "class", ...at, said: { ...said, reading: q.choices[chosen || 1].words, variant: form.variant.value } };
      case "pair": return { do: "decide", kind: "pair", said: { ...said, left: q.lemma, right: q.choices[chosen || 1].words, variant: form.variant.value } };
      case "passim": return { do: "decide", kind: "passim", said: { ...said, edition: text, source: form.source.value, words: (q.choices.find((each) => each.ids.includes(form.source.value)) || q.choices[0]).words, reading, notes: Boolean(q.speaker) } };
      case "emendation": return { do: "decide", kind: "emendation", ...at, said: { ...said, reading: form.words.value } };
      case "split": return { do: "decide", kind: "split", ...at, said: { ...said, context: form.parts.value } };
      case "merge": return { do: "decide", kind: "merge", ...at, said: { ...said, context: form.context.value } };
      default: return { do: "decide", kind: form.act, ...at, said };
    }
  };
  const file = async () => {
    if (!form.why.value.trim()) { tell(say("needs"), true); form.why.focus(); return; }
    kept("why", form.why.value);
    const made = [...(changing ? [{ do: "withdraw", path: changing.path, table: changing.table }] : []), action(now)];
    changing = null;
    if (form.like.checked && form.act !== "pair" && form.act !== "passim")
      for (const id of now.same) if (id !== now.id) {
        const other = await api("entry", null, { text, id });
        if (other.error) { fail(other); return; }
        const wanted = now.choices[chosen].words, at = other.choices.findIndex((each) => each.words === wanted), before = chosen;
        if (at < 0) continue;
        chosen = at;
        made.push(action(other));
        chosen = before;
      }
    const rows = shown(), next = rows[rows.findIndex((each) => each.id === now.id) + 1];
    await send(made, next);
  };
  const reanchor = async () => {
    const old = moving;
    moving = null;
    const { unit, speaker, context } = now, said = { unit, speaker, context, why: old.why, cert: old.cert, ...(old.reading === null ? {} : { reading: old.reading }), ...(old.variant ? { variant: old.variant } : {}) };
    await send([{ do: "withdraw", path: old.path, table: old.table }, { do: "decide", kind: old.kind, entry: now.id, context: now.context, said }]);
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
    state = told.state; all = told.open; works = {};
    done(told);
    mend(told.parts);
    const also = [first];
    if (told.before !== told.after) also.push(say("became", told));
    if (told.misfits.length) also.push(say("misfits", { n: told.misfits.length }));
    tell(also.join(say("separator")));
    foot.replaceChildren(difference(told.edits));
  };
  // Ask for a decision and show what it changed; what the desk answers is given back, also a refusal.
  const post = async (actions, first = "") => {
    if (busy) return { error: say("busy"), mend: "", status: 0 };
    busy = true;
    const started = performance.now();
    const told = await api("decide", { text, actions });
    busy = false;
    if (told.error) return told;
    take(told, first || say("written", { path: [...new Set(told.edits.map((each) => each.path))].join("、") }));
    desk.dataset.took = String(Math.round(performance.now() - started));
    step(actions);
    return told;
  };
  const lines = self.jiaokanDesk.lines({ api, say, make, button, select, kept, main, text: here, post, tell });
  const punctuate = () => { const id = lines.where(); if (id) lines.open(id); };
  const send = async (actions, next = null) => {
    desk.tabIndex = -1;
    desk.focus({ preventScroll: true });  // keys are heard meanwhile
    body.inert = true;  // till the next question is there: who types on would type into the last one
    const told = await post(actions);
    if (told.error) { body.inert = false; fail(told); return; }
    const edits = foot.firstChild;  // ids after a rejected entry are others now
    const stands = (each) => each.ref === next.ref && each.speaker === next.speaker && (each.before === next.before || each.after === next.after);
    const follows = next && (all.find((each) => each.id === next.id && stands(each)) || all.find(stands));
    if (follows) await go(follows); else list();
    body.inert = false;
    if (edits) foot.replaceChildren(edits);
  };
  const turn = async (name) => {
    if (busy) return;
    busy = true;
    const told = await api(name, { text });
    busy = false;
    if (told.error) { fail(told); return; }
    take(told, told.what ? say(name === "undo" ? "undone" : "redone", told) : say("nothing"));
    step([{ do: name }]);
    const edits = foot.firstChild;
    list();
    foot.replaceChildren(edits);
  };
  const build = async () => {
    tell(say("building"));
    const told = await api("build", {});
    if (told.error) fail(told);
  };
  let stale = false, broken = false;  // whether the list is older than what the desk knows; whether a file is faulty
  // What has changed since this page was made, also by others' hands.
  const news = async () => {
    if (!main || !here) return;
    const told = await api("news", null, { text: here, page, since: state });
    if (told.error) { broken = Boolean(told.status); if (broken) fail(told); return; }
    if (broken) { broken = false; tell(""); }
    const known = state;
    state = told.state;
    if (told.making > 0 && !now && !lines.isOpen()) tell(`${say("building")} … ${told.making}`);
    if (told.built !== over.built) {
      over.built = told.built; tell(say("built"));
      if (idle()) { location.reload(); return; }
    } else if (told.failed && told.failed !== over.failed) { over.failed = told.failed; tell(told.failed, true); }
    if (told.parts.length) mend(told.parts);
    if (known && told.parts.length) {
      const fresh = await api("overview", null, { text });
      if (!fresh.error) { over = fresh; all = fresh.open; done(fresh); stale = true; if (!status.matches(".wrong")) tell(say("outside")); }
    }
    if (stale && idle()) redraw();
  };
  setInterval(() => { if (!busy && !document.hidden && over) news(); }, 3000);

  // --- Three decisions, guided -------------------------------------------------------------------------------------
  const tour = make("div", { className: "card", hidden: true });
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
    if ((event.ctrlKey || event.metaKey) && key === "Enter" && now) { event.preventDefault(); file(); return; }
    if (event.altKey && key === "Enter" && now) { event.preventDefault(); body.querySelector(".same")?.click(); return; }
    if ((event.ctrlKey || event.metaKey) && !typing && (key === "z" || key === "y")) { event.preventDefault(); turn(key === "z" ? "undo" : "redo"); return; }
    if (key === "Escape") { if (now || busy) { list(); desk.querySelector("h2").focus(); } else { open(false); opener.focus(); } return; }
    if (typing || event.ctrlKey || event.metaKey || event.altKey) return;
    if (key === "ArrowDown" || key === "ArrowUp") {
      if (event.target.matches("input[type=radio]")) return;
      const rows = [...body.querySelectorAll("ol.entries button")], mine = rows.indexOf(event.target);
      rows[Math.max(0, Math.min(rows.length - 1, mine + (key === "ArrowDown" ? 1 : -1)))]?.focus();
    } else if (key === "d") { (main || document.body).focus(); }
    else if (!now && key === "Enter" && event.target.matches("h2")) body.querySelector("ol.entries button")?.click();
    else if (now && /^[1-9]$/.test(key) && now.choices[Number(key) - 1]) { chosen = Number(key) - 1; body.querySelectorAll("[name=reading]")[chosen].click(); }
    else if (now && acts[key]) body.querySelector(`[name=act][value=${acts[key]}]`)?.click();
    else if (key === "t") { if (now && document.getElementById(now.unit)) lines.open(now.unit); else punctuate(); }
    else if (now && key === "w") form.why.focus();
    else if (now && key === "g") form.like.click();
    else if (now && key === "s") skip();
    else if (now && key === "b") { list(); desk.querySelector("h2").focus(); }
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
