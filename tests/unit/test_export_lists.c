/* SPDX-License-Identifier: MIT
 * labels: slow
 *
 * Lists of positions: their order, their numbers, and what is written about them. Expected figures are those of kota7's
 * doubutsushogi; expected positions come from the plain rules of the game. */
#include "app/export/ordered.h"
#include "base/file.h"
#include "games/dobutsu/compat/index18.h"
#include "games/dobutsu/compat/state_values.h"
#include "games/dobutsu/rules/rules.h"
#include "tests/support/tables.h"

#include <kanzen/dobutsu.h>
#include <kanzen/dobutsu_files.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static uint64_t next_random(uint64_t *state) {
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return *state >> 20;
}

/* ---- Pieces in order -------------------------------------------------------------------------------------------- */

typedef struct collector {
    uint64_t taken;
    uint64_t enough_at;
    uint64_t fails_at;
    bool wrong;
} collector;

static kz_status make_piece(void *context, int worker, uint64_t piece, kz_buffer *made, kz_error *error) {
    const collector *c = context;
    (void)worker;
    assert_non_null(kz_buffer_add(made, sizeof piece * (1 + piece % 7)));
    memcpy(made->bytes, &piece, sizeof piece);
    made->size = sizeof piece * (1 + piece % 7);
    if (c->fails_at && piece >= c->fails_at) {
        error->status = KZ_ERR_IO;
        snprintf(error->message, sizeof error->message, "piece %d", (int)piece);
        return KZ_ERR_IO;
    }
    return KZ_OK;
}

static kz_status take_piece(void *context, const kz_buffer *made, bool *enough, kz_error *error) {
    collector *c = context;
    uint64_t piece;
    (void)error;
    memcpy(&piece, made->bytes, sizeof piece);
    c->wrong |= piece != c->taken || made->size != sizeof piece * (1 + piece % 7);
    c->taken++;
    *enough = c->taken == c->enough_at;
    return KZ_OK;
}

TEST(test_pieces_in_order) {
    for (int threads = 1; threads <= 3; threads++) {
        kz_pool *pool = kz_pool_new(threads, NULL);
        collector all = {0};
        collector some = {.enough_at = 500};
        collector bad = {.fails_at = 700};
        kz_ordered work = {.context = &all, .make = make_piece, .take = take_piece};
        kz_error error;
        assert_int_equal(kz_ordered_run(pool, 5000, &work, NULL, "", NULL), KZ_OK);
        assert_int_equal(all.taken, 5000);
        work.context = &some;
        assert_int_equal(kz_ordered_run(pool, 5000, &work, NULL, "", NULL), KZ_OK);
        assert_int_equal(some.taken, 500);
        work.context = &bad;
        assert_int_equal(kz_ordered_run(pool, 5000, &work, NULL, "", &error), KZ_ERR_IO);
        assert_string_equal(error.message, "piece 700");
        assert_true(bad.taken <= 700);
        assert_false(all.wrong || some.wrong || bad.wrong);
        assert_int_equal(kz_ordered_run(pool, 0, &work, NULL, "", NULL), KZ_OK);
        kz_pool_free(pool);
    }
}

/* ---- State indices ---------------------------------------------------------------------------------------------- */

TEST(test_index_of_states) {
    static kz_dobutsu_index18 tables;
    uint64_t random = 1;
    kz_dobutsu_index18_fill(&tables);
    for (int i = 0; i < 20000 / FEWER; i++) {
        kz_dobutsu position;
        kz_dobutsu_states states;
        kz_dobutsu_unrank(next_random(&random) % KZ_DOBUTSU_DECIDED_END, &position);
        kz_dobutsu_states_of(&position, &states);
        assert_int_equal(kz_dobutsu_index18_of(&tables, &states), kz_dobutsu_to_index18(&position));
    }
}

