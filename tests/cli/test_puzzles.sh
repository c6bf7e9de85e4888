#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# labels: mini-table
#
# The longest wins and the puzzles of a small board's table. How many positions of the mini board are won in how many
# turns was counted by two independent programs; which moves win is what `kanzen moves` says.
set -u
. "$KANZEN_SOURCE/tests/support/cli_testing.sh"
export KANZEN_TABLES=$PWD XDG_DATA_HOME=$PWD/none
mini_table pushfight-mini.kzt

# ---- longest -----------------------------------------------------------------------------------------------------

expect 0 . '' longest pushfight --board mini --count 784 --quiet
[ "$(cut -f2 out | uniq -c | xargs)" = '116 win 9 668 win 8' ] || complain "$(cut -f2 out | uniq -c)" longest
[ "$(cut -f1 out | sort -u | wc -l)" -eq 784 ] || complain "positions come up twice" longest
cut -f1 out | "$KANZEN" probe pushfight --table pushfight-mini.kzt >probed
cut -f-2 probed | cmp - <(cut -f-2 out) || complain "other values than probe has" longest
cut -f3 probed | cmp - <(cut -f3 out) || complain "other moves than probe has" longest
cp out all
# Fewer are the first ones; of the shortest wins that are listed any will do.
prints "$(head -n 116 all)" longest pushfight --table pushfight-mini.kzt --count 116 --quiet
prints "$(head -n 20 all)" longest pushfight --table pushfight-mini.kzt --quiet --threads 3
expect 0 . '' longest pushfight --board mini --count 200 --quiet
[ "$(cut -f2 out | uniq -c | xargs)" = '116 win 9 84 win 8' ] || complain "$(cut -f2 out | uniq -c)" longest
head -n 3 all | cut -f1,3 >first
expect 0 '^\{' '' longest pushfight --board mini --count 3 --quiet --json
json out '(d["game"], d["rules"], d["unit"], len(d["positions"])) == ("pushfight", "mini", "turns", 3)'
json out 'all((p["value"], p["distance"], p["plies"]) == ("win", 9, 17) for p in d["positions"])'
json out '[p["position"] + "\t" + p["best"] for p in d["positions"]] == open("first").read().splitlines()'

expect 2 '' 'count' longest pushfight --board mini --count 0
expect 2 '' 'count' longest pushfight --board mini --count 10001
expect 2 '' "there is no game 'go'" longest go
expect 3 '' 'no table for pushfight by twocolumn rules' longest pushfight --board twocolumn
head -c 20000 pushfight-mini.kzt >cut.kzt
expect 4 '' 'cut.kzt' longest pushfight --table cut.kzt
# A block that is damaged is found when it is read.
cp pushfight-mini.kzt damaged.kzt
printf '\xa5\x5a\xa5\x5a' | dd of=damaged.kzt bs=1 seek=200000 conv=notrunc status=none
expect 4 '' 'damaged.kzt: block [0-9]+ is damaged' longest pushfight --table damaged.kzt --quiet
expect 4 '' 'damaged.kzt: block [0-9]+ is damaged' puzzles pushfight --table damaged.kzt --quiet

# ---- puzzles -----------------------------------------------------------------------------------------------------

expect 0 . '' puzzles pushfight --board mini --per-length 4 --quiet
[ "$(cut -f2 out | uniq -c | xargs)" = "$(printf '4 win %d ' 1 2 3 4 5 6 7 8 9 | sed 's/ $//')" ] ||
    complain "$(cut -f2 out | uniq -c)" puzzles
[ "$(cut -f1 out | sort -u | wc -l)" -eq 36 ] || complain "puzzles come up twice" puzzles
cp out all
# Just one turn wins, in as many turns as the puzzle says.
while IFS=$'\t' read -r position value move; do
    "$KANZEN" moves pushfight --board mini "$position" >moves
    [ "$(grep -c $'\twin ' moves)" -eq 1 ] && [ "$(wc -l <moves)" -gt 1 ] || complain "not the only win" "$position"
    [ "$(head -n 1 moves | cut -f1,2)" = "$move"$'\t'"$value" ] || complain "not $move, $value" "$position"
done <all
prints "$(cat all)" puzzles pushfight --board mini --per-length 4 --quiet --threads 1
prints "$(cat all)" puzzles pushfight --board mini --per-length 4 --quiet --threads 5 --seed 1
expect 0 . '' puzzles pushfight --board mini --per-length 4 --quiet --seed 2
! cmp -s out all || complain "the same puzzles for another seed" puzzles
expect 0 '^\{' '' puzzles pushfight --board mini --per-length 1 --seed 3 --quiet --json
json out '(d["game"], d["rules"], d["unit"], d["seed"]) == ("pushfight", "mini", "turns", 3)'
json out '[(p["distance"], p["plies"]) for p in d["puzzles"]] == [(n, 2 * n - 1) for n in range(1, 10)]'
json out 'all(set(p) == {"position", "distance", "plies", "move"} for p in d["puzzles"])'

expect 2 '' 'per-length' puzzles pushfight --board mini --per-length 0
expect 2 '' 'per-length' puzzles pushfight --board mini --per-length 201
expect 2 '' 'seed' puzzles pushfight --board mini --seed x
expect 3 '' 'no table for dobutsu' puzzles dobutsu

[ $failures -eq 0 ]
