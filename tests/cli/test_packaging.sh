#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# What of the packages can be checked in a moment; `make test-packages` checks the rest in bare systems.
# labels: unsanitized
set -u
. "$KANZEN_SOURCE/tests/support/cli_testing.sh"

# The archive: the launcher finds its folder, also through a link, and starts the command with the loader and the
# libraries that lie there; the command then finds its modules.
command -v ldd >/dev/null || exit 77
mkdir -p 'a b'/bin 'a b'/lib/kanzen 'a b'/libexec elsewhere
cp "$KANZEN" 'a b/libexec/kanzen'
modules=$(dirname "$KANZEN")
[ ! -f "$modules/kanzen-curl.so" ] || cp "$modules/kanzen-curl.so" 'a b/lib/kanzen/'
find 'a b' -type f -exec ldd {} + | sed -n 's/^\t\(.* => \)\{0,1\}\(\/[^ ]*\) (0x.*/\2/p' | sort -u | xargs -I{} cp -L {} 'a b/lib/'
loader=$(cd 'a b/lib' && ls ld-* | head -n 1)
[ -n "$loader" ] || exit 77
if cc -std=c17 -Wall -Wextra -Werror -D_GNU_SOURCE -DLOADER="\"$loader\"" -static "$KANZEN_SOURCE/packaging/dist/launcher.c" -o 'a b/bin/kanzen' 2>err; then
    mv 'a b' moved
    ln -s ../moved/bin/kanzen elsewhere/kanzen
    "$KANZEN" version >expected
    (cd elsewhere && ./kanzen version) >out 2>err || complain "exit code $?: $(cat err)" "(archive)"
    grep -q '^kanzen ' out || complain "$(cat out)" "(archive)"
    [ "$(grep URLs out)" = "$(grep URLs expected)" ] || complain "$(cat out)" "(archive)"
    # Arguments come through as they are, and so does the exit code.
    (cd elsewhere && ./kanzen show dobutsu 'gle/1c1/1C1/ELG b - 1' --json) >out 2>err || complain "$(cat err)" "(archive)"
    grep -q 'gle/1c1/1C1/ELG b - 1' out || complain "$(cat out)" "(archive)"
    elsewhere/kanzen nonsense >out 2>err
    [ $? -eq 2 ] || complain "exit code $?" "(archive)"
    rm "moved/lib/$loader"
    elsewhere/kanzen version >out 2>err
    [ $? -eq 3 ] || complain "exit code $?" "(archive without its loader)"
    grep -q "can't start: .*/$loader: No such file" err || complain "$(cat err)" "(archive without its loader)"
elif ! grep -q 'cannot find -lc' err; then
    complain "$(cat err)" launcher.c
fi

# The packages: every file that the library installs belongs to one of them, and the soname's series is the version's.
version=$(sed -n 's/^project(kanzen VERSION \([0-9.]*\).*/\1/p' "$KANZEN_SOURCE/CMakeLists.txt")
series=${version%.*}
grep -q "sonames libkanzen-shogi$series libkanzen$series\$" "$KANZEN_SOURCE/packaging/debian/libkanzen0.lintian-overrides" ||
    complain "the override names another soname than $series" debian
for file in control rules copyright kanzen.install libkanzen0.install libkanzen-dev.install source/format; do
    [ -s "$KANZEN_SOURCE/packaging/debian/$file" ] || complain "it is missing" "debian/$file"
done
for tool in dist deb test-packages test-arm64 windows reader-sources; do
    bash -n "$KANZEN_SOURCE/tools/$tool" 2>err || complain "$(cat err)" "tools/$tool"
    [ -x "$KANZEN_SOURCE/tools/$tool" ] || complain "it can't be run" "tools/$tool"
done
# What the packages are built with is what tools/setup installs for `make deb`.
sed -n '/^build=(/,/)$/p; /^deb=(/,/)$/p' "$KANZEN_SOURCE/tools/setup" | grep -o '[=,][a-z0-9.+-]*' | tr -d '=,' | sort -u >installed
sed -n '/^Build-Depends:/,/^[A-Z].*:/ s/^ \([a-z0-9.+-]*\).*/\1/p' "$KANZEN_SOURCE/packaging/debian/control" | sed 's/^debhelper-compat$/debhelper/' | sort -u >needed
[ "$(wc -l <needed)" -ge 10 ] || complain "$(cat needed)" debian/control
[ -z "$(comm -23 needed installed)" ] || complain "tools/setup deb does not install: $(comm -23 needed installed | xargs)" tools/setup
# What is built for the browser and for Windows is there.
"$KANZEN_SOURCE/tools/reader-sources" | while read -r source; do
    [ -f "$KANZEN_SOURCE/$source" ] || echo "$source"
done >missing
[ ! -s missing ] || complain "$(cat missing)" reader-sources

[ "$failures" -eq 0 ]
