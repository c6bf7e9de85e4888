#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# labels: unsanitized
#
# Every fuzz target has seeds, no seeds are without a target, and all of them together stay small.
set -u
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
    [ -n "$(ls "seeds/$name" 2>/dev/null)" ] || complain "$source has no seeds"
done
for folder in seeds/*; do
    [ -f "fuzz_${folder#seeds/}.c" ] || complain "$folder belongs to nothing"
done
[ $targets -ge 30 ] || complain "only $targets targets"

bytes=$(cat seeds/*/* | wc -c)
[ "$bytes" -lt 1000000 ] || complain "the seeds have $bytes bytes"

# Of a target that is not there, nothing is built.
"$KANZEN_SOURCE/tools/fuzz" 1 nonsense >/dev/null 2>&1
[ $? -eq 2 ] || complain "a target that is not there should be a wrong call"

[ $failures -eq 0 ]
