/* SPDX-License-Identifier: MIT */
#include "games/pushfight/search/search.h"

#include "base/error.h"
#include "base/pool.h"
#include "games/pushfight/rules/successors.h"
#include "games/pushfight/rules/turns.h"
#include "games/pushfight/rules/wins_at_once.h"

#include <kanzen/system.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

enum {
    THREATS = 8,
    KILLERS = 8,
    MANY_ANSWERS = 24, /* whether there are more does not matter to the order of turns */
    MOST_PLIES = 2 * KZ_PF_PROVE_MOST_TURNS + 2
};

/* What is kept for the positions that are a number of plies away from the root, to be tried first. */
typedef struct ply_memory {
    kz_pf_threat threats[THREATS]; /* of the side to move, the best ones first */
    int threat_count;
    kz_pf_steps killers[KILLERS]; /* turns that decided a position, the last one first */
    int killer_count;
} ply_memory;

typedef struct candidate {
    kz_pf_sides sides;
    uint32_t answers; /* how many turns of the opponent don't lose at once, up to MANY_ANSWERS */
} candidate;

typedef struct candidates {
    candidate *items;
    size_t count;
} candidates;

/* What all threads of a search share. */
typedef struct search {
    const kz_pf_board *board;
    kz_pf_edges edges;
    bool stuck_counts;
    const kz_progress *progress;
    atomic_bool stop; /* what is going on does not matter any more */
    bool cancelled;
    size_t room; /* of a list of candidates */
    /* The turns of the root that are being looked at. */
    candidates first_turns;
    bool for_win;
    int turns;
    atomic_bool found;
    size_t decisive; /* which of them settled the matter, if `found` */
    atomic_size_t done;
} search;

typedef struct searcher {
    search *shared;
    bool reports; /* runs in the thread of the caller */
    double next_report;
    ply_memory plies[MOST_PLIES];
    candidates lists[KZ_PF_PROVE_MOST_TURNS + 1]; /* for wins in so many turns, from 3 on, below the root */
} searcher;

/* ---- Stopping ------------------------------------------------------------------------------------------------ */

/* Whether to give up. From then on all answers are worthless. */
static bool stopped(searcher *s) {
    search *shared = s->shared;
    if (s->reports && shared->progress && shared->progress->report) {
        double now = kz_seconds();
        if (now >= s->next_report) {
            s->next_report = now + 0.1;
            if (!shared->progress->report(shared->progress->user, "prove", atomic_load(&shared->done),
                                          shared->first_turns.count)) {
                shared->cancelled = true;
                atomic_store(&shared->stop, true);
            }
        }
    }
    return atomic_load_explicit(&shared->stop, memory_order_relaxed);
}

static kz_status cancelled(kz_error *error) {
    return kz_fail(error, KZ_ERR_CANCELLED, "stopped while looking for a proof");
}

/* ---- One turn ------------------------------------------------------------------------------------------------ */

/* Whether the side to move can push a piece off. */
KZ_PF_INLINE bool pushes_off(searcher *s, int ply, const kz_pf_sides *sides) {
    kz_pf_attack attack = {sides->movers, sides->pushers, sides->enemy_movers | sides->enemy_pushers, sides->anchor};
    if (!(attack.enemy & s->shared->edges.falling & ~attack.anchor)) {
        return false;
    }
    ply_memory *memory = &s->plies[ply];
    for (int i = 0; i < memory->threat_count; i++) {
        if (kz_pf_threat_holds(&memory->threats[i], &attack)) {
            if (i > 0) { /* a step forward, so that the best ones gather in front */
                kz_pf_threat better = memory->threats[i];
                memory->threats[i] = memory->threats[i - 1];
                memory->threats[i - 1] = better;
            }
            return true;
        }
    }
    kz_pf_threat threat;
    if (!kz_pf_wins_at_once(&s->shared->edges, &attack, &threat)) {
        return false;
    }
    memory->threat_count += memory->threat_count < THREATS;
    memory->threats[memory->threat_count - 1] = threat;
    return true;
}

