/* SPDX-License-Identifier: MIT
 *
 * The list of records, notes in records of fixed size, and positions in text. */
#include "shogi/tests/support/shogi_bytes.h"

#define START "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1"

static const char *move_text(kz_shogi_move move) {
    static char text[8];
    kz_shogi_format_move(move, text);
    return text;
}

TEST(records_have_names) {
    static const char *const names[] = {"sspf",  "sspfx", "sspfc", "psfen", "hcp", "psv", "sspv", "hcpe", "hcpe2",
                                        "hcpe3", "sfen",  "plain", "csa",   "kif", "usi", "ki2",  "pack", "nshogi"};
    static const size_t bytes[] = {32, 32, 32, 32, 32, 40, 40, 38, 38, 0, 0, 0, 0, 0, 0, 0, 0, 0};
    assert_int_equal(sizeof names / sizeof *names, KZ_SHOGI_RECORDS);
    for (int i = 0; i < KZ_SHOGI_RECORDS; i++) {
        const kz_shogi_record_info *info = kz_shogi_record_at((kz_shogi_record)i);
        assert_string_equal(info->name, names[i]);
        assert_int_equal(info->bytes, bytes[i]);
        assert_int_equal(kz_shogi_record_named(names[i]), i);
        assert_true(info->summary[0] != '\0');
        assert_int_equal(info->bytes != 0, i < KZ_SHOGI_FIXED_RECORDS);
    }
    assert_int_equal(kz_shogi_record_named("pgn"), KZ_SHOGI_RECORDS);
    assert_int_equal(kz_shogi_record_named(""), KZ_SHOGI_RECORDS);
}

/* Published records: the same position, score, move and result as psv and as hcpe (which has no ply). */
static const struct {
    const char *psv;
    const char *hcpe;
    const char *move;
} pairs[] = {{"58a451220ceb67127e96f34d8483447824c22b119e53121ceb6f223e9691240c880005030000ff00",
              "58a449210cd757117e8eed2d8485427814c2ab109e4d112cd75f213e8e89220c880005030200", "1g1f"},
             {"58a451220ceb67127e96f34d8483447824c22b119e53121ceb6f223e9691240c88000d070000ff00",
              "58a449210cd757117e8eed2d8485427814c2ab109e4d112cd75f213e8e89220c88000d070200", "2f2e"},
             {"58a451220ceb67127e96f34d8483447824c22b119e53121ceb6f223e9691240c880014a30000ff00",
              "58a449210cd757117e8eed2d8485427814c2ab109e4d112cd75f213e8e89220c880014630200", "8h3c+"}};

TEST(published_pairs_agree) {
    const kz_shogi_codec *psfen = kz_shogi_codec_for(KZ_SHOGI_PSFEN, NULL);
    const kz_shogi_codec *hcp = kz_shogi_codec_for(KZ_SHOGI_HCP, NULL);
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        uint8_t psv[40];
        uint8_t hcpe[38];
        uint8_t again[40];
        kz_shogi_position one;
        kz_shogi_position other;
        kz_shogi_note note;
        kz_shogi_note same;
        from_hex(pairs[i].psv, psv);
        from_hex(pairs[i].hcpe, hcpe);
        assert_int_equal(psfen->unpack(psv, &one), KZ_SHOGI_FINE);
        assert_int_equal(hcp->unpack(hcpe, &other), KZ_SHOGI_FINE);
        assert_memory_equal(&one, &other, sizeof one);
        assert_int_equal(one.side, KZ_SHOGI_BLACK);

        assert_int_equal(kz_shogi_read_note(KZ_SHOGI_RECORD_PSV, KZ_SHOGI_YANEURAOU, psv, one.side, &note),
                         KZ_SHOGI_FINE);
        assert_int_equal(note.score, 0x88);
        assert_int_equal(note.result, -1);
        assert_int_equal(note.ply, 0);
        assert_int_equal(note.has, kz_shogi_record_at(KZ_SHOGI_RECORD_PSV)->holds);
        assert_string_equal(move_text(note.move), pairs[i].move);
        assert_int_equal(kz_shogi_read_note(KZ_SHOGI_RECORD_HCPE, KZ_SHOGI_APERY, hcpe, one.side, &same),
                         KZ_SHOGI_FINE);
        assert_int_equal(same.score, note.score);
        assert_int_equal(same.result, note.result);
        assert_memory_equal(&same.move, &note.move, sizeof note.move);
        assert_int_equal(same.has, KZ_SHOGI_HAS_SCORE | KZ_SHOGI_HAS_MOVE | KZ_SHOGI_HAS_RESULT);

        memset(again, 0xAA, sizeof again);
        assert_int_equal(psfen->pack(&other, again), KZ_SHOGI_FINE);
        kz_shogi_write_note(KZ_SHOGI_RECORD_PSV, KZ_SHOGI_YANEURAOU, &same, other.side, again);
        assert_memory_equal(again, psv, 40);
        memset(again, 0xAA, sizeof again);
        assert_int_equal(hcp->pack(&one, again), KZ_SHOGI_FINE);
        kz_shogi_write_note(KZ_SHOGI_RECORD_HCPE, KZ_SHOGI_APERY, &note, one.side, again);
        assert_memory_equal(again, hcpe, 38);
        assert_int_equal(again[38], 0xAA);
    }
}

