#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# Packs and unpacks positions of shogi in every format, on every path that this machine has.
set -euo pipefail
"$KANZEN" bench pack
