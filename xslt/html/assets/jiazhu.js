// 夹注: comments as double small lines in the line. Each line of the text takes as much of a comment as it has room for;
// half of that stands in the first small line, half in the second, and they are read so. The text itself stays below, hidden.
"use strict";
(() => {
  const main = document.getElementById("text"), form = document.getElementById("view");
  const apart = ".in, .m, .more, del, .attribution, .attribution + .pc";
  // The source's own marks, or the editor's: those that are not shown take no room.
  const unseen = () => (form.querySelector("#points-none")?.checked ? ", .pc" : ", .aside");
  const make = (name, ...children) => self.jiaokan.make("span", { className: name }, ...children);
  const wanted = () => form.querySelector("#place-inline")?.checked && form.querySelector("#layer-all")?.checked && !main.classList.contains("parallel");

  // The graphs of a comment, each with where it stands; a mark after the words that name the speaker goes with these.
  const cells = (text) => {
    const out = apart + unseen();
    const found = [], walker = document.createTreeWalker(text, NodeFilter.SHOW_TEXT, ({ parentElement: e }) => e.closest(out) ? 2 : 1);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      let at = 0;
      for (const graph of node.data) { found.push({ node, at, end: at + graph.length }); at += graph.length; }
    }
    while (found.length && /[，。：；、]/.test(graph(found[0]))) found.shift();
    return found;
  };
  const graph = (cell) => cell.node.data.slice(cell.at, cell.end);
  // A copy of some graphs with the marks round them.
  const copy = (text, graphs) => {
    const range = document.createRange();
    range.setStart(graphs[0].node, graphs[0].at);
    range.setEnd(graphs.at(-1).node, graphs.at(-1).end);
    /** @type {Node} */
    let part = range.cloneContents();
    for (/** @type {any} */ let e = range.commonAncestorContainer; e !== text; e = e.parentNode) if (e.nodeType === 1) {
      const round = /** @type {Element} */ (e.cloneNode(false));
      round.append(part);
      part = round;
    }
    const line = make("", part);
    for (const each of line.querySelectorAll(apart)) each.remove();
    for (const each of line.querySelectorAll("[id]")) {
      if (each.matches(".v")) {
        // A variant opens its entry from here too: by a click on it, or by its number after its last words.
        each.dataset.id = each.id;
        const number = text.querySelector(`.m[href="#e-${CSS.escape(each.id)}"]`), last = cells(document.getElementById(each.id)).at(-1);
        if (number && graphs.some((graph) => graph.node === last?.node && graph.at === last.at)) each.after(number.cloneNode(true));
      }
      each.removeAttribute("id");
    }
    return line;
  };

  const parted = (last, next) => /[〈《【〔（「『“‘[(]/.test(graph(last)) || /[，。、；：！？〉》】〕）」』”’,.;:\])]/.test(graph(next));

  // How many graphs from one on stand in a line with this room, and how many of them in its first small line: all that fit, but no
  // small line begins with a stop or ends with an opening bracket, if up to four graphs fewer avoid it.
  const divide = (graphs, from, room) => {
    const most = Math.min(2 * room, graphs.length - from), whole = from + most === graphs.length;
    for (let take = most; take >= Math.max(2, most - (whole ? 0 : 4)); take--) {
      if (from + take < graphs.length && parted(graphs[from + take - 1], graphs[from + take])) continue;
      const even = Math.ceil(take / 2);
      for (const half of [even, even + 1, even - 1, even + 2])
        if (half > 0 && half <= room && take - half <= room && (half >= take || !parted(graphs[from + half - 1], graphs[from + half]))) return [take, half];
    }
    return [most, Math.ceil(most / 2)];
  };

  const set = (note, frame) => {
    const text = note.querySelector(":scope > p"), graphs = cells(text), run = make("run"), at = make("at");
    text.after(run);
    run.append(at);
    const upright = getComputedStyle(run).writingMode === "vertical-rl";
    const size = parseFloat(getComputedStyle(run).fontSize) / 2, whole = Math.floor(frame.length / size + .01);
    const left = () => {
      const mark = at.getBoundingClientRect();
      return Math.floor((frame.length - (upright ? mark.top - frame.start : mark.left - frame.start)) / size - .25);
    };
    let room = left();
    // A speaker is not left behind at the end of a line.
    if (room < 2 && graphs.length > 2 * room) {
      note.prepend(Object.assign(document.createElement("br"), { className: "turned" }));
      room = left();
    }
    at.remove();
    for (let from = 0; from < graphs.length;) {
      if (room < 1) room = whole;
      const rest = graphs.length - from - 2 * room;
      if (rest > 0 && rest < 3 && room > 3) room--;  // nor is a tail of a graph or two left over
      const [length, half] = divide(graphs, from, room), take = graphs.slice(from, from + length);
      run.append(make("jz", copy(text, take.slice(0, half)), ...(take.length > half ? [copy(text, take.slice(half))] : [])), document.createElement("wbr"));
      from += take.length;
      room = whole;
    }
  };
  // Whether a passage goes on in the paragraph of the one before: all of a section do, but for a text whose paragraphs are its source's.
  const follows = (before, next) => before?.matches(".passage.jing") && next?.matches(main.classList.contains("plain") ? ".passage.jing.join" : ".passage.jing");
  const begin = (passage) => { while (follows(passage.previousElementSibling, passage)) passage = passage.previousElementSibling; return passage; };
  // A paragraph: a passage and those that go on in it. Every paragraph begins a line, so each can be set by itself.
  const paragraph = (first) => {
    const box = first.parentElement, style = getComputedStyle(box), edge = box.getBoundingClientRect();
    const upright = style.writingMode === "vertical-rl";
    const frame = upright
      ? { start: edge.top + parseFloat(style.paddingTop), length: box.clientHeight - parseFloat(style.paddingTop) - parseFloat(style.paddingBottom) }
      : { start: edge.left + parseFloat(style.paddingLeft), length: box.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight) };
    for (let passage = first; passage; passage = follows(passage, passage.nextElementSibling) ? passage.nextElementSibling : null)
      for (const note of passage.querySelectorAll("div.note:not([hidden])")) if (!note.querySelector(":scope > .run")) waiting.push([note, frame]);
  };
  // Notes are set in slices, so that a reader can act between them; the text shows when the first screen is set.
  const SLICE = 6;  // milliseconds: on a slow device the layout of one note takes the rest of 50
  let waiting = [], timer = 0;
  const work = () => {
    timer = 0;
    for (const start = performance.now(); waiting.length && performance.now() - start < SLICE;) {
      const [note, frame] = waiting.shift();
      if (note.isConnected && !note.querySelector(":scope > .run")) set(note, frame);
    }
    if (!waiting.length || !inSight(waiting[0][0])) show();
    if (waiting.length) timer = setTimeout(work);
  };
  const inSight = (note) => {
    const { left, right, top, bottom } = note.getBoundingClientRect();
    return right > 0 && left < innerWidth && bottom > 0 && top < innerHeight;
  };
  const show = () => document.documentElement.classList.remove("laying");

  let watch = null;
  const attend = (part) => { for (const base of part.querySelectorAll(".passage.jing > .base > .jing:first-child")) watch.observe(base); };
  const lay = () => {
    watch?.disconnect();
    waiting = [];
    if (!wanted()) show();
    for (const made of main.querySelectorAll(".run, .turned")) made.remove();
    main.classList.toggle("jiazhu", wanted());
    if (!wanted()) return;
    watch = new IntersectionObserver((seen) => {
      for (const { target, isIntersecting } of seen) if (isIntersecting) { watch.unobserve(target); paragraph(begin(target.closest(".passage"))); }
      timer ||= setTimeout(work);
    }, { rootMargin: "60%", root: form.querySelector("#direction-vertical")?.checked ? main : null });
    attend(main);
    requestAnimationFrame(() => requestAnimationFrame(() => main.dispatchEvent(new Event("laid"))));
  };
  form.addEventListener("change", () => lay());
  main.addEventListener("shown", () => lay());
  main.addEventListener("more", ({ detail: part }) => { if (watch && wanted()) attend(part); });
  let width = innerWidth + innerHeight, later = 0;
  addEventListener("resize", () => {
    if (width === (width = innerWidth + innerHeight)) return;
    clearTimeout(later);
    later = setTimeout(lay, 150);
  });
  // After the other scripts, which add to the page.
  const start = () => document.fonts.ready.then(lay);
  if (document.readyState === "complete") start(); else addEventListener("DOMContentLoaded", start);
  // Another font changes lines only if its graphs have another width.
  const pen = document.createElement("canvas").getContext("2d");
  const advance = () => { pen.font = getComputedStyle(main).font; return pen.measureText("國。一").width; };
  let drawn = advance();
  document.fonts.addEventListener("loadingdone", () => { if (wanted() && drawn !== (drawn = advance())) lay(); });
})();
