#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# labels: dobutsu-table simplified-table
#
# The commands with real tables. Expected values are published ones: Tanaka 2009, Clausecker's dobutsu, kota7's
# database.
set -u
. "$KANZEN_SOURCE/tests/support/cli_testing.sh"
export XDG_DATA_HOME=$PWD/data KANZEN_TABLES=
official=data/kanzen/dobutsu-official.kzt

# ---- solve -------------------------------------------------------------------------------------------------------

# What the command printed when it made the table that all tests share.
cp "$DOBUTSU_TABLE.out" out
[ -s "$DOBUTSU_TABLE.err" ] || complain "no progress" solve
grep -Eq '^positions +231,641,991$' out || complain "$(cat out)" solve
grep -Eq '^wins +174,787,315$' out || complain "$(cat out)" solve
grep -Eq '^losses +53,793,170$' out || complain "$(cat out)" solve
grep -Eq '^draws +3,061,506$' out || complain "$(cat out)" solve
grep -Eq '^longest win +173 plies' out || complain "$(cat out)" solve
grep -Fqx "$DOBUTSU_TABLE" out || complain "$(cat out)" solve
mkdir -p data/kanzen
cp "$DOBUTSU_TABLE" $official
expect 3 '' 'exists already; --force' solve dobutsu

# Interrupted before the first distance is done, it leaves nothing behind, and never a table.
mkdir stop
"$KANZEN" solve dobutsu --out stop/table.kzt --quiet >out 2>err &
pid=$!
sleep 1
kill -TERM $pid
wait $pid
[ $? -eq 130 ] || complain "not interrupted: $(cat err)" solve
[ -z "$(ls stop)" ] || [ -f stop/table.kzt.work/checkpoint.kzr ] || complain "left behind: $(ls stop)" solve
[ ! -e stop/table.kzt ] || complain "a table of an interrupted solve" solve

# ---- probe, moves, line, show ------------------------------------------------------------------------------------

expect 0 $'^gle/1c1/1C1/ELG b - 1\tloss 78\t(2d3c|2d1c|1d1c)$' '' probe dobutsu startpos
expect 0 '"value":"loss","distance":78,' '' probe dobutsu startpos --json
json out 'd["input"] == "startpos" and d["best"] in ("2d3c", "2d1c", "1d1c")'

# Rows of kota7's database, and the two positions without a move.
cat >positions <<'END'
316013363792 loss 2
316013393076 win 3
316013685916 loss 4
316013715200 win 3
316022214942 loss 4
316022241562 win 3
316022243982 loss 4
316022244202 loss 2
316022244222 loss 4
316022244226 loss 4
2276617967770 loss 78
S/-EG/EGL/lCC/---/- loss 0
S/lEG/EGL/-CC/---/- loss 0
END
cut -d' ' -f1 positions | "$KANZEN" probe dobutsu >out 2>err || complain "$(cat err)" probe
cut -d' ' -f2- positions | diff - <(cut -f2 out) || complain "other values than published" probe
[ "$(tail -n 2 out | cut -f3 | paste -sd' ')" = '- -' ] || complain "a finished game has a best move" probe
expect 2 'loss 78' '^kanzen probe: position 1: character 1' probe dobutsu x startpos

expect 0 $'^2c2b\tloss 76\tgle/1C1/3/ELG w C 2$' '' moves dobutsu
[ "$(cut -f2 out | paste -sd,)" = 'loss 78,loss 78,loss 78,loss 76' ] || complain "$(cat out)" moves
expect 0 $'^1a2b\twin 75\t' '' moves dobutsu 'gle/1C1/3/ELG w C 2' # the elephant takes the chick
[ "$(head -n 1 out | cut -f1)" = 1a2b ] || complain "the best move is not the first" moves
expect 0 '^\{' '' moves dobutsu --json
json out '[m["distance"] for m in d["moves"]] == [78, 78, 78, 76] and d["value"] == "loss" and d["side"] == "sente"'
expect 0 '' 'the game is over \(loss 0\)' moves dobutsu 'S/-EG/EGL/lCC/---/-'

