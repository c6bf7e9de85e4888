#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# labels: mini-table
#
# On a terminal: keys, narrow windows, interruptions.
set -u
. "$KANZEN_SOURCE/tests/support/cli_testing.sh"
export KANZEN_TABLES=$PWD XDG_DATA_HOME=$PWD/none TERM=xterm
have python3 "the command on a terminal" || exit 77
mini_table pushfight-mini.kzt

# terminal CODE COLUMNS STEPS ARGUMENT...: what came is in the file out
terminal() {
    local code=$1 columns=$2 steps=$3
    shift 3
    python3 "$KANZEN_SOURCE/tests/support/on_terminal.py" "$columns" "$steps" "$KANZEN" "$@" >out
    local got=$?
    [ $got -eq "$code" ] || complain "exit code $got, not $code: $(tail -c 300 out)" "$@"
}
play=(play pushfight --board mini --side both)

# ---- A game is saved after each move -----------------------------------------------------------------------------

# Ctrl-C loses nothing.
terminal 130 80 "[('red> ', 'b2-c2\n'), ('blue> ', '\x03')]" "${play[@]}" --save game.txt
grep -q '^1 b2-c2$' game.txt 2>/dev/null || complain "not saved when it was interrupted" play
terminal 0 80 "[('red> ', 'b2-c2\n'), ('blue> ', 'undo\n'), ('red> ', '\x04')]" "${play[@]}" --save undone.txt
! grep -q '^1 ' undone.txt || complain "the file has what was taken back" play
expect 3 '' 'game.txt exists already; --force replaces it' "${play[@]}" --save game.txt
terminal 0 80 "[('red> ', 'quit\n')]" "${play[@]}" --save game.txt --force
! grep -q '^1 ' game.txt || complain "the file was not replaced" play

# ---- The Tab key -------------------------------------------------------------------------------------------------

touch perfectly.txt
terminal 0 80 "[('red> ', 'level per\t\n'), ('level perfect', 'quit\n')]" "${play[@]}"
grep -q 'level perfect' out || complain "a level was not completed: $(cat out)" play
terminal 0 80 "[('red> ', 'side no\t\n'), ('red wins', 'quit\n')]" play pushfight --board mini --side both --level perfect
terminal 0 80 "[('red> ', 'aggr\t on\n'), ('aggressive on', 'quit\n')]" "${play[@]}"
terminal 0 80 "[('red> ', 'b2-c2\n'), ('blue> ', 'save perfectl\tx\n'), ('saved as perfectly.txt', 'quit\n')]" "${play[@]}"
terminal 0 80 "[('inspect> ', 'bes\t\n'), ('blue', 'quit\n')]" inspect pushfight --board mini

# ---- The end of the input ----------------------------------------------------------------------------------------

# One Ctrl-D is enough.
terminal 0 80 "[('', 'game: pushfight\nboard: mini\nb2-c2\n'), ('b2-c2', '\x04')]" annotate -
grep -q '^# red: 1 move' out || complain "$(cat out)" annotate

# ---- Progress ----------------------------------------------------------------------------------------------------

# No line is wider than the window, so none stays behind when the next one replaces it.
for columns in 12 20 40 80; do
    terminal 0 $columns "[]" puzzles pushfight --board mini
    python3 - $columns <<'END' || complain "a line does not fit $columns columns" puzzles
import re, sys
text = open("out", "rb").read().decode()
lines = re.findall(r"\r\x1b\[K([^\r\n\x1b]*)|^([^\r\n\x1b]*)\r", text)
bars = [line for pair in lines for line in pair if "%" in line]
assert all(len(line) < int(sys.argv[1]) for line in bars), bars
END
done
# In a pipe every stage is told once, with its end.
"$KANZEN" puzzles pushfight --board mini 2>err >/dev/null
sed 's/: .*//' err | sort | uniq -d | grep . && complain "a stage is told twice: $(cat err)" puzzles
[ "$(grep -c ': done' err)" = "$(wc -l <err)" ] || complain "a stage without an end: $(cat err)" puzzles

[ $failures -eq 0 ]
