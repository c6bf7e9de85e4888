/* SPDX-License-Identifier: MIT
 *
 * Positions of shogi: codes, SFEN and every way to get it wrong, well-formed and legal positions. */
#include "shogi/src/position.h"
#include "shogi/tests/support/shogi_bytes.h"
#include <kanzen/shogi.h>
#include <stdlib.h>
#include <string.h>

#define START "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL"
#define NOTHING "9/9/9/9/9/9/9/9/9"

TEST(defects_have_names) {
    for (int defect = 0; defect < KZ_SHOGI_DEFECTS; defect++) {
        const char *name = kz_shogi_defect_name((kz_shogi_defect)defect);
        const char *text = kz_shogi_defect_text((kz_shogi_defect)defect);
        assert_non_null(name);
        assert_non_null(text);
        assert_true(strlen(text) > 0 && text[strlen(text) - 1] != '.');
        for (int other = 0; other < defect; other++) {
            assert_string_not_equal(name, kz_shogi_defect_name((kz_shogi_defect)other));
            assert_string_not_equal(text, kz_shogi_defect_text((kz_shogi_defect)other));
        }
    }
    assert_string_equal(kz_shogi_defect_name(KZ_SHOGI_FINE), "fine");
    assert_non_null(kz_shogi_defect_name(KZ_SHOGI_DEFECTS));
    assert_non_null(kz_shogi_defect_text((kz_shogi_defect)1000));
}

/* The code book of SSPFv1: pawn 0, lance 100, knight 101, silver 110, gold 1110, bishop 11110, rook 11111. */
TEST(codes_follow_the_prefix_code) {
    static const struct {
        int bits[5];
        int length;
        kz_shogi_kind kind;
    } book[] = {{{0}, 1, KZ_SHOGI_PAWN},
                {{1, 0, 0}, 3, KZ_SHOGI_LANCE},
                {{1, 0, 1}, 3, KZ_SHOGI_KNIGHT},
                {{1, 1, 0}, 3, KZ_SHOGI_SILVER},
                {{1, 1, 1, 0}, 4, KZ_SHOGI_GOLD},
                {{1, 1, 1, 1, 0}, 5, KZ_SHOGI_BISHOP},
                {{1, 1, 1, 1, 1}, 5, KZ_SHOGI_ROOK}};
    for (size_t entry = 0; entry < sizeof book / sizeof book[0]; entry++) {
        unsigned low = 0;
        for (int bit = 0; bit < book[entry].length; bit++) {
            low |= (unsigned)book[entry].bits[bit] << bit;
        }
        assert_int_equal(kz_shogi_code(book[entry].kind, KZ_SHOGI_BLACK), 0x80 | low);
        assert_int_equal(kz_shogi_code(book[entry].kind, KZ_SHOGI_WHITE), 0xC0 | low);
        for (unsigned rest = 0; rest < 32; rest++) {
            if ((rest & ((1U << book[entry].length) - 1)) == low) {
                assert_int_equal(kz_shogi_code_kind((uint8_t)(0x80 | rest)), book[entry].kind);
                assert_int_equal(kz_shogi_code_kind((uint8_t)(0xE0 | rest)), book[entry].kind);
            }
        }
    }
    assert_int_equal(kz_shogi_code(KZ_SHOGI_KING, KZ_SHOGI_WHITE), 0x41);
    assert_int_equal(kz_shogi_code_kind(0x01), KZ_SHOGI_KING);
    assert_int_equal(kz_shogi_code_kind(0x41), KZ_SHOGI_KING);
    assert_int_equal(kz_shogi_code_side(0x41), KZ_SHOGI_WHITE);
    assert_int_equal(kz_shogi_code_side(0x9F), KZ_SHOGI_BLACK);
    int pieces = 0;
    for (int kind = 0; kind < KZ_SHOGI_HAND_KINDS; kind++) {
        pieces += kz_shogi_full_set((kz_shogi_kind)kind);
    }
    assert_int_equal(pieces, KZ_SHOGI_NOT_KINGS);
    assert_int_equal(kz_shogi_full_set(KZ_SHOGI_KING), 2);
}

TEST(only_29_bytes_are_codes) {
    int codes = 0;
    for (int byte = 0; byte < 256; byte++) {
        kz_shogi_position position = {.side = KZ_SHOGI_BLACK};
        position.board[40] = (uint8_t)byte;
        bool fine = kz_shogi_check(&position) == KZ_SHOGI_FINE;
        assert_int_equal(kz_shogi_check(&position), fine ? KZ_SHOGI_FINE : KZ_SHOGI_BAD_CODE);
        codes += fine;
    }
    assert_int_equal(codes, 1 + 2 * (8 + 6));
}

