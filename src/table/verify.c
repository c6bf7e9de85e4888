/* SPDX-License-Identifier: MIT
 *
 * Whether a table is right: every value is derived again from those of its successors, by the game's second
 * implementation of the rules. Values that agree with their successors everywhere are the only ones that can: losses
 * and wins follow from nearer ones down to finished games, and a draw is a way never to lose. */
#include "table/verify.h"
#include "base/bigmem.h"
#include "base/error.h"

#include <inttypes.h>
#include <stdlib.h>

/* Places that a worker reads at a time, at least a batch. The more of a table of all values, the better: its blocks are
 * decoded side by side. */
enum { GRAIN = 1 << 17, GRAIN_OF_ALL = 24 << 20, PIECES_A_WORKER = 8 };

/* What one worker has seen. */
typedef struct findings {
    kz_verify_report report;
    uint64_t losses[KZ_MAX_DISTANCE + 1];
    uint64_t wins[KZ_MAX_DISTANCE + 1];
    uint64_t draws;
    uint8_t *numbers; /* of as many batches as it reads at a time */
    kz_error error;   /* of the first batch that could not be read, if any */
    uint64_t error_at;
} findings;

typedef struct verification {
    const kz_table *table;
    const kz_checker_ops *ops;
    const kz_progress *progress;
    kz_pool *pool;
    void *checker;
    findings *found; /* one a worker */
    uint64_t grain;  /* batches that a worker takes at a time, */
    uint64_t joined; /* and that it reads at a time */
} verification;

static void read_batches(void *context, int worker, uint64_t begin, uint64_t end) {
    const verification *j = context;
    const kz_shape *shape = kz_table_shape(j->table);
    findings *own = &j->found[worker];
    for (uint64_t batch = begin; batch < end; batch += j->joined) {
        kz_error error;
        uint64_t first = batch * shape->extent;
        uint64_t last = end - batch < j->joined ? end : batch + j->joined;
        uint64_t count = (last * shape->extent < shape->places ? last * shape->extent : shape->places) - first;
        kz_status status = kz_table_read(j->table, first, count, own->numbers, &error);
        if (status == KZ_OK) {
            j->ops->take(j->checker, worker, first, count, own->numbers);
        } else if (own->error.status == KZ_OK || batch < own->error_at) {
            own->error = error;
            own->error_at = batch;
        }
    }
}

static void derive_batches(void *context, int worker, uint64_t begin, uint64_t end) {
    const verification *j = context;
    j->ops->derive(j->checker, worker, begin, end);
}

static void check_batches(void *context, int worker, uint64_t begin, uint64_t end) {
    const verification *j = context;
    findings *own = &j->found[worker];
    j->ops->check(j->checker, worker, begin, end, &own->report, own->losses, own->wins, &own->draws);
}

static uint64_t batch_count(const verification *j) {
    const kz_shape *shape = kz_table_shape(j->table);
    return (shape->places + shape->extent - 1) / shape->extent;
}

static void deal_out(verification *j) {
    const kz_shape *shape = kz_table_shape(j->table);
    j->grain = GRAIN / shape->extent + 1;
    j->joined = 1;
    if (kz_table_kind_of(j->table)->decode_many) {
        uint64_t most = batch_count(j) / ((uint64_t)kz_pool_threads(j->pool) * PIECES_A_WORKER);
        j->grain = GRAIN_OF_ALL / shape->extent;
        j->grain = j->grain < most ? j->grain : most;
        j->grain = j->grain < 1 ? 1 : j->grain;
        j->joined = j->grain;
    }
}

static kz_status read_numbers(verification *j, kz_error *error) {
    kz_status status =
        kz_pool_for(j->pool, batch_count(j), j->grain, read_batches, j, j->progress, "reading values", error);
    const findings *first = NULL;
    for (int worker = 0; status == KZ_OK && worker < kz_pool_threads(j->pool); worker++) {
        const findings *other = &j->found[worker];
        if (other->error.status != KZ_OK && (!first || other->error_at < first->error_at)) {
            first = other;
        }
    }
    return first ? kz_fail(error, first->error.status, "%s", first->error.message) : status;
}

/* Adds what all workers have seen. */
static void add_findings(const verification *j, findings *sum) {
    for (int worker = 0; worker < kz_pool_threads(j->pool); worker++) {
        const findings *part = &j->found[worker];
        if (part->report.wrong && (!sum->report.wrong || part->report.first_wrong < sum->report.first_wrong)) {
            sum->report.first_wrong = part->report.first_wrong;
        }
        sum->report.positions += part->report.positions;
        sum->report.wins += part->report.wins;
        sum->report.losses += part->report.losses;
        sum->report.draws += part->report.draws;
        sum->report.wrong += part->report.wrong;
        for (int distance = 0; distance <= KZ_MAX_DISTANCE; distance++) {
            sum->losses[distance] += part->losses[distance];
            sum->wins[distance] += part->wins[distance];
        }
        sum->draws += part->draws;
    }
}

