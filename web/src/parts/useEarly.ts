// SPDX-License-Identifier: MIT
//
// What somebody chooses on a board before its moves are known is kept until they are, and chosen then, in its order.
import { useEffect, useRef, useState } from "preact/hooks";

/** Chooses a place now or, while the moves of the position are awaited, later. `choose` is that of the last drawing. */
export function useEarly<T>(awaited: boolean, position: string, choose: (place: T) => void): (place: T) => void {
  const early = useRef<{ position: string; places: T[] }>({ position, places: [] });
  if (early.current.position !== position) early.current = { position, places: [] };
  const { places } = early.current;
  const [, drawAgain] = useState(0);
  useEffect(() => {
    const place = awaited ? undefined : places.shift();
    if (place === undefined) return;
    choose(place);
    drawAgain((count) => count + 1); // the next one sees what this one has changed
  });
  return (place) => {
    if (awaited || places.length > 0) places.push(place);
    else choose(place);
  };
}
