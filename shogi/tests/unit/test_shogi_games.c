/* SPDX-License-Identifier: MIT
 *
 * Game files: hcpe3, CSA, KIF. The games of shogi/tests/data/games_* and what has to be found in them were written by
 * a program that shares nothing with the library (games_make.py). */
#include "shogi/tests/support/shogi_bytes.h"

#include "base/encoding.h"

#include <iconv.h>

#define START "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL"

enum { EVEN_GAME = 181, SIX_PIECE_GAME = 60, MIDDLE_GAME = 99, ALL_GAMES = EVEN_GAME + SIX_PIECE_GAME + MIDDLE_GAME };

typedef struct data_file {
    char *bytes;
    size_t size;
} data_file;

static data_file load_from(const char *folder, const char *name) {
    struct buffer file = read_of_source(folder, name);
    return (data_file){(char *)file.bytes, file.size};
}

static data_file load(const char *name) { return load_from("shogi/tests/data", name); }

/* ---- What a reader tells, as lines ------------------------------------------------------------------------------- */

typedef struct told_positions {
    size_t count;
    size_t most; /* positions until the visitor stops */
    size_t length;
    char lines[1 << 16];
    kz_shogi_note last;
} told_positions;

/* SFEN, move, score, result, ending; "-" for what is not there. */
static bool tell(void *user, const kz_shogi_position *position, const kz_shogi_note *note) {
    told_positions *told = user;
    char sfen[KZ_SHOGI_SFEN_BYTES];
    char move[8];
    char score[8] = "-";
    char result[8] = "-";
    char ending[8] = "-";
    assert_int_equal(note->has & (KZ_SHOGI_HAS_MOVE | KZ_SHOGI_HAS_PLY), KZ_SHOGI_HAS_MOVE | KZ_SHOGI_HAS_PLY);
    kz_shogi_format_sfen(position, note->ply, sfen);
    kz_shogi_format_move(note->move, move);
    if (note->has & KZ_SHOGI_HAS_SCORE) {
        snprintf(score, sizeof score, "%d", note->score);
    }
    if (note->has & KZ_SHOGI_HAS_RESULT) {
        snprintf(result, sizeof result, "%d", note->result);
    }
    if (note->has & KZ_SHOGI_HAS_ENDING) {
        snprintf(ending, sizeof ending, "%d", note->ending);
    }
    told->length += (size_t)snprintf(told->lines + told->length, sizeof told->lines - told->length,
                                     "%s\t%s\t%s\t%s\t%s\n", sfen, move, score, result, ending);
    assert_true(told->length < sizeof told->lines);
    told->last = *note;
    return ++told->count < told->most;
}

static told_positions *nothing_told(void) {
    told_positions *told = calloc(1, sizeof *told);
    assert_non_null(told);
    told->most = SIZE_MAX;
    return told;
}

/* Lines `first` and following of games_all.tsv, with or without scores and endings. */
static void assert_told_parts(const told_positions *told, size_t first, size_t count, bool scores, bool endings) {
    data_file expected = load("games_all.tsv");
    const char *at = expected.bytes;
    const char *line = told->lines;
    assert_int_equal(told->count, count);
    for (size_t i = 0; i < first + count; i++) {
        const char *end = memchr(at, '\n', (size_t)(expected.bytes + expected.size - at));
        assert_non_null(end);
        if (i >= first) {
            char sfen[256];
            char move[8];
            char wanted[300];
            int numbers[3];
            assert_int_equal(
                sscanf(at, "%255[^\t]\t%7[^\t]\t%d\t%d\t%d", sfen, move, &numbers[0], &numbers[1], &numbers[2]), 5);
            char score[16] = "-";
            if (scores) {
                snprintf(score, sizeof score, "%d", numbers[0]);
            }
            char ending[16] = "-";
            if (endings) {
                snprintf(ending, sizeof ending, "%d", numbers[2]);
            }
            snprintf(wanted, sizeof wanted, "%s\t%s\t%s\t%d\t%s\n", sfen, move, score, numbers[1], ending);
            assert_memory_equal(line, wanted, strlen(wanted));
            line += strlen(wanted);
        }
        at = end + 1;
    }
    assert_int_equal(*line, '\0');
    free(expected.bytes);
}

static void assert_told(const told_positions *told, size_t first, size_t count, bool scores) {
    assert_told_parts(told, first, count, scores, true);
}

TEST(csa_games_are_read) {
    data_file csa = load("games_all.csa");
    told_positions *told = nothing_told();
    kz_error error;
    assert_int_equal(kz_shogi_read_csa(csa.bytes, csa.size, tell, told, &error), KZ_OK);
    assert_told(told, 0, ALL_GAMES, true);
    free(told);
    free(csa.bytes);
}

TEST(kif_games_are_read) {
    static const size_t sizes[] = {EVEN_GAME, SIX_PIECE_GAME, MIDDLE_GAME};
    size_t first = 0;
    for (int i = 0; i < 3; i++) {
        char name[32];
        snprintf(name, sizeof name, "games_%d.kif", i + 1);
        data_file kif = load(name);
        told_positions *told = nothing_told();
        kz_error error;
        assert_int_equal(kz_shogi_read_kif(kif.bytes, kif.size, tell, told, &error), KZ_OK);
        assert_told(told, first, sizes[i], false);
        first += sizes[i];
        free(told);
        free(kif.bytes);
    }
}

TEST(ki2_games_are_read) {
    data_file ki2 = load("games_all.ki2");
    told_positions *told = nothing_told();
    kz_error error;
    must(kz_shogi_read_ki2(ki2.bytes, ki2.size, tell, told, &error), &error);
    assert_told(told, 0, ALL_GAMES, false);
    free(told);
    free(ki2.bytes);
}

