// The first page of a library: texts are found as one types, by title or author, in any graphs or in pinyin. The list of all is fetched
// when it is asked for, and no more rows are made than one looks at.
"use strict";
(() => {
  const form = document.getElementById("find"), list = document.getElementById("found"), told = document.getElementById("told"), ROWS = 100;
  const { make, script } = self.jiaokan;
  document.documentElement.classList.add("js");
  const latin = (text) => text.toLowerCase().normalize("NFD").replaceAll("u\u0308", "v").replace(/[\p{M}\s'’-]/gu, "");
  let rows = null, turn = 0;
  const read = async () => {
    await Promise.all(["fold", "index"].map((name) => script(`assets/${name}.js`)));
    const forms = new Map(), names = self.jiaokanNames || {};
    for (const family of (self.jiaokanFold || "").split(" ")) for (const graph of family) forms.set(graph, [...family][0]);
    const fold = (text) => Array.from(text.toLowerCase(), (graph) => forms.get(graph) || graph).join("").replace(/\s/g, "");
    return { fold, texts: (self.jiaokanTexts || []).map((row) => ({ row, words: fold(`${row[1]}\n${row[5].join("\n")}`), spelled: [row[1], ...row[5]].map((name) => latin(names[name] || "")).join("\n") })) };
  };
  const view = new URLSearchParams(location.search);
  const line = ([folder, title, section, , , authors]) => make("li", {}, make("a", { href: `${folder}/index.html`, textContent: title, lang: "lzh" }),
    make("span", { className: "by", textContent: authors.join("、") }), make("span", { className: "count", textContent: section }));
  const show = (found, from) => {
    list.append(...found.slice(from, from + ROWS).map(({ row }) => line(row)));
    if (found.length <= from + ROWS) return;
    const button = make("button", { type: "button", textContent: `${form.dataset.more} ${found.length - from - ROWS}` }), item = make("li", { className: "more" }, button);
    button.addEventListener("click", () => { item.remove(); show(found, from + ROWS); });
    list.append(item);
  };
  const find = async () => {
    const mine = ++turn, typed = form.t.value.trim();
    if (typed) view.set("t", typed); else view.delete("t");
    self.jiaokan.keep(view);
    if (!typed) { list.replaceChildren(); told.textContent = ""; return; }
    if (!rows) told.textContent = form.dataset.loading;
    const { fold, texts } = await (rows ||= read());
    if (mine !== turn) return;
    const wanted = fold(typed), letters = /^[\p{Script=Latin}\p{M}\s'’-]+$/u.test(typed) ? latin(typed) : "";
    const found = texts.filter(({ words, spelled }) => words.includes(wanted) || letters && spelled.includes(letters));
    list.replaceChildren();
    told.textContent = found.length ? String(found.length) : form.dataset.none;
    show(found, 0);
  };
  form.addEventListener("submit", (event) => { event.preventDefault(); find(); });
  form.t.addEventListener("input", find);
  form.t.value = view.get("t") || "";
  if (form.t.value) find();
})();
