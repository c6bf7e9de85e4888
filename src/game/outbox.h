/* SPDX-License-Identifier: MIT
 *
 * Where a kernel puts what it finds out about positions that another member of the team owns. The solver provides it
 * (solve/team/mail.c). */
#ifndef KZ_CORE_OUTBOX_H
#define KZ_CORE_OUTBOX_H

#include <stddef.h>
#include <stdint.h>

/* Updates for several positions whose indices are close to each other, as they mostly are: segment * 65536 + offset. */
typedef struct kz_updates {
    uint16_t segment;
    uint16_t count;
    const uint16_t *offsets;
} kz_updates;

typedef struct kz_outbox {
    /* Sends updates to the member that keeps the positions. From any thread. */
    void (*put)(struct kz_outbox *outbox, int member, const kz_updates *updates);
} kz_outbox;

static inline void kz_outbox_put(kz_outbox *outbox, int member, const kz_updates *updates) {
    outbox->put(outbox, member, updates);
}

#endif
