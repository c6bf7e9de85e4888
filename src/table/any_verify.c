/* SPDX-License-Identifier: MIT */
#include "table/any_verify.h"

#include "base/bigmem.h"
#include "base/error.h"
#include "core/defined.h"
#include "table/any_probe.h"
#include "table/reader.h"

#include <stdatomic.h>
#include <stdlib.h>

enum { LIMIT = 3 + 2 * KZ_MAX_PLIES + 1 };

/* Memory and findings of one worker. */
typedef struct worker {
    uint16_t *entries; /* of a block */
    kz_move *moves;
    uint64_t *counts; /* [LIMIT], by code */
    uint64_t wrong;
    uint64_t first_wrong;
    uint64_t failed_at; /* the first block that could not be read */
    kz_error error;
} worker;

typedef struct check {
    const kz_table *table;
    const kz_definition *game;
    const void *context;
    uint64_t size;
    bool narrow; /* all codes fit into 16 bits */
    _Atomic uint16_t *code16;
    _Atomic uint32_t *code32;
    int workers;
    worker *worker;
} check;

/* ---- Values in memory -------------------------------------------------------------------------------------------- */

static kz_code get(const check *c, uint64_t index) {
    return c->narrow ? atomic_load_explicit(&c->code16[index], memory_order_relaxed)
                     : atomic_load_explicit(&c->code32[index], memory_order_relaxed);
}

static void set(const check *c, uint64_t index, kz_code code) {
    if (c->narrow) {
        atomic_store_explicit(&c->code16[index], (uint16_t)code, memory_order_relaxed);
    } else {
        atomic_store_explicit(&c->code32[index], code, memory_order_relaxed);
    }
}

static size_t code_bytes(const check *c) {
    return (size_t)(c->size + 1) * (c->narrow ? sizeof(uint16_t) : sizeof(uint32_t));
}

static void close_check(check *c) {
    for (int i = 0; c->worker && i < c->workers; i++) {
        free(c->worker[i].entries);
        free(c->worker[i].moves);
        free(c->worker[i].counts);
    }
    free(c->worker);
    kz_big_free((void *)c->code16, c->code16 ? code_bytes(c) : 0);
    kz_big_free((void *)c->code32, c->code32 ? code_bytes(c) : 0);
}

/* The table may say how far it goes, but does not have to be right: what it stores decides. */
static kz_code largest_code(const kz_table *table) {
    const kz_any_values *values = &kz_table_any(table)->values;
    kz_code largest = 0;
    for (unsigned i = 0; i < values->count; i++) {
        largest = values->codes[i] > largest ? values->codes[i] : largest;
    }
    return largest + 4; /* a win that is derived is one ply longer than a loss */
}

static kz_status open_check(check *c, kz_error *error) {
    c->narrow = largest_code(c->table) <= UINT16_MAX;
    void *codes = kz_big_alloc(code_bytes(c));
    c->code16 = c->narrow ? codes : NULL;
    c->code32 = c->narrow ? NULL : codes;
    c->worker = calloc((size_t)c->workers, sizeof *c->worker);
    bool complete = codes && c->worker;
    for (int i = 0; complete && i < c->workers; i++) {
        worker *w = &c->worker[i];
        w->first_wrong = w->failed_at = UINT64_MAX;
        w->entries = malloc(KZ_ANY_BLOCK * sizeof *w->entries);
        w->moves = malloc(((size_t)c->game->max_moves + 1) * sizeof *w->moves);
        w->counts = calloc(LIMIT, sizeof *w->counts);
        complete = w->entries && w->moves && w->counts;
    }
    return complete ? KZ_OK
                    : kz_fail(error, KZ_ERR_MEMORY, "no memory to verify the table: it takes %llu MiB",
                              (unsigned long long)(code_bytes(c) >> 20));
}

/* ---- Reading ----------------------------------------------------------------------------------------------------- */

static void read_blocks(void *context, int number, uint64_t begin, uint64_t end) {
    check *c = context;
    worker *w = &c->worker[number];
    const kz_code *codes = kz_table_any(c->table)->values.codes;
    for (uint64_t block = begin; block < end; block++) {
        uint64_t first = block * KZ_ANY_BLOCK;
        uint64_t count = c->size - first < KZ_ANY_BLOCK ? c->size - first : KZ_ANY_BLOCK;
        kz_error error;
        if (kz_table_read_any(c->table, first, count, w->entries, &error) != KZ_OK) {
            if (block < w->failed_at) {
                w->failed_at = block;
                w->error = error;
            }
            continue;
        }
        for (uint64_t i = 0; i < count; i++) {
            set(c, first + i, codes[w->entries[i]]);
        }
    }
}

static kz_status first_failure(const check *c, kz_error *error) {
    const worker *first = NULL;
    for (int i = 0; i < c->workers; i++) {
        const worker *w = &c->worker[i];
        if (w->failed_at != UINT64_MAX && (!first || w->failed_at < first->failed_at)) {
            first = w;
        }
    }
    return first ? kz_fail(error, first->error.status, "%s", first->error.message) : KZ_OK;
}

