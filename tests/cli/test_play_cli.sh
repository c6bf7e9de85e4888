#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# labels: mini-table
#
# play, inspect and annotate on a small board of Push Fight, through pipes and through a terminal. Values are compared
# with what `kanzen moves` and `kanzen line` say; test_heavy_cli.sh has published ones of Dobutsu Shogi.
set -u
. "$KANZEN_SOURCE/tests/support/cli_testing.sh"
export KANZEN_TABLES=$PWD XDG_DATA_HOME=$PWD/none
mini_table pushfight-mini.kzt

# says PATTERN LINE...: what the game answers to these lines has such a line
says() {
    local pattern=$1
    shift
    printf '%s\n' "$@" | "$KANZEN" play pushfight --board mini "${with[@]}" >out 2>err || complain "exit code $?" "$@"
    matches out "$pattern" || complain "no line like '$pattern': $(tail -n 12 out)" "$@"
    [ ! -s err ] || complain "stderr: $(cat err)" "$@"
}

# ---- Wrong calls -------------------------------------------------------------------------------------------------

expect 2 '' "there is no level 'god'; there are: beginner, easy, medium, hard, expert, perfect" play pushfight --level god
expect 2 '' "--side takes first, second, both or none, not 'left'" play pushfight --side left
expect 2 '' "there is no game 'go'" play go
expect 2 '' 'there is no KIF of pushfight' play pushfight --save x.kif
expect 3 '' 'none.txt: No such file' play pushfight --load none.txt
expect 3 '' 'kanzen solve dobutsu' play dobutsu
expect 3 '' 'exists already' play pushfight --board mini --save pushfight-mini.kzt
expect 2 '' "^kanzen play: --save -: a record .* can't go to standard output" play pushfight --board mini --save -
expect 2 '' 'missing' annotate
expect 3 '' 'none.txt: No such file' annotate none.txt
printf 'game: pushfight\nrules: mini\n1 b2-c3\n' >bad.txt
expect 2 '' "^kanzen annotate: bad.txt: line 3: character [0-9]+ " annotate bad.txt
expect 2 '' '^kanzen annotate: standard input: line 1: ' annotate - <<<'chess'
expect 2 '' 'bad.txt: line 3' play pushfight --load bad.txt
printf 'game: dobutsu\n' >dobutsu.txt
expect 2 '' 'dobutsu.txt is a game of dobutsu, not of pushfight' play pushfight --load dobutsu.txt
printf 'game: pushfight\nboard: mini\n' >mini.txt
expect 2 '' 'mini.txt is a game by mini rules, not by raft rules' play pushfight --load mini.txt --board raft
"$KANZEN" play pushfight --board mini --side both <&- >out 2>err
[ $? -eq 3 ] && grep -q "can't read standard input" err || complain "no standard input went unnoticed" play

# ---- A game ------------------------------------------------------------------------------------------------------

with=(--side both)
best=$("$KANZEN" moves pushfight --board mini | head -n 1)
says "^best is ${best%%$'\t'*}: red wins in 3 turns\$" hint
says '^red wins in 3 turns$' value
says '^   1  b2-c2 +win 3$' moves
says "^      and 51 more: 'moves all' has them\$" 'moves 1'
says '^  52  ' 'moves all'
says '^2 \.\.POXX 2$' b2-c2
says '^2 \.\.POXX 2$' moves 1
says '^2 XXOP\.\. 2$' flip b2-c2
says '^red to move' b2-c2 undo
says '^   1  red	b2-c2	\(taken back\)$' b2-c2 undo history
says '^blue to move' b2-c2 undo redo
says '^there is no move to take back$' undo
says '^there is no move that was taken back$' b2-c2 redo
says "^'hop' is neither a move .* nor a command .*: character 1 \('h'\): expected a square" hop
says "^'b2-a2' is neither .* a turn ends with a push, and a2 is empty" b2-a2
says '^character [0-9]+ .*' 'set nonsense'
says '^\.\.x\.\.PoOXX\.ox\.$' 'set ..x..PoOXX.ox.' board
says '^this command stands alone$' 'quit now'
says '^undo takes the number' 'undo x'
says '^level hard$' 'level hard'
says '^the levels are ' 'level god'
says '^aggressive on$' 'aggressive on'
says '^blue wins because the other side has resigned \(after 0 plies\)$' resign
says '^the game is over' resign b2-c2
says '^  moves, m \[N\|all\] +the moves with their values' help
says '^this line is too long$' "$(head -c 5000 /dev/zero | tr '\0' x)" quit
! grep -q $'\033' out || complain "colours in a pipe" play
printf 'b2\0c2' | "$KANZEN" play pushfight --board mini --side both >out || complain "exit code $?" "(NUL)"
grep -q "'b2?c2' is neither" out || complain "$(tail -n 1 out)" "(NUL)"

