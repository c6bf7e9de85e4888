/* SPDX-License-Identifier: MIT
 *
 * sspfc against a second writer and reader, and all numbers that its fields of pairs can hold. */
#include "shogi/src/codec.h"
#include "shogi/tests/support/shogi_random.h"
#include "shogi/tests/support/sspfc_by_the_book.h"
#include <stdlib.h>

static const kz_shogi_codec *codec; /* the path that is tested */

static void set_field(uint8_t record[RECORD], unsigned field, unsigned number) {
    field_list list;
    part_fields(record, &list);
    list.field[field].count = 0;
    append_number(&list.field[field], number, field_bits[field]);
    join_fields(&list, record);
}

/* pack gives what the slow one gives, and both read it. */
static void check_round_trip(const kz_shogi_position *position) {
    uint8_t record[RECORD], slow[RECORD];
    kz_shogi_position back;
    memset(record, 0xAA, sizeof record);
    assert_int_equal(codec->pack(position, record), KZ_SHOGI_FINE);
    slow_pack(position, slow);
    assert_memory_equal(record, slow, RECORD);
    assert_int_equal(kz_shogi_sspfc_spare(record), 0);
    memset(&back, 0xAA, sizeof back);
    assert_int_equal(codec->unpack(record, &back), KZ_SHOGI_FINE);
    assert_memory_equal(&back, position, sizeof back);
    assert_true(slow_unpack(slow, &back));
    assert_memory_equal(&back, position, sizeof back);
}

/* The start position, worked out by hand from the example in SSPFv1's text: kings 44 and 36, bishops 10 and 70, rooks
 * 16 and 64. */
TEST(test_start_position) {
    static const char *const expected[FIELDS] = {
        [OCCUPIED] = "101000101 1100011 101000101 101000101 0100010 101000101 101000101 1100011 101000101",
        [PROMOTED] = "0000000000000000000000000000000000",
        [PT0] = "1001 1001 1001 1001 00 1001 1001 1001 1001",
        [PT1] = "00 00 11 11 11 11 00 00",
        [PT2] = "00 11 00 11 11 00 11 00",
        [COLOUR] = "1100 111000 1100 1100 10 1100 1100 111000 1100",
        [SPARE] = "000000"};
    static const unsigned numbers[FIELDS] = {
        [KINGS] = 44 * 83 + 36, [BISHOPS] = 70 * 71 / 2 + 10, [ROOKS] = 64 * 65 / 2 + 16};
    kz_shogi_position position = kz_shogi_start();
    uint8_t record[RECORD];
    assert_int_equal(codec->pack(&position, record), KZ_SHOGI_FINE);
    field_list list;
    part_fields(record, &list);
    for (unsigned f = 0; f < FIELDS; f++) {
        const char *next = expected[f];
        for (unsigned i = 0; i < field_bits[f]; i++) {
            next += next && *next == ' ';
            unsigned bit = next ? (unsigned)(*next++ - '0') : numbers[f] >> i & 1;
            assert_int_equal(list.field[f].bits[i], bit);
        }
    }
    check_round_trip(&position);

    /* White to move: all of `occupied` is turned over, and nothing else. */
    uint8_t other[RECORD];
    position.side = KZ_SHOGI_WHITE;
    assert_int_equal(codec->pack(&position, other), KZ_SHOGI_FINE);
    for (unsigned i = 0; i < 256; i++) {
        assert_int_equal((record[i / 8] ^ other[i / 8]) >> i % 8 & 1, i < 75);
    }
    check_round_trip(&position);
}

static int compare_positions(const void *a, const void *b) { return memcmp(a, b, sizeof(kz_shogi_position)); }

/* Reads a record with each number that a field can hold, and checks that what is read is written back the same, that no
 * position comes twice, and how many there are. */
