#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# labels: dobutsu-table
#
# kanzen compare with files of the right size, and the table's values against those of Clausecker's program: a sample of
# its file (tests/data/clausecker.txt), and the beginning of it (clausecker.bin).
set -u
. "$KANZEN_SOURCE/tests/support/cli_testing.sh"
data=$KANZEN_SOURCE/tests/data

# The true beginning, and then 2 everywhere, which is what stands where there is no value: so the first entry after the
# beginning that is not 2 differs.
{ cat "$data/clausecker.bin" && head -c $((167527962 - 4096)) /dev/zero | tr '\0' '\2'; } >begun.tb
expect 1 . '' compare begun.tb --table "$DOBUTSU_TABLE" --quiet --json --threads 3
json out 'd["ok"] is False and d["difference"]["byte"] == 4099'
json out 'd["difference"]["table"] == {"value": "win", "distance": 5}'
json out 'd["difference"]["file"] == {"value": "win", "distance": 3}'
# A wrong byte: the first entry, in which one side has everything in hand. This time packed.
printf '\373' | dd of=begun.tb conv=notrunc status=none
file=begun.tb
if have xz "a file that xz has packed" && xz -0 begun.tb; then
    file=begun.tb.xz
    "$KANZEN" compare $file --table none.kzt 2>&1 | grep -q 'without liblzma' && xz -d $file && file=begun.tb
fi
expect 1 '^position +3/3/l2/2L b 2G2E2C 1$' '' compare $file --table "$DOBUTSU_TABLE" --quiet
grep -q '^differ at byte  *0$' out && grep -q '^table  *win 7$' out && grep -q '^file  *loss 10$' out &&
    grep -q '^not ok$' out || complain "$(cat out)" compare

# The sample. What is won at once has no value there; who can't move has lost in 2 there and in 0 here.
grep -v '^#' "$data/clausecker.txt" | while read -r byte _ entry; do
    case $entry in
    x) echo 'win 1' ;;
    0) echo draw ;;
    -*) [ "$byte" = 1166220 ] || [ "$byte" = 1128424 ] && echo 'loss 0' || echo "loss $((-2 * entry))" ;;
    *) echo "win $((2 * entry - 1))" ;;
    esac
done >expected
grep -v '^#' "$data/clausecker.txt" | cut -d' ' -f2 | "$KANZEN" probe dobutsu --table "$DOBUTSU_TABLE" | cut -f2 >got
[ "$(wc -l <got)" -gt 300 ] && cmp -s got expected || complain "$(diff got expected | head)" probe

[ "$failures" -eq 0 ]
