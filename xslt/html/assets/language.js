// The interface in English (?lang=en): its own words are exchanged, the texts never. Loaded before all other scripts.
"use strict";
(() => {
  // For all scripts: an element; and the view of a page in its address, where that may be changed.
  const make = (tag, props, ...children) => { const e = Object.assign(document.createElement(tag), props); e.append(...children); return e; };
  const keep = (/** @type {URLSearchParams} */ view, /** @type {"replaceState" | "pushState"} */ how = "replaceState") => {
    const query = view.toString().replaceAll("%2C", ",");
    try { history[how](null, "", (query ? `?${query}` : location.pathname) + location.hash); } catch { /* a page on disk */ }
    return query;
  };
  // A script that is loaded now: whether it could be; it has run, and what it left is to be taken, before another runs.
  const script = (/** @type {string} */ src, taken = () => true) => new Promise((resolve) => {
    document.head.append(make("script", { src, onload: () => resolve(taken()), onerror: () => resolve(null) }));
  });
  self.jiaokan = { make, keep, script };
  const words = self.jiaokanWords || {}, root = document.documentElement;
  // The fonts of all characters, once those with which the page begins are there; before these: of faces with one character the last is used.
  const first = document.querySelector("link[rel=stylesheet]"), paper = document.querySelector("link[href$='assets/paper.css']");
  addEventListener("load", () => document.fonts.ready.then(() => {
    for (const name of ["font-rest", "font"]) if (paper && !first.href.endsWith(`/${name}.css`))
      first.before(make("link", { rel: "stylesheet", href: paper.href.replace("paper", name) }));
  }));
  const view = new URLSearchParams(location.search);
  // Pages of editions in other languages than Chinese speak English themselves, those of editions in traditional script are in it.
  const native = root.lang === "en", own_script = root.lang === "en" ? "zh-Hans" : root.lang, english = native || view.get("lang") === "en";
  const own = "h2, h3, legend, button, summary, label, .from, .absent, .class, .turn small, .reading, .explained, nav, .voices, .why small, .why > span > a";

  const chinese = /\p{Script=Han}/u;
  const marks = { "，": ", ", "；": "; ", "：": ": ", "、": ", ", "（": " (", "）": ")" };
  // A word, or several that stand apart by points or numbers: 1,765 字 · 148 条注. A sentence is exchanged as a whole, or not.
  const exchanged = (text) => {
    if (words[text.trim()]) return words[text.trim()];
    const apart = (by) => text.split(by).map((part) => words[part] ?? part).join("");
    if (!/[，；、]/.test(text) || /^\S*：\s/.test(text)) return apart(/( · |\s+)/);
    const whole = apart(/(\s+|[，；：、（）])/);
    return chinese.test(whole) ? text : whole.replace(/[，；：、（）]/g, (mark) => marks[mark]);
  };
  const translated = (text) => { const made = exchanged(text); return made === text.trim() ? text : made; };
  const exchange = (part) => {
    const walker = document.createTreeWalker(part, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const parent = node.parentElement;
      if (!chinese.test(node.data) || parent.closest("script, noscript, abbr:not(.ui), cite, [lang=en]:not(html)")) continue;
      const text = parent.closest("[lang^=lzh]"), ui = parent.closest(own);
      if (!text || (ui && text.contains(ui))) node.data = translated(node.data);
      // What stays Chinese says so.
      if (chinese.test(node.data) && !text && !parent.closest("[lang]:not(html)")) parent.lang = own_script;
      else if (text && ui && text.contains(ui) && !chinese.test(node.data)) parent.lang = "en";
    }
    for (const each of part.querySelectorAll("[aria-label], [title], [placeholder]"))
      for (const name of ["aria-label", "title", "placeholder"])
        if (each.hasAttribute(name) && !each.closest("abbr:not(.ui)")) each.setAttribute(name, translated(each.getAttribute(name)));
    for (const form of part.querySelectorAll("form, main[data-code]"))
      for (const name of Object.keys(form.dataset)) form.dataset[name] = words[form.dataset[name]] ?? form.dataset[name];
  };

  // What a reader has chosen for all pages goes along to each: language, colour of the paper, script.
  const along = (event) => {
    const a = event.target.closest?.("a[href]");
    if (!a || a.matches(".language, [href^='#']") || a.origin !== location.origin || a.protocol !== location.protocol || !a.pathname.endsWith(".html")) return;
    const now = new URLSearchParams(location.search), query = new URLSearchParams(a.search);
    for (const name of ["lang", "theme", "script"]) if (now.has(name)) query.set(name, now.get(name)); else query.delete(name);
    const next = query.toString().replaceAll("%2C", ",");
    if (next !== a.search.slice(1)) a.search = next;
  };
  for (const kind of ["pointerdown", "focusin", "click"]) document.addEventListener(kind, along, true);

  // Colour of the paper: as the address says, else as was chosen last on any page, else as the device.
  const radios = [...document.querySelectorAll("input[name=theme]")], bar = document.querySelector(".bar");
  const stored = () => { try { return localStorage.getItem("jiaokan-theme") || ""; } catch { return ""; } };
  const store = (theme) => { try { if (theme === "auto") localStorage.removeItem("jiaokan-theme"); else localStorage.setItem("jiaokan-theme", theme); } catch { /* nothing can be kept here */ } };
  const wanted = ["light", "dark"].find((each) => each === (view.get("theme") || stored()));
  for (const radio of radios) {
    if (radio.value === wanted) radio.checked = true;
    radio.addEventListener("change", () => store(radio.value));
  }
  if (!radios.length && wanted) root.dataset.theme = wanted;
  if (!radios.length && bar) {
    const button = Object.assign(document.createElement("button"), { type: "button", className: "theme", textContent: "◐" });
    const dark = () => (root.dataset.theme || (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light")) === "dark";
    button.setAttribute("aria-label", Object.keys(words).length && english ? words["切换配色"] : own_script === "zh-Hant" ? "切換配色" : "切换配色");
    button.addEventListener("click", () => {
      const next = dark() ? "light" : "dark", now = new URLSearchParams(location.search);
      root.dataset.theme = next;
      store(next);
      now.set("theme", next);
      keep(now);
    });
    bar.append(button);
  }

  const other = new URLSearchParams(view);
  if (english) other.delete("lang"); else other.set("lang", "en");
  const link = document.createElement("a");
  Object.assign(link, { href: `?${other}${location.hash}`, textContent: english ? "中文" : "English", lang: english ? own_script : "en", className: "language" });
  addEventListener("hashchange", () => { link.hash = location.hash; });
  link.addEventListener("click", () => { const now = new URLSearchParams(location.search); if (english) now.delete("lang"); else now.set("lang", "en"); link.search = now.toString().replaceAll("%2C", ","); });
  if (!native) bar?.append(link);
  if (!english || native) return;
  root.lang = "en";
  document.title = translated(document.title);
  // Where a page says itself in English what it says in Chinese, that is enough.
  for (const each of document.querySelectorAll(":is(h1, h2) > small[lang=en]")) each.remove();
  exchange(document.body);
  // Names and titles in Latin letters beside the characters.
  const latin = self.jiaokanNames || {};
  for (const each of document.querySelectorAll("[data-name]")) {
    const said = each.dataset.name.split(",").filter(Boolean).map((name) => latin[name]).filter(Boolean);
    if (!said.length) continue;
    const name = document.createElement("span");
    Object.assign(name, { className: "pinyin", lang: "zh-Latn-pinyin", textContent: said.join(", ") });
    each.append(" ", name);
  }
  const spell = (part) => { for (const each of part.querySelectorAll("[data-who]")) if (latin[each.dataset.who]) each.title = `${latin[each.dataset.who]} · ${each.title}`; };
  spell(document);
  document.getElementById("text")?.addEventListener("more", ({ detail: part }) => { exchange(part); spell(part); });
})();
