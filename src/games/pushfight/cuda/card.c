/* SPDX-License-Identifier: MIT
 *
 * The way to solver.cu, which is in a module of its own, and what is done on the host. */
#include "games/pushfight/cuda/card.h"

#include "base/bigmem.h"
#include "base/error.h"
#include "base/module.h"

#include <string.h>

/* A function of the module, which stays loaded: once one is found, all are. */
#define IN_MODULE(name, error)                                                                                         \
    ((__typeof__(kz_module_pushfight_##name) *)kz_module_find("cuda", "kz_module_pushfight_" #name,                    \
                                                              "graphics cards (CUDA)", error))

kz_status kz_pf_card_open(int rules, kz_pf_card **opened, kz_error *error) {
    __typeof__(kz_module_pushfight_open) *open = IN_MODULE(open, error);
    return open ? open(rules, opened, error) : KZ_ERR_UNSUPPORTED;
}

void kz_pf_card_close(kz_pf_card *card) {
    if (card) {
        IN_MODULE(close, NULL)(card);
    }
}

kz_status kz_pf_card_start(kz_pf_card *card, uint8_t *stuck, kz_pf_amount *lost, kz_pf_amount *won, kz_error *error) {
    return IN_MODULE(start, error)(card, stuck, lost, won, error);
}

kz_status kz_pf_card_sweep(kz_pf_card *card, int phase, uint64_t first, uint64_t count, const uint8_t *changed,
                           uint32_t *decided, uint64_t *fresh, uint64_t *swept, kz_error *error) {
    return IN_MODULE(sweep, error)(card, phase, first, count, changed, decided, fresh, swept, error);
}

kz_status kz_pf_card_fetch(kz_pf_card *card, int phase, bool settle, kz_error *error) {
    return IN_MODULE(fetch, error)(card, phase, settle, error);
}

uint64_t kz_pf_card_collect(const kz_pf_card *card, uint64_t page, uint8_t *marks) {
    size_t runs = kz_pf_run_count(card->first_runs, page);
    memset(marks, 0, runs);
    if (!card->host_marked[page]) {
        return 0;
    }
    const uint32_t *bits = (const uint32_t *)(const void *)card->fetched + card->host_bit_place[page];
    const uint8_t *next = card->fetched + card->fetched_marks + card->host_mark_place[page];
    uint64_t words = card->host_bit_place[page + 1] - card->host_bit_place[page];
    uint64_t found = 0;
    if (words < (runs + 31) / 32) { /* the numbers of the runs */
        for (uint64_t i = 0; i < words; i++) {
            found += kz_popcount32(next[i]);
            marks[bits[i]] = next[i];
        }
        return found;
    }
    for (uint64_t i = 0; i < words; i++) {
        for (uint32_t rest = bits[i]; rest; rest &= rest - 1) {
            found += kz_popcount32(*next);
            marks[i * 32 + kz_lowest_bit32(rest)] = *next++;
        }
    }
    return found;
}

kz_status kz_pf_card_begin_restore(kz_pf_card *card, kz_error *error) {
    if (card->mirror) {
        return KZ_OK;
    }
    uint64_t bytes = (card->run_count + 1) * sizeof *card->mirror;
    card->mirror = kz_big_alloc(bytes);
    if (!card->mirror) {
        return kz_fail(error, KZ_ERR_MEMORY, "no memory for the state of the positions: it takes %llu MiB",
                       (unsigned long long)(bytes >> 20));
    }
    return IN_MODULE(runs, error)(card, 0, card->run_count, card->mirror, error);
}

void kz_pf_card_restore(kz_pf_card *card, int phase, uint64_t page, bool settle, const uint8_t *marks) {
    kz_pf_restore_runs(card->mirror + card->first_runs[page], kz_pf_run_count(card->first_runs, page), phase, settle,
                       marks);
}

kz_status kz_pf_card_page(kz_pf_card *card, uint64_t page, uint64_t *pairs, uint16_t *runs, kz_error *error) {
    uint64_t first = card->first_runs[page];
    size_t count = kz_pf_run_count(card->first_runs, page);
    KZ_TRY(IN_MODULE(pairs, error)(card, page, pairs, error));
    if (card->mirror) {
        memcpy(runs, card->mirror + first, count * sizeof *runs);
        return KZ_OK;
    }
    return IN_MODULE(runs, error)(card, first, count, runs, error);
}
