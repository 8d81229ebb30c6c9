// What the address of a chapter's page names, whatever stands in it; and the characters of a unit or note as the text counts them.
"use strict";
(() => {
  // The id that the hash names; one that is no well-formed address names nothing.
  const named = () => { try { return decodeURIComponent(location.hash.slice(1)); } catch { return ""; } };
  const target = () => named() ? document.getElementById(named()) : null;
  // What a page adds to the words of a unit or note, and the notes in it.
  const added = ".ref, .m, .move, .who, .in, .more, del, small.juan, small.figure, .punct, .bracket, .space, .at, .run";
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
  self.jiaokan = { named, target, added, cells };
})();
