#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# Variants from texts: perft and endings of chess against published figures, the self-test, and texts that are refused.
# The figures: perft by Fairy-Stockfish; endings by depth to mate from tables that others have published (docs/credits.md).
# labels: slow
set -u
. "$KANZEN_SOURCE/tests/support/cli_testing.sh"
data=$KANZEN_SOURCE/tests/data/variants

perft() { # GAME COUNTS...
    local game=$1 got
    shift
    got=$("$KANZEN" perft "$game" $# 2>&1 | cut -f 2 | paste -sd' ')
    [ "$got" = "$*" ] || complain "perft is $got, not $*" "$game"
}
perft "$data/dobutsu0.ini" 4 17 123 976 8122
perft "$data/twelve.ini" 4 17 118 898 7166

# ENDING: positions won in the most plies, and lost in one more. Moves of the winner are half of that.
ending() { # ENDING WIN-PLIES HOW-MANY LOSS-PLIES HOW-MANY
    local game=$1 stats
    "$KANZEN" solve "$game" --out ending.kzt --force --quiet >out 2>&1 || complain "$(cat out)" "$game"
    stats=$("$KANZEN" stats "$game" --table ending.kzt | awk '$2 == "win" || $2 == "loss" { print $1, $2, $3 }')
    grep -qx "$2 win $3" <<<"$stats" || complain "not $3 wins in $2: $(grep win <<<"$stats" | tail -n 1)" "$game"
    grep -qx "$4 loss $5" <<<"$stats" || complain "not $5 losses in $4: $(grep loss <<<"$stats" | tail -n 1)" "$game"
    [ "$(awk '{ print $1 }' <<<"$stats" | sort -n | tail -n 1)" = "$4" ] || complain "there are longer ones" "$game"
    "$KANZEN" verify ending.kzt --game "$game" --quiet >out 2>&1 || complain "$(cat out)" "$game"
}
ending chess:KQvK 19 1 20 8
ending chess:KRvK 31 121 32 390

# Whole small games, every value by the second interpreter: on the small board by the fast way, on the other by the usual one.
# A king wins on the far row while nothing attacks it, which the move of another piece may bring about.
cat >lions.ini <<'END'
[lions34:dobutsu]
startFen = 1l1/1c1/1C1/1L1[-] w - - 0 1
[lions45:dobutsu]
maxFile = 4
maxRank = 5
startFen = 1lh1/4/4/4/1HL1[-] w - - 0 1
promotionRegionWhite = *5
flagRegionWhite = *5
flagRegionBlack = *1
[crowd33:dobutsu]
maxFile = 3
maxRank = 3
startFen = 2l/3/L2[GGGGgggg] w - - 0 1
promotionRegionWhite = *3
flagRegionWhite = *3
flagRegionBlack = *1
END
# Numbers of positions that no game comes to have values as well: a pawn that stands on its goal already.
cp "$KANZEN_SOURCE/examples/variants/breakthrough.ini" .
# In racing kings a flag counts a turn later.
solve_and_verify() { # GAME
    "$KANZEN" solve "$1" --out game.kzt --force --quiet >out 2>&1 || complain "$(cat out)" "$1"
    "$KANZEN" verify game.kzt --game "$1" --quiet >out 2>&1 || complain "$(cat out)" "$1"
}
for game in lions.ini:lions34 lions.ini:lions45 breakthrough.ini:break3x4 racingkings:KNvK; do
    solve_and_verify "$game"
done

# A text that was changed: a table by the rules before is not taken, and neither are its tiers. Another start or other words
# for the same rules change nothing.
changing() { # LINES...
    printf '%s\n' '[changing:chess]' 'maxFile = 3' 'maxRank = 4' "$@" >changing.ini
}
changing 'startFen = 1k1/3/3/RK1 w - - 0 1'
"$KANZEN" solve changing.ini --out changing.kzt --keep-work --quiet >out 2>&1 || complain "$(cat out)" changing
changing 'stalemateValue = draw' 'startFen = 1k1/3/3/1KR b - - 0 1'
"$KANZEN" probe changing.ini startpos --table changing.kzt >out 2>err || complain "$(cat err)" "another start"
changing 'startFen = 1k1/3/3/RK1 w - - 0 1' 'stalemateValue = win'
"$KANZEN" probe changing.ini startpos --table changing.kzt >out 2>err
[ $? -eq 2 ] && grep -qF 'made by other rules of changing' err || complain "$(cat out err)" "other rules"
"$KANZEN" solve changing.ini --out changing.kzt --force --quiet >out 2>err
[ $? -eq 2 ] && grep -qF 'tier-0000.kzv: made by other rules' err || complain "$(cat out err)" "tiers by other rules"
rm -r changing.kzt.work
"$KANZEN" solve changing.ini --out changing.kzt --force --quiet >out 2>&1 || complain "$(cat out)" "solved anew"
"$KANZEN" verify changing.kzt --game changing.ini --quiet >out 2>&1 || complain "$(cat out)" "solved anew"

# Small games with another number of kings than one a side: on the board, in a hand, and in several tiers. A promoted piece that
# can't move; a side that loses a turn after its last piece of a kind is gone. Pawns on their first rank and on their last.
cat >odd.ini <<'END'
[kings:dobutsu]
maxFile = 2
startFen = ll/2/2/LL[-] w 0 1
[king-in-hand:dobutsu]
startFen = 3/3/3/1L1[l] w 0 1
[tiers:dobutsu]
maxFile = 3
maxRank = 3
pieceDrops = false
capturesToHand = false
flagRegionWhite = *3
flagRegionBlack = *1
promotionRegionWhite = *3
promotionRegionBlack = *1
startFen = 1lg/3/CL1 w - - 0 1
[stuck:minishogi]
maxFile = 3
maxRank = 2
king = -
commoner = k
extinctionValue = loss
extinctionPieceTypes = k
promotionRegionWhite = *2
promotionRegionBlack = *1
promotedPieceType = r:p
startFen = 1k1/Kr1 w - - 0 1
[later:shatranj]
maxFile = 4
maxRank = 3
king = -
commoner = k
extinctionPieceTypes = kq
extinctionPieceCount = 0
extinctionOpponentPieceCount = 1
flagPiece = b
flagRegionWhite = *3
flagRegionBlack = *2
startFen = 2K1/2B1/k3 w - - 0 1
[home:chess]
maxFile = 3
maxRank = 4
promotionPieceTypes = r
startFen = k1p/3/3/P1K w - - 0 1
[end:chess]
maxFile = 3
maxRank = 4
promotionPieceTypes = r
startFen = k1P/3/3/p1K w - - 0 1
END
for game in dobutsu:men3 odd.ini:kings odd.ini:king-in-hand odd.ini:tiers odd.ini:stuck odd.ini:later odd.ini:home odd.ini:end; do
    solve_and_verify "$game"
    "$KANZEN" selftest "$game" --positions 300 >out 2>&1 || complain "$(tail -n 5 out)" "$game"
    case $game in odd.ini:*) "$KANZEN" probe "$game" startpos --table game.kzt >out 2>&1 || complain "$(cat out)" "$game" ;; esac
