#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# labels: dobutsu-table
#
# 200,000 random positions of each game, by the self-test, and with THOROUGH=1 a million (make faults); for Push Fight
# mostly on its small boards, because the standard one has hundreds of times as many turns.
set -u
. "$KANZEN_SOURCE/tests/support/cli_testing.sh"
many=1
[ -z "${THOROUGH:-}" ] || many=5

expect 0 '^ok$' '' selftest dobutsu --positions $((200000 * many)) --quiet
grep -Eq '^ +(200,000|1,000,000)  positions$' out || complain "$(cat out)" selftest
expect 0 '^ok$' '' selftest dobutsu --positions 10000 --seed 2 --quiet --table "$DOBUTSU_TABLE"
grep -Eq '^ +10,000  values of the table that follow from their moves$' out || complain "$(cat out)" selftest
expect 0 '^ok$' '' selftest dobutsu --rules simplified --positions $((10000 * many)) --quiet
expect 0 '^ok$' '' selftest pushfight --board corridor --positions $((140000 * many)) --quiet
expect 0 '^ok$' '' selftest pushfight --board hook --positions $((40000 * many)) --quiet
expect 0 '^ok$' '' selftest pushfight --board raft --positions $((16000 * many)) --quiet
expect 0 '^ok$' '' selftest pushfight --board mini --positions $((4000 * many)) --quiet
expect 0 '^ok$' '' selftest pushfight --positions $((100 * many)) --quiet

[ $failures -eq 0 ]
