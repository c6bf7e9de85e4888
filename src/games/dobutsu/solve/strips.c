/* SPDX-License-Identifier: MIT
 *
 * The sweeps: from cells to strips, which of their positions are lost or won next, and back to cells. */
#include "games/dobutsu/solve/strips.h"

#include "base/bits.h"
#include "games/dobutsu/solve/cells.h"

#include <string.h>

/* ---- Between cells and strips --------------------------------------------------------------------------------------
 *
 * Eight states that follow each other from a multiple of eight on stand on the same squares (space.h). So they have
 * eight cells that follow each other, or none, but where mirror images are folded. */

enum { SINGLES = 16 * KZ_DOBUTSU_PAIR_WORDS, HANDS = SINGLES + 8 * KZ_DOBUTSU_SQUARES, HAND_STATES = 3 };

void kz_dobutsu_strip_words(const kz_dobutsu_strip *strip, uint64_t words[KZ_DOBUTSU_STATE_WORDS]) {
    memcpy(words, strip, sizeof *strip);
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    uint8_t bytes[sizeof *strip];
    memcpy(bytes, strip, sizeof bytes);
    for (unsigned word = 0; word < KZ_DOBUTSU_PAIR_WORDS; word++) {
        kz_store_le16(bytes + 2 * word, strip->of.pairs[word]); /* all the rest is bytes already */
    }
    for (unsigned i = 0; i < KZ_DOBUTSU_STATE_WORDS; i++) {
        words[i] = kz_load_le64(bytes + 8 * i);
    }
#endif
}

static void add_octet(kz_dobutsu_strip *strip, unsigned octet, unsigned bits) {
    if (octet < SINGLES / 8) {
        strip->of.pairs[octet / 2] |= (uint16_t)(bits << octet % 2 * 8);
    } else if (octet < HANDS / 8) {
        strip->of.singles[octet - SINGLES / 8] |= (uint8_t)bits;
    } else {
        strip->of.hands |= (uint8_t)bits;
    }
}

static uint8_t *cells_at(const kz_dobutsu_strips *strips, uint32_t index) {
    return (uint8_t *)(void *)(uintptr_t)&strips->retro->cells[index]; /* no other thread uses the cells of this run */
}

static void fill_strip(kz_dobutsu_strips *strips, uint32_t run) {
    const kz_dobutsu_space *space = strips->retro->space;
    const kz_dobutsu_run *r = &space->runs[run];
    unsigned ranking = kz_dobutsu_run_chicks(space, r);
    kz_dobutsu_strip *open = &strips->open[run];
    if (r->folded) {
        for (unsigned i = 0; i < r->size; i++) {
            unsigned state = space->chick_state[ranking][i];
            unsigned image = space->chick_mirror[state];
            if (kz_dobutsu_cell_load(strips->retro, r->base + i) >= KZ_DOBUTSU_CELL_OPEN) {
                add_octet(open, state / 8, 1U << state % 8);
                add_octet(open, image / 8, 1U << image % 8);
            }
        }
        return;
    }
    for (unsigned octet = 0; octet < KZ_DOBUTSU_OCTETS; octet++) {
        unsigned rank = space->octets[ranking][octet];
        if (rank != KZ_DOBUTSU_NO_STATE) {
            bool whole = octet < HANDS / 8;
            uint8_t bytes[8] = {1, 1, 1, 1, 1, 1, 1, 1};
            memcpy(bytes, cells_at(strips, r->base + rank), whole ? 8 : HAND_STATES);
            uint64_t cells = kz_load_le64(bytes);
            add_octet(open, octet, (unsigned)kz_dobutsu_gather_bits(cells & cells << 1));
        }
    }
}

static bool is_empty(const kz_dobutsu_strip *strip) {
    uint64_t words[sizeof *strip / sizeof(uint64_t)];
    uint64_t any = 0;
    memcpy(words, strip, sizeof words);
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        any |= words[i];
    }
    return any == 0;
}

void kz_dobutsu_strips_fill(kz_dobutsu_strips *strips, uint64_t begin, uint64_t end) {
    const uint32_t *slices = strips->retro->space->slices;
    for (uint32_t run = slices[begin]; run < slices[end]; run++) {
        kz_dobutsu_strips_list_targets(strips, run);
        fill_strip(strips, run);
        strips->live[run] = !is_empty(&strips->open[run]);
    }
}

