/* SPDX-License-Identifier: MIT
 *
 * Forwards, for games without predecessors: phase n decides what is won or lost in n plies by looking at the moves of
 * all that is open. */
#include "solve/any_cells.h"

#include "base/error.h"

/* What is decided in n plies or more does not count yet. */
void kz_any_add_inside(const kz_any_tier *tier, kz_code code, any_outlook *o) {
    bool early = code != KZ_CODE_HOLE && (code - 2) / 2 < tier->n;
    o->waits = o->waits || !early || code % 2 == 0;
    if (early) {
        kz_any_add_value(&o->sight, code);
    }
}

void kz_any_settle(kz_any_tier *tier, any_worker *w, uint64_t offset, const any_outlook *o) {
    if ((unsigned)o->sight.win == tier->n) {
        any_put(tier, offset, kz_any_decided(tier, w, offset, true, tier->n));
    } else if (!o->sight.win && !o->sight.draws && !o->waits && (unsigned)o->sight.worst + 1 == tier->n) {
        any_put(tier, offset, kz_any_decided(tier, w, offset, false, tier->n));
    }
}

static void settle_position(kz_any_tier *tier, any_worker *w, uint64_t offset) {
    any_outlook o;
    kz_any_look_ahead(tier, w, tier->first + offset, &o);
    for (unsigned i = 0; i < o.inside; i++) {
        kz_any_add_inside(tier, any_inside_code(tier, any_cell(tier, w->indices[i] - tier->first)), &o);
    }
    kz_any_settle(tier, w, offset, &o);
}

bool kz_any_may_change(const kz_any_tier *tier, unsigned cell) {
    return any_is_open(tier, cell) || cell == ANY_BLOCKED ||
           (any_is_won(tier, cell) && any_plies(tier, cell) > tier->n);
}

static void settle_parts(void *context, int number, uint64_t begin, uint64_t end) {
    kz_any_tier *tier = context;
    for (uint64_t part = begin; part < end; part++) {
        uint64_t last = (part + 1) * ANY_PART < tier->count ? (part + 1) * ANY_PART : tier->count;
        bool open = false;
        for (uint64_t offset = part * ANY_PART; !tier->done[part] && offset < last; offset++) {
            if (kz_any_may_change(tier, any_cell(tier, offset))) {
                open = true;
                settle_position(tier, &tier->worker[number], offset);
            }
        }
        tier->done[part] = tier->done[part] || !open;
    }
}

/* How far phases have to go: one past the last distance, or to what lower tiers may bring. */
static unsigned last_phase(const kz_any_tier *tier) {
    unsigned next = atomic_load(&tier->longest) + 1;
    unsigned horizon = atomic_load(&tier->horizon);
    return next > horizon ? next : horizon;
}

kz_status kz_any_go_forth(kz_any_tier *tier, kz_pool *pool, const kz_progress *progress, kz_error *error) {
    for (unsigned n = 1; n <= last_phase(tier) && !atomic_load(&tier->too_far); n++) {
        tier->n = n;
        KZ_TRY(kz_pool_for(pool, tier->parts, 0, settle_parts, tier, progress, "going forwards", error));
        KZ_TRY(kz_any_check_laws(tier, error));
    }
    return KZ_OK;
}
