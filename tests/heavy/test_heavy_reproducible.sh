#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# The same source in folders of different names, built in folders of different names, becomes the same command and the
# same libraries, byte for byte. Without optimization, which does not know of names and takes most of the time.
set -eu
mkdir one "another one"
for folder in one "another one"; do
    cp -r "$KANZEN_SOURCE"/{CMakeLists.txt,cmake,examples,include,packaging,python,shogi,src,docs,tools,README.md,LICENSE,SECURITY.md} "$folder/"
done
build() {
    cmake -S "$1" -B "$2" -G Ninja -DCMAKE_BUILD_TYPE=None -DCMAKE_C_FLAGS="-O0 -g" -DBUILD_TESTING=OFF -DKANZEN_CUDA=OFF >log
    cmake --build "$2" --target product >>log || { tail -n 30 log; exit 1; }
}
build one one/build
build "another one" "a third"
different=0
compared=0
for file in kanzen libkanzen.a libkanzen.so libkanzen-shogi.a libkanzen-shogi.so kanzen-mpi.so; do
    [ -e one/build/$file ] || continue
    compared=$((compared + 1))
    cmp one/build/$file "a third/$file" || different=1
done
[ $compared -ge 3 ] && [ $different -eq 0 ]
