/* SPDX-License-Identifier: MIT
 *
 * The tables of panels. */
#include "games/pushfight/check/value_panels.h"

#include "base/cpu.h"
#include "base/error.h"

#include <stdlib.h>
#include <string.h>

enum { OTHERS = KZ_PF_MOST_PIECES - 1 };

bool kz_pf_panels_fit(void) { return kz_cpu_level() >= KZ_CPU_VBMI2; }

/* The byte of a panel that has (rho, sigma). */
static unsigned byte_of(const kz_pf_space *space, unsigned rho, unsigned sigma) {
    return rho * (unsigned)space->anchored_splits + sigma;
}

static void number_moves(kz_pf_panels *panels, const kz_pf_value_moves *moves) {
    const kz_pf_space *space = panels->space;
    for (int place = 0; place < space->pieces; place++) {
        for (unsigned roles = 0; roles < (unsigned)space->splits; roles++) {
            for (unsigned sigma = 0; sigma < (unsigned)space->anchored_splits; sigma++) {
                unsigned common = byte_of(space, roles, sigma);
                unsigned own = byte_of(space, moves->rho[place][roles], sigma);
                panels->in[place].from[common] = (uint8_t)own;
                panels->out[place].from[own] = (uint8_t)common;
            }
        }
    }
}

/* Takes places apart. False if they are not an order of all of them. */
static bool places_of(uint32_t code, int count, unsigned places[OTHERS]) {
    unsigned seen = 0;
    for (int i = 0; i < count; i++) {
        places[i] = code >> KZ_PF_ORDER_BITS * i & 3;
        seen |= 1U << places[i];
    }
    return seen == (1U << count) - 1;
}

static void number_sigmas(kz_pf_panels *panels, unsigned order, const unsigned places[OTHERS]) {
    const kz_pf_space *space = panels->space;
    for (int piece = 0; piece < space->pieces; piece++) {
        for (unsigned rho = 0; rho < (unsigned)space->splits; rho++) {
            uint32_t movers = space->split_pattern[rho];
            if (movers >> piece & 1) {
                continue;
            }
            uint32_t before = kz_pf_without_bit(movers, (unsigned)piece);
            uint32_t after = 0;
            for (; before; before &= before - 1) {
                after |= UINT32_C(1) << places[kz_lowest_bit32(before)];
            }
            uint8_t sigma = space->anchored_number[after];
            memset(&panels->sigmas[order][0][piece].from[byte_of(space, rho, 0)], sigma,
                   (size_t)space->anchored_splits);
            memset(&panels->sigmas[order][1][piece].from[byte_of(space, rho, 0)], space->anchored_reversed[sigma],
                   (size_t)space->anchored_splits);
        }
    }
}

static void number_orders(kz_pf_panels *panels) {
    int others = panels->space->pieces - 1;
    unsigned count = 0;
    for (uint32_t code = 0; code < UINT32_C(1) << KZ_PF_ORDER_BITS * others; code++) {
        unsigned places[OTHERS];
        if (places_of(code, others, places)) {
            number_sigmas(panels, count, places);
            panels->order_number[code] = (uint8_t)count++;
        }
    }
    for (int i = 0; i < others; i++) {
        panels->same_order |= (uint32_t)i << KZ_PF_ORDER_BITS * i;
    }
}

static void number_pushers(kz_pf_panels *panels) {
    const kz_pf_space *space = panels->space;
    uint64_t run = (UINT64_C(1) << space->anchored_splits) - 1;
    for (unsigned rho = 0; rho < (unsigned)space->splits; rho++) {
        uint64_t bytes = run << byte_of(space, rho, 0);
        for (int piece = 0; piece < space->pieces; piece++) {
            panels->pushers[piece] |= space->split_pattern[rho] >> piece & 1 ? 0 : bytes;
        }
    }
}

kz_status kz_pf_panels_open(const kz_pf_value_moves *moves, kz_pf_panels **opened, kz_error *error) {
    kz_pf_panels *panels = aligned_alloc(KZ_PF_PANEL, sizeof *panels);
    if (!panels) {
        return kz_fail(error, KZ_ERR_MEMORY, "no memory for the tables of an enemy set");
    }
    memset(panels, 0, sizeof *panels);
    panels->space = moves->space;
    number_moves(panels, moves);
    number_orders(panels);
    number_pushers(panels);
    *opened = panels;
    return KZ_OK;
}

void kz_pf_panels_close(kz_pf_panels *panels) { free(panels); }