/* The unit that an index belongs to: all but its nine lowest digits. */
static uint32_t unit_of(const kz_dobutsu_index18_parts *units, uint64_t index) {
    const uint64_t below = UINT64_C(2357947691); /* 11 to the 9th */
    uint32_t wanted = (uint32_t)(index / below);
    for (uint32_t unit = 0; unit < units->count; unit++) {
        if (units->parts[unit] == wanted) {
            return unit;
        }
    }
    fail_msg("no unit for an index");
    return 0;
}

TEST(test_lists_are_complete_and_in_order) {
    kz_dobutsu_index18_parts *units = calloc(1, sizeof *units);
    kz_dobutsu_space *space = kz_dobutsu_space_new();
    kz_buffer list = {0};
    uint64_t random = 7;
    assert_true(kz_dobutsu_index18_parts_make(units));
    for (int i = 0; i < (FEWER > 1 ? 2 : 10); i++) {
        kz_dobutsu position;
        uint64_t place = next_random(&random) % KZ_DOBUTSU_INDEX_SIZE;
        kz_dobutsu_unrank(place, &position);
        uint64_t index = kz_dobutsu_to_index18(&position);
        list.size = 0;
        assert_true(kz_dobutsu_index18_list(units, space, unit_of(units, index), NULL, &list));
        const kz_dobutsu_index18_entry *entries = (const void *)list.bytes;
        size_t count = list.size / sizeof *entries;
        bool found = false;
        for (size_t k = 0; k < count; k++) {
            assert_true(k == 0 || entries[k - 1].index < entries[k].index);
            found |= entries[k].index == index && entries[k].place == place;
            if (k % 97 == 0) {
                kz_dobutsu_unrank(entries[k].place, &position);
                assert_int_equal(kz_dobutsu_to_index18(&position), entries[k].index);
            }
        }
        assert_true(found);
    }
    kz_buffer_free(&list);
    kz_dobutsu_index18_parts_free(units);
    kz_dobutsu_space_free(space);
    free(units);
}

/* Everything with all six pieces in hand: both lions alone. 21 choices of their squares in the solved zone, mirror
 * images folded, times 27 ways to share out the pieces; of lions that are both in the middle the image is the same. */
TEST(test_lions_alone) {
    kz_dobutsu_index18_parts *units = calloc(1, sizeof *units);
    kz_dobutsu_space *space = kz_dobutsu_space_new();
    uint64_t count = 0;
    assert_true(kz_dobutsu_index18_parts_make(units));
    for (uint32_t unit = 0; unit < units->count; unit++) {
        uint32_t hands = units->parts[unit] / 1331;
        uint32_t sum = 0;
        for (; hands; hands /= 3) {
            sum += hands % 3;
        }
        if (sum == 6) {
            kz_buffer list = {0};
            assert_true(kz_dobutsu_index18_list(units, space, unit, NULL, &list));
            count += list.size / sizeof(kz_dobutsu_index18_entry);
            kz_buffer_free(&list);
        }
    }
    assert_int_equal(count, 21 * 27);
    kz_dobutsu_index18_parts_free(units);
    kz_dobutsu_space_free(space);
    free(units);
}

TEST(test_scale) {
    static const struct {
        int plies;
        const char *text;
        int scaled;
    } published[] = {
        {2, "-0.99", -9900},    {3, "0.9801", 9801},      {4, "-0.970299", -9703},   {5, "0.960596", 9606},
        {77, "0.465881", 4659}, {78, "-0.461222", -4612}, {172, "-0.179316", -1793}, {173, "0.177523", 1775},
    };
    kz_dobutsu_state_value_scale scale;
    kz_dobutsu_state_value_scale_fill(&scale);
    for (size_t i = 0; i < sizeof published / sizeof published[0]; i++) {
        assert_string_equal(scale.text[published[i].plies + 1], published[i].text);
        assert_int_equal(scale.scaled[published[i].plies + 1], published[i].scaled);
    }
    assert_string_equal(scale.text[0], "0");
    assert_int_equal(scale.scaled[0], 0);
    assert_int_equal(scale.scaled[1], -10000);
}

/* ---- States as they are found ----------------------------------------------------------------------------------- */

enum { FIND = 3000, SLOTS = 1 << 18 };

