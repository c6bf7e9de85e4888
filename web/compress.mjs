// SPDX-License-Identifier: MIT
//
// compress.mjs FOLDER: writes FILE.gz and FILE.br beside each file of a site that gets smaller by that. Tables and images
// are compressed already.
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";

const compressible = /\.(html|js|mjs|css|wasm|svg|json|webmanifest|txt|xml)$/;
const least = 256;
const [folder] = process.argv.slice(2);
for (const name of readdirSync(folder, { recursive: true })) {
  if (!compressible.test(name)) continue;
  const path = join(folder, name);
  const content = readFileSync(path);
  if (content.length < least) continue;
  const options = { params: { [constants.BROTLI_PARAM_SIZE_HINT]: content.length } };
  for (const [ending, packed] of [["gz", gzipSync(content, { level: 9 })], ["br", brotliCompressSync(content, options)]]) {
    if (packed.length < content.length) writeFileSync(`${path}.${ending}`, packed);
  }
}
