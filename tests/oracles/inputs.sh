# shellcheck shell=bash disable=SC2154
# SPDX-License-Identifier: MIT
#
# What tools/oracles has at hand for commands and routes, in the folder $work/here: tables, records, games, and bad files.

make_inputs() {
    local kind name
    cd "$work/here" || return
    mkdir -p tables .local/share/kanzen pushfight games/deeper raw packets/0
    while read -r name; do
        ln -s "$tables/$name.kzt" "tables/$name.kzt"
        ln -s "$tables/$name.kzt" "$name.kzt"
    done <"$work/solved"
    ln -s "$tables/dobutsu-official.kzt" .local/share/kanzen
    cp "$tables/tictactoe-standard.kzt" table.kzt
    cp "$tables/pushfight-mini.kzt" mini.kzt
    cp "$tables/pushfight-raft.kzt" my.kzt
    cp "$data"/clausecker.* .
    cp "$data"/pushfight/*.tsv pushfight
    for kind in csa hcpe3 ki2 nshogi pack; do cp "$shogi/games_all.$kind" games.$kind; done
    cp "$shogi/games_1.kif" games.kif
    sed -n 's/^sfen //p' "$shogi/huffman.txt" >huffman.sfen
    for kind in psv sspf sspfx sspfc psfen hcp sspv hcpe hcpe2 sfen plain; do
        "$KANZEN" convert shogi games.csa "games.$kind" --quiet --skip-bad >/dev/null 2>&1 || [ -s "games.$kind" ] || say "no games.$kind"
    done
    printf 'position startpos moves 7g7f 3c3d 8h2b+ 3a2b\nstartpos moves 2g2f\n' >games.usi
    cat games.psv games.psv >twice.psv
    zstd -q twice.psv && gzip -kn twice.psv
    { head -c 120 games.psv && head -c 32 /dev/zero | tr '\0' '\377' && head -c 8 /dev/zero && head -c 80 games.psv && printf ab; } >bad.psv
    head -c 4000 games.psv >old.psv
    "$KANZEN" convert shogi games.psv new.hcpe --skip 50 --quiet 2>/dev/null || true
    cp new.hcpe old.hcpe
    cp games.psv a.psv && cp old.psv b.psv && cp games.psv train.bin
    cp old.psv games && cp new.hcpe games/deeper
    zstd -q <games.psv >raw/x.bin.zst
    printf '\x48\x5c\x78\x20\x2b' >packets/maximums.dat
    printf '\x1a\x5c\x78\x20\x2b\x7c\x00\x00\xf6\x5c\x78\x20\x2b\x37\x01\x00' >packets/0/0.dat
    # Damage: a byte in the middle is another one.
    for kind in pushfight-mini: dobutsu-official:-dobutsu chess-men3:-any; do
        cp "$tables/${kind%:*}.kzt" "damaged${kind#*:}.kzt"
        printf '\125\252\125\252' | dd of="damaged${kind#*:}.kzt" bs=1 seek=$(($(stat -L -c %s "$tables/${kind%:*}.kzt") / 2)) conv=notrunc status=none
    done
    head -c 100000 mini.kzt >cut.kzt
    : >empty.kzt
    echo nonsense >nonsense.kzt
    printf 'startpos\ngle/1C1/3/ELG w C 2\n\nnonsense\n0xabe0785c1d\n' >positions.txt
    printf 'startpos\n' >openings.txt
    printf '{"pos": "startpos"}\n{"request": "legal", "id": 5}\n' >questions.jsonl
    "$KANZEN" play dobutsu --side none --level easy --seed 4 --save game.kif >/dev/null 2>&1 || true
    printf 'game: dobutsu\nrules: official\n2d3c\n2a1b\n2c2b\n' >game.txt
    cd - >/dev/null || return
}
