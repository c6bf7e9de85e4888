// SPDX-License-Identifier: MIT
//
// The buttons below the board.
import type { ComponentChildren } from "preact";
import { BackIcon, FirstIcon, FlipIcon, ForwardIcon, LastIcon, PencilIcon, PlusIcon } from "../app/icons";
import { flip, jumpTo, redo, startEditing, undo } from "../state/actions";
import { flipped, index, newGameOpen, record } from "../state/store";
import { partTexts } from "./texts";

interface IconButtonProps {
  readonly label: string;
  readonly onClick: () => void;
  readonly disabled?: boolean;
  readonly pressed?: boolean;
  /** A word below the picture. */
  readonly word: string;
  readonly children: ComponentChildren;
}

function IconButton({ label, onClick, disabled = false, pressed, word, children }: IconButtonProps) {
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
      <span class="control-word" aria-hidden="true">
        {word}
      </span>
    </button>
  );
}

export function Controls() {
  const texts = partTexts();
  const { plies } = record.value;
  const atStart = index.value === 0;
  const atEnd = index.value === plies.length;
  return (
    <div class="controls">
      <IconButton label={texts.toFirst} word={texts.firstWord} disabled={atStart} onClick={() => jumpTo(0)}>
        <FirstIcon />
      </IconButton>
      <IconButton label={texts.undo} word={texts.undoWord} disabled={atStart} onClick={undo}>
        <BackIcon />
      </IconButton>
      <IconButton label={texts.redo} word={texts.redoWord} disabled={atEnd} onClick={redo}>
        <ForwardIcon />
      </IconButton>
      <IconButton label={texts.last} word={texts.lastWord} disabled={atEnd} onClick={() => jumpTo(plies.length)}>
        <LastIcon />
      </IconButton>
      <IconButton label={texts.flip} word={texts.flipWord} pressed={flipped.value} onClick={flip}>
        <FlipIcon />
      </IconButton>
      <IconButton label={texts.edit} word={texts.editWord} onClick={startEditing}>
        <PencilIcon />
      </IconButton>
      <IconButton label={texts.newGame} word={texts.newWord} onClick={() => (newGameOpen.value = true)}>
        <PlusIcon />
      </IconButton>
    </div>
  );
}