# The computer.
with=(--side second --level perfect --seed 1)
says '^1 red plays ' quit
with=(--side none --level perfect --seed 1 --save perfect.txt)
says '^red wins \(after 5 plies\)$' # as kanzen line has it
[ "$("$KANZEN" line pushfight --board mini | tail -n 1)" = 'red wins after 5 plies' ] || complain "not 5 plies" line
grep -q '^result: first wins$' perfect.txt && grep -q '^first: kanzen, perfect$' perfect.txt || complain "$(cat perfect.txt)" save
cp out one
with=(--side none --level perfect --seed 1 --save perfect.txt --force)
says '^red wins \(after 5 plies\)$'
cmp -s one out || complain "the same seed, another game" play
with=(--side first --level easy --seed 7)
says '^red to move' b2-c2 undo history
grep -q '^   2  blue.*(taken back)$' out || complain "undo did not go back to the user's turn" play
with=(--side both)
says '^2 red plays|^1 red plays' go

# A game that begins at a position.
expect 0 '^\.\.x\.\.PoOXX\.ox\.$' '' play pushfight ..x..PoOXX.ox. --board mini --side both <<<'board'
expect 2 '' 'exclude each other' play pushfight ..x..PoOXX.ox. --board mini --load perfect.txt
expect 2 '' 'character' play pushfight nonsense --board mini

# Saved games.
says '^saved as saved.txt$' b2-c2 'save saved.txt'
says 'exists already' 'save saved.txt'
says '^saved as saved.txt$' b2-c2 'save! saved.txt'
says '^blue to move' 'load saved.txt'
says 'none.txt: No such file' 'load none.txt'
says '^this is a game of dobutsu by official rules, not of pushfight by mini rules$' 'load dobutsu.txt'
expect 0 '^blue to move' '' play pushfight --load saved.txt --side both </dev/null

# ---- annotate ----------------------------------------------------------------------------------------------------

expect 0 '^# red: 3 moves, 3 best$' '' annotate perfect.txt
grep -q '^# blue: 2 moves, 2 best$' out || complain "$(cat out)" annotate
cp out again.txt
prints "$(cat again.txt)" annotate again.txt # what it prints is a record, too
worst=$("$KANZEN" moves pushfight --board mini | tail -n 1 | cut -f1)
printf 'game: pushfight\nboard: mini\n%s\n' "$worst" >worst.txt
expect 0 "^1 $worst +# loss 1  \?\? turns a win into a loss; best is b2-c2 \(win 3\)\$" '' annotate worst.txt
drawn=$("$KANZEN" moves pushfight --board mini | grep -P '\tdraw\t' | cut -f1)
printf 'game: pushfight\nboard: mini\n%s\n' "$drawn" >drawn.txt
expect 0 "\?\? throws the win away; best is b2-c2" '' annotate - <drawn.txt
expect 0 '^\{' '' annotate drawn.txt --json
json out 'd["moves"][0]["mistake"] == "win_to_draw" and d["moves"][0]["before"] == {"value": "win", "distance": 3}'
json out '[p["win_to_draw"] for p in d["players"]] == [1, 0] and d["result"] == "unfinished"'

# ---- inspect -----------------------------------------------------------------------------------------------------

# walks PATTERN LINE...
walks() {
    local pattern=$1
    shift
    printf '%s\n' "$@" | "$KANZEN" inspect pushfight --board mini >out 2>err || complain "exit code $?" "$@"
    matches out "$pattern" || complain "no line like '$pattern': $(tail -n 12 out)" "$@"
}
expect 0 '^because   child 1 \(b2-c2\) is lost for blue, and none is lost sooner: blue loses in 2 turns$' '' \
    inspect pushfight --board mini --once
expect 0 '^\{' '' inspect pushfight --board mini --json
json out 'd["decided_by"] == 1 and d["counts"] == {"loss": 5, "draw": 1, "win": 46, "unknown": 0}'
json out 'len(d["children"]) == 52 and d["children"][0] == {"number": 1, "move": "b2-c2",
    "position": ".ox...POXX.ox.", "value": "loss", "distance": 2}'
