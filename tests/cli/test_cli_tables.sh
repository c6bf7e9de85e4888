#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# What commands say when there is no table, or one that is none. test_heavy_cli.sh has the rest.
set -u
. "$KANZEN_SOURCE/tests/support/cli_testing.sh"
export XDG_DATA_HOME=$PWD/data KANZEN_TABLES=

# No table: the message says how to make one.
for command in probe moves line stats bench; do
    expect 3 '' "no table for dobutsu by official rules; make it with: kanzen solve dobutsu .*at $PWD/data/kanzen/" $command dobutsu
    expect 3 '' 'kanzen solve dobutsu --rules simplified' $command dobutsu --rules simplified
    expect 3 '' 'none.kzt: No such file' $command dobutsu --table none.kzt
    expect 2 '' "there is no game 'xiangqi'; the games are: dobutsu" $command xiangqi
    expect 2 '' "dobutsu has no rules 'xiangqi'" $command dobutsu --rules xiangqi
    expect 3 '' 'kanzen solve dobutsu --rules simplified' $command dobutsu --board simplified
    expect 2 '' "these are two names of one option" $command dobutsu --rules official --board simplified
done
expect 0 'ELG b - 1$' '' show dobutsu
expect 3 '' 'none.kzt: No such file' show dobutsu --table none.kzt
expect 3 '' 'none.kzt: No such file' verify none.kzt
expect 3 '' 'not a regular file' verify .
expect 3 '' 'not a regular file' probe dobutsu startpos --table .

# Files that are no tables.
: >empty.kzt
head -c 100000 /dev/zero >zero.kzt
head -c 100000 /dev/urandom >random.kzt
echo 'gle/1c1/1C1/ELG b - 1' >text.kzt
for table in empty zero random text; do
    for command in probe moves line stats bench show; do
        expect 4 '' "$table.kzt" $command dobutsu --table $table.kzt
    done
    expect 4 '' "$table.kzt" verify $table.kzt
done
# One that is found is as bad as one that is named.
mkdir -p data/kanzen
cp zero.kzt data/kanzen/dobutsu-official.kzt
expect 4 '' 'dobutsu-official.kzt' probe dobutsu startpos
expect 4 '' 'dobutsu-official.kzt' show dobutsu

# Nothing is overwritten without --force, and that is said before any work is done.
expect 3 '' 'dobutsu-official.kzt exists already; --force replaces it$' solve dobutsu
expect 3 '' 'zero.kzt exists already' solve dobutsu --out zero.kzt --rules simplified
[ "$(wc -c <zero.kzt)" -eq 100000 ] || complain "the file is gone" solve
expect 3 '' "can't create" solve dobutsu --out zero.kzt/table.kzt
expect 3 '' 'not a regular file' solve dobutsu --out . --force
expect 2 '' "dobutsu can't be solved on a graphics card through its definition" solve dobutsu --plain --device cuda --out gpu.kzt
expect 2 '' "there is no device 'tpu' .devices: cpu, cuda." solve dobutsu --device tpu --out gpu.kzt
[ ! -e gpu.kzt ] || complain "the device was ignored" solve
expect 2 '' 'the name of the file to write is empty' solve dobutsu --out ''
expect 2 '' "option --threads takes a number from 1 to 4096, not '0'" solve dobutsu --threads 0
expect 2 '' "there is no game 'xiangqi'" solve xiangqi
expect 2 '' "there is no 'everything'; there are: try-rule" check everything
expect 2 '' 'an argument is missing' verify
expect 2 '' "there is no game 'xiangqi'" count xiangqi
expect 0 '^This is for solve --plain, through the definition of the game' '' estimate dobutsu --samples 100
expect 0 '"plain":true' '' estimate dobutsu --samples 100 --json
expect 0 'default: 40,000' '' estimate --help
expect 2 '' "option --plies takes a number from 1 to 100000, not '-1'" line dobutsu --plies -1
expect 2 '' '--svg and --json' stats dobutsu --svg x --json

[ $failures -eq 0 ]
