/* SPDX-License-Identifier: MIT
 *
 * SSPFv1 and its extension: every path against known records, and against a second implementation that reads and writes
 * one bit after the other as the text of the format says. */
#include "shogi/tests/support/shogi_bytes.h"
#include "shogi/tests/support/shogi_random.h"

/* ---- The format, bit by bit -------------------------------------------------------------------------------------- */

static const unsigned full_set[KZ_SHOGI_HAND_KINDS] = {18, 4, 4, 4, 4, 2, 2};
/* The Huffman code of each kind, first bit first. */
static const char *const kind_codes[KZ_SHOGI_HAND_KINDS] = {"0", "100", "101", "110", "1110", "11110", "11111"};
static const uint8_t board_codes[KZ_SHOGI_HAND_KINDS] = {0x80, 0x81, 0x85, 0x83, 0x87, 0x8F, 0x9F};

typedef struct field {
    unsigned offset, bits;
} field;
static const field occupied_field = {1, 79}, king_fields[2] = {{80, 7}, {87, 7}}, promoted_field = {94, 34},
                   colour_field = {218, 38};
static const field kind_fields[5] = {{128, 38}, {166, 20}, {186, 20}, {206, 8}, {214, 4}};

static unsigned get_bit(const uint8_t *record, unsigned bit) { return (unsigned)record[bit / 8] >> bit % 8 & 1; }

/* Bits of a field in order; reading on behind the last one is a fault of the test. */
typedef struct bit_place {
    field field;
    unsigned next;
} bit_place;

static unsigned read_bit(const uint8_t *record, bit_place *place) {
    assert_true(place->next < place->field.bits);
    return get_bit(record, place->field.offset + place->next++);
}

static void write_bit(uint8_t *record, bit_place *place, unsigned bit) {
    assert_true(place->next < place->field.bits);
    unsigned at = place->field.offset + place->next++;
    record[at / 8] = (uint8_t)(record[at / 8] | bit << at % 8);
}

static bool has_more_ones(const uint8_t *record, bit_place place) {
    while (place.next < place.field.bits) {
        if (read_bit(record, &place)) {
            return true;
        }
    }
    return false;
}

static unsigned kind_of(uint8_t code) {
    for (unsigned kind = 0; kind < KZ_SHOGI_HAND_KINDS; kind++) {
        if ((code & 0x9F) == board_codes[kind]) {
            return kind;
        }
    }
    fail_msg("%02x is no piece", code);
    return 0;
}

/* With the extension, which makes no difference where it is not needed. */
static void reference_pack(const kz_shogi_position *position, uint8_t record[32]) {
    memset(record, 0, 32);
    record[0] = position->side;
    uint8_t items[81];
    unsigned item_count = 0;
    unsigned kings[2] = {81, 81};
    bit_place promoted = {promoted_field, 0}, colour = {colour_field, 0}, kind_bits[5];
    for (int i = 0; i < 5; i++) {
        kind_bits[i] = (bit_place){kind_fields[i], 0};
    }
    unsigned on_board[KZ_SHOGI_HAND_KINDS] = {0};
    for (unsigned square = 0; square < 81; square++) {
        uint8_t code = position->board[square];
        if (code == 0x01 || code == 0x41) {
            kings[code >> 6] = square;
            continue;
        }
        items[item_count++] = code != 0;
        if (code == 0) {
            continue;
        }
        unsigned kind = kind_of(code);
        on_board[kind]++;
        for (unsigned i = 0; kind_codes[kind][i]; i++) {
            write_bit(record, &kind_bits[i], kind_codes[kind][i] == '1');
        }
        if (kind != KZ_SHOGI_GOLD) {
            write_bit(record, &promoted, code >> 5 & 1);
        }
        write_bit(record, &colour, code >> 6 & 1);
    }
    bit_place occupied = {occupied_field, 0};
    for (unsigned i = 0; i < 79; i++) {
        write_bit(record, &occupied, items[i]);
    }
    unsigned borrowed = 79;
    for (int side = 0; side < 2; side++) {
        unsigned value = kings[side] < 81 ? kings[side] : 126U + items[borrowed++];
        bit_place king = {king_fields[side], 0};
        for (int i = 0; i < 7; i++) {
            write_bit(record, &king, value >> i & 1);
        }
    }
    for (unsigned kind = 0; kind < KZ_SHOGI_HAND_KINDS; kind++) {
        unsigned removed = full_set[kind] - on_board[kind] - position->hand[0][kind] - position->hand[1][kind];
        const unsigned counts[3] = {position->hand[0][kind], position->hand[1][kind], removed};
        for (unsigned group = 0; group < 3; group++) {
            for (unsigned i = 0; i < counts[group]; i++) {
                write_bit(record, &kind_bits[0], group == 2);
                write_bit(record, &colour, group == 1);
            }
        }
    }
}