walks '^because   all children are won for red, and none takes longer than the first: red wins in 2 turns$' b2-c2
walks '^because   the rules say so: the game is over$' 'best 5'
walks '^the game is over: there are no children$' 'best 9' best
walks '^\.ox\.\.OOXX\.\.ox\. b2-c2 ' 1 1 path
walks '^\.ox\.\.OOXX\.\.ox\.$' 1 1 root path
walks '^this is where you began$' 1 back back
walks '^there is no child 99; there are 52$' 99
walks "^'hop' is neither a child's number" hop
walks '^\.\.x\.\.PoOXX\.ox\.$' 'goto ..x..PoOXX.ox.'
walks '^  52  ' list
walks 'goto POSITION' help
expect 2 '' 'character' inspect pushfight nonsense --board mini </dev/null

# ---- Drawn by the rules -------------------------------------------------------------------------------------------

# The queen on a2 leaves the king on c3 no square, and does not attack it: a stalemate.
cat >tiny.ini <<'END'
[tiny:chess]
maxFile = 3
maxRank = 3
startFen = 2k/3/KQ1 w - - 0 1
END
"$KANZEN" solve tiny.ini --quiet >out 2>&1 || complain "$(cat out)" "solve tiny.ini"
expect 2 '' 'tiny is solved through its definition, which does not stop after a phase' solve tiny.ini --phases 1 --out t.kzt
expect 2 '' '^kanzen solve: --out -: a table ' solve tiny.ini --out - --quiet
[ ! -e t.kzt ] && [ ! -e t.kzt.work ] && [ ! -e ./- ] || complain "a file is left" solve tiny.ini
stalemate='2k/Q2/K2 b - - 0 1'
for side in first both; do
    printf 'b1a2\ngo\nc3b3\n' | "$KANZEN" play tiny.ini --side $side --save tiny-$side.txt >out 2>err ||
        complain "exit code $?: $(cat err)" play tiny.ini --side $side
    matches out '^a draw by the rules$' && matches out '^the game is over$' || complain "$(cat out)" play tiny.ini --side $side
    ! matches out ' plays ' || complain "a move after the end: $(cat out)" play tiny.ini --side $side
    matches tiny-$side.txt '^result: draw$' && matches tiny-$side.txt '^1 b1a2$' || complain "$(cat tiny-$side.txt)" save
done
for level in beginner perfect; do
    expect 0 '^a draw by the rules$' '' play tiny.ini "$stalemate" --side none --level $level </dev/null
done
printf 'position fen %s\ngo\nquit\n' "$stalemate" | "$KANZEN" uci tiny.ini >out 2>&1
matches out '^info string the game is over: it is a draw$' && matches out '^bestmove \(none\)$' || complain "$(cat out)" uci

# A saved game of a text, which the record does not find by its name.
expect 0 '^a draw by the rules$' '' play tiny.ini --load tiny-both.txt </dev/null
expect 0 '^a draw by the rules$' '' play tiny.ini --side both <<<'load tiny-both.txt'
expect 0 '^1 b1a2 +# draw  \?\? throws the win away; best is b1b2 \(win 1\)$' '' annotate tiny-both.txt --game tiny.ini
expect 0 '"result":"draw"' '' annotate tiny-both.txt --game tiny.ini --json
expect 2 '' "tiny-both.txt: there is no game 'tiny'; --game names its file" annotate tiny-both.txt
expect 2 '' 'mini.txt is a game of pushfight, not of tiny' annotate mini.txt --game tiny.ini
expect 2 '' "tiny-both.txt: line 1: this is a game of 'tiny', and not of pushfight" play pushfight --load tiny-both.txt
printf 'game: ./tiny.ini\n' >path.txt # a record names no file
expect 2 '' "line 1: there is no game './tiny.ini'" annotate path.txt

# ---- Through a terminal ------------------------------------------------------------------------------------------

if script -qec true /dev/null >/dev/null 2>&1; then
    talk() { # talk ENVIRONMENT KEYS
        printf '%b' "$2" | script -qec "env $1 '$KANZEN' play pushfight --board mini --side both" /dev/null | tr -d '\r' >out
    }
    talk 'TERM=xterm NO_COLOR=' 'b2-c2\nquit\n'
    grep -q $'\033\\[1;31mP\033' out || complain "no colours in a terminal" play
    grep -q '2 blue> ' out || complain "no prompt: $(cat out)" play
    talk 'TERM=xterm NO_COLOR=1' 'b2-c2\nquit\n'
    ! grep -q $'\033\\[1;31m' out && grep -q '^2 \.\.POXX 2$' out || complain "colours in spite of NO_COLOR" play
    talk 'TERM=dumb NO_COLOR=' 'b2-c2\n\004'
    ! grep -q $'\033' out && grep -q '2 blue> ' out || complain "colours on a dumb terminal" play
fi

[ $failures -eq 0 ]
