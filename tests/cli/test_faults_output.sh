#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# Every command with a standard output that is full (exit code 3 and a message, whatever else), and with a standard input
# or a file that can't be read.
set -u
. "$KANZEN_SOURCE/tests/support/cli_testing.sh"
export KANZEN_TABLES=$PWD XDG_DATA_HOME=$PWD/none
[ -c /dev/full ] || exit 77

"$KANZEN" solve pushfight --board corridor --quiet >out || complain "$(cat out)" solve
"$KANZEN" convert shogi "$KANZEN_SOURCE/shogi/tests/data/games_all.csa" in.psv --quiet 2>err || complain "$(cat err)" convert
printf '# game: pushfight\n# rules: corridor\n' >game.txt
"$KANZEN" play pushfight --board corridor --side none --seed 1 --save game.txt --force </dev/null >out 2>err
printf 'usi\nuci\nquit\n' >quit

# What each command is called with: at least one line for each. `-` are those that take too long here, with the reason.
cat >calls <<'END'
solve pushfight --board corridor --quiet --force
verify pushfight-corridor.kzt --quiet
verify pushfight-corridor.kzt --quiet --json
selftest pushfight --board corridor --quiet
probe pushfight --board corridor startpos
probe pushfight --board corridor startpos --json
moves pushfight --board corridor
line pushfight --board corridor
line pushfight --board corridor --json
inspect pushfight --board corridor --once
inspect pushfight --board corridor
play pushfight --board corridor
annotate game.txt
show dobutsu
show dobutsu --json
show dobutsu --svg -
convert dobutsu --to sfen startpos
convert shogi in.psv - --to hcpe --quiet
convert shogi in.psv other.hcpe --json --quiet --force
stats pushfight --board corridor
stats pushfight --board corridor --svg -
longest pushfight --board corridor --quiet
puzzles pushfight --board corridor --quiet
count pushfight --quiet
new fresh
estimate chess:KQvK
perft dobutsu 3
- check try-rule
- compare
export pushfight --board corridor --format csv --out out.csv --quiet --force
pushfight phase0 --board corridor --quiet
pushfight values --board corridor --out values --quiet --force
pushfight openings --board corridor --quiet
pushfight reachable --board corridor --quiet
shogi check in.psv --quiet
shogi stats in.psv --quiet
shogi stats in.psv --svg -
shogi head in.psv
shogi cat in.psv --quiet
shogi cat in.psv --quiet --sfen
shogi shuffle in.psv - --quiet
shogi shuffle in.psv other.psv --quiet --force
shogi dedupe in.psv - --quiet
shogi sample in.psv - --count 9 --quiet
shogi show startpos
ask
publish site pushfight --table pushfight-corridor.kzt --quiet
excerpt pushfight --table pushfight-corridor.kzt --out small.kzt --quiet --force 30
- fetch
usi
uci
bench pushfight --board corridor --probes 10
bench pack --positions 50 --rounds 1 --json
help
help solve
version
END
while read -r line; do
    [[ $line != -* ]] || continue
    read -ra words <<<"$line"
    "$KANZEN" "${words[@]}" >/dev/full 2>err <quit
    code=$?
    [ $code -eq 3 ] || complain "exit code $code with a full standard output: $(head -c 300 err)" "$line"
    # A summary on standard error is fine; what counts is that the reason is there.
    [[ $line == *' other.hcpe '* ]] || grep -q "can't write the .*No space left on device" err ||
        complain "no message with a full standard output: $(head -c 300 err)" "$line"
done <calls
"$KANZEN" help | sed -n '/^Commands:/,/^$/s/^  \([a-z]*\) .*/\1/p' | while read -r command; do
    [ "$command" = serve ] || grep -Eq -- "^(- )?$command( |$)" calls || echo "$command"
done >missing
[ ! -s missing ] || complain "these are not called here: $(tr '\n' ' ' <missing)" "(test)"

# The server serves even if it can't say where; in the end it says so.
"$KANZEN" serve --port 0 >/dev/full 2>err &
server=$!
sleep 0.5
kill -TERM "$server"
wait "$server"
code=$?
[ $code -eq 3 ] || complain "exit code $code with a full standard output: $(head -c 300 err)" serve

# ---- Inputs that can't be read: a folder is opened like a file, and then reading fails ------------------------------

mkdir folder
unreadable() {
    "$KANZEN" "$@" >out 2>err <folder
    local code=$?
    [ $code -eq 3 ] || complain "exit code $code for a folder: $(head -c 300 err)" "$@"
    grep -q "folder\|standard input\|directory" err || complain "which file? $(head -c 300 err)" "$@"
}
unreadable probe pushfight --board corridor
unreadable convert dobutsu --to sfen
unreadable convert shogi folder out.hcpe --from psv --quiet
unreadable convert shogi - out.hcpe --from psv --quiet
unreadable convert shogi - out.hcpe --from csa --quiet
unreadable shogi check folder --record psv --quiet
unreadable shogi stats folder --record psv --quiet
unreadable shogi shuffle folder out.psv --record psv --quiet
unreadable shogi dedupe folder out.psv --record psv --quiet
unreadable annotate folder
unreadable annotate -
unreadable verify folder
unreadable stats pushfight --table folder
unreadable play pushfight --board corridor --load folder
[ ! -e out.hcpe ] && [ ! -e out.psv ] || complain "there is a file" "(test)"

[ $failures -eq 0 ]