/* The piece that the fields say comes next, 0 if its bits run out. */
static uint8_t reference_piece(const uint8_t *record, bit_place kind_bits[5], bit_place *promoted, bit_place *colour) {
    char text[6] = "";
    for (unsigned length = 0; length < 5; length++) {
        if (kind_bits[length].next == kind_fields[length].bits) {
            return 0;
        }
        text[length] = read_bit(record, &kind_bits[length]) ? '1' : '0';
        for (unsigned kind = 0; kind < KZ_SHOGI_HAND_KINDS; kind++) {
            if (strcmp(text, kind_codes[kind]) != 0) {
                continue;
            }
            unsigned is_promoted = 0;
            if (kind != KZ_SHOGI_GOLD) {
                if (promoted->next == promoted_field.bits) {
                    return 0;
                }
                is_promoted = read_bit(record, promoted);
            }
            return (uint8_t)(board_codes[kind] | is_promoted << 5 | read_bit(record, colour) << 6);
        }
    }
    return 0;
}

/* True if the record is well-formed. `list` gets the number of pieces on the board. */
static bool reference_unpack(const uint8_t *record, bool extended, kz_shogi_position *position, unsigned *list) {
    memset(position, 0, sizeof *position);
    position->side = record[0] & 1;
    unsigned kings[2] = {0, 0};
    uint8_t items[81] = {0};
    for (unsigned i = 0; i < 79; i++) {
        items[i] = (uint8_t)get_bit(record, occupied_field.offset + i);
    }
    unsigned borrowed = 79;
    for (int side = 0; side < 2; side++) {
        for (unsigned i = 0; i < 7; i++) {
            kings[side] |= get_bit(record, king_fields[side].offset + i) << i;
        }
        if (kings[side] >= 126 && extended) {
            items[borrowed++] = kings[side] & 1;
            kings[side] = 81;
        } else if (kings[side] > 80) {
            return false;
        }
    }
    if (kings[0] == kings[1] && kings[0] < 81) {
        return false;
    }
    unsigned pieces = 0;
    for (unsigned i = 0; i < 81; i++) {
        pieces += items[i];
    }
    if (pieces > 38) {
        return false;
    }
    bit_place promoted = {promoted_field, 0}, colour = {colour_field, 0}, kind_bits[5];
    for (int i = 0; i < 5; i++) {
        kind_bits[i] = (bit_place){kind_fields[i], 0};
    }
    unsigned left[KZ_SHOGI_HAND_KINDS];
    memcpy(left, full_set, sizeof left);
    unsigned item = 0;
    for (unsigned square = 0; square < 81; square++) {
        if (square == kings[0] || square == kings[1]) {
            position->board[square] = square == kings[0] ? 0x01 : 0x41;
        } else if (items[item++]) {
            uint8_t code = reference_piece(record, kind_bits, &promoted, &colour);
            if (code == 0 || left[kind_of(code)]-- == 0) {
                return false;
            }
            position->board[square] = code;
        }
    }
    for (int i = extended ? 1 : 0; i < 5; i++) {
        if (has_more_ones(record, kind_bits[i])) {
            return false;
        }
    }
    if (has_more_ones(record, promoted)) {
        return false;
    }
    *list = colour.next;
    for (unsigned kind = 0; kind < KZ_SHOGI_HAND_KINDS; kind++) {
        for (unsigned i = 0; i < left[kind]; i++) {
            unsigned removed = read_bit(record, &kind_bits[0]);
            unsigned white = read_bit(record, &colour);
            if (removed && white) {
                return false;
            }
            position->hand[white][kind] = (uint8_t)(position->hand[white][kind] + !removed);
        }
    }
    return true;
}

/* ---- Paths ------------------------------------------------------------------------------------------------------- */

static const kz_shogi_format both_formats[2] = {KZ_SHOGI_SSPF, KZ_SHOGI_SSPFX};
static const char *const path_names[] = {"plain", "sse42", "avx2", "bmi2", "vbmi2", "neon"};
enum { PATH_NAMES = sizeof path_names / sizeof path_names[0] };

