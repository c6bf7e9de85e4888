#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# labels: slow
#
# Push Fight on the command line. Indices and values are those of the published solution; the counts of the mini board
# come from two independent programs.
set -u
. "$KANZEN_SOURCE/tests/support/cli_testing.sh"
export KANZEN_TABLES=$PWD/none XDG_DATA_HOME=$PWD/none
search='^kanzen [a-z]+: no table for pushfight by [a-z]+ rules was found, so values come from a search$'

# ---- convert -----------------------------------------------------------------------------------------------------

# same STRING INDEX MINIMIZED: three names of one position
same() {
    for from in "$@"; do
        prints "$1" convert pushfight --to string -- "$from"
        prints "$2" convert pushfight --to index -- "$from"
        prints "$3" convert pushfight --to minimized -- "$from"
    done
}
same .....OOxY....oxX.....oX..O 19301938593 +46788934353
same .OX.....oxY....Oox.....OX. 194131815839 +69810189839
same ..OoO..X......oxY..XO..x.. 111281287018 -54633981701
same .x...O..o...X.OXx.OY.....o 200783583000 -23880969909
same Ox..xO...X.Y...oO.X...o... 316452211876 +85628664413
same .Yo...............oOOOxxXX 243411482160 +0
same XXxxOOOo...............oY. 384830488047 -0
same xOOOXoo...XYx............. 349617805883 +86208131519
prints ................ooOOOxxXXY convert pushfight --to string 0
prints YXXxxOOOoo................ convert pushfight --to string 401567165999
prints -54633981701 convert pushfight --to minimized -54633981701 # a number is no option
expect 2 '' '^kanzen convert: .* 401567165999$' convert pushfight --to string 401567166000
expect 2 '' 'no minimized index' convert pushfight --to minimized 0
expect 2 '' "^kanzen convert: character 24 \('x'\): " convert pushfight --to index Ox..xO...X.Y...oO.X...ox..
expect 2 '' '^kanzen convert: character 26 \(end of the text\): ' convert pushfight --to index Ox..xO...X.Y...oO.X...o..
expect 2 '' "pushfight has no board 'tiny'; it has: standard, mini, " convert pushfight --to index startpos --board tiny
expect 2 '' 'two names of one option' convert pushfight --to index startpos --board mini --rules standard

# A diagram takes several lines, as an argument or on standard input.
"$KANZEN" convert pushfight --to diagram Ox..xO...X.Y...oO.X...o... startpos >diagrams || complain "exit code" convert
lines=$(($(wc -l <diagrams) / 2))
[ "$lines" -ge 4 ] || complain "diagrams of $lines lines" convert
start=$("$KANZEN" convert pushfight --to string startpos)
prints $'Ox..xO...X.Y...oO.X...o...\n'"$start" convert pushfight --to string <diagrams
prints "$start" convert pushfight --to string "$(tail -n $lines diagrams)"
{ echo 0 && echo && sed 's/$/\r/' diagrams && echo && echo 0; } >lines
prints $'................ooOOOxxXXY\nOx..xO...X.Y...oO.X...o...\n'"$start"$'\n................ooOOOxxXXY' \
    convert pushfight --to string <lines
# An empty line ends what is not complete; the number is that of its first line.
{ echo 0 && head -n $((lines - 2)) diagrams && echo && cat diagrams; } >lines
expect 2 "^$start\$" "^kanzen convert: lines 2 to $((lines - 1)): character [0-9]+ " convert pushfight --to string <lines
[ "$(wc -l <out)" -eq 3 ] && [ "$(wc -l <err)" -eq 1 ] || complain "positions got lost: $(cat out err)" convert
expect 0 '^\{' '' convert pushfight --to diagram startpos --json
json out 'd["position"].count("\n") == '$((lines - 1))
{ head -n 1 diagrams | tr -d '\n' && head -c 2000 /dev/zero | tr '\0' ' ' && echo x && echo startpos; } >lines
expect 2 "^$start\$" 'line 1: 20[0-9]+ bytes are too many for a position' convert pushfight --to string <lines

# Every board has positions of its own.
for board in standard mini twocolumn onecolumn two-pushers; do
    text=$("$KANZEN" convert pushfight --to string startpos --board $board) || complain "no start" convert --board $board
    prints "$text" convert pushfight --board $board --to string "$text"
    "$KANZEN" convert pushfight --board $board --to diagram "$text" >diagram
    prints "$text" convert pushfight --board $board --to string <diagram
    prints 0 convert pushfight --board $board --to index 0
done

# ---- show, perft, count --------------------------------------------------------------------------------------------