static void check_all_numbers(const uint8_t base[RECORD], unsigned field, size_t expected) {
    size_t numbers = (size_t)1 << field_bits[field], count = 0;
    kz_shogi_position *positions = malloc(numbers * sizeof *positions);
    assert_non_null(positions);
    for (unsigned number = 0; number < numbers; number++) {
        uint8_t record[RECORD], again[RECORD];
        kz_shogi_position slow;
        memcpy(record, base, RECORD);
        set_field(record, field, number);
        bool fine = codec->unpack(record, &positions[count]) == KZ_SHOGI_FINE;
        assert_int_equal(fine, slow_unpack(record, &slow));
        if (fine) {
            assert_memory_equal(&slow, &positions[count], sizeof slow);
            assert_int_equal(codec->pack(&positions[count], again), KZ_SHOGI_FINE);
            assert_memory_equal(again, record, RECORD);
            count++;
        }
    }
    assert_int_equal(count, expected);
    qsort(positions, count, sizeof *positions, compare_positions);
    for (size_t i = 1; i < count; i++) {
        assert_int_not_equal(compare_positions(&positions[i - 1], &positions[i]), 0);
    }
    free(positions);
}

/* Everything in black's hand, no kings: nothing is in the way, and all bits that can be borrowed are 0. */
static void empty_board(uint8_t record[RECORD]) {
    memset(record, 0, RECORD);
    set_field(record, KINGS, 81 * 83 + 81);
    set_field(record, BISHOPS, 81 * 82 / 2 + 81);
    set_field(record, ROOKS, 81 * 82 / 2 + 81);
}

/* 81 * 80 / 2 pairs of squares; a square and 2 states of each of hand and absence; 4 states of each of hand and hand,
 * hand and absent, absent and absent. */
TEST(test_all_pairs) {
    uint8_t record[RECORD];
    empty_board(record);
    const size_t pairs = 81 * 80 / 2 + 81 * 2 + 81 * 2 + 4 + 4 + 4;
    check_all_numbers(record, BISHOPS, pairs);
    check_all_numbers(record, ROOKS, pairs);
    /* With kings in the way, and a rook in the way of bishops: 78 squares are left. */
    set_field(record, KINGS, 80 * 83 + 0);
    set_field(record, ROOKS, 81 * 82 / 2 + 40);
    check_all_numbers(record, BISHOPS, 78 * 77 / 2 + 78 * 2 + 78 * 2 + 4 + 4 + 4);
}

TEST(test_all_kings) {
    uint8_t record[RECORD];
    empty_board(record);
    check_all_numbers(record, KINGS, 83 * 83 - 81);
    set_field(record, ROOKS, 50 * 51 / 2 + 40);
    check_all_numbers(record, KINGS, 81 * 81 - 81 - 4 * 80 + 2 + 2 * 2 * 79 + 4);
}

/* What a pair can do: so many on the board, so many in hand. */
static const unsigned pair_ways[][2] = {{2, 0}, {1, 1}, {1, 0}, {0, 2}, {0, 1}, {0, 0}};
enum { PAIR_WAYS = sizeof pair_ways / sizeof pair_ways[0] };

static void put_pair(uint64_t *seed, kz_shogi_position *position, unsigned kind, uint8_t code, const unsigned way[2]) {
    for (unsigned left = way[0]; left > 0;) {
        unsigned square = shogi_random_below(seed, KZ_SHOGI_SQUARES);
        if (position->board[square] == KZ_SHOGI_EMPTY) {
            unsigned colour = shogi_random_chance(seed, 128) ? KZ_SHOGI_WHITES : 0;
            unsigned promoted = shogi_random_chance(seed, 128) ? KZ_SHOGI_PROMOTED : 0;
            position->board[square] = (uint8_t)(code | colour | promoted);
            left--;
        }
    }
    for (unsigned i = 0; i < way[1]; i++) {
        position->hand[shogi_random_below(seed, 2)][kind]++;
    }
}