TEST(pack_games_are_read) {
    data_file pack = load("games_all.pack");
    const uint8_t *bytes = (const uint8_t *)pack.bytes;
    told_positions *told = nothing_told();
    size_t at = 0;
    while (at < pack.size) {
        size_t used = 0;
        kz_error error;
        assert_int_equal(kz_shogi_read_pack(bytes + at, pack.size - at, &used, tell, told, &error), KZ_OK);
        assert_true(used > 0);
        /* Cut anywhere, it says so. */
        for (size_t size = 0; size < used; size++) {
            size_t none = 1;
            assert_int_equal(kz_shogi_read_pack(bytes + at, size, &none, tell, told, NULL), KZ_ERR_INPUT);
            assert_int_equal(none, 0);
        }
        at += used;
    }
    assert_told_parts(told, 0, ALL_GAMES, true, false);
    /* A move that can't be made, a result that there is not, and no beginning of a game. */
    uint8_t *copy = malloc(pack.size + 1);
    assert_non_null(copy);
    size_t used = 0;
    kz_error error;
    memcpy(copy, bytes, pack.size);
    copy[1 + 4 * 10] = 81;
    told->count = 0;
    assert_int_equal(kz_shogi_read_pack(copy, pack.size, &used, tell, told, &error), KZ_ERR_CORRUPT);
    assert_int_equal(used, 1 + 4 * EVEN_GAME + 3);
    assert_int_equal(told->count, 10);
    assert_non_null(strstr(error.message, "move 11 of 181"));
    assert_non_null(strstr(error.message, "171 positions of the game are lost"));
    memcpy(copy, bytes, pack.size);
    copy[1 + 4 * EVEN_GAME] = 0x83; /* from and to are 3 */
    copy[1 + 4 * EVEN_GAME + 1] = 0x01;
    assert_int_equal(kz_shogi_read_pack(copy, pack.size, &used, tell, told, &error), KZ_ERR_CORRUPT);
    assert_non_null(strstr(error.message, "result 3 means nothing"));
    copy[0] = 7;
    assert_int_equal(kz_shogi_read_pack(copy, pack.size, &used, tell, told, &error), KZ_ERR_CORRUPT);
    assert_int_equal(used, pack.size);
    assert_non_null(strstr(error.message, "0x07"));
    free(copy);
    free(told);
    free(pack.bytes);
}

TEST(nshogi_records_are_read) {
    data_file file = load("games_all.nshogi");
    const uint8_t *bytes = (const uint8_t *)file.bytes;
    assert_int_equal(file.size, (EVEN_GAME + MIDDLE_GAME) * KZ_SHOGI_NSHOGI_BYTES);
    for (int game = 0; game < 2; game++) {
        told_positions *told = nothing_told();
        size_t count = game == 0 ? EVEN_GAME : MIDDLE_GAME;
        for (size_t i = 0; i < count; i++, bytes += KZ_SHOGI_NSHOGI_BYTES) {
            kz_shogi_position position;
            kz_shogi_note note;
            assert_int_equal(kz_shogi_read_nshogi(bytes, &position, &note), KZ_SHOGI_FINE);
            tell(told, &position, &note);
        }
        assert_told_parts(told, game == 0 ? 0 : EVEN_GAME + SIX_PIECE_GAME, count, false, false);
        free(told);
    }
    /* What can be wrong. */
    static const struct {
        size_t at;
        uint8_t byte;
        kz_shogi_defect defect;
    } cases[] = {{0, 0x7F, KZ_SHOGI_KING_SQUARE}, {45, 0x7F, KZ_SHOGI_BAD_MOVE}, {46, 3, KZ_SHOGI_BAD_RESULT}};
    uint8_t copy[KZ_SHOGI_NSHOGI_BYTES];
    kz_shogi_position position;
    kz_shogi_note note;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        memcpy(copy, file.bytes, sizeof copy);
        copy[cases[i].at] = cases[i].byte;
        assert_int_equal(kz_shogi_read_nshogi(copy, &position, &note), cases[i].defect);
    }
    memcpy(copy, file.bytes, sizeof copy);
    copy[44] = 129; /* from 1 to 1 */
    copy[45] = 0;
    assert_int_equal(kz_shogi_read_nshogi(copy, &position, &note), KZ_SHOGI_FINE);
    assert_int_equal(note.move.special, KZ_SHOGI_DECLARES);
    /* Any bits at all do no harm. */
    uint64_t random = 1;
    for (int round = 0; round < 20000; round++) {
        for (size_t i = 0; i < sizeof copy; i++) {
            random = random * 6364136223846793005U + 1442695040888963407U;
            copy[i] = (uint8_t)(random >> 56);
        }
        copy[0] &= 0x3F;
        copy[1] &= 0x1F;
        if (kz_shogi_read_nshogi(copy, &position, &note) == KZ_SHOGI_FINE) {
            assert_int_equal(kz_shogi_check(&position), KZ_SHOGI_FINE);
        }
    }
    free(file.bytes);
}

TEST(hcpe3_games_are_read) {
    data_file file = load("games_all.hcpe3");
    told_positions *told = nothing_told();
    kz_error error;
    size_t at = 0;
    int games = 0;
    for (size_t used; at < file.size; at += used, games++) {
        assert_int_equal(
            kz_shogi_read_hcpe3((const uint8_t *)file.bytes + at, file.size - at, &used, tell, told, &error), KZ_OK);
    }
    assert_int_equal(at, file.size);
    assert_int_equal(games, 3);
    assert_told(told, 0, ALL_GAMES, true);
    free(told);
    free(file.bytes);
}

/* ---- hcpe3 ------------------------------------------------------------------------------------------------------- */

TEST(cut_off_hcpe3_is_noticed) {
    data_file file = load("games_all.hcpe3");
    told_positions *told = nothing_told();
    kz_error error;
    size_t whole;
    size_t used;
    assert_int_equal(kz_shogi_read_hcpe3((const uint8_t *)file.bytes, file.size, &whole, tell, told, &error), KZ_OK);
    for (size_t size = 0; size < whole; size++) {
        uint8_t *cut = malloc(size + 1);
        assert_non_null(cut);
        memcpy(cut + 1, file.bytes, size);
        used = 99;
        assert_int_equal(kz_shogi_read_hcpe3(cut + 1, size, &used, tell, told, &error), KZ_ERR_INPUT);
        assert_int_equal(used, 0);
        free(cut);
    }
    assert_int_equal(told->count, EVEN_GAME);
    free(told);
    free(file.bytes);
}

