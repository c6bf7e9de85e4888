/* SPDX-License-Identifier: MIT
 *
 * Moves of shogi: published counts, a second set of rules written in another way, moves in 16 bits and in text. */
#include "shogi/src/attacks.h"
#include "shogi/tests/support/shogi_bytes.h"
#include <kanzen/shogi.h>
#include <stdlib.h>
#include <string.h>

#define MOST_MOVES "R8/2K1S1SSk/4B4/9/9/9/9/9/1L1L1L3 b RBGSNLP3g3n17p 1"
#define FESTIVAL "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w RGgsn5p 1"
#define START "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1"

static kz_shogi_move move_of(const char *text) {
    kz_shogi_move move;
    assert_int_equal(kz_shogi_parse_move(text, strlen(text), &move, NULL), KZ_OK);
    return move;
}

/* ---- Published counts -------------------------------------------------------------------------------------------- */

typedef struct tally {
    uint64_t nodes;
    uint64_t captures;
    uint64_t promotions;
    uint64_t checks;
    uint64_t mates;
} tally;

static void count_last_move(const kz_shogi_position *position, kz_shogi_move move, tally *counts) {
    kz_shogi_move replies[KZ_SHOGI_MOST_MOVES];
    kz_shogi_position after = *position;
    assert_int_equal(kz_shogi_make_move(&after, move), KZ_SHOGI_FINE);
    counts->captures += move.from < KZ_SHOGI_SQUARES && position->board[move.to] != KZ_SHOGI_EMPTY;
    counts->promotions += move.promotes;
    if (kz_shogi_in_check(&after, (kz_shogi_side)after.side)) {
        counts->checks++;
        counts->mates += kz_shogi_moves(&after, replies) == 0;
    }
}

/* Without details the moves of the last ply are counted and not made. */
static void perft(const kz_shogi_position *position, int depth, bool details, tally *counts) {
    kz_shogi_move moves[KZ_SHOGI_MOST_MOVES];
    size_t count = kz_shogi_moves(position, moves);
    counts->nodes += depth == 1 ? count : 0;
    for (size_t i = 0; (depth > 1 || details) && i < count; i++) {
        if (depth == 1) {
            count_last_move(position, moves[i], counts);
            continue;
        }
        kz_shogi_position after = *position;
        assert_int_equal(kz_shogi_make_move(&after, moves[i]), KZ_SHOGI_FINE);
        perft(&after, depth - 1, details, counts);
    }
}

TEST(published_counts) {
    static const struct {
        const char *sfen;
        int depth;
        bool details;
        tally counts;
    } published[] = {
        {START, 1, true, {30, 0, 0, 0, 0}},
        {START, 2, true, {900, 0, 0, 0, 0}},
        {START, 3, true, {25470, 59, 30, 48, 0}},
        {START, 4, true, {719731, 1803, 842, 1121, 0}},
        {MOST_MOVES, 1, true, {593, 0, 52, 40, 6}},
        {MOST_MOVES, 2, true, {105677, 538, 0, 3802, 0}},
        {MOST_MOVES, 3, false, {53393368, 0, 0, 0, 0}},
        {FESTIVAL, 1, false, {207, 0, 0, 0, 0}},
        {FESTIVAL, 2, false, {28684, 0, 0, 0, 0}},
        {FESTIVAL, 3, false, {4809015, 0, 0, 0, 0}},
    };
    for (size_t i = 0; i < sizeof published / sizeof published[0]; i++) {
        kz_shogi_position position = shogi_parsed(published[i].sfen);
        tally counted = {0, 0, 0, 0, 0};
        perft(&position, published[i].depth, published[i].details, &counted);
        assert_int_equal(counted.nodes, published[i].counts.nodes);
        assert_int_equal(counted.captures, published[i].counts.captures);
        assert_int_equal(counted.promotions, published[i].counts.promotions);
        assert_int_equal(counted.checks, published[i].counts.checks);
        assert_int_equal(counted.mates, published[i].counts.mates);
    }
}

/* ---- The rules once more: pairs of squares are looked at, and nothing is walked to ------------------------------- */

static int sign(int number) { return (number > 0) - (number < 0); }

static bool plain_is_clear(const uint8_t *board, int from, int to) {
    int step = 9 * sign(to / 9 - from / 9) + sign(to % 9 - from % 9);
    for (int square = from + step; square != to; square += step) {
        if (board[square] != KZ_SHOGI_EMPTY) {
            return false;
        }
    }
    return true;
}