/* Those of this machine, the plain one first. */
typedef struct path_list {
    const kz_shogi_codec *codec[PATH_NAMES];
    size_t count;
} path_list;

static path_list paths_of(kz_shogi_format format) {
    path_list found = {{NULL}, 0};
    for (size_t i = 0; i < PATH_NAMES; i++) {
        const kz_shogi_codec *codec = kz_shogi_codec_for(format, path_names[i]);
        if (codec) {
            assert_string_equal(codec->path, path_names[i]);
            assert_int_equal(codec->format, format);
            found.codec[found.count++] = codec;
        }
    }
    return found;
}

static bool is_base(const kz_shogi_position *position) {
    unsigned count = 0;
    for (unsigned square = 0; square < 81; square++) {
        count += position->board[square] != 0;
    }
    for (unsigned kind = 0; kind < KZ_SHOGI_HAND_KINDS; kind++) {
        count += position->hand[0][kind] + (unsigned)position->hand[1][kind];
    }
    return count == 40;
}

/* Every path packs the position into this record and back, or refuses it with the right reason. */
static void check_position(const kz_shogi_position *position, const uint8_t record[32]) {
    for (int f = 0; f < 2; f++) {
        path_list paths = paths_of(both_formats[f]);
        for (size_t i = 0; i < paths.count; i++) {
            uint8_t packed[34];
            memset(packed, 0xA5, sizeof packed);
            kz_shogi_defect defect = paths.codec[i]->pack(position, packed + 1);
            assert_int_equal(packed[0], 0xA5);
            assert_int_equal(packed[33], 0xA5);
            kz_shogi_position unpacked;
            if (both_formats[f] == KZ_SHOGI_SSPFX || is_base(position)) {
                assert_int_equal(defect, KZ_SHOGI_FINE);
                assert_memory_equal(packed + 1, record, 32);
                assert_int_equal(paths.codec[i]->unpack(record, &unpacked), KZ_SHOGI_FINE);
                assert_memory_equal(&unpacked, position, sizeof unpacked);
            } else {
                bool kings = memchr(position->board, 0x01, 81) && memchr(position->board, 0x41, 81);
                assert_int_equal(defect, kings ? KZ_SHOGI_REMOVED : KZ_SHOGI_NO_KING);
                assert_int_equal(packed[1], 0xA5);
                assert_int_equal(packed[32], 0xA5);
                assert_int_not_equal(paths.codec[i]->unpack(record, &unpacked), KZ_SHOGI_FINE);
            }
        }
    }
}

/* What may be wrong with a record of the format. */
static bool is_record_defect(kz_shogi_defect defect, bool extended) {
    return defect == KZ_SHOGI_KING_SQUARE || defect == KZ_SHOGI_OVERFULL || defect == KZ_SHOGI_PADDING ||
           (extended && defect == KZ_SHOGI_UNKNOWN);
}

/* Any 32 bytes: all paths agree with each other and with the second implementation. */
static bool check_bytes(const uint8_t record[32]) {
    bool any = false;
    for (int f = 0; f < 2; f++) {
        bool extended = both_formats[f] == KZ_SHOGI_SSPFX;
        kz_shogi_position expected;
        unsigned list = 0;
        bool fine = reference_unpack(record, extended, &expected, &list);
        kz_shogi_defect defect = kz_shogi_check_record(both_formats[f], record);
        assert_int_equal(defect == KZ_SHOGI_FINE, fine);
        assert_true(fine || is_record_defect(defect, extended));
        any |= fine;
        uint8_t canonical[32], sorted[32];
        memcpy(sorted, record, sizeof sorted);
        if (fine) {
            reference_pack(&expected, canonical);
            assert_int_equal(kz_shogi_check_canonical(both_formats[f], record),
                             memcmp(canonical, record, 32) == 0 ? KZ_SHOGI_FINE : KZ_SHOGI_NOT_CANONICAL);
            assert_int_equal(kz_shogi_canonicalise(both_formats[f], sorted), KZ_SHOGI_FINE);
            assert_memory_equal(sorted, canonical, 32);
        } else {
            assert_int_equal(kz_shogi_check_canonical(both_formats[f], record), defect);
            assert_int_equal(kz_shogi_canonicalise(both_formats[f], sorted), defect);
            assert_memory_equal(sorted, record, 32);
        }
        path_list paths = paths_of(both_formats[f]);
        for (size_t i = 0; i < paths.count; i++) {
            kz_shogi_position unpacked;
            assert_int_equal(paths.codec[i]->unpack(record, &unpacked), defect);
            if (fine) {
                assert_memory_equal(&unpacked, &expected, sizeof unpacked);
                uint8_t packed[32];
                assert_int_equal(paths.codec[i]->pack(&unpacked, packed), KZ_SHOGI_FINE);
                assert_memory_equal(packed, canonical, 32);
            }
        }
    }
    return any;
}