TEST(bad_hcpe3_is_passed_over) {
    data_file file = load("games_all.hcpe3");
    uint8_t *bytes = (uint8_t *)file.bytes;
    told_positions *told = nothing_told();
    kz_error error;
    size_t whole;
    size_t used;
    assert_int_equal(kz_shogi_read_hcpe3(bytes, file.size, &whole, tell, told, &error), KZ_OK);
    /* The third move is behind moves with 0 candidates and with 1. */
    size_t third = 36 + 6 + 6 + 4;
    uint8_t kept = bytes[third];
    bytes[third] |= 0x7F;
    told->count = 0;
    assert_int_equal(kz_shogi_read_hcpe3(bytes, file.size, &used, tell, told, &error), KZ_ERR_CORRUPT);
    assert_int_equal(used, whole);
    assert_int_equal(told->count, 2);
    assert_non_null(strstr(error.message, "move 3 of 181"));
    bytes[third] = kept;

    told->count = 0;
    bytes[34] = 3;
    assert_int_equal(kz_shogi_read_hcpe3(bytes, file.size, &used, tell, told, &error), KZ_ERR_CORRUPT);
    assert_int_equal(used, whole);
    bytes[34] = 1;
    memset(bytes, 0xFF, 32);
    assert_int_equal(kz_shogi_read_hcpe3(bytes, file.size, &used, tell, told, NULL), KZ_ERR_CORRUPT);
    assert_int_equal(used, whole);
    assert_int_equal(told->count, 0);
    free(told);
    free(file.bytes);
}

TEST(visitors_can_stop) {
    data_file csa = load("games_all.csa");
    data_file kif = load("games_1.kif");
    data_file hcpe3 = load("games_all.hcpe3");
    told_positions *told = nothing_told();
    kz_error error;
    size_t used;
    told->most = 5;
    assert_int_equal(kz_shogi_read_csa(csa.bytes, csa.size, tell, told, &error), KZ_OK);
    assert_int_equal(told->count, 5);
    told->count = 0;
    assert_int_equal(kz_shogi_read_kif(kif.bytes, kif.size, tell, told, &error), KZ_OK);
    assert_int_equal(told->count, 5);
    told->count = 0;
    assert_int_equal(kz_shogi_read_hcpe3((const uint8_t *)hcpe3.bytes, hcpe3.size, &used, tell, told, &error), KZ_OK);
    assert_int_equal(told->count, 5);
    assert_true(used > 36 + 6 * EVEN_GAME);
    free(told);
    free(csa.bytes);
    free(kif.bytes);
    free(hcpe3.bytes);
}

/* ---- CSA --------------------------------------------------------------------------------------------------------- */

typedef kz_status reader(const char *text, size_t length, kz_shogi_visit *visit, void *user, kz_error *error);

static void assert_lines(reader *read, const char *text, const char *lines) {
    told_positions *told = nothing_told();
    kz_error error = {.message = ""};
    must(read(text, strlen(text), tell, told, &error), &error);
    assert_string_equal(told->lines, lines);
    free(told);
}

TEST(csa_positions_have_many_forms) {
    /* Several statements on a line, Windows' line ends, no end of the game. */
    assert_lines(kz_shogi_read_csa, "V2.2\r\nPI,+\r\n+7776FU,T12\r\n-3334FU,T6,'* 30 a, b\r\n+8822UM\r\n-3122GI",
                 START " b - 1\t7g7f\t-\t-\t-\n"
                       "lnsgkgsnl/1r5b1/ppppppppp/9/9/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL w - 2\t3c3d\t-\t-\t-\n"
                       "lnsgkgsnl/1r5b1/pppppp1pp/6p2/9/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL b - 3\t8h2b+\t-\t-\t-\n"
                       "lnsgkgsnl/1r5+B1/pppppp1pp/6p2/9/2P6/PP1PPPPPP/7R1/LNSGKGSNL w B 4\t3a2b\t-\t-\t-\n");
    /* Pieces one by one, all that are left in white's hand, a byte order mark. */
    assert_lines(kz_shogi_read_csa, "\xEF\xBB\xBFP-11OU\nP+23TO00KI00KI\nP-00AL\n+\n+0012KI\n%TSUMI\n",
                 "8k/9/7+P1/9/9/9/9/9/9 b 2G2r2b2g4s4n4l17p 1\tG*1b\t-\t1\t0\n");
    /* Ranks; blanks at their ends may be missing. */
    assert_lines(kz_shogi_read_csa,
                 "P1 *  *  *  * -OU *  *  *  * \nP2 *  *  *  *  *  *  *  *  *\nP3 *  *  *  * +FU *  *  *  *\n"
                 "P4 *  *  *  *  *  *  *  *  *\nP5 *  *  *  *  *  *  *  *  *\nP6 *  *  *  *  *  *  *  *  *\n"
                 "P7 *  *  *  *  *  *  *  *  *\nP8 *  *  *  *  *  *  *  *  *\nP9 *  *  *  *  *  *  *  * -RY\n"
                 "P+00FU\n-\n-1911RY\n%CHUDAN\n",
                 "4k4/9/4P4/9/9/9/9/9/8+r w P 1\t1i1a\t-\t-\t-\n");
    assert_lines(kz_shogi_read_csa, "", "");
    assert_lines(kz_shogi_read_csa, "V3.0\n'CSA encoding=UTF-8\nN+a\nPI\n+\n%TORYO\n/\n\n", "");
}

/* Comments of Floodgate are as black sees it; they belong to the position before the move. */
TEST(csa_scores_are_the_movers) {
    assert_lines(kz_shogi_read_csa,
                 "PI\n+\n'** 77 no move yet\n+2726FU\n'** 50 -8384FU\n-8384FU\n'**40\n'** x\n+2625FU\n'** -99999\n"
                 "-8485FU\n'a comment\n+6978KI\n'** 99999999999999999999999\n-4132KI\n'* 5\n%SENNICHITE\n",
                 START " b - 1\t2g2f\t50\t0\t1\n"
                       "lnsgkgsnl/1r5b1/ppppppppp/9/9/7P1/PPPPPPP1P/1B5R1/LNSGKGSNL w - 2\t8c8d\t-40\t0\t1\n"
                       "lnsgkgsnl/1r5b1/p1ppppppp/1p7/9/7P1/PPPPPPP1P/1B5R1/LNSGKGSNL b - 3\t2f2e\t-32767\t0\t1\n"
                       "lnsgkgsnl/1r5b1/p1ppppppp/1p7/7P1/9/PPPPPPP1P/1B5R1/LNSGKGSNL w - 4\t8d8e\t-\t0\t1\n"
                       "lnsgkgsnl/1r5b1/p1ppppppp/9/1p5P1/9/PPPPPPP1P/1B5R1/LNSGKGSNL b - 5\t6i7h\t32767\t0\t1\n"
                       "lnsgkgsnl/1r5b1/p1ppppppp/9/1p5P1/9/PPPPPPP1P/1BG4R1/LNS1KGSNL w - 6\t4a3b\t-\t0\t1\n");
}