static bool plain_reaches(const uint8_t *board, int from, int to) {
    uint8_t code = board[from];
    int ahead = (code & KZ_SHOGI_WHITES ? -1 : 1) * (from % 9 - to % 9);
    int aside = abs(from / 9 - to / 9);
    bool near_king = abs(ahead) <= 1 && aside <= 1 && from != to;
    bool as_gold = near_king && !(ahead == -1 && aside == 1);
    bool diagonal = abs(ahead) == aside && aside > 0;
    bool straight = (ahead == 0) != (aside == 0);
    switch (code & ~KZ_SHOGI_WHITES) {
    case KZ_SHOGI_CODE_PAWN:
        return ahead == 1 && aside == 0;
    case KZ_SHOGI_CODE_LANCE:
        return ahead > 0 && aside == 0 && plain_is_clear(board, from, to);
    case KZ_SHOGI_CODE_KNIGHT:
        return ahead == 2 && aside == 1;
    case KZ_SHOGI_CODE_SILVER:
        return near_king && (ahead == 1 || aside + ahead == 0);
    case KZ_SHOGI_CODE_KING:
        return near_king;
    case KZ_SHOGI_CODE_BISHOP:
        return diagonal && plain_is_clear(board, from, to);
    case KZ_SHOGI_CODE_ROOK:
        return straight && plain_is_clear(board, from, to);
    case KZ_SHOGI_CODE_BISHOP | KZ_SHOGI_PROMOTED:
        return near_king || (diagonal && plain_is_clear(board, from, to));
    case KZ_SHOGI_CODE_ROOK | KZ_SHOGI_PROMOTED:
        return near_king || (straight && plain_is_clear(board, from, to));
    case KZ_SHOGI_EMPTY:
        return false;
    default:
        return as_gold;
    }
}

static bool plain_attacked(const uint8_t *board, int square, unsigned side) {
    for (int from = 0; from < KZ_SHOGI_SQUARES; from++) {
        if ((board[from] & KZ_SHOGI_WHITES) == (side ? KZ_SHOGI_WHITES : 0) && plain_reaches(board, from, square)) {
            return true;
        }
    }
    return false;
}

static bool plain_in_check(const kz_shogi_position *position, unsigned side) {
    for (int square = 0; square < KZ_SHOGI_SQUARES; square++) {
        if (position->board[square] == (side ? 0x41 : 0x01)) {
            return plain_attacked(position->board, square, side ^ 1);
        }
    }
    return false;
}

/* Whether an unpromoted piece with this code may stand on a square. */
static bool plain_may_stand(uint8_t code, int square) {
    int rank = code & KZ_SHOGI_WHITES ? 9 - square % 9 : square % 9 + 1;
    switch (code & ~KZ_SHOGI_WHITES) {
    case KZ_SHOGI_CODE_KNIGHT:
        return rank > 2;
    case KZ_SHOGI_CODE_PAWN:
    case KZ_SHOGI_CODE_LANCE:
        return rank > 1;
    default:
        return true;
    }
}

/* Makes a move if the piece can move so, as kz_shogi_make_move() does. */
static bool plain_make(kz_shogi_position *position, int from, int to, int promotes) {
    unsigned side = position->side;
    uint8_t whites = side ? KZ_SHOGI_WHITES : 0;
    uint8_t taken = position->board[to];
    if (from >= KZ_SHOGI_SQUARES) {
        int kind = from - KZ_SHOGI_SQUARES;
        uint8_t code = kz_shogi_code((kz_shogi_kind)kind, (kz_shogi_side)side);
        bool second_pawn = false;
        for (int rank = 0; kind == KZ_SHOGI_PAWN && rank < 9; rank++) {
            second_pawn |= position->board[to / 9 * 9 + rank] == code;
        }
        if (position->hand[side][kind] == 0 || taken || promotes || second_pawn || !plain_may_stand(code, to)) {
            return false;
        }
        position->hand[side][kind]--;
        position->board[to] = code;
    } else {
        uint8_t code = position->board[from];
        if (code == KZ_SHOGI_EMPTY || (code & KZ_SHOGI_WHITES) != whites || !plain_reaches(position->board, from, to)) {
            return false;
        }
        if ((taken && (taken & KZ_SHOGI_WHITES) == whites) || (taken & ~KZ_SHOGI_WHITES) == KZ_SHOGI_CODE_KING) {
            return false;
        }
        bool zone = side ? from % 9 > 5 || to % 9 > 5 : from % 9 < 3 || to % 9 < 3;
        bool promotable = (code & 0x80) && !(code & KZ_SHOGI_PROMOTED) && (code & 0x1F) != 0x07;
        if (promotes ? !promotable || !zone : !plain_may_stand(code, to)) {
            return false;
        }
        if (taken) {
            position->hand[side][kz_shogi_code_kind(taken)]++;
        }
        position->board[from] = KZ_SHOGI_EMPTY;
        position->board[to] = (uint8_t)(code | (promotes ? KZ_SHOGI_PROMOTED : 0));
    }
    position->side ^= 1;
    return true;
}

