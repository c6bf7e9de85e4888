/* SPDX-License-Identifier: MIT
 *
 * Where a kernel puts what it finds out about positions that another member of the team owns. The solver provides it
 * (solve/team/mail.c). */
#ifndef KZ_CORE_OUTBOX_H
#define KZ_CORE_OUTBOX_H

#include <stddef.h>
#include <stdint.h>

/* Places of the index that are close to each other, which they mostly are: chunk * 65536 + offset. */
typedef struct kz_places {
    uint16_t chunk;
    uint16_t count;
    const uint16_t *offsets;
} kz_places;

typedef struct kz_outbox {
    /* Sends places to the member that owns them. From any thread. */
    void (*put)(struct kz_outbox *outbox, int member, const kz_places *places);
} kz_outbox;

static inline void kz_outbox_put(kz_outbox *outbox, int member, const kz_places *places) {
    outbox->put(outbox, member, places);
}

#endif
