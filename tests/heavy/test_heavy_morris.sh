#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# labels: unsanitized
#
# Six Men's Morris, complete: solved by moves as numbers, and values of random positions compared with those of their moves,
# which the second implementation in the definition lists. Nine Men's Morris in samples: the laws of its definition.
set -u
. "$KANZEN_SOURCE/tests/support/cli_testing.sh"
cc -std=c17 -O2 -shared -fPIC -I"$KANZEN_SOURCE/include" -o morris.so "$KANZEN_SOURCE/examples/games/morris.c" ||
    complain "does not compile" morris.c

expect 0 '^positions' '' solve ./morris.so --rules six --out six.kzt --quiet
# Tiers below are copied to memory where there is room for that; here is none.
expect 0 '^positions' '' solve ./morris.so --rules six --memory 1M --out far.kzt --quiet
cmp -s six.kzt far.kzt || complain "another table without copies of tiers" far.kzt
expect 0 '^ok$' '' selftest ./morris.so --rules six --table six.kzt --positions 20000 --quiet
expect 0 'draw' '' probe ./morris.so --rules six --table six.kzt startpos
expect 0 '^ok$' '' selftest ./morris.so --rules nine --positions 20000 --quiet

[ $failures -eq 0 ]
