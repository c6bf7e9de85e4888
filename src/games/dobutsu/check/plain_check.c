/* SPDX-License-Identifier: MIT
 *
 * Checks a whole table by the plain rules, some 200 million positions in seconds.
 *
 * What is shared with the solver is the index, and nothing else: steps come from plain.c, and moves are made here. The
 * positions of a run (space.h) differ in the chicks only. So the moves of all other pieces are listed once for a
 * run, each with the run that it leads to; for a position it remains to see which of them the chicks stop, and what
 * the chicks do themselves. Pieces only ever step, so an attack never depends on what stands between. */
#include "base/bigmem.h"
#include "base/bits.h"
#include "base/error.h"
#include "games/dobutsu/check/plain.h"
#include "games/dobutsu/index/space.h"
#include "table/verify.h"

#include <stdlib.h>
#include <string.h>

/* Where a piece is and whose, as one number: 4 * square + marks (pairs.h), or one of two hands. */
enum { OWN_HAND = 4 * KZ_DOBUTSU_SQUARES, ENEMY_HAND, PLACES };
/* Kinds as the tables here know them; a hen is a chick with a mark. */
enum { TABLE_KINDS = KZ_DOBUTSU_GIRAFFE + 1 };
/* The pieces of a run other than the lions: two elephants, two giraffes. */
enum { BLOCK_PIECES = 4 };
/* Steps of a lion, steps or drops of four pieces. */
enum { MAX_BLOCK_MOVES = 8 + 4 * KZ_DOBUTSU_SQUARES };
enum { FAR_ROW = 07000, BOARD = 07777 };

/* What a piece at a place means for the squares. */
typedef struct place_info {
    uint16_t own;           /* the square, if the piece is the mover's and on the board */
    uint16_t enemy;         /* the square, if it is the opponent's */
    uint16_t own_attacks;   /* where it can step, if it is the mover's */
    uint16_t enemy_attacks; /* where it can step, if it is the opponent's */
} place_info;

typedef struct checker {
    int rules;
    uint8_t *losses; /* as the table has them: n + 1, 0: not lost */
    uint8_t *wins;   /* the distance; 0: not won */
    kz_dobutsu_space *space;
    uint16_t lion_reach[2][KZ_DOBUTSU_SQUARES];
    place_info info[TABLE_KINDS][PLACES];
    uint8_t plain_places[KZ_DOBUTSU_PLAIN_STATES][2];
    uint8_t chick_places[KZ_DOBUTSU_CHICK_STATES][2];
    /* The state of a pair as the opponent sees it, and the mirror image of that for chicks. */
    uint16_t plain_turned[PLACES][PLACES];
    uint16_t chick_turned[2][PLACES][PLACES];
} checker;

/* A move of a piece that is not a chick. */
typedef struct run_move {
    kz_dobutsu_run_base target; /* where the child is, if the lion is safe and does not try */
    uint16_t to;                /* the square as a set */
    uint16_t own_lion;          /* after the move, likewise */
    uint16_t enemy_attacks;     /* after the move, without the chicks' */
    uint8_t drop;
    uint8_t try_from; /* a Try: the square that the lion comes from, plus 1 */
} run_move;

/* The position of a run, chicks aside. */
typedef struct run_view {
    const checker *c;
    int own_lion;
    int enemy_lion;
    uint8_t places[BLOCK_PIECES];
    unsigned own;
    unsigned enemy;
    unsigned own_attacks;
    unsigned enemy_attacks;
    int count;
    run_move moves[MAX_BLOCK_MOVES];
    run_move chick_moves[KZ_DOBUTSU_SQUARES]; /* by destination: what a chick's move there does to the others */
} run_view;

/* What the moves of a position lead to. */
typedef struct successors {
    int count;
    bool lion_taken;  /* there are moves after which the lion can be taken: the child wins in 1 */
    uint8_t lost_try; /* a Try leads to a child lost in this minus 1; 0: there is none */
    uint32_t children[KZ_DOBUTSU_MAX_MOVES];
} successors;

/* ---- Tables ---------------------------------------------------------------------------------------------------- */

static int kind_of_piece(int number) { return number < 2 ? KZ_DOBUTSU_ELEPHANT : KZ_DOBUTSU_GIRAFFE; }
static unsigned square_set(int square) { return 1U << square; }

