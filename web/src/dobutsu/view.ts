// SPDX-License-Identifier: MIT
import "./dobutsu.css";
import type { GameView } from "../games/view";
import { Board } from "./Board";
import { Editor } from "./Editor";
import { Emblem } from "./Emblem";
import { parse } from "./parse";
import { positionsBefore } from "./before";
import { lesson } from "./lesson";
import { kifMove, moveHint, moveSpeech, moveText, sideName, spellings, whyIllegal, words } from "./speech";
import { Thumbnail } from "./Thumbnail";

export const dobutsuView: GameView = {
  name: "dobutsu",
  Emblem,
  fact: (_rules, language) => words(language).fact,
  repetition: { times: 3, same: (position) => position.split(" ").slice(0, 3).join(" ") },
  whyIllegal: (_rules, position, language) => whyIllegal(parse(position), language),
  Board,
  Editor,
  Thumbnail,
  emptyPosition: () => "3/3/3/3 b -",
  sideToMove: (position) => parse(position).toMove,
  sideName,
  rulesName: (rules, language) => (rules === "official" || rules === "simplified" ? words(language)[rules] : rules),
  moveText,
  moveSpeech,
  spellings,
  kif: { name: "どうぶつしょうぎ", move: kifMove },
  before: positionsBefore,
  lesson,
  Placing: null,
  hint: moveHint,
  boardHelp: (language) => words(language).help,
};
