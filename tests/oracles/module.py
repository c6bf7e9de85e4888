# SPDX-License-Identifier: MIT
"""What tools/oracles asks the Python module: python3 module.py FOLDER-OF-SHOGI-DATA, in a folder with games."""

import hashlib
import sys
from pathlib import Path

import numpy as np

import kanzen
from kanzen import shogi


def digest(array):
    array = np.ascontiguousarray(array)
    return f"{array.dtype} {array.shape} {hashlib.sha256(array.tobytes()).hexdigest()}"


def attempt(call):
    try:
        return call()
    except Exception as error:  # pylint: disable=broad-except
        return f"{type(error).__name__}: {error}"


print(kanzen.__version__, kanzen.__all__)
print([name for name in dir(shogi) if not name.startswith("_")])
print(sorted(name for name in dir(kanzen._kanzen) if not name.startswith("__")))
for name in ["dobutsu", "pushfight", "chess:kqvk", "./tictactoe.so", "nine.ini:nine-sp", "nothing"]:
    game = attempt(lambda: kanzen.game(name))
    print("==", name, game)
    if isinstance(game, str):
        continue
    print(game.title, game.unit, game.rules, game.notations, game.proves)
    for rules in game.rules:
        start = game.start(rules)
        print(rules, game.index_size(rules), [attempt(lambda: start.format(notation)) for notation in game.notations])
        print(start.side, start.moves()[:20], start.immediate, start.rank(), start.perft(1))
        print(start.draw(), hashlib.sha256(start.svg().encode()).hexdigest())
        indices = np.random.default_rng(5).integers(0, game.index_size(rules), 500).astype(np.uint64)
        positions = attempt(lambda: game.unrank(indices, rules))
        print(positions if isinstance(positions, str) else digest(positions))
        if not isinstance(positions, str):
            print(attempt(lambda: digest(game.rank(positions, rules))))
            print(attempt(lambda: game.format(positions[:5])))
        table = attempt(lambda: kanzen.open(game, rules=rules))
        print(type(table).__name__)
        if not isinstance(table, kanzen.Table):
            continue
        print([attempt(lambda: (str(move.move), str(move.value))) for move in table.moves()][:30])
        print(table.probe(), attempt(lambda: digest(table.probe(indices))), list(table.counts())[:50])
print(attempt(lambda: kanzen.game("dobutsu").position("x")), attempt(lambda: kanzen.game("dobutsu").start().play("9a9b")))
print(kanzen.game("pushfight").position(".Yoo.....OO......XO...xxX.").prove(depth=4))

folder = Path(sys.argv[1])
sfens = [line.split("\t")[0] for line in (folder / "games_all.tsv").read_text().splitlines() if not line.startswith("#")]
positions = shogi.parse(sfens)
print("== shogi", digest(positions), shogi.sfens(positions) == sfens)
for kind in ["sspf", "sspfx", "sspfc", "psfen", "hcp"]:
    packed = attempt(lambda: shogi.pack(sfens, kind))
    print(kind, packed if isinstance(packed, str) else digest(packed))
    print(attempt(lambda: digest(shogi.unpack(packed, kind).positions)))
print(attempt(lambda: [digest(array) for array in shogi.legal_moves(sfens)[:2]]), shogi.play("startpos", "7g7f"))
print(shogi.move_to_usi(shogi.move_from_usi("7g7f")), attempt(lambda: shogi.parse("x")), attempt(lambda: shogi.play("startpos", "x")))
for name in ["psv", "hcpe", "plain", "sfen", "hcp"]:
    made = attempt(lambda: shogi.convert_file(folder / "games_all.csa", f"made.{name}"))
    print(name, made, hashlib.sha256(Path(f"made.{name}").read_bytes()).hexdigest() if Path(f"made.{name}").exists() else "")