/* After a move by black it is white's turn; the results are for black. */
TEST(csa_games_end_in_many_ways) {
    enum { UNKNOWN = 9 };
    static const struct {
        const char *word;
        int result;
        int ending;
    } ends[] = {{"%TORYO", 1, 0},
                {"%KACHI", -1, KZ_SHOGI_BY_ENTERING},
                {"%JISHOGI", 0, KZ_SHOGI_BY_ENTERING},
                {"%HIKIWAKE", 0, KZ_SHOGI_BY_ENTERING},
                {"%SENNICHITE", 0, KZ_SHOGI_BY_REPETITION},
                {"%MAX_MOVES", 0, KZ_SHOGI_BY_LENGTH},
                {"%TIME_UP", 1, 0},
                {"%ILLEGAL_MOVE", 1, 0},
                {"%+ILLEGAL_ACTION", -1, 0},
                {"%-ILLEGAL_ACTION", 1, 0},
                {"%TSUMI", 1, 0},
                {"%CHUDAN", UNKNOWN, 0},
                {"%MATTA", UNKNOWN, 0},
                {"%FUZUMI", UNKNOWN, 0},
                {"%ERROR", UNKNOWN, 0},
                {"%SOMETHING_NEW", UNKNOWN, 0}};
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
        char text[100];
        told_positions *told = nothing_told();
        kz_error error;
        snprintf(text, sizeof text, "PI\n+\n+7776FU\n%s\nT5\n", ends[i].word);
        assert_int_equal(kz_shogi_read_csa(text, strlen(text), tell, told, &error), KZ_OK);
        bool known = told->last.has & KZ_SHOGI_HAS_RESULT;
        assert_int_equal(known, ends[i].result != UNKNOWN);
        assert_int_equal((told->last.has & KZ_SHOGI_HAS_ENDING) != 0, known);
        if (known) {
            assert_int_equal(told->last.result, ends[i].result);
            assert_int_equal(told->last.ending, ends[i].ending);
        }
        free(told);
    }
}

typedef struct mistake {
    const char *text;
    const char *message; /* a part of it */
} mistake;

static void assert_mistakes(reader *read, const mistake *mistakes, size_t count) {
    for (size_t i = 0; i < count; i++) {
        told_positions *told = nothing_told();
        kz_error error = {.message = ""};
        kz_status status = read(mistakes[i].text, strlen(mistakes[i].text), tell, told, &error);
        if (status != KZ_ERR_INPUT || !strstr(error.message, mistakes[i].message)) {
            fail_msg("\"%s\": \"%s\" instead of \"%s\"", mistakes[i].text, error.message, mistakes[i].message);
        }
        assert_int_equal(told->count, 0);
        assert_int_equal(read(mistakes[i].text, strlen(mistakes[i].text), tell, told, NULL), KZ_ERR_INPUT);
        free(told);
    }
}

/* A mistake in one game of several: the others are told. */
static void assert_goes_on(reader *read, const char *text, const char *message, size_t count) {
    told_positions *told = nothing_told();
    kz_error error = {.message = ""};
    assert_int_equal(read(text, strlen(text), tell, told, &error), KZ_ERR_INPUT);
    if (!strstr(error.message, message)) {
        fail_msg("\"%s\" instead of \"%s\"", error.message, message);
    }
    assert_int_equal(told->count, count);
    free(told);
}

TEST(bad_csa_is_explained) {
    static const mistake mistakes[] = {
        {"V1\n", "line 1: only versions 2 and 3"},
        {"V2.2\nhello\n", "line 2: no statement"},
        {"+7776FU\n", "line 1: a move before"},
        {"+\n", "line 1: the position has to come before"},
        {"PI\n+7776FU\n", "line 2: a move before"},
        {"%TORYO\n", "line 1: the game ends before"},
        {"PI\n+\n+\n", "line 3: the side to move is given twice"},
        {"PI\n+\nPI\n", "line 3: the position has to come before"},
        {"PI\n+\n+7776FU\n+2726FU\n", "line 4: it is the other side's turn"},
        {"PI\n+\n+7776\n", "line 3: expected a move"},
        {"PI\n+\n+7776FUX\n", "line 3: expected a move"},
        {"PI\n+\n+7700FU\n", "line 3: expected a move"},
        {"PI\n+\n+7776KY\n", "line 3: the piece that moves is not on its square"},
        {"PI\n+\n+5554FU\n", "line 3: the piece that moves is not on its square"},
        {"PI\n+\n+3334FU\n", "line 3: the piece that moves is not on its square"},
        {"PI\n+\n+6867NK\n", "line 3: the piece that moves is not on its square"},
        {"PI\n+\n+7775FU\n", "line 3: "},
        {"PI\n+\n+7776TO\n", "line 3: "},
        {"PI\n+\n+0055FU\n", "line 3: "},
        {"PI\n+\n+0055TO\n", "line 3: kings and promoted pieces"},
        {"PI\n+\n+7776FU\n%TORYO\n-3334FU\n", "line 5: a move after the end"},
        {"PI\n+\n%TORYO\n%TORYO\n", "line 4: the game ends twice"},
        {"PI\n+\nT\n", "line 3: expected a time"},
        {"PX\n", "line 1: expected PI"},
        {"P\n", "line 1: expected PI"},
        {"PI8\n", "line 1: expected a square and a piece"},
        {"PI55FU\n", "line 1: a piece that is to be taken away"},
        {"PI00FU\n", "line 1: a piece that is to be taken away"},
        {"P1-KY-KE\n", "line 1: expected 9 squares"},
        {"P1-KY-KE-GI-KI-OU-KI-GI-KE-KY-KY\n", "line 1: more than 9 squares"},
        {"P1-XX\n", "line 1: expected a piece"},
        {"P+00OU\n", "line 1: kings and promoted pieces are never in hand"},
        {"P+0\n", "line 1: expected a square and a piece"},
        {"P+55FU55FU\n", "line 1: there is another piece"},
        {"P+00HI00HI00HI\n", "line 1: "},
        {"P+11OU12OU00AL\n", "line 1: "},
        {"P+11OU12OU\n+\n", "line 2: "},
        {"PI\n+\n+7776FU\n-3334FU,+8822XX\n", "line 4: expected a move"},
    };
    assert_mistakes(kz_shogi_read_csa, mistakes, sizeof mistakes / sizeof *mistakes);
    /* Games before the one with the mistake are told. */
    static const char second[] = "PI\n+\n+7776FU\n%TORYO\n/\nPI\n+\n+7776FU\n-7776FU\n";
    told_positions *told = nothing_told();
    kz_error error;
    assert_int_equal(kz_shogi_read_csa(second, sizeof second - 1, tell, told, &error), KZ_ERR_INPUT);
    assert_int_equal(told->count, 1);
    assert_non_null(strstr(error.message, "line 9: "));
    free(told);
    /* So are those after it, with or without "/" between them. */
    assert_goes_on(kz_shogi_read_csa,
                   "V2.2\nPI\n+\n+7776FU\n%TORYO\n/\nPI\n+\n+7776FU\n-7776FU\n/\nPI\n+\n+2726FU\n%CHUDAN\n",
                   "line 10: ", 2);
    assert_goes_on(kz_shogi_read_csa,
                   "V2.2\nPI\n+\n+7776FU\n%TORYO\nV2.2\nPI\n+\nhello\n+7776FU\nV3.0\nPI\n+\n+2726FU\n%CHUDAN\n",
                   "line 9: ", 2);
}

