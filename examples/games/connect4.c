/* SPDX-License-Identifier: MIT
 *
 * Connect Four on small boards; a rule set is a board, "5x4" is 5 wide and 4 high. Two players drop discs into columns;
 * four in a row, in any direction, win. A full board is a draw.
 *
 * The game never repeats: each move leads to a tier with one empty cell less. The number of a position has three parts:
 * how many cells are empty (the tier), how high the columns are, and which of the discs, column by column, are the
 * first player's. Some of these arrangements can't occur in a game; those in which the side to move has four in a row
 * already are holes. */
#include <kanzen/helpers.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_COLUMNS = 6, MOST_ROWS = 5, MOST_CELLS = MOST_COLUMNS * MOST_ROWS, HEIGHTS = 46656 /* 6 to the 6th */ };

/* Bit column * 8 + row of `discs` is set where a disc is, and of `first` where it is the first player's; row 0 is the
 * lowest. */
typedef struct board {
    uint64_t discs, first;
} board;

/* What is made once for each board. A code of heights has the height of column i as its digit i, to the base 6. */
typedef struct tables {
    int columns, rows, cells;
    uint64_t tier_begin[MOST_CELLS + 2];
    uint64_t choose[MOST_CELLS + 1][MOST_CELLS + 1]; /* kz_choose, but at once */
    uint16_t order[HEIGHTS];                         /* the number of a code among those with as many discs */
    uint16_t *codes[MOST_CELLS + 1];                 /* and the codes with so many discs, in that order */
    uint16_t code_room[HEIGHTS];
    kz_board_look look;
    kz_square squares[MOST_CELLS];
    char labels[MOST_CELLS][4];
} tables;

static board get(const kz_position *position) {
    board b;
    memcpy(&b, position, sizeof b);
    return b;
}
static void set(kz_position *position, board b) { memcpy(position, &b, sizeof b); }

static int discs_of(board b) { return __builtin_popcountll(b.discs); }
static bool first_moves(board b) { return discs_of(b) % 2 == 0; }
static int height_of(board b, int column) { return __builtin_popcountll(b.discs >> 8 * column & 255); }

/* ---- Boards ----------------------------------------------------------------------------------------------------- */

static const char *const rules[] = {"5x4", "4x4", "4x5", "5x5", "6x4", "6x5", NULL};

static const kz_piece_look piece_looks[] = {{"X", "🔴", NULL, 0, "red disc"}, {"O", "🟡", NULL, 1, "yellow disc"}};

static int discs_in_code(const tables *t, unsigned code) {
    int discs = 0;
    for (int i = 0; i < t->columns; i++, code /= 6) {
        if ((int)(code % 6) > t->rows) {
            return -1; /* higher than the board */
        }
        discs += (int)(code % 6);
    }
    return code == 0 ? discs : -1;
}

static void make_codes(tables *t) {
    uint16_t *next = t->code_room;
    for (int discs = 0; discs <= t->cells; discs++) {
        t->codes[discs] = next;
        for (unsigned code = 0; code < HEIGHTS; code++) {
            if (discs_in_code(t, code) == discs) {
                t->order[code] = (uint16_t)(next - t->codes[discs]);
                *next++ = (uint16_t)code;
            }
        }
        int tier = t->cells - discs;
        t->tier_begin[tier] = (uint64_t)(next - t->codes[discs]) * t->choose[discs][(discs + 1) / 2]; /* its size */
    }
    uint64_t begin = 0;
    for (int tier = 0; tier <= t->cells + 1; tier++) {
        uint64_t size = tier <= t->cells ? t->tier_begin[tier] : 0;
        t->tier_begin[tier] = begin;
        begin += size;
    }
}

static kz_status open_board(int number, void **context, kz_error *error) {
    tables *t = calloc(1, sizeof *t);
    if (!t) {
        error->status = KZ_ERR_MEMORY;
        return KZ_ERR_MEMORY;
    }
    t->columns = rules[number][0] - '0';
    t->rows = rules[number][2] - '0';
    t->cells = t->columns * t->rows;
    for (int n = 0; n <= MOST_CELLS; n++) {
        for (int k = 0; k <= n; k++) {
            t->choose[n][k] = kz_choose(n, k);
        }
    }
    make_codes(t);
    for (int i = 0; i < t->cells; i++) {
        int column = i % t->columns;
        int row = i / t->columns;
        snprintf(t->labels[i], sizeof t->labels[i], "%c%c", 'a' + column, '1' + row);
        t->squares[i] = (kz_square){(float)column, (float)(t->rows - 1 - row), t->labels[i], KZ_SHAPE_SQUARE, -1};
    }
    t->look = (kz_board_look){t->cells, t->squares, 2, piece_looks, 0, NULL, {"red", "yellow"}};
    *context = t;
    return KZ_OK;
}

/* ---- Rules ------------------------------------------------------------------------------------------------------- */

static void start(const void *context, kz_position *position) { set(position, (board){0, 0}); }

/* A move is the number of the column, from 1. */
static int moves(const void *context, const kz_position *position, kz_move *list) {
    const tables *t = context;
    board b = get(position);
    int n = 0;
    for (int column = 0; column < t->columns; column++) {
        if (height_of(b, column) < t->rows) {
            list[n++] = (kz_move)column + 1;
        }
    }
    return n;
}

