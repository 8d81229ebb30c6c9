// ?at=12.4#id: the four characters after the twelfth of that unit or note are marked, and shown.
"use strict";
(() => {
  const at = /^(\d+)\.(\d+)$/.exec(new URLSearchParams(location.search).get("at") || "");
  const target = at && !new URLSearchParams(location.search).get("w") && self.jiaokan.target();
  if (!target || !self.Highlight) return;
  // The words that the search knows: of a note its own, of base text all that goes on after the unit, without notes.
  const apart = ".ref, .leafpage, .m, .move, .who, .in, .more, del, .juan, .figure, .punct, .pc, .bracket, .given, .apparatus, .moves, .quoted";
  const own = target.closest(".note"), space = "\u3000";
  const walker = document.createTreeWalker(document.getElementById("text"), NodeFilter.SHOW_TEXT, ({ parentElement: e }) =>
    !e.closest(apart) && e.closest(".note") === own && (own || e.closest("p.jing, .trailer, h1, h2")) ? 1 : 2);
  walker.currentNode = target;
  let from = Number(at[1]), size = Number(at[2]);
  const ranges = [];
  for (let node = walker.nextNode(); node && size > 0; node = walker.nextNode()) {
    let start = -1, end = 0;
    for (let n = 0; n < node.data.length && size > 0; n++) {
      if (node.data[n] === space) continue;
      if (from > 0) { from--; continue; }
      if (start < 0) start = n;
      end = n + 1;
      size--;
    }
    if (start >= 0) {
      const range = document.createRange();
      range.setStart(node, start);
      range.setEnd(node, end);
      ranges.push(range);
    }
  }
  if (!ranges.length) return;
  CSS.highlights.set("found", new Highlight(...ranges));
  requestAnimationFrame(() => ranges[0].startContainer.parentElement.scrollIntoView({ block: "center", inline: "center" }));
})();
