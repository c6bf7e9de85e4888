/* SPDX-License-Identifier: MIT
 *
 * base/unzstd.c against zstd itself, which packs at many levels what makes it use all that its format has. */
#include "tests/support/testing.h"

#include "base/packing.h"
#include "tests/support/dobutsu_samples.h"

#include <stdlib.h>
#include <string.h>
#include <zstd.h>

enum { MOST = 700000, KINDS = 8 };

/* Content of different kinds, from one byte over and over to noise. */
static size_t make_content(uint64_t *seed, int kind, uint8_t *content) {
    static const int sizes[] = {0, 1, 5, 300, 5000, 70000, 140000, MOST};
    size_t size = (size_t)sizes[sample_below(seed, 8)];
    for (size_t i = 0; i < size; i++) {
        uint64_t back = i > 2000 ? (uint64_t)sample_below(seed, 2000) : 0;
        switch (kind) {
        case 0: /* the same again and again */
            content[i] = 7;
            break;
        case 1: /* noise */
            content[i] = (uint8_t)sample_below(seed, 256);
            break;
        case 2: /* few symbols, some rare */
            content[i] = (uint8_t)(sample_below(seed, 20) ? sample_below(seed, 3) : sample_below(seed, 256));
            break;
        case 3: /* words */
            content[i] = (uint8_t)("the lion and the chick "[(i + i / 97) % 23]);
            break;
        case 4: /* copies from before, with mistakes */
            content[i] =
                back && sample_below(seed, 12) ? content[i - 1 - back / 1999 * 500] : (uint8_t)sample_below(seed, 64);
            break;
        case 5: /* numbers of two bytes that grow */
            content[i] = (uint8_t)(i % 2 ? i >> 9 : i >> 1);
            break;
        case 6: /* long copies */
            content[i] = i > 1500 && i % 1500 > 40 ? content[i - 1500] : (uint8_t)sample_below(seed, 256);
            break;
        default: /* many symbols, unevenly */
            content[i] = (uint8_t)(sample_below(seed, 16) * sample_below(seed, 16));
        }
    }
    return size;
}

typedef struct buffers {
    uint8_t *content;
    uint8_t *packed;
    uint8_t *unpacked;
} buffers;

static int setup(void **state) {
    buffers *b = calloc(1, sizeof *b);
    *state = b;
    if (!b) {
        return -1;
    }
    b->content = malloc(MOST);
    b->packed = malloc(ZSTD_compressBound(MOST));
    b->unpacked = malloc(MOST);
    return b->content && b->packed && b->unpacked ? 0 : -1;
}

static int teardown(void **state) {
    buffers *b = *state;
    free(b->content);
    free(b->packed);
    free(b->unpacked);
    free(b);
    return 0;
}

/* In memory of its exact size, so that a sanitizer sees every byte that is read past it. */
static bool unpacks(const uint8_t *frame, size_t size, uint8_t *content, size_t content_size) {
    uint8_t *copy = malloc(size + 1);
    assert_non_null(copy);
    memcpy(copy + 1, frame, size);
    bool fine = kz_unzstd(copy + 1, size, content, content_size);
    free(copy);
    return fine;
}

TEST(test_round_trips) {
    buffers *b = *state;
    static const int levels[] = {-5, 1, 3, 6, 12, 19};
    uint64_t seed = 8878;
    for (int round = 0; round < 96; round++) {
        size_t size = make_content(&seed, round % KINDS, b->content);
        ZSTD_CCtx *context = ZSTD_createCCtx();
        assert_non_null(context);
        ZSTD_CCtx_setParameter(context, ZSTD_c_compressionLevel, levels[round % 6]);
        ZSTD_CCtx_setParameter(context, ZSTD_c_checksumFlag, round % 3 == 0);
        size_t packed = ZSTD_compress2(context, b->packed, ZSTD_compressBound(MOST), b->content, size);
        ZSTD_freeCCtx(context);
        assert_false(ZSTD_isError(packed));
        uint64_t stated;
        assert_true(kz_unzstd_size(b->packed, packed, &stated));
        assert_int_equal(stated, size);
        memset(b->unpacked, 0xAA, size);
        assert_true(unpacks(b->packed, packed, b->unpacked, size));
        assert_memory_equal(b->unpacked, b->content, size);
        /* One byte too few or too many, at either end. */
        assert_false(unpacks(b->packed, packed - 1, b->unpacked, size));
        assert_false(size > 0 && unpacks(b->packed, packed, b->unpacked, size - 1));
    }
}

