// The program in Pyodide. The wasm file is kept compressed, since not every server compresses it.
import {loadPyodide} from "./pyodide.mjs";

const plainFetch = self.fetch;
self.fetch = async (address, ...settings) => {
  if (!String(address.url ?? address).endsWith(".wasm")) return plainFetch(address, ...settings);
  const packed = await plainFetch(`${address.url ?? address}.gz`);
  if (!packed.ok) return packed;
  const bytes = packed.body.pipeThrough(new DecompressionStream("gzip"));
  return new Response(bytes, {headers: {"Content-Type": "application/wasm"}});
};

async function load() {
  const python = await loadPyodide({indexURL: new URL(".", self.location.href).href});
  const program = await plainFetch("program.zip");
  if (!program.ok) throw new Error(`program.zip: ${program.status}`);
  python.unpackArchive(await program.arrayBuffer(), "zip", {extractDir: "/program"});
  python.runPython("import sys; sys.path.insert(0, '/program')");
  return python.pyimport("browser");
}

const program = load();
program.then(() => self.postMessage({}), (error) => self.postMessage({failed: String(error)}));
self.addEventListener("message", async ({data}) => {
  try {
    const browser = await program;
    self.postMessage(JSON.parse(browser.answer(data.texts, data.form, data.language, data.level)));
  } catch (error) {
    self.postMessage({broken: String(error)});
  }
});
