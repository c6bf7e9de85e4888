#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# kanzen probe --packets on a small database, and what export says to a wrong call.
set -u
. "$KANZEN_SOURCE/tests/support/cli_testing.sh"

# Two positions: the start, which is lost in 78 plies, and one in which the lion can be taken.
mkdir -p db/0
printf '\x48\x5c\x78\x20\x2b' >db/maximums.dat
printf '\x1a\x5c\x78\x20\x2b\x7c\x00\x00\xf6\x5c\x78\x20\x2b\x37\x01\x00' >db/0/0.dat

prints $'gle/1c1/1C1/ELG b - 1\tloss 78\t2d3c' probe dobutsu --packets db startpos
expect 0 'win 1	' '' probe dobutsu --packets db 0x2b20785c48
expect 0 '"value":"loss","distance":78,"best":"2d3c"' '' probe dobutsu --packets db --json --rules simplified startpos
# One that is not there is reported, and the rest goes on.
expect 2 'loss 78' "don't have the position 0xabe0785c1d" probe dobutsu --packets db 0xabe0785c1d startpos

# Wrong calls
expect 2 '' 'simplified rules' probe dobutsu --packets db --rules official startpos
expect 2 '' 'exclude each other' probe dobutsu --packets db --table one.kzt startpos
expect 2 '' 'there are no packets of pushfight' probe pushfight --packets db
expect 3 '' 'nowhere/maximums.dat' probe dobutsu --packets nowhere startpos
expect 2 '' '0 to 1098348' export dobutsu --format packets --out new --range 5-4
expect 2 '' '0 to 1098348' export dobutsu --format packets --out new --range 0-1098349
expect 2 '' 'only an archive' export dobutsu --format packets --out -
expect 2 '' 'does not take --table' export dobutsu --format packets --out new --table one.kzt
expect 2 '' 'does not take --rules' export dobutsu --format packets --out new --rules simplified
expect 2 '' 'has no format "packets"' export pushfight --format packets --out new
expect 3 '' 'a file of that name is in the way' export dobutsu --format packets --out db/maximums.dat
touch there.tar
expect 3 '' 'exists already' export dobutsu --format packets --tar --out there.tar
[ ! -e new ] || complain "a folder was made" export

# Damage is found before anything is believed.
printf '\x1a\x5c\x78\x20\x2b\x7c\x00\x01\xf6\x5c\x78\x20\x2b\x37\x01\x00' >db/0/0.dat
expect 4 '' 'db/0/0.dat: entry 0 has a last byte' probe dobutsu --packets db startpos
printf '\x1a\x5c\x78\x20\x2b\x7c\x00\x00\xf6\x5c\x78\x20\x2b\xc9\x00\x00' >db/0/0.dat
expect 4 '' 'entry 1 has another value' probe dobutsu --packets db startpos
printf '\x1a\x5c\x78\x20\x2b\x7c\x00\x00\xf6\x5c\x78\x20' >db/0/0.dat
expect 4 '' 'has 12 bytes' probe dobutsu --packets db startpos
printf '\x48\x5c\x78\x20' >db/maximums.dat
expect 4 '' 'has 4 bytes' probe dobutsu --packets db startpos

[ "$failures" -eq 0 ]
