/* SPDX-License-Identifier: MIT
 *
 * psfen and hcp: published records, every path against an implementation that goes through strings of '0' and '1' with
 * the codes written as the formats' descriptions have them, and the tables against these codes. */
#include "shogi/tests/support/shogi_bytes.h"

#include "shogi/src/huffman.h"
#include "shogi/tests/support/shogi_random.h"

/* ---- The formats in strings -------------------------------------------------------------------------------------- */

/* In the order of kz_shogi_kind. p: promoted, c: white's. */
static const struct {
    const char *board;
    const char *hand;
    const char *box;
} texts[2][KZ_SHOGI_HAND_KINDS] = {
    {{"10pc", "00c", "010"},
     {"1100pc", "1000c", "10010"},
     {"1101pc", "1010c", "10110"},
     {"1110pc", "1100c", "11010"},
     {"11110c", "1110c", "11011"},
     {"111110pc", "111100c", "1111010"},
     {"111111pc", "111110c", "1111110"}},
    {{"10cp", "00c", "010"},
     {"1100cp", "1000c", "10010"},
     {"1110cp", "1100c", "11010"},
     {"1101cp", "1010c", "10110"},
     {"11110c", "1110c", "10111"},
     {"111110cp", "111110c", "1111000"},
     {"111111cp", "111111c", "1111010"}},
};
static const kz_shogi_format formats[2] = {KZ_SHOGI_PSFEN, KZ_SHOGI_HCP};
static const kz_shogi_huffman *const huffmans[2] = {&kz_shogi_psfen_huffman, &kz_shogi_hcp_huffman};
static const unsigned full_set[KZ_SHOGI_HAND_KINDS] = {18, 4, 4, 4, 4, 2, 2};
static const char *const paths[] = {"plain", "avx2", "bmi2", "vbmi2"};
enum { PATHS = sizeof paths / sizeof paths[0], BOX = 2 };

/* A code and what it stands for: what is on a square, or whose piece of which kind. */
typedef struct word {
    char text[9];
    uint8_t square;
    unsigned owner;
    unsigned kind;
} word;

typedef struct dictionary {
    word words[32];
    size_t count;
} dictionary;

static void add_word(dictionary *all, const char *pattern, bool promoted, unsigned owner, unsigned kind) {
    word *new_word = &all->words[all->count++];
    memset(new_word, 0, sizeof *new_word);
    for (size_t i = 0; pattern[i] != '\0'; i++) {
        new_word->text[i] = pattern[i];
        if (pattern[i] == 'p') {
            new_word->text[i] = promoted ? '1' : '0';
        } else if (pattern[i] == 'c') {
            new_word->text[i] = owner == KZ_SHOGI_WHITE ? '1' : '0';
        }
    }
    new_word->owner = owner;
    new_word->kind = kind;
    if (owner != BOX) {
        new_word->square =
            kz_shogi_code((kz_shogi_kind)kind, (kz_shogi_side)owner) | (promoted ? KZ_SHOGI_PROMOTED : 0);
    }
}

static dictionary board_words(int format) {
    dictionary all = {.count = 1, .words = {{.text = "0"}}};
    for (unsigned kind = 0; kind < KZ_SHOGI_HAND_KINDS; kind++) {
        for (unsigned i = 0; i < 4; i++) {
            if (i < 2 || kind != KZ_SHOGI_GOLD) {
                add_word(&all, texts[format][kind].board, i / 2, i % 2, kind);
            }
        }
    }
    return all;
}

static dictionary hand_words(int format) {
    dictionary all = {.count = 0};
    for (unsigned kind = 0; kind < KZ_SHOGI_HAND_KINDS; kind++) {
        add_word(&all, texts[format][kind].hand, false, KZ_SHOGI_BLACK, kind);
        add_word(&all, texts[format][kind].hand, false, KZ_SHOGI_WHITE, kind);
        add_word(&all, texts[format][kind].box, false, BOX, kind);
    }
    return all;
}

/* A record as text. */
typedef struct text_record {
    char bits[256 + 1];
} text_record;

static text_record to_text(const uint8_t *record) {
    text_record text;
    for (int i = 0; i < 256; i++) {
        text.bits[i] = record[i / 8] >> i % 8 & 1 ? '1' : '0';
    }
    text.bits[256] = '\0';
    return text;
}

