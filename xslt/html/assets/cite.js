// What the card of a unit or note offers beside its reference: BibTeX, and the commentators side by side.
"use strict";
(() => {
  const main = document.getElementById("text"), form = document.getElementById("view"), words = form.dataset;
  const { make } = self.jiaokan;
  const copied = (button, text) => button.addEventListener("click", async () => {
    try { await navigator.clipboard.writeText(text); button.textContent = words.copied; } catch { /* no clipboard here */ }
  });

  main.addEventListener("cited", ({ detail: { id, reference, address, sheet, entry } }) => {
    const forms = self.jiaokan.forms({ id, where: reference, address, text: "" }), record = forms.BibTeX;
    const button = make("button", { type: "button", textContent: words.copyBibtex });
    copied(button, record);
    const others = ["RIS", "CSL-JSON"].map((name) => { const other = make("button", { type: "button", textContent: name }); copied(other, forms[name]); return other; });
    const copy = make("button", { type: "button", textContent: words.copy });
    copied(copy, `${main.dataset.cite}${reference} ${address}`);
    const said = entry ? [make("p", { className: "explained", textContent: main.dataset.cite + reference }), make("p", { className: "explained address", textContent: address }), copy] : [];
    const details = make("details", {}, make("summary", { textContent: entry ? `${words.cite} ${reference}` : "BibTeX" }), ...said, make("pre", { textContent: record, tabIndex: 0 }), button, ...others);
    sheet.querySelector(".tools").before(details);
    const unit = document.getElementById(id);
    if (!unit?.matches(".jing") || !unit.closest(".passage, .row")?.querySelector(".note")) return;
    const open = make("button", { type: "button", textContent: words.matrix });
    open.addEventListener("click", () => matrix(id));
    sheet.querySelector(".tools").prepend(open);
  });

  // --- The commentary on one unit: a row for each who speaks, a column for each work ------------------------------
  const keep = (id) => {
    const view = new URLSearchParams(location.search);
    if (id) view.set("matrix", id); else view.delete("matrix");
    self.jiaokan.keep(view);
  };
  const said = (note, witness) => {
    const copy = make("div", {}, note.cloneNode(true));
    if (witness) self.jiaokan.become(copy, witness, [""]);
    const text = copy.querySelector("p");
    if (!text) return null;
    for (const each of text.querySelectorAll(".in, .m")) each.remove();
    for (const each of text.querySelectorAll("[id]")) each.removeAttribute("id");
    return text;
  };
  // Works that say the same, one beside the other, share a cell.
  const cells = (note, columns) => {
    const row = [];
    let last = null;
    for (const [witness, name] of columns) {
      const text = said(note, witness);
      if (last !== null && text?.textContent === last) { row.at(-1).colSpan++; row.at(-1).dataset.works += `${self.jiaokan.marked("、")}${name}`; continue; }
      row.push(make("td", { className: text ? "" : "none" }, text || "—"));
      row.at(-1).dataset.works = name;
      last = text ? text.textContent : null;
    }
    return row;
  };
  const matrix = (id) => {
    self.jiaokan.near(id);
    const passage = self.jiaokan.passage?.(id) || document.getElementById(id)?.closest(".passage");
    if (!passage) return;
    const notes = [...passage.querySelectorAll(".notes div.note")];
    const works = new Set(notes.flatMap((note) => (note.dataset.w || "").split(" ")));
    const columns = [...(self.jiaokan.names || [])].filter(([witness]) => works.has(witness));
    if (!columns.length) columns.push(["", ""]);
    const head = make("tr", {}, make("td", {}), ...columns.map(([, name]) => make("th", { scope: "col", textContent: name })));
    const rows = notes.map((note) => make("tr", {}, make("th", { scope: "row", textContent: note.querySelector(".who")?.textContent.trim() || "—", title: note.querySelector(".who")?.title || "" }), ...cells(note, columns)));
    const shut = make("button", { type: "button", textContent: words.close });
    const base = passage.querySelector(".base").cloneNode(true);
    for (const each of base.querySelectorAll(".m, .ref")) each.remove();
    for (const each of base.querySelectorAll("[id]")) each.removeAttribute("id");
    const dialog = make("dialog", { className: "matrix", lang: main.lang, tabIndex: -1 }, make("div", { className: "tools" }, make("b", { textContent: self.jiaokan.reference(id) }), shut), base,
      make("div", { className: "scroll", tabIndex: 0 }, make("table", {}, make("thead", {}, head), make("tbody", {}, ...rows))));
    dialog.setAttribute("aria-label", `${words.matrix} ${self.jiaokan.reference(id)}`);
    dialog.querySelector(".scroll").setAttribute("role", "group");
    dialog.querySelector(".scroll").setAttribute("aria-label", words.matrix);
    shut.addEventListener("click", () => dialog.close());
    dialog.addEventListener("close", () => { dialog.remove(); keep(""); });
    document.body.append(dialog);
    dialog.showModal();
    dialog.focus();
    keep(id);
  };
  const wanted = new URLSearchParams(location.search).get("matrix");
  if (wanted) matrix(wanted);
})();