expect 0 '^gote wins after 78 plies$' '' line dobutsu
[ "$(wc -l <out)" -eq 79 ] || complain "$(wc -l <out) lines" line
for ((left = 78; left > 0; left--)); do
    echo "$((79 - left)) $([ $((left % 2)) -eq 0 ] && echo loss || echo win) $left"
done | diff - <(head -n 78 out | awk '{ print $1, $4, $5 }') || complain "a move was not the best one" line
expect 0 '^\{' '' line dobutsu --json
json out 'len(d["plies"]) == 78 and d["winner"] == "gote" and d["ending"] == "over" and d["last"]["distance"] == 0'
expect 0 '^stopped after 2 plies: loss 76 for sente$' '' line dobutsu --plies 2 --boards
[ "$(grep -c '+---+' out)" -eq 15 ] || complain "not three boards" line --boards
expect 0 '^the game is over: sente has lost$' '' line dobutsu 'S/-EG/EGL/lCC/---/-'

expect 0 '^loss 78 for sente \(official rules\), best move ' '' show dobutsu
expect 0 '"distance":78' '' show dobutsu --json

# A draw goes on until it repeats itself. Some position within a few plies of the start is one.
draw=
for first in $("$KANZEN" moves dobutsu | cut -f3 | tr ' ' _); do
    for second in $("$KANZEN" moves dobutsu "${first//_/ }" | cut -f3 | tr ' ' _); do
        draw=$("$KANZEN" moves dobutsu "${second//_/ }" | awk -F'\t' '$2 == "draw" { print $3; exit }')
        [ -z "$draw" ] || break 2
    done
done
[ -n "$draw" ] || complain "no draw is near the start" moves
expect 0 '^draw: now the game is where it was after [0-9]+ pl' '' line dobutsu "$draw"
expect 0 '"ending":"repetition","winner":null,"repeated_from":' '' line dobutsu "$draw" --json

# ---- stats -------------------------------------------------------------------------------------------------------

expect 0 '^longest win +173 plies' '' stats dobutsu
grep -Eq '^ +1  win +122,428,962  #+$' out || complain "$(head -n 20 out)" stats
expect 0 '^\{' '' stats dobutsu --json
json out 'sum(l["wins"] for l in d["distances"]) == d["wins"] == 174787315'
json out 'sum(l["losses"] for l in d["distances"]) == d["losses"] == 53793170 and d["draws"] == 3061506'
json out 'd["longest_win"] == 173 and d["distances"][0] == {"plies": 0, "wins": 0, "losses": 2}'
expect 0 '' '' stats dobutsu --svg stats.svg
grep -q '<title>win in 173: ' stats.svg || complain "no longest win" stats --svg
if have xmllint "whether a drawing is XML"; then xmllint --noout stats.svg || complain "no XML" stats --svg; fi

# ---- verify, and damaged tables ----------------------------------------------------------------------------------

expect 0 '^ok$' . verify $official
grep -Eq '^wrong +0$' out || complain "$(cat out)" verify

size=$(wc -c <$official)
# damage NAME OFFSET: a copy with one bit flipped
damage() {
    cp $official "$1"
    local byte
    byte=$(od -An -tu1 -j"$2" -N1 $official)
    printf "\\x$(printf %x $((byte ^ 4)))" | dd of="$1" bs=1 seek="$2" conv=notrunc status=none
}
head -c $((size / 2)) $official >half.kzt
head -c $((size - 1)) $official >short.kzt
head -c 20 $official >stump.kzt
{ cat $official && echo; } >long.kzt
damage header.kzt 9
for table in half short stump long header; do
    expect 4 '' "$table.kzt" probe dobutsu startpos --table $table.kzt
    expect 4 '' "$table.kzt" stats dobutsu --table $table.kzt
    expect 4 '' "$table.kzt" verify $table.kzt
done
# Damage in the middle or at the end need not show until the place is read.
damage middle.kzt $((size / 2))
damage end.kzt $((size - 1))
for table in middle end; do
    expect 4 '' "$table.kzt" verify $table.kzt --quiet
done

# ---- Other rules, and where tables are looked for ----------------------------------------------------------------