static void from_text(const char *bits, uint8_t *record) {
    memset(record, 0, KZ_SHOGI_RECORD_BYTES);
    for (size_t i = 0; i < 256; i++) {
        record[i / 8] |= (uint8_t)((bits[i] == '1') << i % 8);
    }
}

/* Finds the code that `bits` begin with, bit by bit. */
static kz_shogi_defect find_word(const dictionary *all, const char *bits, const word **found) {
    for (size_t length = 1;; length++) {
        if (memchr(bits, '\0', length)) {
            return KZ_SHOGI_CUT_OFF;
        }
        bool may_go_on = false;
        for (size_t i = 0; i < all->count; i++) {
            if (strncmp(all->words[i].text, bits, length) == 0) {
                may_go_on = true;
                if (strlen(all->words[i].text) == length) {
                    *found = &all->words[i];
                    return KZ_SHOGI_FINE;
                }
            }
        }
        if (!may_go_on) {
            return KZ_SHOGI_UNKNOWN;
        }
    }
}

static unsigned number_in(const char *bits, unsigned length) {
    unsigned number = 0;
    for (unsigned i = 0; i < length; i++) {
        number |= (unsigned)(bits[i] - '0') << i;
    }
    return number;
}

static kz_shogi_defect slow_unpack(int format, const uint8_t *record, kz_shogi_position *position) {
    dictionary board = board_words(format);
    dictionary hand = hand_words(format);
    text_record text = to_text(record);
    unsigned count[KZ_SHOGI_HAND_KINDS] = {0};
    const word *found = NULL;
    memset(position, 0, sizeof *position);
    position->side = (uint8_t)number_in(text.bits, 1);
    unsigned black_king = number_in(text.bits + 1, 7);
    unsigned white_king = number_in(text.bits + 8, 7);
    if (black_king > 80 || white_king > 80 || black_king == white_king) {
        return KZ_SHOGI_KING_SQUARE;
    }
    position->board[black_king] = KZ_SHOGI_CODE_KING;
    position->board[white_king] = KZ_SHOGI_CODE_KING | KZ_SHOGI_WHITES;
    const char *rest = text.bits + 15;
    for (unsigned square = 0; square < KZ_SHOGI_SQUARES; square++) {
        if (square != black_king && square != white_king) {
            kz_shogi_defect defect = find_word(&board, rest, &found);
            if (defect != KZ_SHOGI_FINE) {
                return defect;
            }
            position->board[square] = found->square;
            count[found->kind] += found->square != 0;
            rest += strlen(found->text);
        }
    }
    while (*rest != '\0') {
        kz_shogi_defect defect = find_word(&hand, rest, &found);
        if (defect != KZ_SHOGI_FINE) {
            return defect;
        }
        if (found->owner != BOX) {
            position->hand[found->owner][found->kind]++;
        }
        count[found->kind]++;
        rest += strlen(found->text);
    }
    for (int kind = 0; kind < KZ_SHOGI_HAND_KINDS; kind++) {
        if (count[kind] > full_set[kind]) {
            return KZ_SHOGI_OVERFULL;
        }
    }
    /* All pieces take all bits: none can be missing when none is too many. */
    for (int kind = 0; kind < KZ_SHOGI_HAND_KINDS; kind++) {
        assert_int_equal(count[kind], full_set[kind]);
    }
    return KZ_SHOGI_FINE;
}

static void append(char *bits, size_t room, const char *more) {
    size_t length = strlen(bits);
    assert_true(length + strlen(more) < room);
    memcpy(bits + length, more, strlen(more) + 1);
}

static void append_number(char *bits, size_t room, unsigned number, int length) {
    for (int i = 0; i < length; i++) {
        append(bits, room, number >> i & 1 ? "1" : "0");
    }
}

/* Ways to write the same position. */
typedef enum style {
    USUAL,     /* P L N S G B R, black before white, and the box */
    OLD,       /* P L N S B R G */
    BACKWARDS, /* the box before white before black */
    NO_BOX     /* zeros instead of it */
} style;

