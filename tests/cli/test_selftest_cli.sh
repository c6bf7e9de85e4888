#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# kanzen selftest on the command line. What it finds is the subject of test_selftest.c.
set -u
. "$KANZEN_SOURCE/tests/support/cli_testing.sh"
export KANZEN_TABLES=$PWD/none XDG_DATA_HOME=$PWD/none

expect 0 '^ok$' . selftest dobutsu --positions 200
grep -Eq '^dobutsu, official rules, seed 1$' out || complain "$(cat out)" selftest
grep -Eq '^ +200  positions$' out || complain "$(cat out)" selftest
grep -Eq '^ +[0-9,]+  legal moves, as the plain rules have them$' out || complain "$(cat out)" selftest
if grep -q 'values of the table' out; then complain "there is no table" selftest; fi

# The same on any number of threads; another seed, other positions.
expect 0 '^ok$' '' selftest dobutsu --rules simplified --positions 300 --seed 9 --threads 1 --quiet
cp out one
expect 0 '^ok$' '' selftest dobutsu --rules simplified --positions 300 --seed 9 --threads 5 --quiet
cmp one out || complain "threads make a difference" selftest
expect 0 '^ok$' '' selftest dobutsu --rules simplified --positions 300 --seed 10 --quiet
if tail -n +2 one | cmp -s - <(tail -n +2 out); then complain "the seed makes no difference" selftest; fi

expect 0 '^\{' '' selftest pushfight --board hook --positions 100 --quiet --json
json out 'd["ok"] and d["game"] == "pushfight" and d["rules"] == "hook" and d["seed"] == 1 and d["positions"] == 100'
json out 'd["failed"] is None and d["position"] is None and d["problem"] is None and d["seconds"] > 0'
json out 'd["checks"]["move"] > 100 and d["checks"]["predecessor"] == 0 and d["checks"]["value"] == 0'

# With a table, whose rules are taken.
expect 0 . '' solve pushfight --board corridor --out corridor.kzt --quiet
expect 0 '^ +500  values of the table that follow from their moves$' '' \
    selftest pushfight --table corridor.kzt --positions 500 --quiet
expect 0 '^pushfight, corridor rules, ' '' selftest pushfight --table corridor.kzt --positions 10 --quiet
expect 2 '' 'is a table for corridor rules, not for hook rules' selftest pushfight --table corridor.kzt --board hook
expect 3 '' 'none.kzt' selftest pushfight --table none.kzt

expect 2 '' 'an argument is missing' selftest
expect 2 '' 'chess' selftest chess
expect 2 '' 'positions' selftest dobutsu --positions 0
expect 2 '' "no rules 'lion'" selftest dobutsu --rules lion

[ $failures -eq 0 ]
