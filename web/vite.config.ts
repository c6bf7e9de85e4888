// SPDX-License-Identifier: MIT
import { configDefaults, defineConfig } from "vitest/config";
import { fileList } from "./file-list";
import { contentPolicy } from "./policy";

export default defineConfig({
  // Relative addresses, so that the page works in any folder of any file host.
  base: "./",
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
    include: ["src/**/*.test.{ts,tsx}"],
    exclude: [...configDefaults.exclude, "e2e/**"],
  },
});
