# SPDX-License-Identifier: MIT
"""tools/bench/bench_python.sh runs this."""

import os
import time

import numpy as np

import kanzen
from kanzen import shogi

ROUNDS = 5
processors = len(os.sched_getaffinity(0))


def measure(name, count, call):
    """The best of several rounds, after one that warms everything up."""
    call()
    clock = processor = float("inf")
    for _ in range(ROUNDS):
        begin, used = time.perf_counter(), time.process_time()
        call()
        clock, processor = min(clock, time.perf_counter() - begin), min(processor, time.process_time() - used)
    print(
        f"{name:<44} {count / clock / 1e6:8.2f} million a second, "
        f"{count / processor / 1e6:8.2f} in a second of one processor"
    )


print(f"Python package, {processors} processors")
try:
    table = kanzen.open(os.environ.get("DOBUTSU_TABLE") or kanzen.table_path("dobutsu"), cache=256 << 20)
except kanzen.FileError as error:
    print(f"no probes: {error}")
else:
    rng = np.random.default_rng(1)
    # Neighbours in the index differ in few pieces, as positions of one game or one search do; random ones have nothing in common.
    neighbours = np.arange(table.positions // 2, table.positions // 2 + 2_000_000, dtype=np.uint64)
    near = table.game.unrank(neighbours)
    measure("probe, positions, neighbouring, warm", len(near), lambda: table.probe(near))
    measure("probe, indices, neighbouring, warm", len(neighbours), lambda: table.probe(neighbours))
    indices = rng.integers(0, table.positions, 2_000_000).astype(np.uint64)
    positions = table.game.unrank(indices)
    measure("probe, positions, random, warm", len(positions), lambda: table.probe(positions))
    measure("probe, indices, random, warm", len(indices), lambda: table.probe(indices))
    measure("rank", len(positions), lambda: table.game.rank(positions))
    measure("unrank", len(indices), lambda: table.game.unrank(indices))

# Positions of random play, all different.
rng = np.random.default_rng(2)
sfens = []
while len(sfens) < 2000:
    sfen = "startpos"
    for _ in range(100):
        moves = shogi.legal_moves(sfen)
        if not moves:
            break
        sfen = shogi.play(sfen, moves[int(rng.integers(len(moves)))])
        sfens.append(sfen)
positions = np.tile(shogi.parse(sfens), 1000)
out = np.empty(len(positions), shogi.Position)
for kind in ("sspf", "hcp", "psfen", "hcpe", "psv"):
    records = shogi.pack(positions, kind)
    measure(f"unpack {kind}", len(records), lambda: shogi.unpack(records, kind, out=out))
    measure(f"pack {kind}", len(records), lambda: shogi.pack(positions, kind))
psv = shogi.pack(positions, "psv")
measure("convert psv to hcpe", len(psv), lambda: shogi.convert(psv, "hcpe"))
measure("legal_moves", 20_000, lambda: shogi.legal_moves(positions[:20_000]))
measure("dedupe psv", len(psv), lambda: shogi.dedupe(psv))
