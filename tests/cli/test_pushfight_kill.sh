#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# labels: slow
#
# A solve that is killed again and again, at no particular moment, ends in the same bytes as one that is left alone.
set -euo pipefail

"$KANZEN" solve pushfight --board mini --out whole.kzt --quiet >/dev/null
killed=0
for delay in 0.03 0.11 0.19 0.07 0.27 0.35 0.15 0.43 0.23 0.51 0.31 0.05; do
    "$KANZEN" solve pushfight --board mini --out killed.kzt --quiet >/dev/null 2>&1 &
    solve=$!
    sleep "$delay"
    if kill -9 "$solve" 2>/dev/null; then
        killed=$((killed + 1))
    fi
    wait "$solve" 2>/dev/null || true
    [ ! -f killed.kzt ] || break
done
[ "$killed" -gt 0 ]
[ -f killed.kzt ] || "$KANZEN" solve pushfight --board mini --out killed.kzt --quiet >/dev/null
cmp whole.kzt killed.kzt
[ ! -e killed.kzt.work ]

# What was found before a kill is shown as such and not found again.
"$KANZEN" solve pushfight --board mini --out part.kzt --phases 3 --quiet >/dev/null
"$KANZEN" solve pushfight --board mini --out part.kzt --quiet >part.txt
[ "$(grep -c '(before)' part.txt)" -eq 3 ]
cmp whole.kzt part.kzt
