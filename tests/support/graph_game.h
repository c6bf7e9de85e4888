/* SPDX-License-Identifier: MIT
 *
 * Games that are made up: graphs whose edges are moves, with holes, finished positions of all outcomes, tiers, and a
 * symmetry; and a plain loop that finds their values. */
#ifndef TESTS_GRAPH_GAME_H
#define TESTS_GRAPH_GAME_H

#include <kanzen/define.h>
#include <stdbool.h>
#include <stdint.h>

enum { NODES = 33102, MOST_MOVES = 4, TIERS_MOST = 5, MOST_BEFORE = 64 };

/* A graph. With a symmetry, node n and its image n ^ 1 have the same value, and the image's moves are the images of the
 * moves. */
typedef struct graph {
    uint32_t size;
    int tiers;
    bool symmetric;
    uint8_t moves[NODES];
    uint32_t next[NODES][MOST_MOVES];
    uint8_t result[NODES]; /* kz_outcome */
    uint8_t hole[NODES];
    uint32_t before[NODES][MOST_BEFORE];
    uint8_t before_count[NODES];
    kz_value plain[NODES];
} graph;

/* The context of all games: a test allocates it and fills it in. */
extern graph *made;

uint32_t tier_begin_of(const graph *g, int tier);
/* Random edges, in blocks of two nodes that are images of each other if the graph is symmetric. */
void make_graph(graph *g, uint32_t size, int tiers, bool symmetric, uint64_t number);
/* A long way to the end: from node n only node n - 1 can be reached, and node 0 is lost. */
void make_path(graph *g, uint32_t size);
/* Fills in `plain`. */
void solve_plainly(graph *g);

void put_node(kz_position *position, uint32_t node);

/* How the solver gets along in a tier. */
enum way { FORWARDS, BACKWARDS, BY_NUMBERS };
kz_definition with(enum way way, bool tiered);
/* For the member `twin`. */
kz_outcome graph_twin(const void *context, const kz_position *position,
                      void (*visit)(void *user, const kz_position *next), void *user);

/* The example of docs/add-a-game.md, for tests that have names of their own beside its. */

const kz_definition *own_game(void);

#endif
