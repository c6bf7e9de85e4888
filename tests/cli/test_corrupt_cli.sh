#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# What the commands say about damaged files, and that they end with exit code 4 and write nothing. tests/unit/test_corrupt.c
# has all the places where damage can be.
set -u
. "$KANZEN_SOURCE/tests/support/cli_testing.sh"
export KANZEN_TABLES=$PWD XDG_DATA_HOME=$PWD/none

# flip FILE OFFSET [FROM]: a copy of FROM (FILE.good by default) with another byte there; negative: from the end
flip() {
    local from=${3:-$1.good} at=$2 byte
    [ "$at" -ge 0 ] || at=$(($(stat -c %s "$from") + at))
    cp "$from" "$1"
    byte=$(od -An -tu1 -j "$at" -N 1 "$from")
    printf '%b' "\\x$(printf '%02x' $((byte ^ 255)))" | dd of="$1" bs=1 seek="$at" conv=notrunc status=none
}

table=pushfight-corridor.kzt
"$KANZEN" solve pushfight --board corridor --quiet --keep-work >out || complain "$(cat out)" solve
mv $table $table.good
cp -r $table.work work

# ---- Tables ---------------------------------------------------------------------------------------------------------

# The header and what is before the blocks: nobody opens it.
for at in 3 20 57 120 150 160 300; do
    flip $table $at
    expect 4 '' "^kanzen verify: $table: " verify $table --quiet
    expect 4 '' "^kanzen probe: .*$table: " probe pushfight --board corridor startpos
    expect 4 '' "^kanzen stats: .*$table: " stats pushfight --board corridor
    expect 4 '' "^kanzen export: .*$table: " export pushfight --board corridor --format csv --out out.csv --quiet
done
# A block: whoever needs it is told so, and others get their answers.
flip $table -1
expect 4 '' "^kanzen verify: $table: block [0-9]+ is damaged \(its checksum does not match\)$" verify $table --quiet
expect 4 '' "block [0-9]+ is damaged" verify $table --quiet --json
expect 0 '^positions +1,512$' '' stats pushfight --board corridor
expect 4 '' "block [0-9]+ is damaged" export pushfight --board corridor --format csv --out out.csv --quiet
expect 4 '' "block [0-9]+ is damaged" longest pushfight --board corridor --quiet
expect 4 '' "block [0-9]+ is damaged" pushfight values --board corridor --out values --quiet
# Cut off, and too long.
head -c 2000 $table.good >$table
expect 4 '' "$table: 2000 bytes long, but should have 2636$" verify $table --quiet
(cat $table.good && echo) >$table
expect 4 '' "$table: 2637 bytes long, but should have 2636$" verify $table --quiet
: >$table
expect 4 '' "$table: not a Kanzen table$" verify $table --quiet
[ ! -e out.csv ] && [ ! -e values ] || complain "there is a file" export
cp $table.good $table

# ---- A solve that was interrupted -----------------------------------------------------------------------------------

rm $table
for at in 10 100 -1; do
    rm -rf $table.work
    cp -r work $table.work
    flip $table.work/phase-003.kzp $at work/phase-003.kzp
    expect 4 losses 'kanzen solve: .*phase-003.kzp: ' solve pushfight --board corridor --quiet
    [ ! -e $table ] || complain "there is a table" solve
done
# Without the damaged one it is found again.
rm $table.work/phase-003.kzp
"$KANZEN" solve pushfight --board corridor --quiet >out 2>err || complain "$(cat err)" solve
cmp $table $table.good || complain "another table" solve

# ---- Records of shogi -----------------------------------------------------------------------------------------------

"$KANZEN" convert shogi "$KANZEN_SOURCE/shogi/tests/data/games_all.csa" games.psv.good --to psv --quiet 2>err ||
    complain "$(cat err)" convert
flip games.psv 400 # a king of the eleventh one
expect 1 '^not ok$' 'record 11' shogi check games.psv --quiet
expect 4 '' '^kanzen convert shogi: record 11 of games.psv: ' convert shogi games.psv out.hcpe --quiet
expect 1 '' 'record 11' convert shogi games.psv few.hcpe --quiet --skip-bad
[ $(($(stat -c %s few.hcpe) / 38)) -eq $(($(stat -c %s games.psv) / 40 - 1)) ] || complain "other records are gone" convert
head -c 410 games.psv.good >games.psv
expect 4 '' '^kanzen convert shogi: record 11 of games.psv: the file is cut short' convert shogi games.psv out.hcpe --quiet
expect 1 '^not ok$' 'record 11' shogi check games.psv --quiet
[ ! -e out.hcpe ] || complain "there is a file" convert

[ $failures -eq 0 ]
