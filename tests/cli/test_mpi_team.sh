#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# Teams of several processes: tests/mpi/team_mpi.c with three members and with five, a parcel that takes several messages, and a
# member that leaves.
set -uo pipefail
# shellcheck source=tests/support/mpi_testing.sh
. "$KANZEN_SOURCE/tests/support/mpi_testing.sh"
failures=0
complain() {
    echo "$1: $(head -c 600 err)"
    failures=$((failures + 1))
}

for members in 3 5; do
    mpi $members "$TEAM_MPI" >out 2>err || complain "$members members fail"
    grep -q "^$members members are fine" out || complain "$members members say $(cat out)"
done

# As if they had no memory in common: over sockets.
mpi 3 --mca btl tcp,self "$TEAM_MPI" >out 2>err || complain "3 members over sockets fail"

# More than goes in one message.
mpi 2 "$TEAM_MPI" large 150000001 >out 2>err || complain "a large parcel fails"

# Who leaves as one that failed ends the others: they wait for him for ever otherwise.
timeout 30 mpirun -n 3 --oversubscribe --bind-to none "$TEAM_MPI" leave >out 2>err
code=$?
[ $code -ne 0 ] && [ $code -ne 124 ] || complain "members stay though one has left (exit code $code)"
[ $failures -eq 0 ]
