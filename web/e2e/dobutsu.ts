// SPDX-License-Identifier: MIT
//
// The moves of the list, read back as the engine writes them.
const letters: Readonly<Record<string, string>> = { Chick: "C", Elephant: "E", Giraffe: "G" };

/** "Chick 2c×2b" is 2c2b, "Chick 2b–2a = hen" 2b2a+, "Elephant drop 2b" E*2b. */
export function dobutsuMove(text: string): string {
  const drop = /^(\w+) drop (\d\w)$/.exec(text);
  if (drop) return `${letters[drop[1] ?? ""]}*${drop[2]}`;
  const step = /^\w+ (\d\w)[–×](\d\w)( = hen)?$/.exec(text);
  if (!step) throw new Error(`'${text}' is no move`);
  return `${step[1]}${step[2]}${step[3] ? "+" : ""}`;
}
