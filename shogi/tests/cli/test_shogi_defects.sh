#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# Files of shogi that are not what they should be: every defect is named as a person would name it, and what is lost is
# said.
set -u
. "$KANZEN_SOURCE/tests/support/cli_testing.sh"
data=$KANZEN_SOURCE/shogi/tests/data

# binary HEX...: the bytes
binary() {
    local hex
    for hex in "$@"; do
        printf '%b' "$(sed 's/../\\x&/g' <<<"$hex")"
    done
}
start_psfen=58a451220ceb67227e9653221caf447824c22b119e53221ceb6f223e9651220c
start_hcp=58a449210cd757217e8e4d212caf427814c2ab109e4d212cd75f213e8e49210c

# ---- Records that are cut short, and bad bytes ----------------------------------------------------------------------

binary ${start_psfen}0000000000000000 ${start_psfen}00000000 >cut.psv
expect 1 '^  truncated +1  the file is cut short' 'record 2 of cut.psv: the file is cut short: it ends after 36 bytes' \
    shogi check cut.psv --quiet
expect 4 '' 'cut.psv is cut short: it ends after 36 bytes of record 2, which has 40' shogi shuffle cut.psv x.psv --quiet
expect 4 '' 'cut.psv is cut short' shogi sample cut.psv x.psv --count 1 --quiet
expect 4 '' 'cut.psv is cut short' shogi dedupe cut.psv x.psv --quiet
expect 1 '^bad +1$' 'the file is cut short' shogi shuffle cut.psv x.psv --skip-bad --quiet
expect 0 '^bad +1$' 'bad records of cut.psv that were passed over: 1; kanzen shogi check names them' \
    shogi stats cut.psv --quiet
binary ${start_psfen}0000000001000500 >result.psv
expect 1 '^  bad-result +1  the byte of the game.s result means nothing$' 'result' shogi check result.psv --quiet

# shuffle and sample copy records without a look into them, and say so.
binary ${start_psfen}0000000000000000 ffffffff${start_psfen:8}0000000000000000 >king.psv
expect 1 '^bad +1$' 'record 2 of king.psv' shogi check king.psv --quiet
expect 1 '^bad +1$' 'record 2 of king.psv' shogi dedupe king.psv king-1.psv --skip-bad --quiet
for task in shuffle sample; do
    expect 0 '^written +2$' '' shogi $task king.psv king-$task.psv --count 2 --skip-bad --quiet
    "$KANZEN" help shogi $task | tr -s ' \n' ' ' | grep -q -e '--skip-bad leave out a last record that is cut short' ||
        complain "not said what --skip-bad does" "help shogi $task"
done

# ---- hcpe3: moves without candidates, and a bad move in the middle ---------------------------------------------------

# 7g7f (0x1e3b) without, 3c3d (0x0a15) with one, 2g2f (0x078e) with no candidates
game=${start_hcp}03000100
binary "$game" 3b1e64000000 150a9cff0100150a0a00 8e0732000000 >game.hcpe3
expect 0 '' '^not searched +2  moves of hcpe3 without candidates' convert shogi game.hcpe3 game.psv --quiet
[ "$(wc -c <game.psv)" = 40 ] || complain "not one record" convert game.hcpe3
expect 0 '' '^written +3$' convert shogi game.hcpe3 all.psv --unsearched --quiet
expect 0 . '' convert shogi game.hcpe3 json.psv --quiet --json
json out "d['unsearched'] == 2 and d['written'] == 1 and d['lost_positions'] == 0"
expect 0 '^not searched +2 ' '' shogi check game.hcpe3 --quiet
binary "$game" 3b1e640001003b1e0100 150a9cff0100150a0a00 7f7f320001007f7f0100 >bad.hcpe3
expect 1 '' 'move 3 of 3 \(0x7f7f\): .*; 1 position of the game is lost' convert shogi bad.hcpe3 bad.psv --skip-bad --quiet
grep -q '^lost  *1  positions of games' err || complain "no count: $(cat err)" convert bad.hcpe3

