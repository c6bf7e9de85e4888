/* SPDX-License-Identifier: MIT
 *
 * Morris: nine, six and three men's. The players place their men in turn, then move them along the lines. Who gets
 * three in a row (a mill) takes an opponent's man that is in no mill, or any if all are in mills. Who has two men left,
 * or can't move, loses. In Nine Men's Morris, a player with three men left may move to any empty point. In Three Men's
 * Morris a mill wins, and nothing is taken.
 *
 * The number of a position. A position is seen by the side to move, so positions with colours exchanged are one. Its
 * space tells how many men are placed and how many each side has on the board. In a space, the mover's men are turned
 * and mirrored to the first of their images (a class of sets), and the opponent's men are a set of the points that are
 * left. If the class looks the same in several images, the lowest number counts, and the others are holes. So this game
 * folds its symmetries by itself. Positions with mills that cost no man are holes, too: they can't occur. All games
 * that are lost share number 0, all that are won number 1.
 *
 * Tiers: the spaces in which all men are placed, in pairs (5 against 4 and 4 against 5, because a move leads from one
 * to the other): 28 for Nine Men's Morris. Then each space of the placing phase, from its end to its beginning. */
#include "morris_tables.h"

/* ---- Rules ------------------------------------------------------------------------------------------------------- */

static void start(const void *context, kz_position *position) { set(position, (board){0, 0, 0, 0}); }

/* The points where a man more would close a mill. A man that is in a mill already does not count as one more, so take
 * the man that moves away first. */
static uint32_t closing(const tables *t, uint32_t points) {
    uint32_t found =
        t->closing_in[0][points & 255] | t->closing_in[1][points >> 8 & 255] | t->closing_in[2][points >> 16 & 255];
    for (int i = 0; i < t->long_mills; i++) {
        uint32_t missing = t->long_mill[i] & ~points;
        found |= missing & (missing - 1) ? 0 : missing;
    }
    return found & ~points;
}

/* Whether a man on `point` is in a mill with men on `points`. */
static bool in_mill(const tables *t, uint32_t points, int point) {
    return closing(t, points & ~(1U << point)) >> point & 1;
}

static uint32_t men_in_mills(const tables *t, uint32_t points) {
    uint32_t men =
        t->mills_in[0][points & 255] | t->mills_in[1][points >> 8 & 255] | t->mills_in[2][points >> 16 & 255];
    for (int i = 0; i < t->long_mills; i++) {
        men |= (points & t->long_mill[i]) == t->long_mill[i] ? t->long_mill[i] : 0;
    }
    return men;
}

/* The men that may be taken. */
static uint32_t men_to_take(const tables *t, uint32_t points) {
    uint32_t outside = points & ~men_in_mills(t, points);
    return outside ? outside : points;
}

static kz_move make_move(int from, int to, int taken) { return (kz_move)(1 + (from << 10 | to << 5 | taken)); }
static int from_of(kz_move move) { return (int)(move - 1) >> 10; }
static int to_of(kz_move move) { return (int)(move - 1) >> 5 & 31; }
static int taken_of(kz_move move) { return (int)(move - 1) & 31; }

static int add_moves(const tables *t, board b, int from, uint32_t targets, kz_move *list, int n) {
    uint32_t rest = from == NOWHERE ? b.own : b.own & ~(1U << from);
    for (; targets; targets &= targets - 1) {
        int to = lowest(targets);
        uint32_t taken = !t->mill_wins && in_mill(t, rest, to) ? men_to_take(t, b.other) : 0;
        if (!taken) {
            list[n++] = make_move(from, to, NOWHERE);
        }
        for (; taken; taken &= taken - 1) {
            list[n++] = make_move(from, to, lowest(taken));
        }
    }
    return n;
}

static int moves(const void *context, const kz_position *position, kz_move *list) {
    const tables *t = context;
    board b = get(position);
    uint32_t empty = ((1U << t->points) - 1) & ~(b.own | b.other);
    if (b.placed < 2 * t->men) {
        return add_moves(t, b, NOWHERE, empty, list, 0);
    }
    bool anywhere = t->flies && count(b.own) == 3;
    int n = 0;
    for (uint32_t left = b.own; left; left &= left - 1) {
        int from = lowest(left);
        n = add_moves(t, b, from, anywhere ? empty : empty & t->neighbours[from], list, n);
    }
    return n;
}

