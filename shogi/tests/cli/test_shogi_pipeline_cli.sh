#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# kanzen shogi pipeline: files, folders, patterns and packed files; what it prints; and runs that are killed at any
# moment, which go on and end in the same bytes.
set -u
. "$KANZEN_SOURCE/tests/support/cli_testing.sh"
data=$KANZEN_SOURCE/shogi/tests/data

"$KANZEN" convert shogi "$data/games_all.csa" games.psv --quiet 2>err || complain "$(cat err)" convert
records=$(($(wc -c <games.psv) / 40))
mkdir -p in/deeper
cp games.psv in/a.psv
"$KANZEN" convert shogi games.psv in/deeper/b.hcpe --quiet 2>err
echo 'not a file of records' >in/README.md

# ---- Inputs ----------------------------------------------------------------------------------------------------------

expect 0 "^records +$((2 * records))$" '^records to read' shogi pipeline in out.psv --seed 5
expect 0 "^written +" '' shogi pipeline games.psv alone.psv --seed 5 --quiet
cmp -s out.psv alone.psv || complain "b.hcpe has positions that a.psv has not" pipeline
json out.psv.manifest.json "d['program'] == 'kanzen' and d['counts']['read'] == $((2 * records)) and d['settings']['seed'] == 5"
json out.psv.manifest.json "[i['file'] for i in d['inputs']] == ['in/a.psv', 'in/deeper/b.hcpe']"
json out.psv.manifest.json "d['counts']['written'] + d['counts']['repeated'] == d['counts']['read']"
json out.psv.manifest.json "d['shards'][0]['sha256'] == '$(sha256sum out.psv | cut -d ' ' -f 1)'"
expect 0 . '' shogi pipeline 'in/*.psv' pattern.psv --seed 5 --quiet
cmp -s pattern.psv alone.psv || complain "another file" "pipeline 'in/*.psv'"
expect 2 '' 'no file matches' shogi pipeline 'in/*.hcp' x.psv --quiet
mkdir empty
expect 2 '' 'there is no file to read' shogi pipeline empty x.psv --quiet
expect 2 '' "OUT -: what this command writes can't go to standard output" shogi pipeline in - --to psv --quiet
expect 0 . '' shogi pipeline - stream.psv --record psv --seed 5 --quiet <games.psv
cmp -s stream.psv alone.psv || complain "another file" "pipeline -"
# A folder of several kinds beside the standard input.
mkdir kinds
cp in/deeper/b.hcpe kinds/b.hcpe
cp games.psv kinds/c.bin
expect 0 "^repeated +$((2 * records))$" '' shogi pipeline - kinds mixed.psv --record psv --seed 5 --quiet <games.psv
cmp -s mixed.psv alone.psv || complain "another file" "pipeline - kinds"
# --record is for names that don't tell: other inputs and references are what their names say.
cp games.psv raw.data
expect 0 "^repeated +$((2 * records))$" '' \
    shogi pipeline - in/deeper/b.hcpe raw.data named.psv --record psv --seed 5 --quiet <games.psv
cmp -s named.psv alone.psv || complain "another file" "pipeline - b.hcpe --record psv"
cp in/deeper/b.hcpe old.hcpe
cp games.psv g.bin
expect 0 "^in references +$records$" '' shogi pipeline 'g*.bin' none.hcpe --record psv --skip-bad --reference old.hcpe --quiet
cp old.hcpe odd.bin # .bin is psv by custom only
expect 0 "^records +$records$" '' shogi pipeline odd.bin odd.psv --record hcpe --quiet
expect 2 '' '--record psv is for files whose names' shogi pipeline old.hcpe x.psv --record psv --quiet
expect 2 '' '--record psv is for files whose names' shogi compare old.hcpe old.hcpe --record psv --quiet
expect 2 '' "there are no records 'nonsense'" shogi pipeline old.hcpe x.psv --record nonsense --quiet
expect 0 . '' shogi compare raw.data old.hcpe --record psv --quiet
# Packed files are not written, under no name.
for ending in zst gz; do
    expect 2 '' "can't write x.psv.$ending: packed files" shogi pipeline games.psv x.psv.$ending --quiet
    expect 2 '' "can't write x.$ending: packed files" shogi pipeline games.psv x.$ending --to psv --quiet
    expect 2 '' "can't write x.$ending: packed files" \
        shogi pipeline games.psv x.psv --validation x.$ending --share 0.5 --quiet
    for task in "convert shogi" "shogi shuffle" "shogi dedupe" "shogi sample --count 5"; do
        # shellcheck disable=SC2086
        expect 2 '' "can't write x.psv.$ending: packed files" $task games.psv x.psv.$ending --quiet
    done
    expect 2 '' "can't write x.csa.$ending: packed files" convert shogi games.psv x.csa.$ending --quiet
