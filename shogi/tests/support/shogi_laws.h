/* SPDX-License-Identifier: MIT
 *
 * What must hold for every position and every record of shogi, whatever they are. Each law returns NULL, or the line
 * that it was broken at: tests and fuzzers complain in different ways. */
#ifndef TESTS_SHOGI_LAWS_H
#define TESTS_SHOGI_LAWS_H

#include "tests/support/laws.h"

#include <kanzen/shogi.h>
#include <string.h>

static const char *const shogi_paths[] = {"plain", "sse42", "avx2", "bmi2", "vbmi2", "neon"};

enum { SHOGI_PATHS = sizeof shogi_paths / sizeof shogi_paths[0], RECORD = KZ_SHOGI_RECORD_BYTES };

bool shogi_same(const kz_shogi_position *a, const kz_shogi_position *b);

/* 32 bytes that may be anything: all paths say the same; if it is a record, it is one of a well-formed position, and
 * can be made canonical. */
const char *shogi_broken_by_record(kz_shogi_format format, const uint8_t record[RECORD]);

/* A well-formed position in all formats, and in text. */
const char *shogi_broken_by_any(const kz_shogi_position *position);

/* A move in text and in all dialects. */
const char *shogi_broken_by_move(kz_shogi_move move);

/* The legal moves of a position that is legal lead to legal positions, each to its own. */
const char *shogi_broken_by_moves(const kz_shogi_position *position);

#endif
