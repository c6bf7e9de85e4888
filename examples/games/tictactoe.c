/* SPDX-License-Identifier: MIT
 *
 * Tic-tac-toe: the game that docs/add-a-game.md teaches with. Build it and use it:
 *     cc -shared -fPIC -O2 $(pkg-config --cflags kanzen) -o tictactoe.so tictactoe.c && kanzen solve ./tictactoe.so */
#include <kanzen/helpers.h>
#include <string.h>

/* A position: bit i of x is set if X has square i, and so for O. Squares go from left to right and from top to bottom.
 * X begins, so X is to move when both have as many marks. */
typedef struct board {
    uint32_t x, o;
} board;

/* Positions come as 64 bytes, and the game's own form is at their beginning. A copy is how C reads it. */
static board get(const kz_position *position) {
    board b;
    memcpy(&b, position, sizeof b);
    return b;
}
static void set(kz_position *position, board b) { memcpy(position, &b, sizeof b); }
static int count(unsigned squares) { return __builtin_popcount(squares); }
static bool x_moves(board b) { return count(b.x) == count(b.o); }

/* The game begins with an empty board. `context` is what the function `open` has made; this game has none. */
static void start(const void *context, kz_position *position) { set(position, (board){0, 0}); }

/* A move is the number of the square, plus 1, because 0 is never a move. */
static int moves(const void *context, const kz_position *position, kz_move *list) {
    board b = get(position);
    int n = 0;
    for (unsigned square = 0; square < 9; square++) {
        list[n] = square + 1;
        n += !((b.x | b.o) >> square & 1); /* it stays in the list if the square is empty */
    }
    return n;
}
static void play(const void *context, kz_position *position, kz_move move) {
    board b = get(position);
    uint32_t mark = 1U << (move - 1);
    set(position, x_moves(b) ? (board){b.x | mark, b.o} : (board){b.x, b.o | mark});
}

/* Three in a row: the rows, the columns, the diagonals. */
static bool has_won(unsigned squares) {
    static const unsigned rows[] = {0007, 0070, 0700, 0111, 0222, 0444, 0421, 0124};
    bool won = false;
    for (int i = 0; i < 8; i++) {
        won = won || (squares & rows[i]) == rows[i];
    }
    return won;
}

/* Who has won is always the other side: it moved last. A full board has no moves: `without_moves` below. */
static kz_outcome result(const void *context, const kz_position *position) {
    board b = get(position);
    return has_won(x_moves(b) ? b.o : b.x) ? KZ_LOSS : KZ_UNKNOWN;
}

/* Tiers: tier t has the positions with t empty squares. Each move leads to the tier below, so it never repeats. */
static int tiers(const void *context) { return 10; }
static int x_count(int tier) { return (10 - tier) / 2; } /* marks of X among 9 - tier marks */
static int o_count(int tier) { return (9 - tier) / 2; }
static uint64_t o_sets(int tier) { return kz_choose(9 - x_count(tier), o_count(tier)); }
/* Sets of squares of X, times sets of squares of O among the other squares, for each smaller tier. */
static uint64_t tier_begin(const void *context, int tier) {
    return tier == 0 ? 0 : tier_begin(context, tier - 1) + kz_choose(9, x_count(tier - 1)) * o_sets(tier - 1);
}
static uint64_t index_size(const void *context) { return tier_begin(context, 10); }

/* The number of a position: those of smaller tiers come first, then the squares of X count, then those of O. */
static uint64_t rank(const void *context, const kz_position *position) {
    board b = get(position);
    int tier = 9 - count(b.x) - count(b.o);
    return tier_begin(context, tier) + kz_join(kz_rank_set(b.x), kz_rank_set(kz_gather(b.o, b.x)), o_sets(tier));
}

/* The way back. Boards that can't occur are holes: the side to move has three in a row already. */
static bool unrank(const void *context, uint64_t index, kz_position *position) {
    int tier = 0;
    while (tier_begin(context, tier + 1) <= index) {
        tier++;
    }
    index -= tier_begin(context, tier);
    uint64_t o = kz_unrank_set(kz_split(&index, o_sets(tier)), o_count(tier));
    uint64_t x = kz_unrank_set(index, x_count(tier));
    board b = {(uint32_t)x, (uint32_t)kz_spread(o, x)};
    set(position, b);
    return !has_won(x_moves(b) ? b.x : b.o);
}

