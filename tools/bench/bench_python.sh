#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# The Python package: batch probes of a warm table, unpacking, and what is around them. Needs the table of Dobutsu Shogi where
# `kanzen solve` puts it, or as $DOBUTSU_TABLE. By the clock, and by processor time, which tells more on a busy machine.
set -euo pipefail
cd "$(dirname "$0")/../.."
. tools/python.sh
if [ ! -f build/python/kanzen/_kanzen.abi3.so ] || ! python=$(find_python numpy); then
    echo "needs the Python package (make build with python3-dev) and numpy"
    exit 77
fi
PYTHONPATH=build/python exec "$python" tools/bench/bench_python.py
