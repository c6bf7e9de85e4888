/* SPDX-License-Identifier: MIT */
#include "shogi/tests/support/shogi_laws.h"

bool shogi_same(const kz_shogi_position *a, const kz_shogi_position *b) { return memcmp(a, b, sizeof *a) == 0; }

/* What a format must say to a well-formed position, by counting. */
static bool shogi_is_right_defect(kz_shogi_format format, const kz_shogi_position *position, kz_shogi_defect defect) {
    unsigned kings = 0, others = 0;
    for (unsigned i = 0; i < KZ_SHOGI_SQUARES; i++) {
        kings += (position->board[i] & 0x81) == KZ_SHOGI_CODE_KING;
        others += (position->board[i] & 0x80) != 0;
    }
    for (unsigned i = 0; i < KZ_SHOGI_HAND_KINDS; i++) {
        others += (unsigned)position->hand[0][i] + position->hand[1][i];
    }
    bool no_king = kings < 2 && format != KZ_SHOGI_SSPFX && format != KZ_SHOGI_SSPFC;
    bool removed = others < 38 && format == KZ_SHOGI_SSPF;
    switch (defect) {
    case KZ_SHOGI_FINE:
        return !no_king && !removed;
    case KZ_SHOGI_NO_KING:
        return no_king;
    case KZ_SHOGI_REMOVED:
        return removed;
    default:
        return false;
    }
}

/* A well-formed position in a format: it comes back, or the right reason does and the record is left alone; all paths
 * do the same. */
static const char *shogi_broken_by_position(kz_shogi_format format, const kz_shogi_position *position) {
    enum { UNTOUCHED = 0x5A };
    uint8_t record[RECORD], other[RECORD];
    kz_shogi_position back;
    memset(record, UNTOUCHED, sizeof record);
    const kz_shogi_codec *plain = kz_shogi_codec_for(format, "plain");
    LAW(plain != NULL);
    kz_shogi_defect defect = plain->pack(position, record);
    LAW(shogi_is_right_defect(format, position, defect));
    if (defect != KZ_SHOGI_FINE) {
        for (unsigned i = 0; i < RECORD; i++) {
            LAW(record[i] == UNTOUCHED);
        }
    } else {
        LAW(kz_shogi_check_record(format, record) == KZ_SHOGI_FINE);
        LAW(kz_shogi_check_canonical(format, record) == KZ_SHOGI_FINE);
    }
    for (unsigned path = 0; path < SHOGI_PATHS; path++) {
        const kz_shogi_codec *codec = kz_shogi_codec_for(format, shogi_paths[path]);
        if (!codec) {
            continue;
        }
        memset(other, UNTOUCHED, sizeof other);
        LAW(codec->pack(position, other) == defect);
        LAW(memcmp(other, record, RECORD) == 0);
        if (defect == KZ_SHOGI_FINE) {
            memset(&back, UNTOUCHED, sizeof back);
            LAW(codec->unpack(record, &back) == KZ_SHOGI_FINE);
            LAW(shogi_same(&back, position));
        }
    }
    return NULL;
}

