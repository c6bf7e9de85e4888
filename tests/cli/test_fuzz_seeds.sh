#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# labels: unsanitized
#
# Every fuzz target has seeds, no seeds are without a target, and all of them together stay small. The archives are those that
# tools/fuzz-seeds makes of the files in them.
set -u
seeds=$PWD/seeds
"$KANZEN_SOURCE/tools/fuzz-seeds" unpack "$seeds" || exit 1
mkdir -p copy/tests/fuzz/seeds copy/tools
cp "$KANZEN_SOURCE/tools/fuzz-seeds" copy/tools/
copy=$PWD/copy
cd "$KANZEN_SOURCE/tests/fuzz" || exit 1
failures=0
complain() {
    echo "fuzz: $1"
    failures=$((failures + 1))
}

targets=0
for source in fuzz_*.c; do
    name=${source#fuzz_}
    name=${name%.c}
    targets=$((targets + 1))
    [ -n "$(ls "$seeds/$name" 2>/dev/null)" ] || complain "$source has no seeds"
done
for folder in "$seeds"/*; do
    name=${folder##*/}
    [ -f "fuzz_$name.c" ] || complain "$name.tar belongs to nothing"
    "$copy/tools/fuzz-seeds" pack "$name" "$folder"
    cmp "seeds/$name.tar" "$copy/tests/fuzz/seeds/$name.tar" || complain "$name.tar is not what tools/fuzz-seeds makes"
done
# A file more, and the archive has it.
echo new >"$copy/more"
"$copy/tools/fuzz-seeds" add xz "$copy/more"
[ "$(tar -xOf "$copy/tests/fuzz/seeds/xz.tar" more)" = new ] || complain "a file was added, and is not there"
[ "$(tar -tf "$copy/tests/fuzz/seeds/xz.tar" | wc -l)" -eq $(($(ls "$seeds/xz" | wc -l) + 1)) ] || complain "adding lost a file"
[ $targets -ge 30 ] || complain "only $targets targets"

bytes=$(cat "$seeds"/*/* | wc -c)
[ "$bytes" -lt 1000000 ] || complain "the seeds have $bytes bytes"

# Of a target that is not there, nothing is built.
"$KANZEN_SOURCE/tools/fuzz" 1 nonsense >/dev/null 2>&1
[ $? -eq 2 ] || complain "a target that is not there should be a wrong call"

[ $failures -eq 0 ]