/* ---- KIF --------------------------------------------------------------------------------------------------------- */

/* Reads a text as it is, in Shift_JIS and in both with other line ends: all must say the same. */
static void read_kif_in_all_codes(const char *text, told_positions *told) {
    size_t length = strlen(text);
    kz_error error = {.message = ""};
    if (kz_shogi_read_kif(text, length, tell, told, &error) != KZ_OK) {
        fail_msg("%s: %s", text, error.message);
    }
    iconv_t converter = iconv_open("CP932", "UTF-8");
    if ((intptr_t)converter == -1) {
        return; /* games_2.kif is in Shift_JIS, too */
    }
    char input[2000];
    char *output = malloc(2000);
    assert_true(length < sizeof input);
    memcpy(input, text, length + 1);
    char *from = input;
    char *to = output;
    size_t left = length;
    size_t room = 2000;
    assert_int_equal(iconv(converter, &from, &left, &to, &room), 0);
    iconv_close(converter);
    told_positions *again = nothing_told();
    if (kz_shogi_read_kif(output, 2000 - room, tell, again, &error) != KZ_OK) {
        fail_msg("Shift_JIS, %s: %s", text, error.message);
    }
    assert_string_equal(again->lines, told->lines);
    free(again);
    free(output);
}

static void assert_kif_lines(const char *text, const char *lines) {
    told_positions *told = nothing_told();
    read_kif_in_all_codes(text, told);
    assert_string_equal(told->lines, lines);
    free(told);
}

/* A character of a reader's text, as the C library writes it in Shift_JIS, has to become this character again. */
static void assert_known_in_sjis(iconv_t converter, const char *character, size_t length) {
    char input[5] = "";
    char pair[8];
    char back[8] = "";
    memcpy(input, character, length);
    char *from = input;
    char *to = pair;
    size_t left = length;
    size_t room = sizeof pair;
    if (iconv(converter, &from, &left, &to, &room) == (size_t)-1) {
        /* The signs for black and white that Shift_JIS has not. */
        assert_true(strcmp(input, "☗") == 0 || strcmp(input, "☖") == 0);
        return;
    }
    back[kz_sjis_to_utf8(pair, sizeof pair - room, back, sizeof back - 1)] = '\0';
    if (strcmp(back, input) != 0) {
        fail_msg("%s in Shift_JIS is read as %s", input, back);
    }
}

/* Goes through the source of all readers: every character of their texts has to be known in Shift_JIS. */
TEST(all_words_are_known_in_sjis) {
    static const char *const sources[][2] = {{"src/base", "kif.c"},
                                             {"src/base", "kif.h"},
                                             {"shogi/src", "kif_text.c"},
                                             {"shogi/src", "kif.c"},
                                             {"shogi/src", "ki2.c"},
                                             {"src/game", "record_kif.c"},
                                             {"src/games/dobutsu/rules", "kif.c"}};
    iconv_t converter = iconv_open("CP932", "UTF-8");
    if ((intptr_t)converter == -1) {
        skip();
    }
    size_t characters = 0;
    for (size_t i = 0; i < sizeof sources / sizeof *sources; i++) {
        data_file source = load_from(sources[i][0], sources[i][1]);
        bool quoted = false;
        for (size_t at = 0; at < source.size;) {
            unsigned char byte = (unsigned char)source.bytes[at];
            if (!quoted && at + 1 < source.size && memcmp(source.bytes + at, "/*", 2) == 0) {
                const char *end = memmem(source.bytes + at, source.size - at, "*/", 2);
                assert_non_null(end);
                at = (size_t)(end - source.bytes) + 2;
                continue;
            }
            quoted = byte == '"' ? !quoted : quoted;
            size_t length = byte < 0x80 ? 1 : byte < 0xE0 ? 2 : byte < 0xF0 ? 3 : 4;
            if (quoted && length > 1) {
                assert_known_in_sjis(converter, source.bytes + at, length);
                characters++;
            }
            at += byte == '\\' ? 2 : length;
        }
        free(source.bytes);
    }
    iconv_close(converter);
    assert_true(characters > 300);
}

