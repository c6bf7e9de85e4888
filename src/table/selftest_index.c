/* SPDX-License-Identifier: MIT
 *
 * The number of a position, worked out in several ways; positions that share one; and the values of a table. */
#include "table/selftest.h"

#include <inttypes.h>
#include <stdlib.h>

static bool same_value(kz_value a, kz_value b) { return a.outcome == b.outcome && a.distance == b.distance; }

/* ---- Rank, unrank and the index of tables ------------------------------------------------------------------------ */

/* A position of the index and the one that stands there may be mirror images. They have as many moves. */
static bool test_rank(kz_tester *tester, bool ranked, uint64_t index) {
    const kz_game *game = tester->game;
    kz_position there;
    uint64_t again;
    if (!ranked) {
        return true;
    }
    tester->counts[KZ_SELFTEST_INDEX]++;
    if (index >= kz_index_size(game, tester->rules)) {
        return kz_tester_fail(tester, KZ_SELFTEST_INDEX, "its index %" PRIu64 " is too large", index);
    }
    kz_unrank(game, tester->rules, index, &there);
    kz_value known = kz_tester_look(tester, &there, &again);
    if ((known.outcome == KZ_UNKNOWN || again != KZ_NO_INDEX) && again != index) {
        return kz_tester_fail(tester, KZ_SELFTEST_INDEX,
                              "its index is %" PRIu64 "; the position with that index has %" PRIu64, index, again);
    }
    if (!same_value(kz_immediate(game, tester->rules, &there), kz_immediate(game, tester->rules, &tester->position))) {
        char text[KZ_TEXT_BYTES];
        kz_tester_text(tester, &there, text);
        return kz_tester_fail(tester, KZ_SELFTEST_INDEX,
                              "its index %" PRIu64 " is that of \"%s\", whose value is another one", index, text);
    }
    return true;
}

static int compare_indices(const void *one, const void *other) {
    uint64_t a = *(const uint64_t *)one;
    uint64_t b = *(const uint64_t *)other;
    return (a > b) - (a < b);
}

static void sort(uint64_t *indices, int count) { qsort(indices, (size_t)count, sizeof *indices, compare_indices); }

/* Both are sorted. Returns the first of `part` that is not in `whole`, or KZ_NO_INDEX. */
static uint64_t first_outside(const uint64_t *part, int part_count, const uint64_t *whole, int whole_count) {
    int at = 0;
    for (int i = 0; i < part_count; i++) {
        while (at < whole_count && whole[at] < part[i]) {
            at++;
        }
        if (at == whole_count || whole[at] != part[i]) {
            return part[i];
        }
    }
    return KZ_NO_INDEX;
}

static int rank_children(const kz_tester *tester, uint64_t *indices) {
    int count = 0;
    for (int i = 0; i < tester->move_count; i++) {
        kz_position child = kz_tester_child(tester, tester->moves[i]);
        count += kz_rank(tester->game, &child, &indices[count]);
    }
    return count;
}

/* Of a table of losses only those successors are listed that may be lost: all that the rules leave open, and none that
 * is not a successor. */
static bool test_successors(kz_tester *tester) {
    const kz_game *game = tester->game;
    uint64_t *listed = tester->indices[0];
    uint64_t *open = tester->indices[1];
    uint64_t *indexed = tester->indices[2];
    int open_count = 0;
    int indexed_count = 0;
    kz_value promised = {KZ_UNKNOWN, 0};
    kz_value best;
    int count = tester->kind->successors(tester->index, &tester->position, listed, &best);
    for (int i = 0; i < tester->move_count; i++) {
        kz_position child = kz_tester_child(tester, tester->moves[i]);
        uint64_t index;
        kz_value value = kz_tester_look(tester, &child, &index);
        if (value.outcome == KZ_UNKNOWN) {
            open[open_count++] = index;
        } else if (value.outcome == KZ_LOSS &&
                   (promised.outcome == KZ_UNKNOWN || value.distance + 1 < promised.distance)) {
            promised = kz_value_before(value);
        }
        if (index != KZ_NO_INDEX) {
            indexed[indexed_count++] = index;
        }
    }
    sort(listed, count);
    sort(open, open_count);
    sort(indexed, indexed_count);
    tester->counts[KZ_SELFTEST_LOOKUP] += (uint64_t)count;
    bool told = count == 0 && best.outcome == KZ_WIN; /* the rules alone tell the value */
    uint64_t missing = told ? KZ_NO_INDEX : first_outside(open, open_count, listed, count);
    uint64_t wrong = first_outside(listed, count, indexed, indexed_count);
    if (wrong != KZ_NO_INDEX) { /* then the slow index is asked for those that the fast one does not tell */
        indexed_count = rank_children(tester, indexed);
        sort(indexed, indexed_count);
        wrong = first_outside(listed, count, indexed, indexed_count);
    }
    if (missing != KZ_NO_INDEX || wrong != KZ_NO_INDEX) {
        char text[KZ_TEXT_BYTES];
        kz_position child;
        kz_unrank(game, tester->rules, missing != KZ_NO_INDEX ? missing : wrong, &child);
        kz_tester_text(tester, &child, text);
        return kz_tester_fail(tester, KZ_SELFTEST_LOOKUP, "among the successors that a table looks up, \"%s\" %s", text,
                              missing != KZ_NO_INDEX ? "is missing" : "is none");
    }
    if (!same_value(best, promised)) {
        return kz_tester_fail(tester, KZ_SELFTEST_LOOKUP,
                              "a table promises a win in %d by the rules alone, and the moves one in %d (0: none)",
                              best.distance, promised.distance);
    }
    return true;
}

