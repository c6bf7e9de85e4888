#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# Commands that need no table: convert, perft, show. Expected values are the published ones of docs/rules-dobutsu.md.
set -u
. "$KANZEN_SOURCE/tests/support/cli_testing.sh"
export KANZEN_TABLES=$PWD/none XDG_DATA_HOME=$PWD/none

# ---- convert -----------------------------------------------------------------------------------------------------

read -ra forms < <(forms dobutsu)
start=('gle/1c1/1C1/ELG b - 1' 'rkb/1p1/1P1/BKR b - 1' 'gle/1c1/1C1/ELG[-] w 0 1' 'S/gle/-c-/-C-/ELG/-'
    0x2b20785c1d 2276617967770)
taken=('gle/1C1/3/ELG w C 2' 'rkb/1P1/3/BKR w P 2' 'gle/1C1/3/ELG[C] b 0 1' 'G/gle/-C-/---/ELG/C'
    0xabe0785c1d 87014145179536)

[ ${#forms[@]} -eq ${#start[@]} ] || complain "these are its forms: ${forms[*]}" convert dobutsu

for to in "${!forms[@]}"; do
    prints "${start[to]}" convert dobutsu --to "${forms[to]}" startpos
    # The other forms have no move number, and the last two no side to move; so they come back as themselves only.
    for from in 0 1 2 "$to"; do
        prints "${start[to]}" convert dobutsu --to "${forms[to]}" "${start[from]}"
        prints "${taken[to]}" convert dobutsu --to "${forms[to]}" "${taken[from]}"
    done
done
prints "${start[4]}" convert dobutsu --to state40 "${start[3]}"
prints "${start[3]}" convert dobutsu --to clausecker "${start[4]}"
prints "${taken[5]}" convert dobutsu --to index18 "${taken[3]}"
prints 'S/elg/-c-/-C-/GLE/-' convert dobutsu --to clausecker "${start[5]}"

# Of several positions the good ones are converted, and the others reported.
expect 2 '^0x2b20785c1d$' "^kanzen convert: position 2: character 7 \('2'\): more than 3 squares in a rank$" \
    convert dobutsu --to state40 startpos 'gle/1c2/1C1/ELG b - 1' startpos
[ "$(wc -l <out)" -eq 2 ] || complain "not two positions left of three" convert
expect 2 '' "^kanzen convert: character 7 \('2'\): more than 3 squares in a rank$" \
    convert dobutsu --to state40 'gle/1c2/1C1/ELG b - 1'
expect 2 '' '^kanzen convert: characters 1 to 19: the number of chicks and hens is 1, and not 2$' \
    convert dobutsu --to state40 'gle/1c1/3/ELG b - 1'
expect 2 '' '^kanzen convert: character 1 \(end of the text\)' convert dobutsu --to sfen ''
expect 2 '' 'index18' convert dobutsu --to index18 'g1e/1c1/1C1/ELG w L 2' # a captured lion

expect 2 '' "^kanzen convert: to which form\? .*: $(forms dobutsu ', ')\$" \
    convert dobutsu startpos
expect 2 '' "has no form 'sfn'; it has: sfen, lishogi" convert dobutsu --to sfn startpos
expect 2 '' "^kanzen convert: there is no game 'xiangqi'; the games are: dobutsu" convert xiangqi --to sfen startpos
expect 2 '' 'an argument is missing' convert
expect 2 '' 'option --to needs a value' convert dobutsu --to

expect 0 '^\{"input":"startpos","form":"state40","position":"0x2b20785c1d"\}$' '' \
    convert dobutsu --to state40 startpos --json
json out 'd["position"] == "0x2b20785c1d"'

# ---- Rules, which some games call boards ---------------------------------------------------------------------------

prints 0x2b20785c1d convert dobutsu --to state40 startpos --board simplified
prints 0x2b20785c1d convert dobutsu --to state40 startpos --rules simplified --board=simplified
expect 2 '' "^kanzen convert: dobutsu has no rules 'xiangqi'; it has: official, simplified" \
    convert dobutsu --to sfen startpos --rules xiangqi
expect 2 '' "^kanzen convert: dobutsu has no board 'xiangqi'; it has: official, simplified" \
    convert dobutsu --to sfen startpos --board xiangqi
expect 2 '' "^kanzen convert: --rules official and --board simplified: .* can't differ" \
    convert dobutsu --to sfen startpos --rules official --board simplified
prints $'1\t4\n2\t17\n3\t123\n4\t976\n5\t8122\n6\t72004' perft dobutsu 6 --board simplified

# ---- Lines of standard input -------------------------------------------------------------------------------------

printf 'startpos\n\n \t\r\n  gle/1c2/1C1/ELG b - 1\r\nS/gle/-c-/-C-/ELG/-\r\n  startpos  ' >lines
expect 2 '^0x2b20785c1d$' "^kanzen convert: line 4: character 9 \('2'\): more than 3 squares in a rank$" \
    convert dobutsu --to state40 <lines
[ "$(wc -l <out)" -eq 3 ] && [ "$(wc -l <err)" -eq 1 ] || complain "lines got lost" convert
expect 0 '' '' convert dobutsu --to sfen </dev/null
# '-' is standard input, as elsewhere.
echo startpos >lines
expect 0 '^0x2b20785c1d$' '' convert dobutsu --to state40 - <lines

# Nothing that a line can hold does harm.
printf 'star\0tpos\nstartpos\n\377\376\n\0\n' >lines
expect 2 '^gle/1c1/1C1/ELG b - 1$' 'line 4: character 1 \(byte 0x00\)' convert dobutsu --to sfen <lines
[ "$(wc -l <out)" -eq 1 ] && [ "$(wc -l <err)" -eq 3 ] || complain "bad bytes" convert
{ head -c 1000000 /dev/zero | tr '\0' g && printf '\nstartpos\n'; } >lines
expect 2 '^0x2b20785c1d$' 'line 1: 1000000 bytes are too many for a position$' convert dobutsu --to state40 <lines
head -c 100000 /dev/urandom >lines
"$KANZEN" convert dobutsu --to sfen --json <lines >out 2>err
[ $? -eq 2 ] || complain "random bytes made sense" convert
"$KANZEN" convert dobutsu --to sfen <&- >out 2>err
[ $? -eq 3 ] && grep -q "can't read standard input" err || complain "no standard input went unnoticed" convert

# ---- perft -------------------------------------------------------------------------------------------------------

prints $'1\t4\n2\t17\n3\t123\n4\t976\n5\t8122\n6\t71677' perft dobutsu 6
prints $'1\t4\n2\t17\n3\t123\n4\t976\n5\t8122\n6\t72004' perft dobutsu 6 --rules simplified
prints $'1\t5' perft dobutsu 1 "${taken[0]}"
prints $'2d3c\t1\n2d1c\t1\n2c2b\t1\n1d1c\t1\ntotal\t4' perft dobutsu 1 --divide
expect 0 $'^total\t71677$' '' perft dobutsu 6 --divide
prints $'1\t0\n2\t0' perft dobutsu 2 'S/-EG/EGL/lCC/---/-' # one of the two positions without a move
expect 0 '^\{' '' perft dobutsu 6 --json
json out '[l["count"] for l in d["depths"]] == [4, 17, 123, 976, 8122, 71677] and d["rules"] == "official"'
expect 0 '^\{' '' perft dobutsu 3 --divide --json
json out 'sum(m["count"] for m in d["moves"]) == 123 and d["depth"] == 3'
expect 2 '' "the depth is a number from 1 to 30, not '0'" perft dobutsu 0
expect 2 '' "not '3x'" perft dobutsu 3x
expect 2 '' "dobutsu has no rules 'xiangqi'; it has: official, simplified" perft dobutsu 3 --rules xiangqi
expect 2 '' "^kanzen perft: character 1 \('x'\)" perft dobutsu 3 x

# ---- show --------------------------------------------------------------------------------------------------------

prints '  gote: -
     3   2   1
   +---+---+---+
   | g | l | e | a
   +---+---+---+
   |   | c |   | b
   +---+---+---+
   |   | C |   | c
   +---+---+---+
   | E | L | G | d
   +---+---+---+
  sente: -  (to move)

gle/1c1/1C1/ELG b - 1' show dobutsu
expect 0 '^  sente: chick$' '' show dobutsu "${taken[3]}"
expect 0 '^\{' '' show dobutsu --json
json out 'd["forms"] == dict(zip("'"${forms[*]}"'".split(), [
    "gle/1c1/1C1/ELG b - 1", "rkb/1p1/1P1/BKR b - 1", "gle/1c1/1C1/ELG[-] w 0 1", "S/gle/-c-/-C-/ELG/-",
    "0x2b20785c1d", "2276617967770"])) and d["side"] == "sente" and "value" not in d'