/* Bishops and rooks in every way, with and without kings, all sorts of other pieces around them. */
TEST(test_every_combination) {
    uint64_t seed = 20;
    for (unsigned combination = 0; combination < 4 * PAIR_WAYS * PAIR_WAYS; combination++) {
        for (unsigned round = 0; round < 40; round++) {
            shogi_random_wish wish = {"", combination % 4, round % 3 * 40, round % 5 * 64, 64};
            kz_shogi_position position = shogi_random_position(&seed, wish);
            for (unsigned square = 0; square < KZ_SHOGI_SQUARES; square++) {
                if (position.board[square] && !is_small(position.board[square]) && !is_king(position.board[square])) {
                    position.board[square] = KZ_SHOGI_EMPTY;
                }
            }
            for (unsigned kind = KZ_SHOGI_BISHOP; kind <= KZ_SHOGI_ROOK; kind++) {
                position.hand[0][kind] = position.hand[1][kind] = 0;
            }
            put_pair(&seed, &position, KZ_SHOGI_BISHOP, KZ_SHOGI_CODE_BISHOP, pair_ways[combination / 4 % PAIR_WAYS]);
            put_pair(&seed, &position, KZ_SHOGI_ROOK, KZ_SHOGI_CODE_ROOK, pair_ways[combination / 4 / PAIR_WAYS]);
            check_round_trip(&position);
        }
    }
}

TEST(test_random_positions) {
    uint64_t seed = 21;
    for (unsigned i = 0; i < 400 * SHOGI_RANDOM_WISHES; i++) {
        kz_shogi_position position = shogi_random_position(&seed, shogi_random_wishes[i % SHOGI_RANDOM_WISHES]);
        check_round_trip(&position);
    }
}

/* Records with some bits turned over, and random ones: both readers take the same ones for the same positions, and what
 * is taken is written back to a record for the same position. */
TEST(test_random_records) {
    uint64_t seed = 22;
    unsigned taken = 0, changed = 0;
    for (unsigned i = 0; i < 12000; i++) {
        kz_shogi_position position = shogi_random_any(&seed), slow;
        uint8_t record[RECORD], canonical[RECORD];
        assert_int_equal(codec->pack(&position, record), KZ_SHOGI_FINE);
        for (unsigned flips = 1 + i % 3; flips > 0; flips--) {
            unsigned at = shogi_random_below(&seed, 256);
            record[at / 8] = (uint8_t)(record[at / 8] ^ 1U << at % 8);
        }
        bool fine = codec->unpack(record, &position) == KZ_SHOGI_FINE;
        assert_int_equal(fine, slow_unpack(record, &slow));
        if (!fine) {
            continue;
        }
        taken++;
        assert_memory_equal(&slow, &position, sizeof slow);
        assert_int_equal(codec->pack(&position, canonical), KZ_SHOGI_FINE);
        kz_shogi_sspfc_set_spare(canonical, kz_shogi_sspfc_spare(record));
        changed += memcmp(canonical, record, RECORD) != 0;
        check_round_trip(&position);
    }
    assert_true(taken > 1000 && changed > 100);
    for (unsigned i = 0; i < 12000; i++) {
        kz_shogi_position position, slow;
        uint8_t record[RECORD];
        for (unsigned j = 0; j < RECORD; j++) {
            record[j] = (uint8_t)shogi_random(&seed);
        }
        assert_int_equal(codec->unpack(record, &position) == KZ_SHOGI_FINE, slow_unpack(record, &slow));
    }
}

/* Pieces in hand in another order are read, and are not what is written. */
TEST(test_order_in_hand) {
    kz_shogi_position position = {0}, back;
    position.board[0] = KZ_SHOGI_CODE_KING;
    position.board[80] = KZ_SHOGI_CODE_KING | KZ_SHOGI_WHITES;
    position.hand[KZ_SHOGI_BLACK][KZ_SHOGI_PAWN] = 3;
    position.hand[KZ_SHOGI_WHITE][KZ_SHOGI_PAWN] = 2;
    position.hand[KZ_SHOGI_BLACK][KZ_SHOGI_ROOK] = 1;
    position.hand[KZ_SHOGI_WHITE][KZ_SHOGI_ROOK] = 1;
    uint8_t record[RECORD], other[RECORD];
    assert_int_equal(codec->pack(&position, record), KZ_SHOGI_FINE);
    field_list list;
    part_fields(record, &list);
    for (unsigned i = 0; i < 18; i++) { /* pawns: 00011 in hand, then 13 removed ones */
        assert_int_equal(list.field[COLOUR].bits[i], i == 3 || i == 4);
        assert_int_equal(list.field[PT0].bits[i], i >= 5);
        list.field[COLOUR].bits[i] = i == 17 || i == 13;
        list.field[PT0].bits[i] = i < 13;
    }
    assert_int_equal(list.field[COLOUR].bits[37], 1);
    list.field[COLOUR].bits[36] = 1;
    list.field[COLOUR].bits[37] = 0;
    join_fields(&list, other);
    assert_int_equal(codec->unpack(other, &back), KZ_SHOGI_FINE);
    assert_memory_equal(&back, &position, sizeof back);
}

