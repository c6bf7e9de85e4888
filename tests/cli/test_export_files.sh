#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# labels: mini-table
#
# kanzen export: states, wins and csv, without a table of Dobutsu Shogi. The first lines of the former are those of
# kota7's doubutsushogi.
set -u
. "$KANZEN_SOURCE/tests/support/cli_testing.sh"
export KANZEN_TABLES=$PWD XDG_DATA_HOME=$PWD/none

expect 0 '^positions +2$' '' export dobutsu --format states --out states.txt --count 2 --quiet
[ "$(md5sum <states.txt)" = "$(printf '%s\n' \
    '2276617967770 0 4 2276617162570 2276617484980 2276617961170 87014145179536' \
    '87014145179536 0 5 5415026081402 5415026403812 5415026880002 90152592970278 90152593014148' |
    md5sum)" ] || complain "$(cat states.txt)" states
expect 0 '^positions +2$' '' export dobutsu --format wins --out wins.txt --count 2 --quiet
[ "$(cat wins.txt)" = "$(printf '89582008669948 1 0\n371981583766149 1 0')" ] || complain "$(cat wins.txt)" wins

# A stream has the lines and nothing else; the report goes elsewhere.
"$KANZEN" export dobutsu --format states --out - --count 2 >streamed 2>err || complain "$(cat err)" stream
cmp streamed states.txt || complain "another text in a stream" stream
grep -q '^positions  *2$' err || complain "no report: $(cat err)" stream
"$KANZEN" export dobutsu --format wins --out - --count 2 --quiet 2>err | cmp - wins.txt || complain "$(cat err)" stream
[ ! -s err ] || complain "not quiet: $(cat err)" stream
[ ! -e - ] || complain "a file called -" stream
"$KANZEN" export dobutsu --format states --out - --count 2 --quiet >/dev/full 2>err
[ $? -eq 3 ] || complain "a full disk is not told" stream
grep -q "can't write the stream: No space left" err || complain "$(cat err)" stream

# What is there stays there.
expect 3 '' 'wins.txt exists already; --force replaces it' export dobutsu --format wins --out wins.txt --count 1
expect 0 '^\{' '' export dobutsu --format wins --out wins.txt --count 1 --force --quiet --json
json out '(d["game"], d["format"], d["out"], d["positions"], d["bytes"]) == ("dobutsu", "wins", "wins.txt", 1, 19)'
[ "$(cat wins.txt)" = '89582008669948 1 0' ] || complain "$(cat wins.txt)" wins
expect 3 '' 'no/such/folder' export dobutsu --format states --out no/such/folder/states.txt --count 1 --quiet

# ---- csv ---------------------------------------------------------------------------------------------------------

mini_table pushfight-mini.kzt
csv=(export pushfight --board mini --format csv --quiet --sample 200)
expect 0 '^positions +200$' '' "${csv[@]}" --out a.csv
expect 0 . '' "${csv[@]}" --out b.csv --seed 1 --threads 1
cmp a.csv b.csv || complain "another sample on one thread" csv
"$KANZEN" "${csv[@]}" --out - | cmp - a.csv || complain "another sample in a stream" csv
expect 0 . '' "${csv[@]}" --out c.csv --seed 2
cmp -s a.csv c.csv && complain "the same sample for another seed" csv
[ "$(head -n 1 a.csv)" = 'position,value,distance,best' ] || complain "$(head -n 1 a.csv)" csv
[ "$(wc -l <a.csv)" -eq 201 ] || complain "$(wc -l <a.csv) lines" csv
[ "$(sort -u a.csv | wc -l)" -eq 201 ] || complain "positions come up twice" csv
# The same as probe says: position, "win 3", move.
sed 1d a.csv | cut -d, -f1 | "$KANZEN" probe pushfight --table pushfight-mini.kzt | sed 's/\t-$/\t/' >probed
sed 1d a.csv | sed -E 's/^([^,]*),([^,]*),([^,]*),"?([^"]*)"?$/\1\t\2 \3\t\4/; s/draw \t/draw\t/' | cmp - probed ||
    complain "other values or moves than probe has" csv

# ---- Wrong usage ---------------------------------------------------------------------------------------------------

expect 2 '' '"csv" does not take --tar' export dobutsu --format csv --tar --out x
expect 2 '' '"states" does not take --table' export dobutsu --format states --table x --out x
expect 2 '' '"values" does not take --sample' export dobutsu --format values --sample 3 --out x
expect 2 '' 'sample' export dobutsu --format csv --sample 10000001 --out x
expect 2 '' '"sqlite" can.t go to standard output' export dobutsu --format sqlite --out -
expect 2 '' 'pushfight has no format "sqlite"' export pushfight --format sqlite --out x
expect 3 '' 'no table for dobutsu' export dobutsu --format values --out x
[ ! -e x ] || complain "there is a file" export

[ $failures -eq 0 ]
