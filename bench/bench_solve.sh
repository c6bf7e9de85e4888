#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# Solves and verifies Dobutsu Shogi by both rule sets, twice each, and prints the better run of the two.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

# field NAME: a number from the JSON object on standard input
field() {
    sed -n "s/.*\"$1\":\([0-9.e+]*\).*/\1/p"
}

printf '%-12s %10s %10s %10s %14s %14s %10s\n' rules 'solve s' 'write s' 'total s' 'memory MiB' 'table bytes' 'verify s'
for rules in official simplified; do
    best='' best_verify=''
    for _ in 1 2; do
        result=$("$KANZEN" solve dobutsu --rules $rules --out "$folder/table.kzt" --force --quiet --json)
        total=$(field total_seconds <<<"$result")
        if [ -z "$best" ] || awk "BEGIN { exit !($total < $(field total_seconds <<<"$best")) }"; then
            best=$result
        fi
        begin=$(date +%s.%N)
        "$KANZEN" verify "$folder/table.kzt" --quiet >/dev/null
        verify=$(awk "BEGIN { print $(date +%s.%N) - $begin }")
        if [ -z "$best_verify" ] || awk "BEGIN { exit !($verify < $best_verify) }"; then
            best_verify=$verify
        fi
    done
    printf '%-12s %10.2f %10.2f %10.2f %14d %14d %10.2f\n' $rules "$(field solve_seconds <<<"$best")" \
        "$(field write_seconds <<<"$best")" "$(field total_seconds <<<"$best")" \
        $(($(field peak_memory_bytes <<<"$best") >> 20)) "$(field table_bytes <<<"$best")" "$best_verify"
done
printf '\n'
KANZEN_TABLES='' "$KANZEN" bench dobutsu --table "$folder/table.kzt"
