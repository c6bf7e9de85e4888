// SPDX-License-Identifier: MIT
import "./pushfight.css";
import type { GameView } from "../games/view";
import { emptyBoard, sideToMove } from "./arrangement";
import { positionsBefore, turnsBefore } from "./before";
import { Board } from "./Board";
import { Editor } from "./Editor";
import { Emblem } from "./Emblem";
import { lesson } from "./lesson";
import { Placing } from "./Placing";
import { boardOf, shapeFor } from "./shapes";
import { rulesName, sideName, turnSpeech, turnText, whyIllegal } from "./speech";
import { words } from "./texts";
import { Thumbnail } from "./Thumbnail";

export const pushfightView: GameView = {
  name: "pushfight",
  Emblem,
  fact: (rules, language) => (rules === "standard" ? words(language).factStandard : words(language).factOther),
  repetition: null,
  kif: null,
  before: (position, rules) => {
    const board = boardOf(rules);
    return board ? positionsBefore(board.shape, position) : [];
  },
  beforeMore: (position, rules) => {
    const board = boardOf(rules);
    return board ? turnsBefore(board.shape, position) : [].values();
  },
  beforeNote: (language) => words(language).beforeNote,
  lesson,
  Placing,
  hint: (turn) => {
    const push = turn.split(",").at(-1) ?? turn;
    const [from = "", to = ""] = push.split("-");
    return { from: turn.split("-")[0] ?? "", to: `${from} ⇒ ${to}` };
  },
  whyIllegal,
  Board,
  Editor,
  Thumbnail,
  emptyPosition: (rules) => emptyBoard(boardOf(rules)?.shape.squares.length ?? 0),
  sideToMove,
  sideName,
  rulesName,
  moveText: (turn) => turnText(turn),
  // Moves of two pieces may come in either order.
  spellings: (turn) => {
    const [first = "", second = "", push = ""] = turn.split(",");
    return push === "" ? [turn, turn.replaceAll(",", "")] : [turn, turn.replaceAll(",", ""), `${second},${first},${push}`, `${second}${first}${push}`];
  },
  moveSpeech: (turn, position, language) => {
    const shape = shapeFor(position);
    return shape ? turnSpeech(shape, turn, position, language) : turnText(turn);
  },
  boardHelp: (language) => words(language).help,
};
