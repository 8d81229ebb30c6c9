// A character (?c=賓): how it is read, what it means, which graphs are of its family, in which texts it stands, where it varies.
// Without one: all pairs of characters that vary here.
"use strict";
(() => {
  const main = document.getElementById("text"), words = main.dataset, view = new URLSearchParams(location.search);
  const { make } = self.jiaokan;
  document.documentElement.classList.add("js");
  const along = (query) => { const now = new URLSearchParams(query); if (view.has("lang")) now.set("lang", view.get("lang")); return `?${now}`; };
  const graph = (char) => make("a", { href: along({ c: char }), textContent: char, lang: "lzh" });
  const known = self.jiaokanCharacters || {}, pairs = self.jiaokanPairs || [], LISTED = 24;
  const family = (char) => (self.jiaokanFold || "").split(" ").find((each) => each.includes(char)) || char;
  const row = (term, ...body) => [make("dt", { textContent: term }), make("dd", {}, ...body)];
  const part = (name, ...rows) => make("section", {}, make("h2", { textContent: name }), make("dl", {}, ...rows.flat()));

  const places = (found) => {
    const links = found.map(([folder, page, id]) => make("a", { href: `${folder}/${page}.html#e-${id}`, textContent: id.replace(/^[^.]*\./, "").replace(/\.[nar]\d.*$/, "") }));
    if (links.length <= LISTED) return links;
    return [...links.slice(0, LISTED), make("details", {}, make("summary", { textContent: `${words.more} ${links.length - LISTED}` }), ...links.slice(LISTED))];
  };
  const varying = (list) => list.map(([lemma, reading, kind, found]) => [
    make("dt", { lang: "lzh" }, graph(lemma), " → ", graph(reading), make("small", { textContent: `${kind} ${found.length}` })), make("dd", {}, ...places(found))]);
  // In which texts graphs of its family stand: the index of the search knows families, not graphs.
  const texts = async (char) => {
    const { texts, chapters, having } = self.jiaokanIndex || { texts: [], chapters: [], having: async () => [] };
    const folders = new Set((await having([...family(char)][0])).map((number) => chapters[number].folder)), found = texts.filter(([folder]) => folders.has(folder));
    const link = ([folder, title]) => make("a", { href: `search.html${along({ q: char, in: folder })}`, textContent: title, lang: "zh" });
    const rest = found.length - LISTED, more = make("a", { href: `search.html${along({ q: char })}`, textContent: `${words.more} ${rest}` });
    return [...found.slice(0, LISTED).map(link), ...(rest > 0 ? [more] : [])];
  };

  const [char] = view.get("c") || "";
  if (!char) {
    main.append(part(words.variants, ...varying(pairs)));
    return;
  }
  const [reading, meaning, alike] = known[char] || ["", "", ""], kin = [...family(char)].filter((each) => each !== char);
  const here = pairs.filter(([lemma, other]) => lemma === char || other === char);
  document.title = `${char} · ${document.title}`;
  main.querySelector("h1").replaceChildren(make("span", { textContent: char, lang: "lzh" }));
  main.append(make("dl", {}, ...row(words.code, `U+${char.codePointAt(0).toString(16).toUpperCase().padStart(4, "0")}`),
    ...(reading ? row(words.reading, make("span", { textContent: reading, lang: "zh-Latn-pinyin" })) : []), ...(meaning ? row(words.meaning, make("span", { textContent: meaning, lang: "en" })) : []),
    ...(alike ? row(words.guangyun, alike) : []), ...(kin.length ? row(words.family, ...kin.map(graph)) : [])));
  texts(char).then((links) => main.querySelector("dl").append(...row(words.texts, ...links)));
  if (here.length) main.append(part(words.variants, ...varying(here)));
})();
