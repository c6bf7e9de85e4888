#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# Games from texts. The goals: all endings of chess with up to four men in ten minutes on two processors; Dobutsu Shogi from its text
# in a minute and 1 GiB; a probe, warm, under 5 us. QUICK=1 leaves out those that take long. Processor seconds
# depend least on what else the machine does, so they are printed, too.
set -euo pipefail
cd "$(dirname "$0")/../.."
kanzen=${KANZEN:-$PWD/build/kanzen}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
export KANZEN_TABLES=$folder/tables

# field NAME: a number from the JSON object on standard input
field() {
    sed -n "s/.*\"$1\":\([0-9.e+]*\).*/\1/p"
}

# measure LABEL GAME OPTION...: solves it and prints a line
measure() {
    local label=$1 user system
    shift
    TIMEFORMAT='%U %S'
    { time "$kanzen" solve "$@" --out "$folder/table.kzt" --force --quiet --json >"$folder/result"; } 2>"$folder/time"
    read -r user system <"$folder/time"
    awk -v label="$label" -v positions="$(field positions <"$folder/result")" -v total="$(field total_seconds <"$folder/result")" \
        -v memory="$(field peak_memory_bytes <"$folder/result")" -v table="$(field table_bytes <"$folder/result")" \
        -v processor="$(awk "BEGIN { print $user + $system }")" \
        'BEGIN { printf "%-20s %12d %9.1f %9.1f %9.2f %9d %12d %9.2f\n", label, positions, total, processor, 1e6 * processor / positions, memory / 1048576, table, 8 * table / positions }'
}

printf '%-20s %12s %9s %9s %9s %9s %12s %9s\n' game positions 'total s' 'cpu s' 'us/pos' 'MiB' 'table bytes' 'bits/pos'
measure '3x3 shogi' examples/variants/nine.ini:nine-sp
measure 'breakthrough 3x5' examples/variants/breakthrough.ini:break3x5
measure 'chess, three men' chess --men 3
"$kanzen" bench chess:men3 --table "$folder/table.kzt" | grep 'looked up before'
if [ "${QUICK:-0}" != 1 ]; then
    measure 'antichess, three men' antichess --men 3
    measure 'chess, four men' chess --men 4
    "$kanzen" bench chess:men4 --table "$folder/table.kzt" | grep 'looked up before'
    printf '[dobutsu-text:dobutsu]\n' >"$folder/dobutsu.ini"
    measure 'dobutsu' "$folder/dobutsu.ini"
fi
