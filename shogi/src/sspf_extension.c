/* SPDX-License-Identifier: MIT
 *
 * SSPFv1 with its extension, one bit after the other, and the reasons for which records and positions are refused.
 * All paths come here with what is not plain sailing, so there is one answer to each question.
 *
 * The extension: a missing king has 126 or 127, whose low bit is the item of `occupied` that no longer fits into 79
 * (black's king first if both are missing). Pieces that are neither on the board nor in a hand are entries of the tail
 * as well, after those in hand of their kind: bit 1 in kind bit 0, and colour 0. */
#include "shogi/src/sspf_fields.h"

#include <string.h>

enum { OCCUPIED_ITEMS = 79 };

static bool is_absent(unsigned king) { return king >= KZ_SSPF_KING_ABSENT; }

static bool kings_are_sound(const unsigned king[2], bool extended) {
    for (int side = 0; side < 2; side++) {
        if (king[side] >= KZ_SHOGI_SQUARES && !(extended && is_absent(king[side]))) {
            return false;
        }
    }
    return king[0] != king[1] || is_absent(king[0]);
}

/* Item 79 or 80 of `occupied`, where there is one. */
static void put_item(uint64_t occupied[2], unsigned item, unsigned bit) { occupied[1] |= (uint64_t)bit << (item - 64); }
static unsigned get_item(const uint64_t occupied[2], unsigned item) { return occupied[1] >> (item - 64) & 1; }

/* Gives back the items that missing kings have borrowed, and counts all. */
static unsigned collect_occupied(kz_sspf_fields *fields) {
    unsigned items = OCCUPIED_ITEMS;
    for (int side = 0; side < 2; side++) {
        if (is_absent(fields->king[side])) {
            put_item(fields->occupied, items++, fields->king[side] & 1);
        }
    }
    return kz_sspf_count(fields->occupied[0]) + kz_sspf_count(fields->occupied[1]);
}

/* A record taken apart: `fields` with all items of `occupied`, kind bit 0 without the tail's. */
typedef struct taken_apart {
    kz_sspf_fields fields;
    unsigned count;   /* of pieces on the board */
    uint64_t total;   /* in the tail, by kind */
    uint64_t removed; /* bits of the tail */
    uint64_t colour;
} taken_apart;

static kz_shogi_defect take_apart(const uint8_t *record, bool extended, taken_apart *parts) {
    kz_sspf_fields *fields = &parts->fields;
    *fields = kz_sspf_load(record);
    uint64_t *kind = fields->kind;
    if (!kings_are_sound(fields->king, extended)) {
        return KZ_SHOGI_KING_SQUARE;
    }
    unsigned count = collect_occupied(fields);
    if (count > KZ_SSPF_LIST) {
        return KZ_SHOGI_OVERFULL;
    }
    parts->count = count;
    parts->removed = kind[0] >> count;
    parts->colour = fields->colour >> count;
    if (parts->removed && !extended) {
        return KZ_SHOGI_PADDING;
    }
    kind[0] &= kz_sspf_ones(count);

    unsigned others = kz_sspf_count(kind[0]);
    unsigned golds_up = kz_sspf_count(kind[1] & kind[2]);
    unsigned bishops_up = kz_sspf_count(kind[3]);
    if (others > 20) {
        return KZ_SHOGI_OVERFULL;
    }
    if ((kind[1] | kind[2]) >> others) {
        return KZ_SHOGI_PADDING;
    }
    if (golds_up > 8) {
        return KZ_SHOGI_OVERFULL;
    }
    if (kind[3] >> golds_up) {
        return KZ_SHOGI_PADDING;
    }
    if (bishops_up > 4) {
        return KZ_SHOGI_OVERFULL;
    }
    if (kind[4] >> bishops_up || fields->promoted >> (count - (golds_up - bishops_up))) {
        return KZ_SHOGI_PADDING;
    }
    uint64_t numbers = kz_sspf_numbers(count, kind);
    if (kz_sspf_above_full_set(numbers)) {
        return KZ_SHOGI_OVERFULL;
    }
    parts->total = KZ_SSPF_FULL_SET - numbers;
    return parts->removed & parts->colour ? KZ_SHOGI_UNKNOWN : KZ_SHOGI_FINE;
}

kz_shogi_defect kz_sspf_defect(const uint8_t *record, bool extended) {
    taken_apart parts;
    return take_apart(record, extended, &parts);
}

kz_shogi_defect kz_sspf_sort_tail(uint8_t *record, bool extended) {
    taken_apart parts;
    kz_shogi_defect defect = take_apart(record, extended, &parts);
    if (defect != KZ_SHOGI_FINE) {
        return defect;
    }
    uint64_t white = kz_sspf_white_in_tail(parts.total, parts.colour);
    uint64_t removed = kz_sspf_white_in_tail(parts.total, parts.removed);
    /* The tail's whites and removed ones are its last ones; without the removed ones it is its whites. */
    uint64_t last_removed = kz_sspf_tail(parts.total, removed);
    uint64_t colour = kz_sspf_tail(parts.total, white + removed) & ~last_removed;
    kz_sspf_fields fields = kz_sspf_load(record);
    uint64_t list = kz_sspf_ones(parts.count);
    fields.kind[0] = (fields.kind[0] & list) | last_removed << parts.count;
    fields.colour = (fields.colour & list) | colour << parts.count;
    kz_sspf_store(&fields, record);
    return KZ_SHOGI_FINE;
}

/* ---- Packing ----------------------------------------------------------------------------------------------------- */

