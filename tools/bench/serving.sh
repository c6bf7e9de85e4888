# shellcheck shell=bash
# SPDX-License-Identifier: MIT
#
# What the benchmarks of the server have in common: in $folder, which is removed at the end with all processes of
# $processes, positions for wrk ($POSITIONS); a table of Dobutsu Shogi ($table), and a server of it ($server, $url).
# $kanzen is the command.
tools=$(dirname "$kanzen")
if ! command -v wrk >/dev/null; then
    echo "wrk is missing: tools/setup bench installs it"
    exit 77
fi
folder=$(mktemp -d)
processes=
trap 'for process in $processes; do kill "$process" 2>/dev/null || true; done; rm -rf "$folder"' EXIT
table=${KANZEN_TABLES:-${XDG_DATA_HOME:-$HOME/.local/share}/kanzen}/dobutsu-official.kzt
if [ ! -f "$table" ]; then
    table=$folder/dobutsu.kzt
    "$kanzen" solve dobutsu --out "$table" --quiet >/dev/null
fi
export POSITIONS=$folder/positions
"$tools/random_positions" dobutsu 200000 >"$POSITIONS"

"$kanzen" serve --port 0 --table "$table" >"$folder/url" &
server=$!
processes=$server
until [ -s "$folder/url" ]; do
    kill -0 "$server"
    sleep 0.1
done
url=$(cat "$folder/url")

# Of the server, in KiB.
memory() { awk '/^VmRSS/ { print $2 }' "/proc/$server/status"; }
