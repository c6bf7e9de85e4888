#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# kanzen serve as a program: its options, its one line, its signals. The requests are test_server.c's.
set -u
. "$KANZEN_SOURCE/tests/support/cli_testing.sh"

export KANZEN_TABLES=$PWD/tables XDG_DATA_HOME=$PWD/data
mkdir tables

"$KANZEN" serve --port 0 --bind 192.0.2.1 >out 2>err
if grep -q 'built without the server' err; then exit 77; fi

expect 2 '' 'a number from 0 to 65535' serve --port 65536
expect 2 '' 'a number from 1' serve --connections 0
expect 2 '' "there is no game 'x'" serve x
expect 3 '' "can't listen at 192.0.2.1" serve --port 0 --bind 192.0.2.1
expect 3 '' "no-such-folder" serve --port 0 --site no-such-folder
expect 3 '' "no-such-table" serve --port 0 --table no-such-table
echo nonsense >nonsense.kzt
expect 4 '' "nonsense.kzt" serve --port 0 --table nonsense.kzt

# ask PORT PATH: the answer, with its headers
ask() {
    exec 3<>"/dev/tcp/127.0.0.1/$1" || return 1
    printf 'GET %s HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n' "$2" >&3
    cat <&3
    exec 3>&-
}

# start ARGUMENT...: a server in the background; sets server and port
start() {
    : >url
    "$KANZEN" serve --port 0 "$@" >url 2>err &
    server=$!
    for _ in $(seq 200); do
        [ ! -s url ] || break
        sleep 0.05
    done
    port=$(sed -n 's|^http://127\.0\.0\.1:\([0-9]*\)/$|\1|p' url)
    [ -n "$port" ] || complain "no address: $(cat url err)" serve "$@"
}

# stop SIGNAL: within a second or so, with exit code 0
stop() {
    local begin=${EPOCHREALTIME/[.,]/} code milliseconds
    kill "-$1" "$server"
    wait "$server"
    code=$?
    milliseconds=$(((${EPOCHREALTIME/[.,]/} - begin) / 1000))
    [ $code -eq 0 ] || complain "exit code $code after $1: $(cat err)" serve
    [ $milliseconds -lt 3000 ] || complain "$milliseconds ms until it ended" serve
}

start
grep -q 'no table is there' err || complain "no word about tables" serve
ask "$port" /healthz | grep -q '"status": *"ok"' || complain "not healthy" serve
ask "$port" / | grep -q '/api/v1/openapi.json' || complain "no note" serve
ask "$port" /tables/pushfight-hook.kzt | grep -q '^HTTP/1.1 404' || complain "a table from nowhere" serve
expect 3 '' 'Address already in use' serve --port "$port"
[ "$(wc -l <url)" -eq 1 ] || complain "more than one line: $(cat url)" serve
stop INT

# The tables that are found, and a site. SIGTERM comes while a client is silent and another one wants a search.
"$KANZEN" solve pushfight --board hook --quiet >/dev/null
"$KANZEN" solve pushfight --board mini --quiet >/dev/null
mkdir site
echo 'the page' >site/index.html
start --site site --threads 2 --connections 50
ask "$port" / | grep -q 'the page' || complain "no page" serve
for board in hook mini; do
    ask "$port" "/api/v1/pushfight/position?rules=$board&moves=1" | grep -q '"source": *"table"' ||
        complain "the table of $board is not used" serve
    ask "$port" "/tables/pushfight-$board.kzt" | grep -aq '^HTTP/1.1 200' || complain "no file of $board" serve
done
exec 4<>"/dev/tcp/127.0.0.1/$port"
exec 5<>"/dev/tcp/127.0.0.1/$port"
printf 'GET /heal' >&4
printf 'GET /api/v1/pushfight/moves HTTP/1.1\r\nHost: x\r\n\r\n' >&5
sleep 0.2
stop TERM
exec 4>&- 5>&-

# The end of a terminal ends it in the same way; with nohup it goes on.
start
stop HUP
: >url
nohup "$KANZEN" serve --port 0 >url 2>err &
server=$!
for _ in $(seq 200); do
    [ ! -s url ] || break
    sleep 0.05
done
port=$(sed -n 's|^http://127\.0\.0\.1:\([0-9]*\)/$|\1|p' url)
kill -HUP "$server"
sleep 0.2
ask "$port" /healthz | grep -q '"status": *"ok"' || complain "SIGHUP ended it, in spite of nohup" serve
stop TERM

# Only the tables that are named
start --table tables/pushfight-hook.kzt --table tables/pushfight-mini.kzt
ask "$port" /tables/pushfight-mini.kzt | grep -aq '^HTTP/1.1 200' || complain "the second table is missing" serve
stop TERM
start --table tables/pushfight-hook.kzt
ask "$port" /tables/pushfight-mini.kzt | grep -q '^HTTP/1.1 404' || complain "a table that was not named" serve
stop TERM

# With few files to open it has few connections, and says so if it should have more.
limited() {
    ulimit -n 100
    exec "$KANZEN" "$@"
}
(limited serve --port 0 --threads 2 --connections 50) >out 2>err
[ $? -eq 2 ] || complain "50 connections with 100 files" serve
grep -q 'ulimit -n' err || complain "no word about the limit: $(cat err)" serve
: >url
limited serve --port 0 --threads 2 --table tables/pushfight-hook.kzt >url 2>err &
server=$!
for _ in $(seq 200); do
    [ ! -s url ] || break
    sleep 0.05
done
port=$(sed -n 's|^http://127\.0\.0\.1:\([0-9]*\)/$|\1|p' url)
silent=()
for _ in $(seq 10); do
    exec {descriptor}<>"/dev/tcp/127.0.0.1/$port"
    silent+=("$descriptor")
done
ask "$port" /healthz | grep -q '"status": *"ok"' || complain "no room for another one" serve
for descriptor in "${silent[@]}"; do
    exec {descriptor}>&-
done
stop TERM

[ $failures -eq 0 ]
