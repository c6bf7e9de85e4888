// SPDX-License-Identifier: MIT
import { pieceAt } from "./arrangement";
import { BoardArt } from "./BoardArt";
import { geometry } from "./geometry";
import { Piece } from "./Piece";
import { boardOf } from "./shapes";

interface ThumbnailProps {
  readonly rules: string;
  readonly position: string;
  readonly flipped: boolean;
}

export function Thumbnail({ rules, position, flipped }: ThumbnailProps) {
  const board = boardOf(rules);
  if (!board) return <svg class="board pushfight thumbnail" viewBox="0 0 836 480" aria-hidden="true" />;
  const place = geometry(board.shape, flipped, true);
  return (
    <svg class="board pushfight thumbnail" viewBox={`0 0 ${place.width} ${place.height}`} aria-hidden="true">
      <BoardArt place={place} labels={false} />
      {board.shape.squares.map(({ name }, square) => {
        const piece = pieceAt(position, square);
        const { x, y } = place.centre(square);
        return piece ? (
          <g key={name} transform={`translate(${x} ${y})`}>
            <Piece piece={piece} />
          </g>
        ) : null;
      })}
    </svg>
  );
}
