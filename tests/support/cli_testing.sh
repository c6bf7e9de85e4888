# shellcheck shell=bash
# SPDX-License-Identifier: MIT
#
# What the tests of the command share. $KANZEN is the command; the working folder is the test's own.
. "$KANZEN_SOURCE/tests/support/have.sh"
failures=0

# expect CODE STDOUT-PATTERN STDERR-PATTERN ARGUMENT...; patterns are extended regular expressions that a line has to
# match, '' means empty. Leaves what was printed in the files out and err.
expect() {
    local code=$1 out=$2 err=$3
    shift 3
    "$KANZEN" "$@" >out 2>err
    local got=$?
    [ "$got" -eq "$code" ] || complain "exit code $got, not $code: $(head -c 300 err)" "$@"
    matches out "$out" || complain "stdout is not like '$out': $(head -c 300 out)" "$@"
    matches err "$err" || complain "stderr is not like '$err': $(head -c 300 err)" "$@"
}

# prints EXPECTED ARGUMENT...: exactly this on stdout (a last line end aside), nothing on stderr, exit code 0
prints() {
    local expected=$1 got
    shift
    got=$("$KANZEN" "$@" 2>err) || complain "exit code $?: $(head -c 300 err)" "$@"
    [ "$got" = "$expected" ] || complain "printed '${got:0:1000}' and not '$expected'" "$@"
    [ ! -s err ] || complain "stderr is not empty: $(head -c 300 err)" "$@"
}

matches() {
    if [ -z "$2" ]; then [ ! -s "$1" ]; else grep -aEq -- "$2" "$1"; fi
}

# forms GAME: the names of its notations, in the order of the library, which tests/unit/test_GAME_notation.c knows. With a second
# argument this is put between them.
forms() { "$KANZEN" help --complete -- convert "$1" --to '' | cut -f 1 | paste -sd '\t' | sed "s/\t/${2:- }/g"; }

complain() {
    echo "kanzen ${*:2}: $1"
    failures=$((failures + 1))
}

# json FILE EXPRESSION: the Python expression is true for the document d in the file.
json() {
    if ! command -v python3 >/dev/null; then
        complain "python3 is missing, so this is not known: $2" "(JSON)"
        return
    fi
    python3 -c 'import json, sys
d = json.load(open(sys.argv[1]))
assert eval(sys.argv[2]), d' "$1" "$2" 2>json-err || complain "not so: $2: $(tail -c 300 json-err)" "(JSON)"
}

# mini_table FILE: the table of Push Fight's mini board. With the label mini-table, one solve serves all tests.
mini_table() {
    if [ -n "${MINI_TABLE:-}" ]; then
        cp "$MINI_TABLE" "$1" || complain "there is no table to copy" solve
    else
        "$KANZEN" solve pushfight --board mini --out "$1" --quiet >out || complain "$(cat out)" solve
    fi
}
