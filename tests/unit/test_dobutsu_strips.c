/* SPDX-License-Identifier: MIT
 *
 * What a run's moves lead to, as ORs of strips, is what the rules say position by position; on every kind of processor.
 */
#include "tests/support/testing.h"

#include "base/random.h"
#include "games/dobutsu/rules/rules.h"
#include "games/dobutsu/solve/strips.h"

#include <stdlib.h>
#include <string.h>

enum { SLICES = 24, RUNS_A_SLICE = 2 };

/* Some property of positions: any third one, more or less, has it. */
static bool has_it(uint64_t index) { return kz_scramble(index) % 3 == 0; }

static void set_state(kz_dobutsu_strip *strip, unsigned state) {
    enum { SINGLES = 66 * 16, HANDS = SINGLES + 12 * 8 };
    if (state < SINGLES) {
        strip->of.pairs[state / 16] |= (uint16_t)(1U << state % 16);
    } else if (state < HANDS) {
        strip->of.singles[(state - SINGLES) / 8] |= (uint8_t)(1U << state % 8);
    } else {
        strip->of.hands |= (uint8_t)(1U << (state - HANDS));
    }
}

/* The strip of the states of a run whose positions have it. */
static void fill_strip(const kz_dobutsu_space *space, uint32_t run, bool (*wanted)(uint64_t), kz_dobutsu_strip *strip) {
    const kz_dobutsu_run *r = &space->runs[run];
    const uint16_t *states = space->chick_state[kz_dobutsu_run_chicks(space, r)];
    memset(strip, 0, sizeof *strip);
    for (unsigned i = 0; i < r->size; i++) {
        if (wanted(r->base + i)) {
            set_state(strip, states[i]);
            if (r->folded) {
                set_state(strip, space->chick_mirror[states[i]]);
            }
        }
    }
}

static const kz_dobutsu_space *asked_space;

/* By the rules: some move leads to a position of the solved zone that has it. */
static bool leads_to_it(uint64_t index) {
    kz_dobutsu position;
    kz_move moves[KZ_DOBUTSU_MAX_MOVES];
    kz_dobutsu_space_unrank(asked_space, index, &position);
    int count = kz_dobutsu_moves(KZ_DOBUTSU_OFFICIAL, &position, moves);
    for (int i = 0; i < count; i++) {
        kz_dobutsu next = position;
        uint64_t after;
        kz_dobutsu_play(&next, moves[i]);
        bool ranked = kz_dobutsu_space_rank_all(asked_space, &next, &after);
        if (ranked && after < KZ_DOBUTSU_INDEX_SIZE && has_it(after)) {
            return true;
        }
    }
    return false;
}

/* Of what does not exist nothing is promised. */
static void compare_strips(const kz_dobutsu_strip *found, const kz_dobutsu_strip *all,
                           const kz_dobutsu_strip *expected) {
    kz_dobutsu_strip result;
    for (int i = 0; i < KZ_DOBUTSU_STRIP_VECTORS; i++) {
        result.vectors[i] = found->vectors[i] & all->vectors[i];
    }
    assert_memory_equal(result.of.pairs, expected->of.pairs, sizeof result.of.pairs);
    assert_memory_equal(result.of.singles, expected->of.singles, sizeof result.of.singles);
    assert_int_equal(result.of.hands, expected->of.hands);
}

static bool every(uint64_t index) {
    (void)index;
    return true;
}

/* Takes states out until a few are left, others each time. */
static void thin_out(kz_random *random, kz_dobutsu_strip *strip, unsigned left) {
    uint64_t words[KZ_DOBUTSU_STATE_WORDS];
    uint16_t states[KZ_DOBUTSU_CHICK_STATES];
    unsigned count = 0;
    kz_dobutsu_strip_words(strip, words);
    for (unsigned state = 0; state < KZ_DOBUTSU_CHICK_STATES; state++) {
        states[count] = (uint16_t)state;
        count += (unsigned)(words[state / 64] >> state % 64 & 1);
    }
    memset(strip, 0, sizeof *strip);
    for (; left > 0 && count > 0; left--) {
        unsigned chosen = (unsigned)kz_random_below(random, count);
        set_state(strip, states[chosen]);
        states[chosen] = states[--count];
    }
}

static const struct {
    kz_cpu level;
    kz_dobutsu_gather *pieces;
    kz_dobutsu_gather *chicks; /* NULL: the other one does both */
} kinds[] = {
    {KZ_CPU_PLAIN, kz_dobutsu_gather_pieces_plain, kz_dobutsu_gather_chicks_plain},
#ifdef __x86_64__
    {KZ_CPU_AVX2, kz_dobutsu_gather_avx2, NULL},
    {KZ_CPU_AVX512, kz_dobutsu_gather_avx512, NULL},
#endif
};

