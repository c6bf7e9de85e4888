/* SPDX-License-Identifier: MIT
 *
 * Whether a table is right: every value is derived again from those of its successors, by the game's second
 * implementation of the rules. Values that agree with their successors everywhere are the only ones that can: losses
 * and wins follow from nearer ones down to finished games, and a draw is a way never to lose. */
#include "base/bigmem.h"
#include "base/error.h"
#include "base/gamedef.h"
#include "table/reader.h"

#include <inttypes.h>
#include <stdlib.h>

/* Positions that a worker takes at a time. */
enum { GRAIN = 1 << 17 };

/* What one worker has seen. */
typedef struct share {
    kz_verify_report report;
    uint64_t losses[KZ_MAX_DISTANCE + 1];
    uint64_t wins[KZ_MAX_DISTANCE + 1];
    uint64_t draws;
    kz_error error; /* of the first position that could not be read, if any */
    uint64_t error_at;
} share;

typedef struct job {
    const kz_table *table;
    const kz_game *game;
    const kz_progress *progress;
    kz_pool *pool;
    uint8_t *losses;
    void *checker;
    share *shares; /* one a worker */
} job;

static void read_part(void *context, int worker, uint64_t begin, uint64_t end) {
    const job *j = context;
    share *own = &j->shares[worker];
    kz_error error;
    kz_status status = kz_table_read(j->table, begin, end - begin, j->losses + begin, &error);
    if (status != KZ_OK && (own->error.status == KZ_OK || begin < own->error_at)) {
        own->error = error;
        own->error_at = begin;
    }
}

static void derive_part(void *context, int worker, uint64_t begin, uint64_t end) {
    const job *j = context;
    (void)worker;
    j->game->checker->derive(j->checker, begin, end);
}

static void check_part(void *context, int worker, uint64_t begin, uint64_t end) {
    const job *j = context;
    share *own = &j->shares[worker];
    j->game->checker->check(j->checker, begin, end, &own->report, own->losses, own->wins, &own->draws);
}

static kz_status read_losses(job *j, kz_error *error) {
    kz_status status =
        kz_pool_for(j->pool, j->game->index_size, GRAIN, read_part, j, j->progress, "reading values", error);
    const share *first = NULL;
    for (int worker = 0; status == KZ_OK && worker < kz_pool_threads(j->pool); worker++) {
        const share *other = &j->shares[worker];
        if (other->error.status != KZ_OK && (!first || other->error_at < first->error_at)) {
            first = other;
        }
    }
    return first ? kz_fail(error, first->error.status, "%s", first->error.message) : status;
}

/* Adds what all workers have seen. */
static void add_shares(const job *j, share *sum) {
    for (int worker = 0; worker < kz_pool_threads(j->pool); worker++) {
        const share *part = &j->shares[worker];
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

static kz_status compare_header(const kz_table *table, const share *sum, kz_error *error) {
    share stated = {0};
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

static kz_status judge(const job *j, const share *sum, kz_error *error) {
    if (sum->report.wrong == 0) {
        return compare_header(j->table, sum, error);
    }
    kz_position position;
    char text[KZ_TEXT_BYTES];
    kz_unrank(j->game, sum->report.first_wrong, &position);
    kz_status status = kz_format(j->game, &position, 0, text, sizeof text, error);
    if (status != KZ_OK) {
        return status;
    }
    return kz_fail(error, KZ_ERR_MISMATCH,
                   "%" PRIu64 " of %" PRIu64 " values do not follow from their successors; the first is number %" PRIu64
                   ": %s",
                   sum->report.wrong, sum->report.positions, sum->report.first_wrong, text);
}

static kz_status verify_values(job *j, kz_verify_report *report, kz_error *error) {
    kz_status status = read_losses(j, error);
    if (status != KZ_OK) {
        return status;
    }
    j->checker = j->game->checker->open(kz_table_rules(j->table), j->losses, error);
    if (!j->checker) {
        return KZ_ERR_MEMORY;
    }
    uint64_t size = j->game->index_size;
    status = kz_pool_for(j->pool, size, GRAIN, derive_part, j, j->progress, "deriving wins", error);
    if (status == KZ_OK) {
        status = kz_pool_for(j->pool, size, GRAIN, check_part, j, j->progress, "checking values", error);
    }
    j->game->checker->close(j->checker);
    if (status != KZ_OK) {
        return status;
    }
    share sum = {0};
    add_shares(j, &sum);
    *report = sum.report;
    return judge(j, &sum, error);
}

kz_status kz_table_verify(const kz_table *table, int threads, const kz_progress *progress, kz_verify_report *report,
                          kz_error *error) {
    *report = (kz_verify_report){0};
    job j = {.table = table, .game = kz_table_game(table), .progress = progress};
    if (!j.game->checker) {
        return kz_fail(error, KZ_ERR_UNSUPPORTED, "there is no second set of rules of %s to verify a table with",
                       kz_game_name(j.game));
    }
    if (kz_table_positions(table) != j.game->index_size) {
        return kz_fail(error, KZ_ERR_CORRUPT, "the table has %" PRIu64 " positions, and not %" PRIu64,
                       kz_table_positions(table), j.game->index_size);
    }
    kz_status status = kz_table_check(table, progress, error);
    if (status != KZ_OK) {
        return status;
    }
    j.pool = kz_pool_new(threads, error);
    if (!j.pool) {
        return error ? error->status : KZ_ERR_MEMORY;
    }
    j.losses = kz_big_alloc(j.game->index_size);
    j.shares = calloc((size_t)kz_pool_threads(j.pool), sizeof *j.shares);
    if (j.losses && j.shares) {
        status = verify_values(&j, report, error);
    } else {
        status = kz_fail(error, KZ_ERR_MEMORY, "no memory for the values of %" PRIu64 " positions", j.game->index_size);
    }
    free(j.shares);
    kz_big_free(j.losses, j.game->index_size);
    kz_pool_free(j.pool);
    return status;
}
