#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# How many positions of Dobutsu Shogi the server answers in a second, with all their moves. wrk asks about positions of
# random games, on the same machine. The goal is 20,000 a second on two processors, 99% of them within 10 ms, and no
# more memory at the end than when all that is kept has been read.
#
# BENCH_SECONDS=600 bash tools/bench/bench_server.sh    for ten minutes; the default is 5 seconds
set -euo pipefail
cd "$(dirname "$0")/../.."
kanzen=${KANZEN:-$PWD/build/kanzen}
seconds=${BENCH_SECONDS:-5}
connections=${BENCH_CONNECTIONS:-32}
# shellcheck source=tools/bench/serving.sh
. tools/bench/serving.sh

# In hundredths of a second
processor_time() { awk '{ print $14 + $15 }' "/proc/$server/stat"; }
ask() { wrk -t 1 -c "$connections" -d "$1s" --timeout 5s -s tools/bench/positions.lua "$url"; }

echo "memory at the start: $(memory) KiB"
ask "$((seconds < 5 ? seconds : 5))" >/dev/null
warm=$(memory) before=$(processor_time)
ask "$seconds" >"$folder/result"
after=$(processor_time)
tail -n 1 "$folder/result"
requests=$(sed -n 's/^ *\([0-9]*\) requests in.*/\1/p' "$folder/result")
echo "processor time of the server: $(((after - before) * 10000 / requests)) microseconds a request"
echo "memory: $warm KiB when warm, $(memory) KiB at the end"
kill "$server"
wait "$server"
processes=