static void play(const void *context, kz_position *position, kz_move move) {
    const tables *t = context;
    board b = get(position);
    if (from_of(move) != NOWHERE) {
        b.own &= ~(1U << from_of(move));
    }
    b.own |= 1U << to_of(move);
    if (taken_of(move) != NOWHERE) {
        b.other &= ~(1U << taken_of(move));
    }
    int placed = b.placed < 2 * t->men ? b.placed + 1 : b.placed;
    set(position, (board){b.other, b.own, (uint8_t)placed, b.turn ^ 1});
}

static kz_outcome outcome_of(const tables *t, board b) {
    if (t->mill_wins) {
        return men_in_mills(t, b.other) ? KZ_LOSS : KZ_UNKNOWN;
    }
    if (b.placed < 2 * t->men) {
        return KZ_UNKNOWN;
    }
    return count(b.own) < 3 ? KZ_LOSS : count(b.other) < 3 ? KZ_WIN : KZ_UNKNOWN;
}

static kz_outcome result(const void *context, const kz_position *position) {
    return outcome_of(context, get(position));
}

enum { MOST_BEFORE = 96 }; /* moves taken back: at most three men to 18 points, or nine to four each */

/* Moves taken back, as far as they stay in the tier: men that were moved without closing a mill. */
static int boards_before(const tables *t, board b, board before[MOST_BEFORE]) {
    if (b.placed < 2 * t->men) {
        return 0;
    }
    uint32_t empty = ((1U << t->points) - 1) & ~(b.own | b.other);
    bool anywhere = t->flies && count(b.other) == 3;
    int n = 0;
    for (uint32_t left = b.other; left; left &= left - 1) {
        int to = lowest(left);
        uint32_t rest = b.other & ~(1U << to);
        if (in_mill(t, rest, to)) {
            continue;
        }
        for (uint32_t from = anywhere ? empty : empty & t->neighbours[to]; from; from &= from - 1) {
            before[n++] = (board){rest | (from & -from), b.own, b.placed, b.turn ^ 1};
        }
    }
    return n;
}

static int predecessors(const void *context, const kz_position *position, kz_position *before) {
    board boards[MOST_BEFORE];
    int n = boards_before(context, get(position), boards);
    for (int i = 0; i < n; i++) {
        before[i] = (kz_position){{0}};
        set(&before[i], boards[i]);
    }
    return n;
}

/* Whether the mills that are there can have been closed: each that has no man in common with the others cost the other
 * side a man; and in Three Men's Morris the game was over. */
static bool can_occur(const tables *t, board b) {
    if (t->mill_wins) {
        return !men_in_mills(t, b.own);
    }
    int own = count(b.own);
    int other = count(b.other);
    int by_mover = b.placed / 2;
    return t->disjoint[own][rank_set(t, b.own)] <= b.placed - by_mover - other &&
           t->disjoint[other][rank_set(t, b.other)] <= by_mover - own;
}

/* ---- Numbers ----------------------------------------------------------------------------------------------------- */

static int tiers(const void *context) { return ((const tables *)context)->tiers; }
static uint64_t tier_begin(const void *context, int tier) { return ((const tables *)context)->tier_begin[tier]; }
static uint64_t index_size(const void *context) { return tier_begin(context, tiers(context)); }

static const space *space_of_tier(const tables *t, int tier) {
    int i = 0;
    while (t->space[i].tier != tier) {
        i++;
    }
    return &t->space[i];
}

static int add_tier(const tables *t, int placed, int own, int other, int *next, int n) {
    int tier = own >= 0 && other >= 0 && t->begin[placed][own][other] != NO_SPACE ? t->tier_of[placed][own][other] : 0;
    for (int i = 0; i < n; i++) {
        if (next[i] == tier) {
            return n;
        }
    }
    next[n] = tier;
    return n + 1;
}

static int tier_next(const void *context, int tier, int *next) {
    const tables *t = context;
    if (tier == 0) {
        return 0;
    }
    const space *s = space_of_tier(t, tier);
    int all = 2 * t->men;
    int n = 0;
    if (t->mill_wins) {
        n = add_tier(t, all, -1, -1, next, n); /* finished */
    }
    if (s->placed < all) {
        n = add_tier(t, s->placed + 1, s->other, s->own + 1, next, n);
        return t->mill_wins ? n : add_tier(t, s->placed + 1, s->other - 1, s->own + 1, next, n);
    }
    if (!t->mill_wins) {
        n = add_tier(t, all, s->other - 1, s->own, next, n);
        n = add_tier(t, all, s->own - 1, s->other, next, n);
    }
    return n;
}

