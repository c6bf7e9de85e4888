// SPDX-License-Identifier: MIT
import { describe, expect, it } from "vitest";
import { Pages } from "./pages.js";

const file = Uint8Array.from({ length: 95 }, (_, i) => i);

function copied(pages: Pages, offset: number, size: number): number[] | null {
  const target = new Uint8Array(size);
  return pages.copy(offset, target) ? [...target] : null;
}

describe("pages", () => {
  it("say what is missing, all of it", () => {
    const pages = new Pages(95, 10);
    expect(copied(pages, 5, 30)).toBeNull();
    expect([...pages.missing]).toEqual([0, 1, 2, 3]);
    pages.put(10, file.subarray(10, 30));
    expect([...pages.missing]).toEqual([0, 3]);
    expect(copied(pages, 12, 15)).toEqual([...file.subarray(12, 27)]);
    expect(copied(pages, 12, 19)).toBeNull();
  });

  it("end with a short one", () => {
    const pages = new Pages(95, 10);
    pages.put(80, file.subarray(80));
    expect(copied(pages, 85, 10)).toEqual([...file.subarray(85, 95)]);
    expect(pages.missing.size).toBe(0);
  });

  it("may be the whole file", () => {
    const pages = new Pages(95, 10);
    copied(pages, 0, 1);
    pages.putWhole(file);
    expect(pages.missing.size).toBe(0);
    expect(copied(pages, 0, 95)).toEqual([...file]);
  });

  it("go when nobody looked at them for long", () => {
    const pages = new Pages(95, 10);
    pages.put(0, file);
    copied(pages, 0, 1); // the first is looked at
    pages.trim(30);
    expect(pages.count).toBe(3);
    expect(copied(pages, 0, 10)).not.toBeNull();
    expect(copied(pages, 10, 10)).toBeNull();
    expect(copied(pages, 90, 5)).not.toBeNull();
  });

  it("give the beginning of the file in one piece", () => {
    const pages = new Pages(95, 10);
    pages.put(40, file.subarray(40, 60));
    expect(pages.head()).toHaveLength(0);
    pages.put(0, file.subarray(0, 30));
    expect([...pages.head()]).toEqual([...file.subarray(0, 30)]);
  });
});
