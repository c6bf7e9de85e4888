#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# labels: unsanitized
#
# The types of the Python package: mypy in its strict mode finds nothing in the package and its stubs, a program of a user gets the
# types that docs/python.md shows, and wrong calls are found. Without mypy there is no test.
set -euo pipefail
. "$KANZEN_SOURCE/tests/support/python.sh"
command -v mypy >/dev/null || {
    echo "there is no mypy"
    exit 77
}
export MYPYPATH=$build/python
check=(mypy --strict --python-executable "$python" --cache-dir "$PWD/cache" --no-error-summary)

cat >good.py <<'END'
from typing import Any, Dict, List, Tuple

import numpy as np
from numpy.typing import NDArray

import kanzen
from kanzen import shogi

table: kanzen.Table = kanzen.open("dobutsu", cache=1 << 20)
one: kanzen.Value = table.probe()
two: kanzen.Value = table.probe("startpos")
three: kanzen.Value = table.probe(np.arange(3)[0])
many: NDArray[np.void] = table.probe(["startpos"])
more: NDArray[np.void] = table.probe(range(10))
rows: NDArray[np.uint64] = table.game.unrank(np.arange(3))
again: NDArray[np.void] = table.probe(rows, threads=2)
best: str = table.line()[0].move
counted: int = sum(entry.positions for entry in table.counts() if entry.value.outcome == "draw")
texts: List[str] = shogi.legal_moves("startpos")
listed: shogi.LegalMoves = shogi.legal_moves(["startpos"])
records: NDArray[Any] = shogi.convert(shogi.pack(["startpos"], shogi.PackedSfenValue), "hcpe")
shape: Tuple[int, ...] = shogi.unpack(records)[0].shape
batch: Dict[str, NDArray[Any]] = shogi.Dataset(["train.psv"])[0]
END
"${check[@]}" -p kanzen >log || {
    cat log
    exit 1
}
"${check[@]}" good.py >log || {
    cat log
    exit 1
}
# Each of these lines is wrong.
cat >bad.py <<'END'
import kanzen
from kanzen import shogi
kanzen.open(5)
kanzen.open("dobutsu").probe(1.5)
kanzen.open("dobutsu").probe().nonsense
kanzen.game("dobutsu").start().play(5)
shogi.legal_moves(5)
END
"${check[@]}" bad.py >log && {
    echo "wrong calls were taken for right ones"
    exit 1
}
for line in 3 4 5 6 7; do
    grep -q "^bad.py:$line: error" log || {
        echo "line $line of bad.py passed"
        cat log
        exit 1
    }
done
