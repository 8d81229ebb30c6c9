// The table of all entries, filtered by class, witness, section and words; the filter is kept in the address.
"use strict";
(() => {
  const form = document.getElementById("filter"), told = document.getElementById("told");
  document.documentElement.classList.add("js");
  const rows = [...document.querySelectorAll("tbody tr[data-in]")], bodies = [...document.querySelectorAll("tbody")];
  const names = ["class", "w", "in", "q"];
  const has = (list, one) => !one || list.split(" ").includes(one);
  const filter = () => {
    const [kind, witness, section, words] = names.map((name) => form.elements[name].value.trim());
    let count = 0;
    for (const row of rows) {
      row.hidden = !(has(row.dataset.class, kind) && has(row.dataset.w, witness) && has(row.dataset.in, section) && row.cells[1].textContent.includes(words));
      if (!row.hidden) count++;
    }
    for (const body of bodies) body.hidden = ![...body.rows].some((row) => row.dataset.in && !row.hidden);
    told.textContent = `${form.dataset.some} ${count} / ${rows.length}`;
    const view = new URLSearchParams(location.search);
    for (const name of names) view.delete(name);
    for (const [name, value] of names.map((name) => [name, form.elements[name].value]).filter(([, value]) => value)) view.set(name, value);
    self.jiaokan.keep(view);
  };
  const first = new URLSearchParams(location.search);
  for (const name of names) if (first.has(name)) form.elements[name].value = first.get(name);
  form.addEventListener("input", filter);
  form.addEventListener("submit", (event) => event.preventDefault());
  filter();
})();