/* Damaged frames are refused or give some content; no more than that can be asked, and a sanitizer watches. */
TEST(test_damaged) {
    buffers *b = *state;
    uint64_t seed = 99;
    int refused = 0;
    for (int round = 0; round < 400; round++) {
        size_t size = 0;
        while (size == 0 || size > 20000) {
            size = make_content(&seed, 2 + round % (KINDS - 2), b->content);
        }
        size_t packed = ZSTD_compress(b->packed, ZSTD_compressBound(MOST), b->content, size, 1 + round % 12);
        assert_false(ZSTD_isError(packed));
        for (int i = 0; i < 1 + round % 3; i++) {
            size_t at = (size_t)sample_below(&seed, (int)(packed < 200 ? packed : 200));
            b->packed[at] = (uint8_t)sample_below(&seed, 256);
        }
        refused += !unpacks(b->packed, packed, b->unpacked, size);
    }
    assert_true(refused > 100);
}

/* What zstd's own packer hardly ever writes: literals that are one byte again and again (format of RFC
 * 8878, 3.1.1.3.1), with sizes of one byte, two and three. */
TEST(test_repeated_literals) {
    buffers *b = *state;
    static const struct {
        size_t size;
        uint8_t frame[20];
        size_t frame_size;
    } cases[] = {
        {10, {0x28, 0xB5, 0x2F, 0xFD, 0x20, 10, 0x1D, 0, 0, 10 << 3 | 1, 'k', 0}, 12},
        {200, {0x28, 0xB5, 0x2F, 0xFD, 0x20, 200, 0x25, 0, 0, (200 & 15) << 4 | 5, 200 >> 4, 'z', 0}, 13},
        {5000,
         {0x28, 0xB5, 0x2F, 0xFD, 0x60, 0x88, 0x12, 0x2D, 0, 0, (5000 & 15) << 4 | 13, 5000 >> 4 & 255, 1, 't', 0},
         15},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        assert_int_equal(ZSTD_decompress(b->content, MOST, cases[i].frame, cases[i].frame_size), cases[i].size);
        assert_true(unpacks(cases[i].frame, cases[i].frame_size, b->unpacked, cases[i].size));
        assert_memory_equal(b->unpacked, b->content, cases[i].size);
        assert_false(unpacks(cases[i].frame, cases[i].frame_size - 2, b->unpacked, cases[i].size));
    }
}

/* A block with more sequences than two bytes can count: 40,000 copies of three bytes each, none of which takes a bit,
 * since all three codes have one symbol (3.1.1.3.2). */
TEST(test_many_sequences) {
    buffers *b = *state;
    enum { SIZE = 8 + 3 * 40000 };
    static const uint8_t frame[] = {0x28, 0xB5, 0x2F, 0xFD, 0xA0, 0xC8, 0xD4, 0x01, 0x00, /* its content's size */
                                    0x40, 0,    0,    'k',  'a',  'n',  'z',  'e',  'n',  '!', '!', /* a raw block */
                                    0x4D, 0,    0,    0,    0xFF, 0x40, 0x1D, 0x54, 0,    0,   0,   1};
    assert_int_equal(ZSTD_decompress(b->content, MOST, frame, sizeof frame), SIZE);
    assert_true(unpacks(frame, sizeof frame, b->unpacked, SIZE));
    assert_memory_equal(b->unpacked, b->content, SIZE);
    /* It ends within that number. */
    uint8_t cut[sizeof frame];
    memcpy(cut, frame, sizeof frame);
    cut[20] = 3 << 3 | 5;
    assert_false(unpacks(cut, 26, b->unpacked, SIZE));
}

TEST(test_no_frames) {
    buffers *b = *state;
    uint64_t size;
    assert_false(kz_unzstd_size((const uint8_t *)"", 0, &size));
    assert_false(kz_unzstd_size((const uint8_t *)"KZT-KZT-KZT", 11, &size));
    /* A frame that states no size. */
    static const uint8_t streamed[] = {0x28, 0xB5, 0x2F, 0xFD, 0x00, 0x58, 0x01, 0x00, 0x00};
    assert_false(kz_unzstd_size(streamed, sizeof streamed, &size));
    assert_false(kz_unzstd(streamed, sizeof streamed, b->unpacked, 0));
}

TESTS(setup, teardown)