static size_t plain_moves(const kz_shogi_position *position, kz_shogi_move *moves) {
    size_t count = 0;
    for (int from = 0; from < KZ_SHOGI_SQUARES + KZ_SHOGI_HAND_KINDS; from++) {
        for (int to = 0; to < KZ_SHOGI_SQUARES; to++) {
            for (int promotes = 0; promotes < 2; promotes++) {
                kz_shogi_position after = *position;
                if (!plain_make(&after, from, to, promotes) || plain_in_check(&after, position->side)) {
                    continue;
                }
                if (from == KZ_SHOGI_SQUARES + KZ_SHOGI_PAWN && plain_in_check(&after, after.side)) {
                    kz_shogi_move replies[KZ_SHOGI_MOST_MOVES];
                    if (plain_moves(&after, replies) == 0) {
                        continue;
                    }
                }
                moves[count++] = (kz_shogi_move){KZ_SHOGI_MOVE, (uint8_t)from, (uint8_t)to, (uint8_t)promotes};
            }
        }
    }
    return count;
}

static void compare_with_plain(const kz_shogi_position *position) {
    kz_shogi_move moves[KZ_SHOGI_MOST_MOVES];
    kz_shogi_move expected[KZ_SHOGI_MOST_MOVES];
    size_t count = kz_shogi_moves(position, moves);
    assert_int_equal(count, plain_moves(position, expected));
    assert_memory_equal(moves, expected, count * sizeof moves[0]);
    for (unsigned side = 0; side < 2; side++) {
        assert_int_equal(kz_shogi_in_check(position, (kz_shogi_side)side), plain_in_check(position, side));
        for (int square = 0; square < KZ_SHOGI_SQUARES; square++) {
            assert_int_equal(kz_shogi_attacked(position->board, square, side),
                             plain_attacked(position->board, square, side));
        }
    }
}

static uint32_t next_random(uint64_t *seed) {
    *seed = *seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(*seed >> 33);
}

/* Random games: their middles have full hands, promoted pieces and many checks. */
TEST(same_as_plain_rules) {
    static const char *const starts[] = {START, MOST_MOVES, FESTIVAL,
                                         "4k4/9/9/9/9/9/9/9/9 b 2R2B2G2S2N2L9P2g2s2n2l9p 1", /* black has no king */
                                         "lnsgkgsnl/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1"};
    uint64_t seed = 1;
    int seen = 0;
    int checks = 0;
    for (size_t game = 0; game < 2 * sizeof starts / sizeof starts[0]; game++) {
        kz_shogi_position position = shogi_parsed(starts[game % (sizeof starts / sizeof starts[0])]);
        for (int ply = 0; ply < 200; ply++) {
            kz_shogi_move moves[KZ_SHOGI_MOST_MOVES];
            size_t count = kz_shogi_moves(&position, moves);
            if (ply % 2 == 1 || kz_shogi_in_check(&position, (kz_shogi_side)position.side)) {
                compare_with_plain(&position);
                seen++;
                checks += kz_shogi_in_check(&position, (kz_shogi_side)position.side);
            }
            if (count == 0) {
                break;
            }
            assert_int_equal(kz_shogi_make_move(&position, moves[next_random(&seed) % count]), KZ_SHOGI_FINE);
            assert_int_equal(kz_shogi_check(&position), KZ_SHOGI_FINE);
        }
    }
    assert_true(seen > 500);
    assert_true(checks > 30);
}

