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
  // Rules ask for chosen settings by :has, so that Chromium computes all styles again after each insertion: here they ask for classes of
  // the root. Without scripts, and in pages opened as files, they stay as they are.
  const inputs = [...form?.querySelectorAll("input[id]") || []];
  const state = () => { for (const input of inputs) root.classList.toggle(`on-${input.id}`, input.checked); };
  const classed = (/** @type {string} */ words) => words.replace(/:has\(#([\w-]+):checked\)/g, ":is(.on-$1, #$1:checked)")  // as specific as before
    .replace(/:has\(:is\(([^()]*)\):checked\)/g, (_, ids) => `:is(${ids.replace(/#([\w-]+)/g, ".on-$1, #$1:checked")})`);
  const rewrite = (/** @type {any} */ rules) => {
    for (const rule of rules) {
      if (rule.selectorText?.includes(":checked")) rule.selectorText = classed(rule.selectorText);
      if (rule.cssRules?.length) rewrite(rule.cssRules);
    }
  };
  state();
  for (const kind of ["change", "chosen"]) document.addEventListener(kind, state, true);
  try { for (const sheet of document.styleSheets) rewrite(sheet.cssRules); } catch { /* of files they cannot be read */ }
  root.classList.add("js");
  root.classList.toggle("learned", stored("jiaokan-legend") === "known");
  // Double lines are laid by jiazhu.js, other witnesses by witness.js, which show the text; columns wait for their font.
  const is = (/** @type {string} */ id) => form?.querySelector(`#${id}`)?.checked;
  if (view.get("w") || is("direction-vertical") || is("place-inline") && is("layer-all")) root.classList.add("laying");
})();
