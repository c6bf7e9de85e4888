#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# The server under load and misused at the same time: wrk asks as fast as it can, rude clients do their worst
# (soak_clients.c), and others check every answer that they get against what the command line says. Fails if an answer was
# wrong or missing, if wrk met an error, or if memory or the number of open files grew.
#
# SOAK_SECONDS=600 bash tools/bench/soak_server.sh    for ten minutes; the default is 20 seconds
set -euo pipefail
cd "$(dirname "$0")/../.."
kanzen=${KANZEN:-$PWD/build/kanzen}
seconds=${SOAK_SECONDS:-20}
# shellcheck source=tools/bench/serving.sh
. tools/bench/serving.sh
"$tools/random_positions" dobutsu 5000 7 | "$kanzen" probe dobutsu --table "$table" >"$folder/expected"
port=${url##*:}
port=${port%/}

files() { find "/proc/$server/fd" -mindepth 1 | wc -l; }

# All that is kept of the table has to be there before anything can be said about growth.
warm=0
for _ in $(seq 12); do
    wrk -t 1 -c 16 -d 3s --timeout 5s -s tools/bench/positions.lua "$url" >/dev/null
    [ "$(memory)" -gt "$((warm * 101 / 100))" ] || break
    warm=$(memory)
done
sleep 1
files_before=$(files)
echo "before: $(memory) KiB, $files_before open files"

wrk -t 1 -c 16 -d "${seconds}s" --timeout 30s -s tools/bench/positions.lua "$url" >"$folder/wrk" &
load=$!
"$tools/soak_clients" "$port" "$seconds" "$folder/expected" /tables/dobutsu-official.kzt >"$folder/checked" &
clients=$!
processes+=" $load $clients"

# A line for each tenth of the time.
samples=()
for tenth in 1 2 3 4 5 6 7 8 9; do
    sleep "$(awk "BEGIN { print $seconds / 10 }")"
    samples+=("$(memory)")
    echo "$((seconds * tenth / 10)) s: ${samples[-1]} KiB, $(files) open files"
done
failed=0
wait "$load" || failed=1
wait "$clients" || failed=1
processes=$server
tail -n 1 "$folder/wrk"
cat "$folder/checked"
grep -q 'errors: 0$' "$folder/wrk" || failed=1

# Whatever the rude ones held is given back within the time that the server waits for a request.
for _ in $(seq 45); do
    [ "$(files)" -gt "$((files_before + 2))" ] || break
    sleep 1
done
after=$(memory) files_after=$(files)
echo "after: $after KiB, $files_after open files"
if [ "$files_after" -gt "$((files_before + 2))" ]; then
    echo "open files grew"
    failed=1
fi
# The second half may be a little above the first: what one connection or another happens to need.
if [ "${samples[8]}" -gt "$((samples[3] * 105 / 100 + 4096))" ]; then
    echo "memory grew"
    failed=1
fi
kill "$server"
wait "$server" || failed=1
processes=
[ $failed -eq 0 ] && echo "no growth, no lost answer"
exit $failed
