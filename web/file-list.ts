// SPDX-License-Identifier: MIT
//
// Writes files.json, the list of all that a build has made. The service worker (public/sw.js) keeps these files; Vite's own
// manifest leaves out the files of workers.
import type { Plugin } from "vite";

export function fileList(): Plugin {
  return {
    name: "file-list",
    apply: "build",
    enforce: "post",
    generateBundle(_options, bundle) {
      const files = Object.keys(bundle).filter((file) => !file.endsWith(".html") && !file.endsWith(".map"));
      this.emitFile({ type: "asset", fileName: "files.json", source: `${JSON.stringify(files.sort())}\n` });
    },
  };
}
