// Which of the editor's marks of punctuation are shown, and as what: full by GB/T 15834, 句读 only, in vertical text with
// corner quotation marks, titles by a line or in brackets. The same rule as pipeline/jiaokan/model/marks.py.
"use strict";
(() => {
  const form = document.getElementById("view"), main = document.getElementById("text");
  const judou = { "。": "。", "？": "。", "！": "。", "；": "。", "，": "、", "：": "、" };
  const corners = { "“": "「", "”": "」", "‘": "『", "’": "』" };
  // Marks that stand side by side, of which 句读 shows the first that ends or pauses.
  const first = (mark) => {
    for (let before = mark.previousSibling; before; before = before.previousSibling) {
      if (before.nodeType !== 1 || !before.matches(".pc")) return true;
      if (judou[before.dataset.sign]) return false;
    }
    return true;
  };
  const show = (part) => {
    const lines = form.querySelector("#lines-on")?.checked, few = form.querySelector("#points-judou")?.checked, upright = form.querySelector("#direction-vertical")?.checked;
    for (const mark of part.querySelectorAll(".pc")) {
      const sign = mark.dataset.sign ||= mark.textContent;
      const shown = lines && "《》〈〉".includes(sign) ? "" : few ? (judou[sign] && first(mark) ? judou[sign] : "") : (upright && corners[sign]) || sign;
      if (mark.textContent !== shown) mark.textContent = shown;
    }
  };
  if (!form.querySelector("[name=points]")) return;
  form.addEventListener("change", () => show(main));
  main.addEventListener("shown", () => show(main));
  main.addEventListener("more", ({ detail: part }) => show(part));
  show(main);
})();
