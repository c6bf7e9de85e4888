/* SPDX-License-Identifier: MIT
 *
 * Which material can follow from which, and what can't come back. */
#include "games/texts/index_parts.h"

#include <stdlib.h>
#include <string.h>

enum { PIECE_SETS_MOST = 60000 };

/* ---- Material ---------------------------------------------------------------------------------------------------- */

uint64_t kz_index_key_of_board(const kz_variant_index *x, const kz_board *b) {
    uint64_t key = b->side * x->random[0];
    for (uint64_t left = b->occupied; left;) {
        key += x->random[b->at[kz_next_square(&left)]];
    }
    for (int color = 0; color < 2 && x->variant->drops; color++) {
        for (int i = 0; i < x->variant->hand_types; i++) {
            key += b->hand[color][i] * x->random[KZ_PIECE_CODES + color * KZ_VARIANT_HAND + i];
        }
    }
    return key;
}

uint64_t kz_index_key(const kz_variant_index *x, const kz_material *m) {
    uint64_t key = m->side * x->random[0];
    for (int piece = 1; piece < KZ_PIECE_CODES; piece++) {
        key += m->board[piece] * x->random[piece];
    }
    for (int color = 0; color < 2; color++) {
        for (int i = 0; i < KZ_VARIANT_HAND; i++) {
            key += m->hand[color][i] * x->random[KZ_PIECE_CODES + color * KZ_VARIANT_HAND + i];
        }
    }
    return key;
}

int kz_variant_find_set(const kz_variant_index *x, uint64_t key) {
    uint64_t mask = (uint64_t)x->slot_count - 1; /* a power of two */
    for (uint64_t at = key & mask; x->slots[at]; at = (at + 1) & mask) {
        if (x->piece_sets[x->slots[at] - 1].key == key) {
            return x->slots[at] - 1;
        }
    }
    return -1;
}

kz_material kz_material_turned(const kz_material *m) {
    kz_material t = {.side = 0};
    for (int piece = 1; piece < KZ_PIECE_CODES; piece++) {
        t.board[kz_index_turn_piece(piece)] = m->board[piece];
    }
    memcpy(t.hand[0], m->hand[1], sizeof t.hand[0]);
    memcpy(t.hand[1], m->hand[0], sizeof t.hand[1]);
    return t;
}

kz_material kz_material_passed_turn(const kz_variant *v, const kz_material *m) {
    kz_material next = *m;
    if (v->color_blind) {
        return kz_material_turned(m);
    }
    next.side = !m->side;
    return next;
}

bool kz_material_is_over(const kz_variant *v, const kz_material *m) {
    if (v->royal >= 0 && (!m->board[kz_piece(v->royal, 0)] || !m->board[kz_piece(v->royal, 1)])) {
        return true; /* can't occur */
    }
    /* A board with this material: squares don't matter to extinction. */
    kz_board b = {.side = m->side, .en_passant = KZ_NO_SQUARE};
    int square = 0;
    for (int piece = 1; piece < KZ_PIECE_CODES; piece++) {
        for (int n = 0; n < m->board[piece] && square < v->squares; n++) {
            kz_board_put(&b, square++, piece);
        }
    }
    memcpy(b.hand, m->hand, sizeof b.hand);
    return kz_variant_extinct(v, &b) != KZ_UNKNOWN;
}

/* ---- Finding all material ---------------------------------------------------------------------------------------- */

static void grow_slots(kz_variant_index *x, kz_material_graph *g) {
    int count = x->slot_count * 4;
    int *slots = calloc((size_t)count, sizeof *slots);
    if (!slots) {
        g->failed = true;
        return;
    }
    free(x->slots);
    x->slots = slots;
    x->slot_count = count;
    for (int i = 0; i < x->count; i++) {
        uint64_t at = x->piece_sets[i].key & ((uint64_t)count - 1);
        while (slots[at]) {
            at = (at + 1) & ((uint64_t)count - 1);
        }
        slots[at] = i + 1;
    }
}

int kz_graph_add(kz_material_graph *g, const kz_material *m) {
    kz_variant_index *x = g->index;
    uint64_t key = kz_index_key(x, m);
    int found = kz_variant_find_set(x, key);
    if (found >= 0) {
        return found;
    }
    if (x->count == PIECE_SETS_MOST) {
        g->too_many = true;
        return -1;
    }
    if (x->count == g->set_room) {
        int room = g->set_room * 2 + 64;
        kz_piece_set *piece_sets = realloc(x->piece_sets, (size_t)room * sizeof *piece_sets);
        if (!piece_sets) {
            g->failed = true;
            return -1;
        }
        x->piece_sets = piece_sets;
        g->set_room = room;
    }
    x->piece_sets[x->count] = (kz_piece_set){.what = *m, .key = key};
    x->count++;
    if (x->count * 2 > x->slot_count) {
        grow_slots(x, g);
    } else {
        uint64_t at = key & ((uint64_t)x->slot_count - 1);
        while (x->slots[at]) {
            at = (at + 1) & ((uint64_t)x->slot_count - 1);
        }
        x->slots[at] = x->count;
    }
    return x->count - 1;
}