TEST(start_is_the_start) {
    kz_shogi_position start = kz_shogi_start();
    kz_shogi_position read = shogi_parsed(START " b - 1");
    assert_memory_equal(&start, &read, sizeof start);
    assert_int_equal(sizeof start, 96);
    assert_int_equal(kz_shogi_check_legal(&start), KZ_SHOGI_FINE);
    assert_int_equal(kz_shogi_king(&start, KZ_SHOGI_BLACK), 44);
    assert_int_equal(kz_shogi_king(&start, KZ_SHOGI_WHITE), 36);
    /* The rook of black is on 2h, its bishop on 8h; white's lance on 9a is square 72. */
    assert_int_equal(start.board[16], KZ_SHOGI_CODE_ROOK);
    assert_int_equal(start.board[70], KZ_SHOGI_CODE_BISHOP);
    assert_int_equal(start.board[72], KZ_SHOGI_CODE_LANCE | KZ_SHOGI_WHITES);
    for (int kind = 0; kind < KZ_SHOGI_HAND_KINDS; kind++) {
        assert_int_equal(kz_shogi_removed(&start, (kz_shogi_kind)kind), 0);
    }
}

TEST(sfens_come_back) {
    static const char *const sfens[] = {
        START " w - 1",
        NOTHING " b - 1",
        NOTHING " w 2R2B4G4S4N4L18P 2147483647",
        "4k4/9/9/9/9/9/9/9/4K4 b RB2G2S2N2L9Prb2g2s2n2l9p 1",
        "4k4/9/4P4/9/9/9/9/9/9 b G2r2b3g4s4n4l17p 0",
        "+p+p+p+p+pk+p+p+p/+l+n+s+b+r+s+n+l+p/9/g1g6/9/6G1G/9/+L+N+S+B+R+S+N+L+P/+P+P+P+P+PK+P+P+P b - 77",
        "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w RGgsn5p 123",
        "9/9/9/9/5kK2/gGgG+R+B+s+Sr/b+n+N+l+L+S+sN+l/+P+P+P+P+P+P+P+P+P/+p+p+p+p+p+p+p+p+p b NL 1",
    };
    for (size_t i = 0; i < sizeof sfens / sizeof sfens[0]; i++) {
        kz_shogi_position position;
        int ply;
        char text[KZ_SHOGI_SFEN_BYTES];
        assert_int_equal(kz_shogi_parse_sfen(sfens[i], strlen(sfens[i]), &position, &ply, NULL), KZ_OK);
        assert_int_equal(kz_shogi_check(&position), KZ_SHOGI_FINE);
        assert_int_equal(kz_shogi_format_sfen(&position, ply, text), strlen(sfens[i]));
        assert_string_equal(text, sfens[i]);
    }
}

TEST(squares_of_sfen) {
    kz_shogi_position position = shogi_parsed("8R/9/9/9/4+b4/9/9/9/k8 b 2P10pl");
    assert_int_equal(position.board[0], KZ_SHOGI_CODE_ROOK);
    assert_int_equal(position.board[40], KZ_SHOGI_CODE_BISHOP | KZ_SHOGI_PROMOTED | KZ_SHOGI_WHITES);
    assert_int_equal(position.board[80], KZ_SHOGI_CODE_KING | KZ_SHOGI_WHITES);
    assert_int_equal(position.hand[KZ_SHOGI_BLACK][KZ_SHOGI_PAWN], 2);
    assert_int_equal(position.hand[KZ_SHOGI_WHITE][KZ_SHOGI_PAWN], 10);
    assert_int_equal(position.hand[KZ_SHOGI_WHITE][KZ_SHOGI_LANCE], 1);
    assert_int_equal(kz_shogi_king(&position, KZ_SHOGI_BLACK), KZ_SHOGI_NO_SQUARE);
    assert_int_equal(kz_shogi_king(&position, KZ_SHOGI_WHITE), 80);
    assert_int_equal(kz_shogi_removed(&position, KZ_SHOGI_PAWN), 6);
    assert_int_equal(kz_shogi_removed(&position, KZ_SHOGI_LANCE), 3);
    assert_int_equal(kz_shogi_removed(&position, KZ_SHOGI_BISHOP), 1);
    assert_int_equal(kz_shogi_removed(&position, KZ_SHOGI_ROOK), 1);
    assert_int_equal(kz_shogi_removed(&position, KZ_SHOGI_GOLD), 4);
}

