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

# The same bytes, however it was solved.
printf '\n%-12s %-8s %-8s %-64s\n' compiler threads cpu 'sha256 of the table by official rules'
first='' verdict='all sums agree'
clang=${KANZEN%/build/kanzen}/build-clang/kanzen
for variant in "1 best $KANZEN" "2 best $KANZEN" "7 best $KANZEN" "0 plain $KANZEN" "0 best $clang"; do
    read -r threads cpu program <<<"$variant"
    [ -x "$program" ] || continue
    name=default
    [ "$program" != "$clang" ] || name=clang
    level=$cpu
    [ "$cpu" != best ] || level=''
    KANZEN_CPU=$level "$program" solve dobutsu --threads "$threads" --out "$folder/again.kzt" --force --quiet >/dev/null
    sum=$(sha256sum <"$folder/again.kzt")
    sum=${sum%% *}
    first=${first:-$sum}
    [ "$sum" = "$first" ] || verdict='SUMS DIFFER'
    printf '%-12s %-8s %-8s %-64s\n' $name "${threads/#0/all}" "$cpu" "$sum"
done
echo "$verdict"
printf '\n'
KANZEN_TABLES='' "$KANZEN" bench dobutsu --table "$folder/table.kzt"
[ "$verdict" = 'all sums agree' ]
