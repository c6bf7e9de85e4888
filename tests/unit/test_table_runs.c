/* SPDX-License-Identifier: MIT
 *
 * The coder of tables of all values: what it sees of many places at once is what it sees of each by itself, and many
 * blocks that are decoded side by side come out as they went in. */
#include "tests/support/testing.h"

#include "base/cpu.h"
#include "base/random.h"
#include "game/gamedef.h"
#include "games/pushfight/table/plan.h"
#include "games/pushfight/table/run_decoder.h"
#include "games/pushfight/table/run_encoder.h"
#include "games/pushfight/table/run_view.h"
#include "games/pushfight/table/run_window.h"

#include <stdlib.h>
#include <string.h>

/* Few values, so that several neighbours have the same one and weights are equal. */
static uint8_t some_value(uint64_t *seed) {
    uint64_t random = kz_splitmix64(seed);
    unsigned range = 1U << random % 9; /* up to 256: all values */
    return (uint8_t)(random / 16 % 3 == 0 ? KZ_NO_ENTRY : random / 64 % range);
}

static void check_place(const kz_run_layout *layout, const kz_run_near *near, const kz_run_views *views,
                        unsigned lane) {
    kz_run_around around = {{0, 0}};
    kz_run_view view;
    for (unsigned i = 0; i < KZ_NEIGHBOURS; i++) {
        around.words[i / 8] |= (uint64_t)near->values[i][lane] << i % 8 * 8;
    }
    kz_run_look(layout, &around, &view);
    assert_int_equal(views->won[lane], view.won & KZ_NEAREST);
    for (unsigned k = 0; k <= KZ_CANDIDATES; k++) {
        assert_int_equal(views->candidates[k][lane], k < view.count ? view.candidates[k].value : KZ_NO_ENTRY);
        if (k < KZ_CANDIDATES && k < view.count) {
            assert_int_equal(views->at[k][lane], view.candidates[k].at & KZ_NEAREST);
        }
    }
}

static void check_kernel(kz_run_look_many *look) {
    kz_run_layout layout;
    kz_run_near near;
    kz_run_views views;
    uint64_t seed = 22;
    assert_true(kz_run_layout_open(&layout, 6, 300));
    for (int i = 0; i < 2000; i++) {
        for (unsigned k = 0; k < KZ_NEIGHBOURS * KZ_VIEWS; k++) {
            near.values[k / KZ_VIEWS][k % KZ_VIEWS] = some_value(&seed);
        }
        look(&near, &views);
        for (unsigned lane = 0; lane < KZ_VIEWS; lane++) {
            check_place(&layout, &near, &views, lane);
        }
    }
    kz_run_layout_close(&layout);
}

TEST(test_plain) { check_kernel(kz_run_views_plain); }

TEST(test_fast) {
#ifdef __x86_64__
    if (kz_cpu_available() >= KZ_CPU_AVX2) {
        check_kernel(kz_run_views_avx2);
    }
    if (kz_cpu_available() >= KZ_CPU_AVX512) {
        check_kernel(kz_run_views_avx512);
    }
#endif
    check_kernel(kz_run_views_choose());
}

/* ---- Many blocks ------------------------------------------------------------------------------------------------- */

enum { RUN = 6, GROUP = 300, GROUPS = 9, PLACES = GROUPS * GROUP, BLOCKS = 150 };

/* Blocks with what an encoder wrote for them. */
typedef struct blocks {
    kz_run_layout layout;
    kz_run_counts *counts;
    kz_run_model *model;
    kz_group_plan groups[BLOCKS][GROUPS];
    uint8_t numbers[BLOCKS][PLACES];
    uint8_t *bytes[BLOCKS];
    size_t size[BLOCKS];
    /* For decoding. */
    unsigned next;
    uint8_t decoded[2][BLOCKS][PLACES];
    unsigned way;
} blocks;

static bool has_lanes(void) {
#ifdef __x86_64__
    return kz_cpu_level() >= KZ_CPU_VBMI2;
#else
    return false;
#endif
}

/* The layout of Push Fight, in which neighbours are in few other runs. */
static void open_layout(kz_run_layout *layout) {
    kz_pf_space *space;
    int rules = kz_rules_find(kz_game_find("pushfight"), "standard");
    assert_int_equal(kz_pf_space_open(kz_pf_board_at(rules), &space, NULL), KZ_OK);
    assert_true(kz_run_layout_open(layout, RUN, GROUP));
    for (unsigned place = 0; place < GROUP; place++) {
        kz_pf_offset_plan(space, place, &layout->places[place]);
    }
    kz_pf_space_close(space);
    kz_run_layout_complete(layout);
    assert_int_equal(layout->windows != NULL, has_lanes());
}

