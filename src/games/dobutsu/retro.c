/* SPDX-License-Identifier: MIT */
#include "games/dobutsu/cells.h"

#include "base/bigmem.h"
#include "base/bits.h"
#include "base/error.h"

#include <stdlib.h>
#include <string.h>

enum {
    LINES = KZ_DOBUTSU_INDEX_SIZE / KZ_DOBUTSU_CACHE_LINE + 1,
    CELLS = LINES * KZ_DOBUTSU_CACHE_LINE /* the last line is complete, so that lines can be read as a whole */
};

kz_dobutsu_retro *kz_dobutsu_retro_new(int rules) {
    kz_dobutsu_retro *retro = calloc(1, sizeof *retro);
    if (!retro) {
        return NULL;
    }
    retro->rules = rules;
    retro->space = kz_dobutsu_space_new();
    retro->unmoves = malloc(sizeof *retro->unmoves);
    retro->cells = kz_big_alloc(CELLS);
    retro->open = kz_big_alloc(LINES * sizeof *retro->open);
    retro->fresh[0] = kz_big_alloc(LINES + 8);
    retro->fresh[1] = kz_big_alloc(LINES + 8);
    bool simplified = rules == KZ_DOBUTSU_SIMPLIFIED;
    if (simplified) {
        retro->odd_ones = calloc(KZ_DOBUTSU_INDEX_SIZE / 64 + 1, sizeof *retro->odd_ones);
    }
    if (!retro->space || !retro->unmoves || !retro->cells || !retro->open || !retro->fresh[0] || !retro->fresh[1] ||
        (simplified && !retro->odd_ones)) {
        kz_dobutsu_retro_free(retro);
        return NULL;
    }
    kz_dobutsu_unmoves_fill(retro->unmoves);
    kz_dobutsu_retro_take_shard(retro, 0, 1);
    return retro;
}

void kz_dobutsu_retro_free(kz_dobutsu_retro *retro) {
    if (retro) {
        kz_dobutsu_space_free(retro->space);
        free(retro->unmoves);
        kz_big_free((void *)retro->cells, CELLS);
        kz_big_free((void *)retro->open, LINES * sizeof *retro->open);
        free((void *)retro->odd_ones);
        kz_big_free((void *)retro->fresh[0], LINES + 8);
        kz_big_free((void *)retro->fresh[1], LINES + 8);
        free(retro);
    }
}

/* ---- Parts of the index ------------------------------------------------------------------------------------------ */

static uint32_t chunk_begin(uint64_t chunk) {
    uint64_t index = chunk * KZ_DOBUTSU_SEGMENT;
    return index < KZ_DOBUTSU_INDEX_SIZE ? (uint32_t)index : KZ_DOBUTSU_INDEX_SIZE;
}

void kz_dobutsu_retro_take_shard(kz_dobutsu_retro *retro, int member, int members) {
    uint64_t parts = (uint64_t)members;
    for (uint64_t part = 0; part < parts; part++) {
        for (uint64_t chunk = KZ_DOBUTSU_SEGMENTS * part / parts; chunk < KZ_DOBUTSU_SEGMENTS * (part + 1) / parts;
             chunk++) {
            retro->owner[chunk] = (uint16_t)part;
        }
    }
    retro->members = members;
    retro->part_begin = chunk_begin(KZ_DOBUTSU_SEGMENTS * (uint64_t)member / parts);
    retro->part_end = chunk_begin(KZ_DOBUTSU_SEGMENTS * ((uint64_t)member + 1) / parts);
}

void *kz_dobutsu_retro_hints(kz_dobutsu_retro *retro, uint64_t *begins) {
    for (uint32_t line = retro->part_begin / KZ_DOBUTSU_CACHE_LINE;
         line < (retro->part_end + KZ_DOBUTSU_CACHE_LINE - 1) / KZ_DOBUTSU_CACHE_LINE; line++) {
        kz_dobutsu_retro_mark_open(retro, line);
    }
    memset(begins, 0, ((size_t)retro->members + 1) * sizeof *begins);
    for (uint64_t chunk = 0; chunk < KZ_DOBUTSU_SEGMENTS; chunk++) {
        uint64_t lines = (chunk_begin(chunk + 1) + KZ_DOBUTSU_CACHE_LINE - 1) / KZ_DOBUTSU_CACHE_LINE;
        begins[retro->owner[chunk] + 1] = lines * sizeof *retro->open;
    }
    for (int member = 0; member < retro->members; member++) { /* a member without a part has an empty range */
        begins[member + 1] = begins[member + 1] > begins[member] ? begins[member + 1] : begins[member];
    }
    return (void *)retro->open;
}

