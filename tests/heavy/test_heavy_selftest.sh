#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# labels: dobutsu-table
#
# A million random positions of each game, by the self-test; for Push Fight mostly on its small boards, because
# the standard one has hundreds of times as many turns.
set -u
. "$KANZEN_SOURCE/tests/support/cli_testing.sh"

expect 0 '^ok$' '' selftest dobutsu --positions 1000000 --quiet
grep -Eq '^ +1,000,000  positions$' out || complain "$(cat out)" selftest
expect 0 '^ok$' '' selftest dobutsu --positions 10000 --seed 2 --quiet --table "$DOBUTSU_TABLE"
grep -Eq '^ +10,000  values of the table that follow from their moves$' out || complain "$(cat out)" selftest
expect 0 '^ok$' '' selftest dobutsu --rules simplified --positions 50000 --quiet
expect 0 '^ok$' '' selftest pushfight --board corridor --positions 700000 --quiet
expect 0 '^ok$' '' selftest pushfight --board hook --positions 200000 --quiet
expect 0 '^ok$' '' selftest pushfight --board raft --positions 80000 --quiet
expect 0 '^ok$' '' selftest pushfight --board mini --positions 20000 --quiet
expect 0 '^ok$' '' selftest pushfight --positions 400 --quiet

[ $failures -eq 0 ]
