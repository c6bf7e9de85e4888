/* SPDX-License-Identifier: MIT
 *
 * Whether an excerpt is right: the value of each position whose successors are all known follows from theirs, which the
 * game's second implementation of the rules lists. Of the others only the header's counts can be checked. */
#include "base/error.h"
#include "base/pool.h"
#include "table/excerpt.h"
#include "table/reader.h"

#include <inttypes.h>
#include <stdlib.h>

/* What one worker has seen. */
typedef struct findings {
    kz_verify_report report;
    uint64_t counts[256]; /* of entries, by number */
    uint64_t entries[KZ_EXCERPT_BLOCK];
    kz_error error;
} findings;

typedef struct verification {
    const kz_table *table;
    const kz_game *game;
    void *twin;
    findings *found;
} verification;

/* The best of the successors that were seen, as long as all are known. */
typedef struct best {
    const verification *v;
    kz_value value;
    bool any;
    bool unknown;
    kz_status status;
    kz_error *error;
} best;

static void see(void *context, kz_twin_key next) {
    best *b = context;
    kz_position position;
    kz_value value;
    if (b->unknown || b->status != KZ_OK) {
        return;
    }
    b->v->game->doors->twin->position(b->v->twin, next, &position);
    b->status = kz_probe(b->v->table, &position, &value, b->error);
    b->unknown = value.outcome == KZ_UNKNOWN;
    value = kz_value_before(value);
    if (!b->any || kz_value_worth(value) > kz_value_worth(b->value)) {
        b->value = value;
    }
    b->any = true;
}

static kz_status check_entry(const verification *v, findings *own, uint64_t entry) {
    kz_verify_report *report = &own->report;
    uint64_t index = kz_excerpt_index(entry);
    kz_value stored = kz_value_of_entry(kz_excerpt_number(entry));
    best b = {.v = v, .value = {KZ_LOSS, 0}, .error = &own->error};
    kz_position position;
    own->counts[kz_excerpt_number(entry)]++;
    bool wrong = !kz_unrank(v->game, kz_table_rules(v->table), index, &position);
    if (!wrong) {
        kz_value promised = v->game->doors->twin->moves(v->twin, &position, see, &b);
        if (b.status != KZ_OK) {
            return b.status;
        }
        /* What the rules tell is not stored. */
        wrong = promised.outcome != KZ_UNKNOWN;
        if (!wrong && b.unknown) {
            return KZ_OK;
        }
        wrong = wrong || b.value.outcome != stored.outcome || b.value.distance != stored.distance;
    }
    report->positions++;
    report->wins += stored.outcome == KZ_WIN;
    report->losses += stored.outcome == KZ_LOSS;
    report->draws += stored.outcome == KZ_DRAW;
    if (wrong && (report->wrong == 0 || index < report->first_wrong)) {
        report->first_wrong = index;
    }
    report->wrong += wrong;
    return KZ_OK;
}

static void check_blocks(void *context, int worker, uint64_t begin, uint64_t end) {
    const verification *v = context;
    findings *own = &v->found[worker];
    for (uint64_t block = begin; block < end && own->error.status == KZ_OK; block++) {
        unsigned count = kz_shape_places(kz_table_shape(v->table), block);
        kz_status status = kz_table_read_entries(v->table, block * KZ_EXCERPT_BLOCK, count, own->entries, &own->error);
        for (unsigned i = 0; status == KZ_OK && i < count; i++) {
            status = check_entry(v, own, own->entries[i]);
        }
        own->error.status = status;
    }
}

static kz_status judge(const verification *v, int workers, kz_verify_report *report, kz_error *error) {
    uint64_t counts[256] = {0};
    for (int i = 0; i < workers; i++) {
        const findings *s = &v->found[i];
        if (s->error.status != KZ_OK) {
            return kz_fail(error, s->error.status, "%s", s->error.message);
        }
        if (s->report.wrong && (!report->wrong || s->report.first_wrong < report->first_wrong)) {
            report->first_wrong = s->report.first_wrong;
        }
        report->positions += s->report.positions;
        report->wins += s->report.wins;
        report->losses += s->report.losses;
        report->draws += s->report.draws;
        report->wrong += s->report.wrong;
        for (int number = 0; number < 256; number++) {
            counts[number] += s->counts[number];
        }
    }
    if (report->wrong) {
        return kz_fail(error, KZ_ERR_MISMATCH, "%" PRIu64 " of %" PRIu64 " values do not follow from their successors",
                       report->wrong, report->positions);
    }
    kz_value value;
    uint64_t stated;
    for (size_t i = 0; kz_table_count(v->table, i, &value, &stated); i++) {
        unsigned number = value.outcome == KZ_DRAW ? 0 : (unsigned)value.distance + 1;
        if (number > 255 || counts[number] != stated) {
            return kz_fail(error, KZ_ERR_MISMATCH, "the header's counts are not those of its positions");
        }
    }
    return KZ_OK;
}

kz_status kz_excerpt_verify(const kz_table *table, int threads, const kz_progress *progress, kz_verify_report *report,
                            kz_error *error) {
    verification v = {.table = table, .game = kz_table_game(table)};
    if (!v.game->doors->twin) {
        return kz_fail(error, KZ_ERR_UNSUPPORTED, "there is no second set of rules of %s to verify a table with",
                       kz_game_name(v.game));
    }
    KZ_TRY(kz_table_check(table, progress, error));
    kz_status status;
    kz_error reason = {.status = KZ_ERR_MEMORY, .message = "no memory to verify the table"};
    kz_pool *pool = kz_pool_new(threads, &reason);
    v.found = pool ? calloc((size_t)kz_pool_threads(pool), sizeof *v.found) : NULL;
    v.twin = v.found ? v.game->doors->twin->open(kz_table_rules(table), &reason) : NULL;
    if (!v.twin) {
        status = kz_fail(error, reason.status, "%s", reason.message);
    } else {
        status = kz_pool_for(pool, kz_table_blocks(table), 1, check_blocks, &v, progress, "checking values", error);
        status = status == KZ_OK ? judge(&v, kz_pool_threads(pool), report, error) : status;
        v.game->doors->twin->close(v.twin);
    }
    free(v.found);
    kz_pool_free(pool);
    return status;
}
