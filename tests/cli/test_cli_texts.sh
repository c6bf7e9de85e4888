#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# The man page, docs/commands.md and the shell completions say what the tables of the command say.
set -u
. "$KANZEN_SOURCE/tests/support/cli_testing.sh"

"$KANZEN_SOURCE/tools/update-docs" --check "$KANZEN" >differences ||
    complain "not as the command's tables have it; tools/update-docs writes it: $(head -c 2000 differences)" "(docs)"

# The check notices a change of any kind.
mkdir -p copy/tools copy/docs
cp "$KANZEN_SOURCE/docs/commands.md" copy/docs/
cp "$KANZEN_SOURCE/tools/update-docs" copy/tools/
copy/tools/update-docs --check "$KANZEN" >/dev/null || complain "a copy differs" "(docs)"
sed -i 's/--keep-work\b/--keep-works/' copy/docs/commands.md
copy/tools/update-docs --check "$KANZEN" | grep -q -- '-keep-works' || complain "a changed option went unnoticed" "(docs)"
cp "$KANZEN_SOURCE/docs/commands.md" copy/docs/
sed -i '/^<!-- usage: perft -->/,/^<!-- end -->/d' copy/docs/commands.md
copy/tools/update-docs --check "$KANZEN" | grep -q '^+## perft$' || complain "a missing command went unnoticed" "(docs)"
copy/tools/update-docs "$KANZEN" >/dev/null
copy/tools/update-docs --check "$KANZEN" >/dev/null || complain "written, and still different" "(docs)"

# Every option is explained, and every command has an example.
"$KANZEN" help --format markdown >markdown
if grep -n '^| `[^`]*` |  |$' markdown; then complain "an option without help" "(help)"; fi
grep '^<!-- usage: ' markdown | sed 's/^<!-- usage: \(.*\) -->$/\1/' >names
[ "$(wc -l <names)" -ge 40 ] || complain "only $(wc -l <names) commands" "(help)"
while read -r name; do
    # shellcheck disable=SC2086
    "$KANZEN" help $name >text || complain "no help" help "$name"
    grep -q '^Examples:$' text || complain "no example" help "$name"
    # They fit a terminal of 80 columns, but for examples, which are there to be copied.
    [ "$(awk '/^Examples:/ { exit } { if (length($0) > most) most = length($0) } END { print most }' text)" -le 80 ] ||
        complain "lines are too long" help "$name"
done <names

# The man page has all commands between its own first and last sections.
man=$PWD/kanzen.1
"$KANZEN_SOURCE/tools/make-man" "$KANZEN" "$man" || complain "it can't be made" "(man page)"
[ "$(grep '^\.S[hs] ' "$man" | sed -n '1p;$p' | paste -sd' ')" = ".Sh NAME .Sh SEE ALSO" ] ||
    complain "not all sections are there" "(man page)"
while read -r name; do
    grep -qx "\.Ss kanzen $name" "$man" || complain "$name is missing" "(man page)"
done <names
if command -v mandoc >/dev/null; then
    mandoc -Tlint "$man" >lint 2>/dev/null || complain "$(cat lint)" "(man page)"
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
completes '--threads --quiet --json --help' count dobutsu --
completes --packets probe dobutsu --pa
completes --range export dobutsu --ra
completes packets export dobutsu --format p
completes --divide perft dobutsu 3 --d
completes 'official simplified' solve dobutsu --rules ''
completes simplified solve dobutsu --rules = s
completes 'official simplified' solve dobutsu --rules =
completes 'official simplified' solve dobutsu --board ''
completes 'mini' solve pushfight --board m
completes mini solve --board = m
completes "$(forms pushfight)" convert pushfight --to ''
completes 'state40' convert dobutsu --to st
completes 'psfen psv' convert shogi --to ps
completes 'hcp hcpe hcpe2 hcpe3' convert shogi --from hc
completes apery convert shogi --to-dialect a
completes shogi convert sh
completes 'pack dobutsu pushfight' bench ''
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

mkdir bin home
ln -s "$KANZEN" bin/kanzen
if have zsh "completions of zsh"; then
    zsh -n "$KANZEN_SOURCE/packaging/completions/_kanzen" || complain "zsh can't read it" "(completion)"
    # zsh_completes EXPECTED LINE: what a real zsh in a terminal adds to the line when Tab is pressed
    zsh_completes() {
        local got
        got=$(PATH=$PWD/bin:$PATH HOME=$PWD/home COMPLETIONS=$KANZEN_SOURCE/packaging/completions LINE=$2 \
            python3 "$KANZEN_SOURCE/tests/support/zsh_complete.py")
        [ "$got" = "$1" ] || complain "zsh completed to '$got', not '$1'" "$2"
    }
    if have python3 "completions of zsh in a terminal"; then
        zsh_completes 'kanzen solve ' 'kanzen sol'
        zsh_completes 'kanzen solve dobutsu ' 'kanzen solve do'
        zsh_completes 'kanzen probe dobutsu --packets ' 'kanzen probe dobutsu --pa'
        zsh_completes 'kanzen export dobutsu --range ' 'kanzen export dobutsu --ra'
        zsh_completes 'kanzen solve dobutsu --rules simplified ' 'kanzen solve dobutsu --rules s'
        zsh_completes 'kanzen solve dobutsu --rules=simplified ' 'kanzen solve dobutsu --rules=s'
        zsh_completes 'kanzen verify one.kzt ' 'kanzen verify on'
        zsh_completes 'kanzen serve --bind 0.0.0.0 ' 'kanzen serve --bind 0'
    fi
fi
if have fish "completions of fish"; then
    fish_completes() {
        local got
        got=$(PATH=$PWD/bin:$PATH HOME=$PWD/home fish --no-config -c 'source $argv[1]; complete -C $argv[2]' \
            "$KANZEN_SOURCE/packaging/completions/kanzen.fish" "$2" | cut -f1 | paste -sd' ')
        [ "$got" = "$1" ] || complain "fish completed to '$got', not '$1'" "$2"
    }
    fish_completes solve 'kanzen so'
    fish_completes 'dobutsu pushfight' 'kanzen solve '
    fish_completes '--help --json --quiet --threads' 'kanzen count dobutsu --'
    fish_completes --packets 'kanzen probe dobutsu --pa'
    fish_completes --range 'kanzen export dobutsu --ra'
    fish_completes 'official simplified' 'kanzen solve dobutsu --rules '
    fish_completes --rules=simplified 'kanzen solve dobutsu --rules=s'
    fish_completes mini 'kanzen solve pushfight --board m'
    fish_completes state40 'kanzen convert dobutsu --to st'
    fish_completes 'psfen psv' 'kanzen convert shogi --to ps'
    fish_completes 'hcp hcpe hcpe2 hcpe3' 'kanzen convert shogi --from hc'
    fish_completes shogi 'kanzen convert sh'
    fish_completes one.kzt 'kanzen convert shogi on'
    fish_completes startpos 'kanzen perft dobutsu 3 '
fi

[ $failures -eq 0 ]
