/* SPDX-License-Identifier: MIT
 *
 * What a kernel finds out about positions that another member of the team has (solve/team/team.h). solve/team/mail.c
 * has the rest.
 */
#ifndef KZ_BASE_OUTBOX_H
#define KZ_BASE_OUTBOX_H

#include <stddef.h>
#include <stdint.h>

typedef struct kz_outbox kz_outbox;

/* Places of the index that are close to each other, which they mostly are: chunk * 65536 + offset. */
typedef struct kz_places {
    uint16_t chunk;
    uint16_t count;
    const uint16_t *offsets;
} kz_places;

/* Takes places to a member. From any thread. */
void kz_outbox_put(kz_outbox *outbox, int member, const kz_places *places);

#endif
