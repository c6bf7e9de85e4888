#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# labels: slow unsanitized
#
# Games that are definitions, solved by several processes: the bytes of the table are those of one process, backwards,
# forwards and in one pass; one that dies ends the others, and the next run goes on after the last tier that is done.
# tests/unit/test_any_team.c has more games and numbers of members.
set -uo pipefail
# shellcheck source=tests/support/mpi_testing.sh
. "$KANZEN_SOURCE/tests/support/mpi_testing.sh"
failures=0
complain() {
    echo "$1: $(head -c 600 err)"
    failures=$((failures + 1))
}

# Four Field Kono, as it is, without its predecessors, and with a process that dies in the middle of a tier.
games=$KANZEN_SOURCE/examples/games
cat >changed.c <<'END'
#define kanzen_game kono
#include "kono.c"
#undef kanzen_game
#include <signal.h>
#include <stdlib.h>

#ifdef DIES
static bool unrank_or_die(const void *context, uint64_t index, kz_position *position) {
    const char *rank = getenv("OMPI_COMM_WORLD_RANK");
    if (rank && rank[0] == '1' && index == kono()->tier_begin(context, 5) - 1) { /* no sample has it */
        raise(SIGKILL);
    }
    return kono()->unrank(context, index, position);
}
#endif

const kz_definition *kanzen_game(void) {
    static kz_definition game;
    game = *kono();
#ifdef DIES
    game.unrank = unrank_or_die;
#else
    game.predecessors = NULL;
    game.max_predecessors = 0;
#endif
    return &game;
}
END
build() { # SOURCE OBJECT OPTION...
    cc -O2 -shared -fPIC -I "$KANZEN_SOURCE/include" -I "$games" "$1" -o "$2" "${@:3}" 2>err || complain "$2 does not build"
}
build "$games/tictactoe.c" tictactoe.so
build "$games/kono.c" kono.so
build changed.c forwards.so
build changed.c dies.so -DDIES
cat >lions.ini <<'END'
[lions33:dobutsu]
maxFile = 3
maxRank = 3
startFen = 1lg/3/GL1[-] w - - 0 1
promotionRegionWhite = *3
flagRegionWhite = *3
flagRegionBlack = *1
END

# together MEMBERS TABLE GAME OPTION...
together() { mpi "$1" "$KANZEN" solve "$3" --threads 1 --out "$2" --quiet "${@:4}" >out 2>err; }

# compare GAME "MEMBERS ..." OPTION...
compare() {
    local game=$1 counts=$2 members
    shift 2
    rm -rf ./*.kzt ./*.work
    "$KANZEN" solve "$game" --out alone.kzt --quiet "$@" >out 2>err || complain "$game alone"
    for members in $counts; do
        rm -f t.kzt
        together "$members" t.kzt "$game" "$@" || complain "$game, $members members: exit code $?"
        cmp t.kzt alone.kzt || complain "$game, $members members: another table"
        [ ! -e t.kzt.work ] || complain "$game, $members members leave their folder"
    done
}
compare ./tictactoe.so 3
compare lions.ini:lions33 2
compare ./forwards.so 2 --rules 2x4
compare ./kono.so "2 3" --rules 2x4

# One of them is killed: all end, with a message; what was done is kept, and another number of processes goes on.
rm -f t.kzt
together 2 t.kzt ./dies.so --rules 2x4 && complain "the others went on though one was killed"
grep -qi "killed\|signal\|lost" err || complain "no message that one was killed"
[ ! -f t.kzt ] || complain "a table in spite of that"
[ "$(cd t.kzt.work && echo tier-*)" = "$(echo tier-000{0..3}.kzv)" ] || complain "not 4 tiers: $(ls t.kzt.work)"
touch -d 2001-01-01 t.kzt.work/tier-0003.kzv
together 3 t.kzt ./kono.so --rules 2x4 --keep-work || complain "going on after that"
[ "$(stat -c %Y t.kzt.work/tier-0003.kzv)" -lt 1000000000 ] || complain "a finished tier was solved again"
cmp t.kzt alone.kzt || complain "killed and gone on with: another table"

# What one process refuses, several refuse, with one message.
rm -rf t.kzt t.kzt.work
together 2 t.kzt ./kono.so --rules 2x4 --memory 1K && complain "one kilobyte is enough"
[ "$(grep -c 'is too large' err)" -eq 1 ] || complain "not one message about memory"
[ $failures -eq 0 ]