static place_info info_of(int kind, int place) {
    place_info info = {0};
    if (place < OWN_HAND) {
        int square = place / 4;
        bool hen = kind == KZ_DOBUTSU_CHICK && (place & KZ_DOBUTSU_MARK_HEN);
        bool enemy = place & KZ_DOBUTSU_MARK_ENEMY;
        unsigned reach = kz_dobutsu_plain_steps(hen ? KZ_DOBUTSU_HEN : kind, enemy, square);
        *(enemy ? &info.enemy : &info.own) = (uint16_t)square_set(square);
        *(enemy ? &info.enemy_attacks : &info.own_attacks) = (uint16_t)reach;
    }
    return info;
}

static void places_of(const kz_dobutsu_pair *pair, uint8_t places[2]) {
    for (int i = 0; i < 2; i++) {
        bool enemy_hand = i - pair->on_board < pair->enemy_hand;
        places[i] = (uint8_t)(i < pair->on_board ? 4 * pair->square[i] + pair->mark[i]
                              : enemy_hand       ? ENEMY_HAND
                                                 : OWN_HAND);
    }
}

static kz_dobutsu_pair pair_of(int place0, int place1) {
    kz_dobutsu_pair pair = {0};
    int places[2] = {place0 < place1 ? place0 : place1, place0 < place1 ? place1 : place0};
    for (int i = 0; i < 2; i++) {
        if (places[i] < OWN_HAND) {
            pair.square[pair.on_board] = places[i] / 4;
            pair.mark[pair.on_board++] = places[i] % 4;
        }
        pair.enemy_hand += places[i] == ENEMY_HAND;
    }
    return pair;
}

static void fill_turned(checker *c) {
    for (int place0 = 0; place0 < PLACES; place0++) {
        for (int place1 = 0; place1 < PLACES; place1++) {
            if (place0 / 4 == place1 / 4 && place0 < OWN_HAND) {
                continue; /* two pieces on one square */
            }
            kz_dobutsu_pair pair = pair_of(place0, place1);
            kz_dobutsu_pair turned = kz_dobutsu_pair_flip(&pair);
            kz_dobutsu_pair mirrored = kz_dobutsu_pair_mirror(&turned);
            c->chick_turned[false][place0][place1] = (uint16_t)kz_dobutsu_pair_rank(&turned, KZ_DOBUTSU_CHICK_BITS, 0);
            c->chick_turned[true][place0][place1] = (uint16_t)kz_dobutsu_pair_rank(&mirrored, KZ_DOBUTSU_CHICK_BITS, 0);
            if (((pair.mark[0] | pair.mark[1]) & KZ_DOBUTSU_MARK_HEN) == 0) {
                c->plain_turned[place0][place1] = (uint16_t)kz_dobutsu_pair_rank(&turned, KZ_DOBUTSU_PLAIN_BITS, 0);
            }
        }
    }
}

static void fill_tables(checker *c) {
    kz_dobutsu_pair pair;
    for (int square = 0; square < KZ_DOBUTSU_SQUARES; square++) {
        c->lion_reach[0][square] = (uint16_t)kz_dobutsu_plain_steps(KZ_DOBUTSU_LION, 0, square);
        c->lion_reach[1][square] = (uint16_t)kz_dobutsu_plain_steps(KZ_DOBUTSU_LION, 1, square);
    }
    for (int kind = 0; kind < TABLE_KINDS; kind++) {
        for (int place = 0; place < PLACES; place++) {
            c->info[kind][place] = info_of(kind, place);
        }
    }
    for (unsigned state = 0; state < KZ_DOBUTSU_PLAIN_STATES; state++) {
        kz_dobutsu_pair_unrank(state, KZ_DOBUTSU_PLAIN_BITS, 0, &pair);
        places_of(&pair, c->plain_places[state]);
    }
    for (unsigned state = 0; state < KZ_DOBUTSU_CHICK_STATES; state++) {
        kz_dobutsu_pair_unrank(state, KZ_DOBUTSU_CHICK_BITS, 0, &pair);
        places_of(&pair, c->chick_places[state]);
    }
    fill_turned(c);
}

/* ---- Moves of a run ------------------------------------------------------------------------------------------ */