done
[ -z "$(ls -d x.* 2>/dev/null)" ] || complain "something was written: $(ls -d x.*)" "(packed)"
if command -v gzip >/dev/null; then
    gzip -k games.psv
    cat games.psv.gz games.psv.gz >twice.psv.gz
    if "$KANZEN" shogi pipeline games.psv.gz packed.psv --seed 5 --quiet >out 2>err; then
        cmp -s packed.psv alone.psv || complain "another file" "pipeline x.gz"
        expect 0 "^records +$((2 * records))$" '' shogi pipeline twice.psv.gz packed.psv --seed 5 --quiet --force
        head -c 3000 games.psv.gz >cut.psv.gz
        expect 4 '' "can't unpack cut.psv.gz: it is cut short" shogi pipeline cut.psv.gz x.psv --quiet
    else
        grep -q 'without zlib' err || complain "$(cat err)" "pipeline x.gz"
    fi
fi
if command -v zstd >/dev/null; then
    zstd -q games.psv
    expect 0 . '' shogi pipeline games.psv.zst packed2.psv --seed 5 --quiet
    cmp -s packed2.psv alone.psv || complain "another file" "pipeline x.zst"
    expect 0 '^ok$' '' shogi check games.psv.zst --quiet
fi

# ---- What it says ----------------------------------------------------------------------------------------------------

expect 0 . '' shogi pipeline games.psv json.psv --quiet --json --shard 100
json out "d['read'] == $records and d['files'] == -(-d['written'] // 100) and d['estimate']['exact'] and not d['resumed']"
json out "d['estimate']['disk_bytes'] > 40 * $records and d['estimate']['seconds'] > 0"
expect 0 '' '^disk it takes ' shogi pipeline games.psv estimate.psv --estimate
[ -z "$(ls estimate.psv* 2>/dev/null)" ] || complain "something was written" "pipeline --estimate"
expect 3 '' 'alone.psv exists already' shogi pipeline games.psv alone.psv --quiet
grep -q -e --resume err && complain "there is nothing to go on with: $(cat err)" "(exists already)"
expect 2 '' 'go together' shogi pipeline games.psv x.psv --validation y.psv
expect 2 '' "there is no 'nonsense'" shogi pipeline games.psv x.psv --same nonsense
expect 2 '' 'at least 20 MiB' shogi pipeline games.psv x.psv --memory 2M --threads 2
expect 2 '' 'range' shogi pipeline games.psv x.psv --ply 7

# ---- Filters and edits -----------------------------------------------------------------------------------------------

expect 0 '^left out +' '' shogi pipeline games.psv some.psv --ply 10:20 --quiet
"$KANZEN" shogi cat some.psv --quiet | grep '^ply' | sort -u -k2n | sed -n '1p;$p' | tr '\n' ' ' | grep -q '^ply 10 ply 20 $' ||
    complain "other plies" "pipeline --ply"