static void make_groups(kz_group_plan groups[GROUPS], uint64_t *seed) {
    const uint64_t all = (UINT64_C(1) << (GROUP / RUN)) - 1;
    unsigned kind = kz_splitmix64(seed) % 8;
    for (unsigned i = 0; i < GROUPS; i++) {
        uint64_t exists = kz_splitmix64(seed) & all;
        uint64_t won = kz_splitmix64(seed) & kz_splitmix64(seed);
        won = kind == 0 ? all : kind == 1 ? 0 : won; /* blocks without an open run, or with many of them */
        groups[i] = (kz_group_plan){.exists = exists, .won = won & exists};
        for (unsigned k = 0; k < KZ_GROUP_NEIGHBOURS; k++) {
            groups[i].back[k] = (uint16_t)(kz_splitmix64(seed) % (i + 1));
        }
    }
}

/* Values as they occur: mostly one that is near. */
static void make_numbers(const kz_run_block *block, uint8_t *numbers, uint64_t *seed) {
    kz_run_block_begin(block, numbers);
    for (unsigned i = 0; i < block->count; i++, numbers += GROUP) {
        for (uint64_t open = kz_run_open(&block->groups[i]); open; open &= open - 1) {
            unsigned place = kz_lowest_bit64(open) * RUN;
            for (unsigned end = place + RUN; place < end; place++) {
                uint64_t random = kz_splitmix64(seed);
                uint8_t near = numbers[place - block->layout->places[place].back[random % KZ_RUN_NEIGHBOURS]];
                bool same = near != KZ_NO_ENTRY && near != KZ_WON_AT_ONCE && random / 16 % 4 != 0;
                unsigned some = (unsigned)(random >> 32) % (random / 64 % 16 ? 8 : KZ_NO_ENTRY);
                numbers[place] = same ? near : (uint8_t)some;
            }
        }
    }
}

static kz_run_block block_of(blocks *b, unsigned number) {
    return (kz_run_block){&b->layout, b->groups[number], GROUPS};
}

static blocks *open_blocks(void) {
    blocks *b = calloc(1, sizeof *b);
    uint32_t *steps = malloc((size_t)PLACES * KZ_RUN_STEPS_MOST * sizeof *steps);
    uint8_t *trail = malloc(PLACES);
    uint8_t *bytes = malloc(KZ_STATE_BYTES + (size_t)KZ_STEP_BYTES * KZ_RUN_STEPS_MOST * PLACES);
    uint64_t seed = 7;
    assert_true(b && steps && trail && bytes);
    b->counts = calloc(1, sizeof *b->counts);
    assert_non_null(b->counts);
    open_layout(&b->layout);
    for (unsigned i = 0; i < BLOCKS; i++) {
        kz_run_block block = block_of(b, i);
        make_groups(b->groups[i], &seed);
        make_numbers(&block, b->numbers[i], &seed);
        assert_true(kz_run_coder_fits(&block, b->numbers[i], trail));
        if (i % 2) { /* what the others need may not have been seen */
            size_t items = kz_run_coder_list(&block, kz_run_views_choose(), trail, steps);
            kz_run_coder_count(steps, items, b->counts);
        }
    }
    b->model = kz_run_model_new(b->counts);
    assert_non_null(b->model);
    for (unsigned i = 0; i < BLOCKS; i++) {
        kz_run_block block = block_of(b, i);
        assert_true(kz_run_coder_fits(&block, b->numbers[i], trail));
        b->size[i] = kz_run_coder_encode(b->model, &block, kz_run_views_choose(), trail, steps, bytes);
        b->bytes[i] = malloc(b->size[i]);
        assert_non_null(b->bytes[i]);
        memcpy(b->bytes[i], bytes, b->size[i]);
    }
    free(steps);
    free(trail);
    free(bytes);
    return b;
}

static void close_blocks(blocks *b) {
    for (unsigned i = 0; i < BLOCKS; i++) {
        free(b->bytes[i]);
    }
    kz_run_layout_close(&b->layout);
    kz_run_model_free(b->model);
    free(b->counts);
    free(b);
}

static bool next_block(void *context, unsigned slot, kz_run_coded *coded) {
    blocks *b = context;
    assert_true(slot < KZ_RUN_SLOTS);
    if (b->next == BLOCKS) {
        return false;
    }
    *coded = (kz_run_coded){block_of(b, b->next), b->bytes[b->next], b->size[b->next], b->decoded[b->way][b->next]};
    b->next++;
    return true;
}