static void slow_pack(int format, const kz_shogi_position *position, style wanted, uint8_t *record) {
    static const unsigned usual[] = {0, 1, 2, 3, 4, 5, 6};
    static const unsigned old[] = {0, 1, 2, 3, 5, 6, 4};
    dictionary board = board_words(format);
    dictionary hand = hand_words(format);
    char bits[512] = "";
    append_number(bits, sizeof bits, position->side, 1);
    append_number(bits, sizeof bits, (unsigned)kz_shogi_king(position, KZ_SHOGI_BLACK), 7);
    append_number(bits, sizeof bits, (unsigned)kz_shogi_king(position, KZ_SHOGI_WHITE), 7);
    for (int square = 0; square < KZ_SHOGI_SQUARES; square++) {
        for (size_t i = 0; i < board.count; i++) {
            if (board.words[i].square == position->board[square]) {
                append(bits, sizeof bits, board.words[i].text);
            }
        }
    }
    for (unsigned step = 0; step < 3; step++) {
        unsigned owner = wanted == BACKWARDS ? 2 - step : step;
        for (int i = 0; i < KZ_SHOGI_HAND_KINDS; i++) {
            unsigned kind = wanted == OLD ? old[i] : usual[i];
            int count = owner == BOX ? kz_shogi_removed(position, (kz_shogi_kind)kind) : position->hand[owner][kind];
            for (int n = 0; n < count && !(owner == BOX && wanted == NO_BOX); n++) {
                append(bits, sizeof bits, hand.words[3 * kind + owner].text);
            }
        }
    }
    while (wanted == NO_BOX && strlen(bits) < 256) {
        append(bits, sizeof bits, "0");
    }
    assert_int_equal(strlen(bits), 256);
    from_text(bits, record);
}

/* ---- Tests ------------------------------------------------------------------------------------------------------- */

/* Every path reads the record as the strings say, which is `expected`. It lies alone in memory, so that sanitizers see
 * who reads more. */
static kz_shogi_defect check_reading(int format, const uint8_t *record, kz_shogi_position *expected) {
    uint8_t *alone = malloc(KZ_SHOGI_RECORD_BYTES);
    kz_shogi_position *position = malloc(sizeof *position);
    assert_non_null(alone);
    assert_non_null(position);
    memcpy(alone, record, KZ_SHOGI_RECORD_BYTES);
    kz_shogi_defect defect = slow_unpack(format, record, expected);
    for (int path = 0; path < PATHS; path++) {
        const kz_shogi_codec *codec = kz_shogi_codec_for(formats[format], paths[path]);
        if (codec) {
            assert_int_equal(codec->unpack(alone, position), defect);
            if (defect == KZ_SHOGI_FINE) {
                assert_memory_equal(position, expected, sizeof *expected);
            }
        }
    }
    free(alone);
    free(position);
    return defect;
}

/* Every path writes the position so. */
static void check_writing(int format, const kz_shogi_position *position, const uint8_t *expected) {
    for (int path = 0; path < PATHS; path++) {
        const kz_shogi_codec *codec = kz_shogi_codec_for(formats[format], paths[path]);
        uint8_t record[KZ_SHOGI_RECORD_BYTES];
        if (codec) {
            assert_int_equal(codec->pack(position, record), KZ_SHOGI_FINE);
            assert_memory_equal(record, expected, sizeof record);
        }
    }
}

/* The published records. */
typedef struct vectors {
    kz_shogi_position positions[64];
    uint8_t records[2][64][KZ_SHOGI_RECORD_BYTES];
    size_t count;
} vectors;

static int read_vectors(void **state) {
    static vectors all;
    char line[512];
    FILE *file = open_shogi_data("huffman.txt");
    while (fgets(line, sizeof line, file)) {
        line[strcspn(line, "\n")] = '\0';
        if (strncmp(line, "sfen ", 5) == 0) {
            assert_true(all.count < 64);
            kz_shogi_position *position = &all.positions[all.count++];
            assert_int_equal(kz_shogi_parse_sfen(line + 5, strlen(line + 5), position, NULL, NULL), KZ_OK);
        } else if (strncmp(line, "psfen ", 6) == 0) {
            from_hex(line + 6, all.records[0][all.count - 1]);
        } else if (strncmp(line, "hcp ", 4) == 0) {
            from_hex(line + 4, all.records[1][all.count - 1]);
        }
    }
    fclose(file);
    *state = &all;
    return 0;
}

TEST(test_vectors) {
    const vectors *all = *state;
    assert_int_equal(all->count, 26);
    for (int format = 0; format < 2; format++) {
        for (size_t i = 0; i < all->count; i++) {
            const uint8_t *record = all->records[format][i];
            kz_shogi_position position;
            assert_int_equal(check_reading(format, record, &position), KZ_SHOGI_FINE);
            assert_memory_equal(&position, &all->positions[i], sizeof position);
            check_writing(format, &position, record);
            assert_int_equal(kz_shogi_check_canonical(formats[format], record), KZ_SHOGI_FINE);
        }
    }
}