static kz_status compare_count(kz_value value, uint64_t stated, uint64_t seen, kz_error *error) {
    if (stated == seen) {
        return KZ_OK;
    }
    if (value.outcome == KZ_DRAW) {
        return kz_fail(error, KZ_ERR_MISMATCH,
                       "the header counts %" PRIu64 " draws, but the table has %" PRIu64 " of them", stated, seen);
    }
    return kz_fail(error, KZ_ERR_MISMATCH,
                   "the header counts %" PRIu64 " positions %s in %d plies, but the table has %" PRIu64 " of them",
                   stated, value.outcome == KZ_WIN ? "won" : "lost", value.distance, seen);
}

static kz_status compare_header(const kz_table *table, const findings *sum, kz_error *error) {
    findings stated = {0};
    kz_value value;
    uint64_t count;
    for (size_t number = 0; kz_table_count(table, number, &value, &count); number++) {
        if (value.outcome == KZ_DRAW) {
            stated.draws += count;
        } else if (value.distance >= 0 && value.distance <= KZ_MAX_DISTANCE) {
            *(value.outcome == KZ_WIN ? &stated.wins[value.distance] : &stated.losses[value.distance]) += count;
        } else {
            return compare_count(value, count, 0, error);
        }
    }
    kz_status status = compare_count((kz_value){KZ_DRAW, 0}, stated.draws, sum->draws, error);
    for (int n = 0; status == KZ_OK && n <= KZ_MAX_DISTANCE; n++) {
        status = compare_count((kz_value){KZ_LOSS, n}, stated.losses[n], sum->losses[n], error);
        if (status == KZ_OK) {
            status = compare_count((kz_value){KZ_WIN, n}, stated.wins[n], sum->wins[n], error);
        }
    }
    return status;
}

static kz_status judge(const verification *j, const findings *sum, kz_error *error) {
    if (sum->report.wrong == 0) {
        return compare_header(j->table, sum, error);
    }
    kz_position position;
    char text[KZ_TEXT_BYTES];
    kz_unrank(kz_table_game(j->table), kz_table_rules(j->table), sum->report.first_wrong, &position);
    KZ_TRY(kz_format(kz_table_game(j->table), &position, 0, text, sizeof text, error));
    return kz_fail(error, KZ_ERR_MISMATCH,
                   "%" PRIu64 " of %" PRIu64 " values do not follow from their successors; the first is number %" PRIu64
                   ": %s",
                   sum->report.wrong, sum->report.positions, sum->report.first_wrong, text);
}

static kz_status verify_values(verification *j, kz_verify_report *report, kz_error *error) {
    KZ_TRY(read_numbers(j, error));
    uint64_t batches = j->ops->batches(j->checker);
    if (j->ops->derive) {
        KZ_TRY(kz_pool_for(j->pool, batches, 0, derive_batches, j, j->progress, "deriving wins", error));
    }
    KZ_TRY(kz_pool_for(j->pool, batches, 0, check_batches, j, j->progress, "checking values", error));
    if (j->ops->ran_out && j->ops->ran_out(j->checker)) {
        return kz_fail(error, KZ_ERR_MEMORY, "no memory to verify the table");
    }
    findings sum = {0};
    add_findings(j, &sum);
    *report = sum.report;
    return judge(j, &sum, error);
}

static size_t numbers_bytes(const verification *j) { return (size_t)(j->joined * kz_table_shape(j->table)->extent); }

static kz_status open_job(verification *j, kz_error *error) {
    int workers = kz_pool_threads(j->pool);
    deal_out(j);
    j->found = calloc((size_t)workers, sizeof *j->found);
    bool complete = j->found;
    for (int i = 0; complete && i < workers; i++) {
        j->found[i].numbers = kz_big_alloc(numbers_bytes(j));
        complete = j->found[i].numbers;
    }
    if (!complete) {
        return kz_fail(error, KZ_ERR_MEMORY, "no memory to verify the table");
    }
    kz_error reason = {.status = KZ_ERR_MEMORY};
    j->checker = j->ops->open(kz_table_rules(j->table), workers, &reason);
    return j->checker ? KZ_OK : kz_fail(error, reason.status, "%s", reason.message);
}

static void close_job(verification *j) {
    if (j->checker) {
        j->ops->close(j->checker);
    }
    for (int i = 0; j->found && i < kz_pool_threads(j->pool); i++) {
        kz_big_free(j->found[i].numbers, numbers_bytes(j));
    }
    free(j->found);
    kz_pool_free(j->pool);
}

kz_status kz_verify_by(const kz_checker_ops *ops, const kz_table *table, int threads, const kz_progress *progress,
                       kz_verify_report *report, kz_error *error) {
    verification j = {.table = table, .ops = ops, .progress = progress};
    KZ_TRY(kz_table_check(table, progress, error));
    j.pool = kz_pool_new(threads, error);
    if (!j.pool) {
        return error ? error->status : KZ_ERR_MEMORY;
    }
    kz_status status = open_job(&j, error);
    if (status == KZ_OK) {
        status = verify_values(&j, report, error);
    }
    close_job(&j);
    return status;
}

kz_status kz_table_verify(const kz_table *table, int threads, const kz_progress *progress, kz_verify_report *report,
                          kz_error *error) {
    const kz_table_kind *kind = kz_table_kind_of(table);
    *report = (kz_verify_report){0};
    return kind->verify
               ? kind->verify(table, threads, progress, report, error)
               : kz_fail(error, KZ_ERR_UNSUPPORTED, "there is no second set of rules of %s to verify a table with",
                         kz_game_name(kz_table_game(table)));
}
