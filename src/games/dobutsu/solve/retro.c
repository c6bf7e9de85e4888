/* SPDX-License-Identifier: MIT */
#include "games/dobutsu/solve/cells.h"

#include <string.h>

/* Cuts [*begin, *end) down to what is in the own shard; that may be nothing. */
static void clip(const kz_dobutsu_retro *retro, uint32_t *begin, uint32_t *end) {
    *begin = *begin > retro->shard_begin ? *begin : retro->shard_begin;
    *end = *end < retro->shard_end ? *end : retro->shard_end;
    *end = *end > *begin ? *end : *begin;
}

/* ---- What happens to a predecessor -------------------------------------------------------------------------------
 *
 * The way of a predecessor through the functions below:
 *
 *     visit          works out its index, prefetches what is needed next, adds it to the batch
 *     work_off       when the batch is full:
 *       drop_decided     drops it if a bit of `open` says that it is decided; prefetches its cell
 *       take_out_others  another shard: puts it among the updates for the member that has it
 *       take_effect      changes its cell
 */

/* Predecessors lie anywhere in 232 MB, so most of them are cache misses. They are prefetched as they are found, and
 * worked on in batches, when most of them have arrived. */
enum { BATCH = 256, AWAY = 1024 };

typedef struct predecessors {
    kz_dobutsu_retro *retro;
    kz_mail *mail;
    int n; /* the distance that is decided now */
    unsigned waiting;
    uint32_t batch[BATCH + 1];
    unsigned segment; /* of the positions in `away`: consecutive ones are mostly in the same segment */
    unsigned leaving;
    uint16_t away[AWAY];
} predecessors;

/* Several threads may do this to the same cell. KZ_DOBUTSU_COUNT and KZ_DOBUTSU_REFUTE are single additions, so none
 * gets lost; exactly one thread sees the last move go, and decides. KZ_DOBUTSU_WIN writes the same byte, whoever is
 * first. */
static inline void take_effect(predecessors *w, kz_dobutsu_effect effect, uint32_t index) {
    kz_dobutsu_retro *retro = w->retro;
    uint8_t seen = kz_dobutsu_cell_load(retro, index);
    if (seen < KZ_DOBUTSU_CELL_OPEN) {
        return;
    }
    if (effect == KZ_DOBUTSU_COUNT) {
        atomic_fetch_add_explicit(&retro->cells[index], 1, memory_order_relaxed);
    } else if (effect == KZ_DOBUTSU_WIN) {
        kz_dobutsu_decide(retro, index, true, w->n);
    } else if (atomic_fetch_sub_explicit(&retro->cells[index], 1, memory_order_relaxed) == KZ_DOBUTSU_CELL_OPEN + 1) {
        kz_dobutsu_decide(retro, index, false, w->n);
    }
}

/* Most predecessors are decided already. The bits of `open` that say so take an eighth of the memory of the cells, and
 * asking them first saves most cache misses. (While moves are counted, half of the predecessors are open: then it does
 * not pay.) */
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

/* Sends the updates that have been collected for one segment. */
static void send_away(predecessors *w) {
    if (w->leaving > 0) {
        const kz_updates updates = {(uint16_t)w->segment, (uint16_t)w->leaving, w->away};
        kz_mail_put(w->mail, w->retro->owner[w->segment], &updates);
        w->leaving = 0;
    }
}

/* Takes the positions of other shards out of a batch, and collects them as updates; those that are known to be decided
 * are dropped. A position that is won needs only one update. */