static bool decode(blocks *b, unsigned way, kz_run_decode_many *decode_many) {
    b->way = way;
    b->next = 0;
    bool right = decode_many(b->model, &b->layout, kz_run_views_choose(), next_block, b);
    assert_int_equal(b->next, BLOCKS);
    return right;
}

TEST(test_decoders) {
    blocks *b = open_blocks();
    assert_true(decode(b, 0, kz_run_coder_decode_many));
    assert_memory_equal(b->decoded[0], b->numbers, sizeof b->numbers);
    assert_true(decode(b, 1, kz_run_decoder_choose(&b->layout)));
    assert_memory_equal(b->decoded[1], b->numbers, sizeof b->numbers);
    close_blocks(b);
}

/* Damaged bytes make the same of it both ways. */
TEST(test_damage) {
    blocks *b = open_blocks();
    for (unsigned i = 0; i < BLOCKS; i += 3) {
        b->bytes[i][b->size[i] / 2] ^= 16;
        if (i % 2 && b->size[i] > KZ_STATE_BYTES) {
            b->size[i] -= 2;
        }
    }
    b->size[12] = 3;
    assert_false(decode(b, 0, kz_run_coder_decode_many));
    assert_false(decode(b, 1, kz_run_decoder_choose(&b->layout)));
    assert_memory_equal(b->decoded[0], b->decoded[1], sizeof b->decoded[0]);
    close_blocks(b);
}

/* ---- Encoders ---------------------------------------------------------------------------------------------------- */

#ifdef __x86_64__

/* The open runs of a block as words, with something behind each. */
static size_t list_words(blocks *b, unsigned number, uint64_t *words) {
    size_t count = 0;
    for (unsigned i = 0; i < GROUPS; i++) {
        for (uint64_t open = kz_run_open(&b->groups[number][i]); open; open &= open - 1, count++) {
            words[count] = UINT64_C(0x1234) << 8 * RUN;
            memcpy(&words[count], &b->numbers[number][i * GROUP + kz_lowest_bit64(open) * RUN], RUN);
        }
    }
    return count;
}

static void check_trails(const kz_run_block *block, uint64_t *words, size_t count, uint8_t *trails[2]) {
    memset(trails[0], 1, PLACES);
    memset(trails[1], 2, PLACES);
    assert_true(kz_run_fits_open_plain(block, words, trails[0]));
    assert_true(kz_run_fits_open_vbmi2(block, words, trails[1]));
    assert_memory_equal(trails[0], trails[1], PLACES);
    if (count) {
        words[count / 2] |= UINT64_C(255) << 8 * (RUN - 1);
        assert_false(kz_run_fits_open_plain(block, words, trails[1]));
        assert_false(kz_run_fits_open_vbmi2(block, words, trails[1]));
    }
}

static void check_codes(const kz_run_model *model, const kz_run_block *block, uint8_t *trail, uint32_t *out[2]) {
    size_t plain = kz_run_code_plain(model, block, kz_run_views_choose(), trail, out[0]);
    assert_int_equal(kz_run_code_vbmi2(model, block, kz_run_views_choose(), trail, out[1]), plain);
    assert_memory_equal(out[0], out[1], plain * sizeof *out[0]);
}

#endif

TEST(test_encoders) {
#ifdef __x86_64__
    if (!has_lanes()) {
        return;
    }
    blocks *b = open_blocks();
    uint64_t *words = malloc(PLACES / RUN * sizeof *words);
    uint8_t *trails[2] = {malloc(PLACES), malloc(PLACES)};
    uint32_t *out[2];
    for (int i = 0; i < 2; i++) {
        out[i] = malloc((size_t)PLACES * KZ_RUN_STEPS_MOST * sizeof *out[i]);
        assert_true(words && trails[i] && out[i]);
    }
    for (unsigned i = 0; i < BLOCKS; i++) {
        kz_run_block block = block_of(b, i);
        check_trails(&block, words, list_words(b, i, words), trails);
        assert_memory_equal(trails[0], b->numbers[i], PLACES);
        check_codes(NULL, &block, trails[0], out);
        check_codes(b->model, &block, trails[0], out);
    }
    for (int i = 0; i < 2; i++) {
        free(trails[i]);
        free(out[i]);
    }
    free(words);
    close_blocks(b);
#endif
}

TESTS(NULL, NULL)
