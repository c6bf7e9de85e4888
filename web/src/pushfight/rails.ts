// SPDX-License-Identifier: MIT
//
// Where a board has railings. The engine's drawings don't show them: they stand along the upper edge of the top row and
// the lower edge of the bottom row, but for the small boards that are made to test the rules.

export interface Rails {
  readonly above: boolean;
  readonly below: boolean;
}

const both: Rails = { above: true, below: true };
const others: Readonly<Record<string, Rails>> = {
  raft: { above: false, below: false },
  hook: { above: true, below: false },
};

export function railsOf(rules: string): Rails {
  return others[rules] ?? both;
}
