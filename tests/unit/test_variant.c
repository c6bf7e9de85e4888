/* SPDX-License-Identifier: MIT
 *
 * Rules of variants from their texts, compared with Fairy-Stockfish's: legal moves and results of positions from random
 * games (tests/data/variants; tools/variants/run makes them, and compares many more). And texts that are refused.
 *
 * test_variant FOLDER compares with the files of another folder. */
#include "tests/support/testing.h"

#include "games/texts/variant.h"
#include "tests/support/forge.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *folder;

static int compare_texts(const void *left, const void *right) {
    return strcmp(*(char *const *)left, *(char *const *)right);
}

/* The legal moves in order, with blanks between them. */
static void write_moves(const kz_variant *v, const kz_board *b, char *text) {
    static char names[KZ_VARIANT_MOVES][16];
    static char *order[KZ_VARIANT_MOVES];
    kz_move moves[KZ_VARIANT_MOVES];
    int count = kz_variant_moves(v, b, moves);
    for (int i = 0; i < count; i++) {
        kz_variant_write_move(v, b, moves[i], names[i]);
        order[i] = names[i];
    }
    qsort(order, (size_t)count, sizeof *order, compare_texts);
    *text = '\0';
    for (int i = 0; i < count; i++) {
        text += sprintf(text, "%s%s", i ? " " : "", order[i]);
    }
}

static const char *write_result(const kz_variant *v, const kz_board *b, bool stuck) {
    kz_outcome result = kz_variant_result(v, b);
    if (result == KZ_UNKNOWN && stuck) {
        result = kz_variant_in_check(v, b, b->side) ? v->checkmate : v->stalemate;
    }
    bool white = (result == KZ_WIN) == (b->side == KZ_WHITE);
    return result == KZ_UNKNOWN ? "*" : result == KZ_DRAW ? "1/2-1/2" : white ? "1-0" : "0-1";
}

/* FEN, tab, moves, tab, result. */
static void check_line(const kz_variant *v, char *line) {
    static char moves[KZ_VARIANT_MOVES * 16];
    char *expected = strchr(line, '\t');
    assert_non_null(expected);
    *expected++ = '\0';
    char *result = strchr(expected, '\t');
    assert_non_null(result);
    *result++ = '\0';
    kz_board b;
    kz_board again;
    kz_error error;
    char fen[KZ_TEXT_BYTES];
    if (kz_variant_read_fen(v, line, strlen(line), &b, &error) != KZ_OK) {
        fail_msg("%s: %s: %s", v->name, line, error.message);
    }
    write_moves(v, &b, moves);
    const char *own = write_result(v, &b, !moves[0]);
    if (strcmp(own, result) != 0 || (strcmp(result, "*") == 0 && strcmp(moves, expected) != 0)) {
        fail_msg("%s: %s\nexpected %s %s\nbut got  %s %s", v->name, line, result, expected, own, moves);
    }
    kz_variant_write_fen(v, &b, fen);
    assert_int_equal(kz_variant_read_fen(v, fen, strlen(fen), &again, &error), KZ_OK);
    assert_memory_equal(&b, &again, sizeof b);
}

static int check_variant(const char *name) {
    char path[512];
    kz_variant v;
    kz_error error;
    int lines = 0;
    snprintf(path, sizeof path, "%s/%s.ini", folder, name);
    content text = needed_content(path);
    must(kz_variant_parse((const char *)text.bytes, text.size, path, "", &v, &error), &error);
    free(text.bytes);
    snprintf(path, sizeof path, "%s/%s.tsv", folder, name);
    content positions = needed_content(path);
    positions.bytes[positions.size] = '\0';
    for (char *line = strtok((char *)positions.bytes, "\n"); line; line = strtok(NULL, "\n")) {
        check_line(&v, line);
        lines++;
    }
    free(positions.bytes);
    return lines;
}

TEST(test_rules) {
    DIR *directory = opendir(folder);
    assert_non_null(directory);
    int variants = 0;
    for (struct dirent *entry = readdir(directory); entry; entry = readdir(directory)) {
        char name[64];
        size_t length = strlen(entry->d_name);
        if (length > 4 && length < sizeof name && strcmp(entry->d_name + length - 4, ".ini") == 0) {
            snprintf(name, sizeof name, "%.*s", (int)length - 4, entry->d_name);
            int lines = check_variant(name);
            printf("%s: %d positions\n", name, lines);
            assert_true(lines >= 250);
            variants++;
        }
    }
    closedir(directory);
    assert_true(variants >= 12);
}

