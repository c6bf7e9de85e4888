// SPDX-License-Identifier: MIT
//
// What is written here is read by another program's decoder.
import jsQR from "jsqr";
import { expect, it } from "vitest";
import { qrCode } from "./qr";

function read(code: readonly (readonly boolean[])[]): string | undefined {
  const scale = 4;
  const border = 4;
  const size = (code.length + 2 * border) * scale;
  const pixels = new Uint8ClampedArray(size * size * 4).fill(255);
  for (let y = 0; y < size; y++)
    for (let x = 0; x < size; x++) {
      if (!code[Math.floor(y / scale) - border]?.[Math.floor(x / scale) - border]) continue;
      pixels.fill(0, (y * size + x) * 4, (y * size + x) * 4 + 3);
    }
  return jsQR(pixels, size, size)?.data;
}

it.each([1, 17, 32, 53, 78, 106, 134, 154, 192, 230, 271, 321, 500, 700, 1000])("a text of %s bytes", (length) => {
  const text = "https://example.org/kanzen/#/play/dobutsu/official?moves=2c2b.".repeat(20).slice(0, length);
  const code = qrCode(text);
  expect(code).not.toBeNull();
  expect(read(code ?? [])).toBe(text);
});

it("a text that is too long has none", () => {
  expect(qrCode("x".repeat(1300))).toBeNull();
  expect(read(qrCode("どうぶつしょうぎ") ?? [])).toBe("どうぶつしょうぎ");
});
