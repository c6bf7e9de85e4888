/* SPDX-License-Identifier: MIT */
#include "tests/support/packets_undecided.h"

/* ---- Positions --------------------------------------------------------------------------------------------------- */

typedef struct children {
    int count;
    kz_dobutsu positions[KZ_DOBUTSU_MAX_MOVES];
    uint64_t keys[KZ_DOBUTSU_MAX_MOVES];
} children;

static void list_children(const kz_dobutsu *position, children *list) {
    kz_move moves[KZ_DOBUTSU_MAX_MOVES];
    list->count = kz_dobutsu_moves(RULES, position, moves);
    for (int i = 0; i < list->count; i++) {
        list->positions[i] = *position;
        kz_dobutsu_play(&list->positions[i], moves[i]);
        list->keys[i] = kz_dobutsu_to_state40(&list->positions[i]);
    }
}

int true_score(const work *w, const kz_dobutsu *position) {
    kz_value value = kz_dobutsu_immediate(RULES, position);
    uint64_t index;
    if (value.outcome == KZ_UNKNOWN && kz_dobutsu_rank(position, &index)) {
        value = kz_dobutsu_retro_value(w->retro, index);
    }
    return kz_dobutsu_outcome_of(value);
}

static const differing *find(const work *w, uint64_t key) {
    for (size_t i = 0; i < w->count; i++) {
        if (w->found[i].key == key) {
            return &w->found[i];
        }
    }
    return NULL;
}

static int score_of(const work *w, const children *list, int child) {
    const differing *d = find(w, list->keys[child]);
    return d ? d->score : true_score(w, &list->positions[child]);
}

/* A position that is lost without a move reports to nobody, and one that is undecided has nothing to report. */
static bool reports(const work *w, const children *list, int child) {
    kz_value value = kz_dobutsu_immediate(RULES, &list->positions[child]);
    bool stuck = value.outcome == KZ_LOSS && value.distance == 0 && !list->positions[child].hand[1][KZ_DOBUTSU_LION];
    return !stuck && score_of(w, list, child) != 0;
}

int parents_of(work *w, uint64_t key, uint64_t parents[KZ_MAX_PREDECESSORS]) {
    kz_dobutsu position;
    kz_position packed;
    int kept = 0;
    (void)kz_dobutsu_from_state40(key, true, &position, NULL);
    kz_dobutsu_to_position(&position, &packed);
    int count = kz_dobutsu_predecessors(&packed, w->before);
    for (int i = 0; i < count; i++) {
        uint64_t index;
        kz_dobutsu parent;
        kz_dobutsu_from_position(&w->before[i], &parent);
        if (kz_dobutsu_rank_all(&parent, &index) && index < KZ_DOBUTSU_DECIDED_END &&
            kz_dobutsu_reach_has(w->reach, index)) {
            parents[kept++] = kz_dobutsu_to_state40(&parent);
        }
    }
    return kept;
}

/* ---- What differs ------------------------------------------------------------------------------------------------ */

static void add(work *w, uint64_t key) {
    assert_true(w->count < MOST_DIFFERING);
    w->found[w->count++] = (differing){.key = key};
}

/* Whether a position's value can't do without those that may differ: a win if no other child gives it, a loss if any
 * child is among them. A draw stays one. */
static bool rests_on_found(const work *w, uint64_t key) {
    kz_dobutsu position;
    children list;
    (void)kz_dobutsu_from_state40(key, true, &position, NULL);
    int score = true_score(w, &position);
    list_children(&position, &list);
    bool some = false;
    bool others = false;
    for (int i = 0; i < list.count; i++) {
        bool is_found = find(w, list.keys[i]) != NULL;
        some = some || is_found;
        others = others || (!is_found && true_score(w, &list.positions[i]) == -score - 1);
    }
    return score < 0 ? some : score > 0 && !others;
}

void collect(work *w) {
    for (int i = 0; i < NEVER_DECIDED; i++) {
        add(w, never_decided[i]);
    }
    for (size_t i = 0; i < w->count; i++) {
        uint64_t parents[KZ_MAX_PREDECESSORS];
        int count = parents_of(w, w->found[i].key, parents);
        for (int k = 0; k < count; k++) {
            if (!find(w, parents[k]) && rests_on_found(w, parents[k])) {
                add(w, parents[k]);
            }
        }
    }
}

/* The score of a position whose value in `plies` follows from its children's now; 0 if none does. */
static int score_in(const work *w, uint64_t key, int plies) {
    kz_dobutsu position;
    children list;
    bool all = true;
    int longest = 0;
    (void)kz_dobutsu_from_state40(key, true, &position, NULL);
    list_children(&position, &list);
    for (int i = 0; i < list.count; i++) {
        int score = score_of(w, &list, i);
        if (score == plies - 1 - MOST_OUTCOME) {
            return MOST_OUTCOME - plies;
        }
        all = all && score > 0;
        longest = MOST_OUTCOME - score > longest ? MOST_OUTCOME - score : longest;
    }
    return all && longest == plies - 1 ? plies - MOST_OUTCOME : 0;
}

void decide(work *w) {
    for (int plies = 1; plies < MOST_OUTCOME; plies++) {
        for (size_t i = NEVER_DECIDED; i < w->count; i++) {
            if (w->found[i].score == 0) {
                w->found[i].score = score_in(w, w->found[i].key, plies);
            }
        }
    }
}

/* ---- Entries ----------------------------------------------------------------------------------------------------- */

static uint64_t draw_statistics(const work *w, const kz_dobutsu *position) {
    children list;
    unsigned required = 0;
    int best = -MOST_OUTCOME;
    list_children(position, &list);
    for (int i = 0; i < list.count; i++) {
        if (!reports(w, &list, i)) {
            required++;
        } else if (1 - score_of(w, &list, i) > best) {
            best = 1 - score_of(w, &list, i);
        }
    }
    return required << OUTCOME_BITS | ((unsigned)best & OUTCOME_MASK);
}

uint64_t entry_of(const work *w, uint64_t key) {
    kz_dobutsu position;
    children list = {.count = 0};
    int chosen = 0;
    (void)kz_dobutsu_from_state40(key, true, &position, NULL);
    list_children(&position, &list);
    for (int i = 1; i < list.count; i++) {
        if (score_of(w, &list, i) < score_of(w, &list, chosen)) {
            chosen = i;
        }
    }
    int score = score_of(w, &list, chosen);
    uint64_t statistics = score == 0 ? draw_statistics(w, &list.positions[chosen]) : (unsigned)score & OUTCOME_MASK;
    return statistics << KEY_BITS | list.keys[chosen];
}