TEST(other_writers_are_understood) {
    static const struct {
        const char *written;
        const char *usual;
    } texts[] = {
        {"  " START "   b   -   7 \r\n", START " b - 7"},
        {START " b -", START " b - 1"},
        {"45/333/9/9/9/9/9/9/9 b 1p1PrR 3", NOTHING " b RPrp 3"},
        {"lnsgk4/9/ppppppppp/9/9/9/PPPPPPPPP/9/LNSGK4 w GBRgbr 1",
         "lnsgk4/9/ppppppppp/9/9/9/PPPPPPPPP/9/LNSGK4 w RBGrbg 1"},
    };
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        kz_shogi_position position;
        int ply;
        char text[KZ_SHOGI_SFEN_BYTES];
        assert_int_equal(kz_shogi_parse_sfen(texts[i].written, strlen(texts[i].written), &position, &ply, NULL), KZ_OK);
        kz_shogi_format_sfen(&position, ply, text);
        assert_string_equal(text, texts[i].usual);
    }
}

TEST(mistakes_are_pointed_at) {
    static const struct {
        const char *text;
        const char *message;
    } mistakes[] = {
        {"", "character 1 (end of the text): the board is missing"},
        {"   ", "character 1 (end of the text): the board is missing"},
        {"lnsgkgsnx", "character 9 ('x'): a square is one of"},
        {"lnsgkgsn0", "character 9 ('0'): a square is one of"},
        {"lnsg\tgsnl", "character 5 (byte 0x09): a square is one of"},
        {"9/lnsgkgsnl1", "character 12 ('1'): rank 2 has more than 9 squares"},
        {"9/1lnsgkgsnl", "character 12 ('l'): rank 2 has more than 9 squares"},
        {"9/lnsgkgsn2", "character 11 ('2'): rank 2 has more than 9 squares"},
        {"9/lnsgkgsn/9", "character 11 ('/'): rank 2 has only 8 of 9 squares"},
        {"9/lns", "character 6 (end of the text): rank 2 has only 3 of 9 squares"},
        {"9//9", "character 3 ('/'): rank 2 has only 0 of 9 squares"},
        {"9/9/9 b - 1", "character 6 (' '): the board has only 3 of 9 ranks"},
        {"9/9/9", "character 6 (end of the text): the board has only 3 of 9 ranks"},
        {NOTHING "/9 b - 1", "character 18 ('/'): the board has more than 9 ranks"},
        {"8+G/9", "character 3 ('G'): a gold is never promoted"},
        {"8+k/9", "character 3 ('k'): a king is never promoted"},
        {"+9/9", "character 2 ('9'): a piece must follow '+'"},
        {"8+/9", "character 3 ('/'): a piece must follow '+'"},
        {"8+", "character 3 (end of the text): a piece must follow '+'"},
        {"++p8/9", "character 2 ('+'): a piece must follow '+'"},
        {"rrr6/9", "character 3 ('r'): there are only 2 rooks"},
        {"b+B6b/9", "character 5 ('b'): there are only 2 bishops"},
        {"k7k/9", "character 3 ('k'): white has two kings"},
        {"K7k/8K", "character 6 ('K'): black has two kings"},
        {START, "character 58 (end of the text): the side to move is missing"},
        {START " ", "character 58 (end of the text): the side to move is missing"},
        {START " B - 1", "character 59 ('B'): the side to move is b or w"},
        {START " - 1", "character 59 ('-'): the side to move is b or w"},
        {START " black - 1", "character 60 ('l'): a space must follow the side to move"},
        {START " b", "character 60 (end of the text): the pieces in hand are missing"},
        {NOTHING " b 0P 1", "character 21 ('0'): the count of pieces in hand begins with 1 to 9"},
        {NOTHING " b R02P 1", "character 22 ('0'): the count of pieces in hand begins with 1 to 9"},
        {NOTHING " b 19P 1", "character 21 ('1'): there are only 18 pawns"},
        {NOTHING " b 10P9p 1", "character 24 ('9'): there are only 18 pawns"},
        {NOTHING " b 99999999999999999999p 1", "character 21 ('9'): there are only 18 pawns"},
        {NOTHING " b PP 1", "character 22 ('P'): this piece in hand is given twice"},
        {NOTHING " b 2GR3G 1", "character 25 ('G'): this piece in hand is given twice"},
        {NOTHING " b K 1", "character 21 ('K'): a king is never in hand"},
        {NOTHING " b 2k 1", "character 22 ('k'): a king is never in hand"},
        {NOTHING " b 2 1", "character 22 (' '): a piece must follow the count"},
        {NOTHING " b 2", "character 22 (end of the text): a piece must follow the count"},
        {NOTHING " b +P 1", "character 21 ('+'): pieces in hand are not promoted"},
        {NOTHING " b P- 1", "character 22 ('-'): '-' stands alone"},
        {NOTHING " b -P 1", "character 22 ('P'): '-' stands alone"},
        {NOTHING " b x 1", "character 21 ('x'): a piece in hand is one of"},
        {START " b R 1", "character 61 ('R'): there are only 2 rooks"},
        {START " b - x", "character 63 ('x'): the move number is not a number"},
        {START " b - -1", "character 63 ('-'): the move number is not a number"},
        {START " b - 01", "character 63 ('0'): the move number begins with 0"},
        {START " b - 2147483648", "character 63 ('2'): the move number is too large"},
        {START " b - 99999999999999999999999999", "character 63 ('9'): the move number is too large"},
        {START " b - 1x", "character 64 ('x'): nothing follows the move number"},
        {START " b - 1 moves 7g7f", "character 64 (' '): nothing follows the move number"},
    };
    for (size_t i = 0; i < sizeof mistakes / sizeof mistakes[0]; i++) {
        kz_shogi_position position = kz_shogi_start();
        kz_shogi_position before = position;
        int ply = -7;
        kz_error error = {KZ_OK, ""};
        assert_int_equal(kz_shogi_parse_sfen(mistakes[i].text, strlen(mistakes[i].text), &position, &ply, &error),
                         KZ_ERR_INPUT);
        if (strncmp(error.message, mistakes[i].message, strlen(mistakes[i].message)) != 0) {
            fail_msg("\"%s\": \"%s\" is not \"%s\"", mistakes[i].text, error.message, mistakes[i].message);
        }
        assert_int_equal(ply, -7);
        assert_memory_equal(&position, &before, sizeof before);
    }
}

