#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# labels: mini-table
#
# kanzen usi and kanzen uci as programs: over pipes, as a shogi program drives them. There is no table here, so only what
# the rules tell is known; the values are test_heavy_usi.c's.
set -u
. "$KANZEN_SOURCE/tests/support/cli_testing.sh"

export KANZEN_TABLES=$PWD/tables XDG_DATA_HOME=$PWD/data
mkdir tables

# ---- Options -------------------------------------------------------------------------------------------------------

expect 2 '' "there is no game 'x'" usi x </dev/null
expect 2 '' 'Level is one of' usi --level strong </dev/null
expect 2 '' 'multipv takes a number from 1 to 100' uci --multipv 0 </dev/null
expect 2 '' 'seed takes a number from 0 to 2147483647' uci --seed -1 </dev/null
expect 2 '' 'official, simplified' usi --rules other </dev/null
expect 0 '' '' usi </dev/null
expect 3 '' "can't read the input" usi <.
echo usi >in
expect 0 'Level type combo default easy' '' usi --level easy --aggressive --seed 7 --multipv 3 --rules simplified \
    --table 'a b.kzt' <in
grep -q 'Aggressive type check default true' out || complain '--aggressive is not passed on' usi
grep -q 'MultiPV type spin default 3' out || complain '--multipv is not passed on' usi
grep -q 'Seed type spin default 7' out || complain '--seed is not passed on' usi
grep -q 'Rules type combo default simplified' out || complain '--rules is not passed on' usi
grep -q 'Table type filename default a b.kzt' out || complain '--table is not passed on' usi
printf isready >in # without a line end
expect 0 '^readyok$' '' usi --table no-such.kzt <in
grep -q '^info string .*no-such.kzt' out || complain 'no word about the table' usi
expect 0 'info string .*kanzen solve dobutsu' '' uci <in
echo nonsense >nonsense.kzt
expect 0 'info string .*nonsense.kzt' '' uci --table nonsense.kzt <in

# ---- A talk: nothing but the pipe tells the program to go on --------------------------------------------------------

# begin COMMAND...: starts the engine
begin() {
    coproc "$KANZEN" "$@" 2>err
    engine=$COPROC_PID
    exec 5<&"${COPROC[0]}" 6>&"${COPROC[1]}"
    to_engine=${COPROC[1]} # bash forgets it as soon as it sees that the engine has ended
}

# tell LINE: sends it
tell() {
    printf '%s\n' "$1" >&6
}

# hears PATTERN LINE...: sends the lines; then answers come until one is like the pattern, and soon
hears() {
    local pattern=$1 line
    shift
    for line; do tell "$line"; done
    heard=''
    while IFS= read -r -t 10 line <&5; do
        heard+=$line$'\n'
        [[ ! $line =~ $pattern ]] || return 0
    done
    complain "no answer like '$pattern' but: $heard" "$*"
}

# silent: the answer to isready is the next thing that is heard
silent() {
    hears . isready
    [ "${heard%$'\n'}" = readyok ] || [[ $heard == 'info string'* ]] || complain "heard '$heard'" "${1-}"
    [[ $heard == readyok* ]] || hears '^readyok$'
}

# end: the input ends, and so does the program
end() {
    eval "exec $to_engine>&-"
    exec 6>&-
    cat <&5 >rest
    wait "$engine"
    code=$?
    [ $code -eq 0 ] || complain "exit code $code: $(cat err)" "$@"
    [ ! -s err ] || complain "stderr: $(cat err)" "$@"
    exec 5<&-
}

