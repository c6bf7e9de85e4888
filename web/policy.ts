// SPDX-License-Identifier: MIT
//
// Writes into the built page what it may load, for file hosts, which send no such header: what `kanzen serve` sends
// (src/app/server/reply.c), as far as a page can say it about itself. While the page is being worked on, Vite needs more than that.
import type { Plugin } from "vite";

const policy =
  "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; img-src 'self' blob:; connect-src 'self' https: http://localhost:* http://127.0.0.1:*; " +
  "worker-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'";

export function contentPolicy(): Plugin {
  return {
    name: "content-policy",
    apply: "build",
    transformIndexHtml: () => [
      { tag: "meta", attrs: { "http-equiv": "Content-Security-Policy", content: policy }, injectTo: "head-prepend" },
    ],
  };
}
