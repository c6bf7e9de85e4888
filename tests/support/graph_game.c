/* SPDX-License-Identifier: MIT */
#include "tests/support/graph_game.h"

#include "tests/support/testing.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

graph *made;

static uint64_t seed;
static uint32_t roll(uint32_t limit) {
    seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)((seed >> 33) % limit);
}

uint32_t tier_begin_of(const graph *g, int tier) {
    return (uint32_t)((uint64_t)g->size * (unsigned)tier / (unsigned)g->tiers) & ~1U;
}

static bool add_edge(graph *g, uint32_t from, uint32_t to) {
    if (g->hole[to] || g->before_count[to] >= MOST_BEFORE) {
        return false;
    }
    g->next[from][g->moves[from]++] = to;
    g->before[to][g->before_count[to]++] = from;
    return true;
}

void make_graph(graph *g, uint32_t size, int tiers, bool symmetric, uint64_t number) {
    memset(g, 0, sizeof *g);
    seed = number * 1000003 + 17;
    g->size = size;
    g->tiers = tiers;
    g->symmetric = symmetric;
    for (uint32_t node = 0; node < size; node += 2) {
        bool hole = roll(20) == 0;
        for (uint32_t side = 0; side < 2; side++) {
            g->hole[node + side] = symmetric ? hole : roll(20) == 0;
        }
    }
    for (uint32_t node = 0; node < size; node += symmetric ? 2 : 1) {
        int tier = 0;
        while (tier + 1 < tiers && tier_begin_of(g, tier + 1) <= node) {
            tier++;
        }
        uint32_t end = tier_begin_of(g, tier + 1);
        uint32_t low = tier == 0 || roll(2) ? tier_begin_of(g, tier) : 0;
        uint32_t kind = roll(40);
        uint32_t count = kind < 3 ? 0 : 1 + roll(MOST_MOVES);
        g->result[node] = kind == 0 ? KZ_WIN : kind == 1 ? KZ_DRAW : kind == 2 ? KZ_LOSS : KZ_UNKNOWN;
        if (symmetric) {
            g->result[node + 1] = g->result[node];
        }
        for (uint32_t i = 0; i < count && !g->hole[node]; i++) {
            uint32_t to = low + roll(end - low);
            if (add_edge(g, node, to) && symmetric && !add_edge(g, node + 1, to ^ 1)) {
                fail_msg("the image of an edge does not fit");
            }
        }
    }
}

void make_path(graph *g, uint32_t size) {
    memset(g, 0, sizeof *g);
    g->size = size;
    g->tiers = 1;
    g->result[0] = KZ_LOSS;
    for (uint32_t node = 1; node < size; node++) {
        add_edge(g, node, node - 1);
    }
}

/* In round n, what is decided in n plies: straight from the definition of a value. */
void solve_plainly(graph *g) {
    uint32_t since = 0;
    for (uint32_t node = 0; node < g->size; node++) {
        g->plain[node] = (kz_value){g->result[node], 0};
        if (g->result[node] == KZ_UNKNOWN && g->moves[node] == 0) {
            g->plain[node].outcome = KZ_LOSS;
        }
    }
    for (int n = 1; since < 3; n++) {
        since++;
        for (uint32_t node = 0; node < g->size; node++) {
            if (g->plain[node].outcome != KZ_UNKNOWN || g->hole[node]) {
                continue;
            }
            bool win = false;
            bool all = true;
            for (int i = 0; i < g->moves[node]; i++) {
                kz_value next = g->plain[g->next[node][i]];
                bool early = next.distance < n;
                win = win || (early && next.outcome == KZ_LOSS);
                all = all && early && next.outcome == KZ_WIN;
            }
            if (win || all) {
                g->plain[node] = (kz_value){win ? KZ_WIN : KZ_LOSS, n};
                since = 0;
            }
        }
    }
    for (uint32_t node = 0; node < g->size; node++) {
        if (g->plain[node].outcome == KZ_UNKNOWN) {
            g->plain[node].outcome = KZ_DRAW;
        }
    }
}

/* ---- The graph as a game ----------------------------------------------------------------------------------------- */

static uint32_t node_of(const kz_position *position) { return (uint32_t)position->words[0]; }
void put_node(kz_position *position, uint32_t node) { *position = (kz_position){{node}}; }

