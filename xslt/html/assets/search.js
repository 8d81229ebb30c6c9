// Search in all texts: folded to the normal forms of variant graphs, punctuation left out, across the notes between units.
"use strict";
(() => {
  const form = document.getElementById("search"), list = document.getElementById("found"), told = document.getElementById("told");
  const make = (tag, props, ...children) => { const e = Object.assign(document.createElement(tag), props); e.append(...children); return e; };
  document.documentElement.classList.add("js");
  const PAGE = 200, AROUND = 18, how = told.textContent;

  // --- Folding: one form for all graphs of a character; what is no letter, digit or lost character folds to nothing --
  const forms = new Map();
  for (const family of (self.jiaokanFold || "").split(" ")) for (const graph of family) forms.set(graph, [...family][0]);
  const counts = /[\p{L}\p{N}\p{Co}〓□]/u;
  const fold = (text) => {
    let folded = "";
    for (const graph of text) if (counts.test(graph)) folded += forms.get(graph) || graph.toLowerCase();
    return folded;
  };
  // Where in the text itself the folded stretch from `start` to `end` lies.
  const unfold = (text, start, end) => {
    let at = 0, done = 0, from = -1;
    for (const graph of text) {
      const size = counts.test(graph) ? (forms.get(graph) || graph.toLowerCase()).length : 0;
      if (from < 0 && size && done >= start) from = at;
      done += size;
      at += graph.length;
      if (done >= end) break;
    }
    return [from, at];
  };

  // --- Pinyin: each syllable stands for all graphs that can be read so ------------------------------------------------
  const script = (src) => new Promise((resolve) => {
    const element = make("script", { src });
    element.onload = element.onerror = resolve;
    document.head.append(element);
  });
  const letters = (text) => text.toLowerCase().normalize("NFD").replaceAll("u\u0308", "v").replace(/\p{M}/gu, "");
  const sounds = new Map();
  // All ways to part letters into syllables, at most 64: lianian may be li a ni an.
  const parted = (run) => {
    if (!run) return [[]];
    const found = [];
    for (let size = Math.min(6, run.length); size > 0 && found.length < 64; size--)
      if (sounds.has(run.slice(0, size))) for (const rest of parted(run.slice(size))) found.push([run.slice(0, size), ...rest]);
    return found;
  };
  // A pattern for a query in pinyin; null if it is none.
  const sounded = async (query) => {
    if (!/^[\p{Script=Latin}\p{M}\s'’-]+$/u.test(query)) return null;
    if (!self.jiaokanPinyin) {
      await script("assets/pinyin.js");
      for (const row of (self.jiaokanPinyin || "").split(" ")) {
        const [syllable, graphs] = row.split(":");
        sounds.set(syllable, [...new Set([...(graphs || "")].map((graph) => forms.get(graph) || graph))].join(""));
      }
    }
    const words = letters(query).split(/[\s'’-]+/).filter(Boolean).map(parted);
    if (!words.length || words.some((ways) => !ways.length)) return null;
    const ways = words.reduce((all, word) => all.flatMap((begun) => word.map((way) => [...begun, ...way])).slice(0, 64), [[]]);
    return new RegExp(ways.map((way) => way.map((syllable) => `[${sounds.get(syllable)}]`).join("")).join("|"), "gu");
  };

  // --- Chapters are loaded one by one, when they are wanted ------------------------------------------------------
  const loaded = new Map();
  const load = (text, page) => loaded.get(`${text}/${page}`) || new Promise((resolve) => {
    const script = make("script", { src: `${text}/find-${page}.js` });
    script.onload = () => { const chapter = prepare(self.jiaokanFind.pop(), text); loaded.set(`${text}/${page}`, chapter); resolve(chapter); };
    script.onerror = () => resolve(null);
    document.head.append(script);
  });
  // Base text of a section is one stream; each note and each reading is one by itself.
  const prepare = (chapter, folder) => {
    const streams = [];
    let section = chapter.title, base = null;
    for (const [layer, id, words, who, sigla] of chapter.parts) {
      if (layer === "s") { section = words; base = null; continue; }
      if (layer === "b" && !base) streams.push(base = { layer, section, folded: "", parts: [] });
      const stream = layer === "b" ? base : { layer, section, folded: "", parts: [], who, sigla: layer === "v" ? who : sigla };
      if (layer !== "b") streams.push(stream);
      stream.parts.push({ id, words, start: stream.folded.length });
      stream.folded += fold(words);
    }
    return { ...chapter, folder, streams };
  };

  // --- Finding -----------------------------------------------------------------------------------------------
  function* hits(chapter, terms, wanted) {
    for (const stream of chapter.streams) {
      if (!wanted.layers.has(stream.layer) || (wanted.who && stream.who !== wanted.who)) continue;
      if (terms instanceof RegExp) {
        for (const { 0: { length }, index: at } of stream.folded.matchAll(terms))
          yield { chapter, stream, place: stream.parts.findLastIndex((part) => part.start <= at), at, end: at + length };
        continue;
      }
      if (!terms.every((term) => stream.folded.includes(term))) continue;
      for (let at = stream.folded.indexOf(terms[0]); at >= 0; at = stream.folded.indexOf(terms[0], at + terms[0].length)) {
        const place = stream.parts.findLastIndex((part) => part.start <= at), end = at + terms[0].length;
        // Other words must stand near: in the unit, or in the same note.
        const next = stream.parts[place + 1]?.start ?? stream.folded.length;
        const near = stream.folded.slice(stream.parts[place].start, Math.max(end, next));
        if (terms.slice(1).every((term) => near.includes(term))) yield { chapter, stream, place, at, end };
      }
    }
  }
  const shown = ({ chapter, stream, place, at, end }) => {
    const part = stream.parts[place], [from, to] = unfold(part.words, at - part.start, end - part.start);
    let words = part.words.slice(from, to), size = to - from, after = part.words.slice(to);
    for (let n = place + 1; n < stream.parts.length && stream.parts[n].start < end; n++) {
      const more = unfold(stream.parts[n].words, 0, end - stream.parts[n].start)[1];
      words += "／" + stream.parts[n].words.slice(0, more);
      size += more;
      after = stream.parts[n].words.slice(more);
    }
    const before = part.words.slice(0, from), id = `${chapter.text}.${part.id}`;
    const head = stream.layer === "v" ? [form.dataset.variant, stream.sigla] : stream.layer === "n" ? [stream.who, stream.sigla] : [];
    const address = new URLSearchParams(first.has("lang") ? { lang: first.get("lang") } : {});
    if (part.id && stream.layer !== "v") address.set("at", `${from}.${size}`);
    const link = make("a", { href: `${chapter.folder}/${chapter.page}.html${address.size ? `?${address}` : ""}${part.id ? `#${stream.layer === "v" ? "e-" : ""}${id}` : ""}` },
      make("span", { className: "where" }, make("b", { textContent: part.id || chapter.page }), make("span", { textContent: stream.section || chapter.title }), ...head.filter(Boolean).map((text) => make("i", { textContent: text }))),
      make("span", { className: "words", lang: "lzh" }, (before.length > AROUND ? "…" : "") + [...before].slice(-AROUND).join(""), make("mark", { textContent: words }),
        [...after].slice(0, AROUND).join("") + (after.length > AROUND ? "…" : "")));
    return make("li", {}, link);
  };

  // Chapters whose title is what one looks for, and persons of that name, in characters or in pinyin.
  const titled = (query) => {
    const bare = (text) => letters(text).replace(/[\s'’-]/g, ""), wanted = bare(query), latin = self.jiaokanNames || {}, rows = [];
    const along = first.has("lang") ? "&lang=en" : "", found = (name) => fold(name) === fold(query) || Boolean(latin[name]) && bare(latin[name]) === wanted;
    const row = (href, name, where) => make("li", { className: "titled" }, make("a", { href }, make("b", { textContent: name, lang: "lzh" }), ` ${latin[name] || ""} `, make("span", { className: "where", textContent: where })));
    for (const box of form.querySelectorAll("input[name=in]:checked")) {
      const pages = box.dataset.pages.split(" ");
      box.dataset.titles.split("|").forEach((title, n) => {
        if (found(title)) rows.push(row(`${box.value}/${pages[n]}.html${along.replace("&", "?")}`, title, box.parentElement.textContent.trim()));
      });
    }
    if (wanted && bare(query) !== fold(query)) return rows;
    for (const name of Object.keys(latin)) if (found(name) && name !== query && !rows.some((each) => each.textContent.includes(name))) rows.push(row(`search.html?q=${name}${along}`, name, form.dataset.name));
    return rows;
  };

  let turn = 0;
  const search = async () => {
    const mine = ++turn, data = new FormData(form), query = String(data.get("q")).trim();
    const terms = await sounded(query) || query.split(/\s+/).map(fold).filter(Boolean);
    if (mine !== turn) return;
    keep(query, data);
    list.replaceChildren();
    if (Array.isArray(terms) && !terms.length) { told.textContent = how; return; }
    list.append(...titled(query));
    const wanted = { layers: new Set(data.getAll("layer")), who: data.get("who") };
    let count = 0, rest = [], room = null;
    for (const box of form.querySelectorAll("input[name=in]:checked")) {
      for (const page of box.dataset.pages.split(" ")) {
        told.textContent = `${form.dataset.loading} ${box.parentElement.textContent.trim()} ${page}`;
        const chapter = await load(box.value, page);
        if (mine !== turn) return;
        if (!chapter) continue;
        speakers(chapter);
        room = null;
        for (const hit of hits(chapter, terms, wanted)) {
          if (!room && count < PAGE) {
            room = make("ol", {});
            list.append(make("li", { className: "work" }, make("h2", {}, make("small", { textContent: chapter.work }), " ", chapter.title), room));
          }
          if (count++ < PAGE) room.append(shown(hit)); else rest.push(hit);
        }
      }
    }
    told.textContent = count ? `${form.dataset.some} ${count}` : form.dataset.none;
    if (rest.length) more(rest);
  };
  const more = (rest) => {
    const button = make("button", { type: "button", textContent: `${form.dataset.more} ${rest.length}` });
    const item = make("li", { className: "more" }, button);
    button.addEventListener("click", () => {
      item.replaceWith(...rest.splice(0, PAGE).map((hit) => { const li = shown(hit); li.querySelector(".where").prepend(make("small", { textContent: hit.chapter.title })); return li; }));
      if (rest.length) more(rest);
    });
    list.append(item);
  };
  const known = new Set([""]);
  const offer = (who) => { if (!known.has(who)) { known.add(who); form.who.append(make("option", { value: who, textContent: who })); } };
  const speakers = (chapter) => {
    for (const { layer, who } of chapter.streams) if (layer === "n") offer(who);
  };

  // --- The search in the address --------------------------------------------------------------------------------
  const first = new URLSearchParams(location.search);
  const keep = (query, data) => {
    const view = new URLSearchParams(first.has("lang") ? { lang: first.get("lang") } : {});
    if (query) view.set("q", query);
    for (const name of ["layer", "in"]) {
      const all = form.querySelectorAll(`input[name=${name}]`), on = data.getAll(name);
      if (on.length < all.length) view.set(name, on.join("."));
    }
    if (data.get("who")) view.set("who", data.get("who"));
    try { history.replaceState(null, "", view.size ? `?${view}` : location.pathname); } catch { /* an address that may not change */ }
  };
  for (const name of ["layer", "in"]) if (first.has(name))
    for (const box of form.querySelectorAll(`input[name=${name}]`)) box.checked = first.get(name).split(".").includes(box.value);
  form.addEventListener("submit", (event) => { event.preventDefault(); search(); });
  form.addEventListener("change", (event) => { if (event.target.name !== "q" || form.q.value) search(); });
  if (first.get("who")) { offer(first.get("who")); form.who.value = first.get("who"); }
  if (first.get("q")) { form.q.value = first.get("q"); search(); } else form.q.focus();
})();
