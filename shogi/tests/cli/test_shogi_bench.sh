#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# kanzen bench pack: that it measures everything, not how fast it is.
set -u
. "$KANZEN_SOURCE/tests/support/cli_testing.sh"
small=(bench pack --positions 2000 --rounds 2)

# ---- The table ----------------------------------------------------------------------------------------------------

number='[0-9]+\.[0-9]{2}'
row="( +$number){2} +$number""x( +$number){2} +$number""x +[0-9a-f]{16}"
expect 0 '^positions of random games: 2,000 \(seed 1\); nanoseconds a position, best of 2 rounds$' '' "${small[@]}"
for format in sspf sspfx sspfc psfen hcp; do
    grep -Eq "^$format +plain( +\*)?$row\$" out || complain "nothing about the plain $format: $(cat out)" "${small[@]}"
    [ "$(grep -Ec "^$format .* \* " out)" = 1 ] || complain "no default, or several, for $format" "${small[@]}"
    [ "$(sed -n "s/^$format .* //p" out | sort -u | wc -l)" = 1 ] || complain "$format has several hashes" "${small[@]}"
done
grep -Eq "^copying bytes( +$number){2}\$" out || complain "no yardstick" "${small[@]}"
grep -E '^[a-z]+ +[a-z0-9]+[ *]+[0-9.]+ .* [0-9a-f]{16}$' out | sed 's/ .* / /' >hashes

# All positions are ones that sspf can hold, and then sspfx writes the same.
[ "$(sed -n 's/^sspfx* //p' hashes | sort -u | wc -l)" = 1 ] || complain "sspfx differs from sspf" "${small[@]}"

# ---- The same positions for the same seed, whatever is measured, and others for others ------------------------------

expect 0 "$(grep -m 1 '^hcp ' hashes | cut -d' ' -f2)" '' "${small[@]}" --format hcp --path plain --rounds 1
[ "$(grep -Ec '^(sspf|sspfx|sspfc|psfen|hcp) ' out)" = 1 ] || complain "--format and --path don't restrict" "${small[@]}"
expect 0 '^hcp ' '' "${small[@]}" --format hcp --seed 2 --rounds 1
grep -q "$(grep -m 1 '^hcp ' hashes | cut -d' ' -f2)" out && complain "another seed, but the same games" "${small[@]}"
KANZEN_CPU=plain expect 0 '^sspf +plain +\*' '' "${small[@]}" --format sspf --rounds 1

# ---- Fewer positions than there are hot ones, and a slice that is not full ---------------------------------------------

expect 0 'games: 1 ' '' bench pack --positions 1 --rounds 1
expect 0 'games: 5,001 ' '' bench pack --positions 5001 --rounds 1 --path plain

# ---- JSON ---------------------------------------------------------------------------------------------------------

expect 0 '^\{"positions":2000,"rounds":2,"seed":1,"results":\[' '' "${small[@]}" --json
json out '[r["format"] for r in d["results"] if r["path"] == "plain"] == ["sspf", "sspfx", "sspfc", "psfen", "hcp"]'
json out 'sum(r["default"] for r in d["results"]) == 5'
json out 'all(r[k] > 0 for r in d["results"] for k in ("pack_hot", "unpack_hot", "pack", "unpack"))'
json out 'len({(r["format"], r["hash"]) for r in d["results"]}) == 5'
json out 'list(d["copying"]) == ["pack", "unpack"] and min(d["copying"].values()) > 0'

# ---- Wrong calls --------------------------------------------------------------------------------------------------

expect 2 '' "there is no format 'csa'; there are: sspf, sspfx, sspfc, psfen, hcp\$" bench pack --format csa
expect 2 '' "there is no path 'fast' on this machine; there are: plain" bench pack --path fast
expect 2 '' "there is no path 'sse42' for sspfc on this machine; there are: .*plain" bench pack --format sspfc --path sse42
expect 2 '' 'option --positions takes a number from 1 to' bench pack --positions 0
expect 2 '' 'option --rounds takes a number from 1 to' bench pack --rounds none
expect 2 '' "unknown option '--probes'" bench pack --probes 7
expect 2 '' "unknown option '--rounds'" bench dobutsu --rounds 7
expect 2 '' "unexpected argument 'dobutsu'" bench pack dobutsu

[ $failures -eq 0 ]