# Written: games of records that follow each other, each move with its only candidate. Nothing of hcpe2 is lost.
"$KANZEN" convert shogi "$data/games_all.csa" games.hcpe2 --quiet 2>err
expect 0 '' '^written' convert shogi games.hcpe2 written.hcpe3 --quiet
[ "$(wc -c <written.hcpe3)" = $((3 * 36 + $(wc -c <games.hcpe2) / 38 * 10)) ] || complain "another size" hcpe3
expect 0 '' '^written' convert shogi written.hcpe3 back.hcpe2 --quiet
cmp -s games.hcpe2 back.hcpe2 || complain "another file" hcpe3
binary ${start_hcp}64003b1e0100 >one.hcpe
binary ${start_hcp}010001003b1e640001003b1e0100 >one-by-hand.hcpe3
expect 0 '' . convert shogi one.hcpe one.hcpe3 --quiet
cmp -s one.hcpe3 one-by-hand.hcpe3 || complain "other bytes" hcpe3
binary ${start_hcp}640000000100 >no-move.hcpe
expect 4 '' 'record 1 of no-move.hcpe' convert shogi no-move.hcpe x.hcpe3 --quiet
expect 0 '^written' '' shogi pipeline games.hcpe2 mixed.hcpe3 --quiet
expect 0 'different ones in both' '' shogi compare games.hcpe2 mixed.hcpe3 --quiet

# Games of hcpe3 that begin where the one before ended stay games of their own: their plies begin again. So do records
# of psv with other plies between them; where the ply is not known (0), the positions alone count.
echo 'startpos moves 7g7f' >after.sfen
"$KANZEN" convert shogi after.sfen after.hcp --quiet 2>err || complain "$(cat err)" hcp
{ binary ${start_hcp}01000100 3b1e640001003b1e0100 && cat after.hcp && binary 01000100 150a9cff0000; } >two.hcpe3
expect 0 '' '^written +2$' convert shogi two.hcpe3 again.hcpe3 --unsearched --quiet
cmp -s two.hcpe3 again.hcpe3 || complain "other bytes: $(od -An -tx1 again.hcpe3)" hcpe3
printf 'PI\n+\n+7776FU\n-3334FU\n+2726FU\n%%TORYO\n' >three.csa
"$KANZEN" convert shogi three.csa three.plain --quiet 2>err
for way in 1:2:3:1 1:50:51:2 1:2:50:2 1:2:2:2 0:0:0:1 1:0:3:1; do
    IFS=: read -r a b c wanted <<<"$way"
    awk -v plies="$a $b $c" 'BEGIN { split(plies, ply, " ") } /^ply/ { $2 = ply[++n] } { print }' three.plain >plies.plain
    "$KANZEN" convert shogi plies.plain plies.psv --quiet --force 2>err || complain "$(cat err)" "$way"
    for to in hcpe3 csa kif; do
        expect 0 '' '^written +3$' convert shogi plies.psv plies.$to --quiet --force
    done
    found="$(grep -c '^PI\|^P1' plies.csa) $(grep -c '^手数-' plies.kif) $((($(wc -c <plies.hcpe3) - 3 * 10) / 36))"
    [ "$found" = "$wanted $wanted $wanted" ] || complain "plies $a $b $c: $found games, not $wanted" "convert"
done

# ---- Texts: marks, plies, foreign formats ----------------------------------------------------------------------------

printf '\xef\xbb\xbfsfen lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 70000\n' >mark.sfen
expect 0 '' '^plies cut +1  they were more than 65535' convert shogi mark.sfen mark.psv --quiet
[ "$(od -An -tu2 -j36 -N2 mark.psv | tr -d ' ')" = 65535 ] || complain "another ply" convert mark.sfen
expect 4 '' 'this is no KIF: its lines are those of CSA' convert shogi --from kif "$data/games_all.csa" y.psv --quiet
printf '手合割：平手\n▲７六歩    △３四歩\n' >game.ki2
expect 4 '' 'this is no KIF: its moves are those of KI2' convert shogi --from kif game.ki2 y.psv --quiet
printf 'nothing of the kind\n' >odd.kif
expect 4 '' 'this is no KIF: none of its lines is known' convert shogi odd.kif y.psv --quiet
printf '手合割：平手\n手数----指手---------消費時間--\n' >empty.kif
expect 0 '' '^written +0$' convert shogi empty.kif empty.psv --quiet
printf 'PI\n+\n+7776FU\n'"'"'** 30\n-3334FU\n%%TORYO\n' >scored.csa
expect 0 '' '^left out +1  by the filter$' convert shogi scored.csa scored.psv --require score --quiet
[ "$(wc -c <scored.psv)" = 40 ] || complain "not one record" convert --require score

