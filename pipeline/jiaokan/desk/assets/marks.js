// The text as it is read, its layers coloured; a click on a line and one on what it is make an example, and the page shows what changes.
"use strict";
self.jiaokanMarks = (say, look) => {
  const KINDS = ["head", "head:2", "no-head", "text", "note", "front", "back", "page"], LAYERS = ["head", "section", "base", "note", "editorial", "front", "back", "page"], PART = 1500;
  const make = (tag, props = {}, ...children) => { const e = Object.assign(document.createElement(tag), props); e.append(...children); return e; };
  const at = (id) => document.getElementById(id), check = at("check"), side = at("side"), text = at("text"), mark = at("mark");
  let state = null, shown = 0, drawn = 0, chosen = null, before = new Map(), examples = [];
  const lines = () => state.texts[shown].lines;
  const layersOf = (line) => [...new Set(line[1].map((part) => part[1]))].filter((layer) => layer !== "markup");
  const signature = (line) => JSON.stringify(line[1].map(([, layer, person]) => [layer, person]));
  const wordsOf = (line) => line[1].map((part) => part[0]).join("").trim();
  const speakers = () => { const all = new Map(); for (const line of lines()) for (const [, layer, person] of line[1]) if (layer === "note" && person) all.set(person, (all.get(person) || 0) + 1); return [...all].sort((a, b) => b[1] - a[1]); };

  // One example more, or one less; the server finds the settings that agree with all.
  const change = async (wanted, said = "") => {
    const found = await look(wanted);
    if (!found) return;
    before = new Map(state.texts.flatMap((one) => one.lines.map((line) => [line[0], signature(line)])));
    examples = wanted;
    show(found);
    const outcome = said || found.outcomes.at(-1) || say("undone");
    at("outcome").textContent = outcome;
    at("outcome").focus();
  };
  const add = (example) => change([...examples, example]);

  const drawLine = (line, n) => {
    const parts = line[1].map(([words, layer, person]) => { const e = make("span", { className: layer, textContent: words }); if (person) e.title = person; return e; });
    const e = make("div", { className: "line", id: `l${n}`, tabIndex: -1 }, ...parts);
    e.setAttribute("role", "option");
    e.setAttribute("aria-selected", "false");
    if (before.size && before.get(line[0]) !== signature(line)) e.classList.add("changed");
    return e;
  };
  const draw = (until) => {
    at("more")?.remove();
    const end = Math.min(lines().length, Math.max(until, drawn + PART));
    text.append(...lines().slice(drawn, end).map((line, n) => drawLine(line, drawn + n)));
    drawn = end;
    if (drawn < lines().length) at("middle").append(make("button", { id: "more", type: "button", textContent: say("more", lines().length - drawn), onclick: () => draw(drawn + PART) }));
  };
  const go = (n) => { if (n >= drawn) draw(n + 200); choose(n); at(`l${n}`).scrollIntoView({ block: "center" }); };

  const choose = (n, part = null, selection = "") => {
    for (const old of text.querySelectorAll("[aria-selected=true]")) { old.setAttribute("aria-selected", "false"); old.tabIndex = -1; }
    const e = at(`l${n}`), line = lines()[n];
    e.setAttribute("aria-selected", "true");
    e.tabIndex = 0;
    e.focus({ preventScroll: true });
    const inside = part && part[1] === "note" && layersOf(line).length > 1 ? part[0].match(/[\p{L}\p{N}]{1,8}/u)?.[0] || "" : "";
    chosen = { n, place: line[0], words: selection || inside, selection, text: selection || (inside ? part[0] : wordsOf(line)), layers: part ? [part[1]] : layersOf(line), person: (part || line[1].find((one) => one[2]) || [])[2] || "" };
    drawMark();
  };
  const example = (kind) => { const words = kind === "note" || kind.startsWith("note:") || kind === "text" || chosen.selection ? chosen.words : ""; return `${chosen.place}${words ? `:${words}` : ""}=${kind}`; };

  const drawMark = () => {
    const here = chosen && chosen.place;
    const buttons = KINDS.map((kind, n) => { const b = make("button", { type: "button", className: `kind ${kind.replace(":", "")}`, textContent: say(`kind-${kind.replace(":", "-")}`), disabled: !here, onclick: () => add(example(kind)) }); b.prepend(make("kbd", { textContent: n + 1 })); return b; });
    const who = make("input", { type: "text", id: "who", value: chosen?.person || "", disabled: !here });
    who.setAttribute("list", "people");
    const by = make("form", { className: "row", onsubmit: (event) => { event.preventDefault(); if (here && who.value.trim()) add(example(`note:${who.value.trim()}`)); } }, make("label", { htmlFor: "who", textContent: say("note-by") }), who, make("button", { textContent: say("mark"), disabled: !here }));
    const list = examples.map((one, n) => make("li", {}, make("span", { className: "outcome", textContent: state.outcomes[n] || one }), make("button", { type: "button", className: "drop", textContent: "×", ariaLabel: `${say("take-back")} ${one}`, onclick: () => change(examples.filter((_, other) => other !== n), say("undone")) })));
    const outcome = make("p", { id: "outcome", tabIndex: -1, textContent: at("outcome")?.textContent || "" });
    outcome.setAttribute("role", "status");
    mark.replaceChildren(
      make("p", { className: "chosen" }, ...(chosen ? [make("b", { textContent: chosen.place || "–" }), ` ${[...chosen.text].slice(0, 40).join("")} — ${chosen.layers.map((layer) => say(`layer-${layer}`)).join(" · ")}${chosen.person ? ` · ${chosen.person}` : ""}`] : [say("choose-line")])),
      make("div", { className: "kinds" }, ...buttons), by, outcome,
      ...(examples.length ? [make("h3", { textContent: say("examples") }), make("ol", { className: "examples" }, ...list), make("button", { type: "button", id: "undo", textContent: say("undo"), onclick: () => change(examples.slice(0, -1), say("undone")) })] : []),
      make("details", {}, make("summary", { textContent: say("settings") }), make("pre", { textContent: state.settings[`tei/conventions/${state.texts[shown].id}.toml`] || "", tabIndex: 0 })));
  };

  const question = (doubt, rows) => make("li", {}, make("span", { textContent: doubt }), ...rows.map(([label, one, asks]) => {
    if (!asks) return make("button", { type: "button", textContent: label, onclick: () => add(one) });
    const who = make("input", { type: "text", ariaLabel: label });
    who.setAttribute("list", "people");
    return make("form", { className: "row", onsubmit: (event) => { event.preventDefault(); if (who.value.trim()) add(one + who.value.trim()); } }, label, who, make("button", { textContent: say("mark") }));
  }));

  const drawSide = () => {
    const heads = lines().flatMap((line, n) => (line[1].some((part) => part[1] === "head") ? [[n, line]] : []));
    const chapter = ([n, line]) => {
      const title = line[1].filter((part) => part[1] === "head").map((part) => part[0]).join("").replace(/[¶　#=*\s]/g, "");
      return make("li", {}, make("button", { type: "button", className: "to", textContent: title, onclick: () => go(n) }), ...(line[0] ? [make("button", { type: "button", className: "drop", textContent: "×", ariaLabel: `${say("delete")} ${title}`, onclick: () => add(`${line[0]}=no-head`) })] : []));
    };
    const people = speakers(), same = make("form", { className: "row", onsubmit: (event) => { event.preventDefault(); const [one, other] = [...same.querySelectorAll("input")].map((e) => e.value.trim()); if (one && other && one !== other) add(`${one}=${other}`); } }, ...["person-one", "person-is"].map((key) => { const e = make("input", { type: "text" }); e.setAttribute("list", "people"); return make("label", {}, `${say(key)} `, e); }), make("button", { textContent: say("mark") }));
    const source = make("select", { id: "source", ariaLabel: say("file"), onchange: (event) => { shown = event.target.selectedIndex; chosen = null; drawAll(); } }, ...state.texts.map((one, n) => make("option", { textContent: `${state.sources[n].siglum} ${state.sources[n].title}`, selected: n === shown })));
    const answers = state.texts.flatMap((one) => one.answers.map((rows, n) => [n, rows])), rowsOf = (n) => answers.filter(([other]) => other === n).flatMap(([, rows]) => rows);
    side.replaceChildren(
      ...(state.texts.length > 1 ? [source] : []),
      make("h3", { textContent: say("questions", state.doubts.length) }), make("ul", { className: "doubts" }, ...state.doubts.map((doubt, n) => question(doubt, rowsOf(n)))),
      make("h3", { textContent: say("chapters", heads.length) }), make("ol", { className: "heads" }, ...heads.map(chapter)),
      ...(people.length ? [make("details", {}, make("summary", { textContent: say("speakers", people.length) }), make("ul", { className: "people" }, ...people.map(([name, count]) => make("li", { textContent: `${name} ${count}` }))), same)] : []),
      make("datalist", { id: "people" }, ...people.map(([name]) => make("option", { value: name }))));
  };
  const drawAll = () => {
    text.setAttribute("aria-label", say("text"));
    text.replaceChildren();
    drawn = 0;
    draw(PART);
    if (text.firstChild && !chosen) text.firstChild.tabIndex = 0;
    drawSide();
    drawMark();
    at("legend").replaceChildren(...LAYERS.filter((layer) => lines().some((line) => layersOf(line).includes(layer))).map((layer) => make("span", { className: layer, textContent: say(`layer-${layer}`) })));
  };

  text.addEventListener("click", (event) => {
    const e = event.target.closest(".line");
    if (!e) return;
    const n = Number(e.id.slice(1)), k = [...e.children].indexOf(event.target.closest("span")), picked = getSelection();
    const inLine = picked && !picked.isCollapsed && e.contains(picked.anchorNode) && e.contains(picked.focusNode) ? picked.toString().trim().replace(/[=\n]/g, "") : "";
    choose(n, k < 0 ? null : lines()[n][1][k], inLine);
  });
  text.addEventListener("keydown", (event) => {
    const n = chosen ? chosen.n : 0, to = { ArrowDown: n + 1, ArrowUp: n - 1, PageDown: n + 15, PageUp: n - 15, Home: 0, Enter: n, " ": n }[event.key];
    if (to !== undefined) { event.preventDefault(); const there = Math.max(0, Math.min(lines().length - 1, to)); if (there >= drawn) draw(there + 1); choose(there); at(`l${there}`).scrollIntoView({ block: "nearest" }); }
    if (/^[1-8]$/.test(event.key) && chosen?.place && !event.ctrlKey && !event.metaKey) { event.preventDefault(); add(example(KINDS[event.key - 1])); }
  });
  check.addEventListener("keydown", (event) => { if (event.key === "z" && (event.ctrlKey || event.metaKey) && examples.length && !/^(?:input|textarea)$/i.test(event.target.tagName)) { event.preventDefault(); change(examples.slice(0, -1), say("undone")); } });

  const show = (found) => {
    const place = chosen?.place;
    state = found;
    shown = Math.min(shown, found.texts.length - 1);
    const n = place ? lines().findIndex((line) => line[0] === place) : -1, top = text.scrollTop;
    chosen = null;
    drawAll();
    if (n >= 0) { if (n >= drawn) draw(n + 1); choose(n); text.scrollTop = top; }
  };
  return { begin(found) { before = new Map(); examples = []; chosen = null; shown = 0; check.hidden = false; document.body.classList.add("checking"); show(found); check.querySelector("h2").focus(); }, get examples() { return examples; } };
};
