// Before the text is drawn: the settings that the address and the reader's device name. Later, the text would move under the eye.
"use strict";
(() => {
  const root = document.documentElement, form = document.getElementById("view"), view = new URLSearchParams(location.search);
  const stored = (/** @type {string} */ key) => { try { return localStorage.getItem(key) || ""; } catch { return ""; } };
  let settings = {};
  try { settings = JSON.parse(stored("jiaokan-reading") || "{}"); } catch { /* none */ }
  for (const radio of form?.querySelectorAll("input[type=radio]") || []) {
    const wanted = radio.closest(".own") ? settings[radio.name] : view.get(radio.name);
    if (wanted === radio.value) radio.checked = true;
  }
  root.classList.add("js");
  root.classList.toggle("learned", stored("jiaokan-legend") === "known");
  // Double lines are laid by jiazhu.js, other witnesses by witness.js, which show the text.
  if (view.get("w") || form?.querySelector("#place-inline")?.checked && form.querySelector("#layer-all")?.checked) root.classList.add("laying");
})();