TEST(kif_knows_all_handicaps) {
    static const struct {
        const char *name;
        const char *ranks; /* the first two */
    } handicaps[] = {{"香落ち", "lnsgkgsn1/1r5b1"}, {"右香落ち", "1nsgkgsnl/1r5b1"}, {"角落ち", "lnsgkgsnl/1r7"},
                     {"飛車落ち", "lnsgkgsnl/7b1"}, {"飛香落ち", "lnsgkgsn1/7b1"},   {"二枚落ち", "lnsgkgsnl/9"},
                     {"三枚落ち", "lnsgkgsn1/9"},   {"四枚落ち", "1nsgkgsn1/9"},     {"五枚落ち", "2sgkgsn1/9"},
                     {"左五枚落ち", "1nsgkgs2/9"},  {"六枚落ち", "2sgkgs2/9"},       {"左七枚落ち", "2sgkg3/9"},
                     {"右七枚落ち", "3gkgs2/9"},    {"八枚落ち", "3gkg3/9"},         {"十枚落ち", "4k4/9"}};
    for (size_t i = 0; i < sizeof handicaps / sizeof *handicaps; i++) {
        char text[200];
        char line[200];
        snprintf(text, sizeof text, "手合割：%s　\n   1 ３四歩(33)\n   2 投了\n", handicaps[i].name);
        snprintf(line, sizeof line, "%s/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1\t3c3d\t-\t1\t0\n",
                 handicaps[i].ranks);
        assert_kif_lines(text, line);
    }
    assert_kif_lines("手合割：平手\n1 ７六歩(77)\n", START " b - 1\t7g7f\t-\t-\t-\n");
    assert_kif_lines("1 ７六歩(77)\n", START " b - 1\t7g7f\t-\t-\t-\n");
}

TEST(kif_moves_have_many_forms) {
    assert_kif_lines("手数----指手---------消費時間--\n   1 ７六歩(77)   ( 0:01/00:00:01)\n*comment\n&bookmark\n"
                     "   2 ３四歩(33)+\n   3 ２二角成(88)\n   4 同　銀(31)\n   5 ５五角打\n   6 ３三銀(22)\n"
                     "変化：4手\n   4 ２二飛(82)\n",
                     START " b - 1\t7g7f\t-\t-\t-\n"
                           "lnsgkgsnl/1r5b1/ppppppppp/9/9/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL w - 2\t3c3d\t-\t-\t-\n"
                           "lnsgkgsnl/1r5b1/pppppp1pp/6p2/9/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL b - 3\t8h2b+\t-\t-\t-\n"
                           "lnsgkgsnl/1r5+B1/pppppp1pp/6p2/9/2P6/PP1PPPPPP/7R1/LNSGKGSNL w B 4\t3a2b\t-\t-\t-\n"
                           "lnsgkg1nl/1r5s1/pppppp1pp/6p2/9/2P6/PP1PPPPPP/7R1/LNSGKGSNL b Bb 5\tB*5e\t-\t-\t-\n"
                           "lnsgkg1nl/1r5s1/pppppp1pp/6p2/4B4/2P6/PP1PPPPPP/7R1/LNSGKGSNL w b 6\t2b3c\t-\t-\t-\n");
}

TEST(kif_promoted_pieces_have_two_names) {
    /* All promoted pieces of black in a diagram, in both of their names. */
    static const struct {
        const char *diagram;
        const char *move;
        const char *letter;
    } names[] = {{"と", "と", "+P"}, {"杏", "成香", "+L"}, {"杏", "杏", "+L"},   {"圭", "成桂", "+N"},
                 {"圭", "圭", "+N"}, {"全", "成銀", "+S"}, {"全", "全", "+S"},   {"馬", "馬", "+B"},
                 {"龍", "龍", "+R"}, {"竜", "竜", "+R"},   {"龍", "竜", "+R"},   {"王", "玉", "K"},
                 {"玉", "王", "K"},  {"金", "金", "G"},    {"銀", "銀", "S"},    {"歩", "歩", "P"},
                 {"香", "香", "L"},  {"飛", "飛", "R"},    {"銀", "銀不成", "S"}};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        static const char empty[] = "| ・ ・ ・ ・ ・ ・ ・ ・ ・|";
        char text[1500];
        char line[100];
        snprintf(text, sizeof text,
                 "手合割：その他\n後手の持ち駒：\n  ９ ８ ７ ６ ５ ４ ３ ２ １\n+---------------------------+\n"
                 "%s一\n%s二\n%s三\n%s四\n| ・ ・ ・ ・ %s ・ ・ ・v玉|五\n%s六\n%s七\n%s八\n%s九\n"
                 "+---------------------------+\n先手の持ち駒：桂三　歩十一　\n手数＝12  ▲５五歩  まで\n"
                 "先手番\n\n   13 ５四%s(55)\n",
                 empty, empty, empty, empty, names[i].diagram, empty, empty, empty, empty, names[i].move);
        snprintf(line, sizeof line, "9/9/9/9/4%s3k/9/9/9/9 b 3N11P 13\t5e5d\t-\t-\t-\n", names[i].letter);
        assert_kif_lines(text, line);
    }
}

/* After a move by black it is white's turn; the results are for black. */
TEST(kif_games_end_in_many_ways) {
    static const struct {
        const char *word;
        const char *result;
    } ends[] = {{"投了", "1\t0"},      {"詰み", "1\t0"},      {"切れ負け", "1\t0"},      {"反則負け", "1\t0"},
                {"反則勝ち", "-1\t0"}, {"入玉勝ち", "-1\t2"}, {"入玉宣言勝ち", "-1\t2"}, {"宣言勝ち", "-1\t2"},
                {"千日手", "0\t1"},    {"持将棋", "0\t2"},    {"最大手数", "0\t4"},      {"引き分け", "0\t0"},
                {"引分け", "0\t0"},    {"中断", "-\t-"},      {"封じ手", "-\t-"},        {"不詰", "-\t-"},
                {"待った", "-\t-"},    {"不戦敗", "-\t-"},    {"エラー", "-\t-"}};
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
        char text[200];
        char line[200];
        snprintf(text, sizeof text, "   1 ２六歩(27)   ( 0:01/00:00:01)\n   2 %s         ( 0:01/00:00:01)\nまで1手\n",
                 ends[i].word);
        snprintf(line, sizeof line, "%s b - 1\t2g2f\t-\t%s\n", START, ends[i].result);
        assert_kif_lines(text, line);
    }
}