static void tier_name(const void *context, int tier, char *text) {
    const tables *t = context;
    if (tier == 0) {
        snprintf(text, 64, "finished games");
        return;
    }
    const space *s = space_of_tier(t, tier);
    int left = 2 * t->men - s->placed;
    snprintf(text, 64, left ? "%d against %d, %d to place" : "%d against %d", s->own, s->other, left);
}

/* What all positions have in common in which the side to move has the same men, and the other side as many. */
typedef struct frame {
    uint64_t begin;  /* the first of their numbers */
    uint32_t first;  /* the men as the number has them */
    int image;       /* that leads there */
    unsigned images; /* that leave them as they are */
} frame;

/* `entry`: what class_of has for the men. */
static frame frame_with(const tables *t, int placed, int men, uint32_t entry, int other) {
    const men_class *class = &t->class[men][entry / 16];
    return (frame){.begin = t->begin[placed][men][other] + entry / 16 * t->choose[t->points - men][other],
                   .first = class->first,
                   .image = (int)(entry % 16),
                   .images = class->images};
}

static frame frame_of(const tables *t, int placed, uint32_t own, int other) {
    int men = count(own);
    return frame_with(t, placed, men, t->class_of[men][rank_set(t, own)], other);
}

/* `others`: the other side's men, in the frame's image. */
static uint64_t rank_in(const tables *t, const frame *f, uint32_t others) {
    uint32_t number = rank_set(t, gather(others, f->first));
    for (unsigned images = f->images; images; images &= images - 1) {
        uint32_t there = rank_set(t, gather(image_of(t, lowest(images), others), f->first));
        number = there < number ? there : number;
    }
    return f->begin + number;
}

static uint64_t rank_board(const tables *t, board b) {
    frame f = frame_of(t, b.placed, b.own, count(b.other));
    return rank_in(t, &f, image_of(t, f.image, b.other));
}

static uint64_t rank(const void *context, const kz_position *position) {
    board b = get(position);
    kz_outcome outcome = outcome_of(context, b);
    return outcome == KZ_LOSS ? LOST_INDEX : outcome == KZ_WIN ? WON_INDEX : rank_board(context, b);
}

/* False: a hole. Not for finished games. `images`: those that leave the men of the side to move as they are. */
static bool unrank_board(const tables *t, uint64_t index, board *position, unsigned *images) {
    uint8_t all = (uint8_t)(2 * t->men);
    const space *s = &t->space[t->space_at[index >> t->lower_bits]];
    while (s + 1 < t->space + t->spaces && s[1].begin <= index) {
        s++;
    }
    uint32_t number = (uint32_t)(index - s->begin);
    uint32_t sets = (uint32_t)t->choose[t->points - s->own][s->other];
    men_class class = t->class[s->own][number / sets];
    uint32_t first = class.first;
    uint32_t others = spread(t, t->sets[s->other][number % sets], first);
    int by_mover = s->placed / 2;
    *position = (board){first, others, s->placed, s->placed < all ? s->placed & 1 : 0};
    *images = class.images;
    if (class.mills > s->placed - by_mover - s->other ||
        t->disjoint[s->other][rank_set(t, others)] > by_mover - s->own) {
        return false; /* mills that cost no man */
    }
    for (unsigned left = *images; left; left &= left - 1) {
        if (rank_set(t, gather(image_of(t, lowest(left), others), first)) < number % sets) {
            return false;
        }
    }
    return true;
}

static bool unrank(const void *context, uint64_t index, kz_position *position) {
    const tables *t = context;
    uint8_t all = (uint8_t)(2 * t->men);
    board b = {0, 0, 0, 0};
    bool there = index == LOST_INDEX || (index == WON_INDEX && !t->mill_wins);
    if (index < FIRST_INDEX) {
        bool lost = index == LOST_INDEX;
        b = t->mill_wins ? (board){0013 << 3, 0007, all, 0}
            : lost       ? (board){0003, 0124, all, 0}
                         : (board){0124, 0003, all, 0};
    } else {
        unsigned images;
        there = unrank_board(t, index, &b, &images);
    }
    set(position, b);
    return there;
}

