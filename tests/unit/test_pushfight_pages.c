/* SPDX-License-Identifier: MIT
 *
 * Pages of values: the fast way to make them gives the same as the plain one. */
#include "tests/support/testing.h"

#include "base/cpu.h"
#include "base/random.h"
#include "games/pushfight/check/value_pages.h"

#include <stdlib.h>
#include <string.h>

/* An own set with bytes, and what the makers make of it. */
typedef struct made {
    kz_pf_space *space;
    uint8_t *bytes;
    uint64_t *open[2];
    kz_pf_value_page pages[2];
    size_t runs[2];
} made;

static made open_made(const char *board) {
    made m = {.space = NULL};
    int number = 0;
    while (strcmp(kz_pf_board_at(number)->name, board) != 0) {
        number++;
    }
    assert_int_equal(kz_pf_space_open(kz_pf_board_at(number), &m.space, NULL), KZ_OK);
    size_t size = kz_pf_own_set_size(m.space);
    m.bytes = malloc(size);
    assert_non_null(m.bytes);
    for (int i = 0; i < 2; i++) {
        kz_pf_value_page *page = &m.pages[i];
        m.open[i] = calloc(m.space->enemy_sets, sizeof *m.open[i]);
        page->page.pairs = calloc(m.space->enemy_sets, sizeof *page->page.pairs);
        page->page.bases = calloc(kz_pf_base_count(m.space), sizeof *page->page.bases);
        page->runs = calloc(1, size + KZ_PF_SPARE_BYTES);
        assert_true(m.open[i] && page->page.pairs && page->page.bases && page->runs);
    }
    return m;
}

static void close_made(made *m) {
    for (int i = 0; i < 2; i++) {
        free(m->open[i]);
        free(m->pages[i].page.pairs);
        free(m->pages[i].page.bases);
        free(m->pages[i].runs);
    }
    free(m->bytes);
    kz_pf_space_close(m->space);
}

/* Most runs are won at once, some but for one position; the others have any values. */
static void fill_bytes(made *m, uint64_t seed) {
    size_t width = (size_t)m->space->anchored_splits;
    size_t size = kz_pf_own_set_size(m->space);
    for (size_t run = 0; run < size; run += width) {
        uint64_t random = kz_splitmix64(&seed);
        memset(m->bytes + run, KZ_PF_BYTE_WIN, width);
        for (size_t sigma = 0; random % 8 == 0 && sigma < width; sigma++) {
            m->bytes[run + sigma] = (uint8_t)(kz_splitmix64(&seed) % KZ_PF_NO_POSITION);
        }
        if (random % 8 == 1) {
            m->bytes[run + random / 8 % width] = (uint8_t)(random >> 32) % 6;
        }
    }
}

static uint32_t make(made *m, int way, const kz_pf_page_maker *maker, uint32_t own_set) {
    m->runs[way] = 0;
    uint32_t missing = maker->find_open(m->space, own_set, m->bytes, m->open[way], &m->runs[way]);
    if (missing == m->space->enemy_sets) {
        maker->fill(m->space, m->open[way], m->bytes, &m->pages[way]);
    }
    return missing;
}

static void compare(made *m, const kz_pf_page_maker *maker, uint32_t own_set) {
    assert_int_equal(make(m, 0, &kz_pf_page_maker_plain, own_set), m->space->enemy_sets);
    assert_int_equal(make(m, 1, maker, own_set), m->space->enemy_sets);
    assert_int_equal(m->runs[0], m->runs[1]);
    assert_true(m->runs[0] > 0);
    const kz_pf_value_page *pages = m->pages;
    assert_memory_equal(pages[0].page.pairs, pages[1].page.pairs, m->space->enemy_sets * sizeof *pages->page.pairs);
    assert_memory_equal(pages[0].page.bases, pages[1].page.bases,
                        kz_pf_base_count(m->space) * sizeof *pages->page.bases);
    assert_memory_equal(pages[0].runs, pages[1].runs, m->runs[0] * (size_t)m->space->anchored_splits);
}

/* Positions without a value matter only where the anchor allows them. */
static void compare_missing(made *m, const kz_pf_page_maker *maker, uint32_t own_set) {
    size_t size = kz_pf_own_set_size(m->space);
    uint64_t seed = own_set;
    for (int i = 0; i < 20; i++) {
        size_t place = kz_splitmix64(&seed) % size;
        uint8_t before = m->bytes[place];
        m->bytes[place] = KZ_PF_NO_POSITION;
        assert_int_equal(make(m, 0, &kz_pf_page_maker_plain, own_set), make(m, 1, maker, own_set));
        m->bytes[place] = before;
    }
}

static void check_board(const char *board, const kz_pf_page_maker *maker) {
    made m = open_made(board);
    for (uint32_t i = 0; i < 5; i++) {
        uint32_t own_set = (uint32_t)((uint64_t)m.space->own_sets * i / 5);
        fill_bytes(&m, own_set);
        compare(&m, maker ? maker : kz_pf_page_maker_choose(m.space), own_set);
        compare_missing(&m, maker ? maker : kz_pf_page_maker_choose(m.space), own_set);
    }
    close_made(&m);
}

TEST(test_fast) {
#ifdef __x86_64__
    if (kz_cpu_available() >= KZ_CPU_AVX512) {
        check_board("standard", &kz_pf_page_maker_avx512);
        check_board("twocolumn", &kz_pf_page_maker_avx512);
    }
#endif
}

TEST(test_chosen) {
    check_board("standard", NULL);
    check_board("mini", NULL);
}

TESTS(NULL, NULL)
