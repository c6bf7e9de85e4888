#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# labels: unsanitized
#
# Files that others may have put in the way: links, pipes, devices, parts of other runs; two runs with one target;
# permissions of what is written; absurd numbers.
set -u
. "$KANZEN_SOURCE/tests/support/cli_testing.sh"
export KANZEN_TABLES=$PWD/none XDG_DATA_HOME=$PWD/none
mini=(solve pushfight --board mini --quiet)
"$KANZEN" "${mini[@]}" --out mini.kzt >out || complain "$(cat out)" solve
printf 'sfen lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1\nmove 7g7f\nscore 1\nply 1\nresult 1\ne\n' >one.txt
"$KANZEN" convert shogi one.txt one.psv --quiet 2>err || complain "$(cat err)" convert
cp one.psv many.psv
for ((i = 0; i < 19; i++)); do cat many.psv many.psv >twice && mv twice many.psv; done

# ---- Permissions ---------------------------------------------------------------------------------------------------

mode() { stat -c %a "$1"; }
(umask 027 && "$KANZEN" "${mini[@]}" --out new.kzt >out)
[ "$(mode new.kzt)" = 640 ] || complain "mode $(mode new.kzt) with umask 027" solve
chmod 604 new.kzt
(umask 077 && "$KANZEN" "${mini[@]}" --out new.kzt --force >out)
[ "$(mode new.kzt)" = 604 ] || complain "mode $(mode new.kzt): --force did not keep it" solve
chmod 640 one.psv
"$KANZEN" convert shogi one.txt one.psv --force --quiet 2>err
[ "$(mode one.psv)" = 640 ] || complain "mode $(mode one.psv): --force did not keep it" convert

# ---- Links -----------------------------------------------------------------------------------------------------------

# A part that is another name of somebody's file, or a link to it.
echo precious >victim
ln victim out.hcpe.part
expect 0 '' 'written' convert shogi many.psv out.hcpe --force --quiet
[ "$(cat victim)" = precious ] || complain "a hard link in the way was written through" convert
rm -f out.hcpe
ln -s victim out.hcpe.part
expect 0 '' 'written' convert shogi many.psv out.hcpe --force --quiet
[ "$(cat victim)" = precious ] || complain "a link in the way was written through" convert
[ ! -L out.hcpe ] && [ "$(stat -c %s out.hcpe)" -eq $((38 << 19)) ] || complain "not the records" convert
rm -f out.hcpe
ln victim out.hcpe.part
expect 3 '' "can't go on with out.hcpe.part: it has another owner or another name" convert shogi many.psv out.hcpe --resume --quiet
rm -f out.hcpe.part
[ "$(cat victim)" = precious ] || complain "resume wrote through a hard link" convert
if [ "$(id -u)" -eq 0 ]; then
    : >out.hcpe.part
    chown 65534 out.hcpe.part
    expect 3 '' 'another owner' convert shogi many.psv out.hcpe --resume --quiet
    rm -f out.hcpe.part
fi
# A lock that is a link to nowhere, and a target that is one.
mkdir work.kzt.work
ln -s made work.kzt.work/lock
expect 3 '' 'work.kzt.work' "${mini[@]}" --out work.kzt
[ ! -e made ] && [ ! -e work.kzt.work/made ] || complain "the link was followed" solve
ln -s nowhere dangling.kzt
expect 3 '' 'dangling.kzt exists already; --force replaces it' "${mini[@]}" --out dangling.kzt
[ ! -e nowhere ] || complain "the link was followed" solve

# ---- Pipes, devices and folders in place of files ------------------------------------------------------------------

mkfifo pipe
for file in pipe /dev/null /dev/zero .; do
    for words in "verify $file" "probe pushfight startpos --table $file" "stats pushfight --table $file"; do
        # shellcheck disable=SC2086
        timeout 20 "$KANZEN" $words >out 2>err </dev/null
        code=$?
        { [ $code -eq 3 ] || [ $code -eq 4 ]; } && [ -s err ] || complain "exit code $code: $(cat err)" "$words"
    done
    timeout 20 "$KANZEN" "${mini[@]}" --out $file --force >out 2>err </dev/null
    code=$?
    [ $code -eq 3 ] && [ -s err ] || complain "exit code $code: $(cat err)" solve --out $file
done
[ -p pipe ] || complain "the pipe was replaced" solve
expect 3 '' 'not a regular file' play pushfight --board mini --save pipe --force </dev/null
mkfifo out.psv.part
timeout 20 "$KANZEN" convert shogi one.txt out.psv --force --quiet 2>err
[ $? -eq 0 ] && [ -f out.psv ] || complain "a pipe in place of the part: $(cat err)" convert

