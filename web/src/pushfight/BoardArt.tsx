// SPDX-License-Identifier: MIT
//
// The board without pieces: its body, the squares, the railings, and the names of rows and columns.
import { cell, rim, type Geometry } from "./geometry";

export function BoardArt({ place, labels = true }: { readonly place: Geometry; readonly labels?: boolean }) {
  const { shape } = place;
  const body = shape.squares.map((_, square) => {
    const { x, y } = place.centre(square);
    const half = cell / 2 + rim;
    return { x: x - half, y: y - half, width: 2 * half, height: 2 * half, rx: rim };
  });
  return (
    <g aria-hidden="true">
      <g class="body-shade">
        {body.map((box) => (
          <rect key={`${box.x} ${box.y}`} {...box} y={box.y + 12} />
        ))}
      </g>
      <g class="body">
        {body.map((box) => (
          <rect key={`${box.x} ${box.y}`} {...box} />
        ))}
      </g>
      {shape.squares.map(({ name, column, row }, square) => {
        const { x, y } = place.centre(square);
        return (
          <g key={name}>
            <rect class={(column + row) % 2 === 0 ? "square" : "square alt"} x={x - 47} y={y - 47} width="94" height="94" rx="9" />
            <path class="square-edge" d={`M${x - 44} ${y + 38} V${y - 36} Q${x - 44} ${y - 44} ${x - 36} ${y - 44} H${x + 38}`} />
          </g>
        );
      })}
      {shape.rails.above && <Rail place={place} row={0} up={!place.flipped} />}
      {shape.rails.below && <Rail place={place} row={shape.rows - 1} up={place.flipped} />}
      {labels && <Labels place={place} />}
    </g>
  );
}

/** The railing along the outer edge of a row, a bar with posts for each run of squares. */
function Rail({ place, row, up }: { readonly place: Geometry; readonly row: number; readonly up: boolean }) {
  const { shape } = place;
  const runs: { from: number; to: number }[] = [];
  for (let column = 0; column < shape.columns; column++) {
    if (shape.at(column, row) < 0) continue;
    const run = runs.at(-1);
    if (run && run.to === column - 1) run.to = column;
    else runs.push({ from: column, to: column });
  }
  return (
    <>
      {runs.map(({ from, to }) => {
        const a = place.centreOf(from, row);
        const b = place.centreOf(to, row);
        const left = Math.min(a.x, b.x) - cell / 2 - 4;
        const right = Math.max(a.x, b.x) + cell / 2 + 4;
        const y = up ? a.y - cell / 2 - 9 : a.y + cell / 2 + 9;
        const posts: number[] = [];
        for (let x = left + 8; x <= right; x += (right - left - 16) / (to - from + 1)) posts.push(x);
        return (
          <g key={from} class="rail">
            <rect class="rail-shade" x={left + 2} y={y - 4} width={right - left} height="18" rx="9" />
            <rect class="rail-wall" x={left} y={y - 7} width={right - left} height="17" rx="8.5" />
            <rect class="rail-face" x={left} y={y - 10} width={right - left} height="15" rx="7.5" />
            <path class="rail-shine" d={`M${left + 9} ${y - 6} H${right - 9}`} />
            {posts.map((x) => (
              <circle key={x} class="rail-post" cx={x} cy={y - 2.5} r="3.4" />
            ))}
          </g>
        );
      })}
    </>
  );
}

function Labels({ place }: { readonly place: Geometry }) {
  const { shape, width, height } = place;
  return (
    <g class="labels">
      {shape.letters.map((letter, column) => {
        const { x } = place.centreOf(column, 0);
        return (
          <g key={letter}>
            <text x={x} y="28">
              {letter}
            </text>
            <text x={x} y={height - 12}>
              {letter}
            </text>
          </g>
        );
      })}
      {shape.digits.map((digit, row) => {
        const y = place.centreOf(0, row).y + 9;
        return (
          <g key={digit}>
            <text x="16" y={y}>
              {digit}
            </text>
            <text x={width - 16} y={y}>
              {digit}
            </text>
          </g>
        );
      })}
    </g>
  );
}
