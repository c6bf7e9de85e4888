#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# kanzen convert shogi. Records are those of the reference implementations: SSPFv1's, YaneuraOu's and cshogi's.
set -u
. "$KANZEN_SOURCE/tests/support/cli_testing.sh"

# Hexadecimal digits to bytes.
unhex() { printf '%b' "$(tr -d '\n' | sed 's/../\\x&/g')"; }

cat >vectors <<'END'
lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1
8a1e2f5a5454b4e8f1a22c12000000003967923927f66ff03ccfb0cd31d3cc31
58a451220ceb67227e9653221caf447824c22b119e53221ceb6f223e9651220c
58a449210cd757217e8e4d212caf427814c2ab109e4d212cd75f213e8e49210c
3k3nl/G3n2r1/P1P+LB+B1p1/1G2ppp1p/KP1P1P1P1/p2sP1P1P/5SN2/4G4/L+R6L w GSN2Psp 1
535e40c3c59506018c96cc160002420039cc594d00da1ef0cec149ce450a8148
99ad91140ceb6f0a408a05be321c583f527898c40902c013f8f3846400ca389c
99ad89120cd75f094089033e2b2cb83e4a7818c50602c013f8f58462004639ac
4k4/9/9/9/9/9/9/9/4K4 b RB2G2S2N2L9Prb2g2s2n2l9p 1
000000000000000000002c1200000000000000000000000000000000f8cfccac
5824000000000000000000000000004228658c731e1f922449c658eb9cf73ebf
5824000000000000000000000000004218a394733e3f922449c63867adf77eff
l8/6n2/N2k2s1b/b1sg2P2/r3P2Gl/1P4Sp1/3S4N/8L/6K2 b GN8Prgl6p 1
a8c1700100810401880e9a1700000000dfba070040f419d4c441068da31ae0cf
342f3e8d96013c09eb190e0040002f073801088c96cf5f000000288724c978bf
342fbe4c8e013c05d716160040002f0bd800084c8eaf3f000000188724c978ff
END
records=(sfen sspf psfen hcp)
for i in 0 1 2 3; do
    sed -n "$((i + 1))~4p" vectors >column
    if [ $i = 0 ]; then cp column all.sfen; else unhex <column >"all.${records[i]}"; fi
done
[ "$(stat -c %s all.hcp)" = 128 ] || complain "no records" "(test)"

# ---- Every pair, by the endings of names, by options, and through pipes -------------------------------------------

for from in "${records[@]}"; do
    for to in "${records[@]}"; do
        expect 0 '' '^written +4$' convert shogi "all.$from" "out.$to" --force --quiet
        cmp "out.$to" "all.$to" || complain "wrong bytes" "$from" "$to"
        "$KANZEN" convert shogi --from "$from" --to "$to" - - <"all.$from" 2>err | cmp - "all.$to" ||
            complain "wrong bytes from a stream" "$from" "$to"
        cat "all.$from" | "$KANZEN" convert shogi --from="$from" --to "$to" - pipe.out --force 2>err ||
            complain "pipe: $(cat err)" "$from"
        cmp pipe.out "all.$to" || complain "wrong bytes from a pipe" "$from" "$to"
    done
done

# ---- What is said -------------------------------------------------------------------------------------------------