# Whole games from lines of USI, and what stands before a bad move.
printf 'startpos moves 7g7f 3c3d 8h2b+\nposition sfen 4k4/9/9/9/9/9/9/9/4K4 b P 5 moves P*5e\n\n' >games.usi
expect 0 '' '^written +4$' convert shogi games.usi games.plain --quiet
[ "$(grep '^move' games.plain | tr '\n' ' ')" = 'move 7g7f move 3c3d move 8h2b+ move P*5e ' ] || complain "others" usi
[ "$(grep '^ply' games.plain | tr '\n' ' ')" = 'ply 1 ply 2 ply 3 ply 5 ' ] || complain "other plies" usi
printf 'startpos moves 7g7f 3c3d 8h7h\n' >bad.usi
expect 1 '' 'line 1 of bad.usi: move 3 \(8h7h\)' convert shogi bad.usi bad-usi.psv --skip-bad --quiet
[ "$(wc -c <bad-usi.psv)" = 80 ] || complain "not two records" usi
# Scores that engines write into comments of KIF, as black sees them.
printf '手合割：平手\n   1 ７六歩(77)\n*#評価値=108\n   2 ３四歩(33)\n**評価値=-50\n   3 ２六歩(27)\n** 77\n   4 ８四歩(83)\n*text 12\n   5 投了\n' >scores.kif
expect 0 '' '^written +4$' convert shogi scores.kif scores.plain --quiet
[ "$(grep '^score' scores.plain | tr '\n' ' ')" = 'score 108 score 50 score 77 ' ] || complain "$(cat scores.plain)" kif

# ---- Codes of texts --------------------------------------------------------------------------------------------------

encode() { # CODE: UTF-8 in another code
    python3 -c 'import sys; sys.stdout.buffer.write(sys.stdin.buffer.read().decode().encode(sys.argv[1]))' "$1"
}
utf8_of() { # FILE: that may be in Shift_JIS
    python3 -c 'import sys
text = open(sys.argv[1], "rb").read()
try: text.decode()
except UnicodeDecodeError: text = text.decode("cp932").encode()
sys.stdout.buffer.write(text)' "$1"
}
"$KANZEN" convert shogi "$data/games_all.ki2" ki2.psv --quiet 2>err || complain "$(cat err)" ki2
encode cp932 <"$data/games_all.ki2" >sjis.ki2
expect 0 '' '^written +340$' convert shogi sjis.ki2 sjis.psv --quiet
cmp -s ki2.psv sjis.psv || complain "another file" "sjis.ki2"
encode cp932 <scores.kif >sjis.kif
expect 0 '' '^written +4$' convert shogi sjis.kif sjis.plain --quiet
cmp -s scores.plain sjis.plain || complain "other scores: $(cat sjis.plain)" "sjis.kif"
# Files of both codes, one after the other.
for i in 1 2 3; do utf8_of "$data/games_$i.kif" >utf8-$i.kif; done
encode cp932 <utf8-2.kif >sjis-2.kif
cat utf8-1.kif utf8-2.kif utf8-3.kif >utf8.kif
cat utf8-1.kif sjis-2.kif utf8-3.kif >both.kif
expect 0 '' '^written +340$' convert shogi utf8.kif utf8.psv --quiet
expect 0 '' '^written +340$' convert shogi both.kif both.psv --quiet
cmp -s utf8.psv both.psv || complain "another file" "both.kif"
# A character that is cut in the middle: only the game in which that happens suffers. In a name nothing is lost.
printf '手合割：平手\n先手：あい\xe3\x81\n   1 ７六歩(77)\n   2 投了\n' >name.kif
cat utf8-1.kif name.kif >two.kif
expect 0 '' '^written +182$' convert shogi two.kif two.psv --quiet
{ cat utf8-1.kif && printf '手合割：平手\n   1 ７六歩(77)\n   2 ３四\xe6\xad'; } >cut.kif
expect 1 '' 'line [0-9]+: expected a piece after the square' convert shogi cut.kif cut2.psv --skip-bad --quiet
grep -q '^written  *181$' err || complain "$(cat err)" "cut.kif"
# What is no game is not taken for an empty one.
printf '手合割：平手\n先手：a\n７六歩 ３四歩\n' >unsigned.ki2
expect 4 '' 'there is no move in it, and line 3 is not known' convert shogi unsigned.ki2 none.psv --quiet
printf '*only a comment\n' | tee none.kif >none.ki2
expect 4 '' 'this is no KIF: none of its lines is known' convert shogi none.kif none.psv --quiet
expect 4 '' 'this is no KI2: none of its lines is known' convert shogi none.ki2 none.psv --quiet
printf "'a comment\nN+a name\n" >none.csa
expect 4 '' 'there is no game in it: no line begins with PI' convert shogi none.csa none.psv --quiet
[ ! -e none.psv ] || complain "something was written" "(no game)"
printf '\n' >blank.kif && cp blank.kif blank.csa
for name in blank.kif blank.csa; do expect 0 '' '^written +0$' convert shogi $name $name.psv --quiet; done
cat "$data/games_all.csa" <(printf "/\n'a comment at the end\n") >comment.csa
expect 0 '' '^written +340$' convert shogi comment.csa comment.psv --quiet
# UTF-16, of either order.
printf 'startpos moves 7g7f\n' >line.usi
python3 -c 'import sys
for number, name in enumerate(sys.argv[1:]):
    text = open(name, encoding="utf-8-sig").read()
    code = ("utf-16-le", "utf-16-be")[number % 2]
    open("wide." + name.split(".")[1], "wb").write(("\ufeff" + text).encode(code))' \
    utf8-1.kif game.ki2 scored.csa line.usi mark.sfen scores.plain