/* ---- Moves as numbers -------------------------------------------------------------------------------------------- */

static uint32_t targets_of(const tables *t, board b, int from) {
    uint32_t empty = ((1U << t->points) - 1) & ~(b.own | b.other);
    bool anywhere = from == NOWHERE || (t->flies && count(b.own) == 3);
    return anywhere ? empty : empty & t->neighbours[from];
}

/* Whether the side to move wins with its next move: a mill that wins, or that takes the third last man. */
static bool wins_now(const tables *t, board b) {
    bool placing = b.placed < 2 * t->men;
    if (!t->mill_wins && (count(b.other) != 3 || b.placed < 2 * t->men - 1)) {
        return false;
    }
    uint32_t open = closing(t, b.own) & ~b.other;
    if (placing || !open) {
        return open;
    }
    bool anywhere = t->flies && count(b.own) == 3;
    for (; open; open &= open - 1) { /* a man that is not of the mill must get there */
        uint32_t men = anywhere ? b.own : b.own & t->neighbours[lowest(open)];
        const uint32_t *mates = t->mates[lowest(open)];
        for (int i = 0; i < 4 && mates[i]; i++) {
            if ((b.own & mates[i]) == mates[i] && men & ~mates[i]) {
                return true;
            }
        }
    }
    return false;
}

/* Sorts a list and drops what comes twice: several moves may lead to images of one position. */
static int distinct(uint64_t *list, int n) {
    int left = 0;
    for (int i = 0; i < n; i++) {
        uint64_t number = list[i];
        int at = left;
        while (at > 0 && list[at - 1] > number) {
            at--;
        }
        if (at == 0 || list[at - 1] != number) {
            memmove(list + at + 1, list + at, (size_t)(left - at) * sizeof *list);
            list[at] = number;
            left++;
        }
    }
    return left;
}

/* Adds the number of a position that a move leads to; `others` are the men that moved, in the frame's image. */
static int add_number(const tables *t, const frame *f, board next, uint32_t others, uint64_t *numbers, int n,
                      kz_sight *sight) {
    kz_outcome outcome = outcome_of(t, next);
    if (outcome == KZ_LOSS) {
        sight->win = 1;
    } else if (outcome == KZ_UNKNOWN && wins_now(t, next)) {
        sight->worst = 1;
    } else if (outcome == KZ_UNKNOWN) {
        numbers[n++] = rank_in(t, f, others);
    }
    return n;
}

/* After a move without a capture the next side to move has the same men, whatever the move is: one frame for all.
 * Those with a capture are collected in `closed`: the men that moved. */
static int add_quiet(const tables *t, board b, uint64_t *numbers, kz_sight *sight, uint32_t *closed, int *captures) {
    bool placing = b.placed < 2 * t->men;
    uint8_t placed = (uint8_t)(placing ? b.placed + 1 : b.placed);
    frame f = frame_of(t, placed, b.other, count(b.own) + placing);
    uint32_t turned = image_of(t, f.image, b.own);
    const uint8_t *image = t->image[f.image];
    bool any = false;
    int n = 0;
    *captures = 0;
    for (uint32_t left = placing ? 1 : b.own; left; left &= left - 1) {
        uint32_t from = placing ? 0 : left & -left;
        uint32_t targets = targets_of(t, b, placing ? NOWHERE : lowest(left));
        uint32_t mills = t->mill_wins ? 0 : targets & closing(t, b.own & ~from);
        uint32_t rest = placing ? turned : turned & ~(1U << image[lowest(left)]);
        any = any || targets;
        for (uint32_t to = mills; to; to &= to - 1) {
            closed[(*captures)++] = (b.own & ~from) | (to & -to);
        }
        for (uint32_t to = targets & ~mills; to; to &= to - 1) {
            board next = {b.other, (b.own & ~from) | (to & -to), placed, 0};
            n = add_number(t, &f, next, rest | 1U << image[lowest(to)], numbers, n, sight);
        }
    }
    sight->over = any ? KZ_UNKNOWN : KZ_LOSS;
    return f.images ? distinct(numbers, n) : n; /* no images: no two moves lead to images of one position */
}