static void play(const void *context, kz_position *position, kz_move move) {
    board b = get(position);
    int column = (int)move - 1;
    uint64_t disc = (uint64_t)1 << (8 * column + height_of(b, column));
    set(position, (board){b.discs | disc, first_moves(b) ? b.first | disc : b.first});
}

/* Four in a row: up, sideways and on the two diagonals. Rows 5 to 7 of a column are always empty, so nothing goes round
 * the edge. */
static bool has_four(uint64_t discs) {
    static const int steps[] = {1, 8, 7, 9};
    for (int i = 0; i < 4; i++) {
        uint64_t pairs = discs & discs >> steps[i];
        if (pairs & pairs >> 2 * steps[i]) {
            return true;
        }
    }
    return false;
}

static uint64_t mover(board b) { return first_moves(b) ? b.first : b.discs & ~b.first; }

static kz_outcome result(const void *context, const kz_position *position) {
    board b = get(position);
    return has_four(b.discs & ~mover(b)) ? KZ_LOSS : KZ_UNKNOWN;
}

/* ---- Numbers ----------------------------------------------------------------------------------------------------- */

static int tiers(const void *context) { return ((const tables *)context)->cells + 1; }
static uint64_t tier_begin(const void *context, int tier) { return ((const tables *)context)->tier_begin[tier]; }
static uint64_t index_size(const void *context) { return tier_begin(context, tiers(context)); }
static int tier_next(const void *context, int tier, int *next) {
    next[0] = tier - 1;
    return tier > 0;
}
static void tier_name(const void *context, int tier, char *text) { snprintf(text, 64, "%d empty cells", tier); }

static uint64_t rank(const void *context, const kz_position *position) {
    const tables *t = context;
    board b = get(position);
    unsigned code = 0;
    for (int column = t->columns - 1; column >= 0; column--) {
        code = code * 6 + (unsigned)height_of(b, column);
    }
    int discs = 0;
    int firsts = 0;
    uint64_t colours = 0;
    for (uint64_t left = b.discs; left; left &= left - 1, discs++) {
        if (b.first & left & -left) {
            colours += t->choose[discs][++firsts];
        }
    }
    return t->tier_begin[t->cells - discs] + kz_join(t->order[code], colours, t->choose[discs][(discs + 1) / 2]);
}

static bool unrank(const void *context, uint64_t index, kz_position *position) {
    const tables *t = context;
    int tier = 0;
    while (t->tier_begin[tier + 1] <= index) {
        tier++;
    }
    index -= t->tier_begin[tier];
    int discs = t->cells - tier;
    int firsts = (discs + 1) / 2;
    uint64_t colours = kz_split(&index, t->choose[discs][firsts]);
    unsigned code = t->codes[discs][index];
    board b = {0, 0};
    for (int column = 0; column < t->columns; column++, code /= 6) {
        b.discs |= (((uint64_t)1 << code % 6) - 1) << 8 * column;
    }
    /* From the last disc to the first one: is it the first player's? */
    int disc = discs - 1;
    for (uint64_t left = b.discs; left; disc--) {
        uint64_t bit = (uint64_t)1 << (63 - __builtin_clzll(left));
        left ^= bit;
        if (firsts > 0 && colours >= t->choose[disc][firsts]) {
            colours -= t->choose[disc][firsts--];
            b.first |= bit;
        }
    }
    set(position, b);
    return !has_four(mover(b));
}

static void symmetry(const void *context, const kz_position *position, int number, kz_position *image) {
    const tables *t = context;
    board b = get(position);
    board mirrored = {0, 0};
    for (int column = 0; column < t->columns; column++) {
        int there = 8 * (t->columns - 1 - column);
        mirrored.discs |= (b.discs >> 8 * column & 255) << there;
        mirrored.first |= (b.first >> 8 * column & 255) << there;
    }
    set(image, mirrored);
}

/* ---- Text -------------------------------------------------------------------------------------------------------- */

/* Rows from the top, with '/' between them, as in "...../...../..O../.XX..". */
static void format(const void *context, const kz_position *position, char *text) {
    const tables *t = context;
    board b = get(position);
    for (int row = t->rows - 1; row >= 0; row--) {
        for (int column = 0; column < t->columns; column++) {
            int bit = 8 * column + row;
            *text++ = !(b.discs >> bit & 1) ? '.' : b.first >> bit & 1 ? 'X' : 'O';
        }
        *text++ = row > 0 ? '/' : '\0';
    }
}