move='^bestmove [1-3CEG][a-d*][1-3][a-d]\+?( ponder .*)?$'
begin usi
hears '^usiok$' usi
[ "$(grep -c '^id ' <<<"$heard")" -eq 2 ] || complain "not two lines of id: $heard" usi
hears '^readyok$' isready
hears "$move" usinewgame 'position startpos' 'go btime 600000 wtime 600000 byoyomi 10000'
[ "$(grep -c '^info depth' <<<"$heard")" -eq 1 ] || complain "not one line of info: $heard" usi
hears "$move" 'setoption name MultiPV value 4' 'go movetime 10'
[ "$(grep -c '^info depth 1 multipv' <<<"$heard")" -eq 4 ] || complain "not four lines of info: $heard" usi
hears '^bestmove 2b2a\+$' 'position sfen 1l1/1C1/3/1L1 b EGcge 1' 'go byoyomi 1'
[[ $heard == *'info depth 1 multipv 1 score mate 1 pv 2b2a+'* ]] || complain "no score: $heard" usi
hears '^checkmate 2b2a\+$' 'go mate 1000'
hears '^bestmove resign$' 'position sfen 1l1/1C1/3/1L1 b EGcge 1 moves 2b2a+' go

# go infinite and go ponder keep silent until they may speak
tell 'setoption name MultiPV value 1'
hears '^info depth' 'position startpos' 'go infinite'
silent 'go infinite'
hears "$move" stop
tell stop
silent stop
hears '^info depth' 'go ponder btime 1 wtime 1'
silent 'go ponder'
hears "$move" ponderhit
# two in a row: a move for each
hears '^info depth' 'go infinite'
hears "$move" go
hears "$move"

# garbage of every kind
tell ''
hears "^info string there is no command 'hello'" 'hello world'
hears "^info string " 'position sfen nonsense'
hears "^info string " 'position startpos moves 2c2b 2c2b'
hears "^info string " 'setoption name'
printf 'a\0b\xff\xfe\x1b[2J\r\n' >&6
hears "^info string there is no command 'a\?b\?\?\?\[2J'"
head -c 3000000 /dev/zero | tr '\0' x >&6
hears '^info string a line of more than 1048576 bytes' ''
head -c 1000000 /dev/zero >&6
hears "^info string there is no command '\?*\.\.\.'" ''
(printf 'position startpos moves' && yes ' 1d1c 3a3b 1c1d 3b3a' | head -n 40000 | tr -d '\n' && echo) >&6
hears "$move" go
silent garbage
hears '^info depth' 'go infinite' # the input ends while a move waits
end usi
[ ! -s rest ] || complain "after the end: $(cat rest)" usi

begin uci --level beginner
hears '^uciok$' uci
fairy='^bestmove [a-cCEG][1-4@][a-c][1-4]\+?( ponder .*)?$'
hears "$fairy" ucinewgame 'position startpos moves b2b3 c4b3' 'go wtime 1000 btime 1000 winc 10 binc 10'
hears '^bestmove b3b4\+$' 'setoption name Level value perfect' 'position fen 1l1/1C1/3/1L1[EGcge] w 0 1' 'go depth 1'
hears '^bestmove \(none\)$' 'position fen 1l1/1C1/3/1L1[EGcge] w 0 1 moves b3b4+' go
tell quit
end uci
[ ! -s rest ] || complain "after quit: $(cat rest)" uci

# Whoever listens goes away: the program ends.
yes usi | timeout 20 "$KANZEN" usi | head -n 1 >/dev/null
codes=("${PIPESTATUS[@]}")
[ "${codes[1]}" -ne 124 ] || complain 'goes on without a listener' usi
yes isready | timeout 20 "$KANZEN" usi >/dev/full 2>err
codes=("${PIPESTATUS[@]}")
[ "${codes[1]}" -eq 3 ] || complain "exit code ${codes[1]}, not 3, with a full disk" usi

# Any game, as kz_usi_new takes any.
mini_table mini.kzt
printf 'usi\nposition startpos\ngo\nquit\n' | "$KANZEN" usi pushfight --board mini --table mini.kzt >out
grep -q '^bestmove [a-f]' out || complain "$(cat out)" usi pushfight
expect 2 '' "there is no game 'go'" usi go </dev/null

[ $failures -eq 0 ]
