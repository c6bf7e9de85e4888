#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# labels: unsanitized
#
# What is installed is complete and can be moved: a program outside the tree builds and runs with nothing but what
# pkg-config or CMake's find_package say, linked with the shared library, with the static one, and with -static. Then
# all of it is removed again.
set -eu
. "$KANZEN_SOURCE/tests/support/have.sh"
build=$(dirname "$KANZEN")
[ -e "$build/libkanzen.so" ] || exit 77 # a build without the shared library is not for installing
wrong() {
    echo "$1" >&2
    exit 1
}
manifest=$PWD/manifest

DESTDIR=$PWD/stage cmake --install "$build" --prefix /opt/kanzen >log
grep -q '^ExecStart=/opt/kanzen/bin/kanzen serve ' stage/opt/kanzen/lib/systemd/system/kanzen.service

prefix=$PWD/root
cmake --install "$build" --prefix "$prefix" >log
cp "$build/install_manifest.txt" "$manifest"
libdir=$(dirname "$(find "$prefix" -name libkanzen.a)")
docs=$(find "$prefix/share/doc" -mindepth 1 -maxdepth 1)
for file in "$docs/LICENSE" "$docs/README.md" "$docs/docs/library.md" "$prefix/share/man/man1/kanzen.1"; do
    [ -s "$file" ] || wrong "$file is not installed"
done
for module in mpi curl; do
    [ ! -e "$build/kanzen-$module.so" ] || [ -e "$libdir/kanzen/kanzen-$module.so" ] ||
        wrong "the module kanzen-$module.so is not installed"
done
# libcurl brings thirty libraries. A module loads them, so that the command starts without them.
ldd "$prefix/bin/kanzen" >libraries
! grep -E 'libcurl|libldap|libssh' libraries || wrong "these libraries are loaded whenever the command starts"
# Nothing names a folder of this machine, but for the service.
! grep -rlF "$prefix" "$prefix" | grep -v kanzen.service || wrong "these files can't be moved"
! grep -rlaF "$KANZEN_SOURCE" "$prefix" || wrong "these files name the folder of the source"

# All of it somewhere else
mkdir elsewhere
mv "$prefix" elsewhere/moved
moved=$PWD/elsewhere/moved
libdir=$moved${libdir#"$prefix"}
export PKG_CONFIG_PATH=$libdir/pkgconfig
[ "kanzen $(pkg-config --modversion kanzen)" = "$("$moved/bin/kanzen" --version | head -n 1)" ]

cat >user.c <<'END'
#include <kanzen/game.h>
#include <kanzen/team.h>
#include <stdio.h>
int main(void) { return printf("%s %s\n", kz_version(), kz_game_find("dobutsu") ? "dobutsu" : "-") < 0; }
END
cc user.c $(pkg-config --cflags --libs kanzen) -o user-shared
[ "$(LD_LIBRARY_PATH=$libdir ./user-shared)" = "$(pkg-config --modversion kanzen) dobutsu" ]

cat >CMakeLists.txt <<'END'
cmake_minimum_required(VERSION 3.21)
project(user LANGUAGES C)
find_package(kanzen 0.1...<1 REQUIRED)
add_executable(with-shared user.c)
target_link_libraries(with-shared PRIVATE kanzen::kanzen)
add_executable(with-static user.c)
target_link_libraries(with-static PRIVATE kanzen::static)
END
sed -i "s/0.1...<1/$(pkg-config --modversion kanzen)/" CMakeLists.txt
cmake -S . -B user-build -DCMAKE_PREFIX_PATH="$moved" >log
cmake --build user-build >>log
user-build/with-shared
user-build/with-static

mkdir away
mv "$libdir"/libkanzen*.so* away/
cc user.c $(pkg-config --static --cflags --libs kanzen) -o user-static
./user-static
ldd user-static >libraries
! grep -E 'mpi|hwloc|libevent|udev|cuda' libraries || wrong "a program that needs no MPI is linked with it"
cat >static.c <<'END'
#include <kanzen/team.h>
#include <stdio.h>
#include <string.h>
int main(void) {
    kz_error error;
    kz_team *team;
    kz_status status = kz_team_join(&team, &error);
    printf("%s\n", status == KZ_OK ? "alone" : error.message);
    return 0;
}
END
# Modules need a dynamic loader; a program without one says so.
if cc static.c -static $(pkg-config --static --cflags --libs kanzen) -o really-static 2>err; then
    [ "$(./really-static)" = alone ] || wrong "a static program: $(./really-static)"
    OMPI_COMM_WORLD_SIZE=2 ./really-static | grep -q "statically linked program can't load the module" ||
        wrong "a static program under mpirun: $(OMPI_COMM_WORLD_SIZE=2 ./really-static)"
elif grep -q 'cannot find -l' err; then
    echo "part skipped: -static: $(grep -m 1 'cannot find -l' err)"
else
    cat err
    wrong "-static does not link"
fi
mv away/* "$libdir/"

# What was installed is removed, and nothing else.
mv "$moved" "$prefix"
touch "$prefix/share/own"
cp "$manifest" "$build/install_manifest.txt"
"$KANZEN_SOURCE/tools/uninstall" "$build" >log
[ "$(find "$prefix" -type f -o -type l)" = "$prefix/share/own" ] || wrong "left behind: $(find "$prefix" -type f -o -type l)"
