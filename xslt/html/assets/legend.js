// The line that says what the marks of a chapter mean: a reader dismisses it once for all, `?` brings it back.
"use strict";
(() => {
  const KEY = "jiaokan-legend", root = document.documentElement, form = document.getElementById("view"), { make } = self.jiaokan;
  const line = document.querySelector(".legend");
  const keep = (known) => {
    root.classList.toggle("learned", known);
    try { if (known) localStorage.setItem(KEY, "known"); else localStorage.removeItem(KEY); } catch { /* nothing can be kept here */ }
  };
  const known = () => { try { return localStorage.getItem(KEY) === "known"; } catch { return false; } };
  root.classList.toggle("learned", known());
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
