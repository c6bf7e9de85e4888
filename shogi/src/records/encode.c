/* SPDX-License-Identifier: MIT */
#include "shogi/src/records/encode.h"

#include "base/error.h"
#include "shogi/src/records/decode.h"

kz_status kz_records_encoder_for(kz_records_encoder *encoder, const kz_shogi_source *source,
                                 const kz_shogi_target *target, const kz_shogi_file_options *options, kz_error *error) {
    *encoder = (kz_records_encoder){
        .from = source->record,
        .record = target->record,
        .info = kz_shogi_record_at(target->record),
        .dialect = kz_records_dialect(target->record, target->dialect),
        .stop_at_bad = !options->skip_bad,
    };
    if (!encoder->info->written) {
        return kz_fail(error, KZ_ERR_UNSUPPORTED, "%s can be read, but not written", encoder->info->name);
    }
    if (target->record == KZ_SHOGI_RECORD_CSA || target->record == KZ_SHOGI_RECORD_KIF) {
        return kz_fail(error, KZ_ERR_UNSUPPORTED,
                       "%s has whole games, and here records go their own ways; convert writes it",
                       encoder->info->name);
    }
    if (encoder->info->bytes != 0) {
        encoder->codec = kz_shogi_codec_for(encoder->info->format, NULL);
        if (!encoder->codec) {
            return kz_fail(error, KZ_ERR_UNSUPPORTED, "there is no code for %s here", encoder->info->name);
        }
    }
    return KZ_OK;
}

size_t kz_records_room(const kz_records_encoder *encoder) {
    size_t record = encoder->info->bytes != 0                  ? encoder->info->bytes
                    : encoder->record == KZ_SHOGI_RECORD_PLAIN ? KZ_SHOGI_PLAIN_BYTES
                                                               : KZ_SHOGI_SFEN_BYTES;
    return KZ_RECORDS_BATCH * record;
}

/* ---- What gets lost ---------------------------------------------------------------------------------------------- */

/* What some, and what all of the notes so far have. */
struct seen {
    unsigned some;
    unsigned all;
    unsigned endings;
    unsigned extras;
    bool moves;
    bool dropped_move; /* a special one that the target's dialect has no bits for */
    uint64_t cut_plies;
};

static inline void look_at(const kz_records_encoder *encoder, const kz_shogi_note *note, struct seen *seen) {
    seen->some |= note->has;
    seen->all &= note->has;
    seen->endings |= note->ending;
    seen->extras |= note->extra;
    seen->cut_plies += (note->has & KZ_SHOGI_PLY_CUT) != 0;
    if (note->has & KZ_SHOGI_HAS_MOVE && note->move.special != KZ_SHOGI_NONE) {
        seen->moves = true;
        if (note->move.special != KZ_SHOGI_MOVE && encoder->info->bytes != 0 &&
            kz_shogi_write_move(encoder->dialect, note->move) == 0) {
            seen->dropped_move = true;
        }
    }
}

static void add_to_tally(const kz_records_encoder *encoder, const struct seen *seen, kz_records_tally *tally) {
    /* An extra byte of 0, no ending in particular, no move: nothing was said, so nothing is lost. */
    unsigned said = seen->some & KZ_SHOGI_MEMBERS;
    said &= seen->extras != 0 ? ~0U : ~(unsigned)KZ_SHOGI_HAS_EXTRA;
    said &= seen->endings != 0 ? ~0U : ~(unsigned)KZ_SHOGI_HAS_ENDING;
    said &= seen->moves ? ~0U : ~(unsigned)KZ_SHOGI_HAS_MOVE;
    /* A game of hcpe3 counts its own moves, so the ply of a record has no place in it. */
    unsigned holds =
        encoder->info->holds & (encoder->record == KZ_SHOGI_RECORD_HCPE3 ? ~(unsigned)KZ_SHOGI_HAS_PLY : ~0U);
    tally->lost |= said & ~holds;
    tally->lost |= seen->dropped_move ? (unsigned)KZ_SHOGI_HAS_MOVE : 0;
    tally->missing |= holds & ~seen->all;
    tally->cut_plies += (holds & KZ_SHOGI_HAS_PLY) != 0 ? seen->cut_plies : 0;
}

/* ---- Records of fixed size --------------------------------------------------------------------------------------- */

/* The spare bits of sspfc are no part of the position, so no codec carries them over. */
static void carry_spares(const kz_records_encoder *encoder, const uint8_t *from, uint8_t *to, size_t count,
                         kz_records_tally *tally) {
    for (size_t i = 0; i < count; i++) {
        unsigned spare = kz_shogi_sspfc_spare(from + i * KZ_SHOGI_RECORD_BYTES);
        if (encoder->record == KZ_SHOGI_RECORD_SSPFC) {
            kz_shogi_sspfc_set_spare(to + i * KZ_SHOGI_RECORD_BYTES, spare);
        } else if (spare != 0) {
            tally->lost |= KZ_SHOGI_HAS_SPARE;
        }
    }
}