expect 0 . '' shogi pipeline games.psv won.psv --results won --quiet
[ "$("$KANZEN" shogi cat won.psv --quiet | grep '^result' | sort -u)" = 'result 1' ] || complain "others" --results
expect 0 . '' shogi pipeline games.psv quiet.psv --drop noisy,illegal-moves --clip 100 --scale 0.5 --quiet
"$KANZEN" shogi cat quiet.psv --quiet | grep '^move' | grep -q '+$' && complain "promotions" "--drop noisy"

# ---- Shards of both sets, and outputs among the inputs ------------------------------------------------------------------

expect 0 . '' shogi pipeline games.psv two.psv --shard 50 --sample 120 --validation held.psv --share 0.3 --seed 5 --json --quiet
json out "d['held'] > 50 and d['written'] == 120 + d['held'] and d['beyond'] == d['read'] - d['written'] - d['repeated']"
[ ! -e held.psv ] && [ ! -e two.psv ] || complain "files that are no shards" "--shard --validation"
[ "$(cat held-*.psv | wc -c)" = "$(python3 -c "import json; print(40 * json.load(open('out'))['held'])")" ] ||
    complain "not all in shards" "--validation"
[ "$(cat two-*.psv | wc -c)" = $((40 * 120)) ] || complain "not 120 records" "--sample"
# What is written can't be an input: neither by a folder, nor by another name, nor as one of several shards.
mkdir rr
cp games.psv rr/a.psv
expect 0 . '' shogi pipeline rr rr/train.psv --quiet
expect 2 '' 'rr/train.psv is an input of this run' shogi pipeline rr rr/train.psv --quiet --force
cp games.psv same.psv
ln same.psv other.psv
expect 2 '' 'other.psv is an input of this run' shogi pipeline other.psv same.psv --quiet --force
expect 2 '' 'other.psv is a reference of this run' shogi pipeline games.psv same.psv --reference other.psv --quiet --force
expect 2 '' 'rr/a.psv is an input of this run' \
    shogi pipeline rr x.psv --validation rr/a.psv --share 0.1 --quiet --force
rm rr/train.psv*
expect 0 . '' shogi pipeline rr rr/train.psv --shard 100 --quiet
expect 2 '' 'rr/train-00000.psv is an input of this run' shogi pipeline rr rr/train.psv --shard 100 --quiet --force
expect 2 '' 'rr/train-00002.psv is an input of this run' \
    shogi pipeline rr/train-00002.psv rr/train.psv --shard 100 --quiet --force
cmp -s games.psv rr/a.psv && cmp -s games.psv same.psv || complain "an input was changed" "(outputs among the inputs)"
# Shards become one file again.
expect 0 "^written +$(($(cat rr/train-*.psv | wc -c) / 40))$" '' shogi pipeline 'rr/train-*.psv' rr/train.psv --quiet --force

# ---- References ------------------------------------------------------------------------------------------------------

# A bad record of a reference, in the middle of it: the byte of the result (psv), the winner (hcpe), the king's square.
# It is an error, or left out and counted; what comes after it is read all the same.
spoil() { # FILE RECORD_BYTES RECORD BYTE VALUE: with that byte of the record turned into the value
    cp "$1" "bad-$1"
    printf '%b' "\\x$5" | dd of="bad-$1" bs=1 seek=$((($3 - 1) * $2 + $4)) conv=notrunc 2>/dev/null
}
cp in/deeper/b.hcpe games.hcpe
for way in games.psv:40:38:09 games.hcpe:38:36:09 games.psv:40:0:ff; do
    IFS=: read -r name bytes at value <<<"$way"
    spoil "$name" "$bytes" 101 "$at" "$value"
    expect 4 '' "record 101 of bad-$name: " shogi pipeline games.psv x.psv --reference "bad-$name" --quiet
    [ ! -e x.psv ] || complain "something was written" "--reference bad-$name"
    expect 4 '' "record 101 of bad-$name: " shogi compare "bad-$name" games.psv --quiet
    expect 1 '^bad references +1$' "record 101 of bad-$name: " \
        shogi pipeline games.psv x.psv --reference "bad-$name" --skip-bad --quiet
    expect 1 . "record 101 of bad-$name: " \
        shogi pipeline games.psv x.psv --reference "bad-$name" --skip-bad --quiet --json --force
    json out "d['references_read'] == $records and d['references_bad'] == 1 and d['bad'] == 0"
    json out "d['written'] == 1 and d['referenced'] + d['repeated'] + d['written'] == $records"
    json x.psv.manifest.json "d['counts']['references_bad'] == 1"
    rm x.psv*
    # Position 101 is in the file only once, so the other one has one more.
    expect 1 . "record 101 of bad-$name: " shogi compare "bad-$name" games.psv --skip-bad --quiet --json
    json out "d['first_records'] == $records and d['bad'] == 1 and d['only_second'] == 1"
    expect 1 '^< ' "record 101 of bad-$name: " shogi diff games.psv "bad-$name" --skip-bad --quiet