/* ---- Known records ----------------------------------------------------------------------------------------------- */

typedef struct known {
    bool base;
    uint8_t record[32];
    kz_shogi_position position;
} known;
enum { MOST_VECTORS = 40 };

static size_t read_vectors(known vectors[MOST_VECTORS]) {
    FILE *file = open_shogi_data("sspf_vectors.txt");
    char line[512], format[8], hex[65], sfen[400];
    size_t count = 0;
    while (fgets(line, sizeof line, file)) {
        if (line[0] == '#') {
            continue;
        }
        assert_true(count < MOST_VECTORS);
        assert_int_equal(sscanf(line, "%7s %64s %399[^\n]", format, hex, sfen), 3);
        known *vector = &vectors[count++];
        vector->base = strcmp(format, "sspf") == 0;
        assert_int_equal(from_hex(hex, vector->record), 32);
        kz_error error;
        assert_int_equal(kz_shogi_parse_sfen(sfen, strlen(sfen), &vector->position, NULL, &error), KZ_OK);
    }
    fclose(file);
    return count;
}

TEST(test_vectors) {
    known vectors[MOST_VECTORS];
    size_t count = read_vectors(vectors);
    assert_int_equal(count, 19 + 11);
    for (size_t i = 0; i < count; i++) {
        assert_true(!vectors[i].base || is_base(&vectors[i].position));
        check_position(&vectors[i].position, vectors[i].record);
        uint8_t record[32];
        reference_pack(&vectors[i].position, record);
        assert_memory_equal(record, vectors[i].record, 32);
        assert_true(check_bytes(vectors[i].record));
    }
}

TEST(test_flipped_bits) {
    known vectors[MOST_VECTORS];
    size_t count = read_vectors(vectors);
    for (size_t i = 0; i < count; i++) {
        for (int bit = 0; bit < 256; bit++) {
            uint8_t record[32];
            memcpy(record, vectors[i].record, sizeof record);
            record[bit / 8] ^= (uint8_t)(1 << bit % 8);
            check_bytes(record);
        }
    }
}

/* Which defect it is, where only one can be meant. */
TEST(test_defects) {
    known vectors[MOST_VECTORS];
    read_vectors(vectors);
    const struct {
        int vector;
        unsigned bit; /* flipped in the record of this vector */
        kz_shogi_defect base, extended;
    } cases[] = {
        {0, 86, KZ_SHOGI_KING_SQUARE, KZ_SHOGI_KING_SQUARE}, /* black's king on 44 + 64 */
        {5, 127, KZ_SHOGI_PADDING, KZ_SHOGI_PADDING},        /* more promoted pieces than there are */
        {0, 2, KZ_SHOGI_OVERFULL, KZ_SHOGI_OVERFULL},        /* 39 pieces on the board */
        {6, 128, KZ_SHOGI_PADDING, KZ_SHOGI_FINE},           /* a pawn in hand is removed */
        {7, 128, KZ_SHOGI_PADDING, KZ_SHOGI_UNKNOWN},        /* a white one is */
        {5, 166, KZ_SHOGI_PADDING, KZ_SHOGI_PADDING},        /* kind bits without pieces */
        {5, 206, KZ_SHOGI_PADDING, KZ_SHOGI_PADDING},        {5, 214, KZ_SHOGI_PADDING, KZ_SHOGI_PADDING},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        uint8_t record[32];
        memcpy(record, vectors[cases[i].vector].record, sizeof record);
        record[cases[i].bit / 8] ^= (uint8_t)(1 << cases[i].bit % 8);
        check_bytes(record);
        assert_int_equal(kz_shogi_check_record(KZ_SHOGI_SSPF, record), cases[i].base);
        assert_int_equal(kz_shogi_check_record(KZ_SHOGI_SSPFX, record), cases[i].extended);
    }
    /* All pieces in hand, and 19 pawns on the board. */
    uint8_t record[32];
    memcpy(record, vectors[6].record, sizeof record);
    record[1] = record[2] = 0xFF;
    record[3] = 0x07;
    check_bytes(record);
    assert_int_equal(kz_shogi_check_record(KZ_SHOGI_SSPF, record), KZ_SHOGI_OVERFULL);
    record[3] = 0x03;
    check_bytes(record);
    assert_int_equal(kz_shogi_check_record(KZ_SHOGI_SSPF, record), KZ_SHOGI_FINE);
    /* Both kings on one square. */
    memset(record, 0, sizeof record);
    check_bytes(record);
    assert_int_equal(kz_shogi_check_record(KZ_SHOGI_SSPFX, record), KZ_SHOGI_KING_SQUARE);
}

