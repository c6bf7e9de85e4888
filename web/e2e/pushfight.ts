// SPDX-License-Identifier: MIT
//
// The turns of the list, read back as the engine writes them.

/** "b2–a2, c2⇒d2" is b2-a2,c2-d2: moves, then the push. */
export function pushfightTurn(text: string): string {
  const steps = text.split(", ").map((step, number, all) => {
    const push = number === all.length - 1;
    const [, from, to] = (push ? /^(\w\d)⇒(\w\d)$/ : /^(\w\d)–(\w\d)$/).exec(step) ?? [];
    if (from === undefined) throw new Error(`'${text}' is no turn`);
    return `${from}-${to}`;
  });
  return steps.join(",");
}
