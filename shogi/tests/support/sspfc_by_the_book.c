/* SPDX-License-Identifier: MIT */
#include "shogi/tests/support/sspfc_by_the_book.h"

static const unsigned full_set[KZ_SHOGI_HAND_KINDS] = {18, 4, 4, 4, 4, 2, 2};

static void append(bit_list *list, unsigned bit) { list->bits[list->count++] = (uint8_t)bit; }

void append_number(bit_list *list, unsigned number, unsigned bits) {
    for (unsigned i = 0; i < bits; i++) {
        append(list, i < 32 ? number >> i & 1 : 0);
    }
}

static unsigned number_of(const bit_list *list) {
    unsigned number = 0;
    for (unsigned i = 0; i < list->count; i++) {
        number |= (unsigned)list->bits[i] << i;
    }
    return number;
}

void join_fields(const field_list *list, uint8_t record[RECORD]) {
    unsigned at = 0;
    memset(record, 0, RECORD);
    for (unsigned f = 0; f < FIELDS; f++) {
        assert_true(list->field[f].count <= field_bits[f]);
        for (unsigned i = 0; i < field_bits[f]; i++, at++) {
            unsigned bit = i < list->field[f].count ? list->field[f].bits[i] : 0;
            record[at / 8] = (uint8_t)(record[at / 8] | bit << at % 8);
        }
    }
    assert_int_equal(at, 256);
}

void part_fields(const uint8_t record[RECORD], field_list *list) {
    unsigned at = 0;
    memset(list, 0, sizeof *list);
    for (unsigned f = 0; f < FIELDS; f++) {
        for (unsigned i = 0; i < field_bits[f]; i++, at++) {
            append(&list->field[f], record[at / 8] >> at % 8 & 1);
        }
    }
}

bool is_king(uint8_t code) { return (code & ~KZ_SHOGI_WHITES) == KZ_SHOGI_CODE_KING; }

static unsigned slow_kind(uint8_t code) {
    switch (code & ~(KZ_SHOGI_WHITES | KZ_SHOGI_PROMOTED)) {
    case KZ_SHOGI_CODE_PAWN:
        return KZ_SHOGI_PAWN;
    case KZ_SHOGI_CODE_LANCE:
        return KZ_SHOGI_LANCE;
    case KZ_SHOGI_CODE_KNIGHT:
        return KZ_SHOGI_KNIGHT;
    case KZ_SHOGI_CODE_SILVER:
        return KZ_SHOGI_SILVER;
    case KZ_SHOGI_CODE_GOLD:
        return KZ_SHOGI_GOLD;
    case KZ_SHOGI_CODE_BISHOP:
        return KZ_SHOGI_BISHOP;
    default:
        return KZ_SHOGI_ROOK;
    }
}

bool is_small(uint8_t code) { return !is_king(code) && slow_kind(code) <= KZ_SHOGI_GOLD; }

/* The items of `occupied`: the squares where no king, bishop or rook stands. */
static bit_list slow_items(const kz_shogi_position *position) {
    bit_list items = {0};
    for (unsigned square = 0; square < KZ_SHOGI_SQUARES; square++) {
        uint8_t code = position->board[square];
        if (code == KZ_SHOGI_EMPTY) {
            append(&items, position->side);
        } else if (is_small(code)) {
            append(&items, 1U ^ position->side);
        }
    }
    return items;
}

static unsigned slow_pair(const kz_shogi_position *position, unsigned kind, const bit_list *items, unsigned *next) {
    unsigned index[2], count = 0;
    for (unsigned square = 0; square < KZ_SHOGI_SQUARES; square++) {
        uint8_t code = position->board[square];
        if (code != KZ_SHOGI_EMPTY && !is_king(code) && slow_kind(code) == kind) {
            index[count++] = square;
        }
    }
    unsigned hands = (unsigned)position->hand[0][kind] + position->hand[1][kind];
    for (; hands > 0; hands--) {
        index[count++] = 81U + items->bits[(*next)++];
    }
    while (count < 2) {
        index[count++] = 83U + items->bits[(*next)++];
    }
    if (index[0] == 82 && index[1] == 81) {
        return 0; /* the code of (0, 0) */
    }
    if (index[0] == 84 && index[1] == 83) {
        return 2; /* the code of (1, 1) */
    }
    return index[1] * (index[1] + 1) / 2 + index[0];
}