/* Whatever the order in the hands is, it is the same position. */
TEST(test_orders) {
    const vectors *all = *state;
    uint64_t seed = 3;
    int others = 0;
    for (int format = 0; format < 2; format++) {
        for (size_t i = 0; i < all->count + 200; i++) {
            kz_shogi_position position =
                i < all->count ? all->positions[i]
                               : shogi_random_position(&seed, shogi_random_wishes[i % SHOGI_RANDOM_WITH_KINGS]);
            uint8_t usual[KZ_SHOGI_RECORD_BYTES];
            slow_pack(format, &position, USUAL, usual);
            check_writing(format, &position, usual);
            for (style wanted = OLD; wanted <= BACKWARDS; wanted++) {
                uint8_t record[KZ_SHOGI_RECORD_BYTES];
                kz_shogi_position back;
                slow_pack(format, &position, wanted, record);
                assert_int_equal(check_reading(format, record, &back), KZ_SHOGI_FINE);
                assert_memory_equal(&back, &position, sizeof back);
                bool same = memcmp(record, usual, sizeof usual) == 0;
                others += !same;
                assert_int_equal(kz_shogi_check_canonical(formats[format], record),
                                 same ? KZ_SHOGI_FINE : KZ_SHOGI_NOT_CANONICAL);
                /* And the short way that looks at the hands only, for this record between two usual ones. */
                uint8_t three[3][KZ_SHOGI_RECORD_BYTES];
                const kz_shogi_position same_three[3] = {position, position, position};
                memcpy(three[0], usual, sizeof usual);
                memcpy(three[1], record, sizeof record);
                memcpy(three[2], usual, sizeof usual);
                assert_int_equal(
                    kz_shogi_disordered_plain(formats[format], same_three, three[0], KZ_SHOGI_RECORD_BYTES, 3),
                    same ? 0 : 1);
                assert_int_equal(
                    kz_shogi_disordered_for()(formats[format], same_three, three[0], KZ_SHOGI_RECORD_BYTES, 3),
                    same ? 0 : 1);
                assert_int_equal(kz_shogi_canonicalise(formats[format], record), KZ_SHOGI_FINE);
                assert_memory_equal(record, usual, sizeof usual);
            }
        }
    }
    assert_true(others > 400);
}

/* Handicaps of writers that knew no box. */
TEST(test_no_box) {
    static const struct {
        const char *sfen;
        kz_shogi_defect defect;
    } cases[] = {
        {"lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1", KZ_SHOGI_FINE},
        {"lnsgkgsn1/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1", KZ_SHOGI_CUT_OFF},  /* 5 zeros */
        {"lnsgkgsnl/7b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1", KZ_SHOGI_CUT_OFF},    /* 7 zeros */
        {"ln1gkg1n1/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1", KZ_SHOGI_OVERFULL}, /* 15: five pawns */
        {"lnsgkgsnl/1r5b1/pppppppp1/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1", KZ_SHOGI_FINE}, /* a pawn in hand, now */
    };
    for (int format = 0; format < 2; format++) {
        for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
            kz_shogi_position position;
            uint8_t record[KZ_SHOGI_RECORD_BYTES];
            assert_int_equal(kz_shogi_parse_sfen(cases[i].sfen, strlen(cases[i].sfen), &position, NULL, NULL), KZ_OK);
            slow_pack(format, &position, NO_BOX, record);
            kz_shogi_position read;
            assert_int_equal(kz_shogi_unpack_without_box(formats[format], record, &read), KZ_SHOGI_FINE);
            assert_int_equal(memcmp(&read, &position, sizeof read) == 0, i + 1 < sizeof cases / sizeof cases[0]);
            assert_int_equal(check_reading(format, record, &position), cases[i].defect);
        }
    }
}

