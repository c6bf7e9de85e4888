#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# labels: unsanitized
#
# What protects the command and the shared library against mistakes in them: position independence, read-only tables for
# the linker (full RELRO), no code on the stack, stack protection, checked calls of the C library, and marks for the
# processor's control-flow protection. A program without any of it shows that each check can fail.
set -u
build=$(dirname "$KANZEN")
for tool in readelf nm objdump cc; do
    command -v $tool >/dev/null || exit 77
done
if grep -qs '^KANZEN_HARDENING:BOOL=OFF' "$build/CMakeCache.txt"; then exit 77; fi
failures=0
machine=$(uname -m)

is_position_independent() { readelf -hW "$1" | grep -q 'Type: *DYN'; }
has_full_relro() { readelf -lW "$1" | grep -q GNU_RELRO && readelf -dW "$1" | grep -Eq 'FLAGS.*NOW'; }
has_no_code_on_the_stack() { readelf -lW "$1" | grep -Eq 'GNU_STACK.* RW +0x'; }
protects_the_stack() { readelf --dyn-syms -W "$1" | grep -q __stack_chk_fail; }
checks_calls() { readelf --dyn-syms -W "$1" | grep -Eq '__(memcpy|snprintf|vsnprintf|printf|fprintf|read)_chk'; }
# A large frame is touched page by page.
probes_the_stack() { objdump -d --no-show-raw-insn "$1" | grep -Eqm 1 'orq? +\$0x0,\(%rsp\)'; }
# Functions that may be jumped to begin with a mark, and the file asks for a shadow stack.
marks_jumps() { [ "$(objdump -d --no-show-raw-insn "$1" | grep -c endbr64)" -ge 20 ]; }
asks_for_a_shadow_stack() { readelf -nW "$1" | grep -q 'x86 feature:.*SHSTK'; }

checks="is_position_independent has_full_relro has_no_code_on_the_stack protects_the_stack checks_calls"
[ "$machine" != x86_64 ] || checks="$checks probes_the_stack marks_jumps asks_for_a_shadow_stack"

files=("$KANZEN")
[ ! -e "$build/libkanzen.so" ] || files+=("$build/libkanzen.so" "$build/libkanzen-shogi.so")
for module in "$build"/kanzen-*.so; do
    [ ! -e "$module" ] || files+=("$module")
done
for file in "${files[@]}"; do
    for check in $checks; do
        # Modules are small: no frame in them is large, no call may need a check, and few functions may be jumped to.
        case $file:$check in *-mpi.so:probes_the_stack | *-mpi.so:checks_calls) continue ;; esac
        case $file:$check in *-curl.so:probes_the_stack | *-curl.so:marks_jumps) continue ;; esac
        $check "$file" || {
            echo "$(basename "$file"): not so: ${check//_/ }"
            failures=$((failures + 1))
        }
    done
done

cat >plain.c <<'END'
#include <stdio.h>
#include <string.h>
int main(int count, char **words) {
    char text[100000];
    snprintf(text, sizeof text, "%s", words[count - 1]);
    return (int)strlen(text) & 1;
}
END
options=(-O1 -no-pie -fno-pie -fno-stack-protector -U_FORTIFY_SOURCE -Wl,-z,norelro,-z,lazy,-z,execstack)
[ "$machine" != x86_64 ] || options+=(-fcf-protection=none -fno-stack-clash-protection)
cc "${options[@]}" plain.c -o plain || exit 1
for check in $checks; do
    if $check plain; then
        echo "this check can't fail: ${check//_/ }"
        failures=$((failures + 1))
    fi
done
[ $failures -eq 0 ]