TEST(bad_kif_is_explained) {
    static const mistake mistakes[] = {
        {"手合割：百枚落ち\n1 ７六歩(77)\n", "line 2: moves begin, the handicap"},
        {"手合割：その他\n1 ７六歩(77)\n", "line 2: moves begin, and there is no diagram"},
        {"1 ７六歩(77)\n2 ３四歩(33)\n4 ２六歩(27)\n", "line 3: the numbers"},
        {"1 ７六歩(77)\n1 ７六歩(77)\n", "line 2: the numbers"},
        {"1 七\n", "line 1: expected a square"},
        {"1 ０六歩(77)\n", "line 1: expected a square"},
        {"1 ７六(77)\n", "line 1: expected a piece"},
        {"1 ７六歩\n", "line 1: expected 打"},
        {"1 ７六歩(7)\n", "line 1: expected 打"},
        {"1 ７六歩(77\n", "line 1: expected 打"},
        {"1 ７六香(77)\n", "line 1: the piece that moves is not on its square"},
        {"1 ７六と(77)\n", "line 1: the piece that moves is not on its square"},
        {"1 ７五歩(77)\n", "line 1: "},
        {"1 ３四歩(33)\n", "line 1: "},
        {"1 ５五歩打\n", "line 1: "},
        {"1 ５五と打\n", "line 1: kings and promoted pieces"},
        {"1 同　歩(77)\n", "line 1: 同"},
        {"1 投了\n2 ７六歩(77)\n", "line 2: a move after the end"},
        {"|v香\n", "line 1: expected 9 squares"},
        {"|v香v桂v銀v金v玉v金v銀v桂v香\n", "line 1: expected |"},
        {"|v鬼\n", "line 1: expected a piece in the diagram"},
        {"|v香v桂v銀v金v玉v金v銀v桂v香|一\n1 ７六歩(77)\n", "line 2: moves begin, and the diagram"},
        {"先手の持駒：玉\n", "line 1: expected pieces in hand"},
        {"先手の持駒：飛三\n", "line 1: "},
        {"先手の持駒：飛二\n1 ７六歩(77)\n", "line 2: "},
    };
    assert_mistakes(kz_shogi_read_kif, mistakes, sizeof mistakes / sizeof *mistakes);
    char text[2000];
    size_t length = 0;
    for (int rank = 0; rank < 10; rank++) {
        length += (size_t)snprintf(text + length, sizeof text - length, "| ・ ・ ・ ・ ・ ・ ・ ・ ・|\n");
    }
    const mistake tall = {text, "line 10: a diagram has 9 ranks"};
    assert_mistakes(kz_shogi_read_kif, &tall, 1);
    assert_goes_on(
        kz_shogi_read_kif,
        "手合割：平手\n1 ７六歩(77)\n2 投了\n変化：1手\n1 ２六歩(27)\n手合割：平手\n1 ７五歩(77)\n2 ３四歩(33)\n"
        "手合割：香落ち\n1 ３四歩(33)\n2 ７六歩(77)\n",
        "line 7: ", 3);
}

/* ---- KI2 --------------------------------------------------------------------------------------------------------- */

TEST(ki2_words_tell_pieces_apart) {
    /* Three golds and two dragons: the square that each word means. */
    static const struct {
        const char *sfen;
        const char *move;
        const char *usi;
    } cases[] = {
        {"4k4/9/9/9/9/9/3GGG3/9/4K4 b - 1", "▲５六金右", "4g5f"},
        {"4k4/9/9/9/9/9/3GGG3/9/4K4 b - 1", "▲５六金直", "5g5f"},
        {"4k4/9/9/9/9/9/3GGG3/9/4K4 b - 1", "▲５六金左", "6g5f"},
        {"4k4/9/9/9/9/9/4G4/3G5/4K4 b - 1", "▲５八金引", "5g5h"},
        {"4k4/9/9/9/9/9/4G4/3G5/4K4 b - 1", "▲５八金寄", "6h5h"},
        {"4k4/9/9/9/9/9/3S5/5S3/4K4 b - 1", "▲５七銀上", "4h5g"},
        {"4k4/9/9/9/9/3S5/9/5S3/4K4 b - 1", "▲５七銀上", "4h5g"},
        {"4k4/9/9/9/9/3S5/9/5S3/4K4 b - 1", "▲５七銀引", "6f5g"},
        {"4k4/9/9/+R7+R/9/9/9/9/4K4 b - 1", "▲５四竜右", "1d5d"},
        {"4k4/9/9/+R7+R/9/9/9/9/4K4 b - 1", "▲５四龍左", "9d5d"},
        {"4k4/9/9/9/9/9/9/7R1/4K2R1 b - 1", "▲５八飛", "2h5h"},
        {"4k4/9/9/9/9/9/9/7R1/4K4 b R 1", "▲２四飛打", "R*2d"},
        {"4k4/9/9/9/9/9/9/7R1/4K4 b R 1", "▲２四飛", "2h2d"},
        {"4k4/9/9/9/9/9/9/7R1/4K4 b B 1", "▲２四角", "B*2d"},
        {"4k4/9/9/9/9/9/9/7R1/4K4 b - 1", "▲２三飛成", "2h2c+"},
        {"4k4/9/9/9/9/9/9/7R1/4K4 b - 1", "▲２三飛不成", "2h2c"},
        {"4k4/9/3gg4/9/9/9/9/9/4K4 w - 1", "△５四金直", "5c5d"},
        {"4k4/9/3gg4/9/9/9/9/9/4K4 w - 1", "△５四金右", "6c5d"},
        {"4k4/9/4gg3/9/9/9/9/9/4K4 w - 1", "△５四金左", "4c5d"}, /* on white's left */
        {"4k4/4r4/9/9/9/9/4G4/3G5/4K4 b - 1", "▲５八金", ""},
        {"4k4/4r4/9/9/9/9/4G4/4KG3/9 b - 1", "▲４七金", "4h4g"}, /* pinned */
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        kz_shogi_position position;
        char text[4096];
        size_t length = 0;
        assert_int_equal(kz_shogi_parse_sfen(cases[i].sfen, strlen(cases[i].sfen), &position, NULL, NULL), KZ_OK);
        length += (size_t)snprintf(text, sizeof text, "先手の持駒：%s\n",
                                   position.hand[0][KZ_SHOGI_ROOK]     ? "飛"
                                   : position.hand[0][KZ_SHOGI_BISHOP] ? "角"
                                                                       : "なし");
        for (int rank = 0; rank < 9; rank++) {
            length += (size_t)snprintf(text + length, sizeof text - length, "|");
            for (int file = 8; file >= 0; file--) {
                uint8_t code = position.board[9 * file + rank];
                unsigned kind = code == KZ_SHOGI_EMPTY ? 0 : (unsigned)kz_shogi_code_kind(code);
                static const char *const names[] = {"歩", "香", "桂", "銀", "金", "角", "飛", "玉"};
                length +=
                    (size_t)snprintf(text + length, sizeof text - length, "%s%s", code & KZ_SHOGI_WHITES ? "v" : " ",
                                     code == KZ_SHOGI_EMPTY     ? "・"
                                     : code & KZ_SHOGI_PROMOTED ? "龍"
                                                                : names[kind]);
            }
            length += (size_t)snprintf(text + length, sizeof text - length, "|\n");
        }
        snprintf(text + length, sizeof text - length, "%s%s\n", position.side ? "後手番\n" : "", cases[i].move);
        told_positions *told = nothing_told();
        kz_error error = {.message = ""};
        kz_status status = kz_shogi_read_ki2(text, strlen(text), tell, told, &error);
        char usi[8] = "";
        if (status == KZ_OK) {
            kz_shogi_format_move(told->last.move, usi);
        }
        if (strcmp(usi, cases[i].usi) != 0) {
            fail_msg("%s %s: %s (%s)", cases[i].sfen, cases[i].move, usi, error.message);
        }
        free(told);
    }
}