/* All such records can be read where no pawn was removed, and records with a box as well. */
TEST(test_reading_without_box) {
    uint64_t seed = 7;
    unsigned handicaps = 0;
    for (int i = 0; i < 4000; i++) {
        kz_shogi_position position = shogi_random_any(&seed);
        kz_shogi_position read;
        uint8_t record[KZ_SHOGI_RECORD_BYTES];
        int format = i % 2;
        if (kz_shogi_king(&position, KZ_SHOGI_BLACK) == KZ_SHOGI_NO_SQUARE ||
            kz_shogi_king(&position, KZ_SHOGI_WHITE) == KZ_SHOGI_NO_SQUARE) {
            continue;
        }
        slow_pack(format, &position, 0, record);
        bool ends_in_box = kz_shogi_removed(&position, KZ_SHOGI_PAWN) > 0;
        assert_int_equal(kz_shogi_unpack_without_box(formats[format], record, &read), KZ_SHOGI_FINE);
        assert_memory_equal(&read, &position, sizeof read);
        if (!ends_in_box) {
            slow_pack(format, &position, NO_BOX, record);
            assert_int_equal(kz_shogi_unpack_without_box(formats[format], record, &read), KZ_SHOGI_FINE);
            assert_memory_equal(&read, &position, sizeof read);
            handicaps++;
        }
    }
    assert_true(handicaps > 500);
}

/* Files of such records, between others: they are bad unless it is said that there may be no box. */
TEST(test_files_without_box) {
    static const char *const sfens[] = {
        "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1",
        "lnsgkgsn1/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1",
        "lnsgkgsnl/7b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1",
        "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1",
    };
    static const kz_shogi_record records[2] = {KZ_SHOGI_RECORD_PSFEN, KZ_SHOGI_RECORD_HCP};
    for (int format = 0; format < 2; format++) {
        char expected[1000] = "";
        FILE *file = fopen("old", "wb");
        assert_non_null(file);
        for (size_t i = 0; i < sizeof sfens / sizeof sfens[0]; i++) {
            kz_shogi_position position;
            uint8_t record[KZ_SHOGI_RECORD_BYTES];
            assert_int_equal(kz_shogi_parse_sfen(sfens[i], strlen(sfens[i]), &position, NULL, NULL), KZ_OK);
            slow_pack(format, &position, NO_BOX, record);
            assert_int_equal(fwrite(record, 1, sizeof record, file), sizeof record);
            size_t length = strlen(expected);
            snprintf(expected + length, sizeof expected - length, "%s\n", sfens[i]);
        }
        assert_int_equal(fclose(file), 0);
        kz_shogi_source source = {.path = "old", .record = records[format], .dialect = KZ_SHOGI_DIALECTS};
        kz_shogi_target target = {
            .path = "text", .record = KZ_SHOGI_RECORD_SFEN, .dialect = KZ_SHOGI_DIALECTS, .replace = true};
        kz_shogi_file_options options = {.threads = 1};
        kz_shogi_file_report report;
        assert_int_equal(kz_shogi_check_file(&source, &options, NULL, &report, NULL), KZ_OK);
        assert_int_equal(report.bad, 2);
        assert_int_equal(report.offenders[0].index, 1);
        assert_int_equal(report.offenders[1].index, 2);
        options.without_box = true;
        assert_int_equal(kz_shogi_check_file(&source, &options, NULL, &report, NULL), KZ_OK);
        assert_int_equal(report.bad, 0);
        assert_int_equal(kz_shogi_convert(&source, &target, &options, NULL, &report, NULL), KZ_OK);
        assert_int_equal(report.written, 4);
        char text[1000] = "";
        file = fopen("text", "rb");
        assert_non_null(file);
        text[fread(text, 1, sizeof text - 1, file)] = '\0';
        fclose(file);
        assert_string_equal(text, expected);
    }
}

/* A record that is made of codes, with any number of pieces of any kind. */
static void random_codes(int format, uint64_t *seed, uint8_t *record) {
    dictionary board = board_words(format);
    dictionary hand = hand_words(format);
    char bits[512] = "";
    unsigned favourite = shogi_random_below(seed, KZ_SHOGI_HAND_KINDS);
    unsigned empty = shogi_random_below(seed, 257);
    bool unknown_ones = shogi_random_chance(seed, 32);
    bool box = shogi_random_chance(seed, 64);
    unsigned black_king = shogi_random_below(seed, KZ_SHOGI_SQUARES);
    append_number(bits, sizeof bits, shogi_random_below(seed, 2), 1);
    append_number(bits, sizeof bits, black_king, 7);
    append_number(bits, sizeof bits, (black_king + 1 + shogi_random_below(seed, 80)) % 81, 7);
    for (int i = 0; i < 79 && strlen(bits) < 256; i++) {
        size_t which = shogi_random_chance(seed, empty) ? 0 : shogi_random_below(seed, (unsigned)board.count);
        append(bits, sizeof bits, board.words[which].text);
    }
    while (strlen(bits) < 256) {
        unsigned kind = shogi_random_chance(seed, 128) ? favourite : shogi_random_below(seed, KZ_SHOGI_HAND_KINDS);
        unsigned owner = shogi_random_below(seed, box ? 3 : 2);
        if (unknown_ones && shogi_random_chance(seed, 16)) {
            append(bits, sizeof bits, "10011");
        } else {
            append(bits, sizeof bits, hand.words[3 * kind + owner].text);
        }
    }
    from_text(bits, record);
}