/* hcpe: 1 black won, 2 white won; psv: 1 the side to move won. */
TEST(results_follow_the_side) {
    for (int side = 0; side < 2; side++) {
        for (int winner = 0; winner < 3; winner++) {
            int expected = winner == 0 ? 0 : (winner == 1) == (side == KZ_SHOGI_BLACK) ? 1 : -1;
            uint8_t bytes[40] = {0};
            uint8_t psv[40];
            uint8_t hcpe[40];
            kz_shogi_note note;
            bytes[36] = (uint8_t)winner;
            memset(psv, 0xAA, sizeof psv);
            memset(hcpe, 0xAA, sizeof hcpe);
            assert_int_equal(
                kz_shogi_read_note(KZ_SHOGI_RECORD_HCPE, KZ_SHOGI_APERY, bytes, (kz_shogi_side)side, &note),
                KZ_SHOGI_FINE);
            assert_int_equal(note.result, expected);
            kz_shogi_write_note(KZ_SHOGI_RECORD_SSPV, KZ_SHOGI_YANEURAOU, &note, (kz_shogi_side)side, psv);
            assert_int_equal((int8_t)psv[38], expected);
            assert_int_equal(psv[39], 0);
            kz_shogi_write_note(KZ_SHOGI_RECORD_HCPE, KZ_SHOGI_APERY, &note, (kz_shogi_side)side, hcpe);
            assert_int_equal(hcpe[36], winner);
            assert_int_equal(hcpe[37], 0);
        }
    }
}

TEST(endings_are_bits_of_hcpe2) {
    for (unsigned byte = 0; byte < 256; byte++) {
        uint8_t bytes[38] = {0};
        uint8_t again[38] = {0};
        kz_shogi_note note;
        bytes[36] = (uint8_t)byte;
        kz_shogi_defect defect =
            kz_shogi_read_note(KZ_SHOGI_RECORD_HCPE2, KZ_SHOGI_APERY, bytes, KZ_SHOGI_WHITE, &note);
        if (byte >= 32 || byte % 4 == 3) {
            assert_int_equal(defect, KZ_SHOGI_BAD_RESULT);
            assert_int_equal(note.has, KZ_SHOGI_HAS_SCORE | KZ_SHOGI_HAS_MOVE);
            continue;
        }
        assert_int_equal(defect, KZ_SHOGI_FINE);
        assert_int_equal(note.ending, (byte & 4 ? KZ_SHOGI_BY_REPETITION : 0) | (byte & 8 ? KZ_SHOGI_BY_ENTERING : 0) |
                                          (byte & 16 ? KZ_SHOGI_BY_LENGTH : 0));
        kz_shogi_write_note(KZ_SHOGI_RECORD_HCPE2, KZ_SHOGI_APERY, &note, KZ_SHOGI_WHITE, again);
        assert_memory_equal(again, bytes, sizeof bytes);
        /* hcpe has no endings. */
        kz_shogi_write_note(KZ_SHOGI_RECORD_HCPE, KZ_SHOGI_APERY, &note, KZ_SHOGI_WHITE, again);
        assert_int_equal(again[36], byte & 3);
    }
}

