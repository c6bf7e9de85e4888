#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# labels: unsanitized
#
# tools/lint-layers: the sources pass, and each kind of crossing is found in a copy that has it.
set -u
failures=0
complain() {
    echo "$1"
    failures=$((failures + 1))
}
lint=$KANZEN_SOURCE/tools/lint-layers

bash "$lint" >said 2>&1 || complain "the sources cross layers: $(cat said)"

mkdir copy
mkdir copy/shogi
cp -r "$KANZEN_SOURCE/src" copy/src
cp -r "$KANZEN_SOURCE"/shogi/{src,include,cli} copy/shogi
# try FILE LINE: puts this line at the end of this file, asks, and takes it away again
try() {
    cp "copy/$1" saved || complain "there is no $1"
    printf '%s\n' "$2" >>"copy/$1"
    number=$(wc -l <"copy/$1")
    bash "$lint" copy >said 2>&1
    code=$?
    mv saved "copy/$1"
}
# finds FILE LINE MESSAGE: with this line at the end of this file, that is what is said, about that line of that file,
# and nothing else.
finds() {
    try "$1" "$2"
    [ $code -eq 1 ] && [ "$(cat said)" = "$1:$number: $3" ] ||
        complain "'$2' in $1: exit code $code, and it said '$(cat said)'"
}
# takes FILE LINE: it says nothing about this one
takes() {
    try "$1" "$2"
    [ $code -eq 0 ] || complain "'$2' in $1: exit code $code, and it said '$(cat said)'"
}

# Upwards, from each layer to the one above it.
finds src/base/file.c '#include "game/gamedef.h"' 'base includes a header of game, which is not below it: game/gamedef.h'
finds src/game/record.c '#include "table/reader.h"' \
    'game includes a header of table, which is not below it: table/reader.h'
finds shogi/src/sfen.c '#include "games/dobutsu/rules/rules.h"' \
    'shogi includes a header of games, which is not below it: games/dobutsu/rules/rules.h'
finds src/games/dobutsu/rules/rules.c '#include "app/export/archive.h"' \
    'games includes a header of export, which is not below it: app/export/archive.h'
finds src/table/probe.c '#include "games/dobutsu/rules/rules.h"' \
    'table includes a header of games, which is not below it: games/dobutsu/rules/rules.h'
finds src/games/dobutsu/rules/rules.c '# include "../compat/index18.h"' \
    'games includes a header of compat, which is not below it: ../compat/index18.h'
finds src/table/probe.c '#include "solve/checkpoint.h"' \
    'table includes a header of solve, which is not below it: solve/checkpoint.h'
finds src/solve/checkpoint.c '#include "app/export/archive.h"' \
    'solve includes a header of export, which is not below it: app/export/archive.h'
finds src/app/export/csv.c '#include "games/dobutsu/compat/index18.h"' \
    'export includes a header of compat, which is not below it: games/dobutsu/compat/index18.h'
finds src/games/pushfight/published/values.c '#include "app/engine/usi.h"' \
    'compat includes a header of engine, which is not below it: app/engine/usi.h'
finds src/app/engine/values.c '#include "app/api/query.h"' \
    'engine includes a header of api, which is not below it: app/api/query.h'
finds src/app/api/parts.c '#include "app/server/request.h"' \
    'api includes a header of server, which is not below it: app/server/request.h'

# What all tables have in common knows no kind.
finds src/table/probe.c '#include "table/any_kind.h"' 'a header of one kind of table, where all are alike: table/any_kind.h'
finds src/table/table.c '#include "table/any_coder.h"' 'a header of one kind of table, where all are alike: table/any_coder.h'
finds src/solve/checkpoint.c '#include "table/excerpt.h"' 'a header of one kind of table, where all are alike: table/excerpt.h'
takes src/solve/any.c '#include "table/any_window.h"'
takes src/table/excerpt_kind.c '#include "table/any_kind.h"'

# Sideways.
finds src/games/pushfight/rules/rules.c '#include "games/dobutsu/rules/rules.h"' 'a game includes another one: games/dobutsu/rules/rules.h'
finds src/app/cli/terminal.c '#include "game/gamedef.h"' \
    'the command includes more than public headers and src/base: game/gamedef.h'
takes src/app/cli/terminal.c '#include "base/file.h"'
finds src/app/wasm/exports.c '#include "app/cli/options.h"' \
    'wasm includes a header of cli, which is not below it: app/cli/options.h'

# Shogi, a house of its own.
takes shogi/src/sfen.c '#include "base/file.h"'
takes shogi/src/records/check.c '#include "shogi/src/boards.h"'
takes shogi/cli/shogi_show.c '#include "app/cli/svg.h"'
takes src/app/cli/complete.c '#include <kanzen/shogi.h>'
finds shogi/src/sfen.c '#include "game/gamedef.h"' 'shogi includes a header of game, which is not below it: game/gamedef.h'
finds shogi/src/sfen.c '#include "app/cli/svg.h"' 'shogi includes a header of cli, which is not below it: app/cli/svg.h'
finds shogi/src/sfen.c '#include <kanzen/table.h>' 'a public header that is not that of src/base: #include <kanzen/table.h>'
finds shogi/cli/shogi_show.c '#include "shogi/src/boards.h"' \
    'the command includes more than public headers and src/base: shogi/src/boards.h'
finds src/table/probe.c '#include "shogi/src/boards.h"' 'shogi is a house of its own: shogi/src/boards.h'
finds src/app/cli/terminal.c '#include "shogi/cli/commands.h"' 'shogi is a house of its own: shogi/cli/commands.h'
finds src/app/engine/values.c '#include <kanzen/shogi.h>' 'shogi is a house of its own: #include <kanzen/shogi.h>'

# A file that is not there, or not in a layer.
finds src/base/file.c '#include "base/nothing.h"' 'there is no base/nothing.h'
mkdir copy/src/attic
touch copy/src/attic/old.h
finds src/base/file.c '#include "attic/old.h"' 'a layer that tools/lint-layers does not know: attic'
rm -r copy/src/attic

# Games by name: in code, in a comment, in capitals, as people call them. Examples of commands may name one.
finds src/table/probe.c 'if (strcmp(name, "dobutsu") == 0) {' 'names a game'
finds src/solve/checkpoint.c '/* Only Push Fight has this. */' 'names a game'
finds src/table/probe.c 'int limit = KZ_PUSHFIGHT_CHUNK;' 'names a game'
finds src/base/json.c '#include <kanzen/dobutsu.h>' \
    'the public header of one game, outside of src/games: #include <kanzen/dobutsu.h>'
takes src/table/probe.c '    .examples = "kanzen stats dobutsu\n"'
takes src/games/pushfight/rules/rules.c '#include "base/file.h"'
takes src/games/dobutsu/compat/state_values.c '#include "table/reader.h"'
takes src/games/dobutsu/commands/compare.c '#include "app/cli/options.h"'
finds src/games/dobutsu/commands/compare.c '#include "games/dobutsu/rules/rules.h"' \
    'the commands of a game include more than public headers and the command: games/dobutsu/rules/rules.h'
finds src/games/dobutsu/commands/compare.c '#include "games/pushfight/commands/openings.h"' \
    'a game includes another one: games/pushfight/commands/openings.h'
finds src/app/cli/common.c '#include "games/pushfight/commands/openings.h"' \
    'the command includes more than public headers and src/base: games/pushfight/commands/openings.h'
takes src/app/cli/terminal.c '#include "options.h"'

[ $failures -eq 0 ] || echo "$failures complaints"
exit $((failures > 0))