/* Records and what they are read as. */
enum { BATCH = 12 };
typedef struct batch {
    uint8_t records[BATCH][KZ_SHOGI_RECORD_BYTES];
    kz_shogi_position positions[BATCH];
    kz_shogi_defect defects[BATCH];
} batch;

/* Records side by side do not disturb each other, whatever they are: each path goes on after each that fails. */
static void check_reading_many(int format, const batch *all) {
    for (int path = 0; path < PATHS; path++) {
        const kz_shogi_codec *codec = kz_shogi_codec_for(formats[format], paths[path]);
        for (size_t i = 0; codec && i < BATCH;) {
            kz_shogi_position positions[BATCH];
            kz_shogi_defect defect = KZ_SHOGI_FINE;
            size_t done = codec->unpack_many(all->records[i], KZ_SHOGI_RECORD_BYTES, BATCH - i, positions, &defect);
            for (size_t j = 0; j < done; j++) {
                assert_int_equal(all->defects[i + j], KZ_SHOGI_FINE);
                assert_memory_equal(&positions[j], &all->positions[i + j], sizeof positions[j]);
            }
            i += done;
            if (i < BATCH) {
                assert_int_not_equal(defect, KZ_SHOGI_FINE);
                assert_int_equal(all->defects[i], defect);
                i++;
            }
        }
    }
}

/* Anything at all: all paths say the same, and it is what the strings say. */
TEST(test_any_bits) {
    const vectors *all = *state;
    enum { ROUNDS = 24000 };
    uint64_t seed = 11;
    unsigned seen[KZ_SHOGI_DEFECTS] = {0};
    batch some = {0};
    for (int format = 0; format < 2; format++) {
        for (unsigned round = 0; round < ROUNDS; round++) {
            uint8_t *record = some.records[round % BATCH];
            if (round % 4 == 0) {
                for (size_t i = 0; i < KZ_SHOGI_RECORD_BYTES; i++) {
                    record[i] = (uint8_t)shogi_random(&seed);
                }
                if (round % 8 == 0) { /* with squares for kings */
                    record[0] &= 0x7F;
                    record[1] &= 0xBF;
                }
            } else if (round % 4 == 1) {
                random_codes(format, &seed, record);
            } else {
                if (round % 4 == 2) {
                    memcpy(record, all->records[format][round % all->count], KZ_SHOGI_RECORD_BYTES);
                } else {
                    shogi_random_wish wish = shogi_random_wishes[round / 4 % SHOGI_RANDOM_WITH_KINGS];
                    kz_shogi_position position = shogi_random_position(&seed, wish);
                    assert_int_equal(kz_shogi_codec_for(formats[format], "plain")->pack(&position, record),
                                     KZ_SHOGI_FINE);
                }
                for (unsigned flips = shogi_random_below(&seed, 4); flips > 0; flips--) {
                    unsigned bit = shogi_random_below(&seed, 256);
                    record[bit / 8] ^= (uint8_t)(1 << bit % 8);
                }
            }
            kz_shogi_defect defect = check_reading(format, record, &some.positions[round % BATCH]);
            some.defects[round % BATCH] = defect;
            seen[defect]++;
            if (round % BATCH == BATCH - 1) {
                check_reading_many(format, &some);
            }
        }
    }
    assert_true(seen[KZ_SHOGI_FINE] > 1000);
    assert_true(seen[KZ_SHOGI_KING_SQUARE] > 1000);
    assert_true(seen[KZ_SHOGI_CUT_OFF] > 1000);
    assert_true(seen[KZ_SHOGI_UNKNOWN] > 1000);
    assert_true(seen[KZ_SHOGI_OVERFULL] > 1000);
}