expect 0 '' '' show dobutsu --svg board.svg
expect 0 '^</svg>$' '' show dobutsu --svg -
cmp -s out board.svg || complain "the file and standard output differ" show --svg
expect 0 '' '' show dobutsu --svg board.svg # again: a drawing is replaced
expect 3 '' 'No such file or directory' show dobutsu --svg none/board.svg
! compgen -G "*tmp*" >left || complain "left files behind: $(cat left)" show --svg
expect 2 '' 'does not go with' show dobutsu --svg - --json
expect 0 '^</svg>$' '' show dobutsu --svg - --rules simplified
expect 2 '' "has no rules 'xiangqi'" show dobutsu --svg - --rules xiangqi
expect 2 '' "unexpected argument 'x'" show dobutsu startpos x
expect 2 '' "there is no game ''" show ''

# A position that was not quoted; a list with a byte order mark and comments; an object for every input.
expect 2 '' "^kanzen convert: 'gle/1c1/1C1/ELG' and what follows it are one position: it has spaces, so it needs quotes" \
    convert dobutsu --to state40 gle/1c1/1C1/ELG b - 1
expect 2 '' "unexpected argument 'b'; a position with spaces in it needs quotes" show dobutsu gle/1c1/1C1/ELG b - 1
printf '\xef\xbb\xbf# positions\nstartpos\n\n# a bad one\nfoo\nstartpos\n' >list
expect 2 '^0x2b20785c1d$' "^kanzen convert: line 5: character 1 " convert dobutsu --to state40 <list
expect 2 '"input":"foo","error":"character 1 ' 'line 5' convert dobutsu --to state40 --json <list
[ "$(wc -l <out)" -eq 3 ] || complain "$(wc -l <out) objects for 3 inputs" convert

# Moves that were copied from a program that speaks UCI.
printf 'game: dobutsu\n1 b2b3\n' >uci.txt
expect 2 '' 'uci.txt: line 2: b2b3 is a move in UCI, .* here it is 2c2b$' annotate uci.txt

[ $failures -eq 0 ]
