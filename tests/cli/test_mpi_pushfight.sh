#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# labels: slow
#
# Push Fight solved by several processes: the bytes of the table and the counts of the phases are those of one process, a
# solve goes on with another number of them, and one of them that dies ends the others. tests/unit/test_sweep_team.c has more
# numbers of members.
set -uo pipefail
# shellcheck source=tests/support/mpi_testing.sh
. "$KANZEN_SOURCE/tests/support/mpi_testing.sh"
failures=0
complain() {
    echo "$1: $(head -c 600 err)"
    failures=$((failures + 1))
}

# together MEMBERS TABLE OPTION...
together() {
    local members=$1 table=$2
    shift 2
    timeout 120 mpirun -n "$members" --oversubscribe --bind-to none \
        "$KANZEN" solve pushfight --threads 1 --out "$table" --quiet "$@" >out 2>err
}

# What a phase found, without the seconds.
counts() { awk '$2 == "wins" || $2 == "losses" { print $1, $2, $3, $4, $5, $6 }' "$1"; }

alone() {
    [ -f "$1.kzt" ] && return
    "$KANZEN" solve pushfight --board "$1" --out "$1.kzt" --quiet >"$1.txt" 2>err || complain "$1 alone"
    [ "$(counts "$1.txt" | wc -l)" -gt 4 ] || complain "$1 has too few phases"
}

# compare BOARD MEMBERS
compare() {
    rm -rf t.kzt t.kzt.work
    together "$2" t.kzt --board "$1" "${@:3}" || complain "$1, $2 members: exit code $?"
    cmp t.kzt "$1.kzt" || complain "$1, $2 members: another table"
    [ "$(counts out)" = "$(counts "$1.txt")" ] || complain "$1, $2 members: other counts"
    [ ! -e t.kzt.work ] || complain "$1, $2 members leave their folder"
}

alone mini
compare mini 2
alone raft
compare raft 4 --batch 5 --pack

# It goes on alone, and as a team again; and what was found before is not found again.
rm -rf t.kzt
together 2 t.kzt --board mini --phases 3 || complain "3 phases with 2 members"
[ "$(echo t.kzt.work/phase-*)" = "t.kzt.work/phase-001.kzp t.kzt.work/phase-002.kzp t.kzt.work/phase-003.kzp" ] ||
    complain "not 3 phases: $(ls t.kzt.work)"
"$KANZEN" solve pushfight --board mini --out t.kzt --phases 4 --quiet >out 2>err || complain "4 phases alone"
together 3 t.kzt --board mini || complain "the rest with 3 members"
[ "$(grep -c '(before)' out)" -eq 4 ] || complain "not 4 phases from before"
[ "$(counts out)" = "$(counts mini.txt)" ] || complain "going on: other counts"
cmp t.kzt mini.kzt || complain "going on: another table"

# One of them is killed: all end, with a message, and the next run goes on.
rm -rf t.kzt
together 2 t.kzt --board mini --phases 3 || complain "3 phases before one is killed"
# shellcheck disable=SC2016 # the process expands that
timeout 100 mpirun -n 2 --oversubscribe --bind-to none bash -c '
    if [ "$OMPI_COMM_WORLD_RANK" = 1 ]; then echo $$ >victim; fi
    exec "$0" solve pushfight --threads 1 --board mini --out t.kzt --batch 1 --quiet' "$KANZEN" >out 2>err &
run=$!
for _ in $(seq 2500); do
    [ -f t.kzt.work/phase-004.kzp ] && break
    sleep 0.02
done
kill -9 "$(cat victim)" 2>/dev/null || complain "nobody was there to be killed"
wait $run && complain "the others went on though one was killed"
grep -qi "killed\|signal\|lost" err || complain "no message that one was killed"
[ ! -f t.kzt ] || complain "a table in spite of that"
together 2 t.kzt --board mini || complain "going on after that"
[ "$(grep -c '(before)' out)" -ge 4 ] || complain "the phases before the kill are lost"
cmp t.kzt mini.kzt || complain "killed and gone on with: another table"
[ $failures -eq 0 ]