# ---- Two runs with one target ---------------------------------------------------------------------------------------

# both ROUND COMMAND...: two runs at the same time. One has success at least; the other may say why it has none.
both() {
    local round=$1 first second code
    shift
    "$KANZEN" "$@" >out1 2>err1 &
    first=$!
    "$KANZEN" "$@" >out2 2>err2
    second=$?
    wait $first
    first=$?
    { [ $first -eq 0 ] || [ $second -eq 0 ]; } || complain "round $round: both failed: $(cat err1 err2)" "$1"
    for code in $first $second; do [ "$code" -eq 0 ] || [ "$code" -eq 3 ] || complain "exit code $code" "$1"; done
}
for round in 1 2 3; do
    rm -rf both.kzt both.kzt.work
    both $round "${mini[@]}" --out both.kzt
    cmp -s both.kzt mini.kzt || complain "round $round: other bytes" solve
    [ -z "$(ls -d both.kzt?* 2>/dev/null)" ] || complain "left behind: $(ls -d both.kzt?*)" solve
done
rm -f out.hcpe
# A small source often: both runs open their parts at the same time. A large one: one is at work when the other begins.
for source in one.psv many.psv; do
    "$KANZEN" convert shogi $source whole.hcpe --quiet --force 2>err
    rounds=3
    [ $source = one.psv ] && rounds=50
    for ((round = 1; round <= rounds; round++)); do
        rm -f both.hcpe*
        both $round convert shogi $source both.hcpe --force --quiet
        cmp -s both.hcpe whole.hcpe || complain "round $round: other bytes" convert
    done
done

# ---- What another run left ------------------------------------------------------------------------------------------

# The source has another content, although its size and its time are the same.
"$KANZEN" convert shogi many.psv going.sspv --quiet --checkpoint 0 --threads 1 2>err &
run=$!
# It can go on as soon as its state is there.
for ((i = 0; i < 4000; i++)); do
    [ -s going.sspv.part.state ] && [ "$(stat -c %s going.sspv.part 2>/dev/null || echo 0)" -gt 4000000 ] && break
    [ ! -e going.sspv ] || break
    sleep 0.005
done
kill -KILL $run 2>/dev/null
wait $run 2>/dev/null
if [ -e going.sspv.part ] && [ -e going.sspv.part.state ]; then
    cp -p many.psv other.psv
    printf '\x07' | dd of=other.psv bs=1 seek=39 conv=notrunc 2>/dev/null # the extra byte of the first record
    touch -r many.psv other.psv
    cp going.sspv.part copy.part && cp going.sspv.part.state copy.state
    expect 2 '' 'the source has been changed since' convert shogi other.psv going.sspv --resume --quiet
    cmp -s going.sspv.part copy.part || complain "the part was changed" convert
    expect 0 '' 'written' convert shogi many.psv going.sspv --resume --quiet
else
    echo "part skipped: a changed source: the conversion was too fast to be killed"
fi

# A phase of another board.
"$KANZEN" solve pushfight --board mini --phases 3 --out part.kzt --quiet >out || complain "$(cat out)" solve
mkdir raft.kzt.work
cp part.kzt.work/phase-*.kzp raft.kzt.work/
expect 4 '^phase' 'raft.kzt.work/phase-001.kzp: not phase 1 of pushfight, raft' solve pushfight --board raft --out raft.kzt --quiet

# ---- Numbers without measure ----------------------------------------------------------------------------------------

"$KANZEN" help --format markdown >markdown
name=
options=0
while read -r line; do
    case $line in
    '<!-- usage: '*)
        name=${line#'<!-- usage: '}
        name=${name%' -->'}
        ;;
    '| `--'*' N` |'*)
        option=${line#'| `'}
        option=${option%%' N`'*}
        for number in 99999999999999999999 -1; do
            # shellcheck disable=SC2086
            "$KANZEN" $name "$option=$number" >out 2>err </dev/null
            code=$?
            [ $code -eq 2 ] && grep -q -- "$option takes a number from [0-9]* to [0-9]*, not '$number'" err ||
                complain "exit code $code: $(head -c 200 err)" $name "$option=$number"
        done
        options=$((options + 1))
        ;;
    esac
done <markdown
[ $options -ge 60 ] || complain "only $options options with a number" "(help)"
expect 2 '' '--threads takes a number from 1 to 4096' solve dobutsu --threads 999999999

[ $failures -eq 0 ]