static kz_status parse(const void *context, const char *text, size_t length, kz_position *position, kz_error *error) {
    const tables *t = context;
    board b = {0, 0};
    size_t wanted = (size_t)(t->cells + t->rows - 1);
    for (size_t i = 0; i < length && i < wanted; i++) {
        int row = t->rows - 1 - (int)i / (t->columns + 1);
        int column = (int)i % (t->columns + 1);
        const char *allowed = column == t->columns ? "/" : ".XO";
        if (!text[i] || !strchr(allowed, text[i])) {
            return kz_reject(error, "character %zu is '%c', not one of %s", i + 1, text[i], allowed);
        }
        uint64_t bit = (uint64_t)1 << (8 * (column % 8) + row);
        b.discs |= text[i] == 'X' || text[i] == 'O' ? bit : 0;
        b.first |= text[i] == 'X' ? bit : 0;
    }
    if (length != wanted) {
        return kz_reject(error, "a board of %dx%d has %zu characters, not %zu", t->columns, t->rows, wanted, length);
    }
    for (int column = 0; column < t->columns; column++) {
        uint64_t discs = b.discs >> 8 * column & 255;
        if (discs & (discs + 1)) {
            return kz_reject(error, "a disc in column %c has no disc below it", 'a' + column);
        }
    }
    int surplus = 2 * __builtin_popcountll(b.first) - discs_of(b);
    if (surplus != discs_of(b) % 2) {
        return kz_reject(error, "X begins, so X has as many discs as O or one more");
    }
    if (has_four(mover(b))) {
        return kz_reject(error, "the side to move has four in a row already");
    }
    set(position, b);
    return KZ_OK;
}

static void move_format(const void *context, const kz_position *position, kz_move move, char *text) {
    snprintf(text, 2, "%c", (int)('a' + move - 1));
}

static int side_to_move(const void *context, const kz_position *position) { return !first_moves(get(position)); }

/* ---- Look -------------------------------------------------------------------------------------------------------- */

static const kz_board_look *look(const void *context) { return &((const tables *)context)->look; }

static void pieces(const void *context, const kz_position *position, uint8_t *piece, uint8_t *count) {
    const tables *t = context;
    board b = get(position);
    for (int i = 0; i < t->cells; i++) {
        int bit = 8 * (i % t->columns) + i / t->columns;
        piece[i] = !(b.discs >> bit & 1) ? 0 : b.first >> bit & 1 ? 1 : 2;
    }
}

/* The cell that the disc falls to. */
static void touches(const void *context, const kz_position *position, kz_move move, kz_touched *touched) {
    const tables *t = context;
    int column = (int)move - 1;
    int cell = height_of(get(position), column) * t->columns + column;
    *touched = (kz_touched){.count = 1, .square = {(uint16_t)cell}};
}

/* ---- A second implementation, for selftest and verify: cells in an array, lines followed step by step ---- */

static kz_outcome twin(const void *context, const kz_position *position,
                       void (*visit)(void *user, const kz_position *next), void *user) {
    const tables *t = context;
    board b = get(position);
    char cell[MOST_ROWS][MOST_COLUMNS] = {{0}};
    int discs = 0;
    for (int y = 0; y < t->rows; y++) {
        for (int x = 0; x < t->columns; x++) {
            bool disc = b.discs >> (8 * x + y) & 1;
            discs += disc;
            cell[y][x] = (char)(!disc ? 0 : b.first >> (8 * x + y) & 1 ? 1 : 2);
        }
    }
    char opponent = discs % 2 == 0 ? 2 : 1;
    static const int way[4][2] = {{0, 1}, {1, 0}, {1, 1}, {1, -1}};
    for (int y = 0; y < t->rows; y++) {
        for (int x = 0; x < t->columns; x++) {
            for (int w = 0; w < 4; w++) {
                int run = 0;
                while (run < 4) {
                    int yy = y + run * way[w][0];
                    int xx = x + run * way[w][1];
                    if (yy >= t->rows || xx < 0 || xx >= t->columns || cell[yy][xx] != opponent) {
                        break;
                    }
                    run++;
                }
                if (run == 4) {
                    return KZ_LOSS;
                }
            }
        }
    }
    for (int x = 0; x < t->columns; x++) {
        int y = 0;
        while (y < t->rows && cell[y][x]) {
            y++;
        }
        if (y < t->rows) {
            uint64_t disc = (uint64_t)1 << (8 * x + y);
            kz_position next = {{0}};
            set(&next, (board){b.discs | disc, opponent == 2 ? b.first | disc : b.first});
            visit(user, &next);
        }
    }
    return KZ_UNKNOWN;
}

static const kz_definition definition = {
    .version = KZ_DEFINE_VERSION,
    .size = sizeof(kz_definition),
    .name = "connect4",
    .title = "Connect Four on small boards",
    .max_moves = MOST_COLUMNS,
    .start = start,
    .moves = moves,
    .play = play,
    .result = result,
    .without_moves = KZ_DRAW,
    .index_size = index_size,
    .rank = rank,
    .unrank = unrank,
    .format = format,
    .parse = parse,
    .rules = rules,
    .open = open_board,
    .close = free,
    .move_format = move_format,
    .side_to_move = side_to_move,
    .symmetries = 2,
    .symmetry = symmetry,
    .tiers = tiers,
    .tier_begin = tier_begin,
    .tier_next = tier_next,
    .tier_name = tier_name,
    .never_repeats = true,
    .look = look,
    .pieces = pieces,
    .touches = touches,
    .twin = twin,
};

const kz_definition *kanzen_game(void);
const kz_definition *kanzen_game(void) { return &definition; }
