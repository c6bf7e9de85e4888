#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# labels: unsanitized
#
# The library as its users meet it: installed, found by pkg-config, linked both ways, from C, C++ and Python. The
# programs are those of examples/ and docs/library.md; what they say is compared with what the command says.
set -u
. "$KANZEN_SOURCE/tests/support/have.sh"
build=$(dirname "$KANZEN")
[ -e "$build/libkanzen.so" ] || exit 77 # a build without the shared library is not for installing
failures=0
complain() {
    echo "$1"
    failures=$((failures + 1))
}
# same WHAT EXPECTED GOT
same() { [ "$2" = "$3" ] || complain "$1: '$3' and not '$2'"; }

prefix=$PWD/root
cmake --install "$build" --prefix "$prefix" >log || complain "can't install"
export PKG_CONFIG_PATH=$prefix/lib/pkgconfig LD_LIBRARY_PATH=$prefix/lib
export KANZEN_TABLES=$PWD/none XDG_DATA_HOME=$PWD/none

# ---- One version everywhere ---------------------------------------------------------------------------------------

version=$(sed -n 's/^project(kanzen VERSION \([0-9]*\.[0-9]*\.[0-9]*\).*/\1/p' "$KANZEN_SOURCE/CMakeLists.txt")
same "pkg-config's version" "$version" "$(pkg-config --modversion kanzen)"
same "the command's version" "kanzen $version" "$("$prefix/bin/kanzen" --version | head -n 1)"
case $version in
0.*) name=libkanzen.so.${version%.*} ;; # before 1.0 a minor version may break programs
*) name=libkanzen.so.${version%%.*} ;;
esac
same "the name that programs look for" "$name" \
    "$(objdump -p "$prefix/lib/libkanzen.so" | awk '$1 == "SONAME" { print $2 }')"

# ---- What is exported: the functions of the list, and nothing else ---------------------------------------------------

export LC_ALL=C
sed -n 's/^function \(kz_[a-z0-9_]*\): .*/\1/p' "$KANZEN_SOURCE/tests/data/abi.txt" >listed
for library in libkanzen libkanzen-shogi; do
    nm -D --defined-only "$prefix/lib/$library.so" | awk '{ print $3 }' | sed 's/@.*//' | sort >$library
done
sort -u libkanzen libkanzen-shogi >exported
grep -q '^kz_shogi' libkanzen && complain "libkanzen exports calls of libkanzen-shogi"
both=$(comm -12 libkanzen libkanzen-shogi | grep -vx "$(grep -ohE 'kz_[a-z_]+\(' "$prefix"/include/kanzen/{error,system}.h | tr -d '(')")
[ -z "$both" ] || complain "both libraries export this: $both"
[ "$(wc -l <exported)" -gt 100 ] || complain "only $(wc -l <exported) functions are exported"
extra=$(comm -13 listed exported)
[ -z "$extra" ] || complain "exported, but not in tests/data/abi.txt (tools/abi --update writes it anew): $extra"
lacking=$(comm -23 listed exported)
[ -z "$lacking" ] || complain "in tests/data/abi.txt, but not exported: $lacking"
# A static library has no inner names; so all of them have the prefix. (Kernels for graphics cards are C++.)
others=$(nm -g --defined-only "$prefix"/lib/libkanzen*.a | awk 'NF == 3 && $3 !~ /^(kz_|_Z|__)/ { print $3 }')
[ -z "$others" ] || complain "names in the static library that could clash with a program's: $others"

# ---- The programs --------------------------------------------------------------------------------------------------

"$KANZEN" solve pushfight --board mini --out mini.kzt --quiet >log 2>&1 || complain "can't solve: $(cat log)"
"$KANZEN" line pushfight --table mini.kzt | sed '$d' | cut -f 1,3,4 >line # the last line says who wins
"$KANZEN" moves pushfight --table mini.kzt | head -n 5 | cut -f 1,2 >moves
value=$("$KANZEN" probe pushfight --table mini.kzt startpos | cut -f 2)
plies=$(wc -l <line)
[ "$plies" -gt 2 ] && [ "$(wc -l <moves)" -eq 5 ] || complain "the command knows no line"
start='lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1'
# Of the sspf crate, as in test_shogi_cli.sh.
record=8a1e2f5a5454b4e8f1a22c12000000003967923927f66ff03ccfb0cd31d3cc31

games=$KANZEN_SOURCE/shogi/tests/data/games_all.hcpe3
"$KANZEN" convert shogi "$games" converted.psv --quiet >log 2>&1 || complain "can't convert: $(cat log)"
records=$(($(wc -c <converted.psv) / 40))

