// SPDX-License-Identifier: MIT
//
// QR codes (ISO/IEC 18004) of texts as bytes, with the lowest level of error correction, versions 1 to 25.

/** For level L, by version: codewords for error correction in a block, and blocks. */
const correction = [7, 10, 15, 20, 26, 18, 20, 24, 30, 18, 20, 24, 26, 30, 22, 24, 28, 30, 28, 28, 28, 28, 30, 30, 26];
const blockCounts = [1, 1, 1, 1, 1, 2, 2, 2, 2, 4, 4, 4, 4, 4, 6, 6, 6, 6, 7, 8, 8, 9, 9, 10, 12];

/** Arithmetic of GF(256) with the polynomial 0x11d. */
const exponents = new Uint8Array(512);
const logarithms = new Uint8Array(256);
for (let power = 0, value = 1; power < 255; power++) {
  exponents[power] = value;
  exponents[power + 255] = value;
  logarithms[value] = power;
  value = value < 128 ? value * 2 : (value * 2) ^ 0x11d;
}
const times = (a: number, b: number): number =>
  a === 0 || b === 0 ? 0 : (exponents[(logarithms[a] as number) + (logarithms[b] as number)] as number);

function remainder(data: readonly number[], count: number): number[] {
  let generator = [1];
  for (let power = 0; power < count; power++) {
    const root = exponents[power] as number;
    const next = new Array<number>(generator.length + 1).fill(0);
    generator.forEach((factor, at) => {
      next[at] = (next[at] as number) ^ factor;
      next[at + 1] = (next[at + 1] as number) ^ times(factor, root);
    });
    generator = next;
  }
  const rest = [...data, ...new Array<number>(count).fill(0)];
  for (let at = 0; at < data.length; at++) {
    const lead = rest[at] as number;
    if (lead !== 0) generator.forEach((factor, offset) => (rest[at + offset] = (rest[at + offset] as number) ^ times(factor, lead)));
  }
  return rest.slice(data.length);
}

const sizeOf = (version: number): number => 17 + 4 * version;

/** Where the middles of the small squares are, in either direction. */
function alignments(version: number): number[] {
  if (version === 1) return [];
  const count = Math.floor(version / 7) + 2;
  const last = sizeOf(version) - 7;
  const step = Math.ceil((last - 6) / (count - 1) / 2) * 2;
  return [6, ...Array.from({ length: count - 1 }, (_, number) => last - step * (count - 2 - number))];
}

/** Codewords of both kinds that a version has room for. */
function roomOf(version: number): number {
  const size = sizeOf(version);
  let modules = size * size - 3 * 64 - 2 * (size - 16) - 31;
  const count = alignments(version).length;
  if (count > 0) modules -= (count * count - 3) * 25 - 2 * (count - 2) * 5;
  if (version >= 7) modules -= 36;
  return Math.floor(modules / 8);
}

function codewords(bytes: Uint8Array, version: number): number[] | null {
  const each = correction[version - 1] as number;
  const blocks = blockCounts[version - 1] as number;
  const room = roomOf(version);
  const data = room - each * blocks;
  const bits: number[] = [];
  const add = (value: number, count: number) => {
    for (let bit = count - 1; bit >= 0; bit--) bits.push((value >> bit) & 1);
  };
  add(4, 4); // bytes
  add(bytes.length, version < 10 ? 8 : 16);
  for (const byte of bytes) add(byte, 8);
  if (bits.length > data * 8) return null;
  add(0, Math.min(4, data * 8 - bits.length));
  while (bits.length % 8 !== 0) bits.push(0);
  const words: number[] = [];
  for (let at = 0; at < bits.length; at += 8) words.push(Number.parseInt(bits.slice(at, at + 8).join(""), 2));
  for (let pad = 0xec; words.length < data; pad ^= 0xec ^ 0x11) words.push(pad);

  // The first blocks are one word shorter, if it does not come out even.
  const short = Math.floor(room / blocks) - each;
  const shortBlocks = blocks - (room % blocks);
  const parts: { readonly data: number[]; readonly correction: number[] }[] = [];
  for (let block = 0, at = 0; block < blocks; block++) {
    const size = short + (block < shortBlocks ? 0 : 1);
    const part = words.slice(at, at + size);
    parts.push({ data: part, correction: remainder(part, each) });
    at += size;
  }
  const all: number[] = [];
  for (let at = 0; at <= short; at++) for (const part of parts) if (at < part.data.length) all.push(part.data[at] as number);
  for (let at = 0; at < each; at++) for (const part of parts) all.push(part.correction[at] as number);
  return all;
}

const masks: readonly ((row: number, column: number) => boolean)[] = [
  (row, column) => (row + column) % 2 === 0,
  (row) => row % 2 === 0,
  (_, column) => column % 3 === 0,
  (row, column) => (row + column) % 3 === 0,
  (row, column) => (Math.floor(row / 2) + Math.floor(column / 3)) % 2 === 0,
  (row, column) => ((row * column) % 2) + ((row * column) % 3) === 0,
  (row, column) => (((row * column) % 2) + ((row * column) % 3)) % 2 === 0,
  (row, column) => (((row + column) % 2) + ((row * column) % 3)) % 2 === 0,
];

/** The remainder of `value` followed by zeros, divided by a polynomial over bits. */
function checked(value: number, bits: number, polynomial: number): number {
  let rest = value;
  for (let count = 0; count < bits; count++) rest = (rest << 1) ^ ((rest >> (bits - 1)) * polynomial);
  return (value << bits) | rest;
}

class Grid {
  readonly size: number;
  readonly dark: boolean[][];
  private readonly fixed: boolean[][];

