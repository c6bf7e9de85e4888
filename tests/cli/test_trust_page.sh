#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# labels: unsanitized
#
# docs/trust.md promises nothing that nobody holds: every file that it names in code is there, every make target exists,
# and every promise names at least one of them.
set -u
page=$KANZEN_SOURCE/docs/trust.md
failures=0
complain() {
    echo "docs/trust.md: $1"
    failures=$((failures + 1))
}

# Every word in code that looks like a path from the root of the source, and every link to a file.
while read -r name; do
    compgen -G "$KANZEN_SOURCE/$name" >/dev/null || complain "there is no $name"
done < <(grep -o '`[^`]*`' "$page" | tr -d '`' | tr ' ' '\n' |
    grep -E '^(tests|tools|packaging|src|shogi|web|docs|examples|\.ci)/[^ ]+$' | sort -u)
while read -r name; do
    [ -e "$KANZEN_SOURCE/docs/$name" ] || complain "there is no docs/$name"
done < <(grep -o '](\([^)#:]*\)' "$page" | cut -c 3- | grep . | sort -u)
while read -r target; do
    grep -q "^$target:" "$KANZEN_SOURCE/Makefile" || complain "there is no make $target"
done < <(grep -o '`make [a-z-]*' "$page" | cut -d ' ' -f 2 | sort -u)
while read -r command; do
    "$KANZEN" help "$command" >out 2>&1 || complain "there is no kanzen $command"
done < <(grep -o '`kanzen [a-z]*' "$page" | cut -d ' ' -f 2 | sort -u)

# A row of a table: | promise | how it is held | where |
rows=0
while IFS= read -r row; do
    rows=$((rows + 1))
    where=$(sed 's/ *|$//; s/.*| *//' <<<"$row")
    grep -qE '`(tests|shogi|tools|packaging|web|\.ci)/|`make ' <<<"$where" || complain "nothing holds this: $row"
done < <(grep '^| ' "$page" | grep -v '^| promise ')
[ $rows -ge 20 ] || complain "only $rows promises"

[ $failures -eq 0 ]
