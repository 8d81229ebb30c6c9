// The page: texts in, entries out. The program runs in a worker, so that the page stays alive while it works.
const form = document.querySelector("form");
const witnesses = document.querySelector("#witnesses");
const status = document.querySelector("#status");
const result = document.querySelector("#result");
const findings = document.querySelector("#findings");
const button = document.querySelector("#collate");
const save = document.querySelector("#save");
const words = document.body.dataset;
const MOST = 200_000; // characters: 2 × 100,000 took 24 s of Node on a busy machine (論語 with changes by chance)
const EXAMPLE = [["集解", "子曰：學而時習之，不亦說乎？有朋自遠方來，不亦樂乎？人不知而不慍，不亦君子乎？"],
                 ["義疏", "子曰：學而時習之，不亦悅乎？有朋自遠方來，不亦樂乎？人不知而不慍，不亦君子乎？"]];
const files = new WeakMap(); // the bytes of a dropped file, until its text is edited: the program finds the encoding

function addWitness() {
  const box = witnesses.firstElementChild.cloneNode(true);
  box.querySelector("input").value = String.fromCharCode(65 + witnesses.children.length);
  box.querySelector("textarea").value = "";
  witnesses.append(box);
  listen(box);
  return box;
}

function listen(box) {
  box.addEventListener("dragover", (event) => { event.preventDefault(); box.classList.add("over"); });
  box.addEventListener("dragleave", () => box.classList.remove("over"));
  box.addEventListener("drop", (event) => {
    event.preventDefault();
    box.classList.remove("over");
    let at = box;
    for (const file of event.dataTransfer.files) {
      take(at, file);
      at = at.nextElementSibling ?? addWitness();
    }
  });
  box.querySelector("textarea").addEventListener("input", (event) => files.delete(event.target));
}

async function take(box, file) {
  const data = new Uint8Array(await file.arrayBuffer());
  const area = box.querySelector("textarea");
  area.value = new TextDecoder().decode(data);
  files.set(area, data);
  box.querySelector("input").value = file.name.replace(/\.[^.]*$/, "");
}

function texts() {
  return [...witnesses.children].map((box) => {
    const area = box.querySelector("textarea");
    return [box.querySelector("input").value, files.get(area) ?? new TextEncoder().encode(area.value), area.value];
  }).filter(([, , text]) => text.trim());
}

function show(answer) {
  findings.replaceChildren(...(answer.findings ?? []).map((words) => cell("li", words)));
  save.hidden = !answer.text;
  status.textContent = answer.error ?? answer.fault ?? words.ready;
  status.classList.toggle("error", Boolean(answer.error ?? answer.fault));
  result.replaceChildren();
  if (!answer.text) return;
  const kind = form.elements.form.value;
  save.href = URL.createObjectURL(new Blob([answer.text], {type: "text/plain"}));
  save.download = `jiaokan.${{csv: "csv", nexus: "nex"}[kind] ?? "txt"}`;
  result.append(kind === "csv" ? tableOf(answer.rows) : cell("pre", answer.text));
  if (answer.rows.length < 2) status.textContent = words.same;
}

function tableOf([heads, ...rows]) {
  const table = document.createElement("table");
  const used = heads.map((_, column) => rows.some((row) => row[column]));
  for (const [tag, row] of [["th", heads], ...rows.map((row) => ["td", row])]) {
    const line = table.insertRow();
    line.append(...row.filter((_, column) => used[column]).map((text) => cell(tag, text)));
  }
  return table;
}

function cell(tag, text) {
  const element = document.createElement(tag);
  element.textContent = text;
  return element;
}

listen(witnesses.firstElementChild);
addWitness();
document.querySelector("#add").addEventListener("click", addWitness);
document.querySelector("#example").addEventListener("click", () => {
  EXAMPLE.forEach(([siglum, text], n) => {
    const box = witnesses.children[n] ?? addWitness();
    box.querySelector("input").value = siglum;
    box.querySelector("textarea").value = text;
    files.delete(box.querySelector("textarea"));
  });
});

const worker = new Worker("worker.js", {type: "module"});
worker.addEventListener("message", ({data}) => {
  button.disabled = Boolean(data.failed);
  if (data.failed) data.fault = `${words.failed} ${data.failed}`;
  if (data.broken) data.fault = `${words.fault} ${data.broken}`;
  show(data);
});
form.addEventListener("submit", (event) => {
  event.preventDefault();
  const given = texts();
  if (given.reduce((sum, [, , text]) => sum + text.length, 0) > MOST) {
    show({error: words.long});
    return;
  }
  button.disabled = true;
  status.textContent = words.working;
  worker.postMessage({texts: given.map(([siglum, data]) => [siglum, data]), form: form.elements.form.value,
                      level: form.elements.level.value, language: document.documentElement.lang.slice(0, 2)});
});
navigator.serviceWorker?.register("offline.js");