/* Every move there could be, and some that there could not. */
TEST(impossible_moves_are_refused) {
    static const char *const sfens[] = {
        FESTIVAL, "3k3nl/G3n2r1/P1P+LB+B1p1/1G2ppp1p/KP1P1P1P1/p2sP1P1P/5SN2/4G4/L+R6L w SGN2Psp 1",
        "P1LN1k3/N2L5/4K4/9/9/9/9/5n3/p1l6 b 2P 1"}; /* with dead pieces, and kings that can be taken */
    for (size_t i = 0; i < sizeof sfens / sizeof sfens[0]; i++) {
        kz_shogi_position position = shogi_parsed(sfens[i]);
        for (int from = 0; from < KZ_SHOGI_SQUARES + KZ_SHOGI_HAND_KINDS; from++) {
            for (int to = 0; to < KZ_SHOGI_SQUARES; to++) {
                for (int promotes = 0; promotes < 2; promotes++) {
                    kz_shogi_position expected = position;
                    kz_shogi_position after = position;
                    kz_shogi_move move = {KZ_SHOGI_MOVE, (uint8_t)from, (uint8_t)to, (uint8_t)promotes};
                    bool fine = plain_make(&expected, from, to, promotes);
                    assert_int_equal(kz_shogi_make_move(&after, move), fine ? KZ_SHOGI_FINE : KZ_SHOGI_ILLEGAL_MOVE);
                    assert_memory_equal(&after, &expected, sizeof after);
                }
            }
        }
    }
    static const kz_shogi_move bad[] = {{KZ_SHOGI_NONE, 0, 0, 0},    {KZ_SHOGI_NULL, 0, 0, 0},
                                        {KZ_SHOGI_RESIGNS, 0, 0, 0}, {KZ_SHOGI_DECLARES, 0, 0, 0},
                                        {KZ_SHOGI_MOVE, 6, 81, 0},   {KZ_SHOGI_MOVE, 6, 255, 0},
                                        {KZ_SHOGI_MOVE, 88, 5, 0},   {KZ_SHOGI_MOVE, 255, 5, 0},
                                        {KZ_SHOGI_MOVE, 6, 5, 2},    {200, 6, 5, 0}};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        kz_shogi_position position = kz_shogi_start();
        kz_shogi_position before = position;
        assert_int_equal(kz_shogi_make_move(&position, bad[i]), KZ_SHOGI_ILLEGAL_MOVE);
        assert_memory_equal(&position, &before, sizeof before);
    }
}

TEST(pawn_drops_must_not_mate) {
    static const struct {
        const char *sfen;
        const char *drop;
        bool legal;
    } cases[] = {
        {"7lk/6G2/9/9/9/9/9/9/4K4 b P 1", "P*1b", true},    /* nothing guards the pawn */
        {"7nk/9/7+P1/9/9/9/9/9/4K4 b P 1", "P*1b", false},  /* it is guarded, and nothing else reaches it */
        {"7sk/9/7+P1/9/9/9/9/9/4K4 b P 1", "P*1b", true},   /* a silver takes it */
        {"R6sk/9/7+P1/9/9/9/9/9/4K4 b P 1", "P*1b", false}, /* but not if it is pinned */
        {"8k/9/6+P1+P/9/9/9/9/9/4K4 b P 1", "P*1b", true},  /* the king goes to 2a */
        {"4k4/9/9/9/9/9/7+p1/9/7NK w p 1", "P*1h", false},  /* white's drops are no better */
        {"7nk/9/7+PP/9/9/9/9/9/4K4 b - 1", "1c1b", true},   /* a pawn that moves may mate */
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        kz_shogi_position position = shogi_parsed(cases[i].sfen);
        kz_shogi_move move = move_of(cases[i].drop);
        kz_shogi_move moves[KZ_SHOGI_MOST_MOVES];
        size_t count = kz_shogi_moves(&position, moves);
        bool found = false;
        for (size_t j = 0; j < count; j++) {
            found |= memcmp(&moves[j], &move, sizeof move) == 0;
        }
        if (found != cases[i].legal) {
            fail_msg("%s %s", cases[i].sfen, cases[i].drop);
        }
        compare_with_plain(&position);
        assert_int_equal(kz_shogi_make_move(&position, move), KZ_SHOGI_FINE);
    }
}

