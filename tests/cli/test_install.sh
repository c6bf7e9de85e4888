#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# labels: unsanitized
#
# What is installed is complete: a program outside the tree builds and runs with nothing but pkg-config's flags.
set -eu
build=$(dirname "$KANZEN")
[ -e "$build/libkanzen.so" ] || exit 77 # a build without the shared library is not for installing

DESTDIR=$PWD/stage cmake --install "$build" --prefix /opt/kanzen >log
grep -qx 'prefix=/opt/kanzen' stage/opt/kanzen/lib/pkgconfig/kanzen.pc
grep -q '^ExecStart=/opt/kanzen/bin/kanzen serve ' stage/opt/kanzen/lib/systemd/system/kanzen.service

prefix=$PWD/root
cmake --install "$build" --prefix "$prefix" >log
export PKG_CONFIG_PATH=$prefix/lib/pkgconfig
[ "kanzen $(pkg-config --modversion kanzen)" = "$("$prefix/bin/kanzen" --version)" ]

cat >user.c <<'END'
#include <kanzen/error.h>
#include <stdio.h>
int main(void) { return puts(kz_version()) < 0; }
END
cc user.c $(pkg-config --cflags --libs kanzen) -o user-shared
LD_LIBRARY_PATH=$prefix/lib ./user-shared
rm "$prefix"/lib/libkanzen.so*
cc user.c $(pkg-config --static --cflags --libs kanzen) -o user-static
./user-static
