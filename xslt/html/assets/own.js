// Size of the text, length and distance of its lines: the reader's own, kept on the device and not in the address. And lists of
// entries that open when one asks.
"use strict";
(() => {
  const form = document.getElementById("view"), KEY = "jiaokan-reading";
  const sets = [...form.querySelectorAll("fieldset.own")].map((set) => [...set.querySelectorAll("input")]);
  const stored = () => { try { return JSON.parse(localStorage.getItem(KEY) || "{}"); } catch { return {}; } };
  const kept = stored();
  for (const set of sets) for (const radio of set) if (kept[radio.name] === radio.value) radio.checked = true;
  form.dispatchEvent(new Event("chosen"));
  form.addEventListener("change", () => {
    const chosen = sets.flat().filter((radio) => radio.checked && !radio.defaultChecked).map((radio) => [radio.name, radio.value]);
    try { localStorage.setItem(KEY, JSON.stringify(Object.fromEntries(chosen))); } catch { /* nothing can be kept here */ }
  });

  // --- In base text alone the list of a section's entries is folded: its head opens it --------------------------------
  const main = document.getElementById("text"), base = form.querySelector("#layer-base") || { checked: false };
  const heads = () => {
    for (const head of main.querySelectorAll(".apparatus h3")) {
      const button = head.querySelector("button") || Object.assign(document.createElement("button"), { type: "button", textContent: head.textContent, tabIndex: -1 });
      if (!head.contains(button)) head.replaceChildren(button);
      if (base.checked) button.setAttribute("aria-expanded", String(head.parentElement.classList.contains("open"))); else button.removeAttribute("aria-expanded");
    }
  };
  main.addEventListener("click", ({ target }) => {
    const button = target.closest(".apparatus h3 button");
    if (!button || !base.checked) return;
    button.setAttribute("aria-expanded", String(button.closest(".apparatus").classList.toggle("open")));
  });
  form.addEventListener("change", heads);
  for (const kind of ["shown", "more"]) main.addEventListener(kind, heads);
  heads();
})();