void slow_pack(const kz_shogi_position *position, uint8_t record[RECORD]) {
    field_list list = {0};
    bit_list *field = list.field;
    bit_list items = slow_items(position);
    unsigned next = 75;
    for (unsigned i = 0; i < 75; i++) {
        append(&field[OCCUPIED], items.bits[i]);
    }
    unsigned king[2] = {KZ_SHOGI_NO_SQUARE, KZ_SHOGI_NO_SQUARE}, on_board[KZ_SHOGI_HAND_KINDS] = {0};
    for (unsigned square = 0; square < KZ_SHOGI_SQUARES; square++) {
        uint8_t code = position->board[square];
        if (is_king(code)) {
            king[(code & KZ_SHOGI_WHITES) != 0] = square;
        } else if (code != KZ_SHOGI_EMPTY) {
            unsigned kind = slow_kind(code);
            on_board[kind]++;
            append(&field[COLOUR], (code & KZ_SHOGI_WHITES) != 0);
            if (kind != KZ_SHOGI_GOLD) {
                append(&field[PROMOTED], (code & KZ_SHOGI_PROMOTED) != 0);
            }
            if (kind <= KZ_SHOGI_GOLD) {
                append(&field[PT0], kind != KZ_SHOGI_PAWN);
            }
            if (kind > KZ_SHOGI_PAWN && kind <= KZ_SHOGI_GOLD) {
                append(&field[PT1], kind == KZ_SHOGI_SILVER || kind == KZ_SHOGI_GOLD);
                append(&field[PT2], kind == KZ_SHOGI_KNIGHT || kind == KZ_SHOGI_GOLD);
            }
        }
    }
    for (unsigned side = 0; side < 2; side++) {
        if (king[side] == KZ_SHOGI_NO_SQUARE) {
            king[side] = 81U + items.bits[next++];
        }
    }
    append_number(&field[KINGS], king[0] * 83 + king[1], 13);
    append_number(&field[BISHOPS], slow_pair(position, KZ_SHOGI_BISHOP, &items, &next), 12);
    append_number(&field[ROOKS], slow_pair(position, KZ_SHOGI_ROOK, &items, &next), 12);
    assert_int_equal(next, items.count);
    for (unsigned kind = 0; kind < KZ_SHOGI_HAND_KINDS; kind++) {
        for (unsigned i = on_board[kind]; i < full_set[kind]; i++) {
            unsigned entry = i - on_board[kind];
            unsigned black = position->hand[0][kind], both = black + position->hand[1][kind];
            append(&field[COLOUR], entry >= black && entry < both);
            if (kind <= KZ_SHOGI_GOLD) {
                append(&field[PT0], entry >= both);
            }
        }
    }
    assert_int_equal(field[COLOUR].count, 38);
    assert_int_equal(field[PT0].count, 34);
    join_fields(&list, record);
}

/* The index of a pair by looking through all pairs. */
static bool slow_read_pair(unsigned code, unsigned index[2]) {
    for (index[1] = 0; index[1] < 85; index[1]++) {
        for (index[0] = 0; index[0] <= index[1]; index[0]++) {
            if (index[1] * (index[1] + 1) / 2 + index[0] != code) {
                continue;
            }
            if (code == 0 || code == 2) {
                index[0] = code == 0 ? 82 : 84;
                index[1] = index[0] - 1;
                return true;
            }
            return index[0] != index[1] || index[0] >= 81;
        }
    }
    return false;
}