/* ---- What the moves promise -------------------------------------------------------------------------------------- */

/* The value of a position from those of its successors. */
typedef struct promise {
    const check *check;
    bool losses_known; /* only losses are in memory so far: wins and draws are not told apart */
    unsigned count;
    bool draw;
    unsigned soonest; /* win: plies; 0: none */
    unsigned latest;  /* loss: plies to the end after the move that delays it most */
    bool outside;     /* a move leads to no position */
} promise;

static void add_successor(void *user, const kz_position *next) {
    promise *p = user;
    const check *c = p->check;
    kz_code code = KZ_CODE_HOLE;
    p->count++;
    switch (c->game->result(c->context, next)) {
    case KZ_LOSS:
        code = kz_code_loss(0);
        break;
    case KZ_WIN:
        code = kz_code_win(0);
        break;
    case KZ_DRAW:
        code = KZ_CODE_DRAW;
        break;
    default: {
        uint64_t index = kz_defined_rank(c->game, c->context, next, NULL);
        code = index < c->size ? get(c, index) : KZ_CODE_HOLE;
    }
    }
    unsigned plies = (code - 2) / 2;
    if (code == KZ_CODE_HOLE) {
        p->outside = true;
    } else if (code == KZ_CODE_DRAW) {
        p->draw = true;
    } else if (code % 2 == 0 && (!p->soonest || plies + 1 < p->soonest)) {
        p->soonest = plies + 1;
    } else if (code % 2 && plies > p->latest) {
        p->latest = plies;
    }
}

static kz_code finished_code(kz_outcome result) {
    return result == KZ_WIN ? kz_code_win(0) : result == KZ_LOSS ? kz_code_loss(0) : KZ_CODE_DRAW;
}

static kz_code promised(const promise *p, const kz_position *position) {
    if (p->outside) {
        return KZ_CODE_HOLE;
    }
    if (p->count == 0) {
        return finished_code(kz_defined_stuck(p->check->game, p->check->context, position));
    }
    if (p->soonest) {
        return kz_code_win(p->soonest);
    }
    return p->draw || p->losses_known ? KZ_CODE_DRAW : kz_code_loss(p->latest + 1);
}

/* By the game's own rules. */
static kz_code derive(const check *c, worker *w, const kz_position *position, bool losses_known) {
    kz_outcome result = c->game->result(c->context, position);
    if (result != KZ_UNKNOWN) {
        return finished_code(result);
    }
    promise p = {.check = c, .losses_known = losses_known};
    int count = c->game->moves(c->context, position, w->moves);
    for (int i = 0; i < count && i < c->game->max_moves; i++) {
        kz_position next = *position;
        c->game->play(c->context, &next, w->moves[i]);
        add_successor(&p, &next);
    }
    return promised(&p, position);
}

/* By its second implementation. */
static kz_code derive_by_twin(const check *c, const kz_position *position) {
    promise p = {.check = c};
    kz_outcome result = c->game->twin(c->context, position, add_successor, &p);
    return result == KZ_UNKNOWN ? promised(&p, position) : finished_code(result);
}

/* ---- Checking ---------------------------------------------------------------------------------------------------- */

/* Finds the wins of a table of losses. Whether a value is a loss does not change meanwhile, and nothing else is asked
 * for, so the order in which threads do this does not matter. */
static void derive_blocks(void *context, int number, uint64_t begin, uint64_t end) {
    check *c = context;
    uint64_t last = end * KZ_ANY_BLOCK < c->size ? end * KZ_ANY_BLOCK : c->size;
    for (uint64_t index = begin * KZ_ANY_BLOCK; index < last; index++) {
        kz_position position;
        if (get(c, index) == KZ_CODE_DRAW && kz_defined_unrank(c->game, c->context, index, &position)) {
            kz_code code = derive(c, &c->worker[number], &position, true);
            if (code > KZ_CODE_DRAW && code % 2) {
                set(c, index, code); /* a win; that it is lost after all is for the check to find */
            }
        }
    }
}

static void check_blocks(void *context, int number, uint64_t begin, uint64_t end) {
    check *c = context;
    worker *w = &c->worker[number];
    uint64_t last = end * KZ_ANY_BLOCK < c->size ? end * KZ_ANY_BLOCK : c->size;
    for (uint64_t index = begin * KZ_ANY_BLOCK; index < last; index++) {
        kz_position position;
        kz_code code = get(c, index);
        bool exists = kz_defined_unrank(c->game, c->context, index, &position);
        bool right = exists ? code != KZ_CODE_HOLE && derive(c, w, &position, false) == code &&
                                  (!c->game->twin || derive_by_twin(c, &position) == code)
                            : code == KZ_CODE_HOLE;
        w->counts[code < LIMIT ? code : KZ_CODE_HOLE]++;
        if (!right) {
            w->wrong++;
            w->first_wrong = index < w->first_wrong ? index : w->first_wrong;
        }
    }
}