/* The first group that ends after an index. */
static uint64_t group_of_index(const kz_dobutsu_space *space, uint32_t index) {
    uint64_t low = 0;
    uint64_t high = space->solved_groups;
    while (low < high) {
        uint64_t middle = (low + high) / 2;
        const kz_dobutsu_run *last = &space->blocks[space->groups[middle + 1] - 1];
        if (last->base + last->size > index) {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    return low;
}

void kz_dobutsu_retro_slices(const kz_dobutsu_retro *retro, uint64_t *begin, uint64_t *end) {
    *begin = group_of_index(retro->space, retro->part_begin);
    *end = retro->part_begin == retro->part_end ? *begin : group_of_index(retro->space, retro->part_end - 1) + 1;
}

/* The part of [*begin, *end) that is the own one; it may be empty. */
static void clip(const kz_dobutsu_retro *retro, uint32_t *begin, uint32_t *end) {
    *begin = *begin > retro->part_begin ? *begin : retro->part_begin;
    *end = *end < retro->part_end ? *end : retro->part_end;
    *end = *end > *begin ? *end : *begin;
}

/* ---- Going back from the positions of a group -------------------------------------------------------------------- */

/* What is done to each position that a move is taken back to. */
enum effect {
    COUNT,  /* one more move that may save it */
    REFUTE, /* one less; with none left it is lost in n */
    WIN     /* won in n */
};

/* A position lies anywhere in 232 MB. So positions are asked for as they are found, and worked on in batches, when most
 * of them have arrived. */
enum { BATCH = 256, AWAY = 1024 };

typedef struct worker {
    kz_dobutsu_retro *retro;
    kz_outbox *outbox;
    int n; /* the distance that is decided now */
    unsigned waiting;
    uint32_t batch[BATCH + 1];
    unsigned chunk; /* that the positions in `away` are in: one after the other mostly are in the same */
    unsigned leaving;
    uint16_t away[AWAY];
} worker;

static inline void take_effect(worker *w, enum effect effect, uint32_t index) {
    kz_dobutsu_retro *retro = w->retro;
    uint8_t seen = kz_dobutsu_cell_load(retro, index);
    if (seen < KZ_DOBUTSU_CELL_OPEN) {
        return;
    }
    if (effect == COUNT) {
        atomic_fetch_add_explicit(&retro->cells[index], 1, memory_order_relaxed);
    } else if (effect == WIN) {
        kz_dobutsu_decide(retro, index, true, w->n);
    } else if (atomic_fetch_sub_explicit(&retro->cells[index], 1, memory_order_relaxed) == KZ_DOBUTSU_CELL_OPEN + 1) {
        kz_dobutsu_decide(retro, index, false, w->n);
    }
}

/* Most positions that moves lead back to are decided already. The bits that tell are close together, and asking them
 * first saves the way to the cell. While moves are counted, half of them are open. */
static unsigned drop_decided(const kz_dobutsu_retro *retro, uint32_t *batch, unsigned count) {
    unsigned kept = 0;
    for (unsigned i = 0; i < count; i++) {
        uint32_t index = batch[i];
        uint64_t open = atomic_load_explicit(&retro->open[index / KZ_DOBUTSU_CACHE_LINE], memory_order_relaxed);
        batch[kept] = index;
        kept += (unsigned)(open >> (index % KZ_DOBUTSU_CACHE_LINE) & 1);
    }
    for (unsigned i = 0; i < kept; i++) {
        __builtin_prefetch((const void *)&retro->cells[batch[i]], 1);
    }
    return kept;
}

static void send_away(worker *w) {
    if (w->leaving > 0) {
        const kz_places places = {(uint16_t)w->chunk, (uint16_t)w->leaving, w->away};
        kz_outbox_put(w->outbox, w->retro->owner[w->chunk], &places);
        w->leaving = 0;
    }
}

/* Takes the positions of other parts out of a batch, and drops those that are known to be decided. One that is won
 * needs to be told so once only. */
static unsigned take_out_others(worker *w, enum effect effect, unsigned count) {
    const kz_dobutsu_retro *retro = w->retro;
    uint32_t size = retro->part_end - retro->part_begin;
    unsigned kept = 0;
    for (unsigned i = 0; i < count; i++) {
        uint32_t index = w->batch[i];
        if (index - retro->part_begin < size) {
            w->batch[kept++] = index;
            continue;
        }
        uint64_t open = atomic_load_explicit(&retro->open[index / KZ_DOBUTSU_CACHE_LINE], memory_order_relaxed);
        uint64_t bit = UINT64_C(1) << (index % KZ_DOBUTSU_CACHE_LINE);
        if (!(open & bit)) {
            continue;
        }
        if (index / KZ_DOBUTSU_SEGMENT != w->chunk || w->leaving == AWAY) {
            send_away(w);
            w->chunk = index / KZ_DOBUTSU_SEGMENT;
        }
        w->away[w->leaving++] = (uint16_t)(index % KZ_DOBUTSU_SEGMENT);
        if (effect == WIN) {
            /* Another thread may put a bit back that it clears; then a message is sent twice, which does no harm. */
            atomic_store_explicit(&retro->open[index / KZ_DOBUTSU_CACHE_LINE], open & ~bit, memory_order_relaxed);
        }
    }
    return kept;
}

static void work_off(worker *w, enum effect effect) {
    unsigned count = effect == COUNT ? w->waiting : drop_decided(w->retro, w->batch, w->waiting);
    if (w->outbox) {
        count = take_out_others(w, effect, count);
    }
    for (unsigned i = 0; i < count; i++) {
        take_effect(w, effect, w->batch[i]);
    }
    w->waiting = 0;
}

/* Whether chicks stand on taken squares is anybody's guess, and a processor that guesses wrong loses more time than the
 * rest takes. So nothing is asked: each position goes to the end of the batch, which grows only if it should. */
static inline void visit(worker *w, enum effect effect, const kz_dobutsu_run_base *target, unsigned chicks) {
    unsigned rank = kz_dobutsu_chick_rank(target, chicks);
    bool wanted = rank != KZ_DOBUTSU_NO_STATE;
    uint32_t index = target->base + (wanted ? rank : 0);
    if (effect == COUNT) {
        __builtin_prefetch((const void *)&w->retro->cells[index], 1);
    } else {
        __builtin_prefetch((const void *)&w->retro->open[index / KZ_DOBUTSU_CACHE_LINE]);
    }
    w->batch[w->waiting] = index;
    w->waiting += wanted;
    if (w->waiting == BATCH) {
        work_off(w, effect);
    }
}

/* The positions of one block that moves are taken back from. */
struct row {
    unsigned giraffes;
    unsigned giraffe_squares;
    unsigned first;   /* in the list of chicks */
    unsigned holding; /* how many, at the beginning, have a chick in the own hand */
    unsigned count;
};

/* Those of a whole group. Going through all its rows for one move, and then for the next move, keeps to one part of the
 * memory at a time: that of the group which the move leads to. */
typedef struct sources {
    unsigned rows;
    unsigned count;
    struct row row[KZ_DOBUTSU_PLAIN_STATES];
    uint16_t chicks[2][KZ_DOBUTSU_SLICE_POSITIONS]; /* plain and mirrored */
} sources;

static inline void visit_state(worker *w, enum effect effect, const kz_dobutsu_run_base *target, unsigned chicks) {
    if (chicks != KZ_DOBUTSU_NO_STATE) {
        visit(w, effect, target, target->mirrored ? w->retro->space->chick_mirror[chicks] : chicks);
    }
}

/* The row's chicks where they are. */
static inline void visit_chicks(worker *w, enum effect effect, const sources *s, const struct row *row,
                                const kz_dobutsu_run_base *target) {
    const uint16_t *chicks = &s->chicks[target->mirrored][row->first];
    for (unsigned i = 0; i < row->count; i++) {
        visit(w, effect, target, chicks[i]);
    }
}

/* A lion, elephant or giraffe goes back from `to`: without a capture, or with a chick or a giraffe given back. */
static inline void visit_step(worker *w, enum effect effect, const sources *s, const struct row *row,
                              const kz_dobutsu_slice_base *anchor, unsigned giraffes, unsigned to) {
    const kz_dobutsu_space *space = w->retro->space;
    const kz_dobutsu_unmoves *unmoves = w->retro->unmoves;
    kz_dobutsu_run_base target;
    if (kz_dobutsu_run_base_in(space, anchor, giraffes, &target)) {
        visit_chicks(w, effect, s, row, &target);
        for (unsigned i = 0; i < row->holding; i++) {
            const uint16_t *back = unmoves->chick_returned[s->chicks[0][row->first + i]][to];
            visit_state(w, effect, &target, back[0]);
            visit_state(w, effect, &target, back[1]);
        }
    }
    unsigned back = unmoves->plain_returned[giraffes][to];
    if (back != KZ_DOBUTSU_NO_STATE && kz_dobutsu_run_base_in(space, anchor, back, &target)) {
        visit_chicks(w, effect, s, row, &target);
    }
}

/* A drop goes back, or any move that gave back an elephant. */
static inline void visit_plain(worker *w, enum effect effect, const sources *s, const struct row *row,
                               const kz_dobutsu_slice_base *anchor, unsigned giraffes) {
    kz_dobutsu_run_base target;
    if (kz_dobutsu_run_base_in(w->retro->space, anchor, giraffes, &target)) {
        visit_chicks(w, effect, s, row, &target);
    }
}

static inline void visit_lion_and_elephant_moves(worker *w, enum effect effect, const kz_dobutsu_slice *g,
                                                 const sources *s) {
    for (unsigned i = 0; i < g->count; i++) {
        const kz_dobutsu_slice_step *step = &g->steps[i];
        bool drop = step->from == KZ_DOBUTSU_FROM_HAND;
        for (unsigned k = 0; k < s->rows; k++) {
            const struct row *row = &s->row[k];
            if (drop) {
                visit_plain(w, effect, s, row, &step->quiet, row->giraffes);
            } else if (!(row->giraffe_squares >> step->from & 1)) {
                visit_step(w, effect, s, row, &step->quiet, row->giraffes, step->to);
            }
        }
        for (unsigned k = 0; step->may_take_elephant && k < s->rows; k++) {
            if (!(s->row[k].giraffe_squares >> step->from & 1)) {
                visit_plain(w, effect, s, &s->row[k], &step->took_elephant, s->row[k].giraffes);
            }
        }
    }
}

static inline void visit_giraffe_moves(worker *w, enum effect effect, const kz_dobutsu_slice *g, const sources *s) {
    for (unsigned k = 0; k < s->rows; k++) {
        const struct row *row = &s->row[k];
        const kz_dobutsu_unmove_list *list = &w->retro->unmoves->giraffe[row->giraffes];
        for (unsigned i = 0; i < list->count; i++) {
            const kz_dobutsu_unmove *unmove = &list->unmoves[i];
            if (unmove->from == KZ_DOBUTSU_FROM_HAND) {
                visit_plain(w, effect, s, row, &g->home, unmove->state);
            } else if (!(g->taken >> unmove->from & 1)) {
                visit_step(w, effect, s, row, &g->home, unmove->state, unmove->to);
                if (g->elephant_given_back >> unmove->to & 1) {
                    visit_plain(w, effect, s, row, &g->took_elephant[unmove->to], unmove->state);
                }
            }
        }
    }
}

static inline void visit_chick_moves(worker *w, enum effect effect, const kz_dobutsu_slice *g, const sources *s) {
    const kz_dobutsu_space *space = w->retro->space;
    const kz_dobutsu_unmoves *unmoves = w->retro->unmoves;
    for (unsigned r = 0; r < s->rows; r++) {
        const struct row *row = &s->row[r];
        unsigned taken = g->taken | row->giraffe_squares;
        kz_dobutsu_run_base quiet;
        kz_dobutsu_run_base other;
        if (!kz_dobutsu_run_base_in(space, &g->home, row->giraffes, &quiet)) {
            continue; /* can't be: the row is a block of this group */
        }
        for (unsigned i = row->first; i < row->first + row->count; i++) {
            const kz_dobutsu_unmove_list *list = &unmoves->chick[s->chicks[0][i]];
            for (unsigned k = 0; k < list->count; k++) {
                const kz_dobutsu_unmove *unmove = &list->unmoves[k];
                visit_state(w, effect, &quiet, unmove->state);
                if (unmove->from == KZ_DOBUTSU_FROM_HAND || (taken >> unmove->from & 1)) {
                    continue;
                }
                if ((g->elephant_given_back >> unmove->to & 1) &&
                    kz_dobutsu_run_base_in(space, &g->took_elephant[unmove->to], row->giraffes, &other)) {
                    visit_state(w, effect, &other, unmove->state);
                }
                unsigned back = unmoves->plain_returned[row->giraffes][unmove->to];
                if (back != KZ_DOBUTSU_NO_STATE && kz_dobutsu_run_base_in(space, &g->home, back, &other)) {
                    visit_state(w, effect, &other, unmove->state);
                }
            }
            const kz_dobutsu_unmove_list *took = &unmoves->chick_took_chick[s->chicks[0][i]];
            for (unsigned k = 0; k < took->count; k++) {
                visit_state(w, effect, &quiet, took->unmoves[k].state);
            }
        }
    }
}

static inline __attribute__((always_inline)) void go_back(worker *w, enum effect effect, const kz_dobutsu_slice *g,
                                                          const sources *s) {
    visit_lion_and_elephant_moves(w, effect, g, s);
    visit_giraffe_moves(w, effect, g, s);
    visit_chick_moves(w, effect, g, s);
}

/* A new row for the positions of a block; they are added by add_source. */
static struct row *begin_row(const kz_dobutsu_space *space, const kz_dobutsu_run *block, sources *s) {
    struct row *row = &s->row[s->rows++];
    row->giraffes = space->plain_flip[block->giraffes];
    row->giraffe_squares = space->plain_slot[row->giraffes].mask;
    row->first = s->count;
    row->holding = 0;
    row->count = 0;
    return row;
}

static inline void add_source(const kz_dobutsu_retro *retro, sources *s, struct row *row, unsigned chicks) {
    unsigned seen = retro->space->chick_flip[chicks];
    unsigned at = row->first + row->count++;
    s->count++;
    if (retro->unmoves->chick_held[seen]) { /* those come first */
        unsigned first = row->first + row->holding++;
        for (int image = 0; at != first && image < 2; image++) {
            s->chicks[image][at] = s->chicks[image][first];
        }
        at = first;
    }
    s->chicks[0][at] = (uint16_t)seen;
    s->chicks[1][at] = retro->space->chick_mirror[seen];
}

/* What is left when a kernel ends. */
static void finish(worker *w, enum effect effect) {
    work_off(w, effect);
    send_away(w);
}

/* ---- The kernels ------------------------------------------------------------------------------------------------- */

uint64_t kz_dobutsu_retro_count(kz_dobutsu_retro *retro, kz_outbox *outbox, uint64_t begin, uint64_t end) {
    const kz_dobutsu_space *space = retro->space;
    worker w = {.retro = retro, .outbox = outbox};
    uint64_t total = 0;
    kz_dobutsu_slice g;
    sources s;
    for (uint64_t number = begin; number < end; number++) {
        s.rows = 0;
        s.count = 0;
        for (uint32_t b = space->groups[number]; b < space->groups[number + 1]; b++) {
            const kz_dobutsu_run *block = &space->blocks[b];
            const uint16_t *states = space->chick_state[kz_dobutsu_run_chicks(space, block)];
            struct row *row = begin_row(space, block, &s);
            uint32_t index = block->base;
            uint32_t stop = block->base + block->size;
            for (clip(retro, &index, &stop); index < stop; index++) {
                uint8_t cell = kz_dobutsu_cell_load(retro, index);
                if (cell != 1 && cell != KZ_DOBUTSU_CELL_STALEMATE && cell != 0) {
                    add_source(retro, &s, row, states[index - block->base]);
                }
            }
        }
        kz_dobutsu_slice_of(space, retro->unmoves, &space->blocks[space->groups[number]], &g);
        go_back(&w, COUNT, &g, &s);
        total += s.count;
    }
    finish(&w, COUNT);
    return total;
}

/* The eight cells from `index` on, the first one in the lowest byte. */
static inline uint64_t load_cells(const kz_dobutsu_retro *retro, uint32_t index) {
    uint8_t bytes[8];
    kz_dobutsu_load_eight(&retro->cells[index], bytes);
    return kz_load_le64(bytes);
}

/* Bit 7 of each of eight bytes as eight bits. */
static inline uint64_t gather(uint64_t bytes) {
    return ((bytes >> 7 & UINT64_C(0x0101010101010101)) * UINT64_C(0x0102040810204080)) >> 56;
}

/* The set of positions of a line that hold the byte n. Of x = bytes ^ n the zero bytes are wanted; adding 0x7F to the
 * lower seven bits of a byte sets its highest bit unless they are zero. */
static uint64_t find_in_line(const kz_dobutsu_retro *retro, uint32_t line, int n) {
    const uint64_t low = UINT64_C(0x7F7F7F7F7F7F7F7F);
    uint64_t found = 0;
    for (unsigned i = 0; i < KZ_DOBUTSU_CACHE_LINE; i += 8) {
        uint64_t x = load_cells(retro, line * KZ_DOBUTSU_CACHE_LINE + i) ^ (uint64_t)n * UINT64_C(0x0101010101010101);
        found |= gather(~(((x & low) + low) | x)) << i;
    }
    return found;
}

/* Notes which positions of a line are open. Others may be decided meanwhile, so a bit can be set that should not be;
 * that costs a look at the cell and no more. */
void kz_dobutsu_retro_mark_open(kz_dobutsu_retro *retro, uint32_t line) {
    uint64_t open = 0;
    for (unsigned i = 0; i < KZ_DOBUTSU_CACHE_LINE; i += 8) {
        uint64_t bytes = load_cells(retro, line * KZ_DOBUTSU_CACHE_LINE + i);
        open |= gather(bytes & bytes << 1) << i; /* from KZ_DOBUTSU_CELL_OPEN on the two highest bits are set */
    }
    atomic_store_explicit(&retro->open[line], open, memory_order_relaxed);
}

void kz_dobutsu_retro_settle(kz_dobutsu_retro *retro, uint64_t begin, uint64_t end) {
    const kz_dobutsu_space *space = retro->space;
    const kz_dobutsu_run *last = &space->blocks[space->groups[end] - 1];
    uint32_t begin_index = space->blocks[space->groups[begin]].base;
    uint32_t end_index = last->base + last->size;
    clip(retro, &begin_index, &end_index);
    for (uint32_t index = begin_index; index < end_index; index++) {
        if (kz_dobutsu_cell_load(retro, index) == KZ_DOBUTSU_CELL_OPEN) {
            kz_dobutsu_decide(retro, index, false, 2);
        }
    }
    for (uint32_t line = begin_index / KZ_DOBUTSU_CACHE_LINE;
         line < (end_index + KZ_DOBUTSU_CACHE_LINE - 1) / KZ_DOBUTSU_CACHE_LINE; line++) {
        kz_dobutsu_retro_mark_open(retro, line);
    }
}

void kz_dobutsu_retro_clear(kz_dobutsu_retro *retro, int n) {
    uint32_t begin = retro->part_begin / KZ_DOBUTSU_CACHE_LINE;
    uint32_t end = (retro->part_end + KZ_DOBUTSU_CACHE_LINE - 1) / KZ_DOBUTSU_CACHE_LINE;
    memset((void *)&retro->fresh[n & 1][begin], 0, end - begin);
}

/* Lists the lines from `line` to `end` that have something new, and asks for them. */
static unsigned list_fresh_lines(const kz_dobutsu_retro *retro, uint32_t line, uint32_t end, int n, uint32_t *list) {
    unsigned count = 0;
    while (line < end) {
        uint8_t eight[8];
        kz_dobutsu_load_eight(&retro->fresh[n & 1][line], eight);
        if (kz_load_le64(eight) == 0) {
            line += 8;
            continue;
        }
        for (uint32_t stop = line + 8 < end ? line + 8 : end; line < stop; line++) {
            if (atomic_load_explicit(&retro->fresh[n & 1][line], memory_order_relaxed)) {
                __builtin_prefetch((const void *)&retro->cells[line * KZ_DOBUTSU_CACHE_LINE]);
                list[count++] = line;
            }
        }
    }
    return count;
}

/* Collects the positions of a group that were won (lost) in n. */
static void find_sources(kz_dobutsu_retro *retro, uint64_t number, bool odd, int n, sources *s) {
    const kz_dobutsu_space *space = retro->space;
    const kz_dobutsu_run *block = &space->blocks[space->groups[number]];
    const kz_dobutsu_run *last = &space->blocks[space->groups[number + 1] - 1];
    uint32_t lines[KZ_DOBUTSU_SLICE_POSITIONS / KZ_DOBUTSU_CACHE_LINE + 2];
    uint32_t begin = block->base;
    uint32_t end = last->base + last->size;
    clip(retro, &begin, &end);
    unsigned count =
        list_fresh_lines(retro, begin / KZ_DOBUTSU_CACHE_LINE, (end - 1) / KZ_DOBUTSU_CACHE_LINE + 1, n, lines);
    const uint16_t *states = NULL;
    struct row *row = NULL;
    s->rows = 0;
    s->count = 0;
    for (unsigned i = 0; i < count; i++) {
        for (uint64_t found = find_in_line(retro, lines[i], n); found; found &= found - 1) {
            uint32_t index = lines[i] * KZ_DOBUTSU_CACHE_LINE + kz_lowest_bit64(found);
            if (index < begin || index >= end || kz_dobutsu_odd_one(retro, index) != odd) {
                continue;
            }
            while (index >= block->base + block->size) {
                block++;
                row = NULL;
            }
            if (!row) {
                states = space->chick_state[kz_dobutsu_run_chicks(space, block)];
                row = begin_row(space, block, s);
            }
            add_source(retro, s, row, states[index - block->base]);
        }
        kz_dobutsu_retro_mark_open(retro, lines[i]);
    }
}

uint64_t kz_dobutsu_retro_propagate(kz_dobutsu_retro *retro, kz_outbox *outbox, bool wins, int n, uint64_t begin,
                                    uint64_t end) {
    const kz_dobutsu_space *space = retro->space;
    worker w = {.retro = retro, .outbox = outbox, .n = n + 1};
    uint64_t total = 0;
    kz_dobutsu_slice g;
    sources s;
    for (uint64_t number = begin; number < end; number++) {
        find_sources(retro, number, kz_dobutsu_is_odd_one(wins, n), n, &s);
        if (s.count == 0) {
            continue;
        }
        total += s.count;
        kz_dobutsu_slice_of(space, retro->unmoves, &space->blocks[space->groups[number]], &g);
        if (wins) {
            go_back(&w, REFUTE, &g, &s);
        } else {
            go_back(&w, WIN, &g, &s);
        }
    }
    finish(&w, wins ? REFUTE : WIN);
    return total;
}

void kz_dobutsu_retro_receive(kz_dobutsu_retro *retro, kz_step step, const kz_places *places) {
    worker w = {.retro = retro, .n = step.n + 1};
    enum effect effect = step.counting ? COUNT : step.wins ? REFUTE : WIN;
    const uint16_t *offsets = places->offsets;
    for (unsigned left = places->count; left > 0;) {
        w.waiting = left < BATCH ? left : BATCH;
        left -= w.waiting;
        for (unsigned i = 0; i < w.waiting; i++) {
            uint32_t index = places->chunk * (uint32_t)KZ_DOBUTSU_SEGMENT + *offsets++;
            w.batch[i] = index;
            __builtin_prefetch(effect == COUNT ? (const void *)&retro->cells[index]
                                               : (const void *)&retro->open[index / KZ_DOBUTSU_CACHE_LINE]);
        }
        work_off(&w, effect);
    }
}
