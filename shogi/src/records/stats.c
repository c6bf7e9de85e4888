/* SPDX-License-Identifier: MIT
 *
 * What the records of a file are like: each thread counts for itself, and the counts are added up at the end. */
#include "base/error.h"
#include "shogi/src/records/stream.h"

#include <stdlib.h>

enum { ALL_PIECES = 38 }; /* kings aside */

/* Steps of 100 around 0, the same on both sides. */
static int score_bin(int score) {
    int distance = ((score < 0 ? -score : score) + KZ_SHOGI_SCORE_STEP / 2) / KZ_SHOGI_SCORE_STEP;
    int middle = KZ_SHOGI_SCORE_BINS / 2;
    distance = distance < middle ? distance : middle;
    return score < 0 ? middle - distance : middle + distance;
}

static void count_position(const kz_shogi_position *position, kz_shogi_file_stats *stats) {
    unsigned on_board = 0;
    unsigned in_hand = 0;
    for (int square = 0; square < KZ_SHOGI_SQUARES; square++) {
        on_board += position->board[square] >> 7; /* pieces that are no kings have this bit */
    }
    for (int kind = 0; kind < KZ_SHOGI_HAND_KINDS; kind++) {
        in_hand += (unsigned)position->hand[KZ_SHOGI_BLACK][kind] + position->hand[KZ_SHOGI_WHITE][kind];
    }
    stats->on_board[on_board]++;
    stats->handicaps += on_board + in_hand < ALL_PIECES;
    stats->sides[position->side]++;
}

static void count_note(const kz_shogi_note *note, uint8_t side, kz_shogi_file_stats *stats) {
    stats->holds |= note->has;
    if ((note->has & KZ_SHOGI_HAS_PLY) != 0) {
        stats->plies[note->ply < KZ_SHOGI_PLY_BINS ? note->ply : KZ_SHOGI_PLY_BINS - 1]++;
    }
    if ((note->has & KZ_SHOGI_HAS_SCORE) != 0) {
        stats->scores[score_bin(note->score)]++;
    }
    if ((note->has & KZ_SHOGI_HAS_RESULT) != 0) {
        stats->results[note->result + 1]++;
        if (note->result != 0) {
            stats->wins[note->result > 0 ? side : 1 - side]++;
        }
    }
}

static kz_status count(void *user, int worker, const kz_records_batch *batch, kz_records_output *output,
                       kz_error *error) {
    kz_shogi_file_stats *stats = (kz_shogi_file_stats *)user + worker;
    (void)output;
    (void)error;
    for (size_t i = 0; i < batch->count; i++) {
        if (batch->defects[i] == KZ_SHOGI_BAD_MOVE) {
            batch->defects[i] = KZ_SHOGI_FINE; /* moves are not looked at here */
        }
        if (batch->defects[i] == KZ_SHOGI_FINE) {
            count_position(&batch->positions[i], stats);
            count_note(&batch->notes[i], batch->positions[i].side, stats);
            stats->records++;
        }
    }
    return KZ_OK;
}

static void add_counts(uint64_t *sum, const uint64_t *counts, size_t count) {
    for (size_t i = 0; i < count; i++) {
        sum[i] += counts[i];
    }
}

static void add(kz_shogi_file_stats *sum, const kz_shogi_file_stats *part) {
    sum->records += part->records;
    sum->holds |= part->holds;
    sum->handicaps += part->handicaps;
    add_counts(sum->sides, part->sides, sizeof sum->sides / sizeof *sum->sides);
    add_counts(sum->plies, part->plies, KZ_SHOGI_PLY_BINS);
    add_counts(sum->scores, part->scores, KZ_SHOGI_SCORE_BINS);
    add_counts(sum->results, part->results, sizeof sum->results / sizeof *sum->results);
    add_counts(sum->wins, part->wins, sizeof sum->wins / sizeof *sum->wins);
    add_counts(sum->on_board, part->on_board, sizeof sum->on_board / sizeof *sum->on_board);
}

kz_status kz_shogi_file_statistics(const kz_shogi_source *source, const kz_shogi_file_options *options,
                                   const kz_progress *progress, kz_shogi_file_stats *stats, kz_error *error) {
    int workers = kz_records_workers(options);
    *stats = (kz_shogi_file_stats){0};
    kz_shogi_file_stats *parts = calloc((size_t)workers, sizeof *parts);
    if (!parts) {
        return kz_fail(error, KZ_ERR_MEMORY, "out of memory for %d threads", workers);
    }
    kz_shogi_file_options all = *options;
    all.skip_bad = true;
    kz_shogi_file_report report = {0};
    kz_records_job job = {.source = source, .options = &all, .stage = "counting", .work = count, .user = parts};
    kz_status status = kz_records_each(&job, progress, &report, error);
    for (int i = 0; i < workers; i++) {
        add(stats, &parts[i]);
    }
    stats->bad = report.bad;
    free(parts);
    return status;
}
