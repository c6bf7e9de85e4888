// SPDX-License-Identifier: MIT
import { fileURLToPath } from "node:url";
import { configDefaults, defineConfig } from "vitest/config";
import { fileList } from "./file-list";
import { contentPolicy } from "./policy";

// The engine is a package of its own; the page takes it from its source.
const engine = fileURLToPath(new URL("packages/kanzen/src/parts.ts", import.meta.url));

export default defineConfig({
  // Relative addresses, so that the page works in any folder of any file host.
  base: "./",
  resolve: { alias: { "kanzen/parts": engine } },
  plugins: [contentPolicy(), fileList()],
  esbuild: { jsx: "automatic", jsxImportSource: "preact", legalComments: "none" },
  build: {
    outDir: "dist",
    target: "es2021",
    // Pictures stay files of their own; nothing of the script's allowance goes to them.
    assetsInlineLimit: 0,
    reportCompressedSize: true,
  },
  server: {
    // While the page is being worked on, `kanzen serve` answers.
    proxy: { "/api": "http://127.0.0.1:8080", "/healthz": "http://127.0.0.1:8080" },
  },
  test: {
    include: ["src/**/*.test.{ts,tsx}", "packages/*/src/**/*.test.ts"],
    exclude: [...configDefaults.exclude, "e2e/**"],
  },
});
