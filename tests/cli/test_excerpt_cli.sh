#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# Excerpts on the command line: one is made, looked up in, verified and refused where the whole table is needed.
set -u
. "$KANZEN_SOURCE/tests/support/cli_testing.sh"
export KANZEN_TABLES=$PWD/tables
mkdir tables

"$KANZEN" solve pushfight --board hook --quiet >/dev/null || exit 1
"$KANZEN" longest pushfight --board hook --quiet --json >longest.json
position=$(python3 -c 'import json; print(json.load(open("longest.json"))["positions"][0]["position"])')
value=$("$KANZEN" probe pushfight --board hook "$position" | cut -f 2)

expect 0 '^positions +[0-9,]+$' '' excerpt pushfight --board hook --out small.kzt --bytes 5000 --quiet "$position"
expect 3 '' '^kanzen excerpt: small.kzt exists already; --force replaces it$' \
    excerpt pushfight --board hook --out small.kzt --bytes 5000 --quiet
expect 0 '^\{' '' excerpt pushfight --board hook --out small.kzt --bytes 5000 --quiet --force --json "$position"
json out 'd["bytes"] <= 5000 and d["distance"] is None and d["expanded"] == d["positions"] and d["game"] == "pushfight"'
expect 0 '^ok$' '' verify small.kzt --quiet
expect 0 "	$value	" '' probe pushfight --table small.kzt "$position"
"$KANZEN" moves pushfight --board hook "$position" >all
"$KANZEN" moves pushfight --table small.kzt "$position" >some
cmp -s all some || complain "the moves have other values" moves
expect 0 '^positions' '' stats pushfight --table small.kzt
expect 2 '' 'an excerpt, which has [0-9]+ positions only' longest pushfight --table small.kzt --quiet
expect 2 '' 'an excerpt' puzzles pushfight --table small.kzt --quiet
expect 2 '' 'an excerpt' excerpt pushfight --table small.kzt --out other.kzt --quiet "$position"
# Several starts, on standard input.
for index in $(seq 0 300 90000); do echo "$index"; done >indices
expect 0 '^positions' '' excerpt pushfight --board hook --out many.kzt --quiet - <indices
[ ! -e other.kzt ] || complain "a file is left" excerpt
expect 2 '' 'option --bytes takes a number from 4096' excerpt pushfight --out other.kzt --bytes 10
expect 2 '' '^kanzen excerpt: where to\? Give --out FILE' excerpt pushfight --board hook
expect 2 '' '^kanzen excerpt: ' excerpt pushfight --board hook --out other.kzt nonsense

exit $((failures > 0))