TEST(ki2_games_end_in_many_ways) {
    static const struct {
        const char *end;
        const char *result; /* for black, who has just moved, and the ending */
    } cases[] = {
        {"まで1手で先手の勝ち", "1\t0"},
        {"まで1手で後手の勝ち", "-1\t0"},
        {"まで1手で後手の反則負け", "1\t0"},
        {"まで1手で後手の反則勝ち", "-1\t0"},
        {"まで1手で時間切れにより先手の勝ち", "1\t0"},
        {"まで1手で千日手", "0\t1"},
        {"まで1手で持将棋", "0\t2"},
        {"まで1手で先手の入玉勝ち", "1\t2"},
        {"まで1手で中断", "-\t-"},
        {"△投了", "1\t0"},
        {"", "-\t-"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[256];
        char line[256];
        snprintf(text, sizeof text, "▲７六歩\n%s\n", cases[i].end);
        snprintf(line, sizeof line, START " b - 1\t7g7f\t-\t%s\n", cases[i].result);
        assert_lines(kz_shogi_read_ki2, text, line);
    }
}

TEST(bad_ki2_is_explained) {
    static const mistake mistakes[] = {
        {"△７六歩\n", "line 1: it is the other side's turn"},
        {"▲７六歩 ▲２六歩\n", "line 1: it is the other side's turn"},
        {"▲７六歩 ３四歩\n", "line 1: expected ▲ or △"},
        {"▲七歩\n", "line 1: expected a square"},
        {"▲７六\n", "line 1: expected a piece"},
        {"▲同　歩\n", "line 1: 同"},
        {"▲７五歩\n", "line 1: no piece can make this move"},
        {"▲５五歩打\n", "line 1: there is no such piece in hand"},
        {"▲５八金\n", "line 1: more than one piece"},
        {"▲７六歩成\n", "line 1: "},
        {"手合割：百枚落ち\n▲７六歩\n", "line 2: moves begin, the handicap"},
        {"▲７六歩\nまで1手で中断\n△３四歩\n", "line 3: a move after the end"},
        {"手合割：平手\n   1 ７六歩(77)\n", "this is no KI2: its moves are those of KIF"},
        {"V2.2\nPI\n", "its lines are those of CSA"},
        {"hello\n", "none of its lines is known"},
    };
    assert_mistakes(kz_shogi_read_ki2, mistakes, sizeof mistakes / sizeof *mistakes);
    assert_goes_on(kz_shogi_read_ki2, "手合割：平手\n▲７五歩\n手合割：平手\n▲７六歩 △３四歩\n", "line 2: ", 2);
}

/* ---- Anything ---------------------------------------------------------------------------------------------------- */

/* Cut and damaged files: whatever they say, nothing is read past their end, and errors have messages. */
TEST(damaged_files_do_no_harm) {
    static const struct {
        const char *name;
        reader *read;
    } files[] = {{"games_all.csa", kz_shogi_read_csa},
                 {"games_1.kif", kz_shogi_read_kif},
                 {"games_2.kif", kz_shogi_read_kif},
                 {"games_3.kif", kz_shogi_read_kif},
                 {"games_all.ki2", kz_shogi_read_ki2}};
    uint64_t random = 1;
    told_positions *told = nothing_told();
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        data_file file = load(files[i].name);
        size_t most = file.size < 4096 ? file.size : 4096;
        for (int round = 0; round < 1500; round++) {
            random = random * 6364136223846793005U + 1442695040888963407U;
            size_t size = round < 500 ? (size_t)round * most / 500 : most;
            char *copy = malloc(size + 1);
            assert_non_null(copy);
            memcpy(copy + 1, file.bytes, size);
            if (round >= 500) {
                copy[1 + (random >> 40) % size] = (char)(random >> 32);
                copy[1 + (random >> 16) % size] = "\n,/%+-P'|"[(random >> 12) % 9];
            }
            kz_error error = {.message = ""};
            told->length = 0;
            kz_status status = files[i].read(copy + 1, size, tell, told, &error);
            assert_int_equal(status != KZ_OK, error.message[0] != '\0');
            free(copy);
        }
        free(file.bytes);
    }
    data_file file = load("games_all.hcpe3");
    for (int round = 0; round < 3000; round++) {
        random = random * 6364136223846793005U + 1442695040888963407U;
        uint8_t *copy = malloc(file.size);
        assert_non_null(copy);
        memcpy(copy, file.bytes, file.size);
        copy[(random >> 40) % (round % 2 ? file.size : 60)] = (uint8_t)(random >> 32);
        size_t used;
        told->length = 0;
        kz_status status = kz_shogi_read_hcpe3(copy, file.size, &used, tell, told, NULL);
        assert_int_equal(used == 0, status == KZ_ERR_INPUT);
        free(copy);
    }
    free(file.bytes);
    free(told);
}

TESTS(NULL, NULL)
