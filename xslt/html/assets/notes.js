// A reader's own notes and bookmarks: written at a selection or at a unit, kept in this browser, exported as Web Annotations
// (https://www.w3.org/TR/annotation-model/). And a link to any selection.
"use strict";
(() => {
  const KEY = "jiaokan-notes", main = document.getElementById("text"), form = document.getElementById("view"), words = form.dataset;
  const { make } = self.jiaokan;
  const load = () => { try { return JSON.parse(self.jiaokan.stored(KEY) || "[]"); } catch { return []; } };
  const store = (all) => self.jiaokan.store(KEY, JSON.stringify(all));
  const page = location.pathname.split("/").slice(-2).join("/");
  // What a note is about: the fragment and its words, which find them again in another version of the text.
  const about = ({ of, at, address, text, where }) => ({ source: address.replace(/[?#].*/, ""), "jiaokan:page": page, "jiaokan:where": where,
    selector: [{ type: "FragmentSelector", value: of, ...(at ? { refinedBy: { type: "TextPositionSelector", start: Number(at.split(".")[0]), end: at.split(".").reduce((sum, number) => sum + Number(number), 0) } } : {}) },
      { type: "TextQuoteSelector", exact: text }] });
  const annotation = (said, value, old) => ({ "@context": ["http://www.w3.org/ns/anno.jsonld", { jiaokan: "urn:jiaokan:" }], id: old?.id || `urn:uuid:${uuid()}`, type: "Annotation",
    motivation: value ? "commenting" : "bookmarking", created: old?.created || new Date().toISOString(), ...(old ? { modified: new Date().toISOString() } : {}),
    ...(value ? { body: { type: "TextualBody", value, format: "text/plain" } } : {}), target: old?.target || about(said) });
  const uuid = () => self.crypto.randomUUID?.() || [...self.crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("").replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");

  // --- Notes in the text: their words are marked, nothing is added to it ---------------------------------------------
  const here = () => load().filter((note) => note.target["jiaokan:page"] === page);
  const draw = () => {
    if (!self.Highlight || main.matches(".one, .parallel")) { CSS.highlights?.delete("noted"); return; }
    const ranges = here().flatMap(({ target: { selector: [fragment, quote] } }) => {
      const owner = document.getElementById(fragment.value), place = fragment.refinedBy;
      return owner ? self.jiaokan.ranges(owner, place?.start || 0, place ? place.end - place.start : quote.exact.length || 1) : [];
    });
    CSS.highlights.set("noted", new Highlight(...ranges));
  };
  for (const kind of ["shown", "more"]) main.addEventListener(kind, () => { if (here().length) draw(); });
  draw();

  // --- Writing one --------------------------------------------------------------------------------------------------
  const write = (said, old) => {
    const text = make("textarea", { rows: 4, value: old?.body?.value || "" }), save = make("button", { textContent: words.save });
    text.setAttribute("aria-label", words.note);
    const field = make("form", { method: "dialog" }, make("p", { className: "says", lang: main.lang, textContent: said.text.slice(0, 60) }), make("p", { className: "explained", textContent: said.where }), text,
      make("p", { className: "explained", textContent: words.notesHow }), make("p", { className: "tools" }, save, make("button", { type: "button", textContent: words.close })));
    const dialog = show(words.note, field);
    field.addEventListener("submit", () => {
      const rest = load().filter((note) => note.id !== old?.id);
      store([...rest, annotation(said, text.value.trim(), old)]);
      draw();
    });
    field.querySelector("[type=button]").addEventListener("click", () => dialog.close());
    text.focus();
  };
  const show = (label, ...body) => {
    document.getElementById("own-notes")?.remove();
    const dialog = make("dialog", { id: "own-notes", lang: document.documentElement.lang }, ...body);
    dialog.setAttribute("aria-label", label);
    dialog.addEventListener("close", () => dialog.remove());
    document.body.append(dialog);
    dialog.showModal();
    return dialog;
  };

  // --- All of this site, and their export ------------------------------------------------------------------------------
  const item = (saved) => {
    const { target } = saved, [fragment, quote] = target.selector, place = fragment.refinedBy;
    const link = make("a", { href: `../${target["jiaokan:page"]}${place ? `?at=${place.start}.${place.end - place.start}` : ""}#${fragment.value}`, textContent: target["jiaokan:where"] });
    const remove = make("button", { type: "button", textContent: words.remove }), edit = make("button", { type: "button", textContent: words.note });
    remove.addEventListener("click", () => { store(load().filter((other) => other.id !== saved.id)); draw(); list(); });
    edit.addEventListener("click", () => write({ text: quote.exact, where: target["jiaokan:where"] }, saved));
    return make("li", {}, link, make("q", { lang: main.lang, textContent: quote.exact.slice(0, 40) }), make("p", { textContent: saved.body?.value || "" }), edit, remove);
  };
  const list = () => {
    const shut = make("button", { type: "button", textContent: words.close }), out = make("a", { download: "notes.jsonld", textContent: words.exportNotes });
    const all = load(), collection = { "@context": "http://www.w3.org/ns/anno.jsonld", type: "AnnotationPage", items: all };
    out.href = URL.createObjectURL(new Blob([JSON.stringify(collection, null, 2)], { type: "application/ld+json" }));
    const dialog = show(words.notesOwn, make("h2", { textContent: words.notesOwn }), make("p", { className: "explained", textContent: words.notesHow }), make("ul", {}, ...all.map(item)),
      make("p", { className: "tools" }, ...(all.length ? [out] : []), shut));
    dialog.addEventListener("close", () => URL.revokeObjectURL(out.href));
    shut.addEventListener("click", () => dialog.close());
  };
  const all = make("button", { type: "button", className: "own-notes", textContent: words.notesOwn });
  all.addEventListener("click", list);
  form.querySelector(".type")?.before(all);

  // --- Buttons at a selection, and on the card of a unit ---------------------------------------------------------------
  const link = make("button", { type: "button", textContent: words.link }), note = make("button", { type: "button", textContent: words.note });
  const pick = make("div", { id: "pick" }, link, note);
  let later = 0;
  const offer = () => {
    const range = self.jiaokan.chosen(), said = range && main.contains(range.commonAncestorContainer) && self.jiaokan.said(range);
    const box = said && said.text && [...range.getClientRects()].at(-1);
    if (!box) { pick.remove(); return; }
    link.textContent = words.link;
    link.onclick = async () => { await self.jiaokan.put(said.address); link.textContent = words.copied; };
    note.onclick = () => { pick.remove(); write(said); };
    document.body.append(pick);
    const door = document.getElementById("door"), right = scrollX + document.documentElement.clientWidth - pick.offsetWidth - 8;
    pick.style.left = `${Math.min(door ? door.offsetLeft + door.offsetWidth + 4 : box.right + scrollX + 4, right)}px`;
    pick.style.top = `${box.bottom + scrollY + (door && door.offsetLeft + door.offsetWidth + 4 > right ? 40 : 4)}px`;
  };
  pick.addEventListener("pointerdown", (event) => event.preventDefault());  // what is selected stays so
  document.addEventListener("selectionchange", () => { clearTimeout(later); later = setTimeout(offer, 300); });
  main.addEventListener("cited", ({ detail: { id, reference, address, sheet } }) => {
    const button = make("button", { type: "button", textContent: words.note }), owner = document.getElementById(id);
    if (!owner?.matches("p.jing, .note")) return;
    button.addEventListener("click", () => write({ of: id, at: "", address, where: reference, text: self.jiaokan.cells(owner).map(({ node, at, end }) => node.data.slice(at, end)).join("") }));
    sheet.querySelector(".tools").prepend(button);
  });
})();