expect 3 '' '^kanzen convert shogi: out.hcp exists already; --force replaces it$' convert shogi all.sspf out.hcp
expect 2 '' '^kanzen convert shogi: --from: there are no records .what.' convert shogi --from what all.sspf out.hcp
expect 2 '' 'say --to with one of: sspf, ' convert shogi all.sspf -
expect 2 '' 'there is no dialect' convert shogi all.sspf new.psv --dialect what
expect 2 '' 'kanzen convert shogi IN OUT' convert shogi all.sspf
expect 2 '' 'which records does the stream get.* hcpe2, hcpe3, sfen, plain, csa, kif$' convert shogi all.sspf -
expect 2 '' 'ki2 can be read, but not written; .* hcpe3, sfen, plain, csa, kif$' convert shogi all.sspf x.ki2
expect 2 '' "unknown option '--rules'" convert shogi all.sspf new.psv --rules official
expect 2 '' 'exclude each other' convert shogi all.sspf new.psv --stop --skip-bad
expect 2 '' "unknown option '--from'" convert dobutsu --to sfen startpos --from sspf
expect 2 '' 'pack can be read, but not written' convert shogi all.sspf new.pack
expect 3 '' "can't read none.sspf: No such file" convert shogi none.sspf new.psv
[ ! -e new.psv ] || complain "something was written" "(refused)"

# ---- Games -----------------------------------------------------------------------------------------------------------

# Written and read again: the same records, in whatever the games were in between. games_all.* come from another program.
data=$KANZEN_SOURCE/shogi/tests/data
converts() { # IN OUT OPTION...: --quiet, and it must work
    "$KANZEN" convert shogi "$@" --quiet 2>err || complain "exit $?: $(cat err)" convert "$@"
}
converts "$data/games_all.csa" games.plain
for way in csa kif; do
    converts "$data/games_all.csa" "written.$way"
    converts "written.$way" "again-$way.plain"
    cmp "again-$way.plain" games.plain || complain "other records" "$way"
done
[ "$(grep -c '^PI$' written.csa) $(grep -c '^/$' written.csa) $(grep -c '^%' written.csa)" = '1 2 3' ] ||
    complain "not three games" written.csa
[ "$(grep -c '^手合割：' written.kif)" = 3 ] && grep -q '^手合割：六枚落ち$' written.kif || complain "not three games" written.kif
converts written.kif from-kif.csa
cmp from-kif.csa written.csa || complain "the ending is lost" kif
# From records without games: they are joined again, whatever the threads.
converts games.plain games.psv
converts games.psv joined.csa --threads 1
converts games.psv joined-2.csa --threads 3
cmp joined.csa joined-2.csa || complain "threads change bytes" csa
[ "$(grep -c '^[+-][0-9]' joined.csa) $(grep -c '^/$' joined.csa)" = '340 2' ] || complain "not three games" joined.csa
# psv does not say how games ended. Who won is kept; that the reason is not known is said, and nothing is called lost.
expect 0 '' '^missing +ending \(csa has it, and not every record told; the word at the end' convert shogi games.psv end.csa --quiet
grep -q '^lost' err && complain "psv had no ending to lose: $(cat err)" csa
[ "$(grep '^%' end.csa | tr '\n' ' ')" = '%TORYO %HIKIWAKE %-ILLEGAL_ACTION ' ] || complain "$(grep '^%' end.csa)" csa
expect 0 '' '^missing +ending \(kif' convert shogi games.psv end.kif --quiet
converts end.csa end.psv --count 181
cmp end.psv <(head -c $((181 * 40)) games.psv) || complain "other results" csa
expect 0 '' '^written +340$' convert shogi "$data/games_all.csa" kept.csa --quiet
grep -q '^lost\|^missing' err && complain "$(cat err)" csa
# hcpe3 keeps its candidates and their visits.
converts "$data/games_all.hcpe3" written.hcpe3 --unsearched
cmp written.hcpe3 "$data/games_all.hcpe3" || complain "other bytes" hcpe3
converts "$data/games_all.hcpe3" mirrored.hcpe3 --unsearched --fold
converts mirrored.hcpe3 mirrored-2.hcpe3 --unsearched --fold
cmp mirrored.hcpe3 mirrored-2.hcpe3 || complain "mirrored twice" hcpe3
# What no game has.
expect 4 '' 'record 1 of all.sspf' convert shogi all.sspf new.csa --quiet
expect 2 '' 'csa has whole games' shogi pipeline games.psv new.csa --quiet
[ ! -e new.csa ] || complain "something was written" "(refused)"
# What other programs write.
for way in ki2 pack; do
    converts "$data/games_all.$way" "$way.sfen"
    cmp "$way.sfen" <(cut -f1 "$data/games_all.tsv") || complain "other positions" "$way"