static void add_edge(kz_material_graph *g, int from, const kz_material *moved) {
    kz_material next = kz_material_passed_turn(g->index->variant, moved);
    if (kz_material_is_over(g->index->variant, &next) || g->failed || g->too_many) {
        return;
    }
    int to = kz_graph_add(g, &next);
    if (to < 0) {
        return;
    }
    if (g->count == g->room) {
        size_t room = g->room * 2 + 1024;
        int *edges = realloc(g->edges, room * 2 * sizeof *edges);
        if (!edges) {
            g->failed = true;
            return;
        }
        g->edges = edges;
        g->room = room;
    }
    g->edges[2 * g->count] = from;
    g->edges[2 * g->count + 1] = to;
    g->count++;
}

/* What a piece of the side to move may become: itself, and what it promotes to. */
static void add_changes(kz_material_graph *g, int from, const kz_material *m, bool captured) {
    const kz_variant *v = g->index->variant;
    int side = v->color_blind ? 0 : m->side;
    add_edge(g, from, m);
    for (int type = 0; type < v->types; type++) {
        int piece = kz_piece(type, side);
        if (!m->board[piece]) {
            continue;
        }
        for (int to = 0; to < v->types; to++) {
            bool pawn = v->promotion_pawns >> type & 1 && v->promotion_pieces >> to & 1;
            bool shogi = v->type[type].promotes_to == to && (captured || !v->promotion_on_capture);
            if (pawn || shogi) {
                kz_material changed = *m;
                changed.board[piece]--;
                changed.board[kz_piece(to, side)]++;
                add_edge(g, from, &changed);
            }
        }
    }
}

void kz_graph_expand(kz_material_graph *g, int from) {
    const kz_variant *v = g->index->variant;
    kz_material m = g->index->piece_sets[from].what;
    int side = v->color_blind ? 0 : m.side;
    add_changes(g, from, &m, false);
    for (int type = 0; type < v->types; type++) {
        int enemy = kz_piece(type, !side);
        if (m.board[enemy] && type != v->royal) {
            kz_material taken = m;
            taken.board[enemy]--;
            if (v->captures_to_hand && v->type[type].hand >= 0) {
                taken.hand[side][v->type[type].hand]++;
            }
            add_changes(g, from, &taken, true);
        }
    }
    for (int i = 0; v->drops && i < v->hand_types; i++) {
        if (m.hand[side][i]) {
            kz_material dropped = m;
            dropped.hand[side][i]--;
            dropped.board[kz_piece(v->hand_type[i], side)]++;
            add_edge(g, from, &dropped);
        }
    }
}

/* ---- Tiers: strongly connected parts ----------------------------------------------------------------------------- */

/* Tarjan's algorithm without recursion. Parts come out in such an order that edges lead to earlier ones. */
bool kz_graph_find_tiers(kz_variant_index *x, const kz_material_graph *g) {
    size_t n = (size_t)x->count;
    int *first = calloc(n + 2, sizeof *first);
    int *to = malloc((g->count + 1) * sizeof *to);
    int *number = calloc(n + 1, sizeof *number);
    int *low = calloc(n + 1, sizeof *low);
    int *stack = malloc((n + 1) * sizeof *stack);
    int *path = malloc((n + 1) * sizeof *path);
    int *at = calloc(n + 1, sizeof *at);
    bool complete = first && to && number && low && stack && path && at;
    if (complete) {
        for (size_t i = 0; i < g->count; i++) {
            first[g->edges[2 * i] + 1]++;
        }
        for (size_t i = 0; i < n; i++) {
            first[i + 1] += first[i];
            at[i] = first[i];
        }
        for (size_t i = 0; i < g->count; i++) {
            to[at[g->edges[2 * i]]++] = g->edges[2 * i + 1];
        }
        for (size_t i = 0; i < n; i++) {
            at[i] = first[i];
            x->piece_sets[i].tier = -1;
        }
        int next = 1;
        int held = 0;
        for (int root = 0; root < x->count; root++) {
            int depth = 0;
            if (number[root]) {
                continue;
            }
            path[depth++] = root;
            number[root] = low[root] = next++;
            stack[held++] = root;
            while (depth) {
                int node = path[depth - 1];
                if (at[node] < first[node + 1]) {
                    int child = to[at[node]++];
                    if (!number[child]) {
                        number[child] = low[child] = next++;
                        stack[held++] = child;
                        path[depth++] = child;
                    } else if (x->piece_sets[child].tier < 0 && number[child] < low[node]) {
                        low[node] = number[child];
                    }
                    continue;
                }
                depth--;
                if (depth && low[node] < low[path[depth - 1]]) {
                    low[path[depth - 1]] = low[node];
                }
                if (low[node] == number[node]) {
                    int member;
                    do {
                        member = stack[--held];
                        x->piece_sets[member].tier = x->tiers;
                    } while (member != node);
                    x->tiers++;
                }
            }
        }
    }
    free(first);
    free(to);
    free(number);
    free(low);
    free(stack);
    free(path);
    free(at);
    return complete;
}
