// SPDX-License-Identifier: MIT
//
// The bytes of one file as far as they are here: all of them, or pages, of which those that nobody has looked at for
// the longest time go first when there are too many.

export class Pages {
  /** Pages that somebody wanted and that were not here. */
  readonly missing = new Set<number>();
  private readonly pages = new Map<number, Uint8Array>(); // the oldest first
  private whole: Uint8Array | null = null;

  constructor(
    readonly fileSize: number,
    readonly pageSize: number,
  ) {}

  get complete(): boolean {
    return this.whole !== null;
  }

  get count(): number {
    return this.pages.size;
  }

  /** Copies bytes to `target` and returns true; or returns false, and `missing` has the pages that it takes. */
  copy(offset: number, target: Uint8Array): boolean {
    const end = offset + target.length;
    if (this.whole) {
      target.set(this.whole.subarray(offset, end));
      return true;
    }
    let here = true;
    for (let page = Math.floor(offset / this.pageSize); page * this.pageSize < end; page++) {
      const bytes = this.pages.get(page);
      if (!bytes) {
        this.missing.add(page);
        here = false;
        continue;
      }
      this.pages.delete(page);
      this.pages.set(page, bytes);
      const begin = page * this.pageSize;
      const from = Math.max(offset, begin);
      const to = Math.min(end, begin + bytes.length);
      target.set(bytes.subarray(from - begin, to - begin), from - offset);
    }
    return here;
  }

  /** Takes in bytes that have come; whole pages, but for the end of the file. */
  put(offset: number, bytes: Uint8Array): void {
    if (this.whole) return;
    for (let at = 0; at < bytes.length; at += this.pageSize) {
      const page = (offset + at) / this.pageSize;
      // A copy: a part of a large buffer would keep all of it.
      this.pages.set(page, bytes.slice(at, at + this.pageSize));
      this.missing.delete(page);
    }
  }

  putWhole(bytes: Uint8Array): void {
    this.whole = bytes;
    this.pages.clear();
    this.missing.clear();
  }

  /** The pages from the first on, as one piece; for keeping them. */
  head(): Uint8Array {
    let count = 0;
    while (this.pages.has(count)) count++;
    const bytes = new Uint8Array(Math.min(count * this.pageSize, this.fileSize));
    this.copy(0, bytes);
    return bytes;
  }

  /** Lets go of the oldest pages until no more than `most` bytes are left. */
  trim(most: number): void {
    for (const page of this.pages.keys()) {
      if (this.pages.size * this.pageSize <= most) break;
      this.pages.delete(page);
    }
  }
}
