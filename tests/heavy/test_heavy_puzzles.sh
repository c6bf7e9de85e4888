#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# labels: dobutsu-table
#
# The longest wins and the puzzles of Dobutsu Shogi, whose table has no wins in it. How many positions take how long is
# in Tanaka's table of 2009: 14 take 173 plies, 10 take 171, and so on.
set -u
. "$KANZEN_SOURCE/tests/support/cli_testing.sh"
ln -s "$DOBUTSU_TABLE" official.kzt

expect 0 . '' longest dobutsu --table official.kzt --count 178 --quiet
[ "$(cut -f2 out | uniq -c | xargs)" = \
    '14 win 173 10 win 171 17 win 169 22 win 167 29 win 165 17 win 163 69 win 161' ] ||
    complain "$(cut -f2 out | uniq -c)" longest
[ "$(cut -f1 out | sort -u | wc -l)" -eq 178 ] || complain "positions come up twice" longest
cut -f1 out | "$KANZEN" probe dobutsu --table official.kzt | cmp - out || complain "not what probe says" longest

expect 0 . '' puzzles dobutsu --table official.kzt --per-length 2 --quiet
[ "$(cut -f2 out | uniq -c | xargs)" = "$(for n in $(seq 1 2 173); do echo "2 win $n"; done | xargs)" ] ||
    complain "$(cut -f2 out | uniq -c)" puzzles
while IFS=$'\t' read -r position value move; do
    "$KANZEN" moves dobutsu --table official.kzt "$position" >moves
    [ "$(grep -c $'\twin ' moves)" -eq 1 ] && [ "$(wc -l <moves)" -gt 1 ] || complain "not the only win" "$position"
    [ "$(head -n 1 moves | cut -f1,2)" = "$move"$'\t'"$value" ] || complain "not $move, $value" "$position"
done <out

[ $failures -eq 0 ]
