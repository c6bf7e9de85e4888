#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# What every command has in common: help, messages, exit codes.
set -u
. "$KANZEN_SOURCE/tests/support/cli_testing.sh"

expect 0 '^kanzen [0-9]+\.[0-9]+\.[0-9]+$' '' version
expect 0 '^kanzen [0-9]+\.[0-9]+\.[0-9]+$' '' --version
expect 0 '^  version  ' '' help
expect 0 '^  version  ' '' --help
expect 0 '^  version  ' '' -h
expect 0 '^Usage: kanzen version \[--json\]$' '' help version
expect 0 '^Usage: kanzen version \[--json\]$' '' version --help
expect 0 '^Usage: kanzen help \[COMMAND...\]$' '' help --help
expect 2 '' 'which command'
expect 2 '' "no command 'slove'; did you mean 'solve'" slove
expect 2 '' "no command 'slove'; did you mean 'solve'" help slove
expect 2 '' "no command 'prob'; did you mean 'probe'" prob
expect 2 '' "no command 'zzzzzz'$" zzzzzz
expect 2 '' 'the other way round: kanzen shogi head' head shogi
expect 2 '' "'shogi'.*kanzen shogi show" show shogi startpos
expect 2 '' 'one of check, stats' shogi
expect 2 '' "there is no 'chekc'; there are: check" shogi chekc

# Text from outside reaches the terminal without what a terminal obeys.
expect 2 '' "no command 'a.x1b.2Jb.x07'" $'a\e[2Jb\a'
expect 2 '' "no game 'a.x1b.2J.nb.xc2.x9bx.xff'" solve $'a\e[2J\nb\xc2\x9bx\xff'
expect 2 '' "no game '完全'" solve 完全
expect 2 '' "unknown option '--.x1b'" solve $'--\e'
: >$'a\e[2J.kzt'
expect 4 '' 'a.x1b.2J.kzt: ' probe dobutsu startpos --table $'a\e[2J.kzt'
expect 3 '' 'none.x1b.txt: No such file' annotate $'none\e.txt'
printf 'b\e\n' | "$KANZEN" play pushfight --board mini --side both >out 2>err
! grep -q $'\e' out || complain "a control character was printed" play
grep -q "'b.x1b' is neither" out || complain "$(cat out)" play
expect 2 '' "unknown option '--nonsense'" --nonsense
expect 2 '' "^kanzen version: unknown option '--nonsense'" version --nonsense=3
expect 2 '' "^Try: kanzen help version$" version --nonsense
expect 2 '' "unexpected argument 'x'" version x
expect 2 '' "unexpected argument '--help'" version -- --help

# What this program was built with.
expect 0 '^  several processes \(MPI\) +(yes|no)$' '' version
expect 0 '^\{"version":"[0-9.]+","parts":\{' '' version --json
KANZEN_CPU=plain "$KANZEN" version --json >out
json out 'd["path"] == "plain" and set(d["parts"]) == {"server", "mpi", "cuda", "urls", "editing"}'

# Output that can't be written is an error; a reader that has seen enough is none to talk about.
if [ -w /dev/full ]; then
    "$KANZEN" help >/dev/full 2>err
    [ $? -eq 3 ] && grep -q 'No space left' err || complain "a full disk went unnoticed" help
fi
"$KANZEN" help >&- 2>err
[ $? -eq 3 ] && grep -q "can't write the output" err || complain "a closed stdout went unnoticed" help
{ "$KANZEN" help 2>err; } | true
[ ! -s err ] || complain "noise about a closed pipe: $(cat err)" help

# The overview names what the arguments GAME, RULES and FORM can be.
expect 0 '^  dobutsu +Dobutsu Shogi' '' help
expect 0 '^ +rules: official, simplified$' '' help
expect 0 '^  pushfight +Push Fight' '' help
expect 0 "^ +forms: $(forms dobutsu ', ')\$" '' help

expect 0 '^ +chess, antichess, .*makruk' '' help
expect 0 '^  NAME\.ini +a variant of chess or shogi' '' help
expect 2 '' "there is no game 'x'; the games are: dobutsu, pushfight, chess, .*minishogi, and files: NAME.ini, ./NAME.so" show x
expect 3 '' '^kanzen show: .*nofile.ini: No such file' show nofile.ini
expect 3 '' '^kanzen solve: .*nofile.so: there is no such file' solve ./nofile.so
expect 3 '' 'nofile.ini: No such file' serve nofile.ini
expect 3 '' 'nofile.ini: No such file' probe nofile.ini startpos
! "$KANZEN" help | grep -q ' $' || complain "spaces at the end of a line" help

# Every command that is listed explains itself.
for name in $("$KANZEN" help | sed -n '/^Commands:/,/^$/s/^  \([a-z]*\) .*/\1/p'); do
    expect 0 "^Usage: kanzen $name" '' help "$name"
    expect 0 "^Usage: kanzen $name" '' "$name" --help
    expect 2 '' "^kanzen $name: unknown option '--no-such-option'" "$name" --no-such-option
done

[ $failures -eq 0 ]
