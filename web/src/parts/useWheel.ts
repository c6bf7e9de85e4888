// SPDX-License-Identifier: MIT
//
// The wheel over the board steps through the game.
import { useEffect, useRef } from "preact/hooks";
import { jumpTo } from "../state/actions";
import { index, record } from "../state/store";

/** Turning that makes a step, in pixels. */
const notch = 60;

export function useWheel() {
  const element = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const box = element.current;
    if (!box) return;
    let turned = 0;
    const onWheel = (event: WheelEvent) => {
      if (event.ctrlKey || event.metaKey) return; // that zooms
      const way = Math.sign(event.deltaY);
      const target = index.value + way;
      // At either end the page scrolls, as it does elsewhere.
      if (way === 0 || target < 0 || target > record.value.plies.length) return;
      event.preventDefault();
      turned = Math.sign(turned) === way ? turned + event.deltaY : event.deltaY;
      if (Math.abs(turned) < notch) return;
      turned = 0;
      jumpTo(target);
    };
    box.addEventListener("wheel", onWheel, { passive: false });
    return () => box.removeEventListener("wheel", onWheel);
  }, []);
  return element;
}