/* ---- Random positions and records -------------------------------------------------------------------------------- */

TEST(test_random_positions) {
    uint64_t seed = 1;
    for (int wish = 0; wish < SHOGI_RANDOM_WISHES; wish++) {
        for (int i = 0; i < 300; i++) {
            kz_shogi_position position = shogi_random_position(&seed, shogi_random_wishes[wish]);
            uint8_t record[32];
            reference_pack(&position, record);
            check_position(&position, record);
        }
    }
}

static void random_bytes(uint64_t *seed, uint8_t record[32]) {
    for (int i = 0; i < 32; i++) {
        record[i] = (uint8_t)shogi_random(seed);
    }
}

TEST(test_random_bytes) {
    uint64_t seed = 2;
    for (int i = 0; i < 5000; i++) {
        uint8_t record[32];
        random_bytes(&seed, record);
        check_bytes(record);
    }
}

/* Records of positions with some bits changed: nearly well-formed, in all ways. */
TEST(test_damaged_records) {
    uint64_t seed = 3;
    unsigned fine = 0, bad = 0;
    for (int i = 0; i < 25000; i++) {
        kz_shogi_position position = shogi_random_any(&seed);
        uint8_t record[32];
        reference_pack(&position, record);
        for (unsigned flips = 1 + shogi_random_below(&seed, 3); flips > 0; flips--) {
            unsigned bit = shogi_random_below(&seed, 256);
            record[bit / 8] ^= (uint8_t)(1 << bit % 8);
        }
        check_bytes(record) ? fine++ : bad++;
    }
    assert_true(fine > 1000);
    assert_true(bad > 1000);
}

/* The tail in any order within a kind: read as the same position, and put in order. */
TEST(test_shuffled_tails) {
    uint64_t seed = 4;
    for (int i = 0; i < 3000; i++) {
        kz_shogi_position position = shogi_random_any(&seed), unpacked;
        uint8_t record[32], shuffled[32];
        unsigned begin = 0;
        reference_pack(&position, record);
        assert_true(reference_unpack(record, true, &unpacked, &begin));
        memcpy(shuffled, record, sizeof record);
        for (unsigned kind = 0; kind < KZ_SHOGI_HAND_KINDS; kind++) {
            unsigned count = full_set[kind];
            for (unsigned square = 0; square < 81; square++) {
                uint8_t code = position.board[square];
                count -= (code & 0x80) && kind_of(code) == kind;
            }
            for (unsigned n = count; n > 1; n--) {
                unsigned a = begin + n - 1, b = begin + shogi_random_below(&seed, n);
                const unsigned offsets[2] = {kind_fields[0].offset, colour_field.offset};
                for (int f = 0; f < 2; f++) {
                    unsigned at_a = offsets[f] + a, at_b = offsets[f] + b;
                    if (get_bit(shuffled, at_a) != get_bit(shuffled, at_b)) {
                        shuffled[at_a / 8] ^= (uint8_t)(1 << at_a % 8);
                        shuffled[at_b / 8] ^= (uint8_t)(1 << at_b % 8);
                    }
                }
            }
            begin += count;
        }
        assert_true(check_bytes(shuffled));
        assert_int_equal(kz_shogi_canonicalise(KZ_SHOGI_SSPFX, shuffled), KZ_SHOGI_FINE);
        assert_memory_equal(shuffled, record, 32);
    }
}

