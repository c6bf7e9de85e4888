# shellcheck shell=bash
# SPDX-License-Identifier: MIT
#
# Runs a command again and again, each time with another call of the C library failing (shim.c), and looks at what it
# leaves behind. $KANZEN is the command, $FAULT_SHIM the library. The working folder is the test's own.
#
# A command that a fault hits may still be right, where the fault does not matter. Otherwise it says what is wrong, ends
# with exit code 3, and leaves what was there before: never half a file, and nothing else.
. "$KANZEN_SOURCE/tests/support/cli_testing.sh"

# How many faults of a kind are tried at most, evenly among all calls.
most_faults=1
[ -z "${THOROUGH:-}" ] || most_faults=${MOST_FAULTS:-40}
tried=0

# What each fault is called, and what the message has to say: a part of strerror's text, or of the program's own.
declare -A reasons=([ENOSPC]='No space left on device' [EIO]='Input/output error' [ENOMEM]="memory|Resource temporarily unavailable"
    [EMFILE]='Too many open files' [EAGAIN]='Resource temporarily unavailable')

# The library of AddressSanitizer, if it is there, has to come first; then malloc is its own and never fails.
sanitizer=$(ldd "$KANZEN" | sed -n 's/.* => \(.*libasan[^ ]*\).*/\1/p')
preloaded="$sanitizer${sanitizer:+ }$FAULT_SHIM"
preload() { timeout 60 env LD_PRELOAD="$preloaded" "$@"; }

# faulty FAULT COMMAND...: in the folder work, a copy of the folder before; leaves ../out, ../err and ../log
faulty() {
    local fault=$1
    shift
    rm -rf work log
    cp -a before work
    (cd work && FAULT=$fault FAULT_LOG=../log preload "$KANZEN" "$@" >../out 2>../err </dev/null)
}

listing() { (cd "$1" && find . -type f -printf '%P\n' | sort); }

# Every file that is there is as it was, or as it ought to be; and there are no others, unless $leftover (an extended
# regular expression) says that they may be: what a later run goes on with.
unharmed() {
    local name
    while read -r name; do
        if [ -f "after/$name" ] && cmp -s "work/$name" "after/$name"; then continue; fi
        if [ -f "before/$name" ] && cmp -s "work/$name" "before/$name"; then continue; fi
        if [ -n "${leftover:-}" ] && [[ $name =~ $leftover ]]; then continue; fi
        echo "$name"
        return 1
    done < <(listing work)
    while read -r name; do
        [ -f "work/$name" ] || { echo "$name is gone" && return 1; }
    done < <(listing before)
}

same() { [ "$(listing work)" = "$(listing after)" ] && unharmed >/dev/null; }

# one FAULT NAMED COMMAND...: with one fault. True if it was hit.
one() {
    local fault=$1 named=$2 code reason
    shift 2
    faulty "$fault" "$@"
    code=$?
    tried=$((tried + 1))
    local wrong
    wrong=$(unharmed) || complain "$fault: left $wrong (exit code $code): $(head -c 300 err)" "$@"
    if [ $code -eq 0 ]; then
        same || complain "$fault: exit code 0, but there is $(listing work | tr '\n' ' ')" "$@"
    elif [ $code -eq 3 ]; then
        reason=${fault##*:}
        grep -Eq "${reasons[$reason]}" err || complain "$fault: no reason: $(head -c 300 err)" "$@"
        [ -z "$named" ] || grep -Eq -- "$named" err || complain "$fault: no file: $(head -c 300 err)" "$@"
    else
        complain "$fault: exit code $code: $(tail -c 600 err)" "$@"
    fi
    if [ $code -ne 0 ] && [ -n "${again:-}" ]; then
        # What is left behind does no harm: the same command, or with one more option, does it now.
        local word=()
        [ "$again" = same ] || word=("$again")
        (cd work && "$KANZEN" "$@" "${word[@]}" >../out 2>../err </dev/null) && same ||
            complain "after $fault: not done by another run: $(head -c 300 err)" "$@"
    fi
}

# sweep KIND ERROR NAMED COMMAND...: every call of the kind, or most_faults of them, evenly. NAMED is a pattern that
# the message has to match (the file), '' if there is none to name.
sweep() {
    local kind=$1 error=$2 named=$3 calls step call
    shift 3
    faulty "$kind:0" "$@" || complain "$kind:0: exit code $?: $(head -c 300 err)" "$@"
    calls=$(cat log)
    step=$(((calls + most_faults - 1) / most_faults))
    [ "$step" -gt 0 ] || step=1
    for ((call = 1; call <= calls; call += step)); do
        one "$kind:$call:$error" "$named" "$@"
    done
    [ "$calls" -eq 0 ] || [ "$kind" = malloc ] || one "$kind:1+:$error" "$named" "$@"
}

# prepare COMMAND...: the folder after is what the folder before becomes when nothing fails.
prepare() {
    rm -rf after
    cp -a before after
    (cd after && "$KANZEN" "$@" >../out 2>../err </dev/null) || complain "exit code $?: $(head -c 300 err)" "$@"
}
