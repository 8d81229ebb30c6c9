// Pictures of the print beside the text: that of the leaf which one reads, from the hosts that the editor allows.
"use strict";
(() => {
  const main = document.getElementById("text"), { make } = self.jiaokan, hosts = (main.dataset.images || "").split(" ").filter(Boolean);
  const allowed = (link) => hosts.some((host) => link.href.startsWith(`${host}/`));
  const links = () => [...main.querySelectorAll("a.leafpage")].filter((link) => allowed(link) && link.checkVisibility());
  let panel = null, shown = null;
  const show = (link) => {
    if (!panel || !link || link === shown) return;
    shown = link;
    const image = panel.querySelector("img");
    image.src = link.href;
    image.alt = link.title;
    panel.querySelector("a").textContent = link.title;
    panel.querySelector("a").href = link.href;
  };
  // The leaf on which the upper third of the window stands.
  const here = () => show(links().filter((link) => link.getBoundingClientRect().top < innerHeight / 3).at(-1) || links()[0]);
  const close = () => { const from = shown; panel?.remove(); panel = shown = null; from?.focus(); };
  const open = (link) => {
    if (!panel) {
      const shut = make("button", { type: "button", textContent: "×", onclick: close, ariaLabel: document.getElementById("view").dataset.close || "×" });
      panel = make("aside", { id: "leaf", ariaLabel: link.title }, make("p", {}, make("a", { target: "_blank", rel: "noreferrer" }), shut), make("img", { referrerPolicy: "no-referrer", alt: "" }));
      document.body.append(panel);
    }
    show(link);
  };
  main.addEventListener("click", (event) => {
    const link = event.target.closest?.("a.leafpage");
    if (!link || !allowed(link) || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    open(link);
  });
  let waiting = false;
  addEventListener("scroll", () => { if (panel && !waiting) { waiting = true; requestAnimationFrame(() => { waiting = false; here(); }); } }, { passive: true });
  addEventListener("keydown", (event) => { if (event.key === "Escape" && panel) close(); });
})();