static void add_up(const check *c, uint64_t *counts, kz_verify_report *report) {
    report->first_wrong = UINT64_MAX;
    for (int i = 0; i < c->workers; i++) {
        const worker *w = &c->worker[i];
        report->wrong += w->wrong;
        report->first_wrong = w->first_wrong < report->first_wrong ? w->first_wrong : report->first_wrong;
        for (kz_code code = 0; code < LIMIT; code++) {
            counts[code] += w->counts[code];
        }
    }
    report->first_wrong = report->wrong ? report->first_wrong : 0;
    report->draws = counts[KZ_CODE_DRAW];
    for (kz_code code = kz_code_loss(0); code < LIMIT; code++) {
        *(code % 2 ? &report->wins : &report->losses) += counts[code];
    }
    report->positions = report->wins + report->losses + report->draws;
}

/* The header counts what the table has. */
static kz_status compare_header(const check *c, uint64_t *counts, kz_error *error) {
    kz_value value;
    uint64_t stated;
    for (size_t i = 0; kz_table_count(c->table, i, &value, &stated); i++) {
        kz_code code = value.outcome == KZ_DRAW  ? KZ_CODE_DRAW
                       : value.outcome == KZ_WIN ? kz_code_win((unsigned)value.distance)
                                                 : kz_code_loss((unsigned)value.distance);
        uint64_t seen = code < LIMIT ? counts[code] : 0;
        if (seen != stated) {
            return kz_fail(error, KZ_ERR_MISMATCH,
                           "the header counts %llu positions of a value (%s in %d) that %llu have",
                           (unsigned long long)stated,
                           value.outcome == KZ_DRAW  ? "draw"
                           : value.outcome == KZ_WIN ? "win"
                                                     : "loss",
                           value.distance, (unsigned long long)seen);
        }
        counts[code] = 0;
    }
    for (kz_code code = KZ_CODE_DRAW; code < LIMIT; code++) {
        if (counts[code]) {
            return kz_fail(error, KZ_ERR_MISMATCH,
                           "the table has %llu positions of a value that its header does not count",
                           (unsigned long long)counts[code]);
        }
    }
    return KZ_OK;
}

static kz_status judge(const check *c, kz_verify_report *report, kz_error *error) {
    uint64_t *counts = calloc(LIMIT, sizeof *counts);
    if (!counts) {
        return kz_fail(error, KZ_ERR_MEMORY, "no memory to verify the table");
    }
    add_up(c, counts, report);
    kz_status status = report->wrong ? KZ_ERR_MISMATCH : compare_header(c, counts, error);
    free(counts);
    if (report->wrong) {
        kz_position position;
        char text[KZ_TEXT_BYTES] = "a hole";
        if (c->game->unrank(c->context, report->first_wrong, &position)) {
            c->game->format(c->context, &position, text);
        }
        kz_fail(error, KZ_ERR_MISMATCH,
                "%llu of %llu values do not follow from their successors; the first is number %llu: %s",
                (unsigned long long)report->wrong, (unsigned long long)c->size, (unsigned long long)report->first_wrong,
                text);
    }
    return status;
}

static kz_status run(check *c, kz_pool *pool, const kz_progress *progress, kz_verify_report *report, kz_error *error) {
    uint64_t blocks = kz_table_blocks(c->table);
    kz_status status = open_check(c, error);
    if (status == KZ_OK) {
        status = kz_pool_for(pool, blocks, 0, read_blocks, c, progress, "reading values", error);
    }
    if (status == KZ_OK) {
        status = first_failure(c, error);
    }
    if (status == KZ_OK && kz_table_any(c->table)->losses_only) {
        status = kz_pool_for(pool, blocks, 0, derive_blocks, c, progress, "deriving wins", error);
    }
    if (status == KZ_OK) {
        status = kz_pool_for(pool, blocks, 0, check_blocks, c, progress, "checking values", error);
    }
    return status == KZ_OK ? judge(c, report, error) : status;
}

kz_status kz_any_verify(const kz_table *table, int threads, const kz_progress *progress, kz_verify_report *report,
                        kz_error *error) {
    const kz_game *game = kz_table_game(table);
    check c = {.table = table,
               .game = game->definition,
               .context = kz_game_context(game, kz_table_rules(table)),
               .size = kz_table_shape(table)->places};
    kz_status status = kz_table_check(table, progress, error);
    if (status != KZ_OK) {
        return status;
    }
    kz_pool *pool = kz_pool_new(threads, error);
    if (!pool) {
        return error ? error->status : KZ_ERR_MEMORY;
    }
    c.workers = kz_pool_threads(pool);
    status = run(&c, pool, progress, report, error);
    close_check(&c);
    kz_pool_free(pool);
    return status;
}