for ending in kif ki2 csa usi sfen plain; do
    expect 4 '' 'this text is in UTF-16' convert shogi wide.$ending wide.psv --quiet
done

# ---- Dialects --------------------------------------------------------------------------------------------------------

"$KANZEN" convert shogi "$data/games_all.csa" usual.psv --quiet 2>err || complain "$(cat err)" convert
"$KANZEN" convert shogi usual.psv apery.psv --to-dialect apery --quiet 2>err || complain "$(cat err)" convert
"$KANZEN" convert shogi usual.psv other.psv --to-dialect drops82 --quiet 2>err || complain "$(cat err)" convert
expect 2 '' 'not in the usual dialect of psv \(yaneuraou\): .* the dialect is apery .*name it' \
    convert shogi apery.psv x.hcpe --quiet
expect 2 '' 'the dialect is drops82' convert shogi other.psv x.hcpe --quiet --skip-bad
expect 0 '' '^written' convert shogi apery.psv back.psv --dialect apery --quiet
cmp -s usual.psv back.psv || complain "another file" "convert --dialect apery"
for i in 1 2 3 4 5 6 7 8; do cat usual.psv; done >mixed.psv
for i in 1 2 3 4 5 6 7 8; do cat apery.psv; done >>mixed.psv
expect 2 '' 'mixed.psv mixes dialects of moves' convert shogi mixed.psv x.hcpe --quiet
[ ! -e x.hcpe ] || complain "something was written" convert

# ---- A disk that is full ---------------------------------------------------------------------------------------------

for ((i = 0; i < 9; i++)); do cat mixed.psv mixed.psv >twice && mv twice mixed.psv; done
"$KANZEN" convert shogi mixed.psv whole.sspf --dialect yaneuraou --skip-bad --quiet 2>err
(
    ulimit -f 500
    trap '' XFSZ
    "$KANZEN" convert shogi mixed.psv full.sspf --dialect yaneuraou --skip-bad --quiet 2>err
    [ $? -eq 3 ]
) || complain "exit code" "(full)"
[ -e full.sspf.part ] || complain "nothing to go on with" "(full)"
[ "$(wc -c <full.sspf.part)" -gt 100000 ] || complain "only $(wc -c <full.sspf.part) bytes" "(full)"
"$KANZEN" convert shogi mixed.psv full.sspf --dialect yaneuraou --skip-bad --quiet --resume 2>err
cmp -s whole.sspf full.sspf || complain "another file: $(cat err)" "(full)"

# A file that may grow no further (ulimit -f): the signal that comes with it is no end without a word.
cat usual.psv usual.psv usual.psv >few.psv
for task in "convert shogi" "shogi shuffle" "shogi dedupe" "shogi sample --count 900" "shogi pipeline --same nothing"; do
    (
        ulimit -f 10
        # shellcheck disable=SC2086
        "$KANZEN" $task few.psv limit.psv --dialect yaneuraou --skip-bad --quiet >out 2>err
        [ $? -eq 3 ]
    ) || complain "exit code $?: $(cat err)" "$task (ulimit -f)"
    grep -q 'File too large' err || complain "not said: $(cat err)" "$task (ulimit -f)"
    [ ! -e limit.psv ] || complain "it is there" "$task (ulimit -f)"
    compgen -G "limit.psv.tmp-*" >/dev/null && complain "left: $(ls limit.psv.*)" "$task (ulimit -f)"
    rm -rf limit.psv*
done

# ---- Runs that are killed --------------------------------------------------------------------------------------------

for task in shuffle dedupe; do
    "$KANZEN" shogi $task mixed.psv $task.psv --dialect yaneuraou --memory 1M --quiet 2>err &
    run=$!
    for ((i = 0; i < 100; i++)); do
        compgen -G "$task.psv.tmp-*" >/dev/null && break
        sleep 0.01
    done
    kill -KILL $run
    wait $run 2>/dev/null
    "$KANZEN" shogi $task mixed.psv $task.psv --memory 1M --quiet --force >out 2>err || complain "$(cat err)" $task
    compgen -G "$task.psv.*" >/dev/null && complain "left: $(ls $task.psv.*)" $task
done

exit $((failures > 0))