expect 0 "^$start\$" '' show pushfight
expect 0 '^Ox\.\.xO\.\.\.X\.Y\.\.\.oO\.X\.\.\.o\.\.\.$' '' show pushfight 316452211876
expect 0 '^\{' '' show pushfight 316452211876 --json
json out 'd["forms"]["index"] == "316452211876" and d["forms"]["minimized"] == "+85628664413" and "value" not in d'
for board in standard mini; do
    expect 0 '^</svg>$' '' show pushfight --board $board --svg -
    if have xmllint "whether a drawing is XML"; then xmllint --noout out || complain "no XML" show --svg; fi
done

# One of the 648 positions without a legal turn.
prints $'1\t0' perft pushfight 1 19301938593

expect 0 '^401,567,166,000  ' '' count pushfight --quiet
grep -q '^172,416,263,040  ' out && grep -q '^ *86,208,131,520  ' out || complain "$(cat out)" count

expect 0 '^      1,557,446  can.t be reached$' '' pushfight reachable --board mini --quiet
expect 0 '^         11,524          23,048  can.t be reached$' '' pushfight reachable --board raft --quiet
expect 0 '^\{' '' pushfight reachable --board raft --unfold --threads 1 --quiet --json
json out 'not d["folded"] and d["unreachable"] == 24388 and sum(d["in_turns"]) == d["reachable"] == 110012'
expect 2 '' 'unknown option' pushfight reachable --out x

# ---- probe, moves and line without a table -------------------------------------------------------------------------

# A search proves what is near the end: rows of the published table with values that it must find.
cat >positions <<'END'
+34258815369 loss 0
+114820139 win 1
+1818014801 loss 1
+1013024316 win 2
END
cut -d' ' -f1 positions | "$KANZEN" probe pushfight >out 2>err || complain "$(cat err)" probe
cut -d' ' -f2- positions | diff - <(cut -f2 out) || complain "other values than published" probe
[ "$(grep -Ec "$search" err)" -eq 1 ] && [ "$(wc -l <err)" -eq 1 ] || complain "$(cat err)" probe
[ "$(head -n 1 out | cut -f3)" = - ] || complain "a turn where there is none" probe
[ "$(tail -n 3 out | grep -Ec $'\t[a-h][1-4]-[a-h][1-4](,[a-h][1-4]-[a-h][1-4]){0,2}$')" -eq 3 ] ||
    complain "no best turns: $(cat out)" probe
expect 0 '"value":"win","distance":2,"best":"[a-h]' "$search" probe pushfight +1013024316 --json
expect 0 '"value":"unknown","distance":null,"best":null' "$search" probe pushfight 316452211876 --seconds 1 --json # a win in 49
expect 0 $'\tunknown\t-\tno win within 3 turns$' "$search" probe pushfight 316452211876 --seconds 1

expect 0 $'\twin 1\t' "$search" moves pushfight +114820139
count=$("$KANZEN" perft pushfight 1 +114820139 | cut -f2)
[ "$(wc -l <out)" -eq "$count" ] || complain "$(wc -l <out) turns, not $count" moves
cut -f3 out | sort | uniq -d >twice
[ ! -s twice ] || complain "positions that are listed twice: $(head -n 3 twice)" moves
expect 0 $'\tloss 1\t' "$search" moves pushfight +1818014801
! grep -Evq $'\tloss 1\t' out || complain "not all turns lose at once" moves
expect 0 '' 'the game is over \(loss 0\), so there are no moves' moves pushfight +34258815369
expect 0 '^\{' "$search" moves pushfight +1818014801 --json
json out 'd["rules"] == "standard" and d["distance"] == 1 and all(m["value"] == "loss" for m in d["moves"])'

expect 0 '^red wins after 3 plies$' "$search" line pushfight +1013024316
[ "$(head -n 3 out | cut -f4 | paste -sd,)" = 'win 2,loss 1,win 1' ] || complain "$(cat out)" line
expect 0 '^stopped after 0 plies: what is best for red is not known without a table: no win within 3 turns$' "$search" \
    line pushfight 316452211876 --seconds 1
expect 0 '^the game is over: red has lost$' "$search" line pushfight +34258815369

expect 3 '' 'none.kzt: No such file' probe pushfight startpos --table none.kzt
expect 3 '' 'no table for pushfight by mini rules; make it with: kanzen solve pushfight --rules mini' \
    stats pushfight --board mini

# ---- With the table of a small board ---------------------------------------------------------------------------------