static unsigned take_out_others(predecessors *w, kz_dobutsu_effect effect, unsigned count) {
    const kz_dobutsu_retro *retro = w->retro;
    uint32_t size = retro->shard_end - retro->shard_begin;
    unsigned kept = 0;
    for (unsigned i = 0; i < count; i++) {
        uint32_t index = w->batch[i];
        if (index - retro->shard_begin < size) {
            w->batch[kept++] = index;
            continue;
        }
        uint64_t open = atomic_load_explicit(&retro->open[index / KZ_DOBUTSU_CACHE_LINE], memory_order_relaxed);
        uint64_t bit = UINT64_C(1) << (index % KZ_DOBUTSU_CACHE_LINE);
        if (!(open & bit)) {
            continue;
        }
        if (index / KZ_DOBUTSU_SEGMENT != w->segment || w->leaving == AWAY) {
            send_away(w);
            w->segment = index / KZ_DOBUTSU_SEGMENT;
        }
        w->away[w->leaving++] = (uint16_t)(index % KZ_DOBUTSU_SEGMENT);
        if (effect == KZ_DOBUTSU_WIN) {
            /* Another thread may restore the bit by clearing one beside it. Then an update is sent twice: no harm. */
            atomic_store_explicit(&retro->open[index / KZ_DOBUTSU_CACHE_LINE], open & ~bit, memory_order_relaxed);
        }
    }
    return kept;
}

/* Does to all positions of the batch what is to be done, and empties it. */
static void work_off(predecessors *w, kz_dobutsu_effect effect) {
    unsigned count = effect == KZ_DOBUTSU_COUNT ? w->waiting : drop_decided(w->retro, w->batch, w->waiting);
    if (w->mail) {
        count = take_out_others(w, effect, count);
    }
    for (unsigned i = 0; i < count; i++) {
        take_effect(w, effect, w->batch[i]);
    }
    w->waiting = 0;
}

/* A predecessor in the run `target` with these chicks. If the chicks stand on taken squares there is none. That is hard
 * to predict, and a mispredicted branch costs more than all the rest. So there is no branch: the index is written to
 * the end of the batch in any case, and the batch grows only if it is a position. */
