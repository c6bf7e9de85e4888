/* SPDX-License-Identifier: MIT
 *
 * Looks at every record of a file. The stream finds those that can't be read; what remains is whether records are
 * canonical, positions legal and moves possible. */
#include "base/bits.h"
#include "base/error.h"
#include "shogi/src/boards.h"
#include "shogi/src/huffman.h"
#include "shogi/src/records/stream.h"

#include <stdlib.h>
#include <string.h>

enum { CACHE_LINE = 64, MOVE_AT = 34, ALL_DIALECTS = (1 << KZ_SHOGI_DIALECTS) - 1 };

/* What one thread has counted. */
struct tally {
    _Alignas(CACHE_LINE) uint64_t not_canonical;
    uint64_t not_legal;
    uint64_t moves;
    uint64_t impossible_moves;
    unsigned dialects;
    uint64_t seen[1024]; /* a bit for each move in 16 bits that was looked at */
};

struct check {
    const kz_shogi_record_info *info;
    const kz_shogi_codec *codec; /* of records of fixed size */
    const kz_shogi_rules *rules;
    kz_shogi_disordered *disordered; /* for psfen and hcp */
    struct tally *tallies;
};

/* The 16 bits of the move, whatever dialect they are read in. */
static void look_at_bits(uint16_t bits, struct tally *tally) {
    uint64_t *seen = &tally->seen[bits >> 6];
    tally->moves += bits != 0;
    if ((*seen >> (bits & 63) & 1) == 0 && bits != 0) {
        *seen |= UINT64_C(1) << (bits & 63);
        tally->dialects &= kz_shogi_possible_dialects(bits);
    }
}

static bool has_position(kz_shogi_defect defect) { return defect == KZ_SHOGI_FINE || defect == KZ_SHOGI_BAD_MOVE; }

/* Moves in 16 bits, and what the rules say about positions and moves. */
static void look_at_rules(const struct check *check, const kz_records_batch *batch, struct tally *tally) {
    const kz_shogi_record_info *info = check->info;
    bool has_bits = info->bytes != 0 && (info->holds & KZ_SHOGI_HAS_MOVE) != 0;
    for (size_t i = 0; has_bits && i < batch->count; i++) {
        if (has_position(batch->defects[i])) {
            look_at_bits(kz_load_le16(batch->bytes + i * info->bytes + MOVE_AT), tally);
        }
    }
    kz_shogi_rule_counts counts = {.moves = 0};
    check->rules->count(batch->positions, batch->notes, batch->defects, batch->count, &counts);
    tally->not_legal += counts.illegal_positions;
    tally->impossible_moves += counts.illegal_moves;
    tally->moves += has_bits ? 0 : counts.moves;
}

/* kz_shogi_check_canonical for records that have been unpacked already, all that follow each other without a defect at
 * once. Positions are packed again and compared, but for psfen and hcp, which have a shorter way. */
static void look_at_bytes(const struct check *check, const kz_records_batch *batch, uint8_t *packed,
                          struct tally *tally) {
    size_t stride = check->info->bytes;
    for (size_t at = 0; at < batch->count;) {
        size_t end = at;
        while (end < batch->count && batch->defects[end] == KZ_SHOGI_FINE) {
            end++;
        }
        if (check->codec->format == KZ_SHOGI_PSFEN || check->codec->format == KZ_SHOGI_HCP) {
            tally->not_canonical += check->disordered(check->codec->format, batch->positions + at,
                                                      batch->bytes + at * stride, stride, end - at);
            at = end + 1;
            continue;
        }
        kz_shogi_defect defect = KZ_SHOGI_FINE;
        size_t done = check->codec->pack_many(batch->positions + at, end - at, packed, KZ_SHOGI_RECORD_BYTES, &defect);
        for (size_t i = 0; i < done; i++) {
            uint8_t *again = packed + i * KZ_SHOGI_RECORD_BYTES;
            const uint8_t *bytes = batch->bytes + (at + i) * stride;
            if (check->codec->format == KZ_SHOGI_SSPFC) {
                kz_shogi_sspfc_set_spare(again, kz_shogi_sspfc_spare(bytes));
            }
            tally->not_canonical += memcmp(again, bytes, KZ_SHOGI_RECORD_BYTES) != 0;
        }
        tally->not_canonical += at + done < end; /* one that can't be packed is written in another way, too */
        at += done + 1;
    }
}

static kz_status look(void *user, int worker, const kz_records_batch *batch, kz_records_output *output,
                      kz_error *error) {
    const struct check *check = user;
    (void)error;
    if (check->codec) {
        look_at_bytes(check, batch, output->bytes, &check->tallies[worker]);
    }
    look_at_rules(check, batch, &check->tallies[worker]);
    return KZ_OK;
}

kz_status kz_shogi_check_file(const kz_shogi_source *source, const kz_shogi_file_options *options,
                              const kz_progress *progress, kz_shogi_file_report *report, kz_error *error) {
    int workers = kz_records_workers(options);
    struct check check = {.info = kz_shogi_record_at(source->record),
                          .rules = kz_shogi_rules_for(NULL),
                          .disordered = kz_shogi_disordered_for()};
    *report = (kz_shogi_file_report){0};
    if (check.info->bytes != 0) {
        check.codec = kz_shogi_codec_for(check.info->format, NULL);
    }
    check.tallies = aligned_alloc(CACHE_LINE, (size_t)workers * sizeof *check.tallies);
    if (!check.tallies) {
        return kz_fail(error, KZ_ERR_MEMORY, "out of memory for %d threads", workers);
    }
    for (int i = 0; i < workers; i++) {
        check.tallies[i] = (struct tally){.dialects = ALL_DIALECTS};
    }
    kz_shogi_file_options all = *options;
    all.skip_bad = true;
    kz_records_job job = {.source = source,
                          .options = &all,
                          .stage = "checking",
                          .output_bytes = KZ_RECORDS_BATCH * KZ_SHOGI_RECORD_BYTES,
                          .work = look,
                          .user = &check};
    kz_status status = kz_records_each(&job, progress, report, error);
    report->dialects = check.info->bytes != 0 && (check.info->holds & KZ_SHOGI_HAS_MOVE) != 0 ? ALL_DIALECTS : 0;
    for (int i = 0; i < workers; i++) {
        report->not_canonical += check.tallies[i].not_canonical;
        report->not_legal += check.tallies[i].not_legal;
        report->moves += check.tallies[i].moves;
        report->impossible_moves += check.tallies[i].impossible_moves;
        report->dialects &= check.tallies[i].dialects;
    }
    free(check.tallies);
    return status;
}
