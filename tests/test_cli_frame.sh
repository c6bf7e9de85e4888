#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# What every command has in common: help, messages, exit codes.
set -u
failures=0

# expect CODE STDOUT-PATTERN STDERR-PATTERN ARGUMENT...; patterns are extended regular expressions, '' means empty
expect() {
    local code=$1 out=$2 err=$3
    shift 3
    "$KANZEN" "$@" >out 2>err
    local got=$?
    [ "$got" -eq "$code" ] || complain "exit code $got, not $code" "$@"
    matches out "$out" || complain "stdout is not like '$out': $(head -c 300 out)" "$@"
    matches err "$err" || complain "stderr is not like '$err': $(head -c 300 err)" "$@"
}

matches() {
    if [ -z "$2" ]; then [ ! -s "$1" ]; else grep -Eq -- "$2" "$1"; fi
}

complain() {
    echo "kanzen ${*:2}: $1"
    failures=$((failures + 1))
}

expect 0 '^kanzen [0-9]+\.[0-9]+\.[0-9]+$' '' version
expect 0 '^kanzen [0-9]+\.[0-9]+\.[0-9]+$' '' --version
expect 0 '^  version  ' '' help
expect 0 '^  version  ' '' --help
expect 0 '^  version  ' '' -h
expect 0 '^Usage: kanzen version$' '' help version
expect 0 '^Usage: kanzen version$' '' version --help
expect 0 '^Usage: kanzen help \[COMMAND\]$' '' help --help
expect 2 '' 'which command'
expect 2 '' "no command 'slove'" slove
expect 2 '' "no command 'slove'" help slove
expect 2 '' "unknown option '--nonsense'" --nonsense
expect 2 '' "^kanzen version: unknown option '--nonsense'" version --nonsense=3
expect 2 '' "^Try: kanzen help version$" version --nonsense
expect 2 '' "unexpected argument 'x'" version x
expect 2 '' "unexpected argument '--help'" version -- --help

# Output that can't be written is an error; a reader that has seen enough is none to talk about.
if [ -w /dev/full ]; then
    "$KANZEN" help >/dev/full 2>err
    [ $? -eq 3 ] && grep -q 'No space left' err || complain "a full disk went unnoticed" help
fi
"$KANZEN" help >&- 2>err
[ $? -eq 3 ] && grep -q "can't write the output" err || complain "a closed stdout went unnoticed" help
{ "$KANZEN" help 2>err; } | true
[ ! -s err ] || complain "noise about a closed pipe: $(cat err)" help

# Every command that is listed explains itself.
for name in $("$KANZEN" help | sed -n 's/^  \([a-z]*\)  .*/\1/p'); do
    expect 0 "^Usage: kanzen $name" '' help "$name"
    expect 2 '' "^kanzen $name: unknown option '--no-such-option'" "$name" --no-such-option
done

[ $failures -eq 0 ]
