/* SPDX-License-Identifier: MIT
 *
 * The positions and values that kota7's solver of Dobutsu Shogi stores, in the order of their state indices, whatever
 * they are written to: docs/format-exports.md. */
#ifndef KZ_DOBUTSU_STATE_VALUES_H
#define KZ_DOBUTSU_STATE_VALUES_H

#include "app/export/ordered.h"
#include "game/gamedef.h"

#include <kanzen/export.h>

/* A state value, a line or a database row there: the state index above 8 bits that tell the value: 0 a draw, n + 1
 * decided in n plies, odd entries are losses and even ones are wins. */
static inline uint64_t kz_dobutsu_state_value_index(uint64_t value) { return value >> 8; }
static inline unsigned kz_dobutsu_state_value_entry(uint64_t value) { return value & 255; }

/* What that solver writes for each number: as text, and as the database has it. */
typedef struct kz_dobutsu_state_value_scale {
    char text[256][16];
    int scaled[256];
} kz_dobutsu_state_value_scale;

void kz_dobutsu_state_value_scale_fill(kz_dobutsu_state_value_scale *scale);

typedef struct kz_dobutsu_state_values {
    void *context;
    kz_status (*take)(void *context, const uint64_t *values, size_t count, kz_error *error);
} kz_dobutsu_state_values;

/* Hands the state values to `target`, in order, from any thread but never two at once. `written` counts them.
 * KZ_ERR_UNSUPPORTED if the table is not one of Dobutsu Shogi by the official rules. */
kz_status kz_dobutsu_state_values_write(const kz_table *table, const kz_export_options *options,
                                        const kz_dobutsu_state_values *target, uint64_t *written, kz_error *error);

#endif
