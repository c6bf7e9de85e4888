/* SPDX-License-Identifier: MIT
 *
 * From positions and notes to the bytes of records. */
#ifndef KZ_RECORDS_ENCODE_H
#define KZ_RECORDS_ENCODE_H

#include "shogi/src/records/stream.h"

typedef struct kz_records_encoder {
    kz_shogi_record from;
    kz_shogi_record record;
    const kz_shogi_record_info *info;
    const kz_shogi_codec *codec; /* of records of fixed size */
    kz_shogi_dialect dialect;
    bool stop_at_bad; /* nothing comes after a record that can't be written */
} kz_records_encoder;

/* What became of a batch. */
typedef struct kz_records_tally {
    uint64_t written;
    unsigned lost;    /* KZ_SHOGI_HAS_...: there, and not held by the target */
    unsigned missing; /* held by the target, and not there */
    uint64_t cut_plies;
} kz_records_tally;

kz_status kz_records_encoder_for(kz_records_encoder *encoder, const kz_shogi_source *source,
                                 const kz_shogi_target *target, const kz_shogi_file_options *options, kz_error *error);
/* The most bytes that a batch can need. */
size_t kz_records_room(const kz_records_encoder *encoder);
/* Writes the records of a batch that have no defect. Those that the target can't hold get one. */
void kz_records_encode(const kz_records_encoder *encoder, const kz_records_batch *batch, kz_records_output *output,
                       kz_records_tally *tally);

#endif
