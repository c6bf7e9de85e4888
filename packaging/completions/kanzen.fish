# SPDX-License-Identifier: MIT
#
# Completion of kanzen for fish. The command itself knows what can follow: kanzen help --complete -- WORD...

function __kanzen_candidates
    set -l words (commandline -opc)
    set -l current (commandline -ct)
    for line in ($words[1] help --complete -- $words[2..-1] "$current" 2>/dev/null)
        switch $line
            case :files
                __fish_complete_path $current
            case :folders
                __fish_complete_directories $current
            case '*'
                printf '%s\n' $line
        end
    end
end

complete -c kanzen -f -a '(__kanzen_candidates)'