static inline void visit(predecessors *w, kz_dobutsu_effect effect, const kz_dobutsu_run_base *target,
                         unsigned chicks) {
    unsigned rank = kz_dobutsu_chick_rank(target, chicks);
    bool wanted = rank != KZ_DOBUTSU_NO_STATE;
    uint32_t index = target->base + (wanted ? rank : 0);
    if (effect == KZ_DOBUTSU_COUNT) {
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

/* ---- Taking moves back from the positions of a slice --------------------------------------------------------------
 *
 * All positions of a run have the same lions, elephants and giraffes. To take back a move of one of these leads from
 * all of them into one other run: its base is worked out once, and then only the chicks' ranks are looked up
 * (visit_chicks). All positions of a slice have the same lions and elephants, so taking back one move of these leads
 * into one other slice. The loops are ordered by that:
 *
 *     for each move of the lion or an elephant           one other slice of the index at a time
 *         for each part of the slice                     one run of it at a time
 *             for each position of the part
 *
 * A captured piece is given back, so a move has several ways to be taken back: without a capture, or with an elephant,
 * a giraffe, a chick or a hen of the enemy on the square that the piece left. The piece comes out of the own hand.
 *
 * Everything is seen by the side that made the move. In a position of the index the other side is to move, so all
 * states are flipped first (begin_part, add_source). */

static inline void visit_state(predecessors *w, kz_dobutsu_effect effect, const kz_dobutsu_run_base *target,
                               unsigned chicks) {
    if (chicks != KZ_DOBUTSU_NO_STATE) {
        visit(w, effect, target, target->mirrored ? w->retro->space->chick_mirror[chicks] : chicks);
    }
}

/* No chick moves or is captured: the same chicks in another run. */
static inline void visit_chicks(predecessors *w, kz_dobutsu_effect effect, const kz_dobutsu_sources *s,
                                const kz_dobutsu_part *part, const kz_dobutsu_run_base *target) {
    const uint16_t *chicks = &s->chicks[target->mirrored][part->first];
    for (unsigned i = 0; i < part->count; i++) {
        visit(w, effect, target, chicks[i]);
    }
}

/* A lion, elephant or giraffe goes back from `to`: without a capture, or with a chick, a hen or a giraffe given back
 * there. `slice` and `giraffes` are those before the move. */
static inline void visit_step(predecessors *w, kz_dobutsu_effect effect, const kz_dobutsu_sources *s,
                              const kz_dobutsu_part *part, const kz_dobutsu_slice_base *slice, unsigned giraffes,
                              unsigned to) {
    const kz_dobutsu_space *space = w->retro->space;
    const kz_dobutsu_unmoves *unmoves = w->retro->unmoves;
    kz_dobutsu_run_base target;
    if (kz_dobutsu_run_base_in(space, slice, giraffes, &target)) {
        visit_chicks(w, effect, s, part, &target);
        for (unsigned i = 0; i < part->holding; i++) {
            const uint16_t *back = unmoves->chick_returned[s->chicks[0][part->first + i]][to];
            visit_state(w, effect, &target, back[0]);
            visit_state(w, effect, &target, back[1]);
        }
    }
    unsigned back = unmoves->plain_returned[giraffes][to];
    if (back != KZ_DOBUTSU_NO_STATE && kz_dobutsu_run_base_in(space, slice, back, &target)) {
        visit_chicks(w, effect, s, part, &target);
    }
}

/* A drop is taken back, or a move that captured an elephant (`slice` has it back): nothing else changes. */
static inline void visit_plain(predecessors *w, kz_dobutsu_effect effect, const kz_dobutsu_sources *s,
                               const kz_dobutsu_part *part, const kz_dobutsu_slice_base *slice, unsigned giraffes) {
    kz_dobutsu_run_base target;
    if (kz_dobutsu_run_base_in(w->retro->space, slice, giraffes, &target)) {
        visit_chicks(w, effect, s, part, &target);
    }
}

static inline void visit_lion_and_elephant_moves(predecessors *w, kz_dobutsu_effect effect, const kz_dobutsu_slice *g,
                                                 const kz_dobutsu_sources *s) {
    for (unsigned i = 0; i < g->count; i++) {
        const kz_dobutsu_slice_step *step = &g->steps[i];
        bool drop = step->from == KZ_DOBUTSU_FROM_HAND;
        for (unsigned k = 0; k < s->parts; k++) {
            const kz_dobutsu_part *part = &s->part[k];
            if (drop) {
                visit_plain(w, effect, s, part, &step->quiet, part->giraffes);
            } else if (!(part->giraffe_squares >> step->from & 1)) {
                visit_step(w, effect, s, part, &step->quiet, part->giraffes, step->to);
            }
        }
        for (unsigned k = 0; step->may_take_elephant && k < s->parts; k++) {
            if (!(s->part[k].giraffe_squares >> step->from & 1)) {
                visit_plain(w, effect, s, &s->part[k], &step->took_elephant, s->part[k].giraffes);
            }
        }
    }
}

static inline void visit_giraffe_moves(predecessors *w, kz_dobutsu_effect effect, const kz_dobutsu_slice *g,
                                       const kz_dobutsu_sources *s) {
    for (unsigned k = 0; k < s->parts; k++) {
        const kz_dobutsu_part *part = &s->part[k];
        const kz_dobutsu_unmove_list *list = &w->retro->unmoves->giraffe[part->giraffes];
        for (unsigned i = 0; i < list->count; i++) {
            const kz_dobutsu_unmove *unmove = &list->unmoves[i];
            if (unmove->from == KZ_DOBUTSU_FROM_HAND) {
                visit_plain(w, effect, s, part, &g->home, unmove->state);
            } else if (!(g->taken >> unmove->from & 1)) {
                visit_step(w, effect, s, part, &g->home, unmove->state, unmove->to);
                if (g->elephant_given_back >> unmove->to & 1) {
                    visit_plain(w, effect, s, part, &g->took_elephant[unmove->to], unmove->state);
                }
            }
        }
    }
}

/* Here each position has its own moves: a chick goes back, and there may be a capture of any kind. */
static inline void visit_chick_moves(predecessors *w, kz_dobutsu_effect effect, const kz_dobutsu_slice *g,
                                     const kz_dobutsu_sources *s) {
    const kz_dobutsu_space *space = w->retro->space;
    const kz_dobutsu_unmoves *unmoves = w->retro->unmoves;
    for (unsigned r = 0; r < s->parts; r++) {
        const kz_dobutsu_part *part = &s->part[r];
        unsigned taken = g->taken | part->giraffe_squares;
        kz_dobutsu_run_base quiet;
        kz_dobutsu_run_base other;
        if (!kz_dobutsu_run_base_in(space, &g->home, part->giraffes, &quiet)) {
            continue; /* can't happen: the part is a run of this slice */
        }
        for (unsigned i = part->first; i < part->first + part->count; i++) {
            const kz_dobutsu_unmove_list *list = &unmoves->chick[s->chicks[0][i]];
            for (unsigned k = 0; k < list->count; k++) {
                const kz_dobutsu_unmove *unmove = &list->unmoves[k];
                visit_state(w, effect, &quiet, unmove->state);
                if (unmove->from == KZ_DOBUTSU_FROM_HAND || (taken >> unmove->from & 1)) {
                    continue;
                }
                if ((g->elephant_given_back >> unmove->to & 1) &&
                    kz_dobutsu_run_base_in(space, &g->took_elephant[unmove->to], part->giraffes, &other)) {
                    visit_state(w, effect, &other, unmove->state);
                }
                unsigned back = unmoves->plain_returned[part->giraffes][unmove->to];
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

static inline __attribute__((always_inline)) void expand(predecessors *w, kz_dobutsu_effect effect,
                                                         const kz_dobutsu_slice *g, const kz_dobutsu_sources *s) {
    visit_lion_and_elephant_moves(w, effect, g, s);
    visit_giraffe_moves(w, effect, g, s);
    visit_chick_moves(w, effect, g, s);
}

/* Begins a part for the positions of a run; add_source adds them. */
static kz_dobutsu_part *begin_part(const kz_dobutsu_space *space, const kz_dobutsu_run *run, kz_dobutsu_sources *s) {
    kz_dobutsu_part *part = &s->part[s->parts++];
    part->giraffes = space->plain_flip[run->giraffes];
    part->giraffe_squares = space->plain_placement[part->giraffes].mask;
    part->first = s->count;
    part->holding = 0;
    part->count = 0;
    return part;
}

/* Adds a position to a part, as the side that made the last move sees it. Whoever does it counts it in `s`. */
static inline void add_source(const kz_dobutsu_retro *retro, kz_dobutsu_sources *s, kz_dobutsu_part *part,
                              unsigned chicks) {
    unsigned seen = retro->space->chick_flip[chicks];
    unsigned at = part->first + part->count++;
    if (retro->unmoves->chick_held[seen]) { /* those come first */
        unsigned first = part->first + part->holding++;
        for (int image = 0; at != first && image < 2; image++) {
            s->chicks[image][at] = s->chicks[image][first];
        }
        at = first;
    }
    s->chicks[0][at] = (uint16_t)seen;
    s->chicks[1][at] = retro->space->chick_mirror[seen];
}

/* Positions whose chicks' states are on their way: the lists of them are larger than the nearer caches. */
enum { DELAYED = 16 };

typedef struct delayed {
    unsigned added;
    unsigned done;
    struct {
        kz_dobutsu_part *part;
        const uint16_t *chicks;
    } of[DELAYED];
} delayed;

static inline void add_delayed(const kz_dobutsu_retro *retro, kz_dobutsu_sources *s, delayed *d, unsigned left) {
    while (d->added - d->done > left) {
        unsigned oldest = d->done++ % DELAYED;
        add_source(retro, s, d->of[oldest].part, *d->of[oldest].chicks);
    }
}

static inline void delay_source(const kz_dobutsu_retro *retro, kz_dobutsu_sources *s, delayed *d, kz_dobutsu_part *part,
                                const uint16_t *chicks) {
    __builtin_prefetch(chicks);
    d->of[d->added % DELAYED].part = part;
    d->of[d->added++ % DELAYED].chicks = chicks;
    s->count++;
    add_delayed(retro, s, d, DELAYED - 1);
}

/* Works off what is left when a kernel ends. */
static void finish(predecessors *w, kz_dobutsu_effect effect) {
    work_off(w, effect);
    send_away(w);
}

/* ---- The kernels ------------------------------------------------------------------------------------------------- */

/* Expands all positions but those that are known to be lost (not worth counting: their predecessors are decided) or won
 * (a move to them loses). Before any distance is known, some of the others may be decided by the rules. */
uint64_t kz_dobutsu_retro_count(kz_dobutsu_retro *retro, kz_mail *mail, int worker, uint64_t begin, uint64_t end) {
    const kz_dobutsu_space *space = retro->space;
    predecessors w = {.retro = retro, .mail = mail};
    bool sparse = retro->counted_from > 1; /* then all but open cells are decided, and few are open */
    uint64_t total = 0;
    kz_dobutsu_slice g;
    kz_dobutsu_sources *s = &retro->sources[worker];
    for (uint64_t number = begin; number < end; number++) {
        s->parts = 0;
        s->count = 0;
        for (uint32_t b = space->slices[number]; b < space->slices[number + 1]; b++) {
            const kz_dobutsu_run *run = &space->runs[b];
            const uint16_t *states = space->chick_state[kz_dobutsu_run_chicks(space, run)];
            kz_dobutsu_part *part = begin_part(space, run, s);
            uint32_t index = run->base;
            uint32_t stop = run->base + run->size;
            for (clip(retro, &index, &stop); index < stop; index++) {
                while (sparse && index < stop && !kz_dobutsu_open_cells(retro, index)) {
                    index += 8;
                }
                if (index >= stop) {
                    break;
                }
                uint8_t cell = kz_dobutsu_cell_load(retro, index);
                if (cell > retro->counted_from && cell != KZ_DOBUTSU_CELL_STALEMATE) {
                    add_source(retro, s, part, states[index - run->base]);
                    s->count++;
                }
            }
        }
        kz_dobutsu_slice_of(space, retro->unmoves, &space->runs[space->slices[number]], &g);
        expand(&w, KZ_DOBUTSU_COUNT, &g, s);
        total += s->count;
    }
    finish(&w, KZ_DOBUTSU_COUNT);
    return total;
}

void kz_dobutsu_retro_settle(kz_dobutsu_retro *retro, uint64_t begin, uint64_t end) {
    const kz_dobutsu_space *space = retro->space;
    const kz_dobutsu_run *last = &space->runs[space->slices[end] - 1];
    uint32_t begin_index = space->runs[space->slices[begin]].base;
    uint32_t end_index = last->base + last->size;
    clip(retro, &begin_index, &end_index);
    for (uint32_t line = begin_index / KZ_DOBUTSU_CACHE_LINE;
         line < (end_index + KZ_DOBUTSU_CACHE_LINE - 1) / KZ_DOBUTSU_CACHE_LINE; line++) {
        uint64_t open = kz_dobutsu_open_in_line(retro, line);
        for (uint64_t left = open; left; left &= left - 1) {
            uint32_t index = line * KZ_DOBUTSU_CACHE_LINE + kz_lowest_bit64(left);
            if (index >= begin_index && index < end_index &&
                kz_dobutsu_cell_load(retro, index) == KZ_DOBUTSU_CELL_OPEN) {
                kz_dobutsu_decide(retro, index, false, retro->counted_from + 1);
            }
        }
        kz_dobutsu_mark_open(retro, line);
    }
}

void kz_dobutsu_retro_clear(kz_dobutsu_retro *retro, int n) {
    uint32_t begin = retro->shard_begin / KZ_DOBUTSU_CACHE_LINE;
    uint32_t end = (retro->shard_end + KZ_DOBUTSU_CACHE_LINE - 1) / KZ_DOBUTSU_CACHE_LINE;
    memset((void *)&retro->frontier[n & 1][begin], 0, end - begin);
}

/* Lists the cache lines from `line` to `end` that have positions of the frontier, and prefetches their cells. */
static unsigned list_frontier_lines(const kz_dobutsu_retro *retro, uint32_t line, uint32_t end, int n, uint32_t *list) {
    unsigned count = 0;
    while (line < end) {
        uint8_t eight[8];
        kz_dobutsu_load_eight(&retro->frontier[n & 1][line], eight);
        if (kz_load_le64(eight) == 0) {
            line += 8;
            continue;
        }
        for (uint32_t stop = line + 8 < end ? line + 8 : end; line < stop; line++) {
            if (atomic_load_explicit(&retro->frontier[n & 1][line], memory_order_relaxed)) {
                __builtin_prefetch((const void *)&retro->cells[line * KZ_DOBUTSU_CACHE_LINE]);
                list[count++] = line;
            }
        }
    }
    return count;
}

/* Collects the frontier of a slice: its positions that were won (lost) in n. */
static void find_sources(kz_dobutsu_retro *retro, uint64_t number, bool odd, int n, kz_dobutsu_sources *s) {
    const kz_dobutsu_space *space = retro->space;
    const kz_dobutsu_run *run = &space->runs[space->slices[number]];
    const kz_dobutsu_run *last = &space->runs[space->slices[number + 1] - 1];
    uint32_t lines[KZ_DOBUTSU_SLICE_POSITIONS / KZ_DOBUTSU_CACHE_LINE + 2];
    uint32_t begin = run->base;
    uint32_t end = last->base + last->size;
    clip(retro, &begin, &end);
    unsigned count =
        list_frontier_lines(retro, begin / KZ_DOBUTSU_CACHE_LINE, (end - 1) / KZ_DOBUTSU_CACHE_LINE + 1, n, lines);
    const uint16_t *states = NULL;
    kz_dobutsu_part *part = NULL;
    delayed late;
    late.added = late.done = 0;
    s->parts = 0;
    s->count = 0;
    for (unsigned i = 0; i < count; i++) {
        for (uint64_t found = kz_dobutsu_find_in_line(retro, lines[i], n); found; found &= found - 1) {
            uint32_t index = lines[i] * KZ_DOBUTSU_CACHE_LINE + kz_lowest_bit64(found);
            if (index < begin || index >= end || kz_dobutsu_odd_one(retro, index) != odd) {
                continue;
            }
            while (index >= run->base + run->size) {
                run++;
                part = NULL;
            }
            if (!part) {
                states = space->chick_state[kz_dobutsu_run_chicks(space, run)];
                part = begin_part(space, run, s);
            }
            delay_source(retro, s, &late, part, &states[index - run->base]);
        }
        kz_dobutsu_mark_open(retro, lines[i]);
    }
    add_delayed(retro, s, &late, 0);
}

/* Expands the frontier: predecessors of losses are won, predecessors of wins lose a move. */
uint64_t kz_dobutsu_retro_propagate(kz_dobutsu_retro *retro, kz_mail *mail, int worker, bool wins, int n,
                                    uint64_t begin, uint64_t end) {
    const kz_dobutsu_space *space = retro->space;
    bool odd = kz_dobutsu_is_odd_one(wins, n);
    if (odd && !retro->odd_ones) {
        return 0; /* by the official rules there are none */
    }
    predecessors w = {.retro = retro, .mail = mail, .n = n + 1};
    uint64_t total = 0;
    kz_dobutsu_slice g;
    kz_dobutsu_sources *s = &retro->sources[worker];
    for (uint64_t number = begin; number < end; number++) {
        find_sources(retro, number, odd, n, s);
        if (s->count == 0) {
            continue;
        }
        total += s->count;
        kz_dobutsu_slice_of(space, retro->unmoves, &space->runs[space->slices[number]], &g);
        if (wins) {
            expand(&w, KZ_DOBUTSU_REFUTE, &g, s);
        } else {
            expand(&w, KZ_DOBUTSU_WIN, &g, s);
        }
    }
    finish(&w, wins ? KZ_DOBUTSU_REFUTE : KZ_DOBUTSU_WIN);
    return total;
}

void kz_dobutsu_retro_receive(kz_dobutsu_retro *retro, kz_dobutsu_effect effect, int n, const kz_updates *updates) {
    predecessors w = {.retro = retro, .n = n + 1};
    const uint16_t *offsets = updates->offsets;
    for (unsigned left = updates->count; left > 0;) {
        w.waiting = left < BATCH ? left : BATCH;
        left -= w.waiting;
        for (unsigned i = 0; i < w.waiting; i++) {
            uint32_t index = updates->segment * (uint32_t)KZ_DOBUTSU_SEGMENT + *offsets++;
            w.batch[i] = index;
            __builtin_prefetch(effect == KZ_DOBUTSU_COUNT ? (const void *)&retro->cells[index]
                                                          : (const void *)&retro->open[index / KZ_DOBUTSU_CACHE_LINE]);
        }
        work_off(&w, effect);
    }
}
