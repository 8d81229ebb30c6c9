// ?at=12.4#id: the four characters after the twelfth of that unit or note are marked, and shown; and where a selection is, so said.
"use strict";
(() => {
  // The words that the search knows: of a note its own, of base text all that goes on after the unit, without notes.
  const apart = ".ref, .leafpage, .m, .move, .who, .in, .more, del, .juan, .figure, .punct, .pc, .bracket, .given, .apparatus, .moves, .quoted, .legend";
  const space = "\u3000", main = document.getElementById("text");
  const words = (target) => {
    const own = target.closest(".note");
    const walker = document.createTreeWalker(main, NodeFilter.SHOW_TEXT, ({ parentElement: e }) =>
      !e.closest(apart) && e.closest(".note") === own && (own || e.closest("p.jing, .trailer, h1, h2")) ? 1 : 2);
    walker.currentNode = target;
    return walker;
  };
  // The ranges of `size` characters after `from` of a unit or note, one for each text node.
  const ranges = (target, from, size) => {
    const found = [], walker = words(target);
    for (let node = walker.nextNode(); node && size > 0; node = walker.nextNode()) {
      const { data } = /** @type {Text} */ (node);
      let start = -1, end = 0;
      for (let n = 0; n < data.length && size > 0; n++) {
        if (data[n] === space) continue;
        if (from > 0) { from--; continue; }
        if (start < 0) start = n;
        end = n + 1;
        size--;
      }
      if (start >= 0) {
        const range = document.createRange();
        range.setStart(node, start);
        range.setEnd(node, end);
        found.push(range);
      }
    }
    return found;
  };
  // The unit or note in which the words of a range begin, and how many characters they are after how many of it.
  const position = (range) => {
    const owners = [...main.querySelectorAll("p.jing[id], .note[id]")].filter((each) => range.intersectsNode(each));
    for (const owner of owners) {
      let from = 0, size = 0, own = 0;  // characters of the unit or note itself
      const walker = words(owner);
      for (let node = walker.nextNode(), past = false; node && (!past || owner.contains(node)); node = walker.nextNode()) {
        const { data } = /** @type {Text} */ (node);
        for (let n = 0; n < data.length && (!past || owner.contains(node)); n++) {
          if (data[n] === space) continue;
          if (owner.contains(node)) own++;
          const after = range.comparePoint(node, n), ends = range.comparePoint(node, n + 1);
          if (after < 0) from++; else if (past || after > 0 || ends > 0) past = true; else size++;
        }
        if (!size && !owner.contains(node)) past = true;
      }
      if (size) return { id: owner.id, at: from === 0 && size === own ? "" : `${from}.${size}` };
    }
    return null;
  };
  Object.assign(self.jiaokan, { ranges, position });

  const at = /^(\d+)\.(\d+)$/.exec(new URLSearchParams(location.search).get("at") || "");
  const target = at && !new URLSearchParams(location.search).get("w") && self.jiaokan.target();
  if (!target || !self.Highlight) return;
  const found = ranges(target, Number(at[1]), Number(at[2]));
  if (!found.length) return;
  CSS.highlights.set("found", new Highlight(...found));
  requestAnimationFrame(() => found[0].startContainer.parentElement.scrollIntoView({ block: "center", inline: "center" }));
})();
