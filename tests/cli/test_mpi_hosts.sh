#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# Teams whose members are on two machines, as far as the network can tell.
set -uo pipefail
# shellcheck source=tests/support/mpi_testing.sh
. "$KANZEN_SOURCE/tests/support/mpi_testing.sh"
# shellcheck source=tests/mpi/hosts.sh
. "$KANZEN_SOURCE/tests/mpi/hosts.sh"
make_hosts || {
    echo "no network namespaces here"
    exit 77
}
failures=0
complain() {
    echo "$1: $(head -c 600 err)"
    failures=$((failures + 1))
}

on_hosts 1 hostname >out 2>err || complain "mpirun can't start anything on both"
[ "$(sort out | tr '\n' ' ')" = 'kanzen-a kanzen-b ' ] || complain "not two machines: $(cat out)"
on_hosts 2 "$TEAM_MPI" >out 2>err || complain "4 members on 2 machines fail"
grep -q '^4 members are fine' out || complain "4 members say $(cat out)"

# A member that dies ends the others, wherever they are.
on_hosts 1 "$TEAM_MPI" leave >out 2>err && complain "members stay though one has left"
[ $failures -eq 0 ]