const char *shogi_broken_by_record(kz_shogi_format format, const uint8_t record[RECORD]) {
    kz_shogi_position position, other;
    const kz_shogi_codec *plain = kz_shogi_codec_for(format, "plain");
    LAW(plain != NULL);
    kz_shogi_defect defect = plain->unpack(record, &position);
    for (unsigned path = 1; path < SHOGI_PATHS; path++) {
        const kz_shogi_codec *codec = kz_shogi_codec_for(format, shogi_paths[path]);
        if (codec) {
            LAW(codec->unpack(record, &other) == defect);
            LAW(defect != KZ_SHOGI_FINE || shogi_same(&other, &position));
        }
    }
    LAW(kz_shogi_check_record(format, record) == defect);

    uint8_t changed[RECORD], again[RECORD];
    memcpy(changed, record, RECORD);
    LAW(kz_shogi_canonicalise(format, changed) == defect);
    if (defect != KZ_SHOGI_FINE) {
        LAW(memcmp(changed, record, RECORD) == 0);
        LAW(kz_shogi_check_canonical(format, record) == defect);
        return NULL;
    }
    LAW(kz_shogi_check(&position) == KZ_SHOGI_FINE);
    bool canonical = memcmp(changed, record, RECORD) == 0;
    LAW(kz_shogi_check_canonical(format, record) == (canonical ? KZ_SHOGI_FINE : KZ_SHOGI_NOT_CANONICAL));
    LAW(plain->unpack(changed, &other) == KZ_SHOGI_FINE);
    LAW(shogi_same(&other, &position));
    LAW(kz_shogi_check_canonical(format, changed) == KZ_SHOGI_FINE);
    memcpy(again, changed, RECORD);
    LAW(kz_shogi_canonicalise(format, again) == KZ_SHOGI_FINE);
    LAW(memcmp(again, changed, RECORD) == 0);
    /* Apart from the spare bits of sspfc, it is what `pack` writes. */
    if (format == KZ_SHOGI_SSPFC) {
        LAW(kz_shogi_sspfc_spare(changed) == kz_shogi_sspfc_spare(record));
        kz_shogi_sspfc_set_spare(changed, 0);
    }
    LAW(plain->pack(&position, again) == KZ_SHOGI_FINE);
    LAW(memcmp(again, changed, RECORD) == 0);
    return NULL;
}

const char *shogi_broken_by_any(const kz_shogi_position *position) {
    LAW(kz_shogi_check(position) == KZ_SHOGI_FINE);
    for (unsigned format = 0; format < KZ_SHOGI_FORMATS; format++) {
        const char *broken = shogi_broken_by_position((kz_shogi_format)format, position);
        if (broken) {
            return broken;
        }
    }
    char text[KZ_SHOGI_SFEN_BYTES];
    size_t length = kz_shogi_format_sfen(position, 7, text);
    LAW(length == strlen(text));
    kz_shogi_position back;
    int ply = 0;
    LAW(kz_shogi_parse_sfen(text, length, &back, &ply, NULL) == KZ_OK);
    LAW(shogi_same(&back, position) && ply == 7);
    return NULL;
}

const char *shogi_broken_by_move(kz_shogi_move move) {
    char text[8];
    kz_shogi_move back;
    size_t length = kz_shogi_format_move(move, text);
    LAW(kz_shogi_parse_move(text, length, &back, NULL) == KZ_OK);
    LAW(memcmp(&back, &move, sizeof move) == 0);
    for (unsigned dialect = 0; dialect < KZ_SHOGI_DIALECTS; dialect++) {
        uint16_t bits = kz_shogi_write_move((kz_shogi_dialect)dialect, move);
        LAW(kz_shogi_read_move((kz_shogi_dialect)dialect, bits, &back) == KZ_SHOGI_FINE);
        LAW(memcmp(&back, &move, sizeof move) == 0 || (move.special != KZ_SHOGI_MOVE && bits == 0));
    }
    return NULL;
}

const char *shogi_broken_by_moves(const kz_shogi_position *position) {
    kz_shogi_move moves[KZ_SHOGI_MOST_MOVES];
    if (kz_shogi_check_legal(position) != KZ_SHOGI_FINE) {
        return NULL;
    }
    size_t count = kz_shogi_moves(position, moves);
    LAW(count <= KZ_SHOGI_MOST_MOVES);
    for (size_t i = 0; i < count; i++) {
        kz_shogi_position next = *position;
        LAW(kz_shogi_make_move(&next, moves[i]) == KZ_SHOGI_FINE);
        LAW(kz_shogi_check_legal(&next) == KZ_SHOGI_FINE);
        LAW(next.side != position->side);
        const char *broken = shogi_broken_by_move(moves[i]);
        if (broken) {
            return broken;
        }
    }
    return NULL;
}
