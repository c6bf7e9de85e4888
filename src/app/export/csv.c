/* SPDX-License-Identifier: MIT
 *
 * Positions, values and best moves as comma-separated values. */
#include "app/export/ordered.h"
#include "base/error.h"
#include "base/list.h"
#include "base/random.h"
#include "game/gamedef.h"
#include "table/reader.h"
#include "table/scan.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PIECE = 256, LINE_MOST = 3 * KZ_TEXT_BYTES };

typedef struct csv_export {
    const kz_table *table;
    const kz_export_options *options;
    kz_outfile file;
    uint64_t *sample; /* indices, ascending; NULL: all */
    uint64_t size;    /* of the sample, or of the index */
    uint64_t *written;
} csv_export;

/* ---- A sample --------------------------------------------------------------------------------------------------- */

/* Not a hole of the index. */
static bool is_position(const kz_table *table, uint64_t index) {
    const kz_game *game = kz_table_game(table);
    kz_position position;
    uint64_t back;
    return kz_unrank(game, kz_table_rules(table), index, &position) && kz_rank(game, &position, &back) && back == index;
}

static int ascending(const void *left, const void *right) {
    const uint64_t *a = left;
    const uint64_t *b = right;
    return *a < *b ? -1 : *a > *b;
}

/* The n-th draw: any index, each with the same chance. */
static uint64_t draw(uint64_t seed, uint64_t n, uint64_t size) {
    return kz_scramble(kz_scramble(seed) ^ kz_scramble(n)) % size;
}

/* Draws until `wanted` different positions have come: what came once already is drawn again, so each set of positions
 * has the same chance. `seen` is a hash table of indices, plus 1. */
static kz_status draw_sample(csv_export *export, uint64_t wanted, uint64_t seed, kz_error *error) {
    uint64_t size = kz_table_shape(export->table)->places;
    uint64_t slots = 64;
    while (slots < 2 * wanted) {
        slots *= 2;
    }
    uint64_t *seen = calloc(slots, sizeof *seen);
    export->sample = malloc((wanted + 1) * sizeof *export->sample);
    if (!seen || !export->sample) {
        free(seen);
        return kz_fail(error, KZ_ERR_MEMORY, "no memory for a sample of that size");
    }
    uint64_t count = 0;
    for (uint64_t n = 0; count < wanted; n++) {
        uint64_t index = draw(seed, n, size);
        uint64_t slot = kz_scramble(index) & (slots - 1);
        while (seen[slot] && seen[slot] != index + 1) {
            slot = (slot + 1) & (slots - 1);
        }
        if (!seen[slot] && is_position(export->table, index)) {
            seen[slot] = index + 1;
            export->sample[count++] = index;
        }
    }
    free(seen);
    qsort(export->sample, count, sizeof *export->sample, ascending);
    export->size = count;
    return KZ_OK;
}

static kz_status choose_places(csv_export *export, uint64_t sample, uint64_t seed, kz_error *error) {
    uint64_t positions = kz_table_positions(export->table);
    if (sample > KZ_SAMPLE_MOST) {
        return kz_fail(error, KZ_ERR_INPUT, "a sample of more than %d positions", KZ_SAMPLE_MOST);
    }
    export->size = kz_table_shape(export->table)->places;
    if (sample == 0 || sample >= positions) {
        return KZ_OK;
    }
    return draw_sample(export, sample, seed, error);
}

/* ---- Lines ------------------------------------------------------------------------------------------------------ */

static kz_status best_of(const kz_table *table, const kz_position *position, kz_value *value, char *best,
                         kz_error *error) {
    kz_list memory;
    kz_status status;
    kz_scored_move *moves =
        kz_list_open(&memory, kz_max_moves(kz_table_game(table), kz_table_rules(table)), sizeof *moves);
    int count = 0;
    best[0] = '\0';
    KZ_TRY_OR(done, moves ? kz_probe(table, position, value, error) : kz_fail(error, KZ_ERR_MEMORY, "out of memory"));
    KZ_TRY_OR(done, kz_probe_moves(table, position, moves, &count, error));
    if (count > 0) {
        status = kz_move_format(kz_table_game(table), position, moves[0].move, best, KZ_TEXT_BYTES, error);
    }
done:
    kz_list_close(&memory);
    return status;
}

