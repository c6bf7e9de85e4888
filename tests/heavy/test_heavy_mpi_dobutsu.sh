#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# labels: dobutsu-table
#
# Dobutsu Shogi solved by 2 processes, then by 1, 4 and 2, each from the checkpoint of those before, is the same table,
# byte for byte, as that of one process ($DOBUTSU_TABLE).
set -uo pipefail
# shellcheck source=tests/support/mpi_testing.sh
. "$KANZEN_SOURCE/tests/support/mpi_testing.sh"
failures=0
complain() {
    echo "$1: $(head -c 800 err)"
    failures=$((failures + 1))
}
solve() {
    local members=$1
    shift
    if [ "$members" -eq 0 ]; then
        "$KANZEN" solve dobutsu --quiet "$@" >out 2>err
    else
        mpi "$members" "$KANZEN" solve dobutsu --quiet "$@" >out 2>err
    fi
}
# complete NAME WHO: NAME.kzt is the table, and the work folder is gone.
complete() {
    cmp -s "$1.kzt" "$DOBUTSU_TABLE" || complain "$2: another table"
    [ ! -e "$1.kzt.work" ] || complain "$2: leaves $1.kzt.work"
}

# The distance up to which a checkpoint goes.
reached() { od -An -tu4 -j12 -N4 "$1.kzt.work/checkpoint.kzr" | tr -d ' '; }

# One solve, in turns: two begin and stop. tests/unit/test_team_threads.c has more numbers of members.
solve 2 --out a.kzt --phases 5 || complain "2 processes can't begin"
[ "$(grep -c '^stopped as asked' out)" -eq 1 ] || complain "not one says that it stopped: $(cat out)"
[ -f a.kzt.work/checkpoint.kzr ] || complain "2 processes leave no checkpoint"
mv a.kzt.work d.kzt.work
cp -r d.kzt.work b.kzt.work
cp -r d.kzt.work c.kzt.work

# One without mpirun goes on with a copy, and is interrupted, unless it is done by then.
"$KANZEN" solve dobutsu --quiet --out b.kzt >out 2>err &
run=$!
sleep 1
kill -TERM $run && {
    wait $run
    [ $? -eq 130 ] || complain "one process that goes on is not interrupted"
    [ "$(reached b)" -gt 5 ] || complain "interrupted, it has not come further"
}
rm -rf b.kzt b.kzt.work

# A checkpoint that is damaged, or of other rules, is refused, and left where it is.
size=$(stat -c %s c.kzt.work/checkpoint.kzr)
printf 'damage' | dd of=c.kzt.work/checkpoint.kzr bs=1 seek=$((size - 1000)) conv=notrunc status=none
for members in 0 2; do
    solve $members --out c.kzt
    [ $? -eq 4 ] || complain "a damaged checkpoint is no failure"
    [ "$(grep -c 'checkpoint.kzr: segment .* is damaged' err)" -eq 1 ] || complain "not one says what is damaged"
    solve $members --out c.kzt --rules simplified
    [ $? -eq 4 ] || complain "a foreign checkpoint is no failure"
    grep -q 'not a checkpoint of dobutsu, simplified rules' err || complain "does not say that it is foreign"
done
[ -f c.kzt.work/checkpoint.kzr ] && [ ! -e c.kzt ] || complain "a damaged checkpoint is gone"

# One goes on and stops.
solve 0 --out d.kzt --phases 8 || complain "one process can't go on"
[ "$(reached d)" -eq 8 ] || complain "one process has come to $(reached d), not 8"

# Four go on; one of them is killed when they have come further; two go on.
mpirun -n 4 --oversubscribe --bind-to none "$KANZEN" solve dobutsu --quiet --out d.kzt --checkpoint 1 >out 2>err &
run=$!
for ((i = 0; i < 1200; i++)); do
    [ "$(reached d)" -eq 8 ] || break
    sleep 0.1
done
kill -9 "$(pgrep -P "$run" -x kanzen | tail -1)" || complain "there is nobody to kill"
wait $run && complain "3 of 4 processes are enough"
grep -qi 'signal 9' err || complain "mpirun does not say what happened"
[ ! -e d.kzt ] || complain "a table without one of 4"
[ "$(reached d)" -gt 8 ] || complain "no checkpoint to go on from"
solve 2 --out d.kzt || complain "2 processes can't go on"
[ "$(grep -c '^positions  *231,641,991$' out)" -eq 1 ] || complain "not one prints the result: $(cat out)"
grep -Eq '^processes +2$' out || complain "not 2 processes: $(cat out)"
complete d "2, 1, 4 and 2 processes"

# A table that is there is kept.
solve 2 --out d.kzt
[ $? -eq 3 ] || complain "a table that is there is no failure"
[ "$(grep -c 'exists already; --force replaces it' err)" -eq 1 ] || complain "not one says that it is there"

[ $failures -eq 0 ]