static void view_run(const checker *c, const kz_dobutsu_run *run, run_view *view) {
    view->c = c;
    view->own_lion = c->space->own_lion[run->lion_class];
    view->enemy_lion = c->space->enemy_lion[run->lion_class];
    memcpy(view->places, c->plain_places[run->elephants], 2);
    memcpy(view->places + 2, c->plain_places[run->giraffes], 2);
    view->own = square_set(view->own_lion);
    view->enemy = square_set(view->enemy_lion);
    view->own_attacks = c->lion_reach[0][view->own_lion];
    view->enemy_attacks = c->lion_reach[1][view->enemy_lion];
    for (int i = 0; i < BLOCK_PIECES; i++) {
        const place_info *info = &c->info[kind_of_piece(i)][view->places[i]];
        view->own |= info->own;
        view->enemy |= info->enemy;
        view->own_attacks |= info->own_attacks;
        view->enemy_attacks |= info->enemy_attacks;
    }
}

/* The move to `to` of a piece that already stands there in `before`; an enemy piece on the same square is taken. The
 * enemy lion never is: positions in which it can be taken are decided before any move is made. */
static run_move make_run_move(const run_view *view, int own_lion, const uint8_t before[BLOCK_PIECES], int to) {
    const checker *c = view->c;
    uint8_t places[BLOCK_PIECES];
    unsigned enemy_attacks = c->lion_reach[1][view->enemy_lion];
    for (int i = 0; i < BLOCK_PIECES; i++) {
        const place_info *info = &c->info[kind_of_piece(i)][before[i]];
        bool taken = info->enemy & square_set(to);
        places[i] = taken ? OWN_HAND : before[i];
        enemy_attacks |= taken ? 0U : info->enemy_attacks;
    }
    kz_dobutsu_run_base target = {0};
    kz_dobutsu_run_base_of(c->space, KZ_DOBUTSU_SQUARES - 1 - view->enemy_lion, KZ_DOBUTSU_SQUARES - 1 - own_lion,
                           c->plain_turned[places[0]][places[1]], c->plain_turned[places[2]][places[3]], &target);
    return (run_move){.target = target,
                      .to = (uint16_t)square_set(to),
                      .own_lion = (uint16_t)square_set(own_lion),
                      .enemy_attacks = (uint16_t)enemy_attacks};
}

static void list_run_moves(run_view *view) {
    const checker *c = view->c;
    view->count = 0;
    for (int to = 0; to < KZ_DOBUTSU_SQUARES; to++) {
        unsigned set = square_set(to);
        if (view->own & set) {
            continue;
        }
        if (c->lion_reach[0][view->own_lion] & set) {
            run_move *move = &view->moves[view->count++];
            *move = make_run_move(view, to, view->places, to);
            move->try_from = (uint8_t)(set & FAR_ROW ? view->own_lion + 1 : 0);
        }
        for (int i = 0; i < BLOCK_PIECES; i++) {
            bool drops = view->places[i] == OWN_HAND && !(view->enemy & set);
            bool steps = c->info[kind_of_piece(i)][view->places[i]].own_attacks & set;
            bool twin = drops && i % 2 == 1 && view->places[i - 1] == OWN_HAND;
            if ((drops || steps) && !twin) {
                uint8_t places[BLOCK_PIECES];
                memcpy(places, view->places, sizeof places);
                places[i] = (uint8_t)(4 * to);
                run_move *move = &view->moves[view->count++];
                *move = make_run_move(view, view->own_lion, places, to);
                move->drop = drops;
            }
        }
    }
    for (int to = 0; to < KZ_DOBUTSU_SQUARES; to++) {
        view->chick_moves[to] = make_run_move(view, view->own_lion, view->places, to);
    }
}

/* ---- Moves of a position ---------------------------------------------------------------------------------------- */

/* How a Try ends that the opponent can't answer by taking the lion: 1 + the distance of the child's loss. The opponent
 * may still move once under the simplified rule, if it can. */