/* Whether there is a turn, and which; `moves` are still to be made. */
static bool can_push(const kz_pf_board *board, const kz_pf_sides *sides, int moves, kz_pf_steps *turn) {
    uint32_t own = sides->movers | sides->pushers;
    uint32_t enemy = sides->enemy_movers | sides->enemy_pushers;
    for (uint32_t rest = sides->pushers; rest; rest &= rest - 1) {
        turn->pusher = rest & -rest;
        for (turn->direction = KZ_PF_LEFT; turn->direction < KZ_PF_DIRECTIONS; turn->direction++) {
            uint32_t line;
            if (kz_pf_push_legal(
                    kz_pf_try_push(board, own, enemy, sides->anchor, turn->pusher, turn->direction, &line))) {
                return true;
            }
        }
    }
    uint32_t free = kz_pf_free_squares(board, sides);
    for (uint32_t rest = moves > 0 ? own : 0; rest; rest &= rest - 1) {
        for (uint32_t ends = kz_pf_reach(rest & -rest, free); ends; ends &= ends - 1) {
            kz_pf_steps move = {.from = {rest & -rest, 0}, .to = {ends & -ends, 0}};
            kz_pf_sides moved = kz_pf_after_moves(sides, &move);
            turn->from[2 - moves] = move.from[0];
            turn->to[2 - moves] = move.to[0];
            if (can_push(board, &moved, moves - 1, turn)) {
                return true;
            }
        }
    }
    return false;
}

typedef struct escape {
    const kz_pf_board *board;
    kz_pf_steps turn; /* of the opponent, the last that was found; it will often do again */
} escape;

KZ_PF_INLINE bool visit_unless_stuck(void *context, const kz_pf_steps *turn, const kz_pf_sides *next) {
    (void)turn;
    escape *e = context;
    kz_pf_sides after;
    if (kz_pf_try_steps(e->board, next, &e->turn, &after)) {
        return true;
    }
    e->turn = (kz_pf_steps){.pusher = 0};
    return can_push(e->board, next, 2, &e->turn);
}

/* Whether some turn leaves the opponent without one. */
static bool leaves_stuck(const kz_pf_board *board, const kz_pf_sides *sides) {
    escape e = {.board = board};
    return !kz_pf_each_successor(board, sides, visit_unless_stuck, &e);
}

/* ---- Two turns and more -------------------------------------------------------------------------------------- */

static void remember(ply_memory *memory, const kz_pf_steps *turn) {
    memory->killer_count += memory->killer_count < KILLERS;
    memmove(memory->killers + 1, memory->killers, (size_t)(memory->killer_count - 1) * sizeof *turn);
    memory->killers[0] = *turn;
}

static void to_front(ply_memory *memory, int killer) {
    kz_pf_steps turn = memory->killers[killer];
    memmove(memory->killers + 1, memory->killers, (size_t)killer * sizeof turn);
    memory->killers[0] = turn;
}

/* A position whose successors are looked at. A test says of a successor whether it decides the position. */
typedef struct node {
    searcher *searcher;
    int ply; /* of the successors */
    int turns;
} node;

typedef bool test(const node *n, const kz_pf_sides *next);

typedef struct visitor {
    const node *node;
    test *test;
    kz_pf_steps decisive;
} visitor;

KZ_PF_INLINE bool visit_test(void *context, const kz_pf_steps *turn, const kz_pf_sides *next) {
    visitor *v = context;
    if (!v->test(v->node, next)) {
        return true;
    }
    v->decisive = *turn;
    return false;
}

/* Whether the test is passed by a successor. Turns that did it for a sibling are tried first. */
KZ_PF_INLINE bool some_successor(const node *n, const kz_pf_sides *sides, test *decides) {
    const kz_pf_board *board = n->searcher->shared->board;
    ply_memory *memory = &n->searcher->plies[n->ply - 1];
    for (int i = 0; i < memory->killer_count; i++) {
        kz_pf_sides next;
        if (kz_pf_try_steps(board, sides, &memory->killers[i], &next) && decides(n, &next)) {
            to_front(memory, i);
            return true;
        }
    }
    visitor v = {.node = n, .test = decides};
    if (kz_pf_each_successor(board, sides, visit_test, &v)) {
        return false;
    }
    remember(memory, &v.decisive);
    return true;
}

static bool won_within(searcher *s, int ply, const kz_pf_sides *sides, int turns);

KZ_PF_INLINE bool not_won_at_once(const node *n, const kz_pf_sides *next) {
    const search *shared = n->searcher->shared;
    return !pushes_off(n->searcher, n->ply, next) && !(shared->stuck_counts && leaves_stuck(shared->board, next));
}

static bool not_won(const node *n, const kz_pf_sides *next) {
    return !pushes_off(n->searcher, n->ply, next) && !won_within(n->searcher, n->ply, next, n->turns);
}

/* Whether the opponent wins within so many turns whatever the side to move does. It can't push a piece off. */
static bool lost_within(searcher *s, int ply, const kz_pf_sides *sides, int turns) {
    node n = {.searcher = s, .ply = ply + 1, .turns = turns};
    if (turns == 1) {
        return !some_successor(&n, sides, not_won_at_once);
    }
    return !stopped(s) && !some_successor(&n, sides, not_won);
}

