#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# The man page, the list of commands in docs/ and the shell completions keep up with the commands.
set -u
. "$KANZEN_SOURCE/tests/support/cli_testing.sh"
man=$KANZEN_SOURCE/packaging/man/kanzen.1
docs=$KANZEN_SOURCE/docs/commands.md

for name in $("$KANZEN" help | sed -n '/^Commands:/,/^$/s/^  \([a-z]*\) .*/\1/p'); do
    usage=$("$KANZEN" help "$name" | sed -n '1,/^$/s/^\(Usage:\)\? *//p' | paste -sd' ' | sed 's/ *$//')
    grep -q "^\.Cm $name\$" "$man" || complain "not in the man page" "$name"
    grep -qF "    $usage" "$docs" || complain "not in docs/commands.md: $usage" "$name"
    for option in $(grep -o -- '--[a-z-]*' <<<"$usage"); do
        grep -q -- "^\.It Fl .-${option#--}\b" "$man" || complain "$option is not in the man page" "$name"
        "$KANZEN" help "$name" | grep -q -- "^  $option " || complain "$option is not explained" "$name"
    done
done

if command -v mandoc >/dev/null; then
    mandoc -Tlint "$man" >lint || complain "$(cat lint)" "(man page)"
elif have man "whether the man page has errors"; then
    man --warnings -l "$man" >/dev/null 2>lint
    [ ! -s lint ] || complain "$(cat lint)" "(man page)"
fi

# ---- bash --------------------------------------------------------------------------------------------------------

. "$KANZEN_SOURCE/packaging/completions/kanzen.bash"
compopt() { :; } # works inside a completion only

# completes EXPECTED WORD...: what the last word is completed to, in order
completes() {
    local expected=$1
    shift
    COMP_WORDS=("$KANZEN" "$@") COMP_CWORD=$#
    _kanzen
    [ "${COMPREPLY[*]}" = "$expected" ] || complain "completed to '${COMPREPLY[*]}', not '$expected'" "$@"
}

touch one.kzt
completes solve so
completes 'dobutsu pushfight' solve ''
completes '--rules --board --threads --out --device --phases --checkpoint --keep-work --force --quiet --json --help' solve dobutsu --
completes --divide perft dobutsu 3 --d
completes 'official simplified' solve dobutsu --rules ''
completes simplified solve dobutsu --rules = s
completes 'official simplified' solve dobutsu --rules =
completes 'official simplified' solve dobutsu --board ''
completes 'mini' solve pushfight --board m
completes mini solve --board = m
completes 'string diagram index minimized' convert pushfight --to ''
completes 'state40' convert dobutsu --to st
completes 'psfen psv' convert shogi --to ps
completes 'hcp hcpe hcpe2 hcpe3' convert shogi --from hc
completes apery convert shogi --to-dialect a
completes shogi convert sh
completes 'dobutsu pushfight pack' bench ''
completes 'sspf sspfx sspfc' bench pack --format ss
completes vbmi2 bench pack --path v
completes one.kzt convert shogi --from psv o
completes one.kzt probe dobutsu --table o
completes one.kzt verify o
completes startpos probe --table one.kzt dobutsu s
completes startpos perft --rules = official dobutsu 3 ''
completes '' perft dobutsu ''
completes try-rule check ''
completes 'phase0 chunk values openings reachable' pushfight ''
completes 'cpu cuda' solve pushfight --device ''
completes 'shuffle show' shogi sh
completes one.kzt shogi shuffle one.kzt o
completes 'hcp hcpe hcpe2 hcpe3' shogi check --record hcp
completes 'verify version' help ver
completes '' solve dobutsu --threads ''
completes '' nonsense ''

# ---- zsh and fish, where they are ----------------------------------------------------------------------------------

if have zsh "completions of zsh"; then
    zsh -n "$KANZEN_SOURCE/packaging/completions/_kanzen" || complain "zsh can't read it" "(completion)"
fi
if have fish "completions of fish"; then
    mkdir bin home
    ln -s "$KANZEN" bin/kanzen
    fish_completes() {
        local got
        got=$(PATH=$PWD/bin:$PATH HOME=$PWD/home fish --no-config -c 'source $argv[1]; complete -C $argv[2]' \
            "$KANZEN_SOURCE/packaging/completions/kanzen.fish" "$2" | cut -f1 | paste -sd' ')
        [ "$got" = "$1" ] || complain "fish completed to '$got', not '$1'" "$2"
    }
    fish_completes solve 'kanzen so'
    fish_completes 'dobutsu pushfight' 'kanzen solve '
    fish_completes '--help --json --quiet --threads' 'kanzen count dobutsu --'
    fish_completes 'official simplified' 'kanzen solve dobutsu --rules '
    fish_completes mini 'kanzen solve pushfight --board m'
    fish_completes state40 'kanzen convert dobutsu --to st'
    fish_completes 'psfen psv' 'kanzen convert shogi --to ps'
    fish_completes 'hcp hcpe hcpe2 hcpe3' 'kanzen convert shogi --from hc'
    fish_completes shogi 'kanzen convert sh'
    fish_completes one.kzt 'kanzen convert shogi on'
    fish_completes startpos 'kanzen perft dobutsu 3 '
fi

[ $failures -eq 0 ]