/* Without white's king there are six more squares for drops, and no well-formed position has more moves than that. What
 * is not well-formed has. */
TEST(never_more_moves_than_room) {
    kz_shogi_move moves[KZ_SHOGI_MOST_MOVES + 1];
    memset(moves, 0xEE, sizeof moves);
    kz_shogi_position position = shogi_parsed("R8/2K1S1SS1/4B4/9/9/9/9/9/1L1L1L3 b RBGSNLP 1");
    assert_int_equal(kz_shogi_moves(&position, moves), 593 + 6);
    for (int square = 0; square < KZ_SHOGI_SQUARES; square += 10) {
        position.board[square] = KZ_SHOGI_CODE_ROOK;
    }
    assert_int_equal(kz_shogi_moves(&position, moves), KZ_SHOGI_MOST_MOVES);
    assert_int_equal(moves[KZ_SHOGI_MOST_MOVES].special, 0xEE);
}

/* ---- Moves in 16 bits -------------------------------------------------------------------------------------------- */

TEST(all_bits_of_all_dialects) {
    /* Moves on the board with and without promotion, drops, special ones. */
    static const int expected[KZ_SHOGI_DIALECTS] = {[KZ_SHOGI_YANEURAOU] = 2 * 81 * 80 + 7 * 81 + 4,
                                                    [KZ_SHOGI_DROPS_82] = 2 * 81 * 80 + 7 * 81 + 1,
                                                    [KZ_SHOGI_APERY] = 2 * 81 * 80 + 7 * 81 + 1};
    for (int dialect = 0; dialect < KZ_SHOGI_DIALECTS; dialect++) {
        int found = 0;
        for (int bits = 0; bits < 65536; bits++) {
            kz_shogi_move move;
            kz_shogi_defect defect = kz_shogi_read_move((kz_shogi_dialect)dialect, (uint16_t)bits, &move);
            if (defect != KZ_SHOGI_FINE) {
                assert_int_equal(defect, KZ_SHOGI_BAD_MOVE);
                continue;
            }
            found++;
            assert_int_equal(kz_shogi_write_move((kz_shogi_dialect)dialect, move), bits);
            char text[8];
            kz_shogi_move again;
            size_t length = kz_shogi_format_move(move, text);
            assert_int_equal(strlen(text), length);
            assert_int_equal(kz_shogi_parse_move(text, length, &again, NULL), KZ_OK);
            assert_memory_equal(&again, &move, sizeof move);
        }
        assert_int_equal(found, expected[dialect]);
    }
}