static uint8_t lost_by_try(const run_view *view, int from, unsigned to, const uint8_t chicks[2]) {
    if (view->c->rules == KZ_DOBUTSU_OFFICIAL) {
        return 1;
    }
    kz_dobutsu_arrangement arrangement = {.own_lion = view->own_lion,
                                          .enemy_lion = view->enemy_lion,
                                          .elephants = pair_of(view->places[0], view->places[1]),
                                          .giraffes = pair_of(view->places[2], view->places[3]),
                                          .chicks = pair_of(chicks[0], chicks[1])};
    kz_dobutsu position;
    kz_dobutsu_plain plain;
    kz_dobutsu_arrangement_to(&arrangement, &position);
    kz_dobutsu_plain_from(&position, &plain);
    kz_dobutsu_plain_make(&plain, (kz_dobutsu_plain_move){from, (int)kz_lowest_bit32(to)});
    return kz_dobutsu_plain_can_move(&plain) ? 2 : 1;
}

static uint32_t child_index(const kz_dobutsu_run_base *target, unsigned chicks) {
    return target->base + kz_dobutsu_chick_rank(target, chicks);
}

static void list_of_others(const run_view *view, const uint8_t chicks[2], successors *out) {
    const checker *c = view->c;
    const place_info *chick0 = &c->info[KZ_DOBUTSU_CHICK][chicks[0]];
    const place_info *chick1 = &c->info[KZ_DOBUTSU_CHICK][chicks[1]];
    unsigned own_chicks = (unsigned)chick0->own | chick1->own;
    unsigned enemy_chicks = (unsigned)chick0->enemy | chick1->enemy;
    unsigned chick_attacks = (unsigned)chick0->enemy_attacks | chick1->enemy_attacks;
    const unsigned states[2] = {c->chick_turned[0][chicks[0]][chicks[1]], c->chick_turned[1][chicks[0]][chicks[1]]};
    for (int i = 0; i < view->count; i++) {
        const run_move *move = &view->moves[i];
        unsigned attacks = chick_attacks;
        unsigned state = states[move->target.mirrored];
        if (move->to & (own_chicks | (move->drop ? enemy_chicks : 0U))) {
            continue;
        }
        if (move->to & enemy_chicks) {
            bool first = move->to & chick0->enemy;
            attacks = first ? chick1->enemy_attacks : chick0->enemy_attacks;
            state = c->chick_turned[move->target.mirrored][first ? OWN_HAND : chicks[0]][first ? chicks[1] : OWN_HAND];
        }
        if ((move->enemy_attacks | attacks) & move->own_lion) {
            out->lion_taken = true;
        } else if (move->try_from) {
            uint8_t lost = lost_by_try(view, move->try_from - 1, move->to, chicks);
            out->lost_try = out->lost_try == 0 || lost < out->lost_try ? lost : out->lost_try;
        } else {
            out->children[out->count++] = child_index(&move->target, state);
        }
    }
}

/* The moves of one chick; `other` is where the other one is. */
static void list_of_chick(const run_view *view, int chick, int other, successors *out) {
    const checker *c = view->c;
    const place_info *info = &c->info[KZ_DOBUTSU_CHICK][chick];
    const place_info *other_info = &c->info[KZ_DOBUTSU_CHICK][other];
    bool drop = chick == OWN_HAND;
    unsigned squares = drop ? BOARD & ~(view->enemy | other_info->enemy) : info->own_attacks;
    squares &= ~(view->own | other_info->own);
    for (; squares; squares &= squares - 1) {
        int to = (int)kz_lowest_bit32(squares);
        const run_move *move = &view->chick_moves[to];
        bool takes_other = other_info->enemy & square_set(to);
        unsigned attacks = takes_other ? 0U : other_info->enemy_attacks;
        if ((move->enemy_attacks | attacks) & move->own_lion) {
            out->lion_taken = true;
            continue;
        }
        bool hen = !drop && ((chick & KZ_DOBUTSU_MARK_HEN) || (square_set(to) & FAR_ROW));
        int place = 4 * to + (hen ? KZ_DOBUTSU_MARK_HEN : 0);
        unsigned state = c->chick_turned[move->target.mirrored][place][takes_other ? OWN_HAND : other];
        out->children[out->count++] = child_index(&move->target, state);
    }
}

static void list_successors(const run_view *view, const uint8_t chicks[2], successors *out) {
    out->count = 0;
    out->lion_taken = false;
    out->lost_try = 0;
    list_of_others(view, chicks, out);
    list_of_chick(view, chicks[0], chicks[1], out);
    if (chicks[0] != OWN_HAND || chicks[1] != OWN_HAND) {
        list_of_chick(view, chicks[1], chicks[0], out);
    }
}