/* Text: nine characters, "X.O......". */
static void format(const void *context, const kz_position *position, char *text) {
    board b = get(position);
    for (int square = 0; square < 9; square++) {
        text[square] = b.x >> square & 1 ? 'X' : b.o >> square & 1 ? 'O' : '.';
    }
    text[9] = '\0';
}
static kz_status parse(const void *context, const char *text, size_t length, kz_position *position, kz_error *error) {
    board b = {0, 0};
    for (size_t i = 0; i < length && i < 9; i++) {
        if (!strchr("XO.", text[i]) || !text[i]) {
            return kz_reject(error, "character %zu is '%c', not X, O or .", i + 1, text[i]);
        }
        b.x |= (text[i] == 'X' ? 1U : 0) << i;
        b.o |= (text[i] == 'O' ? 1U : 0) << i;
    }
    bool turn = count(b.x) == count(b.o) || count(b.x) == count(b.o) + 1; /* X begins */
    set(position, b);
    return length != 9                                ? kz_reject(error, "a board has 9 characters")
           : !turn || has_won(x_moves(b) ? b.x : b.o) ? kz_reject(error, "this board can't occur in a game")
                                                      : KZ_OK;
}

/* ---- What is optional: names of moves, symmetries, and the board as people see it ---- */
static const kz_square squares[] = {{0, 0, "a3", 0, -1}, {1, 0, "b3", 0, -1}, {2, 0, "c3", 0, -1},
                                    {0, 1, "a2", 0, -1}, {1, 1, "b2", 0, -1}, {2, 1, "c2", 0, -1},
                                    {0, 2, "a1", 0, -1}, {1, 2, "b1", 0, -1}, {2, 2, "c1", 0, -1}};
static const kz_piece_look marks[] = {{"X", NULL, NULL, 0, "X"}, {"O", NULL, NULL, 1, "O"}};
static const kz_board_look board_look = {9, squares, 2, marks, 0, NULL, {"X", "O"}};
static const kz_board_look *look(const void *context) { return &board_look; }
static void pieces(const void *context, const kz_position *position, uint8_t *piece, uint8_t *number) {
    for (int square = 0; square < 9; square++) { /* 0: empty; 1: the first of `marks`; 2: the second */
        piece[square] = (uint8_t)((get(position).x >> square & 1) + 2 * (get(position).o >> square & 1));
    }
}
static void touches(const void *context, const kz_position *position, kz_move move, kz_touched *touched) {
    *touched = (kz_touched){.count = 1, .square = {(uint16_t)(move - 1)}}; /* a click on the square plays the move */
}
static void move_format(const void *context, const kz_position *position, kz_move move, char *text) {
    strcpy(text, squares[move - 1].label);
}
static int side_to_move(const void *context, const kz_position *position) { return !x_moves(get(position)); }
/* The eight images of a square board. */
static void symmetry(const void *context, const kz_position *position, int number, kz_position *image) {
    board b = get(position);
    set(image, (board){(uint32_t)kz_image_of_set(b.x, 3, 3, number), (uint32_t)kz_image_of_set(b.o, 3, 3, number)});
}

/* clang-format off */
static const kz_definition definition = {
    .version = KZ_DEFINE_VERSION, .size = sizeof(kz_definition), .name = "tictactoe", .title = "Tic-tac-toe",
    .start = start, .max_moves = 9, .moves = moves, .play = play, .result = result, .without_moves = KZ_DRAW,
    .index_size = index_size, .rank = rank, .unrank = unrank, .format = format, .parse = parse,
    .move_format = move_format, .side_to_move = side_to_move, .symmetries = 8, .symmetry = symmetry,
    .tiers = tiers, .tier_begin = tier_begin, .never_repeats = true,
    .look = look, .pieces = pieces, .touches = touches};
/* What `kanzen` looks for in the file. */
const kz_definition *kanzen_game(void);
const kz_definition *kanzen_game(void) { return &definition; }
