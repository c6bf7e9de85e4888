#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# The generic way: Dobutsu Shogi solved through its definition, and games of examples/games. The goals: Dobutsu Shogi in
# three minutes on two processors, at most 3 bytes of memory a position, a table under 40 MB; a probe of another game, warm,
# under 2 us. QUICK=1 leaves out Dobutsu Shogi, which takes minutes. Processor seconds depend least on what else the machine
# does, so they are printed, too.
set -euo pipefail
cd "$(dirname "$0")/../.."
kanzen=${KANZEN:-$PWD/build/kanzen}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

# field NAME: a number from the JSON object on standard input
field() {
    sed -n "s/.*\"$1\":\([0-9.e+]*\).*/\1/p"
}

# measure LABEL GAME OPTION...: solves it and prints a line
measure() {
    local label=$1
    shift
    TIMEFORMAT='%U %S'
    { time "$kanzen" solve "$@" --out "$folder/table.kzt" --force --quiet --json >"$folder/result"; } 2>"$folder/time"
    read -r user system <"$folder/time"
    awk -v label="$label" -v positions="$(field positions <"$folder/result")" -v solve="$(field solve_seconds <"$folder/result")" \
        -v write="$(field write_seconds <"$folder/result")" -v memory="$(field peak_memory_bytes <"$folder/result")" \
        -v table="$(field table_bytes <"$folder/result")" -v processor="$(awk "BEGIN { print $user + $system }")" \
        'BEGIN { printf "%-26s %12d %9.1f %9.1f %9.1f %9.2f %12d\n", label, positions, solve, write, processor, memory / positions, table }'
}

printf '%-26s %12s %9s %9s %9s %9s %12s\n' game positions 'solve s' 'write s' 'cpu s' 'B/pos' 'table bytes'
if [ "${QUICK:-0}" != 1 ]; then
    measure 'dobutsu --plain' dobutsu --plain
fi
measure 'pushfight hook --plain' pushfight --board hook --plain
for game in connect4 morris; do
    cc -std=c17 -O2 -shared -fPIC -Iinclude -o "$folder/$game.so" "examples/games/$game.c"
done
measure 'connect4 5x4' "$folder/connect4.so" --rules 5x4
"$kanzen" bench "$folder/connect4.so" --rules 5x4 --table "$folder/table.kzt" | grep 'looked up before'
measure 'morris six' "$folder/morris.so" --rules six
"$kanzen" bench "$folder/morris.so" --rules six --table "$folder/table.kzt" | grep 'looked up before'