static void expect(kz_shogi_defect defect, const uint8_t base[RECORD], unsigned field, unsigned number) {
    uint8_t record[RECORD];
    kz_shogi_position position;
    memcpy(record, base, RECORD);
    set_field(record, field, number);
    assert_int_equal(codec->unpack(record, &position), defect);
}

TEST(test_refused_records) {
    uint8_t base[RECORD], record[RECORD];
    empty_board(base);
    set_field(base, KINGS, 44 * 83 + 36);
    expect(KZ_SHOGI_FINE, base, SPARE, 63);
    expect(KZ_SHOGI_KING_SQUARE, base, KINGS, 83 * 83);
    expect(KZ_SHOGI_KING_SQUARE, base, KINGS, 8191);
    expect(KZ_SHOGI_KING_SQUARE, base, KINGS, 7 * 83 + 7);
    expect(KZ_SHOGI_UNKNOWN, base, BISHOPS, 85 * 86 / 2);      /* past the last pair */
    expect(KZ_SHOGI_UNKNOWN, base, ROOKS, 4095);               /* the same */
    expect(KZ_SHOGI_UNKNOWN, base, ROOKS, 2 * 3 / 2 + 2);      /* two rooks on one square */
    expect(KZ_SHOGI_UNKNOWN, base, BISHOPS, 80 * 81 / 2 + 80); /* the same */
    expect(KZ_SHOGI_UNKNOWN, base, BISHOPS, 81 * 82 / 2 + 36); /* on the white king */
    expect(KZ_SHOGI_PADDING, base, PROMOTED, 1);               /* of nothing */
    expect(KZ_SHOGI_PADDING, base, PT1, 1);                    /* the same */
    expect(KZ_SHOGI_PADDING, base, PT2, 0x8000);               /* the same */
    expect(KZ_SHOGI_OVERFULL, base, OCCUPIED, 0x7FFFFFF);      /* 27 pawns */

    /* Rooks on the bishop's square. */
    memcpy(record, base, RECORD);
    set_field(record, BISHOPS, 81 * 82 / 2 + 5);
    expect(KZ_SHOGI_UNKNOWN, record, ROOKS, 81 * 82 / 2 + 5);

    /* A removed pawn that is white's, and a removed bishop. */
    memcpy(record, base, RECORD);
    set_field(record, PT0, 1);
    expect(KZ_SHOGI_FINE, record, COLOUR, 2);
    expect(KZ_SHOGI_UNKNOWN, record, COLOUR, 1);
    memcpy(record, base, RECORD);
    set_field(record, BISHOPS, 83 * 84 / 2 + 81); /* one in hand, one removed */
    field_list list;
    part_fields(record, &list);
    kz_shogi_position position;
    list.field[COLOUR].bits[34] = 1;
    join_fields(&list, record);
    assert_int_equal(codec->unpack(record, &position), KZ_SHOGI_FINE);
    assert_int_equal(position.hand[KZ_SHOGI_WHITE][KZ_SHOGI_BISHOP], 1);
    list.field[COLOUR].bits[34] = 0;
    list.field[COLOUR].bits[35] = 1;
    join_fields(&list, record);
    assert_int_equal(codec->unpack(record, &position), KZ_SHOGI_UNKNOWN);

    /* From 35 to 44 ones of 79 squares: neither side can be to move. */
    memcpy(record, base, RECORD);
    part_fields(record, &list);
    for (unsigned ones = 0; ones <= 75; ones++) {
        join_fields(&list, record);
        kz_shogi_defect defect = codec->unpack(record, &position);
        bool possible = ones <= 18 || ones >= 79 - 18; /* the pieces are pawns; four bits are borrowed, all 0 */
        assert_int_equal(defect, possible ? KZ_SHOGI_FINE : KZ_SHOGI_OVERFULL);
        if (possible) {
            assert_int_equal(position.side, ones > 34);
        }
        if (ones < 75) {
            list.field[OCCUPIED].bits[ones] = 1;
        }
    }

    /* Five of a kind. */
    memcpy(record, base, RECORD);
    set_field(record, OCCUPIED, 31);
    for (unsigned kind = 0; kind < 4; kind++) {
        set_field(record, PT1, kind & 2 ? 31 : 0);
        set_field(record, PT2, kind & 1 ? 31 : 0);
        expect(KZ_SHOGI_OVERFULL, record, PT0, 31);
    }
    set_field(record, PT1, 1);
    set_field(record, PT2, 3);
    expect(KZ_SHOGI_FINE, record, PT0, 31);
    expect(KZ_SHOGI_PADDING, record, PT0, 1);
}

