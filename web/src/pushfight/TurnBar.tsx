// SPDX-License-Identifier: MIT
//
// The turn as far as it has been made, and the way back.
import type { Language } from "../i18n";
import type { Step } from "./arrangement";
import type { Shape } from "./shape";
import { words } from "./texts";
import type { Offers } from "./turns";

export function turnAdvice(moves: readonly Step[], offers: Offers, language: Language): string {
  const text = words(language);
  const canPush = offers.pushes.size > 0;
  if (moves.length === 0) return canPush ? text.nowAny : text.nowMove;
  if (moves.length === 1 && offers.moves.size > 0) return canPush ? text.nowOne : text.nowOneNeeded;
  return text.nowPush;
}

interface TurnBarProps {
  readonly playable: boolean;
  readonly shape: Shape;
  readonly moves: readonly Step[];
  readonly offers: Offers;
  readonly language: Language;
  readonly takeBack: () => void;
}

export function TurnBar({ playable, shape, moves, offers, language, takeBack }: TurnBarProps) {
  const text = words(language);
  const stepText = (step: Step | undefined) => (step ? `${shape.squares[step.from]?.name}–${shape.squares[step.to]?.name}` : null);
  return (
    <div class={playable ? "pushfight-turn" : "pushfight-turn idle"} role="group" aria-label={text.turn}>
      <ol>
        {[0, 1].map((number) => {
          const made = stepText(moves[number]);
          return (
            <li key={number} class={made !== null ? "made" : moves.length === number ? "next" : ""}>
              <span class="step-name">{text.moveNumber(number + 1)}</span> <span class="step">{made ?? <span aria-label={text.none}>–</span>}</span>
            </li>
          );
        })}
        <li class={offers.pushes.size > 0 ? "next push" : "push"}>
          <span class="step-name">{text.push}</span> <span aria-hidden="true">⇒</span>
        </li>
      </ol>
      <span class="advice">{turnAdvice(moves, offers, language)}</span>
      {/* Not disabled: it would lose the focus when the last step is taken back. */}
      <button type="button" aria-disabled={moves.length === 0} onClick={() => moves.length > 0 && takeBack()}>
        {text.takeBack}
      </button>
    </div>
  );
}