TEST(psv_keeps_every_byte) {
    /* score -2, move 7g7f (from 60 to 59) in the dialect of YaneuraOu, ply 513, won, extra 1. */
    static const uint8_t tail[8] = {0xFE, 0xFF, (59 | 60 << 7) & 0xFF, 60 << 7 >> 8, 1, 2, 1, 1};
    uint8_t bytes[40] = {0};
    uint8_t again[40] = {0};
    kz_shogi_note note;
    memcpy(bytes + 32, tail, 8);
    assert_int_equal(kz_shogi_read_note(KZ_SHOGI_RECORD_SSPV, KZ_SHOGI_YANEURAOU, bytes, KZ_SHOGI_WHITE, &note),
                     KZ_SHOGI_FINE);
    assert_int_equal(note.score, -2);
    assert_string_equal(move_text(note.move), "7g7f");
    assert_int_equal(note.ply, 513);
    assert_int_equal(note.result, 1);
    assert_int_equal(note.extra, 1);
    kz_shogi_write_note(KZ_SHOGI_RECORD_PSV, KZ_SHOGI_YANEURAOU, &note, KZ_SHOGI_WHITE, again);
    assert_memory_equal(again, bytes, sizeof bytes);
    /* Members that are not there are written as 0. */
    note.has = 0;
    kz_shogi_write_note(KZ_SHOGI_RECORD_PSV, KZ_SHOGI_YANEURAOU, &note, KZ_SHOGI_WHITE, again);
    memset(bytes, 0, sizeof bytes);
    assert_memory_equal(again, bytes, sizeof bytes);
}

TEST(bad_notes_are_noticed) {
    uint8_t bytes[40] = {0};
    kz_shogi_note note;
    bytes[32] = 7;
    bytes[34] = 127; /* to: no square */
    bytes[36] = 9;
    bytes[38] = 1;
    assert_int_equal(kz_shogi_read_note(KZ_SHOGI_RECORD_PSV, KZ_SHOGI_YANEURAOU, bytes, KZ_SHOGI_BLACK, &note),
                     KZ_SHOGI_BAD_MOVE);
    assert_int_equal(note.move.special, KZ_SHOGI_NONE);
    assert_int_equal(note.has & KZ_SHOGI_HAS_MOVE, 0);
    assert_int_equal(note.score, 7);
    assert_int_equal(note.ply, 9);
    assert_int_equal(note.result, 1);
    bytes[34] = 0;
    bytes[38] = 2;
    assert_int_equal(kz_shogi_read_note(KZ_SHOGI_RECORD_PSV, KZ_SHOGI_YANEURAOU, bytes, KZ_SHOGI_BLACK, &note),
                     KZ_SHOGI_BAD_RESULT);
    assert_int_equal(note.has & KZ_SHOGI_HAS_RESULT, 0);
    bytes[36] = 3;
    assert_int_equal(kz_shogi_read_note(KZ_SHOGI_RECORD_HCPE, KZ_SHOGI_APERY, bytes, KZ_SHOGI_BLACK, &note),
                     KZ_SHOGI_BAD_RESULT);
    /* A record that is nothing but a position is not looked at. */
    assert_int_equal(kz_shogi_read_note(KZ_SHOGI_RECORD_HCP, KZ_SHOGI_APERY, NULL, KZ_SHOGI_BLACK, &note),
                     KZ_SHOGI_FINE);
    assert_int_equal(note.has, 0);
}

TEST(dialects_give_themselves_away) {
    enum { YANEURAOU = 1 << KZ_SHOGI_YANEURAOU, DROPS_82 = 1 << KZ_SHOGI_DROPS_82, APERY = 1 << KZ_SHOGI_APERY };
    assert_int_equal(kz_shogi_possible_dialects(59 | 60 << 7), YANEURAOU | DROPS_82 | APERY);
    assert_int_equal(kz_shogi_possible_dialects(0), YANEURAOU | DROPS_82 | APERY);
    assert_int_equal(kz_shogi_possible_dialects(10 | 70 << 7 | 1 << 15), YANEURAOU);        /* 8h2b+ */
    assert_int_equal(kz_shogi_possible_dialects(10 | 70 << 7 | 1 << 14), DROPS_82 | APERY); /* 8h2b+, or type 70 */
    assert_int_equal(kz_shogi_possible_dialects(40 | 81 << 7), APERY);                      /* P*5e */
    assert_int_equal(kz_shogi_possible_dialects(40 | 88 << 7), DROPS_82);                   /* G*5e */
    assert_int_equal(kz_shogi_possible_dialects(40 | 85 << 7), DROPS_82 | APERY);
    assert_int_equal(kz_shogi_possible_dialects(40 | 7 << 7 | 1 << 14), YANEURAOU | DROPS_82 | APERY);
    assert_int_equal(kz_shogi_possible_dialects(100), 0);
}

