#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# labels: slow unsanitized
#
# The library with another C library, musl.
set -u
. "$KANZEN_SOURCE/tests/support/cross_testing.sh"
command -v musl-gcc >/dev/null || exit 77
cross musl-gcc env
