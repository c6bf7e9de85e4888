// SPDX-License-Identifier: MIT
//
// The tests in a browser (e2e/README.md): one browser for all. Files run at the same time, each test in a profile of its own, so that
// one waits while another one works.
import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    // With MEASURE=1, what measures and tests nothing (e2e/README.md).
    include: [process.env["MEASURE"] ? "e2e/**/*.measure.ts" : "e2e/**/*.test.ts"],
    globalSetup: ["e2e/global.ts"],
    pool: "forks",
    poolOptions: { forks: { maxForks: 4, minForks: 1 } },
    testTimeout: 60_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 15_000, interval: 20 } },
  },
});