"$KANZEN" line pushfight --board mini >searched 2>err || complain "$(cat err)" line
# What a solve takes is said before it begins, and it does not begin with less. The standard board has 32,890 pages of
# 20,349 pairs, 8 bytes each, 2.17 billion runs of 2 bytes, and 2 bytes a pair to remember (docs/push-fight.md): 11.0 GB.
expect 0 '^\{' '' estimate pushfight --threads 2 --json
json out '10.8e9 < d["memory_bytes"] < 11.7e9 and 3e9 < d["work_bytes"] < 5e9 and 1.6e9 < d["table_bytes"] < 2.1e9'
json out 'd["numbers"] == 200783583000 and d["positions"] == 86208131520 and not d["plain"] and d["seconds"] > 0 and d["threads"] == 2'
expect 3 '' '^kanzen solve: solving pushfight .standard. takes about 1[01][0-9]{3} MiB of memory, and there are 8192 MiB' \
    solve pushfight --memory 8G --threads 2 --quiet --out standard.kzt
[ ! -e standard.kzt ] && [ ! -e standard.kzt.work ] || complain "something is left" solve
expect 2 '' '^kanzen solve: --memory takes' solve pushfight --board mini --memory much --out mini.kzt

expect 0 '^positions +5,715,360$' '' estimate pushfight --board mini
expect 0 '^\{' '' solve pushfight --board mini --memory 1G --out mini.kzt --quiet --json
json out '(d["positions"], d["draws"], d["longest_win"], d["longest_wins"]) == (5715360, 104908, 9, 116)'
[ ! -e mini.kzt.work ] || complain "a folder is left" solve
expect 0 '^longest win +9 turns \(116 positions\)$' '' stats pushfight --table mini.kzt
expect 0 '^\{' '' stats pushfight --table mini.kzt --board mini --json
json out '[(l["turns"], l["wins"], l["losses"]) for l in d["distances"]] == [(0, 0, 4848), (1, 4308730, 454296),
    (2, 336688, 158158), (3, 119472, 79886), (4, 56604, 31340), (5, 25440, 14580), (6, 10232, 4538), (7, 2820, 1788),
    (8, 668, 216), (9, 116, 32)] and d["draws"] == 104908'
expect 0 '<title>win in 9: 116<' '' stats pushfight --table mini.kzt --svg -
expect 0 '^ok$' '' verify mini.kzt --quiet
expect 0 '"ok":true' '' verify mini.kzt --quiet --json --rules mini
expect 2 '' 'mini.kzt is a table for mini rules, not for standard rules' verify mini.kzt --quiet --rules standard
expect 2 '' "pushfight has no rules 'bogus'" verify mini.kzt --quiet --rules bogus
# What a search proves is what the table says, and the table decides which board it is.
prints "$(cat searched)" line pushfight --table mini.kzt
expect 0 $'\twin 3\t' '' probe pushfight startpos --table mini.kzt
expect 0 '"rules":"mini","value":"win","distance":3,"best":' '' show pushfight --table mini.kzt --json
expect 2 '' 'is a table for mini rules, not for standard rules' probe pushfight startpos --table mini.kzt --board standard

# ---- Without a table: a search, deeper as long as there is time ----------------------------------------------------

# tests/data/pushfight/search-samples.tsv has the published value: 8, a win in 4 turns.
export KANZEN_TABLES=$PWD/none XDG_DATA_HOME=$PWD/none
expect 0 '^.Yoo.....OO......XO...xxX.	win 4	[a-h1-4,-]+$' 'values come from a search' \
    probe pushfight .Yoo.....OO......XO...xxX. --seconds 60
after=$(printf '%s\n' "$(cut -f3 out)" quit |
    "$KANZEN" play pushfight .Yoo.....OO......XO...xxX. --side both --save won.txt 2>/dev/null | tail -n 1)
[ "$after" = 'saved as won.txt' ] || complain "the winning turn can't be played: $after" play
expect 0 '^\{' 'search' annotate won.txt --json --seconds 60
json out 'd["moves"][0]["after"] == {"value": "win", "distance": 4}'
expect 0 '	unknown	-	no win within 3 turns$' 'search' probe pushfight .OX.....oxY....Oox.....OX. --seconds 2
expect 0 '^\{' 'search' probe pushfight .OX.....oxY....Oox.....OX. --seconds 2 --json
json out 'd["value"] == "unknown" and d["searched"] == 3'
expect 0 'not known without a table: no win within 3 turns$' 'search' line pushfight .OX.....oxY....Oox.....OX. --seconds 2
expect 2 '' 'from 1 to 86400' probe pushfight startpos --seconds 0

expect 3 '' 'this takes hours on a few processors, and 10 GB' stats pushfight
! "$KANZEN" stats pushfight --board mini 2>&1 | grep hours || complain "mini takes no hours" stats

[ $failures -eq 0 ]