done
converts "$data/games_all.nshogi" nshogi.sfen
cmp nshogi.sfen <(cut -f1 "$data/games_all.tsv" | sed '182,241d') || complain "other positions" nshogi
head -c 1000 "$data/games_all.pack" >cut.pack
expect 1 '' 'cut short: it ends after 272 bytes of this record' convert shogi cut.pack cut.psv --skip-bad --quiet
(cat "$data/games_all.pack" && printf '\007abc') >odd.pack
expect 1 '' 'record 341 of odd.pack: no game begins with 0x07' convert shogi odd.pack odd.psv --skip-bad --quiet
printf 'V2.2\nPI\n+\n+7776FU\n%%TORYO\n/\nPI\n+\n+7776FU\n-7776FU\n-3334FU\n/\nPI\n+\n+2726FU\n' >bad.csa
expect 1 '' 'record 2 of bad.csa: line 10: .*the game is lost' convert shogi bad.csa bad.psv --skip-bad --quiet
grep -q '^written  *2$' err && grep -q '^lost  *3  positions of games' err || complain "$(cat err)" bad.csa

expect 0 '' '^missing +score, move, ply, result, extra \(psv' convert shogi all.sspf new.psv --quiet
expect 0 '' '^lost +score, ply, result \(hcp ' convert shogi new.psv new.hcp --quiet
expect 0 '^\{' '' convert shogi new.psv new.hcpe --quiet --json
json out 'd["from"] == "psv" and d["to"] == "hcpe" and d["read"] == d["written"] == 4 and d["bad"] == 0'
json out 'd["lost"] == ["ply"] and d["missing"] == [] and d["offenders"] == []'
"$KANZEN" convert shogi new.psv - --to hcpe --quiet --json >piped 2>err && cmp piped new.hcpe || complain "JSON in the way" convert
json err 'd["written"] == 4'
expect 0 '' '^written +2$' convert shogi all.hcp part.hcp --first 1 --count 2 --quiet
cmp part.hcp <(tail -c +33 all.hcp | head -c 64) || complain "not the part" convert

# ---- Bad records --------------------------------------------------------------------------------------------------

{ cat all.hcp && head -c 32 /dev/zero && cat all.hcp && printf rest; } >bad.hcp
expect 4 '' '^kanzen convert shogi: record 5 of bad.hcp: ' convert shogi bad.hcp good.sspf --quiet
[ "$(wc -l <err)" = 1 ] || complain "said twice: $(cat err)" convert
[ -z "$(ls good.sspf* 2>/dev/null)" ] || complain "something was left" convert
expect 1 '' '^kanzen convert shogi: record 10 of bad.hcp: the file is cut short: it ends after 4 bytes' convert shogi bad.hcp good.sspf --skip-bad --quiet
grep -q '^bad, left out  *2$' err || complain "no count: $(cat err)" convert
cmp good.sspf <(cat all.sspf all.sspf) || complain "not all but the bad ones" convert
expect 1 '^\{' 'record 5 of bad.hcp' convert shogi bad.hcp good.sspf --skip-bad --quiet --json --force
json out 'd["bad"] == 2 and [o["number"] for o in d["offenders"]] == [5, 10] and d["trailing_bytes"] == 4'
head -c 3200 /dev/zero >zeros.hcp
expect 1 '' '^kanzen convert shogi: and 90 more bad records$' convert shogi zeros.hcp zeros.sspf --skip-bad --quiet
expect 1 '' '^kanzen convert shogi: line 2 of /dev/fd/' convert shogi --skip-bad --from sfen --to hcp <(sed '2s/.*/x/' all.sfen) x.hcp --quiet