/* Numbers are asked for one after the other. So what the frames of the next ones need is fetched meanwhile: they lie
 * anywhere in megabytes. */
static void fetch_next(const tables *t, board b) {
    enum { SOON = 4, LATER = 8 };
    int men = count(b.other);
    uint32_t others = rank_set(t, gather(b.other, b.own));
    if (others + LATER < t->choose[t->points - count(b.own)][men]) {
        uint32_t soon = rank_set(t, spread(t, t->sets[men][others + SOON], b.own));
        uint32_t later = rank_set(t, spread(t, t->sets[men][others + LATER], b.own));
        __builtin_prefetch(&t->class[men][t->class_of[men][soon] / 16]);
        __builtin_prefetch(&t->class_of[men][later]);
        __builtin_prefetch(&t->disjoint[men][later]);
    }
}

static int numbers_after(const void *context, uint64_t index, uint64_t *numbers, kz_sight *sight) {
    const tables *t = context;
    board b;
    unsigned images;
    if (index < FIRST_INDEX) {
        sight->over = index == LOST_INDEX ? KZ_LOSS : KZ_WIN;
        return index == LOST_INDEX || !t->mill_wins ? 0 : -1;
    }
    bool there = unrank_board(t, index, &b, &images);
    fetch_next(t, b);
    if (!there) {
        return -1;
    }
    if (wins_now(t, b)) {
        sight->win = 1;
        return 0;
    }
    uint32_t closed[POINTS * 4];
    int captures;
    int n = add_quiet(t, b, numbers, sight, closed, &captures);
    uint8_t placed = (uint8_t)(b.placed < 2 * t->men ? b.placed + 1 : b.placed);
    uint32_t all = captures ? men_to_take(t, b.other) : 0;
    for (uint32_t taken = all; taken; taken &= taken - 1) {
        uint32_t other = b.other & ~(taken & -taken);
        __builtin_prefetch(&t->class_of[count(other)][rank_set(t, other)]);
    }
    for (uint32_t taken = all; taken; taken &= taken - 1) {
        uint32_t other = b.other & ~(taken & -taken);
        frame f = frame_of(t, placed, other, count(closed[0]));
        for (int i = 0; i < captures; i++) {
            n = add_number(t, &f, (board){other, closed[i], placed, 0}, image_of(t, f.image, closed[i]), numbers, n,
                           sight);
        }
    }
    return n;
}

static int numbers_before(const void *context, uint64_t index, uint64_t *numbers) {
    const tables *t = context;
    board b;
    unsigned images;
    board before[MOST_BEFORE];
    if (index < FIRST_INDEX || !unrank_board(t, index, &b, &images)) {
        return 0;
    }
    int n = boards_before(t, b, before);
    /* The men that move back have classes anywhere in megabytes: what belongs to them is fetched for all positions
     * before it is needed for the first one. */
    int men = count(b.other);
    const uint32_t *entry[MOST_BEFORE];
    for (int i = 0; i < n; i++) {
        entry[i] = &t->class_of[men][rank_set(t, before[i].own)];
        __builtin_prefetch(entry[i]);
    }
    for (int i = 0; i < n; i++) {
        __builtin_prefetch(&t->class[men][*entry[i] / 16]);
    }
    for (int i = 0; i < n; i++) {
        frame f = frame_with(t, b.placed, men, *entry[i], count(b.own));
        numbers[i] = rank_in(t, &f, image_of(t, f.image, b.own));
    }
    return images ? distinct(numbers, n) : n;
}

/* ---- Text -------------------------------------------------------------------------------------------------------- */

/* The points in order, with '/' after each ring or row; whose turn it is; how many men white and black have yet to
 * place:
 * "......../......../........ w 9 9". */
static void format(const void *context, const kz_position *position, char *text) {
    const tables *t = context;
    board b = get(position);
    int row = t->rings ? 8 : 3;
    for (int point = 0; point < t->points; point++) {
        if (point > 0 && point % row == 0) {
            *text++ = '/';
        }
        bool own = b.own >> point & 1;
        *text++ = !own && !(b.other >> point & 1) ? '.' : own == (b.turn == 0) ? 'W' : 'B';
    }
    int white = t->men - (b.placed + 1) / 2;
    snprintf(text, 16, " %c %d %d", b.turn ? 'b' : 'w', white, t->men - b.placed / 2);
}

