# SPDX-License-Identifier: MIT
#
# Completion of kanzen for fish. Commands, options, games, rules and forms come from the command's own help.

# Lines "name<tab>description" below a heading of the overview
function __kanzen_listed
    kanzen help 2>/dev/null | sed -n "/^$argv[1]:/,/^\$/s/^  \([a-z][a-z0-9]*\) *\(.*\)/\1\t\2/p"
end

# Words after "rules:" or "forms:" in the overview, of the game that is being typed or, if it is not known, of all
function __kanzen_words
    set -l game (__kanzen_game)
    set -l where
    test -z "$game"; or set where "/^  $game /,/^  [a-z]/"
    kanzen help 2>/dev/null | sed -n "$where""s/^ *$argv[1]: //p" 2>/dev/null | string split ', '
end

# Lines "--name<tab>description" of the command that is being typed
function __kanzen_options
    set -l words (commandline -opc)
    kanzen help $words[2] 2>/dev/null | sed -n 's/^  \(--[a-z-]*\)[ A-Z]*  *\([a-z].*\)/\1\t\2/p'
    printf '%s\t%s\n' --help 'explain the command'
end

# Kinds of shogi records, from the help of convert
function __kanzen_records
    kanzen help convert 2>/dev/null | sed -n '/RECORDS are$/,/^Without/s/^  \([a-z0-9, ]*[a-z0-9]\)   .*/\1/p' |
        string split ', '
end

set -g __kanzen_numbers --port --connections --threads --phases --checkpoint --plies --probes --chunk --merged --best --count \
    --positions --rounds --seed --sample --range --memory --per-length --multipv --timeout
set -g __kanzen_texts --rules --board --device --to --first --from --dialect --to-dialect --format --path --record --bind --level --side

# The words that follow the command, options and their values aside
function __kanzen_operands
    set -l skip 0
    for word in (commandline -opc)[3..-1]
        if test $skip -eq 1
            set skip 0
        else if contains -- $word $__kanzen_texts --table --out --svg --scratch --site --load --save --packets $__kanzen_numbers
            set skip 1
        else if not string match -q -- '-*' $word
            echo $word
        end
    end
end

function __kanzen_game
    set -l words (commandline -opc)
    if test "$words[2]" = pushfight
        echo pushfight
    else if contains -- "$words[2]" usi uci
        echo dobutsu
    else
        __kanzen_operands | head -n 1
    end
end

# __kanzen_at COUNT COMMAND...: one of these commands, with so many operands behind it
function __kanzen_at
    set -l words (commandline -opc)
    test (count $words) -ge 2; and contains -- $words[2] $argv[2..-1]; and test (__kanzen_operands | count) -eq $argv[1]
end

# __kanzen_value OPTION...: the word before is one of these options
function __kanzen_value
    contains -- (commandline -opc)[-1] $argv
end

function __kanzen_wants_option
    test (count (commandline -opc)) -ge 2; and string match -q -- '-*' (commandline -ct)
end

set -l files --table --out --svg --scratch --site --load --save --packets
set -l free "not __kanzen_value $files $__kanzen_texts $__kanzen_numbers"
set -l shogi 'test (__kanzen_game) = shogi'

complete -c kanzen -f
complete -c kanzen -n 'test (count (commandline -opc)) -eq 1' -a '(__kanzen_listed Commands)'
complete -c kanzen -n "__kanzen_value $files" -F
complete -c kanzen -n '__kanzen_value --rules --board' -a '(__kanzen_words rules)'
complete -c kanzen -n '__kanzen_value --device' -a 'cpu cuda'
complete -c kanzen -n '__kanzen_value --level' -a 'beginner easy medium hard expert perfect'
complete -c kanzen -n '__kanzen_value --side' -a 'first second both none'
complete -c kanzen -n '__kanzen_value --bind' -a '127.0.0.1 0.0.0.0 ::1 ::'
complete -c kanzen -n "__kanzen_value --to; and not $shogi" -a '(__kanzen_words forms)'
complete -c kanzen -n "__kanzen_value --from --record; or __kanzen_value --to; and $shogi" -a '(__kanzen_records)'
complete -c kanzen -n '__kanzen_value --dialect --to-dialect' -a 'yaneuraou drops82 apery'
complete -c kanzen -n '__kanzen_value --format; and not __kanzen_at 0 export; and not __kanzen_at 1 export' \
    -a 'sspf sspfx sspfc psfen hcp'
complete -c kanzen -n '__kanzen_value --format; and __kanzen_at 1 export; and test (__kanzen_game) = dobutsu' \
    -a 'packets states wins values sqlite'
complete -c kanzen -n '__kanzen_value --format; and __kanzen_at 1 export' -a csv
complete -c kanzen -n '__kanzen_value --path' -a 'plain sse42 avx2 bmi2 vbmi2 neon'
complete -c kanzen -n '__kanzen_wants_option' -a '(__kanzen_options)'
complete -c kanzen -n "$free; and __kanzen_at 0 solve probe moves line inspect play show convert stats longest puzzles export count perft selftest bench" \
    -a '(__kanzen_listed Games)'
complete -c kanzen -n "$free; and __kanzen_at 0 verify compare annotate" -F
complete -c kanzen -n "$free; and __kanzen_at 0 check" -a try-rule
complete -c kanzen -n "$free; and __kanzen_at 0 pushfight" -a 'phase0 chunk values openings reachable'
complete -c kanzen -n "$free; and __kanzen_at 0 shogi" -a 'check stats shuffle dedupe sample head cat show'
complete -c kanzen -n "$free; and __kanzen_at 1 shogi" -F
complete -c kanzen -n "$free; and __kanzen_at 2 shogi" -F
complete -c kanzen -n "$free; and __kanzen_at 0 help" -a '(__kanzen_listed Commands)'
complete -c kanzen -n "$free; and __kanzen_at 0 convert" -a shogi
complete -c kanzen -n "$free; and __kanzen_at 0 bench" -a pack
complete -c kanzen -n "$free; and __kanzen_at 1 convert; and $shogi" -F
complete -c kanzen -n "$free; and __kanzen_at 2 convert; and $shogi" -F
complete -c kanzen -n "$free; and __kanzen_at 1 probe convert moves line inspect show; and not $shogi" -a startpos
complete -c kanzen -n "$free; and __kanzen_at 2 perft" -a startpos