/* Asked one by one, states depend on chicks as the gathering of all of them says; and so from the targets' side. */
static void check_few(const kz_dobutsu_strips *strips, uint32_t run, kz_dobutsu_strip *plane, kz_random *random) {
    enum { TRIES = 20, STATES = 10 };
    const uint32_t *targets = &strips->targets[strips->first_target[run]];
    unsigned count = strips->target_count[run];
    kz_dobutsu_strip all;
    kz_dobutsu_strip led = {.vectors = {{0}}};
    fill_strip(asked_space, run, every, &all);
    kz_dobutsu_gather_chicks_plain(strips, targets, count, plane, &led);
    kz_dobutsu_strip many = all;
    assert_false(kz_dobutsu_drop_led_by_chicks(strips, targets, count, plane, &many)); /* too many */
    assert_memory_equal(&many, &all, sizeof all);
    for (int i = 0; i < TRIES; i++) {
        kz_dobutsu_strip few = all;
        thin_out(random, &few, STATES);
        kz_dobutsu_strip left = few;
        kz_dobutsu_strip expected = few;
        for (int k = 0; k < KZ_DOBUTSU_STRIP_VECTORS; k++) {
            expected.vectors[k] &= ~led.vectors[k];
        }
        assert_true(kz_dobutsu_drop_led_by_chicks(strips, targets, count, plane, &left));
        assert_memory_equal(&left, &expected, sizeof left);
    }
    for (unsigned i = 0; i < count; i++) {
        thin_out(random, &plane[targets[i] & KZ_DOBUTSU_TARGET_RUN], STATES);
    }
    kz_dobutsu_strip sparse = {.vectors = {{0}}};
    led = sparse;
    kz_dobutsu_gather_chicks_plain(strips, targets, count, plane, &led);
    assert_true(kz_dobutsu_gather_few_chicks(strips, targets, count, plane, &sparse));
    for (int k = 0; k < KZ_DOBUTSU_STRIP_VECTORS; k++) {
        led.vectors[k] &= all.vectors[k];
    }
    compare_strips(&sparse, &all, &led);
}

static void check_run(const kz_dobutsu_strips *strips, uint32_t run, kz_dobutsu_strip *plane, kz_random *random) {
    const uint32_t *targets = &strips->targets[strips->first_target[run]];
    unsigned count = strips->target_count[run];
    kz_dobutsu_strip all;
    kz_dobutsu_strip expected;
    assert_true(count > 0);
    for (unsigned i = 0; i < count; i++) {
        uint32_t target = targets[i] & KZ_DOBUTSU_TARGET_RUN;
        fill_strip(asked_space, target, has_it, &plane[target]);
    }
    fill_strip(asked_space, run, every, &all);
    fill_strip(asked_space, run, leads_to_it, &expected);
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        kz_dobutsu_strip result;
        if (kinds[k].level <= kz_cpu_available()) {
            kinds[k].pieces(strips, targets, count, plane, &result);
            if (kinds[k].chicks) {
                kinds[k].chicks(strips, targets, count, plane, &result);
            }
            compare_strips(&result, &all, &expected);
        }
    }
    check_few(strips, run, plane, random);
}

TEST(test_rows_are_the_rules) {
    kz_dobutsu_retro *retro = kz_dobutsu_retro_new(KZ_DOBUTSU_OFFICIAL, 1);
    assert_non_null(retro);
    kz_dobutsu_strips *strips = kz_dobutsu_strips_new(retro);
    assert_non_null(strips);
    asked_space = retro->space;
    kz_random random = {.state = 20261116};
    unsigned folded = 0;
    for (int i = 0; i < SLICES; i++) {
        uint64_t slice = kz_random_below(&random, retro->space->solved_slices);
        uint32_t first = retro->space->slices[slice];
        uint32_t count = retro->space->slices[slice + 1] - first;
        kz_dobutsu_strips_fill(strips, slice, slice + 1);
        for (int k = 0; k < RUNS_A_SLICE; k++) {
            uint32_t run = first + (uint32_t)kz_random_below(&random, count);
            folded += retro->space->runs[run].folded;
            check_run(strips, run, strips->lost, &random); /* any plane will do */
        }
    }
    for (uint32_t run = 0; run < strips->count && folded < 4; run++) { /* symmetric ones are rare */
        if (retro->space->runs[run].folded) {
            uint64_t slice = 0;
            while (retro->space->slices[slice + 1] <= run) {
                slice++;
            }
            kz_dobutsu_strips_fill(strips, slice, slice + 1);
            check_run(strips, run, strips->lost, &random);
            folded++;
        }
    }
    assert_true(folded >= 4);
    kz_dobutsu_strips_free(strips);
    kz_dobutsu_retro_free(retro);
}

TESTS(NULL, NULL)
