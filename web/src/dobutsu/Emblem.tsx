// SPDX-License-Identifier: MIT
import type { Side } from "../games/view";
import { Animal } from "./Animal";

/** The side's lion. */
export function Emblem({ side }: { readonly side: Side }) {
  return (
    <svg class="emblem dobutsu" viewBox="-46 -46 92 94" aria-hidden="true">
      <Animal kind="lion" side={side} turned={false} />
    </svg>
  );
}