  constructor(private readonly version: number) {
    this.size = sizeOf(version);
    this.dark = Array.from({ length: this.size }, () => new Array<boolean>(this.size).fill(false));
    this.fixed = Array.from({ length: this.size }, () => new Array<boolean>(this.size).fill(false));
  }

  private set(row: number, column: number, dark: boolean): void {
    const line = this.dark[row];
    const held = this.fixed[row];
    if (!line || !held || column < 0 || column >= this.size) return;
    line[column] = dark;
    held[column] = true;
  }

  /** All that is the same for every text. */
  drawFrame(): void {
    for (let at = 0; at < this.size; at++) {
      this.set(6, at, at % 2 === 0);
      this.set(at, 6, at % 2 === 0);
    }
    for (const [row, column] of [
      [3, 3],
      [3, this.size - 4],
      [this.size - 4, 3],
    ] as const) {
      for (let y = -4; y <= 4; y++)
        for (let x = -4; x <= 4; x++) {
          const ring = Math.max(Math.abs(x), Math.abs(y));
          this.set(row + y, column + x, ring !== 2 && ring !== 4);
        }
    }
    const middles = alignments(this.version);
    const last = middles.length - 1;
    middles.forEach((row, i) =>
      middles.forEach((column, j) => {
        if ((i === 0 && (j === 0 || j === last)) || (i === last && j === 0)) return;
        for (let y = -2; y <= 2; y++)
          for (let x = -2; x <= 2; x++) this.set(row + y, column + x, Math.max(Math.abs(x), Math.abs(y)) !== 1);
      }),
    );
    this.drawFormat(0);
    if (this.version < 7) return;
    const bits = checked(this.version, 12, 0x1f25);
    for (let bit = 0; bit < 18; bit++) {
      const dark = ((bits >> bit) & 1) === 1;
      const near = Math.floor(bit / 3);
      const far = this.size - 11 + (bit % 3);
      this.set(near, far, dark);
      this.set(far, near, dark);
    }
  }

  drawFormat(mask: number): void {
    const bits = checked((1 << 3) | mask, 10, 0x537) ^ 0x5412; // level L
    const dark = (bit: number) => ((bits >> bit) & 1) === 1;
    for (let bit = 0; bit < 6; bit++) this.set(bit, 8, dark(bit));
    this.set(7, 8, dark(6));
    this.set(8, 8, dark(7));
    this.set(8, 7, dark(8));
    for (let bit = 9; bit < 15; bit++) this.set(8, 14 - bit, dark(bit));
    for (let bit = 0; bit < 8; bit++) this.set(8, this.size - 1 - bit, dark(bit));
    for (let bit = 8; bit < 15; bit++) this.set(this.size - 15 + bit, 8, dark(bit));
    this.set(this.size - 8, 8, true);
  }

  /** Up and down in columns of two from the right. */
  fill(words: readonly number[]): void {
    let bit = 0;
    for (let right = this.size - 1; right > 0; right -= 2) {
      if (right === 6) right = 5;
      for (let step = 0; step < this.size; step++) {
        const up = ((right + 1) & 2) === 0;
        const row = up ? this.size - 1 - step : step;
        for (const column of [right, right - 1]) {
          if (this.fixed[row]?.[column]) continue;
          const line = this.dark[row] as boolean[];
          line[column] = (((words[bit >> 3] ?? 0) >> (7 - (bit & 7))) & 1) === 1;
          bit += 1;
        }
      }
    }
  }

  apply(mask: number): void {
    const turns = masks[mask] as (row: number, column: number) => boolean;
    for (let row = 0; row < this.size; row++)
      for (let column = 0; column < this.size; column++)
        if (!this.fixed[row]?.[column] && turns(row, column)) (this.dark[row] as boolean[])[column] = !this.dark[row]?.[column];
    this.drawFormat(mask);
  }

  /** How hard it is to read: long runs, blocks, and more of one colour. */
  penalty(): number {
    let sum = 0;
    let count = 0;
    const at = (row: number, column: number) => this.dark[row]?.[column] === true;
    for (const turned of [false, true]) {
      for (let line = 0; line < this.size; line++) {
        let run = 0;
        let text = "";
        for (let place = 0; place < this.size; place++) {
          const dark = turned ? at(place, line) : at(line, place);
          const before = place > 0 && (turned ? at(place - 1, line) : at(line, place - 1));
          run = place > 0 && dark === before ? run + 1 : 1;
          if (run === 5) sum += 3;
          else if (run > 5) sum += 1;
          text += dark ? "1" : "0";
          if (!turned && dark) count += 1;
        }
        sum += 40 * (text.split("10111010000").length + text.split("00001011101").length - 2);
      }
    }
    for (let row = 1; row < this.size; row++)
      for (let column = 1; column < this.size; column++) {
        const dark = at(row, column);
        if (at(row - 1, column) === dark && at(row, column - 1) === dark && at(row - 1, column - 1) === dark) sum += 3;
      }
    return sum + 10 * Math.floor(Math.abs((20 * count) / (this.size * this.size) - 10));
  }
}

/** The dark squares, row by row; null: the text is too long. */
export function qrCode(text: string): readonly (readonly boolean[])[] | null {
  const bytes = new TextEncoder().encode(text);
  for (let version = 1; version <= correction.length; version++) {
    const words = codewords(bytes, version);
    if (!words) continue;
    let best: Grid | null = null;
    let least = Infinity;
    for (let mask = 0; mask < masks.length; mask++) {
      const grid = new Grid(version);
      grid.drawFrame();
      grid.fill(words);
      grid.apply(mask);
      const penalty = grid.penalty();
      if (penalty < least) {
        least = penalty;
        best = grid;
      }
    }
    return best?.dark ?? null;
  }
  return null;
}
