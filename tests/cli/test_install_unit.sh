#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# labels: unsanitized
#
# The systemd unit that is installed: it names the installed command, systemd finds nothing wrong with it and little that
# it could still be denied, and its command serves as a user without any rights on a system that can't be written to.
set -eu
. "$KANZEN_SOURCE/tests/support/have.sh"
prefix=$PWD/root
cmake --install "$(dirname "$KANZEN")" --prefix "$prefix" >log
unit=$prefix/lib/systemd/system/kanzen.service
grep -qx "ExecStart=$prefix/bin/kanzen serve .*" "$unit"
if grep -n '@[A-Z]*@' "$unit"; then exit 1; fi

"$prefix/bin/kanzen" serve --port 0 --bind 192.0.2.1 2>err || true
if grep -q 'built without the server' err; then exit 77; fi

if have systemd-analyze "what systemd says of the unit"; then
    # The man page that it names is not in systemd's own place.
    systemd-analyze verify --man=no "$unit"
    # In tenths; 100 is a service without any protection.
    systemd-analyze security --offline=true --threshold=20 --no-pager "$unit" >exposure || {
        grep '✗' exposure
        exit 1
    }
    tail -n 1 exposure
fi

if [ "$(id -u)" -ne 0 ] || ! command -v setpriv >/dev/null; then
    echo "part skipped: the unit as another user: not root, or no setpriv"
    exit 0
fi
# Nobody has to get here.
chmod 755 "$PWD"
chmod -R a+rX "$prefix"
mkdir tables
"$KANZEN" solve pushfight --board hook --out tables/pushfight-hook.kzt --quiet >/dev/null
chmod -R a+rX tables

# Files that whoever runs the tests has left open are not the server's.
for descriptor in $(seq 3 30); do
    eval "exec $descriptor>&-"
done

# What systemd would run, with another port and place.
command=$(sed -n 's/^ExecStart=//p' "$unit")
export KANZEN_TABLES=$PWD/tables KANZEN_BIND=127.0.0.1 KANZEN_PORT=0 KANZEN_OPTIONS='--threads 1'
mkfifo url
chmod 666 url
# A namespace of its own, where everything is read-only; where that is not allowed, the user's rights have to do.
namespace=()
if unshare --mount mount -o bind,remount,ro / 2>/dev/null; then
    namespace=(unshare --mount sh -c 'mount -o bind,remount,ro / && exec "$@"' sh)
else
    echo "no mount namespaces here"
fi
# shellcheck disable=SC2086 # The words of the unit's line are words here, too.
"${namespace[@]}" setpriv --reuid=65534 --regid=65534 --clear-groups --no-new-privs --bounding-set=-all --inh-caps=-all \
    $(eval echo "$command") >url 2>err &
server=$!
trap 'kill "$server" 2>/dev/null || true' EXIT
read -r address <url
port=${address##*:}
port=${port%/}

ask() {
    exec 3<>"/dev/tcp/127.0.0.1/$port"
    printf 'GET %s HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n' "$1" >&3
    cat <&3
    exec 3>&-
}
ask /healthz | grep -q '"status": *"ok"'
ask '/api/v1/pushfight/position?rules=hook' | grep -q '"source": *"table"'
process=$(pgrep -P "$server" -x kanzen || echo "$server")
grep -q '^Uid:[[:space:]]*65534[[:space:]]*65534' "/proc/$process/status"
grep -q '^CapBnd:[[:space:]]*0*$' "/proc/$process/status"
grep -q '^NoNewPrivs:[[:space:]]*1$' "/proc/$process/status"
# Nothing that it has open can be written to, its output and its own memory aside.
for file in /proc/"$process"/fd/*; do
    target=$(readlink "$file") || continue
    case $target in
    socket:* | anon_inode:* | pipe:* | /dev/null | "$PWD/url" | "$PWD/err" | /memfd:*) ;;
    *) grep -q '^flags:.*0$' "/proc/$process/fdinfo/${file##*/}" ;;
    esac
done
kill "$process"
wait "$server"
trap - EXIT