/* ---- Values ----------------------------------------------------------------------------------------------------- */

/* Whether the mover wins with this move: takes the lion or, by the official rules, tries and can't be taken. The other
 * ways for a game to end do not happen in the solved zone, but for lack of moves. */
static bool wins_at_once(const run_view *view, const uint8_t chicks[2]) {
    const place_info *chick0 = &view->c->info[KZ_DOBUTSU_CHICK][chicks[0]];
    const place_info *chick1 = &view->c->info[KZ_DOBUTSU_CHICK][chicks[1]];
    unsigned attacks = view->own_attacks | chick0->own_attacks | chick1->own_attacks;
    if (attacks & square_set(view->enemy_lion)) {
        return true;
    }
    unsigned own = view->own | chick0->own | chick1->own;
    unsigned guarded = view->enemy_attacks | chick0->enemy_attacks | chick1->enemy_attacks;
    unsigned tries = view->c->lion_reach[0][view->own_lion] & FAR_ROW & ~own & ~guarded;
    return tries && view->c->rules == KZ_DOBUTSU_OFFICIAL;
}

/* The distance of the win that the soonest of the children's losses gives; 0 if there is none. */
static uint8_t win_of(const checker *c, const successors *list) {
    uint8_t soonest = (uint8_t)(list->lost_try - 1); /* as losses are stored, less 1: what is not lost comes last */
    for (int i = 0; i < list->count; i++) {
        uint8_t loss = (uint8_t)(c->losses[list->children[i]] - 1);
        soonest = loss < soonest ? loss : soonest;
    }
    return (uint8_t)(soonest + 1);
}

/* Whether a position that is not won is right: lost in n if the longest of the children's wins is in n - 1, or if there
 * is no move and n is 0; else a draw, and so there is a child that is neither won nor lost. */
static bool is_right(const checker *c, const successors *list, uint8_t loss) {
    if (list->lost_try) {
        return false;
    }
    int longest = list->lion_taken ? 1 : -1;
    bool all_won = true;
    for (int i = 0; i < list->count; i++) {
        int win = c->wins[list->children[i]];
        longest = win > longest ? win : longest;
        all_won = all_won && win != 0;
    }
    return loss ? all_won && loss - 1 == longest + 1 : !all_won;
}

/* ---- What the game offers ---------------------------------------------------------------------------------------- */

static void close_checker(void *opaque) {
    checker *c = opaque;
    if (c) {
        kz_dobutsu_space_free(c->space);
        kz_big_free(c->losses, KZ_DOBUTSU_INDEX_SIZE);
        kz_big_free(c->wins, KZ_DOBUTSU_INDEX_SIZE);
        free(c);
    }
}

static void *open_checker(int rules, int workers, kz_error *error) {
    checker *c = calloc(1, sizeof *c);
    (void)workers;
    if (c) {
        c->rules = rules;
        c->losses = kz_big_alloc(KZ_DOBUTSU_INDEX_SIZE);
        c->wins = kz_big_alloc(KZ_DOBUTSU_INDEX_SIZE);
        c->space = kz_dobutsu_space_new();
    }
    if (!c || !c->losses || !c->wins || !c->space) {
        close_checker(c);
        kz_fail(error, KZ_ERR_MEMORY, "no memory for the values of %d positions", KZ_DOBUTSU_INDEX_SIZE);
        return NULL;
    }
    fill_tables(c);
    return c;
}

static void take(void *opaque, int worker, uint64_t first, uint64_t count, const uint8_t *numbers) {
    checker *c = opaque;
    (void)worker;
    memcpy(c->losses + first, numbers, count);
}

/* A unit is a position. */
static uint64_t units(const void *opaque) {
    (void)opaque;
    return KZ_DOBUTSU_INDEX_SIZE;
}

/* The part of a run that is in a range of the index. */
typedef struct run_part {
    uint32_t first;
    uint32_t end;
    const uint16_t *chick_states; /* of `first` and those after it */
} run_part;