/* The same once more, slowly: boards, the game's own moves, a list that is searched. */
typedef struct plain_finder {
    uint64_t covered[SLOTS];
    uint64_t pile[SLOTS];
    size_t height;
    FILE *full;
    FILE *won;
} plain_finder;

static bool cover(plain_finder *f, uint64_t index) {
    size_t slot = (size_t)(index * UINT64_C(0x9E3779B97F4A7C15) >> 40) % SLOTS;
    while (f->covered[slot]) {
        if (f->covered[slot] == index) {
            return false;
        }
        slot = (slot + 1) % SLOTS;
    }
    f->covered[slot] = index;
    return true;
}

static int by_number(const void *left, const void *right) {
    const uint64_t *a = left;
    const uint64_t *b = right;
    return *a < *b ? -1 : *a > *b;
}

static bool lion_on(const kz_dobutsu *p, int row, uint8_t content) {
    return p->board[3 * row] == content || p->board[3 * row + 1] == content || p->board[3 * row + 2] == content;
}

static void look_plainly(plain_finder *f) {
    const kz_game *game = kz_game_find("dobutsu");
    uint64_t index = f->pile[--f->height];
    uint64_t after[KZ_DOBUTSU_MAX_MOVES] = {0};
    size_t count = 0;
    size_t distinct = 0;
    bool win = false;
    kz_dobutsu dobutsu;
    kz_position position;
    kz_move moves[KZ_DOBUTSU_MAX_MOVES];
    assert_int_equal(kz_dobutsu_from_index18(index, &dobutsu, NULL), KZ_OK);
    kz_dobutsu_to_position(&dobutsu, &position);
    int listed = kz_moves(game, KZ_DOBUTSU_OFFICIAL, &position, moves);
    for (int i = 0; i < listed; i++) {
        kz_position next = position;
        kz_dobutsu seen;
        kz_play(game, KZ_DOBUTSU_OFFICIAL, &next, moves[i]);
        kz_value value = kz_immediate(game, KZ_DOBUTSU_OFFICIAL, &next);
        kz_dobutsu_from_position(&next, &seen);
        if (value.outcome == KZ_LOSS && value.distance == 0) {
            win = true;
        } else if (!lion_on(&seen, 3, 1 + KZ_DOBUTSU_LION)) {
            after[count++] = kz_dobutsu_to_index18(&seen);
        }
    }
    qsort(after, count, sizeof *after, by_number);
    for (size_t i = 0; i < count; i++) {
        if (i == 0 || after[i] != after[i - 1]) {
            after[distinct++] = after[i];
        }
    }
    FILE *out = win ? f->won : f->full;
    fprintf(out, "%llu %d %zu", (unsigned long long)index, win, win ? 0 : distinct);
    for (size_t i = 0; i < distinct; i++) {
        if (!win) {
            fprintf(out, " %llu", (unsigned long long)after[i]);
        }
        if (cover(f, after[i])) {
            f->pile[f->height++] = after[i];
        }
    }
    fprintf(out, "\n");
}

static void same_beginning(const char *path, const char *longer_path) {
    kz_mapping shorter;
    kz_mapping longer;
    assert_int_equal(kz_mapping_open(&shorter, path, NULL), KZ_OK);
    assert_int_equal(kz_mapping_open(&longer, longer_path, NULL), KZ_OK);
    assert_true(shorter.size > 1000 && shorter.size <= longer.size);
    assert_memory_equal(shorter.data, longer.data, shorter.size);
    kz_mapping_close(&shorter);
    kz_mapping_close(&longer);
}

