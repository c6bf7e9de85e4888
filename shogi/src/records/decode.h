/* SPDX-License-Identifier: MIT
 *
 * From the bytes of a piece to positions, notes and defects. */
#ifndef KZ_RECORDS_DECODE_H
#define KZ_RECORDS_DECODE_H

#include "shogi/src/boards.h"
#include "shogi/src/records/source.h"
#include "shogi/src/records/stream.h"

/* Why the record `at` of a batch is bad, where there is more to say than its defect. */
typedef struct kz_records_reason {
    size_t at;
    char text[sizeof((kz_shogi_offender *)NULL)->reason];
} kz_records_reason;

/* A batch in the making. */
typedef struct kz_records_sheet {
    size_t count;
    kz_shogi_position *positions;
    kz_shogi_note *notes;
    kz_shogi_defect *defects;
    uint32_t *lines;                               /* of texts: on which line of the piece each record begins, from 0 */
    const uint8_t **entries;                       /* of hcpe3: where the move of each is, with its candidates */
    uint32_t line;                                 /* of texts: how many lines of the piece have been read */
    kz_records_reason reasons[KZ_SHOGI_OFFENDERS]; /* the first ones */
    size_t reason_count;

    /* Of records that have no fixed size: how many are to be passed over, were passed over, and are wanted. */
    uint64_t pass;
    uint64_t passed;
    uint64_t left;
    bool ended; /* what was wanted has been read, or the first bad record has ended it */

    /* Since they were last added to the report. */
    uint64_t unsearched;
    uint64_t lost_positions;

    /* Called when it is full; has to empty it (kz_records_clear), or return false to stop. */
    bool (*full)(void *user);
    void *user;
} kz_records_sheet;

typedef struct kz_records_decoder {
    kz_shogi_record record;
    const kz_shogi_record_info *info;
    const kz_shogi_codec *codec; /* of records of fixed size */
    kz_shogi_dialect dialect;
    bool without_box; /* records may end without the codes of the box */
    bool legal;       /* positions that are not legal are bad */
    bool unsearched;  /* positions of hcpe3 without candidates are wanted */
    const kz_shogi_rules *rules;
    bool stop_at_bad; /* a bad record is the last one */
} kz_records_decoder;

/* The dialect of a record's moves: the one that was asked for, or the usual one (KZ_SHOGI_DIALECTS). */
kz_shogi_dialect kz_records_dialect(kz_shogi_record record, kz_shogi_dialect asked);

/* Refuses a source that names no dialect and whose moves are in another one than the usual, or in several. */
kz_status kz_records_check_dialect(const kz_shogi_source *source, kz_error *error);

kz_status kz_records_decoder_for(kz_records_decoder *decoder, const kz_shogi_source *source,
                                 const kz_shogi_file_options *options, kz_error *error);

kz_status kz_records_new_sheet(kz_records_sheet *sheet, kz_error *error);
void kz_records_free_sheet(kz_records_sheet *sheet);
/* Makes room for the next batch of the piece. */
void kz_records_clear(kz_records_sheet *sheet);

/* Fills the sheet with the records of a piece. */
void kz_records_decode(const kz_records_decoder *decoder, const kz_records_piece *piece, kz_records_sheet *sheet);

/* ---- filter.c: which records of a batch are kept, and how those are edited --------------------------------------- */

/* Whether a filter does anything. NULL does nothing. */
bool kz_records_filter_is_active(const kz_shogi_filter *filter);

/* The same for filters that do the same. */
uint64_t kz_records_filter_hash(const kz_shogi_filter *filter);

/* Marks the records that the filter leaves out with KZ_SHOGI_LEFT_OUT and edits the others. Records that have a defect
 * already are not looked at. */
void kz_records_filter(const kz_shogi_filter *filter, size_t count, kz_shogi_position *positions, kz_shogi_note *notes,
                       kz_shogi_defect *defects);

/* The position and the move as they are seen in a mirror that exchanges left and right. */
kz_shogi_position kz_records_mirror(const kz_shogi_position *position);
kz_shogi_move kz_records_mirror_move(kz_shogi_move move);

#endif
