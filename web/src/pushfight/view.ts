// SPDX-License-Identifier: MIT
import "./pushfight.css";
import type { GameView } from "../games/view";
import { emptyBoard, sideToMove } from "./arrangement";
import { Board } from "./Board";
import { Editor } from "./Editor";
import { boardOf, shapeFor } from "./shapes";
import { rulesName, sideName, turnSpeech, turnText } from "./speech";
import { words } from "./texts";
import { Thumbnail } from "./Thumbnail";

export const pushfightView: GameView = {
  name: "pushfight",
  Board,
  Editor,
  Thumbnail,
  emptyPosition: (rules) => emptyBoard(boardOf(rules)?.shape.squares.length ?? 0),
  sideToMove,
  sideName,
  rulesName,
  moveText: (turn) => turnText(turn),
  moveSpeech: (turn, position, language) => {
    const shape = shapeFor(position);
    return shape ? turnSpeech(shape, turn, position, language) : turnText(turn);
  },
  boardHelp: (language) => words(language).help,
};