/* Returns how many positions these are, as far as they have not been counted yet. */
static uint64_t write_waiting(const kz_dobutsu_strips *strips, kz_dobutsu_waiting *waiting, int n) {
#ifdef __x86_64__
    if (strips->cpu >= KZ_CPU_VBMI2) {
        return kz_dobutsu_write_cells_vbmi2(strips, waiting, n);
    }
#endif
    const uint64_t number = (uint64_t)n * UINT64_C(0x0101010101010101);
    for (unsigned i = 0; i < waiting->count; i++) {
        uint8_t *cells = cells_at(strips, waiting->index[i]);
        uint64_t mask = strips->tables.bytes_of[waiting->bits[i]];
        kz_store_le64(cells, (kz_load_le64(cells) & ~mask) | (number & mask));
    }
    waiting->count = 0;
    return 0;
}

/* Writes the distance of the states of a strip, where mirror images are folded. Returns how many positions they are. */
static uint64_t decide_folded(const kz_dobutsu_strips *strips, const kz_dobutsu_run *r, const kz_dobutsu_strip *found,
                              int n) {
    const kz_dobutsu_space *space = strips->retro->space;
    const uint16_t *ranks = space->chick_rank[kz_dobutsu_run_chicks(space, r) - space->unfolded_rankings];
    uint64_t count = 0;
    uint64_t words[KZ_DOBUTSU_STATE_WORDS];
    kz_dobutsu_strip_words(found, words);
    for (unsigned i = 0; i < KZ_DOBUTSU_STATE_WORDS; i++) {
        for (; words[i]; words[i] &= words[i] - 1) {
            uint32_t index = r->base + ranks[64 * i + kz_lowest_bit64(words[i])];
            count += kz_dobutsu_cell_load(strips->retro, index) >= KZ_DOBUTSU_CELL_OPEN;
            kz_dobutsu_cell_store(strips->retro, index, n);
        }
    }
    return count;
}

/* The rank of eight states that follow each other, worked out: the tables of ranks are not in the nearest cache. `free`
 * is how many squares are free, `ranks` the rank of each of them. */
static unsigned rank_of_octet(const kz_dobutsu_strip_tables *tables, uint64_t ranks, unsigned free, unsigned octet) {
    unsigned pairs = 16 * (free * (free - 1) / 2);
    if (octet < SINGLES / 8) {
        unsigned a = ranks >> tables->word_squares[octet / 2][0] & 15;
        unsigned b = ranks >> tables->word_squares[octet / 2][1] & 15;
        return 16 * (b * (b - 1) / 2 + a) + octet % 2 * 8;
    }
    return pairs + 8 * (octet < HANDS / 8 ? (unsigned)(ranks >> 4 * (octet - SINGLES / 8) & 15) : free);
}

/* Writes the distance of the states of a strip, or lists the cells that wait for it. Returns how many positions they
 * are. */
static uint64_t decide(const kz_dobutsu_strips *strips, uint32_t run, const kz_dobutsu_strip *found, int n,
                       kz_dobutsu_waiting *waiting) {
    const kz_dobutsu_space *space = strips->retro->space;
    const kz_dobutsu_run *r = &space->runs[run];
    if (r->folded) {
        return decide_folded(strips, r, found, n);
    }
    unsigned taken = kz_dobutsu_run_taken(space, r);
#ifdef __x86_64__
    if (strips->cpu >= KZ_CPU_VBMI2) {
        kz_dobutsu_list_cells_vbmi2(strips, r, taken, found, waiting);
        return 0;
    }
#endif
    uint64_t ranks = space->ranks[taken];
    unsigned free = KZ_DOBUTSU_SQUARES - kz_popcount32(taken);
    uint64_t count = 0;
    uint64_t words[KZ_DOBUTSU_STATE_WORDS];
    kz_dobutsu_strip_words(found, words);
    for (unsigned i = 0; i < KZ_DOBUTSU_STATE_WORDS; i++) {
        while (words[i]) {
            unsigned place = kz_lowest_bit64(words[i]) & 56;
            unsigned octet = 8 * i + place / 8;
            unsigned bits = words[i] >> place & 255;
            uint32_t index = r->base + rank_of_octet(&strips->tables, ranks, free, octet);
            words[i] &= ~(UINT64_C(255) << place);
            if (octet == HANDS / 8) { /* after them comes the next run */
                for (; bits; bits &= bits - 1, count++) {
                    kz_dobutsu_cell_store(strips->retro, index + kz_lowest_bit32(bits), n);
                }
                continue;
            }
            __builtin_prefetch((const void *)&strips->retro->cells[index], 1);
            waiting->index[waiting->count] = index;
            waiting->bits[waiting->count++] = (uint8_t)bits;
            uint64_t ones = strips->tables.bytes_of[bits] & UINT64_C(0x0101010101010101);
            count += ones * UINT64_C(0x0101010101010101) >> 56;
        }
    }
    return count;
}

