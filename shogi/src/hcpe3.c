/* SPDX-License-Identifier: MIT
 *
 * Games of hcpe3, little-endian:
 *
 *     hcp[32]  moves u16  result u8  opponent u8
 *     then for each move: move u16  score s16  candidates u16, and for each candidate: move u16  visits u16 */
#include "base/bits.h"
#include "base/error.h"
#include "shogi/src/game.h"
#include "shogi/src/outcome.h"

static size_t move_size(const uint8_t *bytes) {
    return KZ_HCPE3_MOVE_BYTES + (size_t)KZ_HCPE3_CANDIDATE_BYTES * kz_load_le16(bytes + KZ_HCPE3_CANDIDATES_AT);
}

/* The size of the game at `bytes`, 0 if it is not all there. */
static size_t game_size(const uint8_t *bytes, size_t size) {
    if (size < KZ_HCPE3_HEAD_BYTES) {
        return 0;
    }
    size_t at = KZ_HCPE3_HEAD_BYTES;
    for (int left = kz_load_le16(bytes + KZ_HCPE3_COUNT_AT); left > 0; left--) {
        if (size - at < KZ_HCPE3_MOVE_BYTES || size - at < move_size(bytes + at)) {
            return 0;
        }
        at += move_size(bytes + at);
    }
    return at;
}

kz_status kz_hcpe3_read(const uint8_t *bytes, size_t size, size_t *used, kz_shogi_visit *visit, void *user,
                        const uint8_t **entry, kz_error *error) {
    *used = game_size(bytes, size);
    if (*used == 0) {
        return kz_fail(error, KZ_ERR_INPUT, "the game is cut off after %zu bytes", size);
    }
    kz_shogi_position position;
    kz_shogi_defect defect = kz_shogi_codec_for(KZ_SHOGI_HCP, NULL)->unpack(bytes, &position);
    if (defect != KZ_SHOGI_FINE) {
        return kz_fail(error, KZ_ERR_CORRUPT, "the first position: %s", kz_shogi_defect_text(defect));
    }
    kz_shogi_outcome outcome = kz_shogi_outcome_of(bytes[KZ_HCPE3_RESULT_AT]);
    if (bytes[KZ_HCPE3_RESULT_AT] & ~KZ_SHOGI_OUTCOME_BITS || outcome.winner == KZ_SHOGI_OPEN) {
        return kz_fail(error, KZ_ERR_CORRUPT, "result 0x%02x means nothing", bytes[KZ_HCPE3_RESULT_AT]);
    }
    int count = kz_load_le16(bytes + KZ_HCPE3_COUNT_AT);
    const uint8_t *at = bytes + KZ_HCPE3_HEAD_BYTES;
    for (int ply = 1; ply <= count; ply++, at += move_size(at)) {
        kz_shogi_note note = {.score = (int16_t)kz_load_le16(at + KZ_HCPE3_SCORE_AT),
                              .ply = (uint16_t)ply,
                              .has = KZ_SHOGI_HAS_SCORE | KZ_SHOGI_HAS_MOVE | KZ_SHOGI_HAS_PLY};
        note.has |= kz_load_le16(at + KZ_HCPE3_CANDIDATES_AT) == 0 ? KZ_SHOGI_UNSEARCHED : 0;
        kz_shogi_note_outcome(&note, (kz_shogi_side)position.side, outcome);
        kz_shogi_position next = position;
        defect = kz_shogi_read_move(KZ_SHOGI_APERY, kz_load_le16(at), &note.move);
        if (defect == KZ_SHOGI_FINE) {
            defect = kz_shogi_make_move(&next, note.move);
        }
        if (defect != KZ_SHOGI_FINE) {
            int lost = count - ply + 1;
            return kz_fail(error, KZ_ERR_CORRUPT, "move %d of %d (0x%04x): %s; %d position%s of the game %s lost", ply,
                           count, kz_load_le16(at), kz_shogi_defect_text(defect), lost, lost == 1 ? "" : "s",
                           lost == 1 ? "is" : "are");
        }
        *entry = at;
        if (!visit(user, &position, &note)) {
            break;
        }
        position = next;
    }
    return KZ_OK;
}

kz_status kz_shogi_read_hcpe3(const uint8_t *bytes, size_t size, size_t *used, kz_shogi_visit *visit, void *user,
                              kz_error *error) {
    const uint8_t *entry;
    return kz_hcpe3_read(bytes, size, used, visit, user, &entry, error);
}

kz_shogi_defect kz_shogi_write_hcpe3(const kz_shogi_position *position, const kz_shogi_note *note,
                                     uint8_t bytes[KZ_SHOGI_HCPE3_BYTES]) {
    if ((note->has & KZ_SHOGI_HAS_MOVE) == 0 || note->move.special != KZ_SHOGI_MOVE) {
        return KZ_SHOGI_BAD_MOVE;
    }
    kz_shogi_defect defect = kz_shogi_codec_for(KZ_SHOGI_HCP, NULL)->pack(position, bytes);
    if (defect != KZ_SHOGI_FINE) {
        return defect;
    }
    int8_t result = (note->has & KZ_SHOGI_HAS_RESULT) != 0 ? note->result : 0;
    unsigned ending = (note->has & KZ_SHOGI_HAS_ENDING) != 0 ? note->ending & 7U : 0;
    uint16_t move = kz_shogi_write_move(KZ_SHOGI_APERY, note->move);
    uint8_t *at = bytes + KZ_HCPE3_HEAD_BYTES;
    kz_store_le16(bytes + KZ_HCPE3_COUNT_AT, 1);
    bytes[KZ_HCPE3_RESULT_AT] =
        (uint8_t)((unsigned)kz_shogi_winner_of((kz_shogi_side)position->side, result) | ending << 2);
    bytes[KZ_HCPE3_RESULT_AT + 1] = 0; /* no opponent */
    kz_store_le16(at, move);
    kz_store_le16(at + KZ_HCPE3_SCORE_AT, (note->has & KZ_SHOGI_HAS_SCORE) != 0 ? (uint16_t)note->score : 0);
    kz_store_le16(at + KZ_HCPE3_CANDIDATES_AT, 1);
    kz_store_le16(at + KZ_HCPE3_MOVE_BYTES, move);
    kz_store_le16(at + KZ_HCPE3_MOVE_BYTES + 2, 1); /* a visit */
    return KZ_SHOGI_FINE;
}