static void start(const void *context, kz_position *position) {
    (void)context;
    uint32_t node = 0;
    while (made->hole[node]) {
        node++;
    }
    put_node(position, node);
}
static int list_moves(const void *context, const kz_position *position, kz_move *moves) {
    (void)context;
    for (int i = 0; i < made->moves[node_of(position)]; i++) {
        moves[i] = (kz_move)i + 1;
    }
    return made->moves[node_of(position)];
}
static void play(const void *context, kz_position *position, kz_move move) {
    (void)context;
    position->words[0] = made->next[node_of(position)][move - 1];
}
static kz_outcome result(const void *context, const kz_position *position) {
    (void)context;
    return (kz_outcome)made->result[node_of(position)];
}
static uint64_t index_size(const void *context) {
    (void)context;
    return made->size;
}
static uint64_t rank(const void *context, const kz_position *position) {
    (void)context;
    return node_of(position);
}
static bool unrank(const void *context, uint64_t index, kz_position *position) {
    (void)context;
    put_node(position, (uint32_t)index);
    return !made->hole[index];
}
static void format(const void *context, const kz_position *position, char *text) {
    (void)context;
    snprintf(text, KZ_TEXT_BYTES, "%u", node_of(position));
}
static kz_status parse(const void *context, const char *text, size_t length, kz_position *position, kz_error *error) {
    (void)context;
    (void)error;
    (void)length;
    put_node(position, (uint32_t)strtoul(text, NULL, 10));
    return KZ_OK;
}
static int predecessors(const void *context, const kz_position *position, kz_position *before) {
    (void)context;
    uint32_t node = node_of(position);
    for (int i = 0; i < made->before_count[node]; i++) {
        put_node(&before[i], made->before[node][i]);
    }
    return made->before_count[node];
}
static void symmetry(const void *context, const kz_position *position, int number, kz_position *image) {
    (void)context;
    put_node(image, node_of(position) ^ (uint32_t)number);
}
static int tiers(const void *context) {
    (void)context;
    return made->tiers;
}
static uint64_t tier_begin(const void *context, int tier) {
    (void)context;
    return tier_begin_of(made, tier);
}
kz_outcome graph_twin(const void *context, const kz_position *position,
                      void (*visit)(void *user, const kz_position *next), void *user) {
    (void)context;
    uint32_t node = node_of(position);
    for (int i = made->moves[node]; i-- > 0 && made->result[node] == KZ_UNKNOWN;) {
        kz_position next;
        put_node(&next, made->next[node][i]);
        visit(user, &next);
    }
    return (kz_outcome)made->result[node];
}

/* ---- Moves as numbers: with a symmetry, the even node stands for both ---- */

static uint64_t class_of(uint32_t node) { return made->symmetric ? node & ~1U : node; }

static int add_once(uint64_t *list, int count, uint64_t number) {
    for (int i = 0; i < count; i++) {
        if (list[i] == number) {
            return count;
        }
    }
    list[count] = number;
    return count + 1;
}

/* Whether a move ends the game at once with a win. */
static bool wins_now(uint32_t node) {
    for (int i = 0; i < made->moves[node]; i++) {
        if (made->result[made->next[node][i]] == KZ_LOSS) {
            return true;
        }
    }
    return false;
}

static int numbers_after(const void *context, uint64_t index, uint64_t *numbers, kz_sight *sight) {
    (void)context;
    uint32_t node = (uint32_t)index;
    int count = 0;
    if (made->hole[node] || class_of(node) != node) {
        return -1;
    }
    sight->over = (kz_outcome)made->result[node];
    if (made->moves[node] == 0 && sight->over == KZ_UNKNOWN) {
        sight->over = KZ_LOSS; /* and is listed by others: only `moves` tells it */
    }
    sight->win = sight->over == KZ_UNKNOWN && wins_now(node);
    for (int i = 0; i < made->moves[node] && sight->over == KZ_UNKNOWN && !sight->win; i++) {
        uint32_t next = made->next[node][i];
        if (made->result[next] == KZ_DRAW) {
            sight->draws = true;
        } else if (made->result[next] == KZ_UNKNOWN && wins_now(next)) {
            sight->worst = 1;
        } else if (made->result[next] == KZ_UNKNOWN) {
            count = add_once(numbers, count, class_of(next));
        }
    }
    return count;
}

static int numbers_before(const void *context, uint64_t index, uint64_t *numbers) {
    (void)context;
    int count = 0;
    for (int i = 0; i < made->before_count[index]; i++) {
        count = add_once(numbers, count, class_of(made->before[index][i]));
    }
    return count;
}

static const kz_definition basic = {.version = KZ_DEFINE_VERSION,
                                    .size = sizeof(kz_definition),
                                    .name = "graph",
                                    .title = "A graph",
                                    .max_moves = MOST_MOVES,
                                    .start = start,
                                    .moves = list_moves,
                                    .play = play,
                                    .result = result,
                                    .without_moves = KZ_LOSS,
                                    .index_size = index_size,
                                    .rank = rank,
                                    .unrank = unrank,
                                    .format = format,
                                    .parse = parse};

kz_definition with(enum way way, bool tiered) {
    kz_definition game = basic;
    if (way != FORWARDS) {
        game.max_predecessors = MOST_BEFORE;
        game.predecessors = predecessors;
    }
    if (way == BY_NUMBERS) {
        game.numbers_after = numbers_after;
        game.numbers_before = numbers_before;
    }
    if (tiered) {
        game.tiers = tiers;
        game.tier_begin = tier_begin;
    }
    if (made->symmetric) {
        game.symmetries = 2;
        game.symmetry = symmetry;
    }
    return game;
}
