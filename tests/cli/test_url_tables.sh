#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# kanzen --table URL: from a host that works, and from hosts that don't; and the cache on the disk.
# labels: slow mini-table
set -u
. "$KANZEN_SOURCE/tests/support/cli_testing.sh"
. "$KANZEN_SOURCE/tests/support/host_testing.sh"
export KANZEN_CACHE=$PWD/cache HOME=$PWD
mkdir files
mini_table files/mini.kzt
start_host files
"$KANZEN" stats pushfight --table "$url/good/mini.kzt" >out 2>err
if grep -q 'kanzen-curl.so is not installed' err; then
    expect 2 '' 'no access to web servers' stats pushfight --table "$url/good/mini.kzt"
    exit $((failures > 0))
fi
rm -r cache

# same ARGUMENT...: the answer is the one from the file, with nothing on stderr.
same() {
    "$KANZEN" "$@" --table files/mini.kzt >expected 2>/dev/null
    prints "$(cat expected)" "$@" --table "$url/good/mini.kzt"
}
first=$("$KANZEN" line pushfight --table files/mini.kzt --json | grep -o '"position":"[^"]*"' | head -n 1 | cut -d '"' -f 4)
[ -n "$first" ] || complain "no position to ask about" line

# What is not there is asked for once, the header every time; a second command takes the rest from the cache.
: >requests
same probe pushfight "$first"
[ "$(head -n 1 requests)" = "/good/mini.kzt bytes=0-151" ] || complain "began with $(head -n 1 requests)" requests
fetched=$(wc -l <requests)
: >requests
same probe pushfight "$first"
[ "$(cat requests)" = "/good/mini.kzt bytes=0-151" ] || complain "asked again for $(cat requests)" requests
[ "$fetched" -gt 1 ] || complain "only $fetched requests" requests
# Every command that reads a table.
same moves pushfight "$first"
same line pushfight "$first"
same stats pushfight
same longest pushfight --count 2 --quiet
same puzzles pushfight --per-length 1 --quiet
expect 0 'ok$' '' verify "$url/good/mini.kzt" --quiet
expect 0 . '' selftest pushfight --table "$url/good/mini.kzt" --positions 20 --quiet
printf 'usi\nsetoption name Table value %s\nisready\nquit\n' "$url/good/mini.kzt" |
    "$KANZEN" usi pushfight --board mini >out 2>err || complain "$(cat err)" usi
grep -q readyok out || complain "no readyok: $(cat out)" usi
expect 0 . '' export pushfight --format csv --sample 10 --out sample.csv --table "$url/good/mini.kzt" --quiet
# A long file is read in few requests.
: >requests
KANZEN_CACHE='' expect 0 'ok$' '' verify "$url/good/mini.kzt" --quiet
[ "$(wc -l <requests)" -le 8 ] || complain "$(wc -l <requests) requests for 6 pieces" requests

# The cache: pieces as files; damage is noticed and mended; other users of the folder don't matter.
[ "$(find cache/tables -type f | wc -l)" -eq 6 ] || complain "$(find cache -type f)" cache
for piece in cache/tables/*/*; do
    size=$(stat -c %s "$piece")
    printf 'x' | dd of="$piece" bs=1 seek=$((size / 2)) conv=notrunc status=none
done
same moves pushfight "$first"
for piece in cache/tables/*/*; do
    truncate -s 40 "$piece"
done
same moves pushfight "$first"
"$KANZEN" verify "$url/good/mini.kzt" --quiet >out1 2>&1 &
one=$!
"$KANZEN" verify "$url/good/mini.kzt" --quiet >out2 2>&1 &
wait "$one" $!
{ grep -q 'ok$' out1 && grep -q 'ok$' out2; } || complain "$(cat out1 out2)" "(two at once)"
# It is bounded, and may be off, or impossible.
rm -r cache
KANZEN_CACHE_BYTES=150000 expect 0 'ok$' '' verify "$url/good/mini.kzt" --quiet
kept=$(du -bc cache/tables/*/* | tail -n 1 | cut -f 1)
[ "$kept" -le 150000 ] || complain "$kept bytes are kept" cache
rm -r cache
KANZEN_CACHE_BYTES=0 expect 0 'win|loss|draw' '' probe pushfight "$first" --table "$url/good/mini.kzt"
KANZEN_CACHE= expect 0 'win|loss|draw' '' probe pushfight "$first" --table "$url/good/mini.kzt"
[ ! -e cache ] || complain "something is kept" cache
: >cache
expect 0 'win|loss|draw' '' probe pushfight "$first" --table "$url/good/mini.kzt"
rm cache
KANZEN_CACHE_BYTES=many expect 2 '' "KANZEN_CACHE_BYTES is 'many'" probe pushfight --table "$url/good/mini.kzt" "$first"
KANZEN_TIMEOUT=0 expect 2 '' "KANZEN_TIMEOUT is '0'" probe pushfight --table "$url/good/mini.kzt" "$first"

# refuses CODE PATTERN HOW: never a value.
refuses() {
    expect "$1" '' "$2" probe pushfight --table "$url/$3/mini.kzt" "$first"
}
"$KANZEN" probe pushfight --table files/mini.kzt "$first" >expected
for how in moved once; do
    prints "$(cat expected)" probe pushfight --table "$url/$how/mini.kzt" "$first"
done
refuses 3 'mini.kzt: the server answers 404' missing
refuses 3 'mini.kzt: the server answers 500' broken
refuses 3 'redirect' loop
refuses 3 'elsewhere/mini.kzt: ' elsewhere
refuses 3 'does not send parts of files' noranges
refuses 3 'does not send parts of files' html
refuses 4 'checksum' lying
refuses 4 'checksum' lying # and nothing wrong was kept
refuses 4 'another part of the file' shifted
refuses 4 'another part of the file' shortrange
refuses 4 'more than the 152 bytes' toomuch
refuses 4 'ends after 76 bytes' cut
refuses 4 'ends after 76 bytes' cutopen
refuses 3 'does not say how large' unknown
refuses 4 'bytes long, but should have' larger
refuses 4 'says that the file has 4611686018427387904 bytes' huge
refuses 3 'has changed since it was opened' changing
refuses 3 'has changed since it was opened' growing
refuses 4 'packs the file' packed
KANZEN_TIMEOUT=1 refuses 3 'less than 1024 bytes a second for 1 s' slow
KANZEN_TIMEOUT=1 refuses 3 'less than 1024 bytes a second for 1 s' drip
expect 3 '' "can't read http://127.0.0.1:1/mini.kzt: " probe pushfight --table http://127.0.0.1:1/mini.kzt "$first"
expect 2 '' 'only http and https' probe pushfight --table "file://$PWD/files/mini.kzt" "$first"
expect 2 '' 'is a table of pushfight, not of dobutsu' probe dobutsu --table "$url/good/mini.kzt" startpos
: >files/empty.kzt
echo 'not a table' >files/text.kzt
expect 3 '' 'the server answers 416' stats pushfight --table "$url/good/empty.kzt"
expect 4 '' 'not a Kanzen table' stats pushfight --table "$url/good/text.kzt"

# A host whose certificate nobody vouches for
if command -v openssl >/dev/null && openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 \
    -subj /CN=127.0.0.1 -keyout key.pem -out own.pem >out 2>&1; then
    cat key.pem >>own.pem
    kill "$host"
    : >port
    start_host files own.pem
    expect 3 '' "can't read https://.*certificate|SSL" probe pushfight --table "${url/http/https}/good/mini.kzt" "$first"
    grep -q . requests && complain "something was asked for: $(cat requests)" https
fi

[ "$failures" -eq 0 ]
