# SPDX-License-Identifier: MIT
"""Tables: probing against the command and published values; solving; errors; threads."""

import hashlib
import os
import signal
import sys
import threading

import numpy as np
import pytest

import kanzen
from kanzen import _kanzen


def test_published_values(dobutsu):
    # Tanaka 2009: the first player loses in 78 plies.
    assert dobutsu.probe() == kanzen.Value("loss", 78) and str(dobutsu.probe()) == "loss 78"
    assert {m.move: m.value.distance for m in dobutsu.moves()} == {"2c2b": 76, "1d1c": 78, "2d1c": 78, "2d3c": 78}
    line = dobutsu.line()
    assert len(line) == 78 and line[-1].position.immediate == kanzen.Value("loss", 0)
    assert [m.value.distance for m in line] == list(range(78, 0, -1))
    totals = {"win": 0, "loss": 0, "draw": 0}
    for value, count in dobutsu.counts():
        totals[value.outcome] += count
    assert totals == {"win": 174_787_315, "loss": 53_793_170, "draw": 3_061_506}
    assert max(value.distance for value, _ in dobutsu.counts() if value.outcome == "win") == 173
    assert dobutsu.positions == 231_641_991 and dobutsu.bytes == os.path.getsize(dobutsu.path)


def test_one_by_one(mini, command):
    table = ["--board", "mini", "--table", mini.path]
    said = command("moves", "pushfight", *table)
    moves = mini.moves()
    assert [m.move for m in moves] == [m["move"] for m in said["moves"]]
    assert [m.value.outcome for m in moves] == [m["value"] for m in said["moves"]]
    line = command("line", "pushfight", *table)["plies"]
    assert [m.move for m in mini.line()] == [ply["move"] for ply in line if ply["move"]]
    assert str(moves[0].position) == said["moves"][0]["position"]
    assert mini.line(most=1)[0].move == moves[0].move
    assert (mini.game.name, mini.rules, mini.closed) == ("pushfight", "mini", False)
    assert "mini" in repr(mini)


def test_arrays(mini, command, tmp_path):
    """Values of arrays, in all their forms, are those that the command prints."""
    rng = np.random.default_rng(7)
    indices = rng.integers(0, mini.game.index_size("mini"), 3000)
    values = mini.probe(indices)
    assert values.dtype == kanzen.value_dtype() and values.shape == (3000,)
    known = np.flatnonzero(values["outcome"] != kanzen.UNKNOWN)
    assert len(known) > 1000
    positions = mini.game.unrank(indices[known], "mini")
    texts = mini.game.format(positions, rules="mini")
    said = command("probe", "pushfight", "--board", "mini", "--table", mini.path, *texts[:200])
    shown = [_kanzen.distance_shown(mini.game._capsule, int(o), int(d)) for o, d in values[known][:200]]
    assert [kanzen.OUTCOMES[o] for o in values["outcome"][known][:200]] == [one["value"] for one in said]
    assert shown == [one["distance"] or 0 for one in said]
    assert (mini.probe(positions) == values[known]).all()
    assert (mini.probe(positions[::-1]) == values[known][::-1]).all()
    assert (mini.probe(texts) == values[known]).all()
    assert (mini.probe(np.array(texts)) == values[known]).all()
    assert (mini.probe(indices.tolist()) == values).all()
    assert (mini.probe(np.arange(200, dtype=np.uint8)) == mini.probe(range(200))).all()
    one = mini.probe(int(indices[known[0]]))
    assert one == mini.probe(texts[0]) == mini.probe(mini.game.position(texts[0], "mini")) == mini.probe(np.int64(indices[known[0]]))
    assert tuple(values[known[0]]) == (kanzen.OUTCOMES.index(one.outcome), one.distance)
    assert len(mini.probe([])) == 0 and len(mini.probe(np.empty(0, np.uint64))) == 0