/* Whatever one changed, added or missing character makes of an SFEN: it is refused, or it is well-formed and comes
 * back. The text has no byte after its end, so that the sanitizers see every step too far. */
TEST(damaged_sfens) {
    static const char sfen[] = "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w RGgsn5p 12";
    size_t length = sizeof sfen - 1;
    int taken = 0;
    for (size_t at = 0; at < length; at++) {
        for (int byte = -2; byte < 256; byte++) {
            size_t size = byte == -2 ? at : byte == -1 ? length - 1 : length;
            char *text = malloc(size > 0 ? size : 1);
            assert_non_null(text);
            memcpy(text, sfen, at);
            if (byte == -1) {
                memcpy(text + at, sfen + at + 1, length - at - 1);
            } else if (byte >= 0) {
                memcpy(text + at, sfen + at, length - at);
                text[at] = (char)byte;
            }
            kz_shogi_position position;
            kz_shogi_position again;
            int ply;
            if (kz_shogi_parse_sfen(text, size, &position, &ply, NULL) == KZ_OK) {
                char usual[KZ_SHOGI_SFEN_BYTES];
                size_t usual_size = kz_shogi_format_sfen(&position, ply, usual);
                assert_int_equal(kz_shogi_check(&position), KZ_SHOGI_FINE);
                assert_int_equal(kz_shogi_parse_sfen(usual, usual_size, &again, NULL, NULL), KZ_OK);
                assert_memory_equal(&position, &again, sizeof again);
                taken++;
            }
            free(text);
        }
    }
    assert_true(taken > 100);
}

TEST(ill_formed_positions) {
    kz_shogi_position position = kz_shogi_start();
    position.side = 2;
    assert_int_equal(kz_shogi_check(&position), KZ_SHOGI_BAD_SIDE);
    position = kz_shogi_start();
    position.board[40] = KZ_SHOGI_CODE_KING;
    assert_int_equal(kz_shogi_check(&position), KZ_SHOGI_TWO_KINGS);
    position.board[40] = KZ_SHOGI_CODE_GOLD | KZ_SHOGI_PROMOTED;
    assert_int_equal(kz_shogi_check(&position), KZ_SHOGI_BAD_CODE);
    for (int kind = 0; kind < KZ_SHOGI_HAND_KINDS; kind++) {
        position = kz_shogi_start();
        position.board[40] = kz_shogi_code((kz_shogi_kind)kind, KZ_SHOGI_WHITE);
        assert_int_equal(kz_shogi_check(&position), KZ_SHOGI_OVERFULL);
        for (int count = 1; count < 256; count += 127) {
            position = kz_shogi_start();
            position.hand[KZ_SHOGI_WHITE][kind] = (uint8_t)count;
            assert_int_equal(kz_shogi_check(&position), KZ_SHOGI_OVERFULL);
        }
    }
}

