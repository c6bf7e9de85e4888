/* SPDX-License-Identifier: MIT
 *
 * Dobutsu Shogi's kind of table: an entry is 0 if the position is not lost and n + 1 if it is lost in n plies; a probe
 * finds wins by the moves. What an open table of it has. */
#ifndef KZ_DOBUTSU_LOSSES_H
#define KZ_DOBUTSU_LOSSES_H

#include "games/dobutsu/table/coder.h"
#include "games/dobutsu/table/lookup.h"
#include "table/probe_many.h"

typedef struct kz_losses {
    kz_dobutsu_lookup *lookup;
    kz_model *model; /* NULL before it is unpacked or learned */
    kz_shape shape;
} kz_losses;

extern const kz_table_kind kz_dobutsu_kind;

/* For the kind: probe.c and encode.c. */
kz_status kz_losses_probe(const kz_table *table, const kz_position *position, kz_value *value, kz_error *error);
kz_status kz_losses_look_at_batch(kz_batch *batch);
void kz_losses_answer(const kz_asked *asked, size_t count, const uint8_t *entries, kz_value *values);
extern const struct kz_encoder kz_losses_encoder;

#endif