KZ_PF_INLINE bool lost_in_1(const node *n, const kz_pf_sides *next) {
    /* There may be thousands of these, and each takes up to 0.2 ms. */
    return stopped(n->searcher) ||
           (!pushes_off(n->searcher, n->ply, next) && lost_within(n->searcher, n->ply, next, 1));
}

typedef struct collector {
    searcher *searcher;
    candidates *list;
    int ply; /* of the positions that are collected, or whose answers are counted */
} collector;

KZ_PF_INLINE bool visit_collect(void *context, const kz_pf_steps *turn, const kz_pf_sides *next) {
    (void)turn;
    collector *c = context;
    if (!pushes_off(c->searcher, c->ply, next)) {
        c->list->items[c->list->count++] = (candidate){.sides = *next};
    }
    return true;
}

KZ_PF_INLINE bool visit_count(void *context, const kz_pf_steps *turn, const kz_pf_sides *next) {
    (void)turn;
    collector *c = context;
    uint32_t *answers = &c->list->items[c->list->count].answers;
    *answers += !pushes_off(c->searcher, c->ply, next);
    return *answers < MANY_ANSWERS;
}

static int by_answers(const void *left, const void *right) {
    uint32_t a = ((const candidate *)left)->answers;
    uint32_t b = ((const candidate *)right)->answers;
    return (a > b) - (a < b);
}

/* Lists the successors in which the opponent can't push a piece off, those with the fewest answers first. */
static void collect(searcher *s, int ply, const kz_pf_sides *sides, candidates *list) {
    const kz_pf_board *board = s->shared->board;
    collector c = {.searcher = s, .list = list, .ply = ply + 1};
    list->count = 0;
    kz_pf_each_successor(board, sides, visit_collect, &c);
    size_t count = list->count;
    c.ply = ply + 2;
    for (list->count = 0; list->count < count; list->count++) {
        kz_pf_each_successor(board, &list->items[list->count].sides, visit_count, &c);
    }
    qsort(list->items, list->count, sizeof *list->items, by_answers);
}

/* Whether the side to move wins within so many turns, at least 2. It can't push a piece off. */
static bool won_within(searcher *s, int ply, const kz_pf_sides *sides, int turns) {
    node n = {.searcher = s, .ply = ply + 1};
    if (some_successor(&n, sides, lost_in_1)) {
        return true;
    }
    if (turns == 2) {
        return false;
    }
    /* Near wins are much easier to find, so it is worth looking for them first. */
    candidates *list = &s->lists[turns];
    collect(s, ply, sides, list);
    for (int answers = 2; answers < turns; answers++) {
        for (size_t i = 0; i < list->count; i++) {
            if (stopped(s) || lost_within(s, ply + 1, &list->items[i].sides, answers)) {
                return true;
            }
        }
    }
    return false;
}

/* ---- The root ------------------------------------------------------------------------------------------------ */

/* Looks at first turns [begin, end): one that wins, or one that does not lose, settles the matter. */
static void look_at_turns(void *context, int worker, uint64_t begin, uint64_t end) {
    searcher *s = (searcher *)context + worker;
    search *shared = s->shared;
    for (uint64_t i = begin; i < end && !stopped(s); i++) {
        const kz_pf_sides *next = &shared->first_turns.items[i].sides;
        bool decisive =
            shared->for_win ? lost_within(s, 1, next, shared->turns - 1) : !won_within(s, 1, next, shared->turns);
        if (decisive && !atomic_load(&shared->stop)) {
            if (!atomic_exchange(&shared->found, true)) {
                shared->decisive = (size_t)i;
            }
            atomic_store(&shared->stop, true);
        }
        atomic_fetch_add(&shared->done, 1);
    }
}

static void free_searchers(searcher *searchers, int count) {
    for (int i = 0; searchers && i < count; i++) {
        for (int turns = 0; turns <= KZ_PF_PROVE_MOST_TURNS; turns++) {
            free(searchers[i].lists[turns].items);
        }
    }
    free(searchers);
}

/* Searchers with all the memory that they need. NULL if there is none. */
static searcher *make_searchers(search *shared, int count, int turns) {
    searcher *searchers = calloc((size_t)count, sizeof *searchers);
    for (int i = 0; searchers && i < count; i++) {
        searchers[i].shared = shared;
        searchers[i].reports = i == 0;
        for (int k = 3; k < turns; k++) {
            searchers[i].lists[k].items = malloc(shared->room * sizeof(candidate));
            if (!searchers[i].lists[k].items) {
                free_searchers(searchers, count);
                return NULL;
            }
        }
    }
    return searchers;
}