/* What the rules tell about the position, or about all its successors. */
static kz_value told_by_rules(kz_tester *tester) {
    const kz_game *game = tester->game;
    kz_value value = kz_immediate(game, tester->rules, &tester->position);
    kz_value best = {KZ_UNKNOWN, 0};
    bool open = tester->move_count == 0;
    for (int i = 0; value.outcome == KZ_UNKNOWN && i < tester->move_count; i++) {
        kz_position child = kz_tester_child(tester, tester->moves[i]);
        kz_value after = kz_immediate(game, tester->rules, &child);
        kz_value before = kz_value_before(after);
        open = open || after.outcome == KZ_UNKNOWN;
        if (after.outcome != KZ_UNKNOWN && (i == 0 || kz_value_worth(before) > kz_value_worth(best))) {
            best = before;
        }
    }
    return value.outcome == KZ_UNKNOWN && !open ? best : value;
}

/* The plain index is slow, so it is asked now and then only. */
bool kz_test_index(kz_tester *tester) {
    const kz_game *game = tester->game;
    uint64_t found;
    uint64_t index = KZ_NO_INDEX;
    kz_value known = kz_tester_look(tester, &tester->position, &found);
    tester->counts[KZ_SELFTEST_LOOKUP]++;
    if (known.outcome != KZ_UNKNOWN && !same_value(known, told_by_rules(tester))) {
        return kz_tester_fail(tester, KZ_SELFTEST_LOOKUP, "a table finds another result than the rules");
    }
    if (tester->with_slow) {
        bool ranked = kz_rank(game, &tester->position, &index);
        index = ranked ? index : KZ_NO_INDEX;
        if ((known.outcome == KZ_UNKNOWN || found != KZ_NO_INDEX) && found != index) {
            return kz_tester_fail(tester, KZ_SELFTEST_LOOKUP,
                                  "a table looks it up at %" PRIu64 ", and its index is %" PRIu64 " (%" PRIu64
                                  ": none)",
                                  found, index, KZ_NO_INDEX);
        }
        if (!test_rank(tester, ranked, index)) {
            return false;
        }
    }
    return known.outcome != KZ_UNKNOWN || test_successors(tester);
}

/* ---- Images ------------------------------------------------------------------------------------------------------ */

static bool test_image(kz_tester *tester, const kz_twin_image *image) {
    const kz_game *game = tester->game;
    kz_move *moves = (kz_move *)tester->indices[0]; /* there is room for as many */
    uint64_t index;
    uint64_t image_index;
    kz_tester_look(tester, &tester->position, &index);
    kz_tester_look(tester, &image->position, &image_index);
    kz_value value = kz_immediate(game, tester->rules, &tester->position);
    char text[KZ_TEXT_BYTES];
    const char *differs = NULL;
    tester->counts[KZ_SELFTEST_IMAGE]++;
    if ((index == KZ_NO_INDEX) != (image_index == KZ_NO_INDEX) || (image->same_index && index != image_index)) {
        differs = "index";
    } else if (!same_value(value, kz_immediate(game, tester->rules, &image->position))) {
        differs = "result";
    } else if (kz_moves(game, tester->rules, &image->position, moves) != tester->move_count) {
        differs = "number of moves";
    } else if (tester->table) {
        kz_value stored = {KZ_UNKNOWN, 0};
        kz_value image_stored = {KZ_UNKNOWN, 0};
        kz_error error = {0};
        if (kz_probe(tester->table, &tester->position, &stored, &error) != KZ_OK ||
            kz_probe(tester->table, &image->position, &image_stored, &error) != KZ_OK) {
            return kz_tester_fail(tester, KZ_SELFTEST_VALUE, "the table can't tell: %s", error.message);
        }
        if (!same_value(stored, image_stored)) {
            differs = "value";
        }
    }
    if (differs) {
        kz_tester_text(tester, &image->position, text);
        return kz_tester_fail(tester, KZ_SELFTEST_IMAGE, "its image \"%s\" has another %s", text, differs);
    }
    return true;
}

bool kz_test_images(kz_tester *tester) {
    kz_twin_image images[KZ_TWIN_MAX_IMAGES];
    int count = tester->twin ? tester->game->doors->twin->images(tester->twin, &tester->position, images) : 0;
    for (int i = 0; i < count; i++) {
        if (!test_image(tester, &images[i])) {
            return false;
        }
    }
    return true;
}

/* ---- A table's values -------------------------------------------------------------------------------------------- */

bool kz_test_values(kz_tester *tester) {
    const kz_game *game = tester->game;
    kz_value stored;
    kz_error error = {0};
    int count = 0;
    if (!tester->table) {
        return true;
    }
    tester->counts[KZ_SELFTEST_VALUE]++;
    if (kz_probe(tester->table, &tester->position, &stored, &error) != KZ_OK ||
        kz_probe_moves(tester->table, &tester->position, tester->scored, &count, &error) != KZ_OK) {
        return kz_tester_fail(tester, KZ_SELFTEST_VALUE, "the table can't tell: %s", error.message);
    }
    kz_value known = kz_immediate(game, tester->rules, &tester->position);
    if (known.outcome != KZ_UNKNOWN && !same_value(known, stored)) {
        return kz_tester_fail(tester, KZ_SELFTEST_VALUE, "the table has another value than the rules");
    }
    if (count != tester->move_count) {
        return kz_tester_fail(tester, KZ_SELFTEST_VALUE, "the table has %d moves, and there are %d", count,
                              tester->move_count);
    }
    if (count > 0 && !same_value(tester->scored[0].value, stored)) {
        return kz_tester_fail(tester, KZ_SELFTEST_VALUE,
                              "the table's value is worth %d, and that of the best move is worth %d",
                              kz_value_worth(stored), kz_value_worth(tester->scored[0].value));
    }
    return true;
}