/* Random positions one by one and in batches of any size; what is between the records is left alone. */
TEST(test_round_trips) {
    enum { MOST = 37, STRIDE = 40 };
    kz_shogi_position positions[MOST];
    kz_shogi_position back[MOST + 1];
    uint8_t records[MOST * STRIDE];
    uint8_t expected[MOST * STRIDE];
    uint64_t seed = 5;
    for (int format = 0; format < 2; format++) {
        for (unsigned round = 0; round < 400; round++) {
            size_t count = round % (MOST + 1);
            size_t stride = 32 + round % 9;
            memset(expected, 0xA5, sizeof expected);
            for (size_t i = 0; i < count; i++) {
                unsigned kinds = round % 2 ? SHOGI_RANDOM_WITH_KINGS : SHOGI_RANDOM_COMPLETE;
                positions[i] = shogi_random_position(&seed, shogi_random_wishes[shogi_random_below(&seed, kinds)]);
                slow_pack(format, &positions[i], USUAL, expected + i * stride);
            }
            for (int path = 0; path < PATHS; path++) {
                const kz_shogi_codec *codec = kz_shogi_codec_for(formats[format], paths[path]);
                kz_shogi_defect defect = KZ_SHOGI_DEFECTS;
                if (!codec) {
                    continue;
                }
                memset(records, 0xA5, sizeof records);
                memset(back, 0xA5, sizeof back);
                assert_int_equal(codec->pack_many(positions, count, records, stride, &defect), count);
                assert_memory_equal(records, expected, sizeof records);
                assert_int_equal(codec->unpack_many(records, stride, count, back, &defect), count);
                for (size_t i = 0; i < count; i++) {
                    assert_memory_equal(&back[i], &positions[i], sizeof back[i]);
                }
                assert_int_equal(back[count].side, 0xA5);
                assert_int_equal(back[count].board[0], 0xA5);
            }
        }
    }
}

/* The first that fails is named, and those before it are done. */
TEST(test_failures) {
    enum { COUNT = 21 };
    uint64_t seed = 7;
    for (int format = 0; format < 2; format++) {
        for (size_t bad = 0; bad < COUNT; bad++) {
            kz_shogi_position positions[COUNT];
            uint8_t expected[COUNT * KZ_SHOGI_RECORD_BYTES];
            for (size_t i = 0; i < COUNT; i++) {
                positions[i] = shogi_random_position(&seed, shogi_random_wishes[i % SHOGI_RANDOM_WITH_KINGS]);
                slow_pack(format, &positions[i], USUAL, expected + i * KZ_SHOGI_RECORD_BYTES);
            }
            kz_shogi_position headless[COUNT];
            memcpy(headless, positions, sizeof positions);
            headless[bad] = shogi_random_position(
                &seed,
                shogi_random_wishes[SHOGI_RANDOM_WITH_KINGS + bad % (SHOGI_RANDOM_WISHES - SHOGI_RANDOM_WITH_KINGS)]);
            uint8_t broken[sizeof expected];
            memcpy(broken, expected, sizeof expected);
            memset(broken + bad * KZ_SHOGI_RECORD_BYTES, 0, 2);
            for (int path = 0; path < PATHS; path++) {
                const kz_shogi_codec *codec = kz_shogi_codec_for(formats[format], paths[path]);
                kz_shogi_defect defect = KZ_SHOGI_FINE;
                uint8_t records[sizeof expected] = {0};
                kz_shogi_position back[COUNT];
                if (!codec) {
                    continue;
                }
                assert_int_equal(codec->pack(&headless[bad], records), KZ_SHOGI_NO_KING);
                assert_int_equal(records[0], 0);
                assert_int_equal(codec->pack_many(headless, COUNT, records, KZ_SHOGI_RECORD_BYTES, &defect), bad);
                assert_int_equal(defect, KZ_SHOGI_NO_KING);
                assert_memory_equal(records, expected, bad * KZ_SHOGI_RECORD_BYTES);
                assert_int_equal(codec->unpack_many(broken, KZ_SHOGI_RECORD_BYTES, COUNT, back, &defect), bad);
                assert_int_equal(defect, KZ_SHOGI_KING_SQUARE);
                for (size_t i = 0; i < bad; i++) {
                    assert_memory_equal(&back[i], &positions[i], sizeof back[i]);
                }
            }
        }
    }
}

