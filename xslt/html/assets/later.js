// What comes after the first screens is text in the page until a reader goes on (noscript: without scripts they are elements at once).
// Then they are made into elements, the nearest first; all of them for what needs the whole page: finding in it, printing, copying.
"use strict";
(() => {
  const main = document.getElementById("text"), waiting = new Set(main.querySelectorAll("noscript.later")), made = new WeakMap();
  // Make elements of a section or part; the other scripts are told what is new ("more").
  const put = (later) => {
    const part = later.parentElement;
    waiting.delete(later);
    const nodes = [...new DOMParser().parseFromString(later.textContent, "text/html").body.childNodes];
    made.set(part, nodes);
    part.replaceChildren(...nodes);
    main.dispatchEvent(new CustomEvent("more", { detail: part }));
    if (part.matches(".part")) part.replaceWith(...part.childNodes);  // passages of a section that is there already
  };
  // The nodes of a section or part that waited, which are made if they are not.
  const open = (part) => {
    const later = part.querySelector(":scope > noscript.later");
    if (later) put(later);
    return made.get(part) || [...part.childNodes];
  };
  // Make all that wait; whether there were any.
  const all = () => { const some = waiting.size > 0; for (const later of waiting) put(later); return some; };
  // Make the section in which something stands: an id, or another attribute.
  const near = (/** @type {string} */ value, name = "id") => {
    const said = ` ${name}="${value.replaceAll("&", "&amp;").replaceAll('"', "&quot;")}"`;
    const later = [...waiting].find((each) => each.textContent.includes(said));
    if (later) put(later);
    return Boolean(later);
  };
  Object.assign(self.jiaokan, { all, near, open });
  // What a browser finds and selects, it finds in elements; and so it prints.
  addEventListener("beforeprint", () => { self.jiaokan.all(); });
  addEventListener("keydown", ({ key, ctrlKey, metaKey }) => { if (key === "F3" || ((ctrlKey || metaKey) && /^[afg]$/i.test(key))) self.jiaokan.all(); }, true);
  if (!waiting.size) return;

  const seen = new IntersectionObserver((found) => {
    for (const { target, isIntersecting } of found) {
      const later = target.firstElementChild;
      if (isIntersecting && waiting.has(later)) put(later);
      if (!waiting.has(later)) seen.unobserve(target);
    }
  }, { rootMargin: "25%" });
  for (const later of waiting) seen.observe(later.parentElement);

  // --- Once a reader does anything, the rest is made bit by bit ----------------------------------------------------
  const kinds = ["scroll", "wheel", "touchstart", "pointerdown", "keydown", "blur"];
  const idle = (/** @type {any} */ step) => self.requestIdleCallback ? requestIdleCallback(step, { timeout: 500 })
    : setTimeout(() => step({ timeRemaining: () => 0 }), 50);
  const distance = (later) => { const { top, left } = later.parentElement.getBoundingClientRect(); return Math.abs(top) + Math.abs(left); };
  const step = (/** @type {any} */ deadline) => {
    const order = [...waiting].filter((later) => later.isConnected).sort((a, b) => distance(a) - distance(b));
    do { const next = order.shift(); if (next) put(next); } while (order.length && deadline.timeRemaining() > 20);
    if (order.length) idle(step); else if (waiting.size) main.addEventListener("shown", () => idle(step), { once: true });
  };
  const start = () => {
    for (const kind of kinds) removeEventListener(kind, start, true);
    idle(step);
  };
  for (const kind of kinds) addEventListener(kind, start, { capture: true, passive: true });
})();
