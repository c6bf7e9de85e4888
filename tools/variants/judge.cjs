// SPDX-License-Identifier: MIT
//
// node judge.cjs VARIANT FILE COUNT SEED    positions of random games with their legal moves and results, as
// Fairy-Stockfish's rules have them: FEN, tab, moves in order, tab, result ("*": the game goes on). FILE is a text with the
// variant, or "-" for one that Fairy-Stockfish knows. Needs the npm package ffish (tools/variants/run installs it).
//
// A pawn that is dropped to give mate is legal there and loses; Kanzen calls it illegal, so it is left out.
delete globalThis.fetch; // its loader takes fetch for a sign of a browser
const ffish = require("ffish");
const fs = require("fs");
const [, , name, file, count, seed] = process.argv;

let state = BigInt(seed);
function below(limit) {
  state = (state * 6364136223846793005n + 1442695040888963407n) & ((1n << 64n) - 1n);
  return Number((state >> 33n) % BigInt(limit));
}

function dropsMate(board, move) {
  if (!move.startsWith("P@")) return false;
  board.push(move);
  const mates = board.isCheck() && board.legalMoves() === "";
  board.pop();
  return mates;
}

ffish.onRuntimeInitialized = () => {
  if (file !== "-") ffish.loadVariantConfig(fs.readFileSync(file, "utf8"));
  const lines = [];
  while (lines.length < Number(count)) {
    const board = new ffish.Board(name);
    for (let ply = 0; ply < 80 && lines.length < Number(count); ply++) {
      const moves = board.legalMoves().split(" ").filter((move) => move && !dropsMate(board, move));
      const over = board.isGameOver(false) || moves.length === 0;
      lines.push([board.fen(), moves.sort().join(" "), over ? board.result(false) : "*"].join("\t"));
      if (over) break;
      board.push(moves[below(moves.length)]);
    }
    board.delete();
  }
  fs.writeSync(1, lines.join("\n") + "\n");
};