/* Positions that are not well-formed are refused or written somehow, but nothing else is touched. */
TEST(test_positions_out_of_shape) {
    uint64_t seed = 23;
    struct {
        uint8_t before[32], record[RECORD], after[32];
    } room;
    memset(&room, 0x55, sizeof room);
    for (unsigned i = 0; i < 8000; i++) {
        kz_shogi_position position = shogi_random_any(&seed);
        for (unsigned changes = 1 + i % 40; changes > 0; changes--) {
            ((uint8_t *)&position)[shogi_random_below(&seed, sizeof position)] = (uint8_t)shogi_random(&seed);
        }
        codec->pack(&position, room.record);
    }
    for (unsigned i = 0; i < 32; i++) {
        assert_true(room.before[i] == 0x55 && room.after[i] == 0x55);
    }
    kz_shogi_position position;
    memset(&position, 0, sizeof position);
    memset(room.record, 0x55, RECORD);
    position.board[3] = position.board[77] = KZ_SHOGI_CODE_KING;
    assert_int_equal(codec->pack(&position, room.record), KZ_SHOGI_TWO_KINGS);
    position.board[77] = KZ_SHOGI_EMPTY;
    position.board[78] = KZ_SHOGI_CODE_ROOK;
    position.hand[KZ_SHOGI_WHITE][KZ_SHOGI_ROOK] = 2;
    assert_int_equal(codec->pack(&position, room.record), KZ_SHOGI_OVERFULL);
    memset(&position, 0, sizeof position); /* no kind has too many in hand, but golds leave no place for the others */
    memset(position.board, KZ_SHOGI_CODE_GOLD, 37);
    memset(position.hand[KZ_SHOGI_WHITE], 1, KZ_SHOGI_SILVER + 1);
    assert_int_equal(codec->pack(&position, room.record), KZ_SHOGI_OVERFULL);
    for (unsigned i = 0; i < RECORD; i++) {
        assert_int_equal(room.record[i], 0x55);
    }
}

TEST(test_spare_bits) {
    uint64_t seed = 24;
    for (unsigned spare = 0; spare < 64; spare++) {
        kz_shogi_position position = shogi_random_any(&seed), back;
        uint8_t record[RECORD], plain[RECORD];
        assert_int_equal(codec->pack(&position, plain), KZ_SHOGI_FINE);
        memcpy(record, plain, RECORD);
        kz_shogi_sspfc_set_spare(record, 63 - spare);
        kz_shogi_sspfc_set_spare(record, spare);
        assert_int_equal(kz_shogi_sspfc_spare(record), spare);
        for (unsigned i = 0; i < 6; i++) {
            assert_int_equal(record[31] >> (2 + i) & 1, spare >> i & 1);
        }
        assert_int_equal(codec->unpack(record, &back), KZ_SHOGI_FINE);
        assert_memory_equal(&back, &position, sizeof back);
        kz_shogi_sspfc_set_spare(record, 0);
        assert_memory_equal(record, plain, RECORD);
    }
}

/* Every path of this machine, the plain one first. */
int main(void) {
    static const char *const paths[] = {"plain", "bmi2", "vbmi2"};
    int failed = 0;
    for (size_t i = 0; i < sizeof paths / sizeof paths[0]; i++) {
        codec = kz_shogi_codec_for(KZ_SHOGI_SSPFC, paths[i]);
        failed += codec != NULL ? run_all_tests(paths[i], NULL, NULL) : 0;
    }
    return failed;
}
