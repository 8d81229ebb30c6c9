// Search in all texts: folded to the normal forms of variant graphs, punctuation left out, across the notes between units. An index
// of pairs of characters, of which a phrase needs a few files, says which chapters can have the words; these are loaded, so many at a time.
"use strict";
(() => {
  const form = document.getElementById("search"), list = document.getElementById("found"), told = document.getElementById("told");
  const { make, script } = self.jiaokan;
  document.documentElement.classList.add("js");
  const FIRST = 20, PARTS = [1, 4], PAGE = 200, AROUND = 18, NEAR = 10, CHAPTERS = 200, FACETS = 40, how = told.textContent;
  const shelf = form.querySelector(".texts"), library = form.hasAttribute("data-library");

  // --- Folding: one form for all graphs of a character; what is no letter, digit or lost character folds to nothing --
  const forms = new Map();
  for (const family of (self.jiaokanFold || "").split(" ")) for (const graph of family) forms.set(graph, [...family][0]);
  const counts = /[\p{L}\p{N}\p{Co}〓□]/u, known = new Map();
  const folded = (graph) => {
    let form = known.get(graph);
    if (form === undefined) known.set(graph, form = counts.test(graph) ? forms.get(graph) || graph.toLowerCase() : "");
    return form;
  };
  // Most characters are one code unit, for which a table is quicker than the walk by characters.
  const units = [];
  const fold = (text) => {
    let all = "";
    for (let at = 0; at < text.length; at++) {
      const code = text.charCodeAt(at);
      if (code >= 0xD800 && code < 0xDC00) all += folded(text.slice(at, ++at + 1));
      else all += units[code] ?? (units[code] = folded(text[at]));
    }
    return all;
  };
  // Where in the text itself the folded stretch from `start` to `end` lies.
  const unfold = (text, start, end) => {
    let at = 0, done = 0, from = -1;
    for (const graph of text) {
      const size = folded(graph).length;
      if (from < 0 && size && done >= start) from = at;
      done += size;
      at += graph.length;
      if (done >= end) break;
    }
    return [from, at];
  };

  // --- Pinyin: each syllable stands for all graphs that can be read so ------------------------------------------------
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

  // --- What is asked for: 射 | 饮 either, 公?礼 one graph, 公…礼 up to ten, [宾主] one of these, 公 ~5 礼 near each other -------
  // A pattern, and the words that a text must have for it, in each way that it can be met.
  const one = (word) => {
    const ways = [], sources = [];
    for (const way of word.split(/[|｜]/)) {
      let source = "", need = [""];
      for (const [part, , set] of way.matchAll(/(\[([^\]]*)\]?)|[^\[]/gu)) {
        const graphs = set === undefined ? fold(part) : fold(set), open = set !== undefined ? `[${graphs}]` : /[?？]/.test(part) ? "." : /[*＊…]/.test(part) ? `.{0,${NEAR}}?` : "";
        if (open) { source += open === "[]" ? "" : open; need.push(""); } else { source += graphs; need[need.length - 1] += graphs; }
      }
      if (/[^.{}\d,?]/.test(source)) { sources.push(source); ways.push(need.filter(Boolean)); }
    }
    return { source: sources.length > 1 ? `(?:${sources.join("|")})` : sources[0] || "", ways };
  };
  const asked = (query) => {
    const terms = [];
    let apart = null;
    for (const word of query.replace(/["“”「」]/g, " ").split(/\s+/).filter(Boolean)) {
      const near = /^[~～](\d*)$/.exec(word);
      if (near) { apart = near[1] || String(NEAR); continue; }
      const term = one(word);
      if (!term.source) continue;
      const last = terms.at(-1);
      if (apart && last) {
        terms[terms.length - 1] = { source: `(?:${last.source}.{0,${apart}}?${term.source}|${term.source}.{0,${apart}}?${last.source})`,
          ways: last.ways.flatMap((way) => term.ways.map((other) => [...way, ...other])) };
      } else terms.push(term);
      apart = null;
    }
    return terms.map(({ source, ways }) => ({ pattern: new RegExp(source, "gu"), ways }));
  };

  // --- Chapters: the index says which can have it; these are loaded together ---------------------------------------
  const { texts, chapters, having } = self.jiaokanIndex || { texts: [], chapters: [], having: async () => [] };
  const grams = (word) => { const all = [...word]; return all.length > 1 ? all.slice(1).map((graph, n) => all[n] + graph) : all; };
  const common = (lists) => {
    const [least, ...others] = lists.sort((a, b) => a.length - b.length);
    return others.reduce((left, list) => { if (!left.length) return left; const has = new Set(list); return left.filter((each) => has.has(each)); }, least);
  };
  // Those that can have what is asked, in order; where nothing says which graphs are needed, all.
  const possible = async (terms) => {
    let left = chapters.map((_, number) => number);
    for (const { ways } of terms) {
      if (!ways || ways.some((words) => !words.length)) continue;
      const met = await Promise.all(ways.map(async (words) => common(await Promise.all(words.flatMap(grams).map(having))))), any = new Set(met.flat());
      left = left.filter((number) => any.has(number));
    }
    return left.map((number) => chapters[number]);
  };
  const loaded = new Map();
  const load = (folder, page) => {
    const name = `${folder}/${page}`;
    if (!loaded.has(name)) {
      const chapter = script(`${folder}/find-${page}.js`, () => prepare(self.jiaokanFind.pop(), folder));
      loaded.set(name, chapter);
      chapter.then((made) => { if (!made) loaded.delete(name); });
    }
    return loaded.get(name);
  };
  // Base text of a section is one stream; each note and each reading is one by itself.
  const prepare = (chapter, folder) => {
    const streams = [], order = new Map();
    let section = chapter.title, base = null;
    for (const [layer, id, words, who, sigla] of chapter.parts) {
      if (layer === "s") { section = words; base = null; continue; }
      if (layer === "b" && !base) streams.push(base = { layer, section, folded: "", parts: [] });
      const stream = layer === "b" ? base : { layer, section, folded: "", parts: [], who: layer === "n" ? who : "", sigla: layer === "v" ? who : sigla };
      if (layer !== "b") streams.push(stream);
      // What has no id (prose before a text) is a unit by itself.
      const unit = id.replace(/\.[nar]\d.*$/, "") || `#${order.size}`;
      if (!order.has(unit)) order.set(unit, order.size);
      stream.parts.push({ id, unit, words, start: stream.folded.length });
      stream.folded += fold(words);
    }
    return { ...chapter, folder, streams, order };
  };

  // --- Finding: all places of a chapter, each with the unit that it belongs to --------------------------------------
  const hits = (chapter, terms) => {
    const found = [], [first, ...others] = terms;
    for (const stream of chapter.streams) {
      if (others.some(({ pattern }) => stream.folded.search(pattern) < 0)) continue;
      let place = 0; // places come in their order
      for (const { 0: { length }, index: at } of stream.folded.matchAll(first.pattern)) {
        if (!length) continue;
        while (stream.parts[place + 1]?.start <= at) place++;
        const end = at + length;
        // Other words must stand near: in the unit, or in the same note.
        const next = stream.parts[place + 1]?.start ?? stream.folded.length;
        const near = others.length ? stream.folded.slice(stream.parts[place].start, Math.max(end, next)) : "";
        if (others.every(({ pattern }) => near.search(pattern) >= 0)) found.push({ chapter, stream, place, at, end, unit: stream.parts[place].unit });
      }
    }
    return found.sort((one, other) => chapter.order.get(one.unit) - chapter.order.get(other.unit));
  };
  // What a place says: the words before, those found (over the border of a unit: ／), those after.
  const said = ({ stream, place, at, end }) => {
    const part = stream.parts[place], [from, to] = unfold(part.words, at - part.start, end - part.start);
    let words = part.words.slice(from, to), size = to - from, after = part.words.slice(to);
    for (let n = place + 1; n < stream.parts.length && stream.parts[n].start < end; n++) {
      const more = unfold(stream.parts[n].words, 0, end - stream.parts[n].start)[1];
      words += "／" + stream.parts[n].words.slice(0, more);
      size += more;
      after = stream.parts[n].words.slice(more);
    }
    return { from, to, size, words, after };
  };
  const head = ({ stream }) => (stream.layer === "v" ? [form.dataset.variant, stream.sigla] : stream.layer === "n" ? [stream.who, stream.sigla] : []).filter(Boolean);
  const address = (hit) => {
    const { chapter, stream, place } = hit, part = stream.parts[place], view = new URLSearchParams(first.has("lang") ? { lang: first.get("lang") } : {});
    const { from, size } = said(hit);
    if (part.id && stream.layer !== "v") view.set("at", `${from}.${size}`);
    return `${chapter.folder}/${chapter.page}.html${view.size ? `?${view}` : ""}${part.id ? `#${stream.layer === "v" ? "e-" : ""}${chapter.text}.${part.id}` : ""}`;
  };
  // A line: all that was found in one unit's base text, one note, one reading.
  const line = (places) => {
    const words = make("span", { className: "words", lang: "lzh" }), part = places[0].stream.parts[places[0].place];
    let last = -1, tail = "";
    for (const hit of places) {
      const { from, to, words: mark, after } = said(hit), gap = [...part.words.slice(Math.max(last, 0), from)];
      const [limit, before] = last < 0 ? [AROUND, ""] : [2 * AROUND, gap.slice(0, AROUND).join("")];
      words.append(gap.length > limit ? `${before}…${gap.slice(-AROUND).join("")}` : gap.join(""), make("mark", { textContent: mark }));
      last = to;
      tail = after;
    }
    words.append([...tail].slice(0, AROUND).join("") + ([...tail].length > AROUND ? "…" : ""));
    return make("a", { href: address(places[0]) }, make("span", { className: "where" }, ...head(places[0]).map((text) => make("i", { textContent: text }))), words);
  };
  // A row: one unit, with all that was found in it and in what is said on it.
  const row = (places) => {
    const { chapter, stream, unit: number } = places[0], lines = Map.groupBy(places, (hit) => hit.stream.parts[hit.place]);
    return make("li", {}, make("span", { className: "unit" }, make("b", { textContent: number.startsWith("#") ? chapter.page : number }), " ", stream.section || chapter.title), make("div", {}, ...[...lines.values()].map(line)));
  };

  // Chapters whose title is what one looks for, and persons of that name, in characters or in pinyin.
  const titled = (query) => {
    const bare = (text) => letters(text).replace(/[\s'’-]/g, ""), wanted = bare(query), latin = self.jiaokanNames || {}, rows = [];
    const along = first.has("lang") ? "&lang=en" : "", same = fold(query), spelled = /\p{Script=Latin}/u.test(query);
    const found = (name) => fold(name) === same || spelled && Boolean(latin[name]) && bare(latin[name]) === wanted;
    const row = (href, name, where) => make("li", { className: "titled" }, make("a", { href }, make("b", { textContent: name, lang: "lzh" }), ` ${latin[name] || ""} `, make("span", { className: "where", textContent: where })));
    const chosen = within();
    for (const [folder, text, section, pages, titles] of texts) {
      if (!chosen(folder, section)) continue;
      if (found(text)) rows.push(row(`${folder}/index.html${along.replace("&", "?")}`, text, section));
      titles.forEach((title, n) => { if (found(title)) rows.push(row(`${folder}/${pages[n]}.html${along.replace("&", "?")}`, title, text)); });
    }
    if ([...query].length === 1 && /\p{Script=Han}/u.test(query)) rows.push(row(`character.html?c=${query}${along}`, query, form.dataset.character));
    if (wanted && bare(query) !== fold(query)) return rows;
    for (const name of Object.keys(latin)) if (found(name) && name !== query && !rows.some((each) => each.textContent.includes(name))) rows.push(row(`search.html?q=${name}${along}`, name, form.dataset.name));
    return rows;
  };

  // --- The answer: rows by chapter, and the strip of counts by which it is filtered ----------------------------------
  const strip = document.getElementById("strip");
  let turn = 0, all = [], terms = [], left = [];
  const name = { ch: (hit) => `${hit.chapter.folder}/${hit.chapter.page}`, who: (hit) => hit.stream.who || "", layer: (hit) => hit.stream.layer, in: (hit) => hit.chapter.folder };
  const wanted = () => {
    const data = new FormData(form), layers = new Set(data.getAll("layer"));
    return { layer: (hit) => layers.has(hit.stream.layer), who: (hit) => !data.get("who") || hit.stream.who === data.get("who"), ch: (hit) => !chapterOf || name.ch(hit) === chapterOf };
  };
  let chapterOf = "";
  const counted = (key, tests) => {
    const found = new Map();
    for (const hit of all) if (Object.entries(tests).every(([each, test]) => each === key || test(hit))) found.set(name[key](hit), (found.get(name[key](hit)) || 0) + 1);
    return found;
  };
  const facet = (legend, rows, chosen, choose) => make("p", { className: "facet" }, make("span", { textContent: legend }), ...rows.map(([value, text, count]) => {
    const button = make("button", { type: "button" }, text, make("small", { textContent: ` ${count}` }));
    button.setAttribute("aria-pressed", String(value === chosen));
    button.addEventListener("click", () => { choose(value === chosen ? "" : value); answer(); });
    return button;
  }));
  const tell = (tests) => {
    for (const key of ["layer", "in"]) {
      const found = counted(key, tests);
      for (const box of form.querySelectorAll(`input[name=${key}]`)) {
        const small = box.parentElement.querySelector("small") || box.parentElement.appendChild(make("small", {}));
        small.textContent = found.get(box.value) ? ` ${found.get(box.value)}` : "";
      }
    }
    const titles = new Map(all.map((hit) => [name.ch(hit), hit])), chapters = counted("ch", tests);
    const speakers = [...counted("who", tests)].filter(([who]) => who).sort((a, b) => b[1] - a[1]).slice(0, 16);
    strip.replaceChildren(
      ...(titles.size > 1 ? [facet(form.dataset.chapters, [...titles].slice(0, FACETS).map(called).map(([value, title]) => [value, title, chapters.get(value) || 0]), chapterOf, (value) => { chapterOf = value; })] : []),
      ...(speakers.length > 1 || form.who.value ? [facet(form.dataset.speakers, speakers.map(([who, count]) => [who, latin(who), count]), form.who.value, (value) => { form.who.value = value; })] : []));
  };
  // A title with its Latin letters for readers of English; with its text, if chapters of several texts have it.
  const latin = (text) => (!document.documentElement.lang.startsWith("zh") && self.jiaokanNames?.[text] ? `${text} ${self.jiaokanNames[text]}` : text);
  const called = ([value, { chapter }], _, rows) => [value, `${rows.some(([other, hit]) => other !== value && hit.chapter.title === chapter.title) ? `${chapter.work.split(" ")[0]}·` : ""}${latin(chapter.title)}`];
  const cell = (text) => { const safe = (/^[=+\-@]/.test(text) ? "'" : "") + text; return /[",\n\r]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe; };
  // What is found as CSV (RFC 4180, with the mark that spreadsheets need).
  const table = (found) => {
    const rows = found.map((hit) => {
      const { chapter, stream, place } = hit, { words, from, after } = said(hit), part = stream.parts[place];
      return [`${chapter.text}:${part.id}`, chapter.work, chapter.title, stream.section, form.querySelector(`input[name=layer][value=${stream.layer}]`).parentElement.querySelector("span").textContent,
        stream.who || "", stream.sigla || "", [...part.words.slice(0, from)].slice(-AROUND).join(""), words, [...after].slice(0, AROUND).join(""), address(hit)];
    });
    const names = ["reference", "text", "chapter", "section", "layer", "speaker", "witnesses", "before", "found", "after", "address"];
    return "\uFEFF" + [names, ...rows].map((each) => each.map(cell).join(",") + "\r\n").join("");
  };
  const answer = (loading = "") => {
    const data = new FormData(form), query = String(data.get("q")).trim(), tests = wanted();
    keep(query, data);
    tell(tests);
    const found = all.filter((hit) => Object.values(tests).every((test) => test(hit)));
    const rows = [...Map.groupBy(found, (hit) => `${name.ch(hit)} ${hit.unit}`).values()];
    list.replaceChildren(...titled(query));
    told.textContent = loading + (found.length ? `${form.dataset.some} ${found.length}${rows.length < found.length ? ` · ${rows.length} ${form.dataset.units}` : ""}` : loading ? "" : form.dataset.none);
    if (found.length) {
      const button = make("button", { type: "button", textContent: "CSV", className: "csv" });
      button.addEventListener("click", () => {
        const href = URL.createObjectURL(new Blob([table(found)], { type: "text/csv" }));
        make("a", { href, download: "found.csv" }).click();
        setTimeout(() => URL.revokeObjectURL(href), 60_000);
      });
      told.append(" ", button);
    }
    if (left.length && !loading) {
      const button = make("button", { type: "button", textContent: `${form.dataset.on} ${left.length}`, className: "on" });
      button.addEventListener("click", () => read(++turn, CHAPTERS));
      told.append(" ", button);
    }
    show(rows, FIRST, {});
  };
  // Some rows at once, the rest of a page when these are seen; `at`: the chapter that they are in.
  let shown = null;
  const show = (rows, size, at) => {
    shown = at;
    for (const places of rows.splice(0, size)) {
      const { chapter } = places[0];
      if (chapter !== at.last) {
        at.room = make("ol", {});
        list.append(make("li", { className: "work" }, make("h2", {}, make("small", { textContent: chapter.work }), " ", latin(chapter.title)), at.room));
        at.last = chapter;
      }
      at.room.append(row(places));
    }
    if (!rows.length) return;
    if (size === FIRST) {
      requestAnimationFrame(() => setTimeout(() => { if (shown === at) show(rows, PAGE - FIRST, at); }));
      return;
    }
    const button = make("button", { type: "button", textContent: `${form.dataset.more} ${rows.length}` }), item = make("li", { className: "more" }, button);
    button.addEventListener("click", () => { item.remove(); show(rows, PAGE, {}); });
    list.append(item);
  };
  const search = async () => {
    const mine = ++turn, query = String(form.q.value).trim(), pinyin = await sounded(query);
    if (mine !== turn) return;
    terms = pinyin ? [{ pattern: pinyin, ways: null }] : asked(query);
    keep(query, new FormData(form));
    if (!terms.length) { list.replaceChildren(); strip.replaceChildren(); told.textContent = how; return; }
    told.textContent = form.dataset.loading;
    const found = await possible(terms), chosen = within();
    if (mine !== turn) return;
    all = [];
    left = found.filter(({ folder, section, page }) => chosen(folder, section) && !again(folder, page));
    await read(mine, ...PARTS, CHAPTERS);
  };
  // Which texts are asked: those marked, in a library all where none is; of the section chosen.
  const within = () => {
    const on = new Set(new FormData(form).getAll("in")), section = form.sec?.value || "";
    return (folder, of) => (library && !on.size || on.has(folder)) && (!section || section === of);
  };
  // Whether an edition that is asked too has this chapter of its witness: its words would be found twice.
  const again = (folder, page) => {
    const edition = form.querySelector(`input[name=in][value="${CSS.escape(folder)}"]`)?.dataset.edition;
    if (!edition || !new FormData(form).getAll("in").includes(edition)) return false;
    const row = (name) => texts.find(([each]) => each === name), [, , , pages, titles] = row(folder);
    return row(edition)[4].includes(titles[pages.indexOf(page)]);
  };
  // Read chapters: a few, so that there is something to see, then so many as a list can hold; more when one asks.
  const read = async (mine, size, ...next) => {
    const loaded = await Promise.all(left.splice(0, size).map(({ folder, page }) => load(folder, page)));
    if (mine !== turn) return;
    for (const chapter of loaded) if (chapter) { speakers(chapter); all.push(...hits(chapter, terms)); }
    const goes = left.length && next.length;
    answer(goes ? `${form.dataset.loading} ` : "");
    if (goes) await read(mine, ...next);
  };
  const offered = new Set([""]);
  const offer = (who) => { if (!offered.has(who)) { offered.add(who); form.who.append(make("option", { value: who, textContent: who })); } };
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
      if (name === "in" && library ? on.length : on.length < all.length) view.set(name, on.join("."));
    }
    for (const name of ["who", "sec"]) if (data.get(name)) view.set(name, data.get(name));
    if (chapterOf) view.set("ch", chapterOf);
    self.jiaokan.keep(view);
  };
  // The search of a library names no text until a page asks for one.
  if (library) for (const [folder, text] of texts) if ((first.get("in") || "").split(".").includes(folder))
    shelf.append(make("label", {}, make("input", { type: "checkbox", name: "in", value: folder }), make("span", { textContent: text })));
  for (const name of ["layer", "in"]) if (first.has(name))
    for (const box of form.querySelectorAll(`input[name=${name}]`)) box.checked = first.get(name).split(".").includes(box.value);
  form.addEventListener("submit", (event) => { event.preventDefault(); chapterOf = ""; search(); });
  form.addEventListener("change", (event) => { if (["in", "sec"].includes(event.target.name) && form.q.value) search(); else if (event.target.name !== "q" && form.q.value) answer(); });
  if (form.sec) form.sec.value = first.get("sec") || "";
  if (first.get("who")) { offer(first.get("who")); form.who.value = first.get("who"); }
  if (first.get("q")) { chapterOf = first.get("ch") || ""; form.q.value = first.get("q"); search(); } else form.q.focus();
})();
