// SPDX-License-Identifier: MIT
//
// What went wrong, in the language of the page. Errors of the engine have a code and parameters (docs/api.md); the page's own
// errors have codes, too.
import { EngineError, type ErrorParams } from "../engine/types";
import { tableIn, type Language } from "../i18n";

/** An error that the page words itself. */
export class PageError extends EngineError {
  constructor(code: string, params: ErrorParams = {}) {
    super(400, code, code, params);
  }
}

const words = tableIn(
  {
    bad_position: "This is no position of the game.",
    bad_position_at: (text: string) => `This is no position of the game: “${text}” can't be read.`,
    unknown_rules: (rules: string) => `There are no rules called “${rules}” for this game. The usual ones are shown.`,
    unknown_level: (level: string) => `There is no level called “${level}”.`,
    unknown_game: (game: string) => `There is no game called “${game}” on this page.`,
    no_table: "There is no table for these rules here.",
    too_long: "That is too long.",
    table_damaged: "The table is damaged. Reload the page; if that does not help, the site has to be repaired.",
    no_memory: "There is not enough memory for this answer.",
    offline: "There is no connection.",
    late: "The answer takes too long.",
    busy: "The server is busy.",
    host_status: (file: string, status: string) => `${file} can't be loaded: the host answers with status ${status}.`,
    wrong_length: (file: string) => `${file} is not as long as it should be.`,
    no_parts: (file: string) => `${file} is too large to be loaded as a whole, and this host can't send parts of files.`,
    no_engine: "The engine can't be started in this browser.",
    answer_status: (status: string) => `The engine answered with status ${status}.`,
    internal: "Something went wrong in the engine.",
    illegal_move: (move: string, number: string) => `Move ${number}, “${move}”, can't be played here. The moves before it are shown.`,
    not_read: "This is neither a position nor a game that can be read here.",
  },
  {
    bad_position: "この局面は読み取れません。",
    bad_position_at: (text: string) => `この局面は読み取れません(「${text}」のところ)。`,
    unknown_rules: (rules: string) => `「${rules}」というルールはありません。標準のルールで表示します。`,
    unknown_level: (level: string) => `「${level}」という強さはありません。`,
    unknown_game: (game: string) => `「${game}」というゲームはありません。`,
    no_table: "このルールの解析データはありません。",
    too_long: "長すぎます。",
    table_damaged: "解析データが壊れています。ページを読み込み直してください。",
    no_memory: "メモリーが足りません。",
    offline: "通信できません。",
    late: "応答に時間がかかっています。",
    busy: "サーバーが混み合っています。",
    host_status: (file: string, status: string) => `${file}を読み込めません(状態コード${status})。`,
    wrong_length: (file: string) => `${file}の長さが正しくありません。`,
    no_parts: (file: string) => `${file}は大きすぎて、このサーバーからは読み込めません。`,
    no_engine: "このブラウザーでは解析エンジンを動かせません。",
    answer_status: (status: string) => `解析エンジンがエラーを返しました(状態コード${status})。`,
    internal: "解析エンジンでエラーが起きました。",
    illegal_move: (move: string, number: string) => `${number}手目「${move}」は指せません。その前までを表示します。`,
    not_read: "局面としても棋譜としても読み取れません。",
  },
);

function text(params: ErrorParams, name: string): string {
  const value = params[name];
  return Array.isArray(value) ? value.join(", ") : String(value ?? "");
}

/** @param typed what the person typed, if the error may be about it */
export function errorWords(error: unknown, language: Language, typed = ""): string {
  const say = words(language);
  if (!(error instanceof EngineError)) return language === "ja" ? say.internal : error instanceof Error ? error.message : String(error);
  const { code, params } = error;
  switch (code) {
    case "bad_position": {
      // Only what the person typed is quoted: characters of a text that the page made mean nothing to anybody.
      const character = Number(params["character"] ?? 0);
      const shown = typed.slice(Math.max(0, character - 1), character + 9);
      return character > 0 && shown !== "" ? say.bad_position_at(shown) : say.bad_position;
    }
    case "unknown_rules":
      return say.unknown_rules(text(params, "rules"));
    case "unknown_level":
      return say.unknown_level(text(params, "level"));
    case "unknown_game":
      return say.unknown_game(text(params, "game"));
    case "too_many_positions":
    case "body_too_long":
    case "query_too_long":
    case "address_too_long":
      return say.too_long;
    case "host_status":
      return say.host_status(text(params, "file"), text(params, "status"));
    case "wrong_length":
    case "no_parts":
      return say[code](text(params, "file"));
    case "answer_status":
      return say.answer_status(text(params, "status"));
    case "illegal_move":
      return say.illegal_move(text(params, "move"), text(params, "number"));
    case "no_table":
    case "table_damaged":
    case "no_memory":
    case "offline":
    case "late":
    case "busy":
    case "no_engine":
    case "not_read":
      return say[code];
    default:
      return language === "en" && error.message !== "" ? error.message : say.internal;
  }
}
