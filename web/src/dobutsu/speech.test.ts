// SPDX-License-Identifier: MIT
import { describe, expect, it } from "vitest";
import { moveSpeech, moveText } from "./speech";

const start = "gle/1c1/1C1/ELG b - 1";
const hands = "gl1/C2/1e1/ELG b Cc 3";

describe("moves in words", () => {
  it("says them in English", () => {
    expect(moveText("2c2b", start, "en")).toBe("Chick 2c×2b");
    expect(moveText("2d3c", start, "en")).toBe("Lion 2d–3c");
    expect(moveSpeech("2c2b", start, "en")).toBe("chick from 2c takes chick on 2b");
    expect(moveSpeech("C*1b", hands, "en")).toBe("chick dropped on 1b");
    expect(moveSpeech("3b3a+", hands, "en")).toBe("chick from 3b takes giraffe on 3a, becomes a hen");
  });

  it("says them in Japanese", () => {
    expect(moveText("2c2b", start, "ja")).toBe("2二ひよこ(2三)");
    expect(moveText("C*1b", hands, "ja")).toBe("1二ひよこ打");
    expect(moveText("3b3a+", hands, "ja")).toBe("3一ひよこ成(3二)");
  });

  it("leaves what it can't read as it is", () => {
    expect(moveText("pass", start, "en")).toBe("pass");
    expect(moveSpeech("1b1a", start, "ja")).toBe("1b1a");
  });
});