/* ---- Text -------------------------------------------------------------------------------------------------------- */

/* Reads from a copy without anything behind it, so that sanitizers see what reads on. */
static kz_status read_sfen_line(const char *text, kz_shogi_position *position, kz_shogi_note *note, kz_error *error) {
    size_t length = strlen(text);
    char *copy = malloc(length + 1);
    char *begin = copy + 1;
    memcpy(begin, text, length);
    kz_status status = kz_shogi_read_sfen_line(begin, length, position, note, error);
    free(copy);
    return status;
}

TEST(sfen_lines_have_many_forms) {
    static const struct {
        const char *line;
        const char *sfen; /* expected */
    } lines[] = {
        {START, START},
        {"sfen " START "\r\n", START},
        {"position sfen " START, START},
        {"  startpos", START},
        {"position startpos", START},
        {"lnsgkgsnl/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w -",
         "lnsgkgsnl/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1"},
        {"startpos moves 7g7f 3c3d 8h2b+ 3a2b B*5e ",
         "lnsgkg1nl/1r5s1/pppppp1pp/6p2/4B4/2P6/PP1PPPPPP/7R1/LNSGKGSNL w b 6"},
        {"position sfen lnsgkgsnl/1r5b1/ppppppppp/9/9/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL w - 40 moves 3c3d  2g2f",
         "lnsgkgsnl/1r5b1/pppppp1pp/6p2/9/2P4P1/PP1PPPP1P/1B5R1/LNSGKGSNL w - 42"},
    };
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        kz_shogi_position position;
        kz_shogi_note note;
        kz_error error;
        char text[KZ_SHOGI_SFEN_BYTES];
        assert_int_equal(read_sfen_line(lines[i].line, &position, &note, &error), KZ_OK);
        assert_int_equal(note.has, KZ_SHOGI_HAS_PLY);
        assert_int_equal(note.move.special, KZ_SHOGI_NONE);
        kz_shogi_format_sfen(&position, note.ply, text);
        assert_string_equal(text, lines[i].sfen);
    }
}

TEST(bad_sfen_lines_are_explained) {
    static const struct {
        const char *line;
        const char *message; /* a part of it */
    } lines[] = {{"", "character 1"},
                 {"lnsgkgsnl/1r5b1/ppppppxpp/9", "character 23 ('x')"},
                 {"position sfen xxx", "the SFEN after the first 14 characters: character 1 ('x')"},
                 {"startpos move 7g7f", "character 10: expected \"moves\""},
                 {"startpos moves 7g7f 7g7f", "move 2 (7g7f)"},
                 {"startpos moves 7g7f resign", "move 2 (resign)"},
                 {"startpos moves 7g7f ABCDEFGHIJKL", "move 2: character 1"}};
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        kz_shogi_position position;
        kz_shogi_note note;
        kz_error error;
        assert_int_equal(read_sfen_line(lines[i].line, &position, &note, &error), KZ_ERR_INPUT);
        assert_non_null(strstr(error.message, lines[i].message));
        assert_int_equal(read_sfen_line(lines[i].line, &position, &note, NULL), KZ_ERR_INPUT);
    }
}

#define ENTRY "sfen " START "\nmove 7g7f\nscore -123\nply 1\nresult -1\ne\n"