/* Every text that is not understood is refused, with the line and the column. */
TEST(test_refused) {
    static const struct {
        const char *text;
        const char *reason;
    } cases[] = {
        {"", "there is no [variant]"},
        {"pawn = p\n", "there is no [variant]"},
        {"[a]\nking\n", "line 2, column 1: a key, '=' and a value"},
        {"[a]\nnonsense = 1\n", "line 2, column 1: this key is not supported: 'nonsense'"},
        {"[a:chess]\n\n  castling = true\n", "line 3, column 3: this rule is not supported: 'castling'"},
        {"[a:chess]\nblastOnCapture = true\n", "this rule is not supported: 'blastOnCapture'"},
        {"[a]\nking = k:KX\n", "line 2, column 11: an atom is expected"},
        {"[a]\nking = k:pR\n", "line 2, column 10: this modifier is not supported"},
        {"[a]\nking = kk\n", "line 2, column 8: a letter"},
        {"[a]\nmaxFile = 0\n", "a number from 2 to 12"},
        {"[a:chess]\nmaxFile = 12\n", "at most 64"},
        {"[a:chess]\nflagPiece = x\n", "line 2, column 13: no piece has this letter: 'x'"},
        {"[a:chess]\nflagRegion = z9\n", "line 2, column 14: a square"},
        {"[a:chess]\nstalemateValue = maybe\n", "win, loss or draw"},
        {"[a:chess]\nmustCapture = perhaps\n", "true or false"},
        {"[a:nobody]\n", "no variant to inherit from called 'nobody'"},
        {"[a:a]\nking = k\n", "too deeply"},
        {"[a]\nmaxFile = 5\n", "has no pieces"},
        {"[a]\nking = k\n[b]\nking = k\n", "there are 2 variants in it"},
        {"[a:chess]\npieceDrops = true\ncapturesToHand = true\n", "pawns that promote to pieces of choice"},
        {"\xEF\xBB\xBF[a:chess]\nnonsense = 1\n", "line 2, column 1: this key is not supported"},
        {"# a comment\n king = k\n[a:chess]\n", "line 2, column 2: this stands before the first [variant]: 'king = k'"},
        {"[a:chess]\n[b:chess]\n [A:chess]\n", "line 3, column 3: there are two variants called 'A'"},
        {"[a:chess]\ncheckmateValue = loss\n\n  checkmateValue = win\n",
         "line 4, column 3: this key is there twice: 'checkmateValue'"},
        {"[a]\ncustomPiece1 = x:fmWfceF\n", "line 2, column 23: this modifier is not supported"},
        {"[a:chess]\npromotionPieceTypes = qk\n", "a promotion to a king, is not supported"},
        {"[a:chess]\npromotedPieceType = k:q\n", "a king that promotes"},
        {"[a:chess]\npromotedPieceType = p:r\n", "in both promotionPawnTypes and promotedPieceType"},
        {"[a:chess]\npromotionPieceTypes = qp\n", "promotes to its own kind"},
        {"[a:chess]\ndoubleStepRegionWhite = *1 *2\n", "double steps from another rank than the second"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        kz_variant v;
        kz_error error = {.status = KZ_OK};
        kz_status status = kz_variant_parse(cases[i].text, strlen(cases[i].text), "text", "", &v, &error);
        if (status != KZ_ERR_INPUT || !strstr(error.message, cases[i].reason)) {
            fail_msg("%s\nis refused with '%s', not with '%s'", cases[i].text, error.message, cases[i].reason);
        }
    }
}

/* ---- How many positions there are ------------------------------------------------------------------------------- */

enum { SIDE = 8 };

/* One of the eight images of a chess board. */
static void make_image(const kz_board *b, int image, uint8_t at[KZ_VARIANT_SQUARES]) {
    for (int square = 0; square < SIDE * SIDE; square++) {
        int file = image & 1 ? SIDE - 1 - square % SIDE : square % SIDE;
        int rank = image & 2 ? SIDE - 1 - square / SIDE : square / SIDE;
        at[image & 4 ? file * SIDE + rank : rank * SIDE + file] = b->at[square];
    }
}

static uint64_t count_images(const kz_board *b) {
    uint8_t seen[SIDE][KZ_VARIANT_SQUARES];
    uint64_t count = 0;
    for (int image = 0; image < SIDE; image++) {
        uint64_t same = 0;
        make_image(b, image, seen[count]);
        while (memcmp(seen[same], seen[count], sizeof seen[count]) != 0) {
            same++;
        }
        count += same == count;
    }
    return count;
}

/* Legal positions without folding (docs/credits.md, gilith.com): both kings alone, the bare king to move, and the other
 * side to move. */
TEST(test_counts) {
    static const struct {
        const char *fen;
        uint64_t pieces; /* to move */
    } endings[] = {{"8/8/8/5k2/8/8/1Q6/K7 w - - 0 1", 144508},
                   {"8/8/8/5k2/8/8/1B6/K7 w - - 0 1", 193284},
                   {"8/8/8/5k2/8/8/1N6/K7 w - - 0 1", 205496}};
    enum { KINGS = 3612, BARE = 223944 };
    static kz_variant v;
    const char *texts = kz_variant_texts();
    assert_int_equal(kz_variant_parse(texts, strlen(texts), "chess", "chess", &v, NULL), KZ_OK);
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++) {
        kz_board b;
        kz_variant_index *index;
        uint64_t count = 0;
        assert_int_equal(kz_variant_read_fen(&v, endings[i].fen, strlen(endings[i].fen), &b, NULL), KZ_OK);
        assert_int_equal(kz_variant_index_new(&v, &b, 1, &index, NULL), KZ_OK);
        for (uint64_t number = 0; number < kz_variant_index_size(index); number++) {
            count += kz_variant_unrank(index, number, &b) ? count_images(&b) : 0;
        }
        assert_int_equal(count, KINGS + BARE + endings[i].pieces);
        kz_variant_index_free(index);
    }
}

int main(int count, char **arguments) {
    static char path[1024];
    snprintf(path, sizeof path, "%s/tests/data/variants", getenv("KANZEN_SOURCE") ? getenv("KANZEN_SOURCE") : ".");
    folder = count > 1 ? arguments[1] : path;
    return run_all_tests(__FILE__, NULL, NULL);
}
