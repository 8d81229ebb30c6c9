// The line that says what the marks of a chapter mean: a reader dismisses it once for all, `?` brings it back.
"use strict";
(() => {
  const KEY = "jiaokan-legend", root = document.documentElement, form = document.getElementById("view"), { make, store } = self.jiaokan;
  const line = document.querySelector(".legend");
  const keep = (known) => {
    root.classList.toggle("learned", known);
    store(KEY, known ? "known" : "");
  };
  const shut = make("button", { type: "button", textContent: form.dataset.close });
  shut.addEventListener("click", () => keep(true));
  line?.append(shut);
  // A copy for the list of keys.
  const legend = () => {
    const copy = line?.cloneNode(true);
    copy?.querySelector("button")?.remove();
    return copy ? [copy] : [];
  };
  Object.assign(self.jiaokan, { legend, explain: () => keep(false) });
})();
