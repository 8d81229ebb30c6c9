// The interface in another language (?lang=en): its own words are exchanged, the texts never. Loaded before all other scripts.
"use strict";
(() => {
  // For all scripts: an element; and the view of a page in its address, where that may be changed.
  const make = (tag, props, ...children) => { const e = Object.assign(document.createElement(tag), props); e.append(...children); return e; };
  const keep = (/** @type {URLSearchParams} */ view, /** @type {"replaceState" | "pushState"} */ how = "replaceState") => {
    const query = view.toString().replaceAll("%2C", ",");
    try { history[how](null, "", (query ? `?${query}` : location.pathname) + location.hash); } catch { /* a page on disk */ }
    return query;
  };
  // What a reader's device keeps: nothing, where nothing can be kept.
  const stored = (/** @type {string} */ key) => { try { return localStorage.getItem(key) || ""; } catch { return ""; } };
  const store = (/** @type {string} */ key, /** @type {string} */ value) => { try { localStorage.setItem(key, value); return true; } catch { return false; } };
  // A script that is loaded now: whether it could be; it has run, and what it left is to be taken, before another runs.
  const script = (/** @type {string} */ src, taken = () => true) => new Promise((resolve) => {
    document.head.append(make("script", { src, onload: () => resolve(taken()), onerror: () => resolve(null) }));
  });
  // A sentence that a script puts together, with the marks of the page's text.
  const western = { "，": ", ", "；": "; ", "：": ": ", "、": ", ", "（": " (", "）": ")", "《": " ", "》": "" };
  const marked = (/** @type {string} */ text) => document.documentElement.hasAttribute("data-letters") ? text.replace(/[，；：、（）《》]/g, (mark) => western[mark]) : text;
  self.jiaokan = { make, keep, script, marked, stored, store };
  // A character that our font lacks is shown where a font of the reader has it: it is drawn otherwise than one that no font can have.
  const drawings = new Map(), pen = make("canvas", { width: 40, height: 40 }).getContext("2d", { willReadFrequently: true });
  const drawing = (/** @type {string} */ sign) => {
    if (drawings.has(sign)) return drawings.get(sign);
    pen.font = `32px ${getComputedStyle(document.documentElement).getPropertyValue("--rare")}, serif`;
    pen.clearRect(0, 0, 40, 40);
    pen.fillText(sign, 0, 32);
    return drawings.set(sign, pen.canvas.toDataURL()).get(sign);
  };
  const uncover = (/** @type {ParentNode} */ part) => { for (const rare of part.querySelectorAll(".rare:not(.seen)")) if (drawing(rare.textContent) !== drawing("\u{2FFFF}")) rare.classList.add("seen"); };
  uncover(document);
  new MutationObserver((rows) => { for (const row of rows) for (const node of row.addedNodes) if (node instanceof Element) uncover(node); }).observe(document.body, { childList: true, subtree: true });
  const languages = self.jiaokanWords || {}, root = document.documentElement;
  // The fonts of all characters, once those with which the page begins are there; before these: of faces with one character the last is used.
  const first = document.querySelector("link[rel=stylesheet]"), paper = document.querySelector("link[href$='assets/paper.css']");
  addEventListener("load", () => document.fonts.ready.then(() => {
    for (const name of ["font-rest", "font"]) if (paper && !first.href.endsWith(`/${name}.css`))
      first.before(make("link", { rel: "stylesheet", href: paper.href.replace("paper", name) }));
  }));
  const view = new URLSearchParams(location.search);
  // Pages of editions in other languages than Chinese speak one of these themselves, those of editions in traditional script are in it.
  const native = !root.lang.startsWith("zh"), own_script = native ? "zh-Hans" : root.lang;
  const others = Object.keys(languages).filter((name) => !name.startsWith("zh")), asked = others.find((name) => name === view.get("lang"));
  const spoken = native ? root.lang : asked || own_script, words = languages[spoken] || {};
  const own = "h2, h3, legend, button, summary, label, .legend, .from, .absent, .class, .turn small, .reading, .explained, nav, .voices, .why small, .why > span > a";

  const chinese = /\p{Script=Han}/u;
  const marks = { "，": ", ", "；": "; ", "：": ": ", "、": ", ", "（": " (", "）": ")" };
  // A word, or several that stand apart by points or numbers: 1,765 字 · 148 条注. A sentence is exchanged as a whole, or not.
  const exchanged = (text) => {
    if (words[text.trim()]) return words[text.trim()];
    const label = /^(.+)：$/.exec(text.trim());
    if (label && words[label[1]]) return `${words[label[1]]}: `;
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
      if (!chinese.test(node.data) || parent.closest(`script, noscript, [data-name]:not(form), abbr:not(.ui), cite, [lang=en]:not(html), [lang=${spoken}]:not(html)`)) continue;
      const text = parent.closest("[lang^=lzh]"), ui = parent.closest(own);
      if ((!text || (ui && text.contains(ui))) && !parent.closest("[translate=no]")) node.data = translated(node.data);
      // What stays Chinese says so.
      if (chinese.test(node.data) && !text && !parent.closest("[lang]:not(html)")) parent.lang = own_script;
      else if (text && ui && text.contains(ui) && !chinese.test(node.data)) parent.lang = spoken;
    }
    for (const each of part.querySelectorAll("[aria-label], [title], [placeholder]"))
      for (const name of ["aria-label", "title", "placeholder"])
        if (each.hasAttribute(name) && !each.closest("abbr:not(.ui), [data-name]:not(form)")) each.setAttribute(name, translated(each.getAttribute(name)));
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
  const THEME = "jiaokan-theme";
  const wanted = ["light", "dark"].find((each) => each === (view.get("theme") || stored(THEME)));
  for (const radio of radios) {
    if (radio.value === wanted) radio.checked = true;
    radio.addEventListener("change", () => store(THEME, radio.value));
  }
  document.dispatchEvent(new Event("chosen"));
  if (!radios.length && wanted) root.dataset.theme = wanted;
  if (!radios.length && bar) {
    const button = make("button", { type: "button", className: "theme", textContent: "◐", ariaLabel: words["theme-next"] || "" });
    const dark = () => (root.dataset.theme || (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light")) === "dark";
    button.addEventListener("click", () => {
      const next = dark() ? "light" : "dark", now = new URLSearchParams(location.search);
      root.dataset.theme = next;
      store(THEME, next);
      now.set("theme", next);
      keep(now);
    });
    bar.append(button);
  }

  // A link to the page in each of the other languages.
  for (const name of native ? [] : [own_script, ...others].filter((each) => each !== spoken && languages[each])) {
    const into = (query) => { if (name === own_script) query.delete("lang"); else query.set("lang", name); return query; };
    const link = make("a", { href: `?${into(new URLSearchParams(view))}${location.hash}`, textContent: languages[name].language, lang: name, className: "language" });
    addEventListener("hashchange", () => { link.hash = location.hash; });
    link.addEventListener("click", () => { link.search = into(new URLSearchParams(location.search)).toString().replaceAll("%2C", ","); });
    bar?.append(link);
  }
  if (native || spoken === own_script) return;
  root.lang = spoken;
  const names = new Set(Array.from(document.querySelectorAll("[data-name]"), (each) => each.dataset.name));
  document.title = document.title.split(" · ").map((part) => (names.has(part) ? part : words[part] ?? part)).join(" · ");
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
