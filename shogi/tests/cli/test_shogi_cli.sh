#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# kanzen shogi: what it prints, its files and its exit codes.
set -u
. "$KANZEN_SOURCE/tests/support/cli_testing.sh"

start='lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1'
start_psfen=58a451220ceb67227e9653221caf447824c22b119e53221ceb6f223e9651220c
start_sspf=8a1e2f5a5454b4e8f1a22c12000000003967923927f66ff03ccfb0cd31d3cc31
start_hcp=58a449210cd757217e8e4d212caf427814c2ab109e4d212cd75f213e8e49210c
# bench #2 of the sspf crate: mixed, both hands, promoted pieces
mixed='3k3nl/G3n2r1/P1P+LB+B1p1/1G2ppp1p/KP1P1P1P1/p2sP1P1P/5SN2/4G4/L+R6L w GSN2Psp 1'
mixed_psfen=99ad91140ceb6f0a408a05be321c583f527898c40902c013f8f3846400ca389c
# a record of a published file, and what it says
psv=58a451220ceb67127e96f34d8483447824c22b119e53121ceb6f223e9691240c880005030000ff00

# binary HEX...: the bytes
binary() {
    local hex
    for hex in "$@"; do
        printf '%b' "$(sed 's/../\\x&/g' <<<"$hex")"
    done
}

# digits FILE: a line for each record of 40 bytes
digits() { od -An -v -w40 -tx1 "$1"; }

# ---- show ----------------------------------------------------------------------------------------------------------

expect 0 '^  \| l \| n \| s \| g \| k \| g \| s \| n \| l \| a$' '' shogi show startpos
expect 0 "^psfen    $start_psfen$" '' shogi show startpos
expect 0 "^sspf     $start_sspf$" '' shogi show $start
expect 0 "^hcp      $start_hcp$" '' shogi show "$start"
expect 0 '^moves    30$' '' shogi show startpos
expect 0 '^  black: G S N P2$' '' shogi show "$mixed"
expect 0 '^  white: S P  \(to move\)$' '' shogi show "$mixed"
expect 0 '^  \| P \|   \| P \|\+L \| B \|\+B \|   \| p \|   \| c$' '' shogi show "$mixed"
expect 0 "^sfen     ${mixed//+/\\+}$" '' shogi show --record psfen $mixed_psfen
expect 0 '^move     1g1f$' '' shogi show --record psv $psv
expect 0 '^score    136$' '' shogi show --record psv $psv
expect 0 '^result   lost$' '' shogi show --record psv $psv
expect 0 '^sspf     - a king is missing' '' shogi show '4k4/9/9/9/9/9/9/9/9 b - 1'
expect 0 . '' shogi show startpos --json
json out "d['packed']['psfen'] == '$start_psfen' and d['moves'] == 30 and d['legal'] and d['side'] == 'black'"
expect 2 '' 'is no hexadecimal digit' shogi show --record psv "${psv/8/x}"
expect 2 '' 'there are 64 digits, and the record has 80' shogi show --record psv $mixed_psfen
expect 2 '' 'king' shogi show --record psfen ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff
expect 2 '' "no records 'nonsense'; there are: sspf, .*, kif" shogi show --record nonsense 00
expect 2 '' 'character' shogi show nonsense

# ---- Which records a file has --------------------------------------------------------------------------------------

binary $psv >one.psv
cp one.psv one.bin
cp one.psv one.dat
expect 0 '^ok$' '' shogi check one.psv --quiet
expect 0 '^ok$' '' shogi check one.bin --quiet
expect 2 '' 'which records does one.dat have\? .* say --from with one of: sspf, ' shogi check one.dat
expect 0 '^ok$' '' shogi check one.dat --record psv --quiet
expect 2 '' 'which records does the stream have' shogi check -
"$KANZEN" shogi check - --record psv --quiet <one.psv >out || complain "a pipe" shogi check -
expect 2 '' "no dialect 'nonsense'" shogi check one.psv --dialect nonsense
expect 2 '' "there is no 'nonsense'; there are: check, " shogi nonsense
expect 2 '' 'an argument is missing' shogi
expect 3 '' 'No such file' shogi check nowhere.psv --quiet

# ---- check ---------------------------------------------------------------------------------------------------------

binary $psv ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff0000000000000000 $psv aabb >bad.psv
expect 1 '^not ok$' 'record 2 of bad.psv: ' shogi check bad.psv --quiet
expect 1 '^records +4$' 'record 4 of bad.psv: ' shogi check bad.psv --quiet
expect 1 '^bad +2$' . shogi check bad.psv --quiet
expect 1 '^moves fit +yaneuraou, drops82, apery$' . shogi check bad.psv --quiet
"$KANZEN" shogi check bad.psv --quiet --json >out 2>err
json out "not d['ok'] and d['read'] == 4 and d['bad'] == 2 and d['moves'] == 2 and d['offenders'][0]['number'] == 2"
json out "d['trailing_bytes'] == 2 and d['not_canonical'] == 0 and d['impossible_moves'] == 0"

# ---- stats ---------------------------------------------------------------------------------------------------------

