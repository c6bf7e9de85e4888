#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# labels: unsanitized
#
# The public headers: each stands on its own in C and in C++, with every compiler that is here; what they declare is
# what tests/data/abi.txt lists; and the comparison does see what would break a program.
set -u
. "$KANZEN_SOURCE/tests/support/have.sh"
failures=0
complain() {
    echo "$1"
    failures=$((failures + 1))
}

headers=("$KANZEN_SOURCE"/include/kanzen/*.h "$KANZEN_SOURCE"/shogi/include/kanzen/*.h)
folders=(-I"$KANZEN_SOURCE/include" -I"$KANZEN_SOURCE/shogi/include")

# ---- Each header alone --------------------------------------------------------------------------------------------

in_c=() in_cpp=()
for compiler in gcc clang; do
    have $compiler "headers with $compiler" && in_c+=($compiler)
done
for compiler in g++ clang++; do
    have $compiler "headers with $compiler" && in_cpp+=($compiler)
done
warnings="-Wall -Wextra -Wpedantic -Wshadow -Wconversion -Werror -fsyntax-only"
for header in "${headers[@]}"; do
    name=$(basename "$header" .h)
    # Twice, because a guard that is missing or another header's shows only then.
    printf '#include <kanzen/%s.h>\n#include <kanzen/%s.h>\n' "$name" "$name" >one.c
    cp one.c one.cpp
    for compiler in "${in_c[@]}"; do
        $compiler -std=c17 $warnings -Wstrict-prototypes -Wvla "${folders[@]}" one.c ||
            complain "$compiler does not take kanzen/$name.h as C17"
    done
    for compiler in "${in_cpp[@]}"; do
        $compiler -std=c++17 $warnings "${folders[@]}" one.cpp ||
            complain "$compiler does not take kanzen/$name.h as C++17"
    done
    guard=KANZEN_$(tr '[:lower:]' '[:upper:]' <<<"$name")_H
    grep -qx "#ifndef $guard" "$header" && grep -qx "#define $guard" "$header" ||
        complain "kanzen/$name.h has no $guard"
done

# ---- What is hard to use from other languages; docs/library.md promises that there is none --------------------------

for header in "${headers[@]}"; do
    [ "${header##*/}" != helpers.h ] || continue # for games, which are written in C
    gcc -fpreprocessed -dD -E -P "$header" 2>/dev/null >plain || continue # drops comments, expands nothing
    # a macro that is not a number; a union; a member of some bits; ...; an inline function; a variable; an integer
    # whose width depends on the system
    if grep -E '^ *#define KZ_' plain | grep -vE '^#define KZ_[A-Z_0-9]+ (UINT64_C\([0-9]+\)|UINT64_MAX)$' ||
        grep -nE '\bunion\b|[a-z_0-9] *: *[0-9]+;|\.\.\.|\binline\b|^extern [^"]|\blong\b' plain; then
        complain "$(basename "$header") has something that is hard to use from other languages (see above)"
    fi
done

# ---- The list of all that is declared --------------------------------------------------------------------------------

if [ "$(getconf LONG_BIT)" != 64 ]; then # the list has the layout of 64-bit machines
    exit $((failures > 0))
fi
abi=$KANZEN_SOURCE/tools/abi
bash "$abi" --check || failures=$((failures + 1))

# change HEADER SED: from the headers as they are to changed ones
change() {
    rm -rf changed
    mkdir changed
    cp -r "$KANZEN_SOURCE"/include/kanzen "$KANZEN_SOURCE"/shogi/include/kanzen changed/
    sed "$2" "$KANZEN_SOURCE/include/kanzen/$1" >changed/kanzen/"$1"
    ! cmp -s "$KANZEN_SOURCE/include/kanzen/$1" changed/kanzen/"$1" || complain "nothing was changed by $2"
}
# sees WORDS LINE HEADER SED: such a change is reported with these words and a line like that
sees() {
    change "$3" "$4"
    if HEADERS=$PWD/changed bash "$abi" --check >said 2>&1; then
        complain "a change of $3 was not noticed: $4"
    elif ! grep -q -- "$1" said || ! grep -Eq -- "$2" said; then
        complain "a change of $3 was reported as: $(cat said)"
    fi
}
if bash "$abi" --check >said; then
    # Another type, another number, another layout, something less, something more.
    sees 'would break' 'is now: function kz_table_cache: kz_status \(kz_table \*, uint32_t, kz_error \*\)' \
        table.h 's/kz_table_cache(kz_table \*table, uint64_t/kz_table_cache(kz_table *table, uint32_t/'
    sees 'would break' 'was:    constant KZ_WIN = 3' game.h 's/KZ_UNKNOWN = 0/KZ_UNKNOWN = 1/'
    sees 'would break' 'is now: struct kz_value, 16 bytes, aligned to 8' \
        game.h 's/^    int distance;/    int64_t distance;/'
    sees 'would break' 'was:    function kz_seconds: double \(void\)' system.h 's/^double kz_seconds.*//'
    sees 'only added' 'is now: function kz_minutes: double \(void\)' \
        system.h 's/^double kz_seconds.*/&\ndouble kz_minutes(void);/'
    # A parameter with another name, and a comment, are nothing to a program.
    change system.h 's/^double kz_seconds.*/\/* a comment *\/ &/'
    sed -i 's/const char \*path, kz_table \*\*opened/const char *file, kz_table **table/' changed/kanzen/table.h
    HEADERS=$PWD/changed bash "$abi" --check || complain "a new name of a parameter is taken for a change"
fi

[ $failures -eq 0 ] || echo "$failures complaints"
exit $((failures > 0))
