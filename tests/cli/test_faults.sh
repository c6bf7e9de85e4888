#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# labels: unsanitized
#
# Disks that are full or broken, memory and threads that are not to be had, at some call of each command that writes a
# file: tests/faults/sweep.sh says what is expected. THOROUGH=1 tries dozens of each kind (make faults), otherwise it is one
# or two; test_faults_library.c tries more of them.
set -u
. "$KANZEN_SOURCE/tests/faults/sweep.sh"
export KANZEN_TABLES=$PWD/none XDG_DATA_HOME=$PWD/none

# every NAMED COMMAND...: every kind of fault. NAMED is the file that the message has to name.
every() {
    local named=$1 begin=$SECONDS failures_before=$failures
    shift
    prepare "$@"
    sweep write ENOSPC "$named" "$@"
    sweep fsync EIO "$named" "$@"
    sweep rename EIO "$named" "$@"
    sweep close EIO "$named" "$@"
    sweep truncate EIO "$named" "$@"
    sweep read EIO '' "$@"
    sweep open EMFILE '' "$@"
    sweep malloc ENOMEM '' "$@"
    sweep mmap ENOMEM '' "$@"
    sweep thread EAGAIN '' "$@"
    # To write less than was asked for is no fault.
    faulty short:1+ "$@" || complain "short writes: exit code $?: $(head -c 300 err)" "$@"
    same || complain "short writes: another result" "$@"
    echo "$tried faults, $((failures - failures_before)) failures, $((SECONDS - begin)) s: kanzen $*"
    tried=0
}

# few NAMED COMMAND...: what matters most, for commands that take longer
few() {
    local named=$1
    shift
    if [ -n "${THOROUGH:-}" ]; then
        every "$named" "$@"
        return
    fi
    prepare "$@"
    for fault in write:2:ENOSPC write:1+:ENOSPC fsync:1+:EIO rename:1+:EIO open:2+:EMFILE; do
        one "$fault" "$named" "$@"
    done
    one malloc:60:ENOMEM '' "$@"
    one malloc:60+:ENOMEM '' "$@"
    tried=0
}

mkdir before
"$KANZEN" solve pushfight --board corridor --out before/t.kzt --quiet >out || complain "$(cat out)" solve
"$KANZEN" convert shogi "$KANZEN_SOURCE/shogi/tests/data/games_all.csa" before/in.psv --quiet 2>err ||
    complain "$(cat err)" convert
echo old >before/old.svg
echo old >before/old.csv

again=same leftover=
every old.svg show pushfight --board corridor --svg old.svg
few old.svg stats pushfight --board corridor --table t.kzt --svg old.svg
few old.csv export pushfight --board corridor --table t.kzt --format csv --out old.csv --force --quiet --threads 2 --count 50
few out.psv shogi shuffle in.psv out.psv --quiet --threads 2 --seed 3
few out.psv shogi dedupe in.psv out.psv --quiet --threads 2
few out.psv shogi sample in.psv out.psv --quiet --count 10
# What was played so far is saved also when the table can't be read any more.
again='' leftover='^game\.txt$'
few game.txt play pushfight --board corridor --table t.kzt --side none --seed 1 --save game.txt
again=--resume leftover='^out\.hcpe\.part(\.state)?$'
few out.hcpe convert shogi in.psv out.hcpe --quiet --threads 2
again=same leftover='^out\.kzt\.work/'
few 'out\.kzt|phase-' solve pushfight --board corridor --threads 2 --quiet --out out.kzt

# Interruptions by signals are no faults either.
again='' leftover=
prepare shogi shuffle in.psv out.psv --quiet --seed 3
for fault in write:1:EINTR read:1:EINTR; do
    faulty $fault shogi shuffle in.psv out.psv --quiet --seed 3 || complain "$fault: $(head -c 300 err)" shuffle
    same || complain "$fault: another result" shuffle
done

# A server that can't start says so; it may also do without what was not to be had.
for fault in thread:1+:EAGAIN thread:3:EAGAIN malloc:5:ENOMEM malloc:20:ENOMEM malloc:30+:ENOMEM; do
    : >out
    (export FAULT=$fault LD_PRELOAD=$preloaded && exec "$KANZEN" serve --port 0) >out 2>err &
    server=$!
    for ((i = 0; i < 200; i++)); do
        if [ -s out ] || ! kill -0 $server 2>/dev/null; then break; fi
        sleep 0.05
    done
    [ ! -s out ] || kill -TERM $server 2>/dev/null
    wait $server
    code=$?
    [ $code -eq 3 ] || [ $code -eq 0 ] || complain "$fault: exit code $code: $(head -c 300 err)" serve
    [ $code -eq 0 ] || grep -q 'kanzen serve: ' err || complain "$fault: no message" serve
done

[ $failures -eq 0 ]
