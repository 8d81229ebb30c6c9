// How a place is cited: its lasting address, and the forms of a reference. What the edition is, is said in main's data.
"use strict";
(() => {
  const main = document.getElementById("text"), form = document.getElementById("view");
  // Of an id in a witness's own numbering, which witness.
  const witness = (id) => {
    const name = id.split(".")[0];
    return form.querySelector(`input[name=w][value="${CSS.escape(name)}"]`) ? name : "";
  };
  // Where something lies: on the published site, else on this server, else from the folder of the site on.
  const address = (id, at = "") => {
    const page = location.pathname.split("/").slice(-2).join("/"), view = witness(id) ? `?w=${witness(id)}` : at && `?at=${at}`;
    const base = main.dataset.url ? main.dataset.url.replace(/\/*$/, "/") + page : location.protocol === "file:" ? page : location.origin + location.pathname;
    return `${base}${view}#${id}`;
  };
  const lasting = () => Boolean(main.dataset.url) || location.protocol !== "file:";

  const record = () => JSON.parse(main.dataset.record);
  const people = (names) => names.map((name) => ({ literal: name }));
  const bibtex = ({ id, where, address: url }) => main.dataset.bibtex.replace("KEY", () => id.replace(/^[^.]*\./, ""))
    .replace("REFERENCE", () => where).replace("ADDRESS", () => url);
  const ris = ({ where, address: url, text }) => {
    const { title, authors, editors, publisher, date, version } = record();
    const lines = [["TY", "CHAP"], ["TI", where], ["BT", title], ...authors.map((each) => ["AU", each]), ...editors.map((each) => ["ED", each]),
      ["PB", publisher], ["PY", date.slice(0, 4)], ["DA", `${date.replaceAll("-", "/")}/`], ["ET", version], ["UR", url], ...(text ? [["N1", text.replaceAll("\n", " ")]] : []), ["ER", ""]];
    return lines.map(([key, value]) => `${key}  - ${value}`).join("\r\n") + "\r\n";
  };
  const csl = ({ id, where, address: url, text }) => {
    const { title, authors, editors, publisher, date, version, language } = record();
    const issued = date.split("-").map(Number).filter(Boolean);
    return JSON.stringify([{ id, type: "chapter", title: where, "container-title": title, author: people(authors), editor: people(editors), publisher,
      issued: { "date-parts": [issued] }, version, language, URL: url, ...(text ? { note: text } : {}) }], null, 2);
  };
  const forms = (said) => ({ [form.dataset.text]: `${said.text}${said.text && self.jiaokan.marked("（")}${said.where}${self.jiaokan.marked("，")}${said.address}${said.text && self.jiaokan.marked("）")}`, BibTeX: bibtex(said), RIS: ris(said), "CSL-JSON": csl(said) });
  Object.assign(self.jiaokan, { address, lasting, witness, forms });
})();
