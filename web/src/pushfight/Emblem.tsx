// SPDX-License-Identifier: MIT
import type { Side } from "../games/view";
import { Piece } from "./Piece";

/** A pusher of the side. */
export function Emblem({ side }: { readonly side: Side }) {
  return (
    <svg class="emblem pushfight" viewBox="-48 -48 96 98" aria-hidden="true">
      <Piece piece={{ kind: "pusher", side, anchored: false }} />
    </svg>
  );
}
