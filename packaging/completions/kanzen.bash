# shellcheck shell=bash
# SPDX-License-Identifier: MIT
#
# Completion of kanzen for bash. The command itself knows what can follow: kanzen help --complete -- WORD...

_kanzen() {
    local words=() candidates='' current word line
    COMPREPLY=()
    # bash splits --name=value at the equals sign; --name value means the same
    for word in "${COMP_WORDS[@]:1:COMP_CWORD}"; do
        [ "$word" = = ] || words+=("$word")
    done
    [ "${COMP_WORDS[COMP_CWORD]}" != = ] || words+=('')
    current=${words[-1]}
    while IFS= read -r line; do
        case $line in
        :files)
            compopt -o filenames 2>/dev/null
            mapfile -t COMPREPLY < <(compgen -f -- "$current")
            ;;
        :folders)
            compopt -o filenames 2>/dev/null
            mapfile -t COMPREPLY < <(compgen -d -- "$current")
            ;;
        *) candidates+="${line%%$'\t'*} " ;;
        esac
    done < <("${COMP_WORDS[0]}" help --complete -- "${words[@]}" 2>/dev/null)
    [ -z "$candidates" ] || mapfile -t COMPREPLY < <(compgen -W "$candidates" -- "$current")
}

complete -F _kanzen kanzen