static run_part part_of(const checker *c, const kz_dobutsu_run *run, uint64_t begin, uint64_t end) {
    uint32_t run_end = run->base + run->size;
    run_part part = {.first = begin > run->base ? (uint32_t)begin : run->base,
                     .end = end < run_end ? (uint32_t)end : run_end};
    part.chick_states = c->space->chick_state[kz_dobutsu_run_chicks(c->space, run)] + (part.first - run->base);
    return part;
}

static void derive_part(checker *c, const kz_dobutsu_run *run, run_part part) {
    run_view view;
    successors list;
    view_run(c, run, &view);
    if (view.own_attacks & square_set(view.enemy_lion)) {
        memset(c->wins + part.first, 1, part.end - part.first);
        return;
    }
    list_run_moves(&view);
    for (uint32_t index = part.first; index < part.end; index++) {
        const uint8_t *chicks = c->chick_places[part.chick_states[index - part.first]];
        uint8_t win = 0;
        if (wins_at_once(&view, chicks)) {
            win = 1;
        } else if (c->losses[index] == 0) {
            list_successors(&view, chicks, &list);
            win = win_of(c, &list);
        }
        c->wins[index] = win;
    }
}

static void derive(void *opaque, int worker, uint64_t begin, uint64_t end) {
    checker *c = opaque;
    (void)worker;
    if (begin < end) {
        const kz_dobutsu_run *run = kz_dobutsu_run_of(c->space, begin);
        for (; run < c->space->runs + c->space->solved_runs && run->base < end; run++) {
            derive_part(c, run, part_of(c, run, begin, end));
        }
    }
}

typedef struct tally {
    kz_verify_report *report;
    uint64_t losses[KZ_MAX_DISTANCE + 1];
    uint64_t wins[KZ_MAX_DISTANCE + 1];
    uint64_t draws;
} tally;

static void add_value(tally *sum, uint8_t win, uint8_t loss) {
    sum->report->positions++;
    if (win) {
        sum->report->wins++;
        sum->wins[win]++;
    } else if (loss) {
        sum->report->losses++;
        sum->losses[loss - 1]++;
    } else {
        sum->report->draws++;
        sum->draws++;
    }
}

static void add_wrong(kz_verify_report *report, uint64_t index) {
    if (report->wrong == 0 || index < report->first_wrong) {
        report->first_wrong = index;
    }
    report->wrong++;
}

static void check_part(const checker *c, const kz_dobutsu_run *run, run_part part, tally *sum) {
    run_view view;
    successors list;
    bool listed = false; /* most runs hold wins only, and then nobody needs its moves */
    for (uint32_t index = part.first; index < part.end; index++) {
        uint8_t win = c->wins[index];
        uint8_t loss = c->losses[index];
        bool right = win == 0 || loss == 0;
        if (win == 0) {
            if (!listed) {
                view_run(c, run, &view);
                list_run_moves(&view);
                listed = true;
            }
            list_successors(&view, c->chick_places[part.chick_states[index - part.first]], &list);
            right = is_right(c, &list, loss);
        }
        if (win > KZ_MAX_DISTANCE || loss > KZ_MAX_DISTANCE + 1) {
            right = false; /* farther than a table can say, and than the counts have room for */
        } else {
            add_value(sum, win, loss);
        }
        if (!right) {
            add_wrong(sum->report, index);
        }
    }
}

static void check(void *opaque, int worker, uint64_t begin, uint64_t end, kz_verify_report *report,
                  uint64_t losses[KZ_MAX_DISTANCE + 1], uint64_t wins[KZ_MAX_DISTANCE + 1], uint64_t *draws) {
    const checker *c = opaque;
    (void)worker;
    tally sum = {.report = report};
    if (begin < end) {
        const kz_dobutsu_run *run = kz_dobutsu_run_of(c->space, begin);
        for (; run < c->space->runs + c->space->solved_runs && run->base < end; run++) {
            check_part(c, run, part_of(c, run, begin, end), &sum);
        }
    }
    for (int n = 0; n <= KZ_MAX_DISTANCE; n++) {
        losses[n] += sum.losses[n];
        wins[n] += sum.wins[n];
    }
    *draws += sum.draws;
}

const struct kz_checker_ops kz_dobutsu_checker = {
    .open = open_checker, .close = close_checker, .take = take, .batches = units, .derive = derive, .check = check};