/* ---- Sweeps ------------------------------------------------------------------------------------------------------ */

/* strip &= ~others. Returns whether something is left. */
static bool take_away(kz_dobutsu_strip *strip, const kz_dobutsu_strip *others) {
    for (int i = 0; i < KZ_DOBUTSU_STRIP_VECTORS; i++) {
        strip->vectors[i] &= ~others->vectors[i];
    }
    return !is_empty(strip);
}

/* Lists the targets of a run that are marked, without a branch: nobody could tell which. */
static unsigned list_marked(const kz_dobutsu_strips *strips, uint32_t run, const uint8_t *marked, uint32_t *list) {
    const uint32_t *targets = &strips->targets[strips->first_target[run]];
    unsigned used = 0;
    for (unsigned i = 0; i < strips->target_count[run]; i++) {
        list[used] = targets[i];
        used += marked[targets[i] & KZ_DOBUTSU_TARGET_RUN];
    }
    return used;
}

/* Whether a run leads to one that is marked. Mostly one of the first tells. */
static bool touches(const kz_dobutsu_strips *strips, uint32_t run, const uint8_t *marked) {
    const uint32_t *targets = &strips->targets[strips->first_target[run]];
    unsigned i = 0;
    while (i < strips->target_count[run] && !marked[targets[i] & KZ_DOBUTSU_TARGET_RUN]) {
        i++;
    }
    return i < strips->target_count[run];
}

static void prefetch_strips(const uint32_t *targets, unsigned count, const kz_dobutsu_strip *plane) {
    enum { CACHE_LINE = 64 };
    for (unsigned i = 0; i < count; i++) {
        const uint8_t *strip = (const uint8_t *)&plane[targets[i] & KZ_DOBUTSU_TARGET_RUN];
        for (unsigned at = 0; at < sizeof *plane; at += CACHE_LINE) {
            __builtin_prefetch(strip + at);
        }
    }
}

/* Takes the positions out of `found` that have a move to an open one. With vectors a whole strip is the fastest way
 * also for few positions. */
static void drop_led(const kz_dobutsu_strips *strips, const uint32_t *targets, unsigned count,
                     kz_dobutsu_strip *found) {
    kz_dobutsu_strip led;
    if (strips->gather) {
        strips->gather(strips, targets, count, strips->open, &led);
        take_away(found, &led);
        return;
    }
    kz_dobutsu_gather_pieces_plain(strips, targets, count, strips->open, &led);
    if (!take_away(found, &led) || kz_dobutsu_drop_led_by_chicks(strips, targets, count, strips->open, found)) {
        return;
    }
    led = (kz_dobutsu_strip){.vectors = {{0}}};
    kz_dobutsu_gather_chicks_plain(strips, targets, count, strips->open, &led);
    take_away(found, &led);
}

/* What has a move to a new loss. */
static void gather_from_lost(const kz_dobutsu_strips *strips, const uint32_t *marked, unsigned count,
                             kz_dobutsu_strip *found) {
    if (strips->gather) {
        strips->gather(strips, marked, count, strips->lost, found);
        return;
    }
    kz_dobutsu_gather_pieces_plain(strips, marked, count, strips->lost, found);
    if (!kz_dobutsu_gather_few_chicks(strips, marked, count, strips->lost, found)) {
        kz_dobutsu_gather_chicks_plain(strips, marked, count, strips->lost, found);
    }
}

