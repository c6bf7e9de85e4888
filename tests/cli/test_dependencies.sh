#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# labels: unsanitized
#
# docs/dependencies.md is what tools/sbom writes; the bill of materials is JSON; both name everything that the build looks
# for and that the command is linked with.
set -u
. "$KANZEN_SOURCE/tests/support/cli_testing.sh"
"$KANZEN_SOURCE/tools/sbom" --check || complain "another page" tools/sbom
"$KANZEN_SOURCE/tools/sbom" cyclonedx >out || complain "no list" tools/sbom
json out 'd["bomFormat"] == "CycloneDX" and len(d["components"]) >= 8 and all(c["version"] for c in d["components"])'
while read -r module; do
    grep -q "|$module|" "$KANZEN_SOURCE/tools/sbom" || complain "$module is not listed" tools/sbom
done < <(sed -n 's/^ *pkg_check_modules([A-Z]* .*IMPORTED_TARGET \([a-z0-9]*\))$/\1/p' "$KANZEN_SOURCE/cmake/dependencies.cmake")
while read -r package; do
    grep -q "|npm:$package|" "$KANZEN_SOURCE/tools/sbom" || complain "$package is not listed" tools/sbom
done < <(python3 -c 'import json, sys; print("\n".join(json.load(open(sys.argv[1])).get("dependencies", {})))' "$KANZEN_SOURCE/web/package.json")
for name in microhttpd jansson Preact; do
    grep -q "$name" "$KANZEN_SOURCE/docs/credits.md" || complain "$name is not thanked" docs/credits.md
done
[ $failures -eq 0 ]