done
# Fairy-Stockfish lists as many moves with a pawn on its first rank.
perft odd.ini:home 4 12 46 159 528
perft odd.ini:end 3 6 21 82 224

# Endings by their names. A probe finds the table by the pieces; what has a table is not solved again.
export KANZEN_TABLES=$PWD/tables
"$KANZEN" solve chess --ending KQvK --quiet >out 2>&1 || complain "$(cat out)" "--ending KQvK"
"$KANZEN" solve chess --ending KRvK --quiet >out 2>&1 || complain "$(cat out)" "--ending KRvK"
probes() { # EXPECTED FEN
    local got
    got=$("$KANZEN" probe chess "$2" 2>&1 | cut -f 2)
    [ "$got" = "$1" ] || complain "it is '$got', not '$1'" "$2"
}
probes "win 19" '8/8/8/5k2/8/8/1Q6/K7 w - - 0 1'
probes "win 31" '8/8/8/8/8/2k5/1R6/K7 w - - 0 1'
# What no table has is named; what needs no table needs none. `chess` is the whole game, and never one of its endings.
knight='8/8/8/8/8/2k5/1N6/K7 w - - 0 1'
start='rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w - - 0 1'
whole() {
    for command in probe moves line; do
        expect 3 '' 'make one with: kanzen solve chess --ending KNvK$' "$command" chess "$knight"
        expect 3 '' 'no table of chess has these 32 pieces' "$command" chess startpos
    done
    prints "$start" convert chess startpos --to text
    perft chess 20 400
    expect 0 "^$start" '' show chess
    expect 0 "^$knight" '' show chess "$knight"
    for command in solve estimate selftest stats longest puzzles; do
        expect 2 '' 'too large to be solved as a whole: .* name an ending .chess:KRvK, or solve chess --ending KRvK. or' "$command" chess
    done
    expect 2 '' 'too large to be solved as a whole' solve chess --force
    expect 2 '' "--ending '': the pieces of both sides are expected" solve chess --ending ''
}
whole
KANZEN_TABLES=$PWD/none whole
answer=$(echo '{"game": "chess", "pos": "8/8/8/8/8/2k5/1R6/K7 w - - 0 1"}' | "$KANZEN" ask chess 2>err)
grep -qF '"rules":"krvk"' <<<"$answer" || complain "$answer $(cat err)" "the part of an answer"
# A saved game of an ending is read by the name in it, whichever ending is the first.
printf 'b1b2\n' | "$KANZEN" play chess '8/8/8/8/8/2k5/8/KR6 w - - 0 1' --side both --save saved.txt >out 2>&1 || complain "$(cat out)" play
! grep -q '^rules:' saved.txt || complain "$(cat saved.txt)" save
"$KANZEN" annotate saved.txt >out 2>&1 || complain "$(cat out)" annotate
grep -qx '1 b1b2     # win 33  ?! wins 6 plies later; best is b1d1 (win 27)' out || complain "$(cat out)" annotate
"$KANZEN" play chess --load saved.txt --side both </dev/null >out 2>&1 && grep -q '^ 2  . R' out || complain "$(cat out)" "play --load"
record=$(awk '{ printf "%s\\n", $0 }' saved.txt)
echo "{\"game\": \"chess\", \"record\": \"$record\"}" | "$KANZEN" ask chess >out 2>&1
grep -qF '"rules":"krvk"' out && grep -qF '"best":"b1d1"' out || complain "$(cat out)" "annotate by ask"
# A file says by itself which text of Kanzen it is of.
for file in chess-kqvk chess-krvk; do
    "$KANZEN" verify "tables/$file.kzt" --quiet >out 2>&1 && grep -q "^chess, ${file#chess-} rules" out || complain "$(cat out)" "verify $file"