/* A field with a comma in it stands in quotes. None has a quote. */
static const char *quote(const char *text) { return strchr(text, ',') ? "\"" : ""; }

static kz_status add_line(const csv_export *export, uint64_t index, kz_buffer *made, kz_error *error) {
    const kz_game *game = kz_table_game(export->table);
    char text[KZ_TEXT_BYTES];
    char best[KZ_TEXT_BYTES];
    char distance[16] = "";
    kz_position position;
    kz_value value;
    kz_unrank(game, kz_table_rules(export->table), index, &position);
    KZ_TRY(best_of(export->table, &position, &value, best, error));
    KZ_TRY(kz_format(game, &position, 0, text, sizeof text, error));
    if (value.outcome == KZ_WIN || value.outcome == KZ_LOSS) {
        snprintf(distance, sizeof distance, "%d", kz_distance_shown(game, value));
    }
    char *at = (char *)kz_buffer_add(made, LINE_MOST);
    if (!at) {
        return kz_fail(error, KZ_ERR_MEMORY, "no memory for lines");
    }
    made->size -= LINE_MOST;
    made->size += (size_t)snprintf(at, LINE_MOST, "%s%s%s,%s,%s,%s%s%s\n", quote(text), text, quote(text),
                                   kz_outcome_name(value.outcome), distance, quote(best), best, quote(best));
    return KZ_OK;
}

static kz_status make_lines(void *context, int worker, uint64_t piece, kz_buffer *made, kz_error *error) {
    const csv_export *export = context;
    uint64_t end = (piece + 1) * PIECE < export->size ? (piece + 1) * PIECE : export->size;
    kz_status status = KZ_OK;
    (void)worker;
    for (uint64_t i = piece * PIECE; i < end && status == KZ_OK; i++) {
        uint64_t index = export->sample ? export->sample[i] : i;
        if (export->sample || is_position(export->table, index)) {
            status = add_line(export, index, made, error);
        }
    }
    return status;
}

static kz_status take_lines(void *context, const kz_buffer *made, bool *enough, kz_error *error) {
    csv_export *export = context;
    size_t size = 0;
    while (size < made->size && !*enough) {
        const uint8_t *end = memchr(made->bytes + size, '\n', made->size - size);
        size = (size_t)(end - made->bytes) + 1;
        *enough = ++*export->written == export->options->count;
    }
    return kz_outfile_write(&export->file, made->bytes, size, error);
}

static kz_status write_all(csv_export *export, kz_pool *pool, kz_error *error) {
    static const char header[] = "position,value,distance,best\n";
    const kz_ordered work = {.context = export, .make = make_lines, .take = take_lines};
    uint64_t pieces = (export->size + PIECE - 1) / PIECE;
    KZ_TRY(kz_outfile_write(&export->file, header, sizeof header - 1, error));
    return kz_ordered_run(pool, pieces, &work, export->options->progress, "writing", error);
}

kz_status kz_export_csv(const kz_table *table, const char *path, uint64_t sample, uint64_t seed,
                        const kz_export_options *options, uint64_t *written, kz_error *error) {
    csv_export export = {.table = table, .options = options, .written = written};
    *written = 0;
    kz_pool *pool = NULL;
    kz_status status;
    kz_error pool_error = {.status = KZ_ERR_MEMORY};
    KZ_TRY_OR(done, choose_places(&export, sample, seed, error));
    pool = kz_pool_new(options->threads, &pool_error);
    KZ_TRY_OR(done, pool ? KZ_OK : kz_fail(error, pool_error.status, "%s", pool_error.message));
    KZ_TRY_OR(done, kz_export_open(&export.file, path, options, error));
    status = write_all(&export, pool, error);
    if (status == KZ_OK) {
        status = kz_outfile_commit(&export.file, error);
    } else {
        kz_outfile_discard(&export.file);
    }
done:
    kz_pool_free(pool);
    free(export.sample);
    return status;
}
