// 直排: the page goes on to the left, by wheel and by keys too. And one stays where one reads when the page is laid out anew.
"use strict";
(() => {
  const main = document.getElementById("text");
  const upright = () => getComputedStyle(main).writingMode === "vertical-rl";
  main.addEventListener("wheel", (event) => {
    if (!upright() || event.deltaX || event.ctrlKey) return;
    main.scrollLeft -= event.deltaY;
    event.preventDefault();
  }, { passive: false });
  // How many pages a key goes on; the arrows go on by a column or two.
  const steps = { PageDown: 0.9, PageUp: -0.9, " ": 0.9, ArrowDown: 0.1, ArrowUp: -0.1, ArrowLeft: 0.1, ArrowRight: -0.1, Home: -Infinity, End: Infinity };
  document.addEventListener("keydown", (event) => {
    const step = steps[event.key] * (event.key === " " && event.shiftKey ? -1 : 1);
    if (!step || !upright() || event.ctrlKey || event.altKey || event.metaKey) return;
    if (event.target !== document.body && !main.contains(event.target) || event.target.matches("input, button, summary")) return;
    if (Number.isFinite(step)) main.scrollLeft -= step * main.clientWidth;
    else main.scrollLeft = step < 0 ? 0 : -main.scrollWidth;
    event.preventDefault();
  });

  // --- Where one reads: the first unit in sight, if one has gone on from the beginning ---------------------------
  const form = document.getElementById("view");
  let reading = null, later = 0;
  const look = () => {
    const side = upright();
    if (Math.abs(side ? main.scrollLeft : scrollY) < 200) { reading = null; return; }
    reading = [...main.querySelectorAll("p.jing")].find((unit) => {
      const box = unit.getBoundingClientRect();
      return side ? box.right < innerWidth : box.top > 40;
    });
  };
  const scrolled = () => { clearTimeout(later); later = setTimeout(look, 250); };
  const back = () => {
    const target = reading || self.jiaokan.target();
    if (target && main.contains(target)) target.scrollIntoView({ block: "center" });
  };
  addEventListener("scroll", scrolled, { passive: true });
  main.addEventListener("scroll", scrolled, { passive: true });
  form.addEventListener("change", (event) => {
    if (!["direction", "place", "layer"].includes(event.target.name)) return;
    clearTimeout(later);
    requestAnimationFrame(() => requestAnimationFrame(back));
  });
  main.addEventListener("laid", back);
})();