kz_shogi_defect kz_sspf_pack_defect(const kz_shogi_position *position) {
    kz_shogi_defect defect = kz_shogi_check(position);
    if (defect != KZ_SHOGI_FINE) {
        return defect;
    }
    bool kings = kz_shogi_king(position, KZ_SHOGI_BLACK) < KZ_SHOGI_SQUARES &&
                 kz_shogi_king(position, KZ_SHOGI_WHITE) < KZ_SHOGI_SQUARES;
    return kings ? KZ_SHOGI_REMOVED : KZ_SHOGI_NO_KING;
}

/* Bits written one after the other. */
typedef struct row {
    uint64_t bits;
    unsigned count;
} row;

static void append(row *to, unsigned bit) { to->bits |= (uint64_t)(bit & 1) << to->count++; }

/* Appends what the fields say about a piece on the board. */
static void append_piece(row kind[5], row *promoted, row *colour, unsigned code) {
    append(colour, code >> 6);
    append(&kind[0], code);
    if (code & 1) {
        append(&kind[1], code >> 1);
        append(&kind[2], code >> 2);
        if ((code & 6) == 6) {
            append(&kind[3], code >> 3);
            if (code & 8) {
                append(&kind[4], code >> 4);
            }
        }
    }
    if ((code & 0xF) != 7) {
        append(promoted, code >> 5);
    }
}

kz_shogi_defect kz_sspfx_pack_general(const kz_shogi_position *position, uint8_t *record) {
    kz_shogi_defect defect = kz_shogi_check(position);
    if (defect != KZ_SHOGI_FINE) {
        return defect;
    }
    row kind[5] = {{0, 0}};
    row promoted = {0, 0};
    row colour = {0, 0};
    kz_sspf_fields fields = {
        .side = position->side,
        .king = {(unsigned)kz_shogi_king(position, KZ_SHOGI_BLACK), (unsigned)kz_shogi_king(position, KZ_SHOGI_WHITE)}};
    unsigned items = 0;
    for (unsigned square = 0; square < KZ_SHOGI_SQUARES; square++) {
        unsigned code = position->board[square];
        if (square == fields.king[0] || square == fields.king[1]) {
            continue;
        }
        fields.occupied[items / 64] |= (uint64_t)(code >> 7) << items % 64;
        items++;
        if (code) {
            append_piece(kind, &promoted, &colour, code);
        }
    }
    items = OCCUPIED_ITEMS;
    for (int side = 0; side < 2; side++) {
        if (fields.king[side] == KZ_SHOGI_NO_SQUARE) {
            fields.king[side] = KZ_SSPF_KING_ABSENT + get_item(fields.occupied, items++);
        }
    }
    fields.occupied[1] &= kz_sspf_ones(OCCUPIED_ITEMS - 64);

    uint64_t numbers = kz_sspf_numbers(
        colour.count, (const uint64_t[5]){kind[0].bits, kind[1].bits, kind[2].bits, kind[3].bits, kind[4].bits});
    for (int k = 0; k < KZ_SHOGI_HAND_KINDS; k++) {
        int total = kz_shogi_full_set((kz_shogi_kind)k) - (int)(numbers >> 8 * k & 0xFF);
        int black = position->hand[0][k];
        int white = position->hand[1][k];
        for (int i = 0; i < total; i++) {
            append(&kind[0], i >= black + white);
            append(&colour, i >= black && i < black + white);
        }
    }
    for (int i = 0; i < 5; i++) {
        fields.kind[i] = kind[i].bits;
    }
    fields.promoted = promoted.bits;
    fields.colour = colour.bits;
    kz_sspf_store(&fields, record);
    return KZ_SHOGI_FINE;
}

/* ---- Unpacking --------------------------------------------------------------------------------------------------- */

static unsigned take(uint64_t *bits) {
    unsigned bit = *bits & 1;
    *bits >>= 1;
    return bit;
}

/* Takes the next piece of the list from the fields. */
static unsigned take_piece(kz_sspf_fields *fields) {
    unsigned code = 0x80 | take(&fields->colour) << 6 | take(&fields->kind[0]);
    if (code & 1) {
        code |= take(&fields->kind[1]) << 1;
        code |= take(&fields->kind[2]) << 2;
        if ((code & 6) == 6) {
            code |= take(&fields->kind[3]) << 3;
            if (code & 8) {
                code |= take(&fields->kind[4]) << 4;
            }
        }
    }
    if ((code & 0xF) != 7) {
        code |= take(&fields->promoted) << 5;
    }
    return code;
}

kz_shogi_defect kz_sspfx_unpack_general(const uint8_t *record, kz_shogi_position *position) {
    taken_apart parts;
    kz_shogi_defect defect = take_apart(record, true, &parts);
    if (defect != KZ_SHOGI_FINE) {
        return defect;
    }
    kz_sspf_fields *fields = &parts.fields;
    memset(position, 0, sizeof *position);
    position->side = (uint8_t)fields->side;
    unsigned item = 0;
    for (unsigned square = 0; square < KZ_SHOGI_SQUARES; square++) {
        if (square == fields->king[0] || square == fields->king[1]) {
            position->board[square] = KZ_SHOGI_CODE_KING | (square == fields->king[1] ? KZ_SHOGI_WHITES : 0);
            continue;
        }
        if (fields->occupied[item / 64] >> item % 64 & 1) {
            position->board[square] = (uint8_t)take_piece(fields);
        }
        item++;
    }
    for (int k = 0; k < KZ_SHOGI_HAND_KINDS; k++) {
        for (unsigned left = parts.total >> 8 * k & 0xFF; left > 0; left--) {
            unsigned white = take(&parts.colour);
            if (!take(&parts.removed)) {
                position->hand[white][k]++;
            }
        }
    }
    return KZ_SHOGI_FINE;
}
