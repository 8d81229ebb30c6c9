// Marks and names typed in their place: a unit or note of the page with its line under it, as its file has it.
"use strict";
self.jiaokanDesk.lines = ({ api, say, make, button, certainty, kept, main, text, post, tell }) => {
  let box = null, now = null, waiting = 0, asked = 0;
  const places = () => [...(main?.querySelectorAll("p.jing[id], .note[id]") || [])];
  const field = () => box?.querySelector("textarea");
  const told = make("p", { className: "status", id: "desk-line-said" });
  told.setAttribute("role", "status");
  const wrong = (said) => { told.textContent = said; told.className = said ? "status wrong" : "status"; field()?.setAttribute("aria-invalid", String(Boolean(said))); };

  const close = () => { clearTimeout(waiting); const at = now && document.getElementById(now.id); box?.remove(); box = now = null; if (at) { at.tabIndex = -1; at.focus({ preventScroll: true }); } };
  const where = () => {
    const high = document.elementsFromPoint(innerWidth / 4, innerHeight / 4).map((each) => each.closest("p.jing[id], .note[id]")).find(Boolean);
    return now?.id || (document.activeElement?.closest?.("p.jing[id], .note[id]") || high || places().find((each) => each.getBoundingClientRect().bottom > 0))?.id;
  };
  // What is typed is held against the text at once: the desk answers which character is wrong.
  const check = () => {
    clearTimeout(waiting);
    waiting = setTimeout(async () => {
      if (!box) return;
      const mine = ++asked, answer = await api("held", { text, id: now.id, line: field().value.trim() });
      if (mine !== asked || !box) return;
      const first = answer.error ? { message: answer.error, mend: answer.mend } : answer.faults[0];
      wrong(first && field().value.trim() ? `${first.column ? say("atCharacter", { n: first.column }) : ""}${first.message} → ${first.mend}` : "");
      if (first?.column) told.dataset.column = String(first.column); else delete told.dataset.column;
    }, 150);
  };
  const put = (value) => { field().value = value; check(); field().focus(); };
  const around = (form) => {
    const e = field(), from = form ? e.value.indexOf(form) : e.selectionStart, to = form ? from + form.length : e.selectionEnd;
    if (from < 0 || from === to) return;
    e.setRangeText(`_${e.value.slice(from, to)}_`, from, to, "end");
    check(); e.focus();
  };
  const to = (step) => { const all = places(), at = all.findIndex((each) => each.id === now.id), next = all[at + step]; if (next) open(next.id); else close(); };
  const file = async (step = 0) => {
    clearTimeout(waiting);
    const id = now.id, line = field().value.trim();
    kept("evidence", box.querySelector("input").value);
    const answer = await post([{ do: "type", id, was: now.was, line, why: kept("evidence") || say("byReading"), cert: kept("lineCert") || "medium" }], say("typed", { place: now.ref }));
    if (answer.error) { if (answer.status === 409) clash(answer); else wrong(`${answer.error} → ${answer.mend}`); return; }
    if (box && step) to(step); else if (box) await open(id);
  };
  const clash = (answer) => {
    wrong(say("clashLine"));
    const side = (key, words) => make("div", {}, make("h3", { textContent: say(key) }), make("pre", { textContent: words, tabIndex: 0, lang: "lzh" }));
    box.querySelector(".two")?.remove();
    box.append(make("div", { className: "two" }, make("div", {}, side("mine", answer.mine), button("keepMine", () => { now.was = answer.theirs; file(); })),
      make("div", {}, side("theirs", answer.theirs || "∅"), button("takeTheirs", () => open(now.id)))));
  };
  const proposal = (p) => {
    if (!p.line) return null;
    const doubt = p.marks.filter((each) => each.low).length, why = [...new Set(p.marks.map((each) => `${each.sign}${each.low ? "?" : ""} ${each.why}`))];
    return make("div", { className: "card" }, make("small", { textContent: `${say("proposed")} ${doubt ? say("inDoubt", { n: doubt }) : ""}` }),
      make("p", { lang: "lzh", className: "proposal", textContent: p.line }), make("details", {}, make("summary", { textContent: say("reasons") }), make("p", { textContent: why.join("；") })),
      button("takeLine", () => put(p.line), { className: "take" }));
  };
  const place = () => { const at = now && document.getElementById(now.id); if (at && box) at.after(box); };
  const open = async (id) => {
    const answer = await api("line", null, { text, id });
    if (answer.error) { tell(`${answer.error} → ${answer.mend}`, true); return; }
    box?.remove();
    now = answer;
    const area = make("textarea", { rows: Math.min(9, 2 + Math.ceil(answer.words.length / 30)), value: answer.line, lang: "lzh", spellcheck: false, aria: { label: say("lineOf", { place: answer.ref }), describedby: "desk-line-said" } });
    area.addEventListener("input", check);
    const why = make("input", { type: "text", value: kept("evidence") || say("byReading") });
    const cert = certainty(kept("lineCert") || "medium", (value) => kept("lineCert", value));
    const own = answer.resp ? make("small", { textContent: [answer.resp, answer.when, answer.why].filter(Boolean).join(" · ") }) : null;
    const names = answer.names.length ? make("p", { className: "d-row" }, make("small", { textContent: say("names") }), ...answer.names.map((form) => { const e = make("button", { type: "button", lang: "lzh", textContent: form }); e.addEventListener("click", () => around(form)); return e; })) : null;
    const changed = answer.changed.length ? make("p", { className: "wrong", textContent: say("carried", { what: answer.changed.map(([, old, now]) => `${old || "∅"} → ${now || "∅"}`).join("；") }) }) : null;
    box = make("section", { className: "desk-line", aria: { label: say("lineOf", { place: answer.ref }) } },
      make("div", { className: "d-row" }, make("strong", { textContent: answer.ref }), own, button("previous", () => to(-1)), button("next", () => to(1)), button("close", close)),
      changed, area, told, make("div", { className: "d-row" }, make("label", {}, say("evidence"), why), cert.element, button("nameIt", () => around("")), button("file", () => file(), { className: "main" })),
      names, proposal(answer.proposal), make("small", { textContent: say("lineKeys") }));
    box.lang = document.documentElement.lang;
    wrong("");
    place();
    area.focus({ preventScroll: true });
    box.scrollIntoView({ block: "nearest" });
  };
  document.addEventListener("keydown", (event) => {
    if (!box?.contains(event.target)) return;
    event.stopPropagation();
    const command = event.ctrlKey || event.metaKey, at = document.getElementById(now.id);
    if (command && event.key === "Enter") file(event.shiftKey ? 0 : 1);
    else if (event.altKey && event.key === "Enter") box.querySelector(".take")?.click();
    else if (event.altKey && event.key.toLowerCase() === "n") around("");
    else if (event.altKey && event.key === "ArrowDown") to(1);
    else if (event.altKey && event.key === "ArrowUp") to(-1);
    else if (event.key === "Escape" && at) close();
    else return;
    event.preventDefault();
  }, true);
  main?.addEventListener("dblclick", ({ target }) => { const at = target.closest?.("p.jing[id], .note[id]"); if (at && !box?.contains(target) && document.body.classList.contains("at-desk")) open(at.id); });
  // While a part of the page is made anew its line stays as it is being typed.
  const aside = () => { if (!box) return () => {}; const e = field(), at = document.activeElement, from = e.selectionStart, to = e.selectionEnd; box.remove(); return () => { place(); if (box?.contains(at)) { at.focus({ preventScroll: true }); if (at === e) e.setSelectionRange(from, to); } }; };
  return { open, where, aside, isOpen: () => Boolean(box), at: () => now?.id };
};