def test_large_arrays(mini):
    """Several threads find what one finds."""
    count = mini.game.index_size("mini")
    indices = np.arange(0, count, max(1, count // 40_000), dtype=np.uint64)[:30_000]
    alone = mini.probe(indices, threads=1)
    for threads in (2, 3, 5):
        assert (mini.probe(indices, threads=threads) == alone).all()
    with pytest.raises(ValueError):
        mini.probe(indices, threads=0)
    bad = mini.game.unrank(indices[alone["outcome"] != kanzen.UNKNOWN][:20_000], "mini")
    bad[15_000] = 0
    with pytest.raises(kanzen.InputError, match="number 15000"):
        mini.probe(bad, threads=2)


def test_wrong_types(mini):
    for bad in (1.5, object(), True, np.zeros(3), np.zeros((2, 7), np.uint64), [1.5], ["nonsense", 4], b"startpos", bytearray(8), {}):
        with pytest.raises((TypeError, kanzen.InputError)):
            mini.probe(bad)
    with pytest.raises(kanzen.InputError, match="number 1"):
        mini.probe(["startpos", "nonsense"])
    for bad in (-1, mini.game.index_size("mini")):
        with pytest.raises(IndexError):
            mini.probe(bad)
        with pytest.raises(IndexError):
            mini.probe([bad])
    with pytest.raises(kanzen.InputError):
        mini.moves("nonsense")
    with pytest.raises(ValueError):
        mini.probe(kanzen.game("pushfight").start())


def test_closed(mini_path):
    table = kanzen.open(mini_path)
    table.close()
    table.close()
    assert table.closed and "closed" in repr(table)
    for call in (table.probe, table.moves, table.line, table.counts, table.check, table.verify, lambda: table.probe([1])):
        with pytest.raises(ValueError, match="closed"):
            call()
    with kanzen.open(mini_path) as other:
        assert not other.closed
    assert other.closed


def test_open(mini_path, tmp_path, monkeypatch):
    monkeypatch.setenv("KANZEN_TABLES", str(mini_path.parent))
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    monkeypatch.setenv("XDG_DATA_DIRS", str(tmp_path))
    with kanzen.open("pushfight", "mini") as table:
        assert table.path == str(mini_path) == kanzen.table_path("pushfight", "mini")
    with kanzen.open("pushfight", path=mini_path) as table:
        assert table.rules == "mini"
    with kanzen.open(kanzen.game("pushfight"), "mini", cache=1 << 20) as table:
        assert table.probe().outcome == "win"
    with pytest.raises(kanzen.FileError, match="kanzen solve") as caught:
        kanzen.open("dobutsu")
    assert isinstance(caught.value, OSError)
    with pytest.raises(kanzen.FileError):
        kanzen.open(tmp_path / "none.kzt")
    with pytest.raises(ValueError, match="mini"):
        kanzen.open(str(mini_path), "standard")
    with pytest.raises(kanzen.InputError):
        kanzen.open("dobutsu", path=mini_path)
    with pytest.raises(ValueError):
        kanzen.open(mini_path, cache=-1)
    data = bytearray(mini_path.read_bytes())
    data[20] ^= 1
    (tmp_path / "bad.kzt").write_bytes(data)
    with pytest.raises(kanzen.CorruptError, match="bad.kzt"):
        kanzen.open(tmp_path / "bad.kzt")
    data[20] ^= 1
    data[-100] ^= 1
    (tmp_path / "late.kzt").write_bytes(data)
    with kanzen.open(tmp_path / "late.kzt") as table:
        with pytest.raises(kanzen.CorruptError):
            table.check()


def test_check_and_verify(mini):
    reports = []
    mini.check(lambda *report: reports.append(report))
    assert reports and all(isinstance(stage, str) and done <= total or not total for stage, done, total in reports)
    found = mini.verify()
    counts = {"win": 0, "loss": 0, "draw": 0}
    for value, count in mini.counts():
        counts[value.outcome] += count
    assert (found["wins"], found["losses"], found["draws"]) == (counts["win"], counts["loss"], counts["draw"])
    with pytest.raises(ZeroDivisionError):
        mini.check(lambda *report: 1 / 0)
    with pytest.raises(TypeError):
        mini.check("loudly")


def test_solve(mini_path, tmp_path):
    """The same bytes as the command's, also after having been stopped."""
    path = tmp_path / "own" / "mini.kzt"
    reports = []

    def stop(stage, done, total):
        reports.append((stage, done, total))
        raise KeyError("enough")

    with pytest.raises(KeyError, match="enough"):
        kanzen.solve("pushfight", "mini", path=path, progress=stop)
    assert len(reports) == 1 and not path.exists()
    summary = kanzen.solve("pushfight", "mini", path=path, progress=lambda *report: reports.append(report))
    assert path.read_bytes() == mini_path.read_bytes()
    assert hashlib.sha256(path.read_bytes()).hexdigest().startswith("e5260652")
    assert summary.path == str(path) and summary.table_bytes == path.stat().st_size
    assert summary.wins + summary.losses + summary.draws == summary.positions
    assert len(reports) > 2
    with pytest.raises(kanzen.Error, match="mini.kzt"):
        kanzen.solve("pushfight", "mini", path=path)  # it is there already
    with pytest.raises(ValueError):
        kanzen.solve("pushfight", "mini", path=path, threads=-1)


def test_interrupt(tmp_path):
    """A signal ends a solve from which nobody wants reports. Whenever it comes, it is heard."""

    class Alarm(Exception):
        pass

    def ring(number, frame):
        raise Alarm

    before = signal.signal(signal.SIGALRM, ring)
    try:
        with pytest.raises(Alarm):
            signal.setitimer(signal.ITIMER_REAL, 0.05)
            for number in range(1000):
                kanzen.solve("pushfight", "mini", path=tmp_path / f"{number}.kzt")
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def test_threads_and_closing(mini_path):
    """A table that is closed while others ask it is there until they have their answers."""
    table = kanzen.open(mini_path)
    indices = np.arange(20_000, dtype=np.uint64)
    right = table.probe(indices)
    results, begun = [], threading.Barrier(4)

    def ask():
        begun.wait()
        try:
            results.append((table.probe(indices, threads=1) == right).all())
        except ValueError as error:
            results.append("closed" in str(error))

    threads = [threading.Thread(target=ask) for _ in range(3)]
    for thread in threads:
        thread.start()
    begun.wait()
    table.close()
    for thread in threads:
        thread.join()
    assert results == [True, True, True]


def test_references(mini):
    """Calls, good and bad, let go of what they were given."""
    game, handle = mini.game._capsule, mini._capsule
    indices, values = bytearray(8 * 10), bytearray(8 * 10)
    positions, short = bytearray(64 * 10), bytearray(8 * 9)
    rules = mini.game.rules.index("mini")
    calls = [
        lambda: _kanzen.unrank(game, rules, indices, positions, bytearray(10)),
        lambda: _kanzen.unrank(game, rules, indices, positions, bytearray(9)),
        lambda: _kanzen.unrank(game, rules, indices, positions, bytes(10)),
        lambda: _kanzen.rank(game, rules, positions, indices),
        lambda: _kanzen.unrank(game, rules, indices, short, bytearray(10)),
        lambda: _kanzen.probe_positions(handle, positions, short, 1, 0),
        lambda: _kanzen.probe_positions(handle, bytes(7), values, 1, 0),
        lambda: _kanzen.probe_positions(handle, positions, values, 1, 0),
        lambda: _kanzen.probe_positions(handle, bytes(640), values, 1, 0),
        lambda: _kanzen.probe_positions(handle, positions, bytes(80), 1, 0),
        lambda: _kanzen.probe_positions(game, positions, values, 1, 0),
        lambda: _kanzen.probe(handle, b"short"),
        lambda: _kanzen.probe_moves(handle, bytes(64)),
        lambda: _kanzen.parse(game, rules, "nonsense"),
        lambda: _kanzen.parse_many(game, rules, ["startpos"] * 9 + ["x"], positions),
        lambda: _kanzen.table_open("none", None),
        lambda: _kanzen.table_open("none", 5),
        lambda: _kanzen.game_info(handle),
        lambda: _kanzen.table_info(game),
        lambda: _kanzen.shogi_unpack(4, indices, positions, 0),
        lambda: _kanzen.shogi_file(0, b"none", 4, 3, b"to", 4, 3, False, False, 0, 0, 0, None),
    ]
    given = [game, handle, indices, values, positions, short]
    before = [sys.getrefcount(one) for one in given]
    for call in calls * 50:
        try:
            call()
        except (ValueError, TypeError, OSError, kanzen.Error, BufferError):
            pass
    assert [sys.getrefcount(one) for one in given] == before
    for buffer in (indices, values, positions, short):
        buffer.append(0)  # BufferError if somebody still looked at it
