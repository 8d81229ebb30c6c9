// The first page of the desk: open an edition, or drop files, look at how they are read, correct it by example, and make one.
"use strict";
(() => {
  const { language, words } = self.jiaokanDesk.speak(...navigator.languages), { secret } = document.getElementById("start").dataset;
  document.documentElement.lang = language === "zh" ? "zh-Hans" : language;
  const say = (key, n = "") => words[`start-${key}`].replace("{n}", String(n)), status = document.getElementById("status"), form = document.getElementById("found");
  const make = (tag, props = {}, ...children) => { const e = Object.assign(document.createElement(tag), props); e.append(...children); return e; };
  for (const each of document.querySelectorAll("[data-say]")) each.textContent = say(each.dataset.say);
  if (!document.querySelector("#known li")) document.getElementById("known").hidden = true;
  const tell = (said, wrong = false) => { status.textContent = said; status.className = wrong ? "wrong" : ""; };

  const post = async (name, body, query = {}) => {
    const type = body instanceof Blob ? "application/octet-stream" : "application/json";
    try {
      const answer = await fetch(`/.desk/api/${name}?${new URLSearchParams({ ...query, lang: language })}`, { method: "POST", headers: { "content-type": type, "x-jiaokan-desk": secret }, body: body instanceof Blob ? body : JSON.stringify(body) });
      const said = (answer.headers.get("content-type") || "").includes("json") ? await answer.json() : { error: await answer.text() };
      if (answer.ok) return said;
      tell(`${said.error}${said.mend ? ` → ${said.mend}` : ""}`, true);
    } catch { tell(say("lost"), true); }
    return null;
  };

  const touched = new Set();
  form.addEventListener("input", (event) => touched.add(event.target.name));
  const field = (name, value, label) => make("label", {}, `${say(label)} `, make("input", { type: "text", name, value }));
  const show = (found, files) => {
    const row = (each) => {
      const cell = (name, value, label) => { const e = make("input", { type: "text", name: `${each.id}/${name}`, value }); e.setAttribute("aria-label", `${each.file} ${say(label)}`); return make("td", {}, e); };
      const base = make("input", { type: "radio", name: "base", value: each.id, checked: each.id === found.base });
      base.setAttribute("aria-label", `${each.file} ${say("base")}`);
      return make("tr", {}, make("td", { textContent: each.file }), cell("siglum", each.siglum, "siglum"), cell("title", each.title, "book"), each.notes ? cell("person", each.person, "person") : make("td"), ...(found.base ? [make("td", {}, base)] : []));
    };
    const heads = ["file", "siglum", "book", "person", ...(found.base ? ["base"] : [])];
    const typed = new Map(form.hidden ? [] : [...new FormData(form)]);
    const name = (files[0].name.replace(/\.[^.]*$/, "").toLowerCase().match(/[a-z][a-z0-9-]*/) || ["edition"])[0];
    form.replaceChildren(
      make("p", {}, field("title", found.title, "title")), make("p", {}, field("name", name, "folder")),
      make("table", {}, make("thead", {}, make("tr", {}, ...heads.map((each) => make("th", { textContent: say(each), scope: "col" })))), make("tbody", {}, ...found.sources.map(row))),
      make("details", {}, make("summary", { textContent: say("report") }), make("pre", { textContent: found.report.join("\n"), tabIndex: 0 })),
      make("p", {}, make("button", { className: "main", textContent: say("make") })));
    for (const [key, value] of typed) if (touched.has(key)) for (const e of form.elements) if (e.name === key && (e.type !== "radio" || e.value === value)) { if (e.type === "radio") e.checked = true; else e.value = value; }
    form.hidden = false;
    form.onsubmit = async (event) => {
      event.preventDefault();
      tell(say("making"));
      const said = new FormData(form), value = (key) => String(said.get(key) || "");
      const sources = found.sources.map((each) => ({ id: each.id, siglum: value(`${each.id}/siglum`), title: value(`${each.id}/title`), person: value(`${each.id}/person`) }));
      const made = await post("make", { name: value("name"), corrections: { title: value("title"), base: value("base"), sources } });
      if (made) location.href = "/";
    };
  };
  let given = [], fonts = 0;
  const dress = async () => { const font = new FontFace("Jiaokan Text", `url(/.desk/font.woff?${fonts += 1})`); document.fonts.add(await font.load().catch(() => font)); };
  const marks = self.jiaokanMarks(say, async (examples) => {
    tell(say("looking", given.length));
    const found = await post("look", { examples });
    if (!found) return null;
    tell("");
    show(found, given);
    dress();
    return found;
  });

  const take = async (list) => {
    const files = [...list];
    if (!files.length) return;
    form.hidden = document.getElementById("check").hidden = true;
    tell(say("looking", files.length));
    for (const [n, each] of files.entries()) if (!await post("receive", each, { name: each.name, first: n ? "" : "yes" })) return;
    const found = await post("look", {});
    if (!found) return;
    tell("");
    given = files;
    show(found, files);
    marks.begin(found);
    dress();
  };
  const drop = document.getElementById("drop"), input = document.getElementById("files");
  input.addEventListener("change", () => take(input.files));
  for (const [name, on] of [["dragover", true], ["dragleave", false], ["drop", false]]) drop.addEventListener(name, (event) => { event.preventDefault(); drop.classList.toggle("over", on); if (name === "drop") take(event.dataTransfer.files); });
  for (const each of document.querySelectorAll("[data-open]")) each.addEventListener("click", async () => { if (await post("open", { name: each.dataset.open })) location.href = "/"; });
})();