done
expect 0 '^files/chess-kqvk.kzt$' '' publish files --table tables/chess-kqvk.kzt --quiet
(
    export KANZEN_TABLES=$PWD/none
    expect 2 '' 'kqvk.kzt: a table of chess:kqvk: name the game so, too' probe chess "$knight" --table tables/chess-kqvk.kzt
    exit $failures
) || failures=$((failures + 1))
# A missing table is made by the name that the user gave, and a text has no --rules.
"$KANZEN" probe lions.ini:lions34 startpos >out 2>err
[ $? -eq 3 ] || complain "not exit code 3" "no table"
grep -qF "make it with: kanzen solve lions.ini:lions34 (looked" err || complain "$(cat err)" "no table"
"$KANZEN" solve chess --men 2 --quiet >out 2>&1 || complain "$(cat out)" "--men 2"
cmp -s <("$KANZEN" probe chess:men2 '8/8/8/5k2/8/8/8/K7 w - - 0 1' | cut -f 2) <(echo draw) || complain "not a draw" "two kings"

for game in chess:KPvKP antichess:QvR shatranj:KRvKP shatranj:KRvK makruk:KPvK racingkings:KQvK "$data/dobutsu0.ini" "$data/twelve.ini" \
    "$data/shogi33.ini" "$data/break44.ini" lions.ini:lions34 lions.ini:lions45 \
    lions.ini:crowd33; do # the last one has more pieces than squares
    "$KANZEN" selftest "$game" --positions 300 >out 2>&1 || complain "$(tail -n 5 out)" "$game"
done
# En passant, on a board where it is frequent: moves as numbers, and back, agree with the plain rules.
cat >passing.ini <<'END'
[passing:chess]
maxFile = 3
maxRank = 5
startFen = 1kp/3/3/3/PK1 w - - 0 1
promotionPieceTypes = q
promotionRegionWhite = *5
promotionRegionBlack = *1
doubleStepRegionWhite = *2
doubleStepRegionBlack = *4
[giveaway:passing]
king = -
commoner = k
mustCapture = true
stalemateValue = win
extinctionValue = win
extinctionPieceTypes = *
END
for game in passing:KPvKP passing:KPPvKPP giveaway:PvP giveaway:PPvPP; do
    "$KANZEN" selftest "passing.ini:$game" --positions 3000 >out 2>&1 || complain "$(tail -n 5 out)" "$game"
