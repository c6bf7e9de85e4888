// SPDX-License-Identifier: MIT
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { EngineError } from "../engine/types";
import { outage, persistently, tryNow } from "./retry";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const offline = () => new EngineError(0, "no connection", "offline");

describe("after a failure of the network", () => {
  it("questions are asked again with growing pauses until they are answered", async () => {
    const times: number[] = [];
    const begin = Date.now();
    const answer = persistently(() => {
      times.push(Date.now() - begin);
      return times.length < 4 ? Promise.reject(offline()) : Promise.resolve("here");
    });
    await vi.advanceTimersByTimeAsync(500);
    expect(outage.value?.error.code).toBe("offline");
    await vi.advanceTimersByTimeAsync(10_000);
    expect(await answer).toBe("here");
    expect(times).toEqual([0, 1000, 3000, 7000]);
    expect(outage.value).toBeNull();
  });

  it("the person need not wait", async () => {
    let online = false;
    const answer = persistently(() => (online ? Promise.resolve(1) : Promise.reject(offline())));
    await vi.advanceTimersByTimeAsync(0);
    online = true;
    tryNow();
    expect(await answer).toBe(1);
  });

  it("what time does not mend is not asked again", async () => {
    const ask = vi.fn(() => Promise.reject(new EngineError(400, "bad", "bad_position")));
    await expect(persistently(ask)).rejects.toThrow("bad");
    expect(ask).toHaveBeenCalledTimes(1);
  });
});