expect 2 '' 'is a table for official rules, not for simplified rules' \
    probe dobutsu startpos --table $official --rules simplified
expect 3 '' 'kanzen solve dobutsu --rules simplified' probe dobutsu startpos --rules simplified
mkdir tables
# Who solves without --out gets the table where the others are. The counts of the mini board are published.
KANZEN_TABLES=$PWD/tables expect 0 '^\{' '' solve pushfight --board mini --quiet --json
json out '(d["positions"], d["draws"], d["longest_win"]) == (5715360, 104908, 9)'
json out 'd["table"][0] == "/" and d["table"].endswith("/tables/pushfight-mini.kzt") and d["peak_memory_bytes"] > 2**20'
json out 'd["processes"] == 1'
[ -s tables/pushfight-mini.kzt ] || complain "the table is not where it says" solve
# test_heavy_dobutsu_solve left it, and has looked at its values.
ln -s "$SIMPLIFIED_TABLE" tables/dobutsu-simplified.kzt
simplified=tables/dobutsu-simplified.kzt
KANZEN_TABLES=$PWD/tables expect 0 $'\tloss 78\t' '' probe dobutsu startpos --rules simplified
expect 0 $'\tloss 78\t' '' probe dobutsu startpos --table $simplified
expect 0 '^dobutsu, simplified rules$' '' stats dobutsu --table $simplified
expect 0 '^\{' '' stats dobutsu --table $simplified --json
json out '(d["positions"], d["wins"], d["losses"], d["draws"]) == (231641991, 174787315, 53793170, 3061506)'
json out 'd["longest_win"] == 173'
expect 2 '' 'is a table for simplified rules, not for official rules' \
    moves dobutsu --table $simplified --rules official
# What is in KANZEN_TABLES comes first, and the data folder after it.
KANZEN_TABLES=$PWD/tables expect 0 $'\tloss 78\t' '' probe dobutsu startpos
head -c 20 $official >tables/dobutsu-official.kzt
KANZEN_TABLES=$PWD/tables expect 4 '' tables/dobutsu-official.kzt probe dobutsu startpos
expect 0 $'\tloss 78\t' '' probe dobutsu startpos

# ---- play, inspect, annotate -------------------------------------------------------------------------------------

printf '%s\n' 'game: dobutsu' 2c2b 2a2b >game.txt
expect 0 '^1 2c2b +# loss 76  \?! loses 2 plies sooner; best is [12]d[13]c \(loss 78\)$' '' annotate game.txt
expect 0 '^because   all children are won for gote, .*: gote wins in 77 plies$' '' inspect dobutsu --once
expect 0 '^children  4: for gote 0 lost, 0 drawn, 4 won$' '' inspect dobutsu <<<show
expect 0 '^gote wins \(after 78 plies\)$' '' play dobutsu --side none --level perfect --save perfect.kif </dev/null
expect 0 '^# sente: 39 moves, 39 best$' '' annotate perfect.kif
expect 0 '^a draw because the position has come up three times$' '' play dobutsu --side both \
    < <(printf '%s\n' 1d1c 3a3b 1c1d 3b3a 1d1c 3a3b 1c1d 3b3a)

# ---- count, check, bench -----------------------------------------------------------------------------------------

expect 0 '^ *246,803,167  reachable-tanaka  ' . count dobutsu
for count in 1,567,925,964 231,641,991 109,213,029 99,485,568 56,474,473 2,682,700 40,328,395 140,298,614 7,018,985 \
    213,993,386 86,831,053 507,669,530 109,179,572 1,098,348,209; do
    grep -Eq "^ *$count  [a-z]" out || complain "$count is missing" count
done
expect 0 '^\{"ok":true,"positions":231641991,' '' check try-rule --quiet --json
json out 'd["same"] + d["one_ply_longer"] == d["positions"] and d["other_winner"] == d["further"] == 0'

expect 0 '^first probe after opening ' '' bench --probes 1000
expect 0 '^\{' '' bench dobutsu --probes 1000 --json
json out '{r["name"] for r in d["results"]} >= {"warm_probe", "cold_probe", "probe_moves", "format", "parse"}'

[ $failures -eq 0 ]
