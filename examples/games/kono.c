/* SPDX-License-Identifier: MIT
 *
 * Four Field Kono, a Korean game: two players, eight men each, on a full board of 4 x 4 points. A man jumps over a
 * neighbour of its own side, along a line, and takes the opponent's man behind it by landing on its point; or it steps
 * to an empty neighbouring point. Who has one man left, and so can't take any more, loses; so does who can't move. A
 * game that goes on for ever is a draw. A rule set is a board: "3x4" is 3 wide and 4 high; each side fills its half.
 *
 * The number of a position: how many men the side to move and the other side have (the space), which points the first
 * have, and which of the rest the second have. Tiers: two spaces each (5 against 4 and 4 against 5), because a step
 * leads from one to the other; a capture leads to a smaller tier. */
#include <kanzen/helpers.h>
#include <stdlib.h>
#include <string.h>

enum { POINTS = 16, MEN = 8, SETS = 1 << POINTS, TIERS = 28, WAYS = 4 };

typedef struct board {
    uint32_t own, other; /* points with men of the side to move, and of the other side */
    uint32_t turn;       /* whose turn it is: 0 white, 1 black */
} board;

/* What is made once for each board. */
typedef struct tables {
    int width, height, points, men, tiers;
    int beside[WAYS][POINTS]; /* the next point in a direction, or -1 */
    uint32_t neighbours[POINTS];
    uint16_t number[SETS];            /* kz_rank_set of a set */
    uint16_t set[MEN + 1][12870];     /* and back, by its size */
    uint16_t image[8][SETS];          /* of a set of points */
    uint64_t begin[MEN + 1][MEN + 1]; /* of a space: own men, other men */
    uint64_t tier_begin[TIERS + 1];
    uint8_t few[TIERS], many[TIERS]; /* the men of a tier */
    kz_board_look look;
    kz_square squares[POINTS];
    char labels[POINTS][4];
    uint16_t lines[2 * POINTS][2];
} tables;

static board get(const kz_position *position) {
    board b;
    memcpy(&b, position, sizeof b);
    return b;
}
static void set(kz_position *position, board b) { memcpy(position, &b, sizeof b); }
static int count(uint32_t points) { return __builtin_popcount(points); }
static int lowest(uint32_t points) { return __builtin_ctz(points); }

/* ---- Boards ------------------------------------------------------------------------------------------------------ */

static const char *const rules[] = {"4x4", "3x4", "2x4", NULL};

static const kz_piece_look men_looks[] = {{"W", "⚪", NULL, 0, "white man"}, {"B", "⚫", NULL, 1, "black man"}};

static void make_board(tables *t) {
    static const int across[WAYS] = {1, 0, -1, 0};
    static const int up[WAYS] = {0, 1, 0, -1};
    int lines = 0;
    for (int p = 0; p < t->points; p++) { /* from the lower left corner, row by row */
        int x = p % t->width;
        int y = p / t->width;
        for (int way = 0; way < WAYS; way++) {
            int xx = x + across[way];
            int yy = y + up[way];
            bool inside = xx >= 0 && xx < t->width && yy >= 0 && yy < t->height;
            t->beside[way][p] = inside ? yy * t->width + xx : -1;
            t->neighbours[p] |= inside ? 1U << (yy * t->width + xx) : 0;
            if (inside && way < 2) {
                t->lines[lines][0] = (uint16_t)p;
                t->lines[lines++][1] = (uint16_t)(yy * t->width + xx);
            }
        }
        snprintf(t->labels[p], sizeof t->labels[p], "%c%c", 'a' + x, '1' + y);
        t->squares[p] = (kz_square){(float)x, (float)(t->height - 1 - y), t->labels[p], KZ_SHAPE_POINT, -1};
    }
    t->look = (kz_board_look){t->points, t->squares, 2, men_looks, lines, t->lines, {"white", "black"}};
}

static void make_numbers(tables *t) {
    for (uint32_t points = 0; points < 1U << t->points; points++) {
        if (count(points) <= t->men) {
            t->number[points] = (uint16_t)kz_rank_set(points);
            t->set[count(points)][t->number[points]] = (uint16_t)points;
        }
        for (int image = 0; image < kz_images(t->width, t->height); image++) {
            t->image[image][points] = (uint16_t)kz_image_of_set(points, t->width, t->height, image);
        }
    }
    uint64_t begin = 0;
    for (int sum = 4; sum <= 2 * t->men; sum++) {
        for (int few = 2; few <= t->men; few++) {
            int many = sum - few;
            if (many < few || many > t->men) {
                continue;
            }
            t->few[t->tiers] = (uint8_t)few;
            t->many[t->tiers] = (uint8_t)many;
            t->tier_begin[t->tiers++] = begin;
            t->begin[few][many] = begin;
            begin += kz_choose(t->points, few) * kz_choose(t->points - few, many);
            if (few != many) {
                t->begin[many][few] = begin;
                begin += kz_choose(t->points, many) * kz_choose(t->points - many, few);
            }
        }
    }
    t->tier_begin[t->tiers] = begin;
}

