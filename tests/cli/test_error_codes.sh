#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# labels: unsanitized
#
# Every code of an error that the sources can answer with is in the description of the API (openapi.json) and in the table
# of docs/api.md, and these two name no others.
set -u
failures=0
complain() {
    echo "$1"
    failures=$((failures + 1))
}
cd "$KANZEN_SOURCE" || exit 1

# codes FILE...: the codes in the C sources: third argument of kz_refuse, fail and too_long; what "code" becomes; what
# code_of returns
codes() {
    cat "$@" | tr '\n' ' ' | sed 's/;/;\n/g' >"$OLDPWD/statements"
    {
        grep -oE '(kz_refuse|fail|too_long)\([^,]*,[^,]*, *"[a-z_]+"' "$OLDPWD/statements"
        grep -oE '[.>]code = [^,;]*"[a-z_]+"' "$OLDPWD/statements"
        grep -oE 'case KZ_ERR_[A-Z]+: *return "[a-z_]+"|default: *return "[a-z_]+"' "$OLDPWD/statements"
    } | grep -oE '"[a-z_]+"$' | tr -d '"' | sort -u
}
codes src/app/api/*.c src/app/server/*.c >"$OLDPWD/source"
cat src/app/api/*.c src/app/server/*.c | tr '\n' ' ' | sed 's/;/;\n/g' | grep -oE 'kz_refuse\([^;]*' |
    grep -vE 'kz_refuse\((kz_problem|[^,]*,[^,]*, *("[a-z_]+"|refusal->code),)' >"$OLDPWD/strange"
sed -n '/"code": {/,/\]/p' src/app/api/openapi.json | grep -oE '^ *"[a-z_]+",?$' | tr -d ' ",' | sort -u >"$OLDPWD/described"
sed -n '/^## Errors/,/^\[commands/p' docs/api.md | grep '^| [0-9]' | cut -d '|' -f 3 | grep -oE '`[a-z_]+`' | tr -d '`' |
    sort -u >"$OLDPWD/documented"
cd "$OLDPWD" || exit 1

# Some that are known to be there, one for each way to write it: the search finds what it should.
for code in no_board bad_position bad_record wrong_method busy body_too_long no_memory internal unknown_game; do
    grep -qx "$code" source || complain "$code was not found in the sources"
done
[ ! -s strange ] || complain "a refusal without a code in its place: $(cat strange)"
diff source described >said || complain "openapi.json (>) has not the codes of the sources (<): $(cat said)"
diff source documented >said || complain "docs/api.md (>) has not the codes of the sources (<): $(cat said)"
[ $failures -eq 0 ]
