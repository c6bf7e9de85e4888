# shellcheck shell=bash
# SPDX-License-Identifier: MIT
#
# For tests that ask a web server. To be sourced after cli_testing.sh.
command -v python3 >/dev/null || exit 77 # the web server is a program in Python
export no_proxy=127.0.0.1 NO_PROXY=127.0.0.1

# start_host FOLDER [CERTIFICATE]: a server with the files of FOLDER (bad_host.py); sets url, and writes requests to the
# file requests. With a certificate it speaks https.
start_host() {
    : >requests
    python3 "$KANZEN_SOURCE/tests/support/bad_host.py" "$1" requests ${2+"$2"} >port 2>host-err &
    host=$!
    trap 'kill $host 2>/dev/null' EXIT
    local i
    for ((i = 0; i < 1200; i++)); do
        [ ! -s port ] || break
        kill -0 "$host" 2>/dev/null || break
        sleep 0.05
    done
    [ -s port ] || { cat host-err; exit 1; }
    # shellcheck disable=SC2034
    url=http://127.0.0.1:$(cat port)
}