TEST(known_bits) {
    enum { BAD = -1 };
    static const struct {
        const char *text;
        int bits[KZ_SHOGI_DIALECTS];
    } cases[] = {
        {"1g1f", {0x0305, 0x0305, 0x0305}}, /* the first three are from published psv and hcpe files */
        {"2f2e", {0x070D, 0x070D, 0x070D}},
        {"8h3c+", {0xA314, 0x6314, 0x6314}},
        {"P*5e", {0x4000 | 1 << 7 | 40, 82 << 7 | 40, 81 << 7 | 40}},
        {"S*9i", {0x4000 | 4 << 7 | 80, 85 << 7 | 80, 84 << 7 | 80}},
        {"B*1a", {0x4000 | 5 << 7 | 0, 86 << 7 | 0, 85 << 7 | 0}},
        {"R*1a", {0x4000 | 6 << 7 | 0, 87 << 7 | 0, 86 << 7 | 0}},
        {"G*1a", {0x4000 | 7 << 7 | 0, 88 << 7 | 0, 87 << 7 | 0}},
        {"none", {0, 0, 0}},
        {"pass", {129, BAD, BAD}},
        {"resign", {258, BAD, BAD}},
        {"win", {387, BAD, BAD}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        for (int dialect = 0; dialect < KZ_SHOGI_DIALECTS; dialect++) {
            kz_shogi_move move = move_of(cases[i].text);
            int bits = cases[i].bits[dialect];
            assert_int_equal(kz_shogi_write_move((kz_shogi_dialect)dialect, move), bits == BAD ? 0 : bits);
            kz_shogi_move read;
            if (bits != BAD) {
                assert_int_equal(kz_shogi_read_move((kz_shogi_dialect)dialect, (uint16_t)bits, &read), KZ_SHOGI_FINE);
                assert_memory_equal(&read, &move, sizeof move);
            }
        }
    }
    static const struct {
        kz_shogi_dialect dialect;
        int bits;
    } refused[] = {
        {KZ_SHOGI_YANEURAOU, 1 << 7 | 81},          /* no square */
        {KZ_SHOGI_YANEURAOU, 81 << 7 | 1},          /* no square */
        {KZ_SHOGI_YANEURAOU, 4 << 7 | 4},           /* from 1e to 1e */
        {KZ_SHOGI_YANEURAOU, 0x8000},               /* the same, with promotion */
        {KZ_SHOGI_YANEURAOU, 0x4000 | 0 << 7 | 40}, /* a drop of nothing */
        {KZ_SHOGI_YANEURAOU, 0x4000 | 8 << 7 | 40}, /* a drop of a king */
        {KZ_SHOGI_YANEURAOU, 0xC000 | 1 << 7 | 40}, /* a drop with promotion */
        {KZ_SHOGI_DROPS_82, 0x8000 | 1 << 7 | 40},  /* a bit that it has not */
        {KZ_SHOGI_DROPS_82, 81 << 7 | 40},          /* another dialect's pawn */
        {KZ_SHOGI_DROPS_82, 89 << 7 | 40},          /* no piece */
        {KZ_SHOGI_DROPS_82, 129},                   /* another dialect's pass */
        {KZ_SHOGI_APERY, 0x8000 | 1 << 7 | 40},     /* a bit that it has not */
        {KZ_SHOGI_APERY, 88 << 7 | 40},             /* another dialect's gold */
        {KZ_SHOGI_APERY, 0x4000 | 81 << 7 | 40},    /* a drop with promotion */
        {KZ_SHOGI_APERY, 387},                      /* another dialect's win */
    };
    for (size_t i = 0; i < sizeof refused / sizeof refused[0]; i++) {
        kz_shogi_move move;
        assert_int_equal(kz_shogi_read_move(refused[i].dialect, (uint16_t)refused[i].bits, &move), KZ_SHOGI_BAD_MOVE);
        assert_int_equal(move.special, KZ_SHOGI_NONE);
    }
}

/* ---- Text -------------------------------------------------------------------------------------------------------- */

TEST(mistakes_in_text) {
    static const struct {
        const char *text;
        const char *message;
    } mistakes[] = {
        {"", "character 1 (end of the text): the move is missing"},
        {"x", "character 1 ('x'): a move is like"},
        {"resigns", "character 1 ('r'): a move is like"},
        {"0g7f", "character 1 ('0'): a square begins with its file"},
        {"7j7f", "character 2 ('j'): a square ends with its rank"},
        {"7G7f", "character 2 ('G'): a square ends with its rank"},
        {"7g", "character 3 (end of the text): a square begins with its file"},
        {"7gf7", "character 3 ('f'): a square begins with its file"},
        {"7g7", "character 4 (end of the text): a square ends with its rank"},
        {"7g7g", "character 3 ('7'): a move goes to another square"},
        {"7g7f=", "character 5 ('='): nothing follows the move"},
        {"8h2b++", "character 6 ('+'): nothing follows the move"},
        {"K*5e", "character 1 ('K'): the piece of a drop is one of"},
        {"P5e", "character 2 ('5'): '*' must follow"},
        {"P*", "character 3 (end of the text): a square begins with its file"},
        {" P*5e+", "character 6 ('+'): a dropped piece does not promote"},
    };
    for (size_t i = 0; i < sizeof mistakes / sizeof mistakes[0]; i++) {
        kz_shogi_move move = {KZ_SHOGI_MOVE, 1, 2, 0};
        kz_error error = {KZ_OK, ""};
        assert_int_equal(kz_shogi_parse_move(mistakes[i].text, strlen(mistakes[i].text), &move, &error), KZ_ERR_INPUT);
        if (strncmp(error.message, mistakes[i].message, strlen(mistakes[i].message)) != 0) {
            fail_msg("\"%s\": \"%s\" is not \"%s\"", mistakes[i].text, error.message, mistakes[i].message);
        }
        assert_int_equal(move.to, 2);
    }
    kz_shogi_move move = move_of("  7g7f\r\n");
    assert_int_equal(move.from, 60);
    assert_int_equal(move.to, 59);
}

TESTS(NULL, NULL)
