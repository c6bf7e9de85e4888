# SPDX-License-Identifier: MIT
"""Games, positions, ranks: against published figures and the command."""

import pickle
import subprocess
import sys

import numpy as np
import pytest

import kanzen

START = "gle/1c1/1C1/ELG b - 1"


def test_games(command):
    names = [game.name for game in kanzen.games()]
    assert names[:2] == ["dobutsu", "pushfight"]
    dobutsu = kanzen.game("dobutsu")
    assert dobutsu.rules == ("official", "simplified")
    assert dobutsu.unit == "plies" and kanzen.game("pushfight").unit == "turns"
    assert kanzen.game("pushfight").proves and not dobutsu.proves
    assert kanzen.__version__ == command("version")["version"]


def test_positions():
    start = kanzen.game("dobutsu").start()
    assert str(start) == START and start.side == "sente" and start.rules == "official"
    assert start.format("state40") == "0x2b20785c1d"  # of the analyzer's specification
    assert start.moves() == ["2d3c", "2d1c", "2c2b", "1d1c"]
    after = start.play("2c2b", "1a2b")
    assert after.side == "sente" and "c" in str(after)
    assert str(start) == START
    assert start.immediate.outcome == "unknown"
    assert "<svg" in start.svg() and start.svg() == start._repr_svg_()
    assert start.draw().count("\n") > 3
    with pytest.raises(AttributeError):
        start.rules = "simplified"


def test_perft():
    start = kanzen.game("dobutsu").start()
    # The official figures are published.
    assert [start.perft(depth) for depth in range(7)] == [1, 4, 17, 123, 976, 8122, 71677]
    assert kanzen.game("dobutsu").start("simplified").perft(6) == 72004
    with pytest.raises(ValueError):
        start.perft(-1)


def test_equality():
    game = kanzen.game("dobutsu")
    a, b = game.position("gle/1c1/1C1/ELG b - 1"), game.position("gle/1c1/1C1/ELG b - 7")
    assert a == b and hash(a) == hash(b) and len({a, b}) == 1
    assert a != a.play("2d3c") and a != game.start("simplified") and a != "text"
    copy = pickle.loads(pickle.dumps(a.play("2d3c")))
    assert copy == a.play("2d3c") and str(copy) == str(a.play("2d3c"))
    assert pickle.loads(pickle.dumps(game)).name == "dobutsu"


@pytest.mark.parametrize(
    "text, says",
    [("nonsense", "character 1"), ("", "empty|character|position"), ("gle/1c1/1C1/EL b - 1", "character"), ("gle\0", "character")],
)
def test_bad_text(text, says):
    with pytest.raises(kanzen.InputError, match=says) as caught:
        kanzen.game("dobutsu").position(text)
    assert isinstance(caught.value, ValueError) and isinstance(caught.value, kanzen.Error)


def test_bad_wishes():
    game = kanzen.game("dobutsu")
    with pytest.raises(kanzen.Error, match="no game"):
        kanzen.game("go")
    with pytest.raises(ValueError, match="no rules 'wild'"):
        game.start("wild")
    with pytest.raises(ValueError, match="no notation 'x'"):
        game.start().format("x")
    with pytest.raises(kanzen.InputError):
        game.start().play("9a9b")
    with pytest.raises(TypeError):
        game.position(3)
    with pytest.raises(ValueError, match="64 bytes"):
        kanzen.Position(game, None, b"short")
    with pytest.raises(kanzen.InputError):
        kanzen.Position(game, None, bytes(64))
    with pytest.raises(ValueError, match="pushfight"):
        game.position(kanzen.game("pushfight").start())
    with pytest.raises(kanzen.UnsupportedError):
        game.start().prove()


def test_prove(command):
    # Won in 4 turns, as was published; the command finds that, too.
    position = kanzen.game("pushfight").position(".Yoo.....OO......XO...xxX.")
    assert position.prove(depth=4) == kanzen.Value("win", 7) and position.prove(depth=3).outcome == "unknown"
    with pytest.raises(ValueError, match="at most"):
        position.prove(depth=99)
    assert command("probe", "pushfight", str(position))["distance"] == 4


def test_ranks():
    game = kanzen.game("dobutsu")
    assert game.index_size() == 231_641_991  # Tanaka's positions, folded
    indices = np.random.default_rng(5).integers(0, game.index_size(), 20_000).astype(np.uint64)
    positions = game.unrank(indices, threads=2)
    assert positions.shape == (20_000, 8) and positions.dtype == np.uint64
    assert (game.rank(positions) == indices).all()
    texts = game.format(positions[:50])
    assert (game.rank(texts) == indices[:50]).all()
    assert (game.parse(texts) == positions[:50]).all()
    assert game.position(texts[0]).rank() == int(indices[0])
    assert [str(p) for p in game.positions(positions[:3])] == texts[:3]
    # The mirror image is the same position there.
    assert game.position("elg/1c1/1C1/GLE b - 1").rank() == game.start().rank()
    # A lion that was taken: the game is over, and the position has no index.
    over = game.position("g1e/2G/1cl/E2 b lc 1")
    assert over.moves() == [] and over.rank() is None and game.rank([over])[0] == kanzen.NO_INDEX


def test_ranks_of_nothing():
    game = kanzen.game("dobutsu")
    assert game.unrank([]).shape == (0, 8) and len(game.rank([])) == 0
    for bad in ([game.index_size()], [-1], np.array([2**64 - 1], np.uint64)):
        with pytest.raises(IndexError):
            game.unrank(bad)
    for bad in ([0.5], [[1, 2]], np.array(["x"])):
        with pytest.raises(TypeError):
            game.unrank(bad)
    with pytest.raises(TypeError):
        game.rank(np.zeros((3, 8), np.int64))
    with pytest.raises(kanzen.InputError, match="number 0"):
        game.rank(np.zeros((3, 8), np.uint64))
    with pytest.raises(kanzen.InputError, match="number 1: character 1"):
        game.parse([START, "nonsense"])
    with pytest.raises(TypeError, match="number 1"):
        game.parse([START, 5])


def test_without_numpy():
    """Single positions do without NumPy; what needs it says how to get it."""
    program = f"""
import sys
sys.modules["numpy"] = None
import kanzen
assert kanzen.game("dobutsu").start().format() == {START!r}
for needs in (lambda: kanzen.game("dobutsu").unrank([0]), lambda: __import__("kanzen.shogi")):
    try:
        needs()
    except ImportError as error:
        assert str(error).startswith("arrays need NumPy: pip install"), error
    else:
        raise AssertionError("it was imported")
"""
    subprocess.run([sys.executable, "-c", program], check=True, timeout=120)
