// SPDX-License-Identifier: MIT
import { BoardArt } from "./BoardArt";
import { geometry } from "./geometry";
import { parse } from "./parse";
import { Pieces } from "./Pieces";

export function Thumbnail({
  position,
  flipped,
}: {
  readonly rules: string;
  readonly position: string;
  readonly flipped: boolean;
}) {
  const shape = geometry("wide", flipped);
  const picture = parse(position);
  return (
    <svg class="board dobutsu thumbnail" viewBox={`0 0 ${shape.width} ${shape.height}`} aria-hidden="true">
      <BoardArt shape={shape} toMove={picture.toMove} />
      <Pieces shape={shape} picture={picture} />
    </svg>
  );
}