# ---- Streams that stall or end ------------------------------------------------------------------------------------

mkfifo stalled
sleep 20 >stalled &
sleeper=$!
"$KANZEN" convert shogi --from psv --threads 2 stalled stalled.hcpe --quiet 2>err &
run=$!
sleep 0.3
kill -TERM $run
wait $run
code=$?
[ $code -eq 130 ] || complain "exit code $code: $(cat err)" "(stalled pipe)"
[ -z "$(ls stalled.hcpe* 2>/dev/null)" ] || complain "something was left: $(ls stalled.*)" "(stalled pipe)"
kill $sleeper
wait $sleeper 2>/dev/null
if [ -e /dev/full ]; then
    "$KANZEN" convert shogi all.sspf - --to hcp --quiet >/dev/full 2>err
    code=$?
    [ $code -eq 3 ] && grep -q "can't write the standard output: No space" err || complain "$code: $(cat err)" "(full)"
fi

# ---- A run that is interrupted or killed again and again ends in the same bytes -----------------------------------

for ((i = 0; i < 15; i++)); do cat new.psv; done >some.psv
for ((i = 0; i < 13; i++)); do cat some.psv some.psv >twice && mv twice some.psv; done # 491,520 records
"$KANZEN" convert shogi some.psv whole.sspv --quiet 2>err || complain "$(cat err)" convert
# size FILE: of a file that may not be there
size() { stat -c %s "$1" 2>/dev/null || echo 0; }
# Each run is stopped when it has written more than the one before. Signals that cancel are looked at ten times a second;
# after a pause of that length the next look is due at once.
for signal in KILL TERM; do
    stopped=0
    part=$signal.sspv.part
    for ((round = 0; round < 8; round++)); do
        before=$(size $part)
        "$KANZEN" convert shogi some.psv $signal.sspv --quiet --resume --checkpoint 0 --threads 1 2>err &
        run=$!
        while kill -0 $run 2>/dev/null && [ "$(size $part)" -le "$before" ]; do sleep 0.005; done
        { kill -STOP $run && kill -$signal $run && sleep 0.15 && kill -CONT $run; } 2>/dev/null
        wait $run 2>/dev/null
        code=$?
        [ ! -e $signal.sspv ] || break
        case $code in
        137) ;;
        130) grep -q 'resume goes on from there' err || complain "not said: $(cat err)" $signal ;;
        *) complain "exit code $code: $(cat err)" $signal ;;
        esac
        stopped=$((stopped + 1))
    done
    echo "$signal: stopped $stopped times"
    if [ ! -e $signal.sspv ]; then
        expect 3 '' 'sspv.part is there, of a run that was interrupted' convert shogi some.psv $signal.sspv
        expect 2 '' "can't go on with the run of .*: the source had another size" convert shogi new.psv $signal.sspv --resume
        expect 0 '' '^written +491,520$' convert shogi some.psv $signal.sspv --resume --quiet
    fi
    cmp whole.sspv $signal.sspv || complain "other bytes" $signal
    [ -z "$(ls $signal.sspv.part* 2>/dev/null)" ] || complain "left behind: $(ls $signal.*)" $signal
done

# ---- Memory does not grow with the file ---------------------------------------------------------------------------

if have python3 "how much memory a conversion takes"; then
    cat >peak.py <<'END'
import resource, subprocess, sys
subprocess.run(sys.argv[1:], check=True, stderr=subprocess.DEVNULL)
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
END
    head -c 800000 some.psv >few.psv
    few=$(python3 peak.py "$KANZEN" convert shogi few.psv memory.hcpe --force)
    many=$(python3 peak.py "$KANZEN" convert shogi some.psv memory.hcpe --force)
    [ "$many" -lt $((few + 3000)) ] || complain "$few KiB for 20,000 records, $many KiB for 491,520" convert
fi

[ $failures -eq 0 ]
