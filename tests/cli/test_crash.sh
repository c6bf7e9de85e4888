#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# labels: slow unsanitized
#
# Runs that are killed (SIGKILL) at moments spread over their whole time. Under the name of the result there is never
# anything but all of it; the next run goes on, or begins anew, and ends in the same bytes; and it leaves nothing behind.
# KILLS=100 (make faults) for more of them than the few that are the default.
set -u
. "$KANZEN_SOURCE/tests/support/cli_testing.sh"
export KANZEN_TABLES=$PWD/none XDG_DATA_HOME=$PWD/none
kills=${KILLS:-8}

# crash NAME LEFTOVER COMMAND... --- MORE: kills the command again and again, each time in an empty folder, and then runs
# it to its end, with the words after --- in addition. It writes the file out. LEFTOVER: what may be there beside it.
crash() {
    local name=$1 leftover=$2 killed=0 midway=0 i delay begin end span
    shift 2
    local command=() more=()
    while [ "$1" != --- ]; do
        command+=("$1")
        shift
    done
    shift
    more=("$@")
    rm -rf whole run
    mkdir whole
    begin=$(date +%s%N)
    (cd whole && "$KANZEN" "${command[@]}" >/dev/null 2>../err) || complain "$(cat err)" "${command[@]}"
    end=$(date +%s%N)
    span=$((end - begin))
    for ((i = 0; i < kills; i++)); do
        # Each moment once, early and late ones in turn: 37 has no factor in common with the usual numbers of kills.
        delay=$(awk -v span=$span -v i=$((i * 37 % kills)) -v n="$kills" 'BEGIN { printf "%.4f", span * (i + 0.5) / n / 1e9 }')
        rm -rf run
        mkdir run
        (cd run && exec "$KANZEN" "${command[@]}" >/dev/null 2>../err) &
        sleep "$delay"
        kill -KILL $! 2>/dev/null
        wait $! 2>/dev/null
        [ $? -ne 137 ] || killed=$((killed + 1))
        if [ -e run/out ]; then
            cmp -s run/out whole/out || complain "killed after $delay s: half a file" "${command[@]}"
        else
            [ -z "$(ls -A run)" ] || midway=$((midway + 1))
            (cd run && "$KANZEN" "${command[@]}" "${more[@]}" >../out 2>../err) ||
                complain "killed after $delay s, and then exit code $?: $(head -c 300 err)" "${command[@]}"
            cmp -s run/out whole/out || complain "killed after $delay s: other bytes" "${command[@]}"
            [ "$(ls -A run)" = out ] || complain "killed after $delay s: left $(ls -A run | tr '\n' ' ')" "${command[@]}"
        fi
        [ -z "$(ls -A run | grep -Ev "^(out|$leftover)\$")" ] ||
            complain "killed after $delay s: left $(ls -A run | tr '\n' ' ')" "${command[@]}"
    done
    [ $killed -gt 0 ] || complain "it was never killed" "${command[@]}"
    echo "$name: $kills moments in $((span / 1000000)) ms, killed $killed times, $midway of them midway"
}

# The table and its phases.
crash solve 'out\.work|out\.tmp-.*' solve pushfight --board hook --out out --quiet ---

# Records, with a state to go on from.
"$KANZEN" convert shogi "$KANZEN_SOURCE/shogi/tests/data/games_all.csa" in.psv --quiet 2>err || complain "$(cat err)" convert
for ((i = 0; i < 9; i++)); do cat in.psv in.psv >twice && mv twice in.psv; done
crash convert 'out\.part(\.state(\.part)?)?' convert shogi ../in.psv out --to plain --checkpoint 0 --threads 1 --quiet --- \
    --resume
crash games 'out\.part(\.state(\.part)?)?' convert shogi ../in.psv out --to hcpe3 --checkpoint 0 --threads 2 --quiet --- \
    --resume
crash shuffle 'out\.tmp-.*' shogi shuffle ../in.psv out --record psv --seed 1 --memory 1M --quiet ---
crash dedupe 'out\.tmp-.*' shogi dedupe ../in.psv out --record psv --quiet ---

# A list of positions: a temporary file, which the next run takes away.
"$KANZEN" solve pushfight --board hook --out table.kzt --quiet >out
crash csv 'out\.tmp-.*' export pushfight --board hook --table ../table.kzt --format csv --count 2000 --out out --quiet ---

[ $failures -eq 0 ]