binary $psv $psv >two.psv
expect 0 '^ +50 to 149 +2  100.00 %  #{50}$' '' shogi stats two.psv --quiet
expect 0 '^lost +2  100.00 %$' '' shogi stats two.psv --quiet
expect 0 '^won by white +2 ' '' shogi stats two.psv --quiet
expect 0 . '' shogi stats two.psv --quiet --json
json out "d['records'] == 2 and d['lost'] == 2 and d['won_by_white'] == 2 and d['scores'] == [{'score': 100, 'count': 2}]"
json out "d['pieces'] == [{'on_board': 38, 'count': 2}] and d['plies'] == [{'ply': 0, 'count': 2}]"
expect 0 '^<svg ' '' shogi stats two.psv --quiet --svg -
expect 0 '' '' shogi stats two.psv --quiet --svg two.svg
cmp -s out two.svg || "$KANZEN" shogi stats two.psv --quiet --svg - | cmp -s - two.svg || complain "another drawing" --svg
if have xmllint "whether a drawing is XML"; then xmllint --noout two.svg || complain "no XML" --svg; fi
expect 2 '' "don't go together" shogi stats two.psv --svg x --json

# ---- head, cat -----------------------------------------------------------------------------------------------------

expected='sfen lnsgk1snl/1r4gb1/1pppppppp/p8/9/2P4P1/PP1PPPP1P/1B5R1/LNSGKGSNL b - 0
move 1g1f
score 136
ply 0
result -1
e'
prints "$expected" shogi head two.psv -n 1
prints "$expected
$expected" shogi cat two.psv --quiet
prints 'lnsgk1snl/1r4gb1/1pppppppp/p8/9/2P4P1/PP1PPPP1P/1B5R1/LNSGKGSNL b - 0' shogi cat two.psv --first 1 --sfen --quiet

# ---- shuffle, dedupe, sample ---------------------------------------------------------------------------------------

for ((i = 0; i < 200; i++)); do
    binary "${start_psfen}0000$(printf '%04x' $i)00000000"
done >many.bin
expect 0 '^written +200$' '' shogi shuffle many.bin shuffled.psv --seed 7 --quiet
expect 0 . '' shogi shuffle many.bin again.psv --seed 7 --quiet --memory 64K --threads 2 --json
json out "d['read'] == 200 and d['written'] == 200 and d['file'] == 'again.psv'"
cmp -s shuffled.psv again.psv || complain "another order" shuffle
cmp -s shuffled.psv many.bin && complain "the same order" shuffle
[ "$(digits many.bin | sort | md5sum)" = "$(digits shuffled.psv | sort | md5sum)" ] ||
    complain "other records" shuffle
expect 3 '' 'again.psv exists already; --force replaces it' shogi shuffle many.bin again.psv
expect 0 'again.psv' '' shogi shuffle many.bin again.psv --seed 8 --force --quiet
cmp -s shuffled.psv again.psv && complain "the same order with another seed" shuffle
"$KANZEN" shogi shuffle many.bin - --seed 7 --quiet 2>err | cmp -s - shuffled.psv || complain "to a pipe" shuffle
grep -q '^written' err || complain "no summary on stderr" shuffle -

expect 0 '^repeated +199$' '' shogi dedupe many.bin single.psv --quiet
binary "${start_psfen}0000000000000000" | cmp -s - single.psv || complain "not the first one" dedupe
binary $psv $mixed_psfen 0000000000000000 $psv >mixed.psv
expect 0 '^written +2$' '' shogi dedupe mixed.psv out.psv --quiet --memory 1M --scratch .
binary $psv $mixed_psfen 0000000000000000 | cmp -s - out.psv || complain "not the first ones" dedupe
expect 4 '' 'record 2 of bad.psv' shogi dedupe bad.psv bad-out.psv --quiet --count 3
expect 1 '^bad +1$' 'record 2 of bad.psv' shogi dedupe bad.psv bad-out.psv --quiet --count 3 --skip-bad
cmp -s bad-out.psv one.psv || complain "bad records are there" dedupe
expect 4 '' 'bad.psv is cut short: it ends after 2 bytes of record 4, which has 40' shogi shuffle bad.psv x.psv --quiet

expect 0 '^written +20$' '' shogi sample many.bin sample.psv --count 20 --seed 3 --quiet
[ "$(wc -c <sample.psv)" -eq 800 ] || complain "another size" sample
digits sample.psv | sort -c 2>/dev/null || complain "another order" sample
expect 0 '^written +200$' '' shogi sample many.bin all-of-them.psv --count 201 --quiet
cmp -s many.bin all-of-them.psv || complain "not all" "sample --count 201"
expect 2 '' 'x.hcpe is the name of a file of hcpe, and the records are psv' shogi shuffle many.bin x.hcpe --quiet
expect 2 '' 'x.hcpe is the name of a file of hcpe, and the records are psv' shogi dedupe many.bin x.hcpe --quiet
[ ! -e x.hcpe ] || complain "records under a foreign name" shuffle
expect 2 '' 'how many records\? Say --count N' shogi sample many.bin x.psv
expect 2 '' '--memory takes a number of bytes' shogi shuffle many.bin x.psv --memory lots
expect 2 '' 'fixed size' shogi shuffle x.sfen y.sfen
expect 2 '' 'not a stream' shogi shuffle - y.psv --record psv
[ ! -e x.psv ] || complain "a file of a run that failed" shuffle

# A pipe that nobody writes to: the first SIGTERM ends the wait for it.
mkfifo pipe.psv
"$KANZEN" shogi check pipe.psv >out 2>err &
waiting=$!
sleep 0.5
kill -TERM "$waiting"
for _ in $(seq 100); do
    kill -0 "$waiting" 2>/dev/null || break
    sleep 0.05
done
if kill -0 "$waiting" 2>/dev/null; then
    complain "SIGTERM was lost" shogi check pipe.psv
    kill -KILL "$waiting"
fi
wait "$waiting"
[ $? -eq 130 ] || complain "another exit code than 130: $(cat err)" shogi check pipe.psv

[ $failures -eq 0 ]