static kz_status open_board(int number, void **context, kz_error *error) {
    tables *t = calloc(1, sizeof *t);
    if (!t) {
        error->status = KZ_ERR_MEMORY;
        return KZ_ERR_MEMORY;
    }
    t->width = rules[number][0] - '0';
    t->height = rules[number][2] - '0';
    t->points = t->width * t->height;
    t->men = t->points / 2;
    make_board(t);
    make_numbers(t);
    *context = t;
    return KZ_OK;
}

/* ---- Rules ------------------------------------------------------------------------------------------------------- */

static void start(const void *context, kz_position *position) {
    const tables *t = context;
    uint32_t half = (1U << t->men) - 1;
    set(position, (board){half, half << t->men, 0});
}

/* A move is the point that a man leaves, 16 times that, and the point that it goes to; plus 1. */
static int moves(const void *context, const kz_position *position, kz_move *list) {
    const tables *t = context;
    board b = get(position);
    int n = 0;
    for (uint32_t left = b.own; left; left &= left - 1) {
        int from = lowest(left);
        for (int way = 0; way < WAYS; way++) {
            int over = t->beside[way][from];
            int to = over >= 0 && (b.own >> over & 1) ? t->beside[way][over] : -1;
            if (to >= 0 && (b.other >> to & 1)) {
                list[n++] = (kz_move)(1 + 16 * from + to);
            } else if (over >= 0 && !((b.own | b.other) >> over & 1)) {
                list[n++] = (kz_move)(1 + 16 * from + over);
            }
        }
    }
    return n;
}

static void play(const void *context, kz_position *position, kz_move move) {
    board b = get(position);
    uint32_t from = 1U << (move - 1) / 16;
    uint32_t to = 1U << (move - 1) % 16;
    set(position, (board){b.other & ~to, (b.own & ~from) | to, b.turn ^ 1});
}

static kz_outcome result(const void *context, const kz_position *position) {
    return count(get(position).own) < 2 ? KZ_LOSS : KZ_UNKNOWN;
}

/* Steps taken back. A capture leads to another tier, so it need not be listed. */
static int predecessors(const void *context, const kz_position *position, kz_position *before) {
    const tables *t = context;
    board b = get(position);
    int n = 0;
    for (uint32_t left = b.other; left; left &= left - 1) {
        uint32_t to = left & -left;
        for (uint32_t from = t->neighbours[lowest(left)] & ~(b.own | b.other); from; from &= from - 1) {
            before[n] = (kz_position){{0}};
            set(&before[n++], (board){(b.other & ~to) | (from & -from), b.own, b.turn ^ 1});
        }
    }
    return n;
}

/* ---- Numbers ----------------------------------------------------------------------------------------------------- */

static int tiers(const void *context) { return ((const tables *)context)->tiers; }
static uint64_t tier_begin(const void *context, int tier) { return ((const tables *)context)->tier_begin[tier]; }
static uint64_t index_size(const void *context) { return tier_begin(context, tiers(context)); }
static void tier_name(const void *context, int tier, char *text) {
    const tables *t = context;
    snprintf(text, 64, "%d against %d men", t->many[tier], t->few[tier]);
}

static uint64_t rank(const void *context, const kz_position *position) {
    const tables *t = context;
    board b = get(position);
    if (count(b.own) < 2) {
        return KZ_NO_NUMBER; /* lost */
    }
    uint64_t others = kz_choose(t->points - count(b.own), count(b.other));
    return t->begin[count(b.own)][count(b.other)] +
           kz_join(t->number[b.own], t->number[kz_gather(b.other, b.own)], others);
}

static bool unrank(const void *context, uint64_t index, kz_position *position) {
    const tables *t = context;
    int tier = 0;
    while (t->tier_begin[tier + 1] <= index) {
        tier++;
    }
    int own = t->few[tier];
    int other = t->many[tier];
    if (own != other && t->begin[other][own] <= index) {
        own = t->many[tier];
        other = t->few[tier];
    }
    index -= t->begin[own][other];
    uint32_t gathered = t->set[other][kz_split(&index, kz_choose(t->points - own, other))];
    uint32_t points = t->set[own][index];
    set(position, (board){points, (uint32_t)kz_spread(gathered, points), 0});
    return true;
}

static void symmetry(const void *context, const kz_position *position, int number, kz_position *image) {
    const tables *t = context;
    board b = get(position);
    int images = kz_images(t->width, t->height);
    set(image, (board){t->image[number % images][b.own], t->image[number % images][b.other], b.turn});
}

/* ---- Text -------------------------------------------------------------------------------------------------------- */

/* Rows from the top, and whose turn it is: "BBBB/BBBB/WWWW/WWWW w". */
static void format(const void *context, const kz_position *position, char *text) {
    const tables *t = context;
    board b = get(position);
    uint32_t white = b.turn ? b.other : b.own;
    for (int y = t->height - 1; y >= 0; y--) {
        for (int x = 0; x < t->width; x++) {
            int p = y * t->width + x;
            *text++ = !((b.own | b.other) >> p & 1) ? '.' : white >> p & 1 ? 'W' : 'B';
        }
        *text++ = y ? '/' : ' ';
    }
    *text++ = b.turn ? 'b' : 'w';
    *text = '\0';
}