/* Bytes that are no position do no harm. They lie alone in memory, so that sanitizers would see it. */
TEST(test_no_positions) {
    static const uint8_t rook = KZ_SHOGI_CODE_ROOK;
    kz_shogi_position *position = malloc(sizeof *position);
    uint8_t *record = malloc(KZ_SHOGI_RECORD_BYTES);
    assert_non_null(position);
    assert_non_null(record);
    uint64_t seed = 13;
    for (int round = 0; round < 6000; round++) {
        uint8_t *bytes = (uint8_t *)position;
        for (size_t i = 0; i < sizeof *position; i++) {
            bytes[i] = round % 3 == 0 ? (uint8_t)shogi_random(&seed) : rook;
        }
        if (round % 3 == 1) {
            *position = shogi_random_any(&seed);
            bytes[shogi_random_below(&seed, sizeof *position)] = (uint8_t)shogi_random(&seed);
        }
        position->board[shogi_random_below(&seed, 40)] = KZ_SHOGI_CODE_KING;
        position->board[40 + shogi_random_below(&seed, 41)] = KZ_SHOGI_CODE_KING | KZ_SHOGI_WHITES;
        for (int path = 0; path < PATHS; path++) {
            const kz_shogi_codec *codec = kz_shogi_codec_for(formats[round % 2], paths[path]);
            if (codec) {
                codec->pack(position, record);
            }
        }
    }
    free(position);
    free(record);
}

/* The tables hold what the codes say, entry by entry. */
TEST(test_tables) {
    static const unsigned field[KZ_SHOGI_HAND_KINDS] = {0, 6, 10, 14, 18, 22, 24};
    for (int format = 0; format < 2; format++) {
        const kz_shogi_huffman *huffman = huffmans[format];
        dictionary board = board_words(format);
        dictionary hand = hand_words(format);
        unsigned known = 0;
        for (size_t i = 0; i < board.count; i++) {
            uint8_t square = board.words[i].square;
            unsigned length = (unsigned)strlen(board.words[i].text);
            assert_int_equal(huffman->bits[square], number_in(board.words[i].text, length));
            assert_int_equal(huffman->length[square], length);
        }
        for (int code = 0; code < 256; code++) {
            assert_int_equal(huffman->ones[code], (1 << huffman->length[code]) - 1);
            known += huffman->length[code] != 0;
        }
        assert_int_equal(known, board.count);
        for (size_t i = 0; i < hand.count; i++) {
            const word *piece = &hand.words[i];
            char run[64] = "";
            for (unsigned n = 0; n < full_set[piece->kind]; n++) {
                append(run, sizeof run, piece->text);
            }
            assert_int_equal(strlen(piece->text), kz_shogi_piece_bits[piece->kind]);
            uint64_t expected = 0;
            for (size_t bit = strlen(run); bit-- > 0;) {
                expected = expected << 1 | (run[bit] == '1');
            }
            assert_true(huffman->run[piece->owner][piece->kind] == expected);
        }
        for (unsigned index = 0; index < 1U << KZ_SHOGI_SQUARES_PEEK; index++) {
            char bits[16] = "";
            uint64_t expected = 0;
            const word *found = NULL;
            unsigned at = 0;
            unsigned count = 0;
            append_number(bits, sizeof bits, index, KZ_SHOGI_SQUARES_PEEK);
            while (count < KZ_SHOGI_SQUARES_EACH && find_word(&board, bits + at, &found) == KZ_SHOGI_FINE) {
                expected |= (uint64_t)found->square << 8 * count++;
                at += (unsigned)strlen(found->text);
            }
            assert_true(huffman->squares[index] == (expected | (uint64_t)at << 48 | (uint64_t)count << 56));
        }
        for (unsigned index = 0; index < 1U << KZ_SHOGI_PIECES_PEEK; index++) {
            char bits[16] = "";
            uint64_t expected = 0;
            const word *found = NULL;
            unsigned at = 0;
            append_number(bits, sizeof bits, index, KZ_SHOGI_PIECES_PEEK);
            while (find_word(&hand, bits + at, &found) == KZ_SHOGI_FINE && found->owner != BOX) {
                expected += UINT64_C(1) << (8 + 26 * found->owner + field[found->kind]);
                at += (unsigned)strlen(found->text);
            }
            assert_true(huffman->pieces[index] == expected + at);
        }
        for (unsigned index = 0; index < 128; index++) {
            char bits[16] = "";
            const word *found = NULL;
            append_number(bits, sizeof bits, index, 7);
            bool is_known = find_word(&hand, bits, &found) == KZ_SHOGI_FINE;
            assert_int_equal(huffman->first_piece[index], is_known ? found->kind + 8 * found->owner + 128 : 0);
        }
    }
}

TESTS(read_vectors, NULL)