done

# ---- compare ---------------------------------------------------------------------------------------------------------

expect 0 '^ *[0-9,]+  different ones in both$' '' shogi compare games.psv in/deeper/b.hcpe --quiet
head -c 4000 games.psv >first.psv
tail -c +2001 games.psv >last.psv
expect 1 . '' shogi compare first.psv last.psv --quiet --json
positions() { "$KANZEN" shogi cat "$1" --sfen --quiet | cut -d ' ' -f 1-3 | sort -u; }
json out "d['first_records'] == 100 and d['second_records'] == $records - 50 and not d['same']"
json out "d['only_first'] == $(comm -23 <(positions first.psv) <(positions last.psv) | wc -l)"
json out "d['only_second'] == $(comm -13 <(positions first.psv) <(positions last.psv) | wc -l)"
json out "d['both'] == $(comm -12 <(positions first.psv) <(positions last.psv) | wc -l)"

# ---- Positions of one set only ------------------------------------------------------------------------------------------

# Against the SFENs of the same records, sorted.
"$KANZEN" convert shogi games.psv first.psv --count 100 --quiet 2>err
"$KANZEN" convert shogi games.psv second.hcpe --first 60 --count 80 --quiet 2>err
expect 1 '^< ' '' shogi diff first.psv second.hcpe --quiet
sed 's/ [0-9]*$//' out | LC_ALL=C sort >listed
for way in 1:60:'<' 101:140:'>'; do
    IFS=: read -r from to sign <<<"$way"
    "$KANZEN" shogi cat games.psv --skip $((from - 1)) --count $((to - from + 1)) 2>/dev/null |
        sed -n "s/^sfen \(.*\) [0-9]*$/$sign \1/p"
done | LC_ALL=C sort -u >wanted
[ -s wanted ] && cmp -s listed wanted || complain "other positions: $(diff listed wanted | head -5)" diff
expect 1 '"only_in"' '' shogi diff first.psv second.hcpe --quiet --json
head -n 1 out >one && json one 'd["only_in"] == "first" and len(d["sfen"].split()) == 4'
expect 0 '' '' shogi diff games.psv in/deeper/b.hcpe --quiet
expect 3 '' "can't read" shogi diff games.psv none.psv --quiet
expect 2 '' 'read twice' shogi diff - games.psv --record psv --quiet < <(cat games.psv)

