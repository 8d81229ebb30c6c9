// Shows a TEI file by CETEIcean in a DOM without a browser; prints how many elements of each name it made, and the text.
import { readFileSync } from "node:fs";
import { JSDOM } from "jsdom";

const { window } = new JSDOM("<!DOCTYPE html><html><head></head><body></body></html>", { url: "http://localhost/" });
const names = ["document", "HTMLElement", "customElements", "DOMParser", "Node", "XMLSerializer", "Element", "Event", "CustomEvent", "Range"];
Object.assign(globalThis, { window }, Object.fromEntries(names.map((name) => [name, window[name]])));
const { default: CETEI } = await import("CETEIcean");

const xml = readFileSync(process.argv[2], "utf8");
const made = await new Promise((resolve) => new CETEI().makeHTML5(xml, resolve));
const elements = {};
for (const each of made.querySelectorAll("[data-origname]")) {
  const name = each.getAttribute("data-origname");
  elements[name] = (elements[name] ?? 0) + 1;
}
const words = [...made.querySelectorAll("tei-lem")].map((each) => each.textContent);
console.log(JSON.stringify({ elements, words }));
