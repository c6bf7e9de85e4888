// SPDX-License-Identifier: MIT
//
// The pieces, drawn around (0, 0) and 80 units wide: square blocks that push, round ones that don't. Red ones bear a ring,
// blue ones a cross, so that the colour is not all there is. The anchor is a brass cap.
import type { Piece as PieceKind } from "./arrangement";

function Block() {
  return (
    <>
      <rect class="shade" x="-36" y="-26" width="76" height="70" rx="15" />
      <rect class="wall" x="-37" y="-34" width="74" height="75" rx="15" />
      <rect class="face" x="-37" y="-40" width="74" height="73" rx="15" />
      <path class="shine" d="M-32 20 V-24 Q-32 -35 -21 -35 H21" />
      <rect class="hollow" x="-24" y="-27" width="48" height="47" rx="8" />
      <path class="glow" d="M-17 20 H16 Q24 20 24 12 V-20" />
    </>
  );
}

function Disc() {
  return (
    <>
      <ellipse class="shade" cx="2" cy="7" rx="37" ry="36" />
      <circle class="wall" cx="0" cy="3" r="36" />
      <circle class="face" cx="0" cy="-3" r="36" />
      <path class="shine" d="M-30 3 A31 31 0 0 1 14 -31" />
      <circle class="hollow" cx="0" cy="-3" r="22" />
      <path class="glow" d="M21.5 2 A22 22 0 0 1 -10 16.5" />
    </>
  );
}

function Anchor() {
  return (
    <g class="anchor">
      <circle class="cap-shade" cx="1" cy="4" r="24" />
      <circle class="cap-wall" cx="0" cy="-1" r="24" />
      <circle class="cap-face" cx="0" cy="-7" r="24" />
      <path class="cap-shine" d="M-19 -5 A20 20 0 0 1 6 -26" />
      <circle class="cap-sign" cx="0" cy="-17" r="3.6" />
      <path class="cap-sign" d="M0 -13 V8 M-6.5 -8.5 H6.5 M-13 -2 Q-11 8 0 8 Q11 8 13 -2" />
    </g>
  );
}

export function Piece({ piece }: { readonly piece: PieceKind }) {
  const { kind, side, anchored } = piece;
  const middle = kind === "pusher" ? -3.5 : -3;
  return (
    <g class={`piece side${side} ${kind}`}>
      {kind === "pusher" ? <Block /> : <Disc />}
      {anchored ? (
        <Anchor />
      ) : side === 0 ? (
        <circle class="sign" cx="0" cy={middle} r="10" />
      ) : (
        <path class="sign" d={`M-9 ${middle - 9} l18 18 m0 -18 l-18 18`} />
      )}
    </g>
  );
}
