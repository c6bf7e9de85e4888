#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# labels: unsanitized
#
# What the tests share does see mistakes: a missing tool is no success, and a wrong answer is a failure.
set -u
support=$KANZEN_SOURCE/tests/support/cli_testing.sh
wrong=0
# found COUNT WHAT COMMAND...: a script with this command ends with so many failures
found() {
    local got
    got=$(bash -c '. "$1"; shift; "$@" >said 2>&1; echo $failures' - "$support" "${@:3}")
    [ "$got" = "$1" ] || { echo "$2: $got failures, not $1: $(cat said)"; wrong=$((wrong + 1)); }
}
echo '{"a": 1}' >one.json
mkdir few
for tool in bash head tail grep cat; do ln -s "$(command -v $tool)" few/; done

if command -v python3 >/dev/null; then
    found 0 "a right answer" json one.json 'd["a"] == 1'
    found 1 "a wrong answer" json one.json 'd["a"] == 2'
    found 1 "no JSON" json "$0" 'True'
fi
got=$(PATH=$PWD/few bash -c '. "$1"; json one.json True >said; echo $failures' - "$support")
[ "$got" = 1 ] || { echo "json() without python3: $got failures"; wrong=$((wrong + 1)); }
said=$(PATH=$PWD/few bash -c '. "$1"; have python3 "all of it"' - "$support") && { echo "have: not there, but found"; wrong=1; }
[ "$said" = "part skipped: all of it: there is no python3" ] || { echo "have: $said"; wrong=$((wrong + 1)); }
found 0 "an exit code" expect 0 '^kanzen ' '' --version
found 1 "another exit code" expect 1 '^kanzen ' '' --version
found 1 "another output" expect 0 '^kazen ' '' --version
found 1 "something on stderr" expect 2 '' '' nonsense

[ $wrong -eq 0 ]
