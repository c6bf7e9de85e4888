// SPDX-License-Identifier: MIT
//
// Stars when the person has beaten the computer. Nothing moves for people who don't want that.
import { ended } from "../state/ending";
import { opponent } from "../state/store";

const stars = 14;

export function Celebration() {
  const ending = ended.value;
  const computer = opponent.value.side;
  if (computer === null || ending?.by !== "rules" || ending.winner === null || ending.winner === computer) return null;
  return (
    <div class="celebration" aria-hidden="true">
      {Array.from({ length: stars }, (_, number) => (
        <span key={number} style={{ left: `${(number * 100) / stars + 2}%`, animationDelay: `${(number * 7) % 10}00ms` }}>
          ★
        </span>
      ))}
    </div>
  );
}
