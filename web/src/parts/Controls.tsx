// SPDX-License-Identifier: MIT
//
// The buttons below the board.
import type { ComponentChildren } from "preact";
import { BackIcon, EyeIcon, FirstIcon, FlipIcon, ForwardIcon, LastIcon, PencilIcon, PlusIcon } from "../app/icons";
import { flip, jumpTo, redo, startEditing, startGame, undo } from "../state/actions";
import { flipped, hints, index, record } from "../state/store";
import { partTexts } from "./texts";

interface IconButtonProps {
  readonly label: string;
  readonly onClick: () => void;
  readonly disabled?: boolean;
  readonly pressed?: boolean;
  readonly children: ComponentChildren;
}

function IconButton({ label, onClick, disabled = false, pressed, children }: IconButtonProps) {
  return (
    <button
      type="button"
      class="control"
      aria-label={label}
      title={label}
      aria-pressed={pressed}
      disabled={disabled}
      onClick={onClick}
    >
      {children}
    </button>
  );
}

export function Controls() {
  const texts = partTexts();
  const { game, rules, plies } = record.value;
  const atStart = index.value === 0;
  const atEnd = index.value === plies.length;
  return (
    <div class="controls">
      <IconButton label={texts.first} disabled={atStart} onClick={() => jumpTo(0)}>
        <FirstIcon />
      </IconButton>
      <IconButton label={texts.undo} disabled={atStart} onClick={undo}>
        <BackIcon />
      </IconButton>
      <IconButton label={texts.redo} disabled={atEnd} onClick={redo}>
        <ForwardIcon />
      </IconButton>
      <IconButton label={texts.last} disabled={atEnd} onClick={() => jumpTo(plies.length)}>
        <LastIcon />
      </IconButton>
      <IconButton label={texts.flip} pressed={flipped.value} onClick={flip}>
        <FlipIcon />
      </IconButton>
      <IconButton label={texts.hints} pressed={hints.value} onClick={() => (hints.value = !hints.value)}>
        <EyeIcon />
      </IconButton>
      <IconButton label={texts.edit} onClick={startEditing}>
        <PencilIcon />
      </IconButton>
      <IconButton label={texts.newGame} onClick={() => void startGame(game, rules)}>
        <PlusIcon />
      </IconButton>
    </div>
  );
}