static kz_status parse(const void *context, const char *text, size_t length, kz_position *position, kz_error *error) {
    const tables *t = context;
    int row = t->rings ? 8 : 3;
    uint32_t men[2] = {0, 0};
    size_t at = 0;
    for (int point = 0; point < t->points; point++) {
        if (point > 0 && point % row == 0) {
            if (at >= length || text[at] != '/') {
                return kz_reject(error, "character %zu must be '/': %d points are before it", at + 1, row);
            }
            at++;
        }
        if (at >= length || !text[at] || !strchr(".WB", text[at])) {
            return kz_reject(error, "character %zu must be W, B or .: the board has %d points", at + 1, t->points);
        }
        men[0] |= (text[at] == 'W' ? 1U : 0) << point;
        men[1] |= (text[at] == 'B' ? 1U : 0) << point;
        at++;
    }
    char rest[16] = "";
    char turn = 0;
    int left[2] = {-1, -1};
    int used = 0;
    if (length - at < sizeof rest) {
        memcpy(rest, text + at, length - at);
    }
    if (sscanf(rest, " %c %d %d%n", &turn, &left[0], &left[1], &used) != 3 || (size_t)used != length - at ||
        (turn != 'w' && turn != 'b')) {
        return kz_reject(error,
                         "after the board, at character %zu, come w or b and two numbers: the men that white and "
                         "black have yet to place",
                         at + 1);
    }
    int side = turn == 'b';
    for (int i = 0; i < 2; i++) {
        if (left[i] < 0 || left[i] > t->men || left[i] + count(men[i]) > t->men) {
            return kz_reject(error, "%s has %d men on the board and %d to place, and %d in all", i ? "black" : "white",
                             count(men[i]), left[i], t->men);
        }
    }
    int placed = 2 * t->men - left[0] - left[1];
    if (left[0] + left[1] > 0 && (left[1] - left[0] != side)) {
        return kz_reject(error, "white places first, so the numbers of men to place don't go with whose turn it is");
    }
    board b = {men[side], men[1 - side], (uint8_t)placed, (uint8_t)side};
    if (outcome_of(t, b) == KZ_UNKNOWN && t->begin[placed][count(b.own)][count(b.other)] == NO_SPACE) {
        return kz_reject(error, "more men were taken than mills can have been closed");
    }
    if (outcome_of(t, b) == KZ_UNKNOWN && !can_occur(t, b)) {
        return kz_reject(error, "a mill is closed, and no man was taken for it");
    }
    if (t->mill_wins && men_in_mills(t, b.own)) {
        return kz_reject(error, "the side to move has a mill already");
    }
    set(position, b);
    return KZ_OK;
}

/* "d6", "d6-d5", and "xf4" after it if a man is taken. */
static void move_format(const void *context, const kz_position *position, kz_move move, char *text) {
    const tables *t = context;
    bool placing = from_of(move) == NOWHERE;
    bool takes = taken_of(move) != NOWHERE;
    snprintf(text, 16, "%s%s%s%s%s", placing ? "" : t->labels[from_of(move)], placing ? "" : "-",
             t->labels[to_of(move)], takes ? "x" : "", takes ? t->labels[taken_of(move)] : "");
}

static int side_to_move(const void *context, const kz_position *position) { return get(position).turn; }

/* ---- Look -------------------------------------------------------------------------------------------------------- */

static const kz_board_look *look(const void *context) { return &((const tables *)context)->look; }

static void pieces(const void *context, const kz_position *position, uint8_t *piece, uint8_t *number) {
    const tables *t = context;
    board b = get(position);
    for (int point = 0; point < t->points; point++) {
        bool own = b.own >> point & 1;
        piece[point] = !own && !(b.other >> point & 1) ? 0 : own == (b.turn == 0) ? 1 : 2;
    }
    for (int side = 0; side < 2; side++) {
        int left = t->men - (b.placed + 1 - side) / 2;
        piece[t->points + side] = left > 0 ? (uint8_t)(1 + side) : 0;
        number[t->points + side] = (uint8_t)left;
    }
}

static void touches(const void *context, const kz_position *position, kz_move move, kz_touched *touched) {
    *touched = (kz_touched){.count = 0};
    if (from_of(move) != NOWHERE) {
        touched->square[touched->count++] = (uint16_t)from_of(move);
    }
    touched->square[touched->count++] = (uint16_t)to_of(move);
    if (taken_of(move) != NOWHERE) {
        touched->square[touched->count++] = (uint16_t)taken_of(move);
    }
}

