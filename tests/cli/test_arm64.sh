#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# labels: slow unsanitized
#
# The library for 64-bit ARM, compiled by a cross compiler; qemu runs what needs no other library.
set -u
. "$KANZEN_SOURCE/tests/support/have.sh"
. "$KANZEN_SOURCE/tests/support/cross_testing.sh"
command -v aarch64-linux-gnu-gcc >/dev/null || exit 77
run=qemu-aarch64-static
have $run "running it" || run=:
cross aarch64-linux-gnu-gcc $run || exit 1
# Besides the plain path there is NEON's.
[ $run = : ] || $run ./check | grep -q '^shogi: .*, 2 paths$' || exit 1
