/* SPDX-License-Identifier: MIT */
#include "solve/any.h"

#include "base/error.h"
#include "solve/any_files.h"
#include "table/any_kind.h"

#include <kanzen/system.h>
#include <stdio.h>
#include <stdlib.h>

/* ---- Progress ---------------------------------------------------------------------------------------------------- */

enum { NAME_BYTES = 64 };

/* Looking at all moves counts as half of a tier. */
static bool report_tier(void *user, const char *stage, uint64_t done, uint64_t total) {
    kz_any_report *r = user;
    const kz_progress *listener = r->listener;
    if (r->rules->tiers == 1) {
        return listener->report(listener->user, stage, done, total);
    }
    char name[NAME_BYTES];
    kz_any_tier_name(r->rules, r->tier, name);
    (void)stage;
    snprintf(r->stage, sizeof r->stage, "%s (%d of %d)", name, r->tier + 1, r->rules->tiers);
    uint64_t begin = r->rules->tier_begin[r->tier];
    double half = (double)(r->rules->tier_begin[r->tier + 1] - begin) / 2;
    double part = r->looked ? 1 : total ? (double)done / (double)total : 0;
    r->looked = r->looked || (total && done >= total);
    return listener->report(listener->user, r->stage, begin + (uint64_t)(half * part), r->rules->size);
}

kz_progress kz_any_report_tier(kz_any_report *report, int tier) {
    report->tier = tier;
    report->looked = false;
    return (kz_progress){report->listener && report->listener->report ? report_tier : NULL, report};
}

/* ---- Tiers ------------------------------------------------------------------------------------------------------- */

enum { LIMIT = 3 + 2 * KZ_MAX_PLIES + 1 };

/* A solve with what it needs and what it has found. */
typedef struct solve {
    const kz_any_rules *rules;
    kz_pool *pool;
    const kz_solve_options *options;
    kz_any_files files;
    kz_any_report report;
    uint64_t *histogram; /* [LIMIT], by code */
    uint64_t **counts;   /* [threads][LIMIT], while values are counted */
} solve;

/* Half of the memory that is left over when the tier has what it may take: twice as much as most do. */
static uint64_t room_for_copies(const solve *s, int number) {
    uint64_t needed = 2 * kz_any_tier_bytes(s->rules->tier_begin[number + 1] - s->rules->tier_begin[number]);
    uint64_t memory = s->options->memory_bytes ? s->options->memory_bytes : kz_available_memory_bytes();
    return memory == UINT64_MAX || memory < needed ? 0 : (memory - needed) / 2;
}

static kz_status solve_tier(solve *s, int number, kz_error *error) {
    kz_any_lower lower = {&s->files, kz_any_files_span};
    kz_progress progress = kz_any_report_tier(&s->report, number);
    kz_any_tier *tier = NULL;
    bool found = false;
    kz_status status = s->files.tier[number].values ? KZ_OK : kz_any_files_open(&s->files, number, &found, error);
    found = found || s->files.tier[number].values;
    if (status != KZ_OK || found) {
        return status;
    }
    kz_any_near_take(&s->files, number, room_for_copies(s, number));
    status = kz_any_tier_solve(s->rules, number, &lower, s->pool, &progress, &tier, error);
    kz_any_near_drop(&s->files);
    if (status == KZ_OK) {
        status = kz_any_files_write(&s->files, number, tier, error);
    }
    kz_any_tier_free(tier); /* before the file is mapped: that takes as much memory again */
    KZ_TRY(status);
    return kz_any_files_open(&s->files, number, &found, error);
}

/* ---- Counting values --------------------------------------------------------------------------------------------- */

enum { COUNT_PIECE = 1 << 16 };

static void count_values(void *context, int worker, uint64_t begin, uint64_t end) {
    const solve *s = context;
    uint64_t last = end * COUNT_PIECE < s->rules->size ? end * COUNT_PIECE : s->rules->size;
    for (uint64_t index = begin * COUNT_PIECE; index < last; index++) {
        kz_code code = kz_any_files_value(&s->files, index);
        s->counts[worker][code < LIMIT ? code : KZ_CODE_HOLE]++;
    }
}