/* Writes records `begin` to `end` - 1, all of them without a defect; returns how many went well. */
static size_t encode_run(const kz_records_encoder *encoder, const kz_records_batch *batch, size_t begin, size_t end,
                         uint8_t *bytes, struct seen *seen, kz_records_tally *tally) {
    size_t stride = encoder->info->bytes;
    kz_shogi_defect defect = KZ_SHOGI_FINE;
    size_t done = encoder->codec->pack_many(batch->positions + begin, end - begin, bytes, stride, &defect);
    if (done < end - begin) {
        batch->defects[begin + done] = defect;
    }
    for (size_t i = 0; i < done; i++) {
        const kz_shogi_note *note = &batch->notes[begin + i];
        look_at(encoder, note, seen);
        if (encoder->info->holds != 0) {
            kz_shogi_write_note(encoder->record, encoder->dialect, note,
                                (kz_shogi_side)batch->positions[begin + i].side, bytes + i * stride);
        }
    }
    if (encoder->from == KZ_SHOGI_RECORD_SSPFC) {
        carry_spares(encoder, batch->bytes + begin * KZ_SHOGI_RECORD_BYTES, bytes, done, tally);
    }
    return done;
}

static void encode_fixed(const kz_records_encoder *encoder, const kz_records_batch *batch, kz_records_output *output,
                         struct seen *seen, kz_records_tally *tally) {
    size_t at = 0;
    while (at < batch->count) {
        size_t end = at;
        while (end < batch->count && batch->defects[end] == KZ_SHOGI_FINE) {
            end++;
        }
        size_t done = encode_run(encoder, batch, at, end, output->bytes + output->size, seen, tally);
        output->size += done * encoder->info->bytes;
        tally->written += done;
        at += done;
        if (at < batch->count && batch->defects[at] != KZ_SHOGI_LEFT_OUT && encoder->stop_at_bad) {
            return;
        }
        at++; /* the bad one, or one that is left out */
    }
}

/* ---- Texts ------------------------------------------------------------------------------------------------------- */

static size_t format_record(const kz_records_encoder *encoder, const kz_shogi_position *position,
                            const kz_shogi_note *note, char *text) {
    if (encoder->record == KZ_SHOGI_RECORD_PLAIN) {
        return kz_shogi_format_plain(position, note, text);
    }
    size_t length = kz_shogi_format_sfen(position, note->has & KZ_SHOGI_HAS_PLY ? note->ply : 1, text);
    text[length] = '\n';
    return length + 1;
}

static void encode_text(const kz_records_encoder *encoder, const kz_records_batch *batch, kz_records_output *output,
                        struct seen *seen, kz_records_tally *tally) {
    for (size_t i = 0; i < batch->count; i++) {
        if (batch->defects[i] == KZ_SHOGI_FINE && encoder->record == KZ_SHOGI_RECORD_HCPE3) {
            batch->defects[i] =
                kz_shogi_write_hcpe3(&batch->positions[i], &batch->notes[i], output->bytes + output->size);
            if (batch->defects[i] == KZ_SHOGI_FINE) {
                look_at(encoder, &batch->notes[i], seen);
                output->size += KZ_SHOGI_HCPE3_BYTES;
                tally->written++;
            } else if (encoder->stop_at_bad) {
                return;
            }
        } else if (batch->defects[i] == KZ_SHOGI_FINE) {
            look_at(encoder, &batch->notes[i], seen);
            char *text = (char *)output->bytes + output->size;
            output->size += format_record(encoder, &batch->positions[i], &batch->notes[i], text);
            tally->written++;
            if (encoder->from == KZ_SHOGI_RECORD_SSPFC &&
                kz_shogi_sspfc_spare(batch->bytes + i * KZ_SHOGI_RECORD_BYTES) != 0) {
                tally->lost |= KZ_SHOGI_HAS_SPARE;
            }
        }
    }
}

void kz_records_encode(const kz_records_encoder *encoder, const kz_records_batch *batch, kz_records_output *output,
                       kz_records_tally *tally) {
    struct seen seen = {.all = ~0U};
    *tally = (kz_records_tally){.written = 0};
    if (encoder->info->bytes != 0) {
        encode_fixed(encoder, batch, output, &seen, tally);
    } else {
        encode_text(encoder, batch, output, &seen, tally);
    }
    if (tally->written > 0) {
        add_to_tally(encoder, &seen, tally);
    }
}
