# shellcheck shell=bash
# SPDX-License-Identifier: MIT
#
# For tests with another compiler, whose system has a C library and nothing else. To be sourced.
#
# cross COMPILER RUN...: compiles every source of the library with all warnings as errors; builds tests/cross/check.c with
# those that need no other library, without shared libraries; and runs it with the command RUN, if there is one.
cross() {
    local compiler=$1
    shift
    local source=$KANZEN_SOURCE warnings="-Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wstrict-prototypes
        -Wmissing-prototypes -Wvla -Werror"
    # Headers of libraries are the same everywhere, but their folder has this system's headers as well.
    mkdir -p headers objects
    "$source/tools/embed" "$source/src/app/api/openapi.json" >headers/openapi_text.h || return 1
    "$source/shogi/tools/make-huffman-tables" headers || return 1
    local found include name
    include=$(pkg-config --variable=includedir libzstd)
    for name in zstd.h zdict.h zstd_errors.h xxhash.h xxh3.h sqlite3.h lzma.h lzma openssl; do
        for found in "$include" "$(pkg-config --variable=includedir libxxhash)" "$(pkg-config --variable=includedir liblzma)" \
            /usr/include "/usr/include/$(gcc -print-multiarch 2>/dev/null)"; do
            [ ! -e "$found/$name" ] || cp -rLn "$found/$name" headers/
        done
    done
    local flags="-std=c17 -O1 -D_GNU_SOURCE -DNDEBUG -DKANZEN_LZMA -DKANZEN_SQLITE -ffunction-sections -fdata-sections
        -DKANZEN_VERSION=\"0\" -DKANZEN_LIBDIR=\"lib\" -DKANZEN_FULL_LIBDIR=\"/lib\" -DKANZEN_DATADIR=\"/share\"
        -I$source -I$source/src -I$source/include -I$source/shogi/include -isystem $PWD/headers $warnings"
    echo "$flags" >flags
    # Sources in the order of CMake's list: all of src and shogi/src but the command, the server, modules and the browser's.
    (cd "$source" && find src shogi/src -name '*.c' ! -path 'src/app/cli/*' ! -path 'src/app/server/*' ! -path 'src/app/wasm/*' \
        ! -path 'src/base/module/*' ! -path '*/team/mpi/*' ! -path '*/commands/*' ! -name 'commands*.c' | sort) >sources
    printf '%s\n' tests/cross/check.c shogi/tests/support/shogi_laws.c shogi/tests/support/shogi_random.c >>sources
    # xxHash is all in its header.
    printf '#define XXH_STATIC_LINKING_ONLY\n#define XXH_IMPLEMENTATION\n#include <xxhash.h>\n' >xxhash.c
    "$compiler" -O1 -isystem headers -c xxhash.c -o objects/src_xxhash.o || return 1
    cat >compile <<'END'
file=$3 options=
if [ "$4" = x86_64 ]; then
    case $file in
    *_sse42.c) options="-msse4.2 -mpopcnt" ;;
    *_avx2.c | *_bmi2.c) options="-mavx2 -mbmi -mbmi2 -mlzcnt -mpopcnt" ;;
    *_avx512.c | *_vbmi2.c) options="-mavx2 -mbmi -mbmi2 -mlzcnt -mpopcnt -mavx512f -mavx512bw -mavx512dq -mavx512vl
        -mavx512vbmi -mavx512vbmi2 -mavx512bitalg -mavx512vpopcntdq -mgfni" ;;
    esac
fi
exec "$1" $(cat flags) $options -c "$2/$file" -o "objects/$(echo "$file" | tr / _).o"
END
    local machine
    machine=$("$compiler" -dumpmachine)
    xargs -a sources -P "$(nproc)" -I{} sh compile "$compiler" "$source" {} "${machine%%-*}" >compiled 2>&1 || {
        head -c 3000 compiled
        return 1
    }
    echo "$(wc -l <sources) files compiled"
    rm -f all.a
    ar rcs all.a objects/src_*.o objects/shogi_*.o
    # Solvers are never called here, but games point to them: what they need of other libraries is there in name.
    nm -u all.a | sed -nE 's/^ +U ((ZSTD|ZDICT|SHA256|sqlite3|lzma)_[A-Za-z0-9_]+)$/__attribute__((weak)) void \1(void) { __builtin_trap(); }/p' |
        sort -u >absent.c
    "$compiler" -O1 -c absent.c -o objects/absent.o || return 1
    "$compiler" -static objects/tests_cross_check.c.o objects/absent.o all.a -Wl,--gc-sections -lpthread -lm -o check || return 1
    "$@" ./check
}
