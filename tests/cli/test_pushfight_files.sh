#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# kanzen pushfight: files and openings. The counts of the mini board come from two independent programs.
set -u
. "$KANZEN_SOURCE/tests/support/cli_testing.sh"
export KANZEN_TABLES=$PWD XDG_DATA_HOME=$PWD/none

# ---- Wrong calls -----------------------------------------------------------------------------------------------------

expect 2 '' 'an argument is missing: one of phase0' pushfight
expect 2 '' "there is no 'phase1'; there are: phase0, chunk, values, openings" pushfight phase1
expect 2 '' "unexpected argument 'x'" pushfight phase0 x
expect 2 '' "option --chunk takes a number from 0 to 7428, not '7429'" pushfight phase0 --chunk 7429
expect 2 '' 'to which file\? Say --out FILE' pushfight phase0 --chunk 7
expect 2 '' "--out -: this file can't go to standard output" pushfight phase0 --chunk 7 --out -
expect 2 '' 'only the standard board has chunks' pushfight phase0 --chunk 7 --board mini --out chunk
expect 2 '' '--out goes with --chunk only' pushfight phase0 --out chunk
expect 2 '' 'which chunk\? Say --merged' pushfight chunk --out chunk
expect 2 '' "pushfight has no board 'tiny'" pushfight phase0 --board tiny
expect 3 '' 'no table for pushfight by standard rules' pushfight chunk --merged 7 --out chunk
expect 3 '' 'no table for pushfight by mini rules' pushfight values --board mini --out values
expect 3 '' 'no table for pushfight by mini rules' pushfight openings --board mini
[ ! -e chunk ] && [ ! -e values ] || complain "left files behind" pushfight

# ---- phase0 ----------------------------------------------------------------------------------------------------------

expect 0 '^ +15,135,120  permutations' . pushfight phase0 --board mini
expect 0 '^\{' '' pushfight phase0 --board mini --threads 2 --quiet --json
json out '(d["permutations"], d["reachable"], d["stuck"], d["reachable_stuck"]) == (15135120, 5715360, 6096, 4848)'
json out '0 < d["reachable_wins"] <= 4308730 and d["reachable_wins"] < d["wins"] <= 11505360'

# ---- values ----------------------------------------------------------------------------------------------------------

expect 0 . '' solve pushfight --board mini --quiet
all='{0: 246176, 1: 6096, 2: 11505360, 3: 894044, 4: 1183056, 5: 332620, 6: 356850, 7: 184188, 8: 170638, 9: 83994,
    10: 67450, 11: 42352, 12: 31028, 13: 13624, 14: 8646, 15: 4290, 16: 3348, 17: 660, 18: 552, 19: 120, 20: 28}'
minimized='{0: 52454, 1: 2424, 2: 2154365, 3: 227148, 4: 168344, 5: 79079, 6: 59736, 7: 39943, 8: 28302, 9: 15670,
    10: 12720, 11: 7290, 12: 5116, 13: 2269, 14: 1410, 15: 894, 16: 334, 17: 108, 18: 58, 19: 16}'
expect 0 '^ +11,505,360  win 1$' '' pushfight values --board mini --out values --quiet
[ "$(wc -c <values)" -eq 15135120 ] || complain "$(wc -c <values) bytes" pushfight values
expect 3 '' 'values exists already; --force replaces it$' pushfight values --board mini --out values
expect 0 '^\{' '' pushfight values --board mini --out values --quiet --force --json
json out '{c["byte"]: c["count"] for c in d["counts"]} == '"$all"
json out 'd["counts"][0]["value"] == "win" and d["counts"][-1]["value"] == "loss" and d["board"] == "mini"'
expect 0 '^\{' '' pushfight values --board mini --minimized --out minimized --quiet --json
json out '{c["byte"]: c["count"] for c in d["counts"]} == '"$minimized"
[ "$(wc -c <minimized)" -eq 2857680 ] || complain "$(wc -c <minimized) bytes" pushfight values --minimized
expect 2 '' 'is a table for mini rules, not for standard rules' \
    pushfight chunk --merged 0 --out chunk --table pushfight-mini.kzt

# ---- openings --------------------------------------------------------------------------------------------------------

expect 0 '^ +39  draw$' '' pushfight openings --board mini --quiet
grep -Eq '^ +41,526  win 1$' out && grep -Eq '^ +210  first placements$' out || complain "$(cat out)" pushfight openings
[ "$(sed '1,/^$/d' out | wc -l)" -eq 10 ] || complain "not ten placements" pushfight openings
expect 0 '^\{' '' pushfight openings --board mini --quiet --json --best 210 --out openings
json out 'sum(c["count"] for c in d["counts"] if c["value"] == "win") == 44017'
json out 'sum(c["count"] for c in d["counts"] if c["value"] == "loss") == 44'
json out 'sum(b["wins"] for b in d["best"]) == 44017 and sum(b["draws"] for b in d["best"]) == 39'
json out 'all(b["wins"] + b["draws"] + b["losses"] == 210 for b in d["best"]) and len(d["best"]) == 210'
[ "$(wc -c <openings)" -eq 44100 ] || complain "$(wc -c <openings) bytes" pushfight openings
worst=$(python3 -c 'import json; print(json.load(open("out"))["best"][-1]["placement"])' 2>err) || complain "$(cat err)" "(JSON)"
if [ -n "$worst" ]; then
    cp out all
    expect 0 '^\{' '' pushfight openings --board mini --quiet --json --best 1 --first "$worst"
    json out 'd["first"] == "'"$worst"'" and sum(c["count"] for c in d["counts"]) == 210'
    # The best answer is the one that the list of all openings names.
    json out '(lambda b: (d["best"][0]["placement"], d["best"][0]["value"]) == (b["answer"], b["value"]))(
        json.load(open("all"))["best"][-1])'
fi
expect 2 '' '^kanzen pushfight openings: character 1 ' pushfight openings --board mini --first xxXX.........

[ $failures -eq 0 ]
