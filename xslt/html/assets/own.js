// Size of the text, length and distance of its lines: the reader's own, kept on the device and not in the address. And lists of
// entries that open when one asks.
"use strict";
(() => {
  const form = document.getElementById("view"), KEY = "jiaokan-reading";  // early.js reads it
  const sets = [...form.querySelectorAll("fieldset.own")].map((set) => [...set.querySelectorAll("input")]);
  form.addEventListener("change", () => {
    const chosen = sets.flat().filter((radio) => radio.checked && !radio.defaultChecked).map((radio) => [radio.name, radio.value]);
    self.jiaokan.store(KEY, JSON.stringify(Object.fromEntries(chosen)));
  });

  // --- In base text alone the list of a section's entries is folded: its head opens it --------------------------------
  const main = document.getElementById("text"), base = form.querySelector("#layer-base") || { checked: false };
  const heads = () => {
    for (const head of main.querySelectorAll(".apparatus h3")) {
      const button = head.querySelector("button") || self.jiaokan.make("button", { type: "button", textContent: head.textContent, tabIndex: -1 });
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