static kz_status parse(const void *context, const char *text, size_t length, kz_position *position, kz_error *error) {
    const tables *t = context;
    uint32_t men[2] = {0, 0};
    size_t wanted = (size_t)((t->width + 1) * t->height + 1);
    for (size_t i = 0; i < length && i < wanted; i++) {
        int x = (int)i % (t->width + 1);
        int y = t->height - 1 - (int)i / (t->width + 1);
        const char *allowed = i == wanted - 1 ? "wb" : x < t->width ? "WB." : y > 0 ? "/" : " ";
        if (!text[i] || !strchr(allowed, text[i])) {
            return kz_reject(error, "character %zu is '%c', not one of '%s'", i + 1, text[i], allowed);
        }
        men[0] |= (text[i] == 'W' ? 1U : 0) << (y * t->width + x) % 32;
        men[1] |= (text[i] == 'B' ? 1U : 0) << (y * t->width + x) % 32;
    }
    if (length != wanted) {
        return kz_reject(error, "a position has %zu characters, not %zu: the rows, a blank, w or b", wanted, length);
    }
    uint32_t turn = text[wanted - 1] == 'b';
    for (uint32_t side = 0; side < 2; side++) {
        if (count(men[side]) > t->men || count(men[side]) < (side == turn ? 1 : 2)) {
            return kz_reject(error, "%s has %d men; it takes 2 to %d (the side to move may have lost with 1)",
                             t->look.side_names[side], count(men[side]), t->men);
        }
    }
    set(position, (board){men[turn], men[1 - turn], turn});
    return KZ_OK;
}

/* "a1-a2", and "a1xa3" for a capture. */
static void move_format(const void *context, const kz_position *position, kz_move move, char *text) {
    const tables *t = context;
    int to = (int)(move - 1) % 16;
    bool takes = get(position).other >> to & 1;
    snprintf(text, 8, "%s%c%s", t->labels[(move - 1) / 16], takes ? 'x' : '-', t->labels[to]);
}
static int side_to_move(const void *context, const kz_position *position) { return (int)get(position).turn; }

/* ---- Look -------------------------------------------------------------------------------------------------------- */

static const kz_board_look *look(const void *context) { return &((const tables *)context)->look; }
static void pieces(const void *context, const kz_position *position, uint8_t *piece, uint8_t *number) {
    const tables *t = context;
    board b = get(position);
    for (int p = 0; p < t->points; p++) {
        bool white = (b.turn ? b.other : b.own) >> p & 1;
        piece[p] = !((b.own | b.other) >> p & 1) ? 0 : white ? 1 : 2;
    }
}
static void touches(const void *context, const kz_position *position, kz_move move, kz_touched *touched) {
    *touched = (kz_touched){.count = 2, .square = {(uint16_t)((move - 1) / 16), (uint16_t)((move - 1) % 16)}};
}

/* ---- A second implementation: men in a table of letters, every pair of points looked at ---- */

static kz_outcome twin(const void *context, const kz_position *position,
                       void (*visit)(void *user, const kz_position *next), void *user) {
    const tables *t = context;
    board b = get(position);
    char man[POINTS];
    int own = 0;
    for (int p = 0; p < t->points; p++) {
        man[p] = b.own >> p & 1 ? 'm' : b.other >> p & 1 ? 'o' : '.';
        own += man[p] == 'm';
    }
    if (own <= 1) {
        return KZ_LOSS;
    }
    for (int from = 0; from < t->points; from++) {
        for (int to = 0; to < t->points; to++) {
            int across = to % t->width - from % t->width;
            int up = to / t->width - from / t->width;
            bool line = across == 0 || up == 0;
            bool step = line && abs(across + up) == 1 && man[to] == '.';
            bool jump = line && abs(across + up) == 2 && man[to] == 'o' && man[(from + to) / 2] == 'm';
            if (man[from] != 'm' || (!step && !jump)) {
                continue;
            }
            board next = {0, 0, b.turn ^ 1};
            for (int p = 0; p < t->points; p++) {
                next.own |= (man[p] == 'o' && p != to ? 1U : 0) << p;
                next.other |= ((man[p] == 'm' && p != from) || p == to ? 1U : 0) << p;
            }
            kz_position after = {{0}};
            set(&after, next);
            visit(user, &after);
        }
    }
    return KZ_UNKNOWN;
}

static const kz_definition definition = {
    .version = KZ_DEFINE_VERSION,
    .size = sizeof(kz_definition),
    .name = "kono",
    .title = "Four Field Kono",
    .max_moves = 4 * MEN,
    .start = start,
    .moves = moves,
    .play = play,
    .result = result,
    .without_moves = KZ_LOSS,
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
    .max_predecessors = 4 * MEN,
    .predecessors = predecessors,
    .symmetries = 8,
    .symmetry = symmetry,
    .tiers = tiers,
    .tier_begin = tier_begin,
    .tier_name = tier_name,
    .look = look,
    .pieces = pieces,
    .touches = touches,
    .twin = twin,
};

const kz_definition *kanzen_game(void);
const kz_definition *kanzen_game(void) { return &definition; }