/* Whether one of the first turns wins within so many turns, or does not lose to an opponent who has that many. */
static kz_status some_first_turn(search *shared, kz_pool *pool, searcher *searchers, bool for_win, int turns,
                                 bool *found, kz_error *error) {
    shared->for_win = for_win;
    shared->turns = turns;
    atomic_store(&shared->found, false);
    atomic_store(&shared->stop, false);
    atomic_store(&shared->done, 0);
    kz_pool_for(pool, shared->first_turns.count, 1, look_at_turns, searchers, NULL, NULL, NULL);
    *found = atomic_load(&shared->found);
    return shared->cancelled ? cancelled(error) : KZ_OK;
}

static kz_status deepen(search *shared, kz_pool *pool, searcher *searchers, int turns, kz_value *value,
                        kz_error *error) {
    for (int k = 3; k <= turns; k++) {
        bool wins;
        bool survives = true;
        kz_status status = some_first_turn(shared, pool, searchers, true, k, &wins, error);
        if (status == KZ_OK && !wins && k < turns) {
            status = some_first_turn(shared, pool, searchers, false, k, &survives, error);
        }
        if (status != KZ_OK) {
            return status;
        }
        if (wins || !survives) {
            *value = wins ? (kz_value){KZ_WIN, 2 * k - 1} : (kz_value){KZ_LOSS, 2 * k};
            return KZ_OK;
        }
    }
    return KZ_OK;
}

/* The value, if it takes 3 turns or more; and for a win, the position after a turn that wins. */
static kz_status prove_far(searcher *near, const kz_pf_sides *sides, int turns, int threads, kz_value *value,
                           kz_pf_sides *next, kz_error *error) {
    kz_pool *pool = kz_pool_new(threads, error);
    if (!pool) {
        return KZ_ERR_MEMORY;
    }
    search *shared = near->shared;
    shared->first_turns.items = malloc(shared->room * sizeof(candidate));
    searcher *searchers = make_searchers(shared, kz_pool_threads(pool), turns);
    kz_status status;
    if (!shared->first_turns.items || !searchers) {
        status = kz_fail(error, KZ_ERR_MEMORY, "no memory for a search");
    } else {
        collect(near, 0, sides, &shared->first_turns);
        status = deepen(shared, pool, searchers, turns, value, error);
        if (status == KZ_OK && value->outcome == KZ_WIN) {
            *next = shared->first_turns.items[shared->decisive].sides;
        }
    }
    free_searchers(searchers, kz_pool_threads(pool));
    free(shared->first_turns.items);
    kz_pool_free(pool);
    return status;
}

/* The value, if it is a win in 1 or 2 turns or a loss in 0 to 2. */
static kz_value prove_near(searcher *s, const kz_pf_sides *sides, int turns) {
    const kz_pf_board *board = s->shared->board;
    kz_pf_steps turn = {.pusher = 0};
    if (pushes_off(s, 0, sides) || leaves_stuck(board, sides)) {
        return (kz_value){KZ_WIN, 1};
    }
    if (!can_push(board, sides, 2, &turn)) {
        return (kz_value){KZ_LOSS, 0};
    }
    if (turns >= 2 && lost_within(s, 0, sides, 1)) {
        return (kz_value){KZ_LOSS, 2};
    }
    if (turns >= 2 && won_within(s, 0, sides, 2)) {
        return (kz_value){KZ_WIN, 3};
    }
    if (turns >= 3 && lost_within(s, 0, sides, 2)) {
        return (kz_value){KZ_LOSS, 4};
    }
    return (kz_value){KZ_UNKNOWN, 0};
}

/* ---- Interface ----------------------------------------------------------------------------------------------- */

/* Whether a side may win by leaving the other one stuck where it can't push a piece off. On the standard board that
 * never happens: all 11,368,032 predecessors of positions without a turn are won by a push. On the other boards it
 * does, if rarely; looking for it makes a search take up to twenty times as long. */
static bool stuck_counts(const kz_pf_board *board) { return strcmp(board->name, "standard") != 0; }

