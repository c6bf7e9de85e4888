/* SPDX-License-Identifier: MIT
 *
 * Games of rshogi's tools (.pack), little-endian:
 *
 *     u8 1: the usual start, or u8 0, hcp[32], u16 ply of the first move
 *     then for each move: u16 move as in Apery, s16 score for the side to move
 *     u16 end: `from` and `to` are both the winner, 0 nobody, 1 black, 2 white; u8 reason */
#include "base/bits.h"
#include "base/error.h"
#include "shogi/src/outcome.h"

enum { POSITION_BYTES = KZ_SHOGI_RECORD_BYTES + 2, MOVE_BYTES = 4, END_BYTES = 3, SQUARE = 127, FROM_SHIFT = 7 };

static bool is_end(unsigned move) { return (move & SQUARE) == (move >> FROM_SHIFT & SQUARE); }

/* The size of a game and its moves, 0 if it is not all there. */
static size_t game_size(const uint8_t *bytes, size_t size, size_t head, int *moves) {
    *moves = 0;
    for (size_t at = head; at <= size && size - at >= END_BYTES; at += MOVE_BYTES, ++*moves) {
        if (is_end(kz_load_le16(bytes + at))) {
            return at + END_BYTES;
        }
    }
    return 0;
}

kz_status kz_shogi_read_pack(const uint8_t *bytes, size_t size, size_t *used, kz_shogi_visit *visit, void *user,
                             kz_error *error) {
    *used = 0;
    if (size > 0 && bytes[0] > 1) {
        *used = size;
        return kz_fail(error, KZ_ERR_CORRUPT, "no game begins with 0x%02x; what follows can't be read", bytes[0]);
    }
    bool usual = size > 0 && bytes[0] == 1;
    size_t head = usual ? 1 : 1 + POSITION_BYTES;
    int count = 0;
    *used = game_size(bytes, size, head, &count);
    if (*used == 0) {
        return kz_fail(error, KZ_ERR_INPUT, "the game is cut off after %zu bytes", size);
    }
    kz_shogi_position position = kz_shogi_start();
    kz_shogi_defect defect =
        usual ? KZ_SHOGI_FINE : kz_shogi_codec_for(KZ_SHOGI_HCP, NULL)->unpack(bytes + 1, &position);
    if (defect != KZ_SHOGI_FINE) {
        return kz_fail(error, KZ_ERR_CORRUPT, "the first position: %s", kz_shogi_defect_text(defect));
    }
    unsigned winner = kz_load_le16(bytes + *used - END_BYTES) & SQUARE;
    if (winner > KZ_SHOGI_WHITE_WON) {
        return kz_fail(error, KZ_ERR_CORRUPT, "result %u means nothing", winner);
    }
    int ply = usual ? 1 : kz_load_le16(bytes + 1 + KZ_SHOGI_RECORD_BYTES);
    const uint8_t *at = bytes + head;
    for (int number = 1; number <= count; number++, at += MOVE_BYTES, ply++) {
        bool cut = ply > UINT16_MAX;
        kz_shogi_note note = {.score = (int16_t)kz_load_le16(at + 2),
                              .ply = (uint16_t)(cut ? UINT16_MAX : ply),
                              .result = kz_shogi_result_for((kz_shogi_side)position.side, (kz_shogi_winner)winner),
                              .has = KZ_SHOGI_HAS_SCORE | KZ_SHOGI_HAS_MOVE | KZ_SHOGI_HAS_PLY | KZ_SHOGI_HAS_RESULT};
        note.has |= cut ? KZ_SHOGI_PLY_CUT : 0;
        kz_shogi_position next = position;
        defect = kz_shogi_read_move(KZ_SHOGI_APERY, kz_load_le16(at), &note.move);
        if (defect == KZ_SHOGI_FINE) {
            defect = kz_shogi_make_move(&next, note.move);
        }
        if (defect != KZ_SHOGI_FINE) {
            int lost = count - number + 1;
            return kz_fail(error, KZ_ERR_CORRUPT, "move %d of %d (0x%04x): %s; %d position%s of the game %s lost",
                           number, count, kz_load_le16(at), kz_shogi_defect_text(defect), lost, lost == 1 ? "" : "s",
                           lost == 1 ? "is" : "are");
        }
        if (!visit(user, &position, &note)) {
            break;
        }
        position = next;
    }
    return KZ_OK;
}