# Temporary files are in a folder of the process's own: a file of any name that others put there stays as it is, and
# nothing is left behind, after an error either.
mkdir shared
for command in diff compare; do
    for second in in/deeper/b.hcpe cut.psv; do
        head -c 4010 games.psv >cut.psv
        bash -c 'echo mine >"shared/kanzen-$1-$$.sfen"; mkdir "shared/kanzen-$1-$$.pipeline"
            TMPDIR=$PWD/shared exec "$KANZEN" shogi "$1" games.psv "$2" --quiet' - "$command" "$second" >out 2>err
        code=$?
        [ $code = "$([ "$second" = cut.psv ] && echo 4 || echo 0)" ] || complain "exit code $code: $(cat err)" "$command"
        left=$(cd shared && find . -mindepth 1 | sed 's/[0-9]\{1,\}/N/' | LC_ALL=C sort | tr '\n' ' ')
        [ "$left" = "./kanzen-$command-N.pipeline ./kanzen-$command-N.sfen " ] || complain "left: $left" "$command"
        [ "$(cat shared/*.sfen)" = mine ] || complain "wrote to a file of somebody else" "$command"
        rm -r shared/*
    done
    expect 3 '' "can't make a folder for temporary files in nowhere" shogi $command games.psv games.psv --scratch nowhere
done

# ---- Runs that are killed --------------------------------------------------------------------------------------------

cp games.psv many.psv
while [ "$(wc -c <many.psv)" -lt 12000000 ]; do
    cat many.psv many.psv >twice.psv && mv twice.psv many.psv
done
count=$(($(wc -c <many.psv) / 40))
began=$(date +%s%3N)
expect 0 . '' shogi pipeline many.psv whole.psv --same nothing --seed 3 --shard 100000 --quiet
took=$(($(date +%s%3N) - began)) # ms
killed=0
for ((round = 0; round < 200; round++)); do
    "$KANZEN" shogi pipeline many.psv kill.psv --same nothing --seed 3 --shard 100000 --quiet --resume --checkpoint 0 \
        --threads $((1 + round % 3)) --memory $((24 + 8 * (round % 5)))M >out 2>err &
    run=$!
    # From no time at all, and later to more than a run takes.
    delay=$(((round * 37) % (12 + round) * took / 40 + 1))
    sleep "$((delay / 1000)).$(printf '%03d' $((delay % 1000)))"
    kill -KILL $run 2>/dev/null
    wait $run 2>/dev/null
    code=$?
    [ $code -eq 0 ] && break
    [ $code -eq 137 ] || complain "exit code $code: $(cat err)" "(killed)"
    killed=$((killed + 1))
    if [ -e kill.psv.manifest.json ] && [ ! -e kill.psv.pipeline/state ]; then
        # All was written, and it was killed while it cleaned up. What is left goes with the next run.
        if [ -e kill.psv.pipeline ]; then
            expect 3 '' 'exists already' shogi pipeline many.psv kill.psv --same nothing --seed 3 --shard 100000 --quiet --resume
        fi
        break
    fi
done
[ $killed -ge 5 ] || complain "only $killed runs were killed" "(killed)"
[ -e kill.psv.manifest.json ] || complain "it never ended" "(killed)"
for shard in whole-*.psv; do
    cmp -s "$shard" "${shard/whole/kill}" || complain "$shard differs" "(killed)"
done
[ "$(ls whole-*.psv | wc -l)" = "$(ls kill-*.psv | wc -l)" ] || complain "another number of shards" "(killed)"
[ -z "$(ls -d kill*.part kill.psv.pipeline 2>/dev/null)" ] || complain "left: $(ls -d kill*)" "(killed)"
json kill.psv.manifest.json "d['counts']['read'] == $count and d['counts']['written'] == $count"

# A run that was interrupted is neither taken for a new one nor thrown away.
"$KANZEN" shogi pipeline many.psv again.psv --same nothing --seed 3 --quiet --checkpoint 0 >out 2>err &
run=$!
for ((i = 0; i < 300; i++)); do
    [ -e again.psv.pipeline/state ] && break
    sleep 0.01
done
kill -KILL $run 2>/dev/null
if ! wait $run 2>/dev/null && [ -e again.psv.pipeline/state ]; then
    expect 3 '' 'that was interrupted; --resume goes on with it, --force begins again' \
        shogi pipeline many.psv again.psv --same nothing --seed 3 --quiet
    expect 2 '' 'other settings' shogi pipeline many.psv again.psv --same nothing --seed 4 --quiet --resume
    expect 0 . '' shogi pipeline many.psv again.psv --same nothing --seed 4 --quiet --force
fi

[ $failures -eq 0 ]
