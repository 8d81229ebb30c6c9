// One question: its readings, what can be decided of it, and what is beside it. Its head and its foot stay in sight.
"use strict";
self.jiaokanDesk.question = ({ desk, say, make, button, select, certainty, kept, named, person, context, cards, asText, send, list, skip, point, tell, undo }) => {
  const EVERYDAY = 3, acts = { l: "lemma", o: "leave", r: "reject", c: "class", p: "pair", a: "passim", n: "note", e: "emendation", m: "merge", v: "split" };
  const head = make("div", { className: "d-question", hidden: true }), foot = make("div", { className: "d-foot", hidden: true }), form = {};
  let now = null, chosen = 0, changing = null;  // `changing`: what was decided of the question, and is to be something else
  let moving = null;  // a decision that does not fit and gets the place of this question

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
    for (const kind of ["select", "mouseup", "keyup"]) e.addEventListener(kind, take);
    return make("label", {}, say("extent"), e);
  };
  // Between two characters of the entry is a button that parts it there.
  const cuts = (q) => {
    const graphs = [...q.lemma], at = new Set(), [before, after] = [q.context.slice(0, q.context.indexOf("[")), q.context.slice(q.context.lastIndexOf("]") + 1)];
    const write = () => { form.parts.value = `${before}[${graphs.map((graph, n) => (at.has(n) ? "|" : "") + escaped(graph)).join("")}]${after}`; };
    const cut = (n) => {
      const e = make("button", { type: "button", textContent: "｜", aria: { pressed: "false", label: say("cut", { before: graphs[n - 1], after: graphs[n] }) } });
      e.addEventListener("click", () => { if (!at.delete(n)) at.add(n); e.setAttribute("aria-pressed", String(at.has(n))); write(); });
      return e;
    };
    return make("p", { className: "cuts", lang: "lzh" }, ...graphs.flatMap((graph, n) => n ? [cut(n), graph] : [graph]));
  };
  // What an act needs beside a reading and a reason.
  const details = () => {
    const q = now, parts = [];
    if (["class", "pair"].includes(form.act)) { form.variant = select("variant", desk.over.classes.map((id) => [id, named(id)]), changing?.variant || q.class || "substantive", () => {}); parts.push(make("label", {}, say("variant"), form.variant)); }
    if (form.act === "emendation") parts.push(field("words", changing?.reading ?? q.lemma, { lang: "lzh" }));
    if (form.act === "split") parts.push(cuts(q), field("parts", changing?.context || q.context, { lang: "lzh" }));
    if (form.act === "merge") parts.push(extent(q), field("context", changing?.context || q.context, { lang: "lzh" }));
    if (form.act === "passim") { form.source = select("witnesses", q.witnesses.map((row) => [row.id, row.witness]), q.choices[1]?.ids[0] || "", () => {}); parts.push(make("label", {}, say("witnesses"), form.source)); }
    if (form.act === "leave") parts.push(make("p", { textContent: say("colleague") }));
    form.cert.disabled = form.act === "leave";
    form.rest.replaceChildren(...parts);
  };
  const reading = (row, n) => {
    const who = [...row.witnesses, row.person ? person(row.person) : ""].filter(Boolean).join("、");
    return radio("reading", String(n), n === chosen, () => { chosen = n; }, make("kbd", { textContent: n + 1 }), make("b", { lang: "lzh", textContent: row.words || say("none") }), make("span", { textContent: who }), make("small", { textContent: row.class ? named(row.class) : "" }));
  };
  const choice = ([key, name]) => radio("act", name, form.act === name, () => { form.act = name; details(); }, make("kbd", { textContent: key }), say(name));
  const place = () => {
    const rows = desk.shown(), n = rows.findIndex((row) => row.id === now.id) + 1;
    return n ? say("nth", { n, total: rows.length }) : "";
  };
  const drawHead = () => {
    const isFocused = head.contains(document.activeElement);
    head.replaceChildren(
      make("div", { className: "d-row" }, button("back", list), make("strong", { textContent: place(), className: "nth" }), undo(), make("a", { href: `#${now.id}`, textContent: say("where") })),
      make("h2", { tabIndex: -1 }, make("span", { textContent: `${[desk.place(now), now.label].filter(Boolean).join(" ")} ` }), context(now)));
    head.hidden = false;
    if (isFocused) head.querySelector("h2").focus({ preventScroll: true });
  };
  const drawFoot = () => {
    const last = kept("why"), why = field("why", changing ? changing.why : "", { rows: 2 });
    form.cert = certainty(changing?.cert || kept("cert") || "medium", (value) => kept("cert", value));
    form.like = make("input", { type: "checkbox" });
    form.proposed = make("input", { type: "checkbox", checked: changing?.proposed || false });
    const like = now.same.length > 1 && now.same.includes(now.id) ? make("label", {}, form.like, say("like", { n: now.same.length })) : null;
    const again = last && !changing ? button("sameWhy", () => { form.why.value = last; form.why.focus(); }, { className: "same", textContent: `${say("sameWhy")}${last}` }) : null;
    foot.replaceChildren(...[why, again, make("div", { className: "d-row" }, form.cert.element, desk.over.persons.length > 1 ? make("label", {}, form.proposed, say("propose")) : null, like),
      make("div", { className: "d-row" }, button("file", file, { className: "main" }), button("skip", skip), moving ? button("reanchor", reanchor) : null)].filter((part) => part !== null));
    foot.hidden = false;
  };
  const draw = () => {
    const all = Object.entries(acts).filter(([, name]) => name !== "split" || [...now.lemma].length > 1), more = all.slice(EVERYDAY);
    form.rest = make("div");
    drawHead();
    drawFoot();
    desk.body.replaceChildren(...[
      changing ? make("p", { className: "card", textContent: say("changing", { kind: say(changing.kind) || changing.kind }) }) : null,
      make("fieldset", {}, make("legend", { textContent: say("readings") }), ...now.choices.map(reading)),
      make("fieldset", { className: "acts" }, make("legend", { textContent: say("act") }), ...all.slice(0, EVERYDAY).map(choice),
        make("details", { className: "more-acts", open: more.some(([, name]) => name === form.act) }, make("summary", { textContent: say("moreActs") }), ...more.map(choice))),
      form.rest, ...beside()].filter((part) => part !== null));
    details();
  };
  const change = (row) => {
    changing = row;
    form.act = { lemma: row.cert === "low" ? "leave" : "lemma", emendation: "emendation" }[row.kind] || row.kind;
    chosen = Math.max(0, now.choices.findIndex((one) => (row.reading === null ? one.ids.includes(row.witness) : one.words === row.reading)));
    draw();
    form.why.focus();
  };
  const withdraw = (row, next = null) => button("withdraw", () => send([{ do: "withdraw", path: row.path, table: row.table }], next));
  // What editors say to each other about an entry; the newest last.
  const thread = (q) => {
    const area = make("textarea", { rows: 2, aria: { label: say("comments") } }), who = desk.over.who || "";
    const add = () => { if (area.value.trim()) send([{ do: "decide", kind: "comment", entry: q.id, context: q.context, said: { why: area.value } }], q); else area.focus(); };
    return desk.over.persons.length > 1 || q.comments.length ? [make("details", { className: "thread", open: q.comments.length > 0 }, make("summary", { textContent: `${say("comments")} ${q.comments.length || ""}` }),
      ...q.comments.map((row) => make("p", { className: "card" }, make("small", { textContent: `${person(row.resp)} ${row.when}` }), ` ${row.why} `, row.resp === who ? withdraw(row, q) : "")),
      area, button("addComment", add))] : [];
  };
  const decided = (row) => {
    const words = [say(row.cert === "low" && row.kind === "lemma" ? "leave" : row.kind) || row.kind, row.reading === null ? "" : row.reading || say("none"), row.variant ? named(row.variant) : "", row.why].filter(Boolean).join(" · ");
    return make("div", { className: "card" }, make("p", { textContent: words }), make("small", { textContent: `${say("cert")}：${say(row.cert)} · ${person(row.resp)} ${row.when}` }),
      make("div", { className: "d-row" }, button("change", () => change(row)), withdraw(row), asText(row),
        row.resp !== desk.over.who && !row.approved && desk.over.persons.length > 1 ? button("approve", () => send([{ do: "approve", path: row.path, table: row.table }])) : null));
  };
  const witnesses = (q) => cards(say("witnesses"), q.witnesses.map((row) => make("p", { className: "card", lang: "lzh" }, make("b", { textContent: `${row.witness} ` }), row.text)));
  const beside = () => [
    ...cards(say("filed"), now.decisions.map(decided)), ...thread(now),
    ...cards(say("remarks"), now.remarks.map((words) => make("p", { className: "card", lang: "lzh", textContent: words }))), ...witnesses(now),
    ...cards(say("parallels"), now.parallels.filter((row) => row.sought.length).map((row) => make("p", { className: "card", lang: "lzh" }, `${row.sought.join("、")}：`, make("b", { textContent: say("times", { n: row.count }) }), " ", make("small", { textContent: row.places.join("、") })))),
    ...cards(say("commentary"), now.commentary.map((row) => make("p", { className: "card", lang: "lzh" }, make("a", { href: `#${row.id}`, textContent: row.who }), " ", row.text)))];

  const action = (q, n = chosen) => {
    const said = { ...(changing ? { unit: changing.unit, speaker: changing.speaker, context: changing.context } : {}), why: form.why.value, cert: form.act === "leave" ? "low" : form.cert.value, ...(form.proposed.checked && !["pair", "passim"].includes(form.act) ? { proposed: true } : {}) };
    const words = q.choices[n].words, at = { entry: q.id, context: q.context };
    switch (form.act) {
      case "lemma": case "leave": if (changing) return { do: "decide", kind: q.choices[n].collated ? "lemma" : "emendation", ...at, said: { ...said, reading: words } }; return { do: "choose", ...at, words, ...said };
      case "class": return { do: "decide", kind: "class", ...at, said: { ...said, reading: q.choices[n || 1].words, variant: form.variant.value } };
      case "pair": return { do: "decide", kind: "pair", said: { ...said, left: q.lemma, right: q.choices[n || 1].words, variant: form.variant.value } };
      case "passim": return { do: "decide", kind: "passim", said: { ...said, edition: desk.text, source: form.source.value, words: (q.choices.find((row) => row.ids.includes(form.source.value)) || q.choices[0]).words, reading: words, notes: Boolean(q.speaker) } };
      case "emendation": return { do: "decide", kind: "emendation", ...at, said: { ...said, reading: form.words.value } };
      case "split": return { do: "decide", kind: "split", ...at, said: { ...said, context: form.parts.value } };
      case "merge": return { do: "decide", kind: "merge", ...at, said: { ...said, context: form.context.value } };
      default: return { do: "decide", kind: form.act, ...at, said };
    }
  };
  // Write what the form says, here and, if that is wanted, in all entries with the same two readings.
  const file = async () => {
    if (!form.why.value.trim()) { tell(say("needs"), true); form.why.focus(); return; }
    kept("why", form.why.value);
    const q = now, sitting = { id: q.id, row: q, act: form.act, words: q.choices[chosen].words, why: form.why.value, cert: form.cert.value, old: changing };
    const decisions = [...(changing ? [{ do: "withdraw", path: changing.path, table: changing.table }] : []), action(q)];
    const ids = form.like.checked && !["pair", "passim"].includes(form.act) ? q.same.filter((id) => id !== q.id) : [];
    if (ids.length) tell(say("writing"));
    for (const id of ids) {
      const other = await desk.entry(id);
      if (other.error) { desk.fail(other); return; }
      const n = other.choices.findIndex((row) => row.words === sitting.words);
      if (n >= 0) decisions.push(action(other, n));
    }
    changing = null;
    const rows = desk.shown(), after = rows.slice(rows.findIndex((row) => row.id === q.id) + 1);
    await send(decisions, after.find((row) => !ids.includes(row.id)) || null, sitting);
  };
  const reanchor = async () => {
    const old = moving, { unit, speaker, context: words } = now, said = { unit, speaker, context: words, why: old.why, cert: old.cert, ...(old.reading === null ? {} : { reading: old.reading }), ...(old.variant ? { variant: old.variant } : {}) };
    moving = null;
    await send([{ do: "withdraw", path: old.path, table: old.table }, { do: "decide", kind: old.kind, entry: now.id, context: now.context, said }]);
  };

  // Show a question; with a sitting, as its form was when it was written.
  const show = (q, sitting = null) => {
    now = q;
    changing = sitting?.old && q.decisions.find((row) => row.table === sitting.old.table) || null;
    chosen = Math.max(0, sitting ? q.choices.findIndex((row) => row.words === sitting.words) : 0);
    form.act = sitting?.act || "lemma";
    document.body.classList.add("at-entry");
    point(q.id);
    draw();
    if (sitting) { form.why.value = sitting.why; form.cert.value = sitting.cert; }
    desk.body.parentElement.scrollTop = 0;
    head.querySelector("h2").focus({ preventScroll: true });
  };
  // The same question as it is by now: what is being written stays.
  const renew = (q) => {
    const typed = form.why.value, isSame = ["choices", "decisions", "comments", "witnesses", "same"].every((key) => JSON.stringify(q[key]) === JSON.stringify(now[key]));
    const words = now.choices[chosen]?.words, wanted = form.act, sure = form.cert.value;
    now = q;
    if (isSame || changing) { drawHead(); return; }
    const at = document.activeElement, typing = at === form.why, inside = desk.body.contains(at) && ["reading", "act"].includes(at.name) ? `[name=${at.name}][value="${at.value}"]` : "";
    chosen = Math.max(0, q.choices.findIndex((row) => row.words === words));
    form.act = wanted;
    draw();
    form.why.value = typed; form.cert.value = sure;
    if (typing) form.why.focus({ preventScroll: true }); else if (inside) desk.body.querySelector(inside)?.focus({ preventScroll: true });
  };
  const close = () => { now = changing = null; head.hidden = foot.hidden = true; head.replaceChildren(); foot.replaceChildren(); document.body.classList.remove("at-entry"); };
  const press = (key) => {
    if (/^[1-9]$/.test(key) && now.choices[Number(key) - 1]) { chosen = Number(key) - 1; desk.body.querySelectorAll("[name=reading]")[chosen].click(); } else if (acts[key]) {
      const e = desk.body.querySelector(`[name=act][value=${acts[key]}]`);
      if (e) { if (e.closest("details")) e.closest("details").open = true; e.click(); }
    } else if (key === "w") form.why.focus();
    else if (key === "g") form.like.click();
    else return false;
    return true;
  };
  return { head, foot, show, renew, close, draw: drawHead, file, press, witnesses, radio, move: (row) => { moving = row; tell(say("anchor")); }, same: () => foot.querySelector(".same")?.click(), get now() { return now; } };
};