static kz_status make_histogram(solve *s, kz_error *error) {
    int threads = kz_pool_threads(s->pool);
    s->histogram = calloc(LIMIT, sizeof *s->histogram);
    s->counts = calloc((size_t)threads, sizeof *s->counts);
    bool complete = s->histogram && s->counts;
    for (int i = 0; complete && i < threads; i++) {
        s->counts[i] = calloc(LIMIT, sizeof **s->counts);
        complete = s->counts[i];
    }
    kz_status status = complete ? KZ_OK : kz_fail(error, KZ_ERR_MEMORY, "no memory to count values");
    if (status == KZ_OK) {
        status = kz_pool_for(s->pool, (s->rules->size + COUNT_PIECE - 1) / COUNT_PIECE, 0, count_values, s,
                             s->options->progress, "counting values", error);
    }
    for (int i = 0; s->counts && i < threads; i++) {
        for (size_t code = 0; status == KZ_OK && code < LIMIT; code++) {
            s->histogram[code] += s->counts[i][code];
        }
        free(s->counts[i]);
    }
    free(s->counts);
    return status;
}

static void summarize(const solve *s, kz_summary *summary) {
    for (kz_code code = KZ_CODE_DRAW; code < LIMIT; code++) {
        uint64_t count = s->histogram[code];
        if (code == KZ_CODE_DRAW) {
            summary->draws = count;
        } else if (code % 2) {
            summary->wins += count;
            summary->longest_win = count ? (int)(code - 2) / 2 : summary->longest_win;
            summary->longest_wins = count ? count : summary->longest_wins;
        } else {
            summary->losses += count;
        }
    }
    summary->positions = summary->wins + summary->losses + summary->draws;
}

/* ---- The table --------------------------------------------------------------------------------------------------- */

/* Losses alone take half the room. But then a probe looks at the moves of every position that is not lost, which is
 * cheap only if there are few, and few images to rank of each. */
static bool stores_losses_only(const kz_any_rules *rules) {
    enum { FEW_IMAGES = 2 };
    return rules->game->max_moves <= KZ_ANY_FEW_MOVES && rules->symmetries <= FEW_IMAGES;
}

static kz_status write_table(solve *s, const char *rules_name, const char *path, kz_summary *summary, kz_error *error) {
    kz_any_source source = {.game = s->rules->game->name,
                            .rules = rules_name,
                            .entries = s->rules->size,
                            .fingerprint = s->files.fingerprint,
                            .context = &s->files,
                            .value = kz_any_files_value,
                            .histogram = s->histogram,
                            .limit = LIMIT,
                            .losses_only = stores_losses_only(s->rules),
                            .strides = s->rules->game->strides};
    return kz_any_table_write(&source, s->pool, path, s->options->replace, s->options->progress, &summary->table_bytes,
                              error);
}

kz_status kz_any_solve(const kz_game *game, const kz_any_rules *rules, const char *rules_name, const char *folder,
                       const char *path, kz_pool *pool, const kz_solve_options *options, kz_summary *summary,
                       kz_error *error) {
    solve s = {
        .rules = rules, .pool = pool, .options = options, .report = {.rules = rules, .listener = options->progress}};
    double begin = kz_seconds();
    kz_status status;
    KZ_TRY_OR(done, kz_any_files_begin(&s.files, rules, rules_name, folder, error));
    KZ_TRY_OR(done, kz_any_import(&s.files, game, error));
    for (int tier = 0; tier < rules->tiers; tier++) {
        KZ_TRY_OR(done, solve_tier(&s, tier, error));
    }
    KZ_TRY_OR(done, make_histogram(&s, error));
    double solved = kz_seconds();
    summarize(&s, summary);
    KZ_TRY_OR(done, write_table(&s, rules_name, path, summary, error));
    summary->solve_seconds = solved - begin;
    summary->write_seconds = kz_seconds() - solved;
    if (!options->keep_work) {
        kz_any_files_remove(&s.files);
    }
done:
    kz_any_files_end(&s.files);
    free(s.histogram);
    return status;
}
