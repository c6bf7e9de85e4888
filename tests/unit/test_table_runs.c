/* SPDX-License-Identifier: MIT
 *
 * The coder of tables of all values: what it sees of many places at once is what it sees of each by itself. */
#include "tests/support/testing.h"

#include "base/cpu.h"
#include "base/random.h"
#include "table/run_view.h"

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

static void test_plain(void **state) {
    (void)state;
    check_kernel(kz_run_views_plain);
}

static void test_fast(void **state) {
    (void)state;
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

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_plain),
        cmocka_unit_test(test_fast),
    };
    return cmocka_run_group_tests_name("table, runs", tests, NULL, NULL);
}
