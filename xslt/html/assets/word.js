// A word is a door: select up to twelve characters, and a card says how they are read, which graphs they have, what varies and who
// glosses them in this edition. What it says comes when one asks: the site's tables of characters, the text's list of glosses.
"use strict";
(() => {
  const main = document.getElementById("text"), form = document.getElementById("view"), words = form.dataset, { make, script } = self.jiaokan;
  const MOST = 12, LISTED = 8, han = /[\p{Script=Han}\p{Co}]/u, spoken = document.documentElement.lang;
  const forms = new Map();
  let loading = null;
  const load = () => loading ||= Promise.all(["../assets/fold.js", "../assets/characters.js", ...(words.glosses ? ["glosses.js"] : [])].map((src) => script(src))).then(() => {
    for (const family of (self.jiaokanFold || "").split(" ")) for (const graph of family) forms.set(graph, family);
  });
  const fold = (text) => [...text].filter((graph) => han.test(graph)).map((graph) => [...forms.get(graph) || graph][0]).join("");

  // The word that is selected, without marks and notes between its characters.
  const chosen = () => {
    const selection = getSelection();
    if (selection.isCollapsed || !selection.rangeCount || String(selection).length > 4 * MOST) return null;
    const range = selection.getRangeAt(0);
    if (!main.contains(range.commonAncestorContainer)) return null;
    const word = [...self.jiaokan.plain(range)].filter((graph) => han.test(graph));
    return word.length && word.length <= MOST ? { word: word.join(""), range: range.cloneRange() } : null;
  };

  const to = (page, query) => `../${page}.html?${new URLSearchParams(spoken.startsWith("zh") ? query : { ...query, lang: spoken })}`;
  const row = (term, ...body) => [make("dt", {}, term), make("dd", {}, ...body)];
  // A character: reading, meaning, other graphs, and as what it varies in the texts here.
  const graph = (char) => {
    const [sound, meaning, alike] = self.jiaokanCharacters?.[char] || ["", "", ""], kin = [...forms.get(char) || ""].filter((each) => each !== char).join("");
    const pairs = (self.jiaokanPairs || []).filter(([lemma, reading]) => lemma === char || reading === char).slice(0, 3);
    return row(make("a", { href: to("character", { c: char }), textContent: char }), make("span", { textContent: sound, lang: "zh-Latn-pinyin" }), kin ? make("span", { textContent: `＝${kin}` }) : "",
      alike ? make("small", { textContent: `${words.guangyun} ${alike}` }) : "",
      ...pairs.map(([lemma, reading, kind, places]) => make("small", { textContent: `${lemma}→${reading} ${kind} ${places.length}` })), make("small", { textContent: meaning, lang: "en" }));
  };
  // Who glosses the word, then longer phrases with it, then what only speaks of its sound.
  const glosses = (word) => {
    const wanted = fold(word);
    const rank = ([, , , lemma, said]) => lemma ? (fold(lemma) === wanted ? 0 : fold(lemma).includes(wanted) ? 1 : 9) : fold(said).includes(wanted) ? 2 : 9;
    return (self.jiaokanGlosses || []).map((each) => ({ each, rank: rank(each) })).filter((found) => found.rank < 9).sort((a, b) => a.rank - b.rank).map((found) => found.each);
  };
  const gloss = ([page, id, who, , said]) => {
    const place = id.split(".").slice(1).join(".").replace(/\.n\d.*$/, "");
    return row(make("a", { href: `${location.pathname.endsWith(`/${page}.html`) ? "" : `${page}.html`}#${id}`, textContent: `${who} ${place}` }), said);
  };
  const open = async (/** @type {any} */ found) => {
    await load();
    const { word, range } = found, all = glosses(word);
    const body = [make("span", { className: "says" }, word), make("dl", { className: "word" }, ...[...new Set(word)].flatMap(graph))];
    if (all.length) body.push(make("p", { className: "explained", lang: document.documentElement.lang }, `${words.glosses} ${all.length}`), make("dl", { className: "word" }, ...all.slice(0, LISTED).flatMap(gloss)));
    body.push(make("p", { lang: document.documentElement.lang }, make("a", { href: to("search", { q: word, in: words.folder }), textContent: `${words.search} ${word}` })));
    self.jiaokan.present(range, document.activeElement, word, body, [word, ...all.slice(0, LISTED).map(([, id, who, , said]) => `${who}（${id}）：${said}`)].join("\n"));
  };

  // --- A button at the end of what is selected, and a key ---------------------------------------------------------
  const door = make("button", { id: "door", type: "button", textContent: words.word });
  let later = 0;
  const offer = () => {
    const found = chosen(), box = found && [...found.range.getClientRects()].at(-1);
    if (!box) { door.remove(); return; }
    door.onclick = () => { door.remove(); open(found); };
    document.body.append(door);
    door.style.left = `${Math.min(box.right + scrollX + 4, scrollX + document.documentElement.clientWidth - door.offsetWidth - 8)}px`;
    door.style.top = `${box.bottom + scrollY + 4}px`;
  };
  door.addEventListener("pointerdown", (event) => event.preventDefault());  // what is selected stays so
  document.addEventListener("selectionchange", () => { clearTimeout(later); later = setTimeout(offer, 250); });
  document.addEventListener("keydown", (event) => {
    if (event.key !== "w" || event.ctrlKey || event.metaKey || event.altKey || event.target.closest?.("input, select, textarea, dialog")) return;
    const found = chosen();
    if (found) { event.preventDefault(); door.remove(); open(found); }
  });
})();
