// What the address of a chapter's page names, whatever stands in it; and the characters of a unit or note as the text counts them.
"use strict";
(() => {
  // The id that the hash names; one that is no well-formed address names nothing.
  const named = () => { try { return decodeURIComponent(location.hash.slice(1)); } catch { return ""; } };
  // What is cited otherwise than by its id is found by its reference too (#1.4).
  const here = (name, reference) => document.getElementById(name) || document.querySelector(`[data-ref="${CSS.escape(reference)}"]`);
  const target = () => {
    const name = named(), reference = name.replace(/^[^:]*:/, "");
    if (!name) return null;
    const found = here(name, reference);
    if (found || !(self.jiaokan.near(name) || self.jiaokan.near(reference, "data-ref"))) return found;
    location.replace(location.hash);  // what is made after the page has gone there is no :target yet
    return here(name, reference);
  };
  // Go to a place and stay there while what is above it gets its size; a reader who goes on is let go.
  let going = null;
  const stop = () => { going = null; };
  for (const kind of ["wheel", "touchstart", "pointerdown", "keydown"]) addEventListener(kind, stop, { capture: true, passive: true });
  const arrive = (/** @type {any} */ place, /** @type {any} */ how = { block: "start" }) => {
    const seen = () => place.checkVisibility() ? place : place.closest(".note") || place;  // of 夹注 the words are drawn elsewhere in it
    const own = going = {}, top = () => { const box = seen().getBoundingClientRect(); return Math.round(box.top) + 10000 * Math.round(box.left); };
    let still = 0, last = NaN;
    const step = (left) => {
      if (going !== own || !place.isConnected) return;
      seen().scrollIntoView(how);  // each time: in a section that is not laid out yet the first has no margin
      if (top() === last) still++; else { still = 0; last = top(); }
      if (still < 6 && left) requestAnimationFrame(() => step(left - 1));
    };
    step(90);
  };
  const go = () => { const place = target(); if (place && !new URLSearchParams(location.search).get("w")) arrive(place); };
  addEventListener("load", go);
  addEventListener("hashchange", go);
  // The canonical reference of an id: lunyu.1.4.2 → lunyu:1.4, as the page has it.
  const reference = (id) => {
    const said = document.getElementById(id)?.dataset.ref;
    return said ? `${id.split(".")[0]}:${said}` : id.replace(".", ":");
  };
  // What a page adds to the words of a unit or note, and the notes in it.
  const added = ".ref, .leafpage, .m, .move, .who, .in, .more, del, small.juan, small.figure, .of, .punct, .pc, .bracket, .space, .at, .run";
  // Each character of a unit or note, and where in the page it stands.
  const cells = (owner) => {
    const found = [], walker = document.createTreeWalker(owner, NodeFilter.SHOW_TEXT, ({ parentElement: e }) =>
      e.closest(added) || (e.closest(".note, p.jing") || owner) !== owner ? 2 : 1);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      let at = 0;
      for (const graph of /** @type {Text} */ (node).data) { found.push({ node, at, end: at + graph.length }); at += graph.length; }
    }
    return found;
  };
  Object.assign(self.jiaokan, { named, target, reference, added, cells, arrive });
})();