done

refused() { # GAME REASON
    "$KANZEN" estimate "$1" >out 2>err
    [ $? -eq 2 ] || complain "not exit code 2" "$1"
    grep -qF "$2" err || complain "$(cat err)" "$1"
}
printf '[x:chess]\ncastling = true\n' >bad.ini
refused ./bad.ini "bad.ini: line 2, column 1: this rule is not supported: 'castling'"
refused chess:KQvQ "with one king each"
refused chess:KXvK "character 2 is no piece"
export KANZEN_TABLES=$PWD/none
refused chess "too large to be solved as a whole: it has more than"
# What is named instead can be asked for.
refused minishogi "positions; name an ending (minishogi:KGvK, or solve minishogi --ending KGvK) or all endings with few men (minishogi:men3, --men 3)"
refused antichess "antichess:RvR"
printf '[rider:chess]\ncustomPiece1 = h:NN\n' >rider.ini
refused rider.ini "(rider.ini::KRvK, or solve rider.ini --ending KRvK) or all endings with few men (rider.ini::men3, --men 3)"
refused rider.ini:rider "(rider.ini:rider:KRvK, or solve rider.ini:rider --ending KRvK)"
for game in minishogi:KGvK antichess:RvR rider.ini::KRvK rider.ini:rider:KRvK; do
    "$KANZEN" show "$game" >out 2>err || complain "$(cat err)" "$game"
done
# A start that does not fit is named by its place.
printf '[a:chess]\nmaxFile = 3\nmaxRank = 3\n' >bad.ini
refused ./bad.ini "bad.ini: line 1, column 1: [a] has no startFen, and that of its parent does not fit its board of 3 x 3 squares: character 4"
printf '[a:chess]\nmaxFile = 3\nmaxRank = 3\n\nstartFen = k2/3/K3 w - - 0 1\n' >bad.ini
refused ./bad.ini "bad.ini: line 5, column 12: startFen: character 7: a rank has too many squares"
printf '[a:racingkings]\nmaxFile = 4\nmaxRank = 4\nstartFen = k3/4/4/Kr2 w - - 0 1\n' >bad.ini
refused ./bad.ini "line 4, column 12: startFen: a king is in check"
# A name that a text or a game of Kanzen has, with other rules: its tables would be taken for the other's.
printf '[chess:shatranj]\n' >bad.ini
refused ./bad.ini:chess:KQvK "bad.ini: line 1, column 2: a game that comes with Kanzen is called 'chess'"
printf '[pushfight:chess]\n' >bad.ini
refused ./bad.ini:pushfight:KQvK "a game that comes with Kanzen is called 'pushfight'"
printf '\xEF\xBB\xBF[Shatranj:chess]\nbishop = -\nqueen = -\nalfil = b\nfers = q\npromotionPieceTypes = q\ndoubleStep = false\nstalemateValue = loss\nextinctionValue = loss\nextinctionClaim = true\nextinctionPieceTypes = *\nextinctionPieceCount = 1\nextinctionOpponentPieceCount = 2\n' >good.ini
"$KANZEN" show good.ini::KQvK >out 2>err || complain "$(cat err)" "the same rules by the same name"
"$KANZEN" solve chess --men 4 --memory 1M >out 2>err
[ $? -eq 3 ] || complain "not exit code 3" "--memory 1M"
grep -q "too large: it has 2[0-9]* numbers, 6[0-9]* of them in one tier" err || complain "$(cat err)" "--memory 1M"
# Numbers that go on and on without a position: what is too large is refused before anybody walks through them.
for part in "--men 6" "--ending KQQQQQQQQQQvK"; do
    # shellcheck disable=SC2086
    "$KANZEN" solve chess $part --memory 1M >out 2>err
    [ $? -eq 3 ] && grep -q "too large: it has 1[0-9]* numbers" err || complain "$(cat err)" "$part"
done
[ ! -e "$KANZEN_TABLES" ] || [ -z "$(find "$KANZEN_TABLES" -type f)" ] || complain "it left files" "--memory 1M"
[ $failures -eq 0 ]
