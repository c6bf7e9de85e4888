#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# How many positions of Dobutsu Shogi the server answers in a second, with all their moves. wrk asks about positions of
# random games, on the same machine. The goal is 20,000 a second on two processors, 99% of them within 10 ms, and no
# more memory at the end than when all that is kept has been read.
#
# BENCH_SECONDS=600 bash bench/bench_server.sh    for ten minutes; the default is 5 seconds
set -euo pipefail
cd "$(dirname "$0")/.."
kanzen=${KANZEN:-$PWD/build/kanzen}
seconds=${BENCH_SECONDS:-5}
connections=${BENCH_CONNECTIONS:-32}
if ! command -v wrk >/dev/null; then
    echo "wrk is missing: scripts/setup bench installs it"
    exit 0
fi

folder=$(mktemp -d)
server=
trap '[ -z "$server" ] || kill "$server" 2>/dev/null || true; rm -rf "$folder"' EXIT
table=${KANZEN_TABLES:-${XDG_DATA_HOME:-$HOME/.local/share}/kanzen}/dobutsu-official.kzt
if [ ! -f "$table" ]; then
    table=$folder/dobutsu.kzt
    "$kanzen" solve dobutsu --out "$table" --quiet >/dev/null
fi
export POSITIONS=$folder/positions
"$(dirname "$kanzen")/random_positions" dobutsu 200000 >"$POSITIONS"

"$kanzen" serve --port 0 --table "$table" >"$folder/url" &
server=$!
until [ -s "$folder/url" ]; do
    kill -0 "$server"
    sleep 0.1
done
url=$(cat "$folder/url")

memory() { awk '/^VmRSS/ { print $2 }' "/proc/$server/status"; }
# In hundredths of a second
processor_time() { awk '{ print $14 + $15 }' "/proc/$server/stat"; }
ask() { wrk -t 1 -c "$connections" -d "$1s" --timeout 5s -s bench/positions.lua "$url"; }

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
server=
