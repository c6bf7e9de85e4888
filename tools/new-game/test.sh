#!/bin/sh
# test.sh ./NAME.so: the laws of the definition hold, the game can be solved, and every value follows from its moves.
set -eu
game=$1
kanzen=${KANZEN:-kanzen}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

"$kanzen" selftest "$game" --positions 5000 --quiet
"$kanzen" solve "$game" --out "$work/table.kzt" --quiet
"$kanzen" verify "$work/table.kzt" --game "$game" --quiet
"$kanzen" selftest "$game" --table "$work/table.kzt" --positions 1000 --quiet

# What you know about your game belongs here. Tic-tac-toe is a draw, and has 765 positions up to symmetry.
"$kanzen" stats "$game" --table "$work/table.kzt" | grep -Eq '^positions +765$'
echo "all is well"
