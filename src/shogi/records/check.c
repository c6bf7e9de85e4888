/* SPDX-License-Identifier: MIT
 *
 * Looks at every record of a file. The stream finds those that can't be read; what remains is whether records are
 * canonical, positions legal and moves possible. */
#include "base/bits.h"
#include "base/error.h"
#include "shogi/records/stream.h"

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
};

struct check {
    const kz_shogi_record_info *info;
    const kz_shogi_codec *codec; /* of records of fixed size */
    struct tally *tallies;
};

/* The same as kz_shogi_check_canonical, for a record that has been unpacked already. */
static bool canonical(const kz_shogi_codec *codec, const kz_shogi_position *position, const uint8_t *bytes) {
    uint8_t packed[KZ_SHOGI_RECORD_BYTES];
    if (codec->pack(position, packed) != KZ_SHOGI_FINE) {
        return false;
    }
    if (codec->format == KZ_SHOGI_SSPFC) {
        kz_shogi_sspfc_set_spare(packed, kz_shogi_sspfc_spare(bytes));
    }
    return memcmp(packed, bytes, sizeof packed) == 0;
}

/* Whether an ordinary move can be made and does not leave the own king in check. */
static bool possible(const kz_shogi_position *position, kz_shogi_move move) {
    kz_shogi_position after = *position;
    return kz_shogi_make_move(&after, move) == KZ_SHOGI_FINE &&
           !kz_shogi_in_check(&after, (kz_shogi_side)position->side);
}

/* The 16 bits of the move, whatever dialect they are read in. */
static void look_at_bits(uint16_t bits, struct tally *tally) {
    if (bits != 0) {
        tally->moves++;
        tally->dialects &= kz_shogi_possible_dialects(bits);
    }
}

static void look_at(const struct check *check, const kz_records_batch *batch, size_t i, struct tally *tally) {
    const kz_shogi_record_info *info = check->info;
    const kz_shogi_note *note = &batch->notes[i];
    bool has_bits = info->bytes != 0 && (info->holds & KZ_SHOGI_HAS_MOVE) != 0;
    const uint8_t *bytes = info->bytes != 0 ? batch->bytes + i * info->bytes : NULL;
    if (has_bits && (batch->defects[i] == KZ_SHOGI_FINE || batch->defects[i] == KZ_SHOGI_BAD_MOVE)) {
        look_at_bits(kz_load_le16(bytes + MOVE_AT), tally);
    }
    if (batch->defects[i] != KZ_SHOGI_FINE) {
        return;
    }
    tally->not_canonical += bytes != NULL && !canonical(check->codec, &batch->positions[i], bytes);
    tally->not_legal += kz_shogi_check_legal(&batch->positions[i]) != KZ_SHOGI_FINE;
    if ((note->has & KZ_SHOGI_HAS_MOVE) != 0 && note->move.special == KZ_SHOGI_MOVE) {
        tally->moves += !has_bits;
        tally->impossible_moves += !possible(&batch->positions[i], note->move);
    }
}

static kz_status look(void *user, int worker, const kz_records_batch *batch, kz_records_output *output,
                      kz_error *error) {
    const struct check *check = user;
    (void)output;
    (void)error;
    for (size_t i = 0; i < batch->count; i++) {
        look_at(check, batch, i, &check->tallies[worker]);
    }
    return KZ_OK;
}

kz_status kz_shogi_check_file(const kz_shogi_source *source, const kz_shogi_file_options *options,
                              const kz_progress *progress, kz_shogi_file_report *report, kz_error *error) {
    int workers = kz_records_workers(options);
    struct check check = {.info = kz_shogi_record_at(source->record)};
    *report = (kz_shogi_file_report){0};
    if (check.info->bytes != 0) {
        check.codec = kz_shogi_codec_for(check.info->format, NULL);
    }
    check.tallies = aligned_alloc(CACHE_LINE, (size_t)workers * sizeof *check.tallies);
    if (check.tallies == NULL) {
        return kz_fail(error, KZ_ERR_MEMORY, "out of memory for %d threads", workers);
    }
    for (int i = 0; i < workers; i++) {
        check.tallies[i] = (struct tally){.dialects = ALL_DIALECTS};
    }
    kz_shogi_file_options all = *options;
    all.skip_bad = true;
    kz_records_job job = {.source = source, .options = &all, .stage = "checking", .work = look, .user = &check};
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
