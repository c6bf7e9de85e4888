# SPDX-License-Identifier: MIT
#
# Completion of kanzen for bash. Commands, options, games, rules and forms come from the command's own help.

# Names below a heading of the overview: _kanzen_listed KANZEN Commands|Games
_kanzen_listed() {
    "$1" help 2>/dev/null | sed -n "/^$2:/,/^\$/s/^  \\([a-z][a-z0-9]*\\) .*/\\1/p"
}

# Words after "rules:" or "forms:" in the overview, of one game or, if it is not known, of all: KANZEN rules|forms GAME
_kanzen_words() {
    "$1" help 2>/dev/null | sed -n "${3:+/^  $3 /,/^  [a-z]/}s/^ *$2: //p" 2>/dev/null | tr -d ,
}

# Kinds of shogi records, from the help of convert
_kanzen_records() {
    "$1" help convert 2>/dev/null | sed -n '/RECORDS are$/,/^Without/s/^  \([a-z0-9, ]*[a-z0-9]\)   .*/\1/p' | tr -d ,
}

_kanzen() {
    local kanzen=${COMP_WORDS[0]} current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]}
    local command=${COMP_WORDS[1]} candidates='' operands=0 game='' i
    COMPREPLY=()

    # bash splits --name=value at the equals sign
    if [ "$current" = = ]; then
        current=''
    elif [ "$previous" = = ]; then
        previous=${COMP_WORDS[COMP_CWORD - 2]}
    fi

    for ((i = 2; i < COMP_CWORD; i++)); do
        case ${COMP_WORDS[i]} in
        --rules | --board | --table | --out | --device | --svg | --to | --threads | --phases | --checkpoint | \
            --plies | --probes | --chunk | --merged | --first | --best | --from | --dialect | --to-dialect | --count | \
            --positions | --rounds | --seed | --sample | --range | --format | --path | --record | --memory | --scratch | --per-length | \
            --port | --bind | --site | --connections | --multipv | --level | --side | --load | --save | --packets | --timeout)
            i=$((i + 1))
            [ "${COMP_WORDS[i]}" != = ] || i=$((i + 1))
            ;;
        -*) ;;
        *)
            [ "$operands" -gt 0 ] || game=${COMP_WORDS[i]}
            operands=$((operands + 1))
            ;;
        esac
    done
    [ "$command" != pushfight ] || game=pushfight
    [[ $command != u[sc]i ]] || game=dobutsu

    if [ "$COMP_CWORD" -eq 1 ]; then
        candidates="$(_kanzen_listed "$kanzen" Commands) --help --version"
    else
        case $previous in
        --table | --out | --svg | --scratch | --site | --load | --save | --packets)
            compopt -o filenames 2>/dev/null
            mapfile -t COMPREPLY < <(compgen -f -- "$current")
            return
            ;;
        --rules | --board) candidates=$(_kanzen_words "$kanzen" rules "$game") ;;
        --device) candidates='cpu cuda' ;;
        --level) candidates='beginner easy medium hard expert perfect' ;;
        --side) candidates='first second both none' ;;
        --bind) candidates='127.0.0.1 0.0.0.0 ::1 ::' ;;
        --port | --connections) return ;;
        --from | --record) candidates=$(_kanzen_records "$kanzen") ;;
        --to)
            candidates=$(_kanzen_words "$kanzen" forms "$game")
            [ "$game" != shogi ] || candidates=$(_kanzen_records "$kanzen")
            ;;
        --dialect | --to-dialect) candidates='yaneuraou drops82 apery' ;;
        --format)
            candidates='sspf sspfx sspfc psfen hcp'
            [ "$command" != export ] || candidates=csv
            [ "$command $game" != 'export dobutsu' ] || candidates='packets states wins values sqlite csv'
            ;;
        --path) candidates='plain sse42 avx2 bmi2 vbmi2 neon' ;;
        --threads | --phases | --checkpoint | --plies | --probes | --chunk | --merged | --first | --best | --count | \
            --positions | --rounds | --seed | --sample | --range | --memory | --per-length | --multipv | --timeout)
            return
            ;;
        *)
            if [[ $current == -* ]]; then
                candidates="$("$kanzen" help "$command" 2>/dev/null | sed '/^$/q' | grep -o -- '--[a-z-]*') --help"
            else
                [ "$command $game" != 'convert shogi' ] || command=convert-shogi
                case $command:$operands in
                verify:0 | compare:0 | annotate:0 | convert-shogi:[12] | shogi:[12])
                    compopt -o filenames 2>/dev/null
                    mapfile -t COMPREPLY < <(compgen -f -- "$current")
                    return
                    ;;
                check:0) candidates=try-rule ;;
                shogi:0) candidates='check stats shuffle dedupe sample head cat show' ;;
                pushfight:0) candidates='phase0 chunk values openings reachable' ;;
                help:0) candidates=$(_kanzen_listed "$kanzen" Commands) ;;
                solve:0 | probe:0 | moves:0 | line:0 | inspect:0 | play:0 | show:0 | stats:0 | longest:0 | puzzles:0 | export:0 | count:0 | perft:0 | selftest:0)
                    candidates=$(_kanzen_listed "$kanzen" Games)
                    ;;
                convert:0) candidates="$(_kanzen_listed "$kanzen" Games) shogi" ;;
                bench:0) candidates="$(_kanzen_listed "$kanzen" Games) pack" ;;
                probe:* | convert:* | moves:1 | line:1 | inspect:1 | show:1 | perft:2) candidates=startpos ;;
                esac
            fi
            ;;
        esac
    fi
    mapfile -t COMPREPLY < <(compgen -W "$candidates" -- "$current")
}

complete -F _kanzen kanzen