/* Positions that are not well-formed may give anything, but nothing outside of the record is written. */
TEST(test_nonsense_positions) {
    uint64_t seed = 5;
    for (int i = 0; i < 3000; i++) {
        kz_shogi_position position = shogi_random_any(&seed);
        uint8_t *bytes = (uint8_t *)&position;
        unsigned changes = i % 3 == 0 ? 96 : 1 + shogi_random_below(&seed, 4);
        for (unsigned change = 0; change < changes; change++) {
            bytes[changes == 96 ? change : shogi_random_below(&seed, 96)] = (uint8_t)shogi_random(&seed);
        }
        for (int f = 0; f < 2; f++) {
            path_list paths = paths_of(both_formats[f]);
            for (size_t p = 0; p < paths.count; p++) {
                uint8_t packed[34];
                memset(packed, 0xA5, sizeof packed);
                paths.codec[p]->pack(&position, packed + 1);
                assert_int_equal(packed[0], 0xA5);
                assert_int_equal(packed[33], 0xA5);
            }
        }
    }
}

/* ---- Many at once ------------------------------------------------------------------------------------------------ */

TEST(test_many) {
    enum { COUNT = 50, BAD = 31 };
    uint64_t seed = 6;
    kz_shogi_position positions[COUNT], unpacked[COUNT];
    for (int i = 0; i < COUNT; i++) {
        positions[i] = shogi_random_position(&seed, shogi_random_wishes[i % SHOGI_RANDOM_COMPLETE]);
    }
    for (int f = 0; f < 2; f++) {
        path_list paths = paths_of(both_formats[f]);
        for (size_t p = 0; p < paths.count; p++) {
            for (size_t stride = 32; stride <= 40; stride += 8) {
                uint8_t records[40 * COUNT];
                memset(records, 0xA5, sizeof records);
                kz_shogi_defect defect = KZ_SHOGI_BAD_MOVE;
                const kz_shogi_codec *codec = paths.codec[p];
                assert_int_equal(codec->pack_many(positions, COUNT, records, stride, &defect), COUNT);
                for (size_t i = 0; i < COUNT; i++) {
                    uint8_t record[32];
                    reference_pack(&positions[i], record);
                    assert_memory_equal(records + i * stride, record, 32);
                    assert_true(stride == 32 || records[i * stride + 32] == 0xA5);
                }
                assert_int_equal(codec->unpack_many(records, stride, COUNT, unpacked, &defect), COUNT);
                assert_memory_equal(unpacked, positions, sizeof positions);
                assert_int_equal(codec->pack_many(positions, 0, records, stride, &defect), 0);

                memset(records + BAD * stride, 0, 32);
                assert_int_equal(codec->unpack_many(records, stride, COUNT, unpacked, &defect), BAD);
                assert_int_equal(defect, KZ_SHOGI_KING_SQUARE);
                kz_shogi_position whole = positions[BAD];
                memset(positions[BAD].hand, 0, sizeof positions[BAD].hand);
                memset(positions[BAD].board, 0, 81);
                positions[BAD].board[0] = 0x01;
                positions[BAD].board[80] = 0x41;
                size_t done = codec->pack_many(positions, COUNT, records, stride, &defect);
                if (both_formats[f] == KZ_SHOGI_SSPF) {
                    assert_int_equal(done, BAD);
                    assert_int_equal(defect, KZ_SHOGI_REMOVED);
                } else {
                    assert_int_equal(done, COUNT);
                }
                positions[BAD] = whole;
            }
        }
    }
}

TEST(test_paths) {
    assert_string_equal(kz_shogi_format_name(KZ_SHOGI_SSPF), "sspf");
    assert_string_equal(kz_shogi_format_name(KZ_SHOGI_SSPFX), "sspfx");
    assert_null(kz_shogi_codec_for(KZ_SHOGI_SSPF, "abacus"));
    const char *asked = getenv("KANZEN_CPU");
    char *before = asked ? strdup(asked) : NULL;
    for (kz_shogi_format format = KZ_SHOGI_SSPF; format < KZ_SHOGI_FORMATS; format++) {
        unsetenv("KANZEN_CPU");
        const kz_shogi_codec *best = kz_shogi_codec_for(format, NULL);
        assert_non_null(best);
        assert_ptr_equal(kz_shogi_codec_for(format, best->path), best);
        assert_non_null(kz_shogi_codec_for(format, "plain"));
#ifdef __x86_64__
        setenv("KANZEN_CPU", "plain", 1);
        assert_ptr_equal(kz_shogi_codec_for(format, NULL), kz_shogi_codec_for(format, "plain"));
#endif
    }
    before ? setenv("KANZEN_CPU", before, 1) : unsetenv("KANZEN_CPU");
    free(before);
}

TESTS(NULL, NULL)
