// SPDX-License-Identifier: MIT
//
// Which parts of a file to fetch, when these pages of it are wanted.

export interface Range {
  readonly offset: number;
  readonly size: number;
}

/** A gap of this many pages is fetched along: that costs less than another request. */
const smallGap = 1;
/** So that large parts come over several connections, and a failure costs little. */
const mostPages = 64;

/** The pages as ranges of bytes, neighbours put together, in order. */
export function rangesOf(pages: Iterable<number>, pageSize: number, fileSize: number): Range[] {
  const sorted = [...new Set(pages)].sort((a, b) => a - b);
  const ranges: Range[] = [];
  let first = -1;
  let last = -1;
  const close = (): void => {
    if (first < 0) return;
    const offset = first * pageSize;
    ranges.push({ offset, size: Math.min((last + 1) * pageSize, fileSize) - offset });
  };
  for (const page of sorted) {
    if (first >= 0 && page <= last + 1 + smallGap && page - first < mostPages) {
      last = page;
    } else {
      close();
      first = page;
      last = page;
    }
  }
  close();
  return ranges;
}