TEST(test_states) {
    static const char published_full[] =
        "2276617967770 0 4 2276617162570 2276617484980 2276617961170 87014145179536\n"
        "87014145179536 0 5 5415026081402 5415026403812 5415026880002 90152592970278 90152593014148\n";
    static const char published_won[] = "89582008669948 1 0\n371981583766149 1 0\n";
    const kz_export_options options = {.replace = true, .count = FIND};
    plain_finder *f = calloc(1, sizeof *f);
    kz_mapping mapping;
    uint64_t written;
    assert_int_equal(kz_dobutsu_export_states("full.txt", false, &options, &written, NULL), KZ_OK);
    assert_int_equal(written, FIND);
    assert_int_equal(kz_dobutsu_export_states("won.txt", true, &options, &written, NULL), KZ_OK);
    assert_int_equal(written, FIND);
    assert_int_equal(kz_mapping_open(&mapping, "full.txt", NULL), KZ_OK);
    assert_memory_equal(mapping.data, published_full, sizeof published_full - 1);
    kz_mapping_close(&mapping);
    assert_int_equal(kz_mapping_open(&mapping, "won.txt", NULL), KZ_OK);
    assert_memory_equal(mapping.data, published_won, sizeof published_won - 1);
    kz_mapping_close(&mapping);

    f->full = fopen("plain-full.txt", "w");
    f->won = fopen("plain-won.txt", "w");
    f->pile[f->height++] = UINT64_C(2276617967770);
    cover(f, f->pile[0]);
    for (int i = 0; i < FIND; i++) {
        look_plainly(f);
    }
    assert_int_equal(fclose(f->full), 0);
    assert_int_equal(fclose(f->won), 0);
    same_beginning("plain-full.txt", "full.txt");
    same_beginning("plain-won.txt", "won.txt");
    free(f);

    const kz_export_options careful = {.count = 1};
    assert_int_equal(kz_dobutsu_export_states("full.txt", false, &careful, &written, NULL), KZ_ERR_IO);
}

/* ---- Comma-separated values ------------------------------------------------------------------------------------- */

enum { MOST_LINES = 2000 };

typedef struct lines {
    char *text;
    char *line[MOST_LINES];
    size_t count;
} lines;

static lines *read_lines(const char *path) {
    lines *l = calloc(1, sizeof *l);
    kz_mapping mapping;
    assert_int_equal(kz_mapping_open(&mapping, path, NULL), KZ_OK);
    l->text = calloc(mapping.size + 1, 1);
    memcpy(l->text, mapping.data, mapping.size);
    kz_mapping_close(&mapping);
    for (char *line = strtok(l->text, "\n"); line && l->count < MOST_LINES; line = strtok(NULL, "\n")) {
        l->line[l->count++] = line;
    }
    return l;
}

static void free_lines(lines *l) {
    free(l->text);
    free(l);
}

/* Reads a line and compares it with what the table says; returns the place. */
static uint64_t check_line(const kz_table *table, char *line) {
    const kz_game *game = kz_table_game(table);
    kz_position position;
    kz_value value;
    uint64_t place = 0;
    char expected[64];
    char *value_text = strchr(line, ',');
    *value_text++ = '\0';
    char *best = strchr(strchr(value_text, ',') + 1, ',') + 1;
    best[-1] = '\0';
    assert_int_equal(kz_parse(game, kz_table_rules(table), line, strlen(line), &position, NULL), KZ_OK);
    assert_true(kz_rank(game, &position, &place));
    assert_int_equal(kz_probe(table, &position, &value, NULL), KZ_OK);
    if (value.outcome == KZ_DRAW) {
        snprintf(expected, sizeof expected, "draw,");
    } else {
        snprintf(expected, sizeof expected, "%s,%d", value.outcome == KZ_WIN ? "win" : "loss",
                 kz_distance_shown(game, value));
    }
    assert_string_equal(value_text, expected);
    if (*best) {
        size_t length = strlen(best);
        bool quoted = *best == '"';
        assert_true(quoted == (strchr(best, ',') != NULL));
        kz_move move;
        kz_value after;
        assert_int_equal(kz_move_parse(game, kz_table_rules(table), &position, best + quoted,
                                       length - 2 * (size_t)quoted, &move, NULL),
                         KZ_OK);
        kz_play(game, kz_table_rules(table), &position, move);
        assert_int_equal(kz_probe(table, &position, &after, NULL), KZ_OK);
        after = kz_value_before(after);
        assert_true(after.outcome == value.outcome && after.distance == value.distance);
    } else {
        assert_int_equal(value.distance, 0);
    }
    return place;
}