/* Losses: open positions that have no move to an open one. What is found stays open till the sweep for wins, because
 * other threads ask. */
static uint64_t find_losses(kz_dobutsu_strips *strips, uint32_t run, int n, kz_dobutsu_waiting *waiting) {
    kz_dobutsu_strip found = strips->open[run];
    drop_led(strips, &strips->targets[strips->first_target[run]], strips->target_count[run], &found);
    if (is_empty(&found)) {
        return 0;
    }
    strips->lost[run] = found;
    strips->new_losses[run] = 1;
    uint64_t before = write_waiting(strips, waiting, n);
    return before + decide(strips, run, &found, n, waiting);
}

/* Wins: open positions that have a move to a new loss. */
static uint64_t find_wins(kz_dobutsu_strips *strips, uint32_t run, const uint32_t *marked, unsigned count, int n,
                          kz_dobutsu_waiting *waiting) {
    kz_dobutsu_strip *open = &strips->open[run];
    kz_dobutsu_strip found;
    gather_from_lost(strips, marked, count, &found);
    for (int i = 0; i < KZ_DOBUTSU_STRIP_VECTORS; i++) {
        found.vectors[i] &= open->vectors[i];
    }
    if (is_empty(&found)) {
        return 0;
    }
    strips->live[run] = take_away(open, &found);
    strips->new_wins[run] = 1;
    uint64_t before = write_waiting(strips, waiting, n);
    return before + decide(strips, run, &found, n, waiting);
}

/* The first run from `run` on that has open positions. */
static uint32_t next_live(const kz_dobutsu_strips *strips, uint32_t run, uint32_t end) {
    while (run < end && !strips->live[run]) {
        run++;
    }
    return run;
}

/* A run to visit, and those of its targets that are asked. */
typedef struct visit {
    uint32_t run;
    unsigned count;
    uint32_t targets[KZ_DOBUTSU_TARGETS_MOST + 1];
} visit;

/* Lists what a run asks for losses, or wins, and fetches it. Returns whether there is something to do. */
static bool prepare(const kz_dobutsu_strips *strips, uint32_t run, bool wins, visit *v) {
    v->run = run;
    v->count = 0;
    if (wins) {
        v->count = list_marked(strips, run, strips->new_losses, v->targets);
        prefetch_strips(v->targets, v->count, strips->lost);
    } else if (touches(strips, run, strips->new_wins)) {
        v->count = strips->target_count[run];
        prefetch_strips(&strips->targets[strips->first_target[run]], v->count, strips->open);
    }
    return v->count > 0 || (wins && strips->new_losses[run]);
}

uint64_t kz_dobutsu_strips_sweep(kz_dobutsu_strips *strips, int n, uint64_t begin, uint64_t end) {
    enum { AHEAD = 2, VISITS = 4 };
    const uint32_t *slices = strips->retro->space->slices;
    uint32_t first = slices[begin];
    uint32_t last = slices[end];
    bool wins = n % 2;
    visit visits[VISITS]; /* those whose strips are on their way, in turn */
    uint64_t decided = 0;
    kz_dobutsu_waiting waiting;
    waiting.count = waiting.size = 0;
    memset((wins ? strips->new_wins : strips->new_losses) + first, 0, last - first);
    uint32_t next = next_live(strips, first, last);
    unsigned prepared = 0;
    for (unsigned done = 0;; done++) {
        for (; next < last && prepared <= done + AHEAD; next = next_live(strips, next + 1, last)) {
            prepared += prepare(strips, next, wins, &visits[prepared % VISITS]);
        }
        if (done == prepared) {
            return decided + write_waiting(strips, &waiting, n);
        }
        const visit *v = &visits[done % VISITS];
        /* NOLINTNEXTLINE(clang-analyzer-core.uninitialized.ArraySubscript): fewer are done than are prepared */
        if (wins && strips->new_losses[v->run]) {
            strips->live[v->run] = take_away(&strips->open[v->run], &strips->lost[v->run]);
        }
        if (v->count > 0 && strips->live[v->run]) {
            decided += wins ? find_wins(strips, v->run, v->targets, v->count, n, &waiting)
                            : find_losses(strips, v->run, n, &waiting);
        }
    }
}
