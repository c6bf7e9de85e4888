# SPDX-License-Identifier: MIT
#
# Completion of kanzen for bash. Commands, options, games, rules and forms come from the command's own help.

# Names below a heading of the overview: _kanzen_listed KANZEN Commands|Games
_kanzen_listed() {
    "$1" help 2>/dev/null | sed -n "/^$2:/,/^\$/s/^  \\([a-z][a-z0-9]*\\) .*/\\1/p"
}

# Words after "rules:" or "forms:" in the overview
_kanzen_words() {
    "$1" help 2>/dev/null | sed -n "s/^ *$2: //p" | tr -d ,
}

_kanzen() {
    local kanzen=${COMP_WORDS[0]} current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]}
    local command=${COMP_WORDS[1]} candidates='' operands=0 i
    COMPREPLY=()

    # bash splits --name=value at the equals sign
    if [ "$current" = = ]; then
        current=''
    elif [ "$previous" = = ]; then
        previous=${COMP_WORDS[COMP_CWORD - 2]}
    fi

    if [ "$COMP_CWORD" -eq 1 ]; then
        candidates="$(_kanzen_listed "$kanzen" Commands) --help --version"
    elif [ "$previous" = --table ] || [ "$previous" = --out ] || [ "$previous" = --svg ]; then
        compopt -o filenames 2>/dev/null
        mapfile -t COMPREPLY < <(compgen -f -- "$current")
        return
    elif [ "$previous" = --rules ]; then
        candidates=$(_kanzen_words "$kanzen" rules)
    elif [ "$previous" = --to ]; then
        candidates=$(_kanzen_words "$kanzen" forms)
    elif [ "$previous" = --threads ] || [ "$previous" = --plies ] || [ "$previous" = --probes ]; then
        return
    elif [[ $current == -* ]]; then
        candidates="$("$kanzen" help "$command" 2>/dev/null | sed -n 1p | grep -o -- '--[a-z]*') --help"
    else
        for ((i = 2; i < COMP_CWORD; i++)); do
            case ${COMP_WORDS[i]} in
            --rules | --table | --out | --svg | --to | --threads | --plies | --probes)
                i=$((i + 1))
                [ "${COMP_WORDS[i]}" != = ] || i=$((i + 1))
                ;;
            -*) ;;
            *) operands=$((operands + 1)) ;;
            esac
        done
        case $command:$operands in
        verify:0)
            compopt -o filenames 2>/dev/null
            mapfile -t COMPREPLY < <(compgen -f -- "$current")
            return
            ;;
        check:0) candidates=try-rule ;;
        help:0) candidates=$(_kanzen_listed "$kanzen" Commands) ;;
        solve:0 | probe:0 | moves:0 | line:0 | show:0 | convert:0 | stats:0 | count:0 | perft:0 | bench:0)
            candidates=$(_kanzen_listed "$kanzen" Games)
            ;;
        probe:* | convert:* | moves:1 | line:1 | show:1 | perft:2) candidates=startpos ;;
        esac
    fi
    mapfile -t COMPREPLY < <(compgen -W "$candidates" -- "$current")
}

complete -F _kanzen kanzen
