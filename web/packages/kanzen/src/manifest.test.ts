// SPDX-License-Identifier: MIT
import { describe, expect, it } from "vitest";
import { parseManifest } from "./manifest.js";

describe("the list of tables", () => {
  it("is read", () => {
    const entry = { game: "g", rules: "r", file: "g-r.kzt", bytes: 10, digest: "00" };
    expect(parseManifest(JSON.stringify({ tables: [entry] }))).toEqual([entry]);
  });

  it("may be anything", () => {
    for (const text of ["", "<html>", "null", "[]", "{}", '{"tables": 5}', '{"tables": [null, {"game": "g"}, {"bytes": -1}]}']) {
      expect(parseManifest(text)).toEqual([]);
    }
  });
});
