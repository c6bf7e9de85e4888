# shellcheck shell=bash
# SPDX-License-Identifier: MIT

# have TOOL WHAT: whether the tool is there. If not, says that a part of the test, WHAT, is skipped; tools/run-tests counts it.
have() {
    command -v "$1" >/dev/null && return
    echo "part skipped: $2: there is no $1"
    return 1
}