static kz_status check(const kz_pf_position *position, int turns, int threads, kz_error *error) {
    const kz_pf_board *board = kz_pf_board_of(position);
    if (!board) {
        return kz_fail(error, KZ_ERR_INPUT, "there is no board number %d", position->board);
    }
    if (turns < 1 || turns > KZ_PF_PROVE_MOST_TURNS) {
        return kz_fail(error, KZ_ERR_INPUT, "a proof takes 1 to %d turns, not %d", KZ_PF_PROVE_MOST_TURNS, turns);
    }
    if (threads < 0 || threads > KZ_POOL_MAX_THREADS) {
        return kz_fail(error, KZ_ERR_INPUT, "the number of threads must be from 0 to %d, not %d", KZ_POOL_MAX_THREADS,
                       threads);
    }
    uint32_t all = kz_pf_own(position) | kz_pf_enemy(position);
    int own_movers = (int)kz_popcount32(position->own_movers);
    int own_pushers = (int)kz_popcount32(position->own_pushers);
    int enemy_movers = (int)kz_popcount32(position->enemy_movers);
    int enemy_pushers = (int)kz_popcount32(position->enemy_pushers);
    if (all & ~board->squares || (int)kz_popcount32(all) != own_movers + own_pushers + enemy_movers + enemy_pushers) {
        return kz_fail(error, KZ_ERR_INPUT, "two pieces on a square, or one beside the board");
    }
    int fallen = board->movers + board->pushers - own_movers - own_pushers;
    if (enemy_movers != board->movers || enemy_pushers != board->pushers || own_movers > board->movers ||
        own_pushers > board->pushers || fallen > 1) {
        return kz_fail(error, KZ_ERR_INPUT, "the number of pieces is not that of the board %s", board->name);
    }
    if (position->anchor != KZ_PF_NO_ANCHOR && (position->anchor < 0 || position->anchor >= KZ_PF_GRID ||
                                                !(kz_pf_anchor_square(position) & position->enemy_pushers))) {
        return kz_fail(error, KZ_ERR_INPUT, "the anchor is not on a pusher of the side that moved last");
    }
    return KZ_OK;
}

static kz_pf_sides sides_of(const kz_pf_position *position) {
    return (kz_pf_sides){position->own_movers, position->own_pushers, position->enemy_movers, position->enemy_pushers,
                         kz_pf_anchor_square(position)};
}

static bool equal_sides(const kz_pf_sides *a, const kz_pf_sides *b) {
    return a->movers == b->movers && a->pushers == b->pushers && a->enemy_movers == b->enemy_movers &&
           a->enemy_pushers == b->enemy_pushers && a->anchor == b->anchor;
}

/* The turn that leads to this position. */
static kz_status find_turn(const kz_pf_position *position, const kz_pf_sides *next, kz_move *turn, kz_error *error) {
    kz_move *turns = malloc(KZ_MAX_MOVES * sizeof *turns);
    if (!turns) {
        return kz_fail(error, KZ_ERR_MEMORY, "no memory for a search");
    }
    int count = kz_pf_turns(position, turns);
    for (int i = 0; i < count && *turn == 0; i++) {
        kz_pf_position after = *position;
        kz_pf_play(&after, turns[i]);
        kz_pf_sides sides = sides_of(&after);
        *turn = equal_sides(&sides, next) ? turns[i] : 0;
    }
    free(turns);
    return KZ_OK;
}

kz_status kz_pf_prove(const kz_pf_position *position, int turns, int threads, const kz_progress *progress,
                      kz_value *value, kz_error *error) {
    return kz_pf_prove_turn(position, turns, threads, progress, value, NULL, error);
}

kz_status kz_pf_prove_turn(const kz_pf_position *position, int turns, int threads, const kz_progress *progress,
                           kz_value *value, kz_move *best, kz_error *error) {
    if (best) {
        *best = 0;
    }
    KZ_TRY(check(position, turns, threads, error));
    if (kz_pf_finished(position)) {
        *value = (kz_value){KZ_LOSS, 0};
        return KZ_OK;
    }
    const kz_pf_board *board = kz_pf_board_of(position);
    kz_pf_sides sides = sides_of(position);
    search shared = {.board = board,
                     .stuck_counts = stuck_counts(board),
                     .progress = progress,
                     .room = kz_pf_most_successors(board)};
    kz_pf_edges_init(&shared.edges, board);
    searcher near = {.shared = &shared, .reports = true};
    *value = prove_near(&near, &sides, turns);
    if (shared.cancelled) {
        return cancelled(error);
    }
    if (value->outcome != KZ_UNKNOWN || turns < 3) {
        return KZ_OK;
    }
    kz_pf_sides next = {0};
    kz_status status = prove_far(&near, &sides, turns, threads, value, &next, error);
    return status == KZ_OK && value->outcome == KZ_WIN && best ? find_turn(position, &next, best, error) : status;
}
