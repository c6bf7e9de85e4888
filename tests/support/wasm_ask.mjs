// SPDX-License-Identifier: MIT
//
// node wasm_ask.mjs KANZEN.WASM REQUESTS ANSWERS [TABLE]...
//
// Answers requests with kanzen.wasm, for comparison with the library. A line of REQUESTS has three fields with tabs
// between them: path, query, and "GET" or positions with '|' between them. For each request, ANSWERS gets the status, a
// line feed, the body and a line feed. Pages of tables are not there until they were asked for, as in a browser.
import fs from "node:fs";

const [wasm, requests, answers, ...tables] = process.argv.slice(2);
const pageSize = 4096;
const files = tables.map((path) => ({ path, bytes: fs.readFileSync(path), here: new Set(), wanted: new Set() }));

const compiled = new WebAssembly.Module(fs.readFileSync(wasm));
const unexpected = WebAssembly.Module.imports(compiled).filter(
  ({ module, name }) => module !== "kanzen" || (name !== "get" && name !== "seconds"),
);
if (unexpected.length > 0) {
  throw new Error(`the module wants ${unexpected.map(({ module, name }) => `${module}.${name}`).join(", ")}`);
}
const { exports } = new WebAssembly.Instance(compiled, {
  kanzen: {
    get(table, offset, size, to) {
      const { bytes, here, wanted } = files[table];
      if (offset + size > bytes.length) throw new Error(`bytes ${offset} to ${offset + size} of ${bytes.length}`);
      let complete = true;
      for (let page = Math.floor(offset / pageSize); page * pageSize < offset + size; page++) {
        if (!here.has(page)) {
          wanted.add(page);
          complete = false;
        }
      }
      if (complete) new Uint8Array(exports.memory.buffer, to, size).set(bytes.subarray(offset, offset + size));
      return complete ? 1 : 0;
    },
    seconds: () => performance.now() / 1000,
  },
});

/** Makes a call again and again until it wants no more bytes. */
function complete(call) {
  for (let round = 0; ; round++) {
    const result = call();
    let wanted = 0;
    for (const file of files) {
      wanted += file.wanted.size;
      for (const page of file.wanted) file.here.add(page);
      file.wanted.clear();
    }
    if (wanted === 0) return result;
    if (round > 3000) throw new Error("it never ends");
  }
}

function put(text) {
  const bytes = new TextEncoder().encode(text);
  const at = exports.alloc(bytes.length + 1);
  new Uint8Array(exports.memory.buffer).set([...bytes, 0], at);
  return at;
}

const session = exports.start();
for (const [number, file] of files.entries()) {
  const name = put(file.path);
  const status = complete(() => exports.open(session, number, name, file.bytes.length));
  if (status !== 0) {
    const memory = new Uint8Array(exports.memory.buffer);
    const at = exports.message(session);
    throw new Error(new TextDecoder().decode(memory.subarray(at, memory.indexOf(0, at))));
  }
  exports.free(name);
}

const out = fs.openSync(answers, "w");
for (const line of fs.readFileSync(requests, "utf8").split("\n").filter(Boolean)) {
  const [path, query, what] = line.split("\t");
  const posted = what === "GET" ? "" : JSON.stringify({ positions: what.split("|") });
  const texts = [put(path), put(query), put(posted)];
  const length = new TextEncoder().encode(posted).length;
  const at = what === "GET" ? 0 : texts[2];
  const status = complete(() => exports.ask(session, texts[0], texts[1], at, length));
  const body = new Uint8Array(exports.memory.buffer, exports.body(session), exports.body_length(session));
  fs.writeSync(out, `${status}\n`);
  fs.writeSync(out, body);
  fs.writeSync(out, "\n");
  texts.forEach((text) => exports.free(text));
}
fs.closeSync(out);
