#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# kanzen publish and kanzen fetch: what is written, and hosts that work and that don't.
set -u
. "$KANZEN_SOURCE/tests/support/cli_testing.sh"
. "$KANZEN_SOURCE/tests/support/host_testing.sh"
export HOME=$PWD XDG_DATA_HOME=$PWD/data
unset KANZEN_FROM
mkdir tables
"$KANZEN" solve chess:KQvK --out tables/kqvk.kzt --quiet >out || complain "$(cat out)" solve
game=chess:KQvK
name=chess-kqvk.kzt
sum=$(sha256sum tables/kqvk.kzt | cut -d ' ' -f 1)
bytes=$(stat -c %s tables/kqvk.kzt)

# ---- publish

prints "files/$name" publish files "$game" --table tables/kqvk.kzt --url 'https://example.org/t?a=1&b=2/' --url http://mirror.example.org/t --quiet
cmp tables/kqvk.kzt "files/$name" || complain "another table" publish
[ "$(LC_ALL=C ls files)" = "$(printf '%s\n' SHA256SUMS "$name" index.json tables.meta4 | LC_ALL=C sort)" ] || complain "$(ls files)" publish
(cd files && sha256sum -c --quiet SHA256SUMS) || complain "sha256sum -c" publish
json files/index.json "d['manifest'] == 1 and len(d['tables']) == 1"
json files/index.json "d['tables'][0]['sha256'] == '$sum' and d['tables'][0]['bytes'] == $bytes"
json files/index.json "d['tables'][0]['file'] == '$name' and d['tables'][0]['game'] == 'chess' and d['tables'][0]['rules'] == 'kqvk'"
# The digest is that of all that follows the header.
json files/index.json "d['tables'][0]['digest'] == '$(tail -c +153 tables/kqvk.kzt | sha256sum | cut -d ' ' -f 1)'"
# The metalink file, read by somebody else's parser
python3 - "$sum" "$bytes" <<'PYTHON' >out 2>&1 || complain "$(cat out)" metalink
import hashlib, sys, xml.etree.ElementTree as tree
space = "{urn:ietf:params:xml:ns:metalink}"
root = tree.parse("files/tables.meta4").getroot()
assert root.tag == space + "metalink"
(file,) = root.findall(space + "file")
data = open("files/" + file.get("name"), "rb").read()
assert file.find(space + "size").text == sys.argv[2]
assert file.find(space + "hash").text == sys.argv[1] and file.find(space + "hash").get("type") == "sha-256"
pieces = file.find(space + "pieces")
length = int(pieces.get("length"))
assert pieces.get("type") == "sha-256"
assert [hash.text for hash in pieces] == [hashlib.sha256(data[at:at + length]).hexdigest() for at in range(0, len(data), length)]
urls = [(url.get("priority"), url.text) for url in file.findall(space + "url")]
assert urls == [("1", "https://example.org/t?a=1&b=2/chess-kqvk.kzt"), ("2", "http://mirror.example.org/t/chess-kqvk.kzt")], urls
PYTHON
# Again: the same files, and nothing is written.
touch -d @1000000000 files/*
prints "files/$name" publish files "$game" --table tables/kqvk.kzt --url 'https://example.org/t?a=1&b=2/' --url http://mirror.example.org/t --quiet
[ -z "$(find files -type f -newermt @1000000001)" ] || complain "$(find files -newermt @1000000001)" publish
# What is there is not replaced without --force.
expect 3 '' 'tables.meta4 is there already, .*; --force replaces it' publish files "$game" --table tables/kqvk.kzt --quiet
expect 0 '"metalink":false,"tables":\[\{"game":"chess","rules":"kqvk"' '' publish files "$game" --table tables/kqvk.kzt --quiet --force --json
[ ! -e files/tables.meta4 ] || complain "it is still there" publish
echo x >>"files/$name"
expect 3 '' "$name is there already, with another content; --force replaces it" publish files "$game" --table tables/kqvk.kzt --quiet
expect 0 . '' publish files "$game" --table tables/kqvk.kzt --quiet --force
expect 2 '' 'tables of the same game by the same rules' publish other "$game" --table tables/kqvk.kzt --table tables/kqvk.kzt --quiet
expect 2 '' "'no url' is not a URL" publish other "$game" --table tables/kqvk.kzt --url 'no url' --quiet
expect 3 '' 'no table to publish' publish other dobutsu --quiet
[ ! -e other ] || complain "a folder is there" publish
printf 'x' | dd of=tables/kqvk.kzt bs=1 seek=$((bytes - 9)) conv=notrunc status=none
expect 4 '' 'checksum' publish other "$game" --table tables/kqvk.kzt --quiet
mkdir kept
expect 4 '' 'checksum' publish kept/new/folder/ "$game" --table tables/kqvk.kzt --quiet
[ ! -e other ] && [ -d kept ] && [ ! -e kept/new ] || complain "not the folders that were there" publish
expect 2 '' "^kanzen fetch: --out -: a table can't go to standard output" fetch "$game" --from http://127.0.0.1:9/ --out -
cp "files/$name" tables/kqvk.kzt

# ---- fetch

start_host files
"$KANZEN" fetch "$game" --from "$url/good" --quiet >out 2>err
if grep -q 'kanzen-curl.so is not installed' err; then
    exit $((failures > 0))
fi
table=$(cat out)
[ "$table" = "$PWD/data/kanzen/$name" ] || complain "it went to '$table': $(cat err)" fetch
cmp "$table" tables/kqvk.kzt || complain "another table" fetch
: >requests
expect 0 '"was_there":true' '' fetch "$game" --from "$url/good/" --json
[ "$(cat requests)" = "/good/index.json -" ] || complain "asked for $(cat requests)" fetch
KANZEN_FROM=$url/good/index.json expect 0 . '' fetch "$game" --out "$PWD/a.kzt" --quiet
cmp a.kzt tables/kqvk.kzt || complain "another table" fetch
# A table that is another one stays, but for --force.
echo other >a.kzt
expect 3 '' 'a.kzt is there already, and is not the table that .* lists; --force replaces it' fetch "$game" --from "$url/good" --out a.kzt --quiet
[ "$(cat a.kzt)" = other ] || complain "it is gone" fetch
expect 0 . '' fetch "$game" --from "$url/good" --out a.kzt --quiet --force
cmp a.kzt tables/kqvk.kzt || complain "another table" fetch

# gets HOW [RANGE]: the table comes, and with RANGE the last request was for that.
gets() {
    rm -f b.kzt
    : >requests
    expect 0 . '' fetch "$game" --from "$url/$1" --out b.kzt --quiet
    cmp b.kzt tables/kqvk.kzt || complain "another table" "($1)"
    [ ! -e b.kzt.part ] || complain "a part is left" "($1)"
    [ -z "${2-}" ] || [ "$(tail -n 1 requests)" = "/$1/$name $2" ] || complain "asked for $(cat requests)" "($1)"
}
gets moved
gets noranges
gets flaky
gets stubborn bytes=10000-
# It goes on where an earlier fetch ended,
head -c 10000 tables/kqvk.kzt >b.kzt.part
gets good bytes=10000-
# from the beginning where the host has no parts,
head -c 10000 tables/kqvk.kzt >b.kzt.part
gets noranges
# and again if the part was of something else, or too long, or complete.
head -c 10000 /dev/zero >b.kzt.part
gets good -
head -c 100000 /dev/zero >b.kzt.part
gets good -
cp tables/kqvk.kzt b.kzt.part
: >requests
gets good
! grep -q kzt requests || complain "asked for $(cat requests)" "(all is there)"

# refuses CODE PATTERN HOW: no table is there afterwards.
refuses() {
    rm -f b.kzt b.kzt.part
    expect "$1" '' "$2" fetch "$game" --from "$url/$3" --out b.kzt --quiet
    [ ! -e b.kzt ] || complain "a table is there" "($3)"
}
refuses 3 'index.json: the server answers 404' missing
refuses 3 'the server answers 500' broken
refuses 3 'redirect' loop
refuses 3 'elsewhere/' elsewhere
refuses 4 'its SHA-256 is another one' lying
[ ! -e b.kzt.part ] || complain "a wrong part is left" "(lying)"
refuses 4 "20[0-9]* bytes long|$((bytes + 1)) bytes long, but the list of tables says $bytes" larger
refuses 4 'bytes long, but the list' html
refuses 4 'packs the file' packed
KANZEN_TIMEOUT=1 refuses 3 'less than 1024 bytes a second for 1 s' slow
# A host that breaks off: as long as more comes, it goes on; what has come stays.
refuses 4 'ends after' cut
[ -s b.kzt.part ] || complain "no part is left" "(cut)"
gets good

# A list that is wrong
bad_list() {
    mkdir -p "files/$1"
    sed "$2" files/index.json >"files/$1/index.json"
    cp "files/$name" "files/$1/"
    expect "$4" '' "$3" fetch "$game" --from "$url/good/$1" --out c.kzt --quiet
    [ ! -e c.kzt ] || complain "a table is there" "($1)"
}
bad_list no-json 's/^{/[/' 'not a list of tables' 4
bad_list newer 's/"manifest":1/"manifest":2/' 'version 2, and this program reads version 1' 4
bad_list away 's/"file":"[^"]*"/"file":"..\/index.json"/' 'table 1: "file" should be the name of a file' 4
bad_list size 's/"bytes":[0-9]*/"bytes":0/' 'table 1: "bytes" should be' 4
bad_list digest 's/"digest":"./"digest":"x/' '64 hexadecimal digits' 4
bad_list another 's/"sha256":"...../"sha256":"00000/' 'its SHA-256 is another one' 4
bad_list names 's/"rules":"kqvk"/"rules":"krvk"/' 'has no table of chess by kqvk rules' 3
expect 4 '' 'is no table of chess by krvk rules' fetch chess:KRvK --from "$url/good/names" --out c.kzt --quiet
# Without the digest of the file that of the content does, with the header's own checks.
mkdir -p files/short
sed 's/,"sha256":"[0-9a-f]*"//' files/index.json >files/short/index.json
cp "files/$name" files/short/
expect 0 . '' fetch "$game" --from "$url/good/short" --out d.kzt --quiet
cmp d.kzt tables/kqvk.kzt || complain "another table" short
printf 'x' | dd of="files/short/$name" bs=1 seek=20 conv=notrunc status=none
expect 4 '' 'is no table of chess' fetch "$game" --from "$url/good/short" --out e.kzt --quiet
# Wrong calls
expect 2 '' 'Give --from URL, or set KANZEN_FROM' fetch "$game"
expect 2 '' 'only http and https' fetch "$game" --from "file://$PWD/files"

# ---- The server offers its tables.

"$KANZEN" serve "$game" --table tables/kqvk.kzt --port 0 >address 2>serve-err &
server=$!
trap 'kill $host $server 2>/dev/null' EXIT
for ((i = 0; i < 1200; i++)); do
    [ ! -s address ] || break
    kill -0 "$server" 2>/dev/null || break
    sleep 0.05
done
if ! grep -q 'built without the server' serve-err; then
    expect 0 . '' fetch "$game" --from "$(cat address)tables" --out f.kzt --quiet
    cmp f.kzt tables/kqvk.kzt || complain "another table" serve
    KANZEN_CACHE= expect 0 '"digest"' '' stats "$game" --table "$(cat address)tables/$name" --json
fi

[ "$failures" -eq 0 ]