# block LANGUAGE: the program of this language in the documentation
block() {
    awk -v fence="\`\`\`$1" '$0 == fence { on = 1; next } /^```/ { on = 0 } on' "$KANZEN_SOURCE/docs/library.md"
}
block c >first.c
block cpp >first.cpp
block python >first.py
cp "$KANZEN_SOURCE"/examples/*.c .

# answers WHO COMMAND...: the program that shows a table says what the command says
answers() {
    local who=$1
    shift
    "$@" mini.kzt >said 2>err || complain "$who fails: $(cat err)"
    same "$who: value" "$value" "$(sed -n 2p said | cut -f 2 | sed 's/ (turns)//')"
    same "$who: moves" "$(cat moves)" "$(sed -n '/^moves$/,/^$/p' said | sed '1d;$d')"
    same "$who: line" "$(cat line)" "$(sed '1,/^line$/d' said)"
    ! "$@" absent.kzt >said 2>err || complain "$who takes a table that is not there"
    grep -q "absent.kzt: No such file" err || complain "$who says of it: $(cat err)"
    ! "$@" mini.kzt nonsense >said 2>err || complain "$who takes nonsense"
    grep -q "character 1 ('n')" err || complain "$who says of nonsense: $(cat err)"
}

# packs WHO COMMAND...: and the one that packs
packs() {
    local who=$1
    shift
    same "$who: record" "$record"$'\n'"$start" "$("$@" "$start")"
    ! "$@" '9/9/9/9/9/9/9/9/4k4 b - 1' >said 2>err || complain "$who packs a position without a king"
    grep -q 'a king is missing' err || complain "$who says of a missing king: $(cat err)"
}

warnings="-Wall -Wextra -Wpedantic -Wshadow -Wconversion -Werror"
for way in shared static; do
    static=()
    [ $way = shared ] || static=(--static)
    flags=$(pkg-config "${static[@]}" --cflags --libs kanzen)
    [ $way = shared ] || rm "$prefix"/lib/libkanzen*.so*
    for program in first example pack; do
        cc -std=c17 $warnings $program.c $flags -o $program || complain "can't build $program.c, $way"
    done
    # Shogi alone needs only its own library, and the rest nothing of shogi's.
    cc -std=c17 $warnings pack.c $(pkg-config "${static[@]}" --cflags --libs kanzen-shogi) -o pack-alone ||
        complain "can't build pack.c with libkanzen-shogi alone, $way"
    packs "pack.c with libkanzen-shogi alone, $way" ./pack-alone
    cc -std=c17 $warnings first.c ${flags//-lkanzen-shogi/} -o first-alone || complain "first.c needs libkanzen-shogi, $way"
    same "first.c, $way" "$value turns" "$(./first mini.kzt)"
    answers "example.c, $way" ./example
    packs "pack.c, $way" ./pack
    ./pack "$games" hcpe3 $way.psv psv >said 2>err || complain "pack.c: $(cat err)"
    cmp $way.psv converted.psv || complain "pack.c converts in another way than the command"
    same "pack.c: report" "read $records, written $records, bad 0" "$(cat said)"
    ! ./pack "$games" hcpe3 $way.psv psv >said 2>err || complain "pack.c writes over a file"
    grep -q "$way.psv exists already" err || complain "pack.c says of a file that is there: $(cat err)"
    if [ $way = shared ] && have c++ "programs in C++"; then
        c++ -std=c++17 $warnings first.cpp $flags -o first-cpp || complain "can't build first.cpp"
        same first.cpp "$value turns" "$(./first-cpp mini.kzt)"
        # Every function can be linked with from C++: one that is not extern "C" is looked for under another name.
        {
            sed 's/.*/#include "&"/' < <(cd "$prefix/include" && ls kanzen/*.h)
            echo 'using any = void (*)(); extern const any all[];'
            echo 'const any all[] = {'
            sed 's/.*/    reinterpret_cast<any>(\&&),/' listed
            echo '}; int main() { return all[0] == nullptr; }'
        } >all.cpp
        c++ -std=c++17 -w all.cpp $flags -o all && ./all || complain "can't link with everything from C++"
    fi
    if [ $way = shared ] && have python3 "programs in Python"; then
        export KANZEN_LIBRARY=$prefix/lib/libkanzen.so PYTHONDONTWRITEBYTECODE=1 PYTHONPATH=$KANZEN_SOURCE/examples
        same first.py "$value turns" "$(python3 first.py mini.kzt)"
        python3 first.py >out 2>err; [ $? -eq 1 ] && grep -q "^usage: " err || complain "first.py without arguments: $(cat err)"
        answers kanzen.py python3 "$KANZEN_SOURCE/examples/kanzen.py"
        packs kanzen.py python3 "$KANZEN_SOURCE/examples/kanzen.py" --pack
        # The structs and numbers that are written down in it are those of the list; and moves can be given as text.
        count=$("$KANZEN" moves pushfight --table mini.kzt | wc -l)
        python3 - "$KANZEN_SOURCE/tests/data/abi.txt" "$version" "$count" <<'PYTHON' || complain "kanzen.py is wrong"
import ctypes, re, sys
import kanzen

facts = open(sys.argv[1]).read()
assert kanzen.kz.kz_version().decode() == sys.argv[2]
checked = 0
for name, kind in vars(kanzen).items():
    if name.startswith("kz_") and isinstance(kind, type):
        assert f"struct {name}, {ctypes.sizeof(kind)} bytes, aligned to {ctypes.alignment(kind)}\n" in facts, name
        for member, *_ in kind._fields_:
            place = getattr(kind, member)
            wanted = rf"struct {name} at +{place.offset}, +{place.size} bytes: .*\b{member}\b"
            assert re.search(wanted, facts), (name, member)
            checked += 1
    if name.startswith("KZ_"):
        assert f"constant {name} = {kind}\n" in facts, name
        checked += 1
assert checked > 20
for name, (result, *arguments) in kanzen.CALLS.items():
    listed = re.search(rf"function {name}: .*\((.*)\)\n", facts).group(1)
    assert len(arguments) == (0 if listed == "void" else listed.count(",") + 1), name
for number, name in enumerate(kanzen.FORMATS):
    assert kanzen._codec(name).name.decode() == name and kanzen._codec(name).format == number
    assert kanzen.unpack(kanzen.pack("9/4k4/9/9/9/9/9/4K4/9 w 2R2B4G4S4N4L18P 1", name), name).endswith("18P 1")
with kanzen.Table("mini.kzt") as table:
    moves = table.moves(table.start())
    for move in moves:
        assert table.text(table.play(table.start(), move)) == table.text(table.play(table.start(), move.text))
    assert len(moves) == int(sys.argv[3]) and moves[0].value == table.probe(table.start())
PYTHON
    fi
done

[ $failures -eq 0 ] || echo "$failures complaints"
exit $((failures > 0))
