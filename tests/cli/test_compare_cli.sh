#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# kanzen compare: files that are no tables of Clausecker's dobutsu. test_heavy_compare has those that are.
set -u
. "$KANZEN_SOURCE/tests/support/cli_testing.sh"
export KANZEN_TABLES=$PWD XDG_DATA_HOME=$PWD/none
size=167527962

expect 2 '' 'FILE|operand|argument' compare
expect 3 '' 'nowhere.tb' compare nowhere.tb
: >empty.tb
expect 4 '' "empty.tb is not a table of dobutsu: it has 0 bytes, and not $size" compare empty.tb
truncate -s $((size - 1)) short.tb
expect 4 '' "it has $((size - 1)) bytes" compare --json short.tb
truncate -s $((size + 1)) long.tb
expect 4 '' "it has $((size + 1)) bytes" compare long.tb
# The right size; but there is no table to compare with.
truncate -s $size right.tb
expect 3 '' 'dobutsu-official.kzt' compare right.tb
expect 3 '' 'none.kzt' compare right.tb --table none.kzt

# Packed ones
if have xz "files that xz has packed"; then
    head -c 1000000 /dev/zero | xz -0 >short.xz
    if "$KANZEN" compare short.xz 2>&1 | grep -q 'without liblzma'; then
        expect 2 '' 'unpack it' compare short.xz
    else
        expect 4 '' 'short.xz has 1000000 bytes when unpacked' compare short.xz
        head -c 1000 /dev/urandom | xz -0 >noise.xz
        head -c 700 noise.xz >cut.xz
        expect 4 '' 'cut.xz is damaged' compare cut.xz
        { cat short.xz && echo more; } >longer.xz
        expect 4 '' 'longer.xz is damaged' compare longer.xz
        printf '\xfd7zXZ\x00 and not more' >magic.xz
        expect 4 '' 'magic.xz is damaged' compare magic.xz
        head -c $((size + 1)) /dev/zero | xz -0 >long.xz
        expect 4 '' "long.xz has more than $size bytes" compare long.xz
    fi
fi

[ "$failures" -eq 0 ]
