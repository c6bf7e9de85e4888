#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# labels: unsanitized
#
# tools/build, which every way to build goes through: it configures a new folder with and without options, and again when the
# options are others. A project of one target stands in for this one.
set -euo pipefail
command -v cmake >/dev/null && command -v ninja >/dev/null || {
    echo "there is no cmake or no ninja"
    exit 77
}
unset CMAKE_GENERATOR
mkdir tools
cp "$KANZEN_SOURCE/tools/build" tools/
cat >CMakeLists.txt <<'END'
cmake_minimum_required(VERSION 3.21)
project(small NONE)
file(APPEND "${CMAKE_BINARY_DIR}/configured" "WORD=${WORD}\n")
add_custom_target(product COMMAND ${CMAKE_COMMAND} -E touch product)
add_custom_target(everything ALL COMMAND ${CMAKE_COMMAND} -E touch everything)
END
# expect FOLDER LINE...: how often it was configured, and with what
expect() {
    local folder=$1
    shift
    diff <(printf '%s\n' "$@") "$folder/configured"
}

tools/build plain product >log
expect plain WORD=
[ -f plain/product ] && [ ! -f plain/everything ]
tools/build plain >log
expect plain WORD=
[ -f plain/everything ]

tools/build chosen -DWORD=one >log
tools/build chosen -DWORD=one >log
expect chosen WORD=one
tools/build chosen product -DWORD=two >log
expect chosen WORD=one WORD=two
# Without options the folder stays as it is.
tools/build chosen >log
expect chosen WORD=one WORD=two
