// Reading by keys: one stop of the tabulator in the text, from which letters lead to the next unit, comment and entry.
"use strict";
(() => {
  const main = document.getElementById("text"), form = document.getElementById("view"), list = form.querySelector(".keys");
  const { make } = self.jiaokan;
  const stops = "a, button.more, button.voices, summary";
  // Which letter leads to what, and in which direction.
  const kinds = { j: ["p.jing > a.ref", 1], k: ["p.jing > a.ref", -1], n: [".note > a.who", 1], p: [".note > a.who", -1], e: [":is(p.jing, .note, h1, h2) a.m", 1], r: [":is(p.jing, .note, h1, h2) a.m", -1],
    q: ["a.quote, .quoted summary, .quoted a", 1], Q: ["a.quote, .quoted summary, .quoted a", -1], l: ["a.leafpage", 1], L: ["a.leafpage", -1], v: [".apparatus h3 button", 1], V: [".apparatus h3 button", -1] };
  const seen = (element) => element.checkVisibility({ contentVisibilityAuto: false });

  // --- One stop: what has the focus, else the first unit ------------------------------------------------------------
  let at = null;
  const rove = (to) => {
    if (at) at.tabIndex = -1;
    at = to;
    if (at) at.tabIndex = 0;
  };
  const unstop = (part) => {
    for (const each of part.querySelectorAll(stops)) each.tabIndex = each.matches(".leaf summary, .reading button") ? 0 : -1;
  };
  const gather = () => {
    at = null;
    unstop(main);
    rove(main.querySelector("p.jing > a.ref") || main.querySelector("a"));
  };
  main.addEventListener("focusin", ({ target }) => { if (target.matches(stops) && !target.matches(".leaf summary, .reading button")) rove(target); });
  main.addEventListener("shown", gather);
  main.addEventListener("more", ({ detail: part }) => unstop(part));
  gather();

  // --- What an entry's number is called is what the eye sees of it ---------------------------------------------------
  const level = () => form.querySelector("input[name=level]:checked")?.value || "reading";
  const name = (part = main) => {
    const shown = level();
    for (const mark of part.querySelectorAll(":not(li) > a.m")) {
      const [words = ""] = mark.getAttribute("aria-label").match(/(：|: ).*/) || [];
      mark.setAttribute("aria-label", `${form.dataset.entry} ${mark.dataset[shown] || mark.dataset.all}${words}`);
    }
  };
  form.addEventListener("change", ({ target }) => { if (target.name === "level") name(); });
  main.addEventListener("shown", () => name());
  main.addEventListener("more", ({ detail: part }) => { if (level() !== "reading") name(part); });
  if (level() !== "reading") name();

  // --- Going -----------------------------------------------------------------------------------------------------
  const go = ([selector, step]) => {
    const all = [...main.querySelectorAll(selector)], from = document.activeElement;
    // From what has the focus, else from the first that is in sight.
    const here = main.contains(from) && from !== main ? from : null;
    const side = getComputedStyle(main).writingMode === "vertical-rl";
    const after = (each) => here ? Boolean(here.compareDocumentPosition(each) & 4) : side ? each.getBoundingClientRect().right < innerWidth : each.getBoundingClientRect().top >= 0;
    const found = step > 0 ? all.find((each) => after(each) && seen(each))
      : all.findLast((each) => !after(each) && each !== here && seen(each));
    if (!found) { if (self.jiaokan.all()) go([selector, step]); return; }
    found.focus({ preventScroll: true });
    found.scrollIntoView({ block: "center", inline: "center" });
  };
  const help = () => {
    if (document.getElementById("help")) return;
    self.jiaokan.explain();
    const shut = make("button", { type: "button", textContent: form.dataset.close });
    const dialog = make("dialog", { id: "help", lang: document.documentElement.lang }, ...self.jiaokan.legend(), list.cloneNode(true), shut);
    dialog.setAttribute("aria-label", list.getAttribute("aria-label"));
    shut.addEventListener("click", () => dialog.close());
    dialog.addEventListener("close", () => dialog.remove());
    document.body.append(dialog);
    dialog.showModal();
  };
  const door = make("button", { type: "button", className: "help", textContent: "?" });
  door.setAttribute("aria-label", form.dataset.legend);
  door.addEventListener("click", help);
  document.querySelector(".bar > .controls").before(door);
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest?.("input, select, textarea, dialog")) return;
    const way = kinds[event.key];
    if (way) go(way);
    else if (event.key === "?") help();
    else if (event.key === "s") document.querySelector(".tosearch")?.click();
    else return;
    event.preventDefault();
  });
})();
