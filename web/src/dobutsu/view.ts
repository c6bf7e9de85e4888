// SPDX-License-Identifier: MIT
import "./dobutsu.css";
import type { GameView } from "../games/view";
import { Board } from "./Board";
import { Editor } from "./Editor";
import { parse } from "./parse";
import { moveSpeech, moveText, sideName, words } from "./speech";
import { Thumbnail } from "./Thumbnail";

export const dobutsuView: GameView = {
  name: "dobutsu",
  Board,
  Editor,
  Thumbnail,
  emptyPosition: () => "3/3/3/3 b -",
  sideToMove: (position) => parse(position).toMove,
  sideName,
  rulesName: (rules, language) => (rules === "official" || rules === "simplified" ? words(language)[rules] : rules),
  moveText,
  moveSpeech,
  boardHelp: (language) => words(language).help,
};