TEST(illegal_positions) {
    static const struct {
        const char *sfen;
        kz_shogi_defect defect;
    } cases[] = {
        {"4k4/9/9/9/9/9/9/9/4K4 b - 1", KZ_SHOGI_FINE},         {"9/9/9/9/9/9/9/9/4K4 b - 1", KZ_SHOGI_NO_KING},
        {"4k4/9/9/9/9/9/9/9/9 b - 1", KZ_SHOGI_NO_KING},        {"4k4/9/P8/9/9/9/P8/9/4K4 b - 1", KZ_SHOGI_TWO_PAWNS},
        {"4k4/9/p8/9/9/9/p8/9/4K4 b - 1", KZ_SHOGI_TWO_PAWNS},  {"4k4/9/p8/9/9/9/P8/9/4K4 b - 1", KZ_SHOGI_FINE},
        {"4k4/9/+P8/9/9/9/P8/9/4K4 b - 1", KZ_SHOGI_FINE},      {"4k4/9/9/9/9/9/7PP/9/4K4 b - 1", KZ_SHOGI_FINE},
        {"P3k4/9/9/9/9/9/9/9/4K4 b - 1", KZ_SHOGI_DEAD_PIECE},  {"L3k4/9/9/9/9/9/9/9/4K4 b - 1", KZ_SHOGI_DEAD_PIECE},
        {"N3k4/9/9/9/9/9/9/9/4K4 b - 1", KZ_SHOGI_DEAD_PIECE},  {"4k4/N8/9/9/9/9/9/9/4K4 b - 1", KZ_SHOGI_DEAD_PIECE},
        {"4k4/PL7/N8/9/9/9/n8/pl7/4K4 b - 1", KZ_SHOGI_FINE},   {"4k4/9/9/9/9/9/9/n8/4K4 b - 1", KZ_SHOGI_DEAD_PIECE},
        {"4k4/9/9/9/9/9/9/9/p3K4 b - 1", KZ_SHOGI_DEAD_PIECE},  {"4k4/9/9/9/9/9/9/9/l3K4 b - 1", KZ_SHOGI_DEAD_PIECE},
        {"p3k4/1n7/9/9/9/9/9/1N7/P3K4 b - 1", KZ_SHOGI_FINE},   {"+P3k4/+N+L7/9/9/9/9/9/9/4K4 b - 1", KZ_SHOGI_FINE},
        {"4k4/4G4/9/9/9/9/9/9/4K4 b - 1", KZ_SHOGI_KING_HANGS}, {"4k4/4G4/9/9/9/9/9/9/4K4 w - 1", KZ_SHOGI_FINE},
        {"4k4/9/9/9/9/9/9/9/r3K4 w - 1", KZ_SHOGI_KING_HANGS},  {"4k4/9/9/9/9/9/9/9/r2PK4 w - 1", KZ_SHOGI_FINE},
        {"4k4/9/9/9/9/9/3n5/9/4K4 w - 1", KZ_SHOGI_KING_HANGS}, {"4k4/9/3N5/9/9/9/9/9/4K4 b - 1", KZ_SHOGI_KING_HANGS},
        {"4k4/9/9/9/9/9/9/9/4K3n w - 1", KZ_SHOGI_DEAD_PIECE},  {"9/9/9/4k4/4K4/9/9/9/9 w - 1", KZ_SHOGI_KING_HANGS},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        kz_shogi_position position = shogi_parsed(cases[i].sfen);
        if (kz_shogi_check_legal(&position) != cases[i].defect) {
            fail_msg("%s: %s", cases[i].sfen, kz_shogi_defect_name(kz_shogi_check_legal(&position)));
        }
    }
    kz_shogi_position position = kz_shogi_start();
    position.hand[0][0] = 1;
    assert_int_equal(kz_shogi_check_legal(&position), KZ_SHOGI_OVERFULL);
}

TESTS(NULL, NULL)