bool slow_unpack(const uint8_t record[RECORD], kz_shogi_position *position) {
    field_list list;
    part_fields(record, &list);
    bit_list *field = list.field;
    memset(position, 0, sizeof *position);
    unsigned kings = number_of(&field[KINGS]);
    if (kings >= 83 * 83) {
        return false;
    }
    unsigned held[6] = {kings / 83, kings % 83}; /* kings, bishops, rooks */
    if (!slow_read_pair(number_of(&field[BISHOPS]), held + 2) || !slow_read_pair(number_of(&field[ROOKS]), held + 4)) {
        return false;
    }
    static const uint8_t held_codes[6] = {KZ_SHOGI_CODE_KING,   KZ_SHOGI_CODE_KING | KZ_SHOGI_WHITES,
                                          KZ_SHOGI_CODE_BISHOP, KZ_SHOGI_CODE_BISHOP,
                                          KZ_SHOGI_CODE_ROOK,   KZ_SHOGI_CODE_ROOK};
    bit_list items = field[OCCUPIED];
    unsigned hands[2] = {0};
    for (unsigned i = 0; i < 6; i++) {
        if (held[i] < 81) {
            if (position->board[held[i]] != KZ_SHOGI_EMPTY) {
                return false;
            }
            position->board[held[i]] = held_codes[i];
        } else {
            append(&items, held[i] == 82 || held[i] == 84);
            if (i >= 2 && held[i] < 83) {
                hands[i / 2 - 1]++;
            }
        }
    }
    unsigned ones = 0;
    for (unsigned i = 0; i < items.count; i++) {
        ones += items.bits[i];
    }
    position->side = ones > 34;
    if (ones > 34 && items.count - ones > 34) {
        return false;
    }

    unsigned item = 0, colour = 0, promoted = 0, pt0 = 0, pt12 = 0;
    unsigned on_board[KZ_SHOGI_HAND_KINDS] = {0};
    for (unsigned square = 0; square < KZ_SHOGI_SQUARES; square++) {
        uint8_t code = position->board[square];
        if (is_king(code)) {
            continue;
        }
        if (code == KZ_SHOGI_EMPTY) {
            if (items.bits[item++] == position->side) {
                continue;
            }
            code = KZ_SHOGI_CODE_PAWN;
            if (field[PT0].bits[pt0++]) {
                if (pt12 == 16) {
                    return false;
                }
                static const uint8_t codes[] = {KZ_SHOGI_CODE_LANCE, KZ_SHOGI_CODE_KNIGHT, KZ_SHOGI_CODE_SILVER,
                                                KZ_SHOGI_CODE_GOLD};
                code = codes[field[PT1].bits[pt12] * 2 + field[PT2].bits[pt12]];
                pt12++;
            }
        }
        on_board[slow_kind(code)]++;
        if (code != KZ_SHOGI_CODE_GOLD) {
            code = (uint8_t)(code | (field[PROMOTED].bits[promoted++] ? KZ_SHOGI_PROMOTED : 0));
        }
        position->board[square] = (uint8_t)(code | (field[COLOUR].bits[colour++] ? KZ_SHOGI_WHITES : 0));
    }
    for (unsigned kind = 0; kind < KZ_SHOGI_HAND_KINDS; kind++) {
        if (on_board[kind] > full_set[kind]) {
            return false;
        }
        for (unsigned i = on_board[kind]; i < full_set[kind]; i++) {
            bool white = field[COLOUR].bits[colour++];
            bool removed =
                kind <= KZ_SHOGI_GOLD ? field[PT0].bits[pt0++] : i - on_board[kind] >= hands[kind - KZ_SHOGI_BISHOP];
            if (removed && white) {
                return false;
            }
            position->hand[white][kind] = (uint8_t)(position->hand[white][kind] + !removed);
        }
    }
    for (; promoted < 34; promoted++) {
        if (field[PROMOTED].bits[promoted]) {
            return false;
        }
    }
    for (; pt12 < 16; pt12++) {
        if (field[PT1].bits[pt12] || field[PT2].bits[pt12]) {
            return false;
        }
    }
    return true;
}