/* Each value is as frequent in the sample as in the table's header: five times the deviation is room enough. */
static void check_shares(const kz_table *table, const char *path, unsigned sample) {
    unsigned outcomes[4] = {0};
    double shares[4] = {0};
    double positions = (double)kz_table_positions(table);
    uint64_t before = 0;
    kz_value value;
    uint64_t count;
    lines *l = read_lines(path);
    assert_int_equal(l->count, sample + 1);
    for (size_t i = 1; i < l->count; i++) {
        char *text = strchr(l->line[i], ',') + 1;
        outcomes[*text == 'w' ? KZ_WIN : *text == 'l' ? KZ_LOSS : KZ_DRAW]++;
        uint64_t place = check_line(table, l->line[i]);
        assert_true(i == 1 || place > before);
        before = place;
    }
    for (size_t number = 0; kz_table_count(table, number, &value, &count); number++) {
        shares[value.outcome] += (double)count / positions;
    }
    for (int outcome = KZ_LOSS; outcome <= KZ_WIN; outcome++) {
        double expected = sample * shares[outcome];
        assert_true(fabs(outcomes[outcome] - expected) < 5 * sqrt(expected * (1 - shares[outcome])) + 1);
    }
    free_lines(l);
}

TEST(test_csv) {
    kz_table *table = solved_board("mini");
    const kz_export_options options = {.threads = 2, .replace = true};
    const kz_export_options first = {.threads = 1, .replace = true, .count = 300};
    uint64_t written;
    assert_int_equal(kz_export_csv(table, "first.csv", 0, 0, &first, &written, NULL), KZ_OK);
    assert_int_equal(written, 300);
    lines *l = read_lines("first.csv");
    assert_int_equal(l->count, 301);
    assert_string_equal(l->line[0], "position,value,distance,best");
    uint64_t before = 0;
    for (size_t i = 1; i < l->count; i++) {
        uint64_t place = check_line(table, l->line[i]);
        assert_true(i == 1 || place > before);
        before = place;
    }
    free_lines(l);

    /* The same seed, the same sample, on any number of threads. */
    assert_int_equal(kz_export_csv(table, "a.csv", 1000, 5, &options, &written, NULL), KZ_OK);
    assert_int_equal(written, 1000);
    assert_int_equal(kz_export_csv(table, "b.csv", 1000, 5, &first, &written, NULL), KZ_OK);
    assert_int_equal(written, 300);
    same_beginning("b.csv", "a.csv");
    assert_int_equal(kz_export_csv(table, "c.csv", 1000, 6, &options, &written, NULL), KZ_OK);
    kz_mapping one;
    kz_mapping other;
    assert_int_equal(kz_mapping_open(&one, "a.csv", NULL), KZ_OK);
    assert_int_equal(kz_mapping_open(&other, "c.csv", NULL), KZ_OK);
    assert_true(one.size != other.size || memcmp(one.data, other.data, one.size) != 0);
    kz_mapping_close(&one);
    kz_mapping_close(&other);
    check_shares(table, "a.csv", 1000);

    assert_int_equal(kz_export_csv(table, "d.csv", KZ_SAMPLE_MOST + 1, 5, &options, &written, NULL), KZ_ERR_INPUT);

    /* Other files are about Dobutsu Shogi by the official rules, and about nothing else. */
    kz_error error;
    assert_int_equal(kz_dobutsu_export_values(table, "x.txt", &options, &written, &error), KZ_ERR_UNSUPPORTED);
    assert_non_null(strstr(error.message, "pushfight, mini rules"));
    assert_int_equal(kz_dobutsu_export_sqlite(table, "x.db", &options, &written, &error), KZ_ERR_UNSUPPORTED);
    assert_null(fopen("x.txt", "r"));
    assert_null(fopen("x.db", "r"));
    kz_table_close(table);
}

TESTS(NULL, NULL)
