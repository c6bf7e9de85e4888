/* SPDX-License-Identifier: MIT */
#include "tests/support/forge.h"
#include "tests/support/pushfight_testing.h"

typedef struct comparison {
    const kz_pf_board *board;
    int number;
    const kz_pf_plain *plain;
    const uint8_t *values;
    const kz_table *table;
    _Atomic uint64_t compared;
    _Atomic uint64_t first_bad; /* 1 + an index, 0: none; an assertion may fail in the main thread only */
} comparison;

/* Written out here, so that it shares nothing with the code under test. */
static kz_position position_of(const comparison *c, const uint8_t *codes) {
    kz_pf_position made = {.anchor = KZ_PF_NO_ANCHOR, .board = (uint8_t)c->number};
    int square = 0;
    for (int bit = 0; bit < KZ_PF_GRID; bit++) {
        uint32_t here = UINT32_C(1) << bit;
        if (!(c->board->squares & here)) {
            continue;
        }
        switch (codes[square++]) {
        case KZ_PF_PLAIN_OWN_MOVER:
            made.own_movers |= here;
            break;
        case KZ_PF_PLAIN_OWN_PUSHER:
            made.own_pushers |= here;
            break;
        case KZ_PF_PLAIN_ENEMY_MOVER:
            made.enemy_movers |= here;
            break;
        case KZ_PF_PLAIN_ANCHORED:
            made.anchor = (int8_t)bit;
            made.enemy_pushers |= here;
            break;
        case KZ_PF_PLAIN_ENEMY_PUSHER:
            made.enemy_pushers |= here;
            break;
        default:
            break;
        }
    }
    kz_position position = {{0}};
    memcpy(&position, &made, sizeof made);
    return position;
}

/* 0 tie, 2k win in k turns, 2k + 1 loss in k: a win in k turns takes 2k - 1 plies, a loss 2k. */
static kz_value value_of_byte(uint8_t byte) {
    if (byte == 0) {
        return (kz_value){KZ_DRAW, 0};
    }
    return (kz_value){byte % 2 ? KZ_LOSS : KZ_WIN, byte - 1};
}

static bool agrees(const comparison *c, const uint8_t *codes, uint8_t byte) {
    kz_position position = position_of(c, codes);
    kz_value expected = value_of_byte(byte);
    kz_value found;
    return kz_probe(c->table, &position, &found, NULL) == KZ_OK && found.outcome == expected.outcome &&
           found.distance == expected.distance;
}

static void compare(void *context, int worker, uint64_t begin, uint64_t end) {
    comparison *c = context;
    uint64_t compared = 0;
    (void)worker;
    for (uint64_t index = begin; index < end; index++) {
        uint8_t codes[KZ_PF_MOST_SQUARES];
        kz_pf_plain_unrank(c->plain, index, codes);
        if (!kz_pf_plain_anchor_fits(c->plain, codes)) {
            continue;
        }
        if (!agrees(c, codes, c->values[index])) {
            c->first_bad = index + 1;
            break;
        }
        compared++;
    }
    c->compared += compared;
}

/* Openings have no anchor: they are the permutations with all pieces at home, taken once, namely when the anchor is on
 * the enemy's last pusher, and with the anchor taken off. Returns how many there are. */
static uint64_t compare_openings(const comparison *c) {
    uint64_t openings = 0;
    for (uint64_t index = 0; index < c->plain->permutations; index++) {
        uint8_t codes[KZ_PF_MOST_SQUARES];
        bool at_home = true;
        bool anchor_seen = false;
        int square = 0;
        kz_pf_plain_unrank(c->plain, index, codes);
        for (int bit = 0; bit < KZ_PF_GRID; bit++) {
            if (!(c->board->squares >> bit & 1)) {
                continue;
            }
            uint8_t *code = &codes[square++];
            bool home = (c->board->home >> bit & 1) != 0;
            bool own = *code == KZ_PF_PLAIN_OWN_MOVER || *code == KZ_PF_PLAIN_OWN_PUSHER;
            at_home = at_home && (*code == KZ_PF_PLAIN_EMPTY || own == home) &&
                      !(anchor_seen && *code == KZ_PF_PLAIN_ENEMY_PUSHER);
            if (*code == KZ_PF_PLAIN_ANCHORED) {
                anchor_seen = true;
                *code = KZ_PF_PLAIN_ENEMY_PUSHER;
            }
        }
        if (at_home) {
            if (!agrees(c, codes, kz_pf_plain_value(c->plain, c->values, codes))) {
                fail_msg("another value for the opening of permutation %llu", (unsigned long long)index);
            }
            openings++;
        }
    }
    return openings;
}

void assert_table_agrees(const char *name, const kz_pf_plain *plain, const uint8_t *values, kz_pool *pool, uint64_t fit,
                         uint64_t openings) {
    const kz_game *game = kz_game_find("pushfight");
    kz_error error;
    kz_solve_options options = {.replace = true};
    kz_summary summary;
    kz_table *table = NULL;
    int number = kz_rules_find(game, name);
    assert_string_equal(kz_pf_board_at(number)->name, name);
    must(kz_solve(game, number, "small.kzt", &options, &summary, &error), &error);
    must(kz_table_open("small.kzt", &table, &error), &error);
    comparison c = {
        .board = kz_pf_board_at(number), .number = number, .plain = plain, .values = values, .table = table};
    assert_int_equal(kz_pool_for(pool, plain->permutations, 0, compare, &c, NULL, NULL, NULL), KZ_OK);
    if (c.first_bad) {
        fail_msg("%s: another value for permutation %llu", name, (unsigned long long)c.first_bad - 1);
    }
    assert_int_equal(c.compared, fit);
    assert_int_equal(compare_openings(&c), openings);
    kz_table_close(table);
}

/* ---- Sample positions -------------------------------------------------------------------------------------------- */

const kz_game *game(void) { return kz_game_find("pushfight"); }

kz_position parsed(int rules, const char *text) {
    kz_position position;
    kz_error error = {0};
    if (kz_parse(game(), rules, text, strlen(text), &position, &error) != KZ_OK) {
        fail_msg("%s: %s", text, error.message);
    }
    return position;
}

uint64_t next_random(uint64_t *state) {
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return *state;
}

FILE *open_data(const char *name) {
    char path[256];
    snprintf(path, sizeof path, "tests/data/pushfight/%s", name);
    return open_source(path);
}