TEST(plain_entries_round_trip) {
    static const char text[] = ENTRY "sfen 4k4/9/9/9/9/9/9/9/4K4 w 2P 77\r\nscore 32767\r\ne\r\n\n" ENTRY;
    kz_shogi_position position;
    kz_shogi_note note;
    kz_error error;
    char again[KZ_SHOGI_PLAIN_BYTES];
    size_t used;
    assert_int_equal(kz_shogi_read_plain(text, sizeof text - 1, &used, &position, &note, &error), KZ_OK);
    assert_int_equal(used, strlen(ENTRY));
    assert_int_equal(note.score, -123);
    assert_int_equal(note.ply, 1);
    assert_int_equal(note.result, -1);
    assert_string_equal(move_text(note.move), "7g7f");
    assert_int_equal(note.has, kz_shogi_record_at(KZ_SHOGI_RECORD_PLAIN)->holds);
    assert_int_equal(kz_shogi_format_plain(&position, &note, again), strlen(ENTRY));
    assert_string_equal(again, ENTRY);

    size_t at = used;
    assert_int_equal(kz_shogi_read_plain(text + at, sizeof text - 1 - at, &used, &position, &note, &error), KZ_OK);
    assert_int_equal(note.has, KZ_SHOGI_HAS_SCORE);
    assert_int_equal(note.score, 32767);
    assert_int_equal(position.hand[KZ_SHOGI_BLACK][KZ_SHOGI_PAWN], 2);
    assert_int_equal(position.side, KZ_SHOGI_WHITE);
    kz_shogi_format_plain(&position, &note, again);
    assert_string_equal(again, "sfen 4k4/9/9/9/9/9/9/9/4K4 w 2P 1\nscore 32767\ne\n");

    at += used;
    assert_int_equal(kz_shogi_read_plain(text + at, sizeof text - 1 - at, &used, &position, &note, &error), KZ_OK);
    assert_int_equal(at + used, sizeof text - 1);
    /* Without its end an entry is cut off, however much of it is there. */
    for (size_t length = 0; length + 2 < sizeof ENTRY; length++) {
        assert_int_equal(kz_shogi_read_plain(ENTRY, length, &used, &position, &note, &error), KZ_ERR_INPUT);
        assert_int_equal(used, 0);
    }
}

TEST(plain_entries_have_room) {
    kz_shogi_position position;
    kz_error error;
    kz_shogi_note note = {.score = INT16_MIN, .ply = UINT16_MAX, .result = -1, .has = 0xFF};
    static const char longest[] = "+p+p+p+p+p+p+p+pk/+l+n+s+b+r+s+n+l+p/1g1g1g1g1/1+P+P+P+P+P+P+P+P/9/9/9/"
                                  "+L+N+S+B+R+S+N+L+P/8K b - 1";
    char text[KZ_SHOGI_PLAIN_BYTES];
    assert_int_equal(kz_shogi_parse_sfen(longest, sizeof longest - 1, &position, NULL, &error), KZ_OK);
    note.move = (kz_shogi_move){.special = KZ_SHOGI_RESIGNS};
    size_t length = kz_shogi_format_plain(&position, &note, text);
    assert_int_equal(strlen(text), length);
    assert_non_null(strstr(text, " 65535\nmove resign\nscore -32768\nply 65535\nresult -1\ne\n"));
}

TEST(bad_plain_entries_are_explained) {
    static const struct {
        const char *text;
        const char *message; /* a part of it */
    } entries[] = {{"move 7g7f\ne\n", "no line \"sfen\""},
                   {"sfen " START "\nmove 7g\ne\n", "line 2 of the entry: move: character 3"},
                   {"sfen xx\nmove 7g7f\ne\n", "line 1 of the entry: sfen: character 1 ('x')"},
                   {"sfen " START "\nscore 32768\ne\n", "line 2 of the entry: score: expected"},
                   {"sfen " START "\nscore\ne\n", "line 2 of the entry: score: expected"},
                   {"sfen " START "\nply -1\ne\n", "line 2 of the entry: ply: expected"},
                   {"sfen " START "\nresult 2\ne\n", "line 2 of the entry: result: expected"},
                   {"sfen " START "\nresult 1x\ne\n", "line 2 of the entry: result: expected"},
                   {"sfen " START "\nmoves 7g7f\ne\n", "line 2 of the entry: expected \"sfen\""}};
    for (size_t i = 0; i < sizeof entries / sizeof *entries; i++) {
        char text[600];
        kz_shogi_position position;
        kz_shogi_note note;
        kz_error error;
        size_t used;
        /* The next entry is found all the same. */
        snprintf(text, sizeof text, "%s%s", entries[i].text, ENTRY);
        assert_int_equal(kz_shogi_read_plain(text, strlen(text), &used, &position, &note, &error), KZ_ERR_INPUT);
        assert_int_equal(used, strlen(entries[i].text));
        assert_non_null(strstr(error.message, entries[i].message));
    }
}

TESTS(NULL, NULL)
