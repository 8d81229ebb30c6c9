// What each witness has for an entry, cut out of the pictures of its leaves: fetched when the reader asks.
"use strict";
((places, label, marks) => {
  const CELL = 44, MOST = 340;  // pixels of a character, and of a picture
  const crop = ([siglum, address, [width, height], boxes, cert]) => {
    const [left, top] = [0, 1].map((n) => Math.min(...boxes.map((box) => box[n])));
    const [right, bottom] = [0, 1].map((n) => Math.max(...boxes.map((box) => box[n] + box[n + 2])));
    const cell = Math.min(boxes[0][2], boxes[0][3]) || 1, margin = cell / 2;
    const scale = Math.min(CELL / cell, MOST / (Math.max(right - left, bottom - top) + cell));
    const to = document.createElement("a"), image = new Image();
    Object.assign(to, { href: address, target: "_blank", rel: "noreferrer", title: `${siglum} ${marks[cert]}`.trim() });
    Object.assign(to.style, { position: "relative", display: "block", flex: "none", overflow: "hidden",
      width: `${(right - left + cell) * scale}px`, height: `${(bottom - top + cell) * scale}px`, writingMode: "horizontal-tb" });
    Object.assign(image, { referrerPolicy: "no-referrer", alt: `${siglum} ${label}`, src: address });
    Object.assign(image.style, { position: "absolute", maxWidth: "none", width: `${width * scale}px`, height: `${height * scale}px`,
      left: `${(margin - left) * scale}px`, top: `${(margin - top) * scale}px` });
    to.append(image);
    for (const [x, y, wide, high] of boxes) {
      const frame = document.createElement("i");
      Object.assign(frame.style, { position: "absolute", boxSizing: "border-box", outline: `2px ${cert === "low" ? "dashed" : "solid"} #c33`,
        left: `${(x - left + margin) * scale}px`, top: `${(y - top + margin) * scale}px`, width: `${wide * scale}px`, height: `${high * scale}px` });
      to.append(frame);
    }
    const row = document.createElement("span"), name = document.createElement("b");
    Object.assign(row.style, { display: "inline-flex", gap: ".3em", alignItems: "flex-start", margin: "0 .8em .3em 0" });
    name.textContent = siglum + (cert === "low" ? " ?" : "");
    row.append(name, to);
    return row;
  };
  for (const [entry, rows] of Object.entries(places)) {
    const item = document.getElementById(`e-${entry}`);
    if (!item) continue;
    const button = document.createElement("button"), shown = document.createElement("span");
    Object.assign(button, { type: "button", textContent: "▦", className: "snippet", title: label });
    button.setAttribute("aria-label", label);
    button.setAttribute("aria-expanded", "false");
    Object.assign(shown, { className: "snippets", hidden: true });
    button.addEventListener("click", () => {
      if (!shown.firstChild) shown.append(...rows.map(crop));
      shown.hidden = !shown.hidden;
      button.setAttribute("aria-expanded", String(!shown.hidden));
    });
    item.append(" ", button, shown);
  }
})
