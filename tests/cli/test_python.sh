#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# The Python package as it lies in the build folder: games, and records of shogi. In the sanitizer build the extension is
# sanitized, too. tests/heavy/test_heavy_python.sh tests the rest, with tables, from the wheel.
set -euo pipefail
. "$KANZEN_SOURCE/tests/support/python.sh"

export PYTHONPATH=$build/python
if nm -D "$build/python/kanzen/_kanzen.abi3.so" | grep __asan_init >/dev/null; then
    # The sanitizer has to be there before Python. What Python itself keeps to its end is no leak of ours.
    LD_PRELOAD=$(gcc -print-file-name=libasan.so):$(gcc -print-file-name=libubsan.so)
    export LD_PRELOAD ASAN_OPTIONS=detect_leaks=0 PYTHONMALLOC=malloc
fi
"$python" "${pytest[@]}" "$KANZEN_SOURCE/python/tests/test_games.py" "$KANZEN_SOURCE/python/tests/test_shogi.py"