/* ---- A second implementation: men in an array, mills counted by looking at every line ---- */

static bool closes_mill(const tables *t, const char *man, char who, int point) {
    bool closed = false;
    for (int i = 0; i < t->mills; i++) {
        int own = 0;
        for (int p = 0; p < t->points; p++) {
            own += (t->mill[i] >> p & 1) && man[p] == who;
        }
        closed = closed || (own == 3 && (t->mill[i] >> point & 1));
    }
    return closed;
}

static void visit_board(const tables *t, const char *man, int placed, int turn,
                        void (*visit)(void *user, const kz_position *next), void *user) {
    board b = {0, 0, (uint8_t)(placed < 2 * t->men ? placed + 1 : placed), (uint8_t)(turn ^ 1)};
    for (int p = 0; p < t->points; p++) { /* 'o' was the opponent, and moves now */
        b.own |= (man[p] == 'o' ? 1U : 0) << p;
        b.other |= (man[p] == 'm' ? 1U : 0) << p;
    }
    kz_position next = {{0}};
    set(&next, b);
    visit(user, &next);
}

static kz_outcome twin(const void *context, const kz_position *position,
                       void (*visit)(void *user, const kz_position *next), void *user) {
    const tables *t = context;
    board b = get(position);
    char man[POINTS];
    int own = 0;
    int other = 0;
    bool lost = false;
    for (int p = 0; p < POINTS; p++) {
        man[p] = b.own >> p & 1 ? 'm' : b.other >> p & 1 ? 'o' : '.';
        own += man[p] == 'm';
        other += man[p] == 'o';
    }
    for (int p = 0; p < t->points; p++) {
        lost = lost || (t->mill_wins && man[p] == 'o' && closes_mill(t, man, 'o', p));
    }
    bool placing = b.placed < 2 * t->men;
    if (lost || (!t->mill_wins && !placing && own < 3)) {
        return KZ_LOSS;
    }
    if (!t->mill_wins && !placing && other < 3) {
        return KZ_WIN;
    }
    bool all_in_mills = true;
    for (int p = 0; p < t->points; p++) {
        all_in_mills = all_in_mills && (man[p] != 'o' || closes_mill(t, man, 'o', p));
    }
    for (int from = placing ? -1 : 0; from < (placing ? 0 : t->points); from++) {
        if (!placing && man[from] != 'm') {
            continue;
        }
        for (int to = 0; to < t->points; to++) {
            bool reaches = placing || (t->flies && own == 3) || (t->neighbours[to] >> from & 1);
            if (man[to] != '.' || !reaches) {
                continue;
            }
            man[to] = 'm';
            if (!placing) {
                man[from] = '.';
            }
            bool takes = false;
            for (int p = 0; p < t->points && !t->mill_wins && closes_mill(t, man, 'm', to); p++) {
                if (man[p] == 'o' && (all_in_mills || !closes_mill(t, man, 'o', p))) {
                    man[p] = '.';
                    visit_board(t, man, b.placed, b.turn, visit, user);
                    man[p] = 'o';
                    takes = true;
                }
            }
            if (!takes) {
                visit_board(t, man, b.placed, b.turn, visit, user);
            }
            man[to] = '.';
            if (!placing) {
                man[from] = 'm';
            }
        }
    }
    return KZ_UNKNOWN;
}

static const kz_definition definition = {
    .version = KZ_DEFINE_VERSION,
    .size = sizeof(kz_definition),
    .name = "morris",
    .title = "Nine, Six and Three Men's Morris",
    .max_moves = 512,
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
    .open = open_tables,
    .close = close_tables,
    .move_format = move_format,
    .side_to_move = side_to_move,
    .max_predecessors = MOST_BEFORE,
    .predecessors = predecessors,
    .tiers = tiers,
    .tier_begin = tier_begin,
    .tier_next = tier_next,
    .tier_name = tier_name,
    .look = look,
    .pieces = pieces,
    .touches = touches,
    .twin = twin,
    .numbers_after = numbers_after,
    .numbers_before = numbers_before,
};

const kz_definition *kanzen_game(void);
const kz_definition *kanzen_game(void) { return &definition; }
