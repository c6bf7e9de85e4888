/* SPDX-License-Identifier: MIT */
#include "shogi/tests/support/shogi_roundtrip.h"

static const size_t shogi_strides[] = {32, 38, 40};

void shogi_keep(const char *broken) {
    if (broken) {
        fail_msg("%s", broken);
    }
}

/* The bytes that many were packed into: the first `done` records are right, nothing between and after records is
 * changed. */
static void shogi_check_bytes(const shogi_batch *batch, const uint8_t *bytes, size_t size, size_t stride, size_t done) {
    static uint8_t expected[(BATCH + 1) * WIDEST];
    assert_true(size <= sizeof expected);
    memset(expected, UNTOUCHED, size);
    for (size_t i = 0; i < batch->count; i++) {
        memcpy(expected + i * stride, i < done ? batch->records[i] : bytes + i * stride, RECORD);
    }
    assert_memory_equal(bytes, expected, size);
}

/* All of them at once. Those before the first that can't be packed must be there, and its defect must be told. */
static void shogi_check_many(const kz_shogi_codec *codec, const shogi_batch *batch, size_t stride) {
    static uint8_t bytes[(BATCH + 1) * WIDEST];
    static kz_shogi_position back[BATCH + 1];
    size_t good = 0;
    while (good < batch->count && batch->defects[good] == KZ_SHOGI_FINE) {
        good++;
    }
    memset(bytes, UNTOUCHED, sizeof bytes);
    kz_shogi_defect defect = KZ_SHOGI_FINE;
    assert_int_equal(codec->pack_many(batch->positions, batch->count, bytes, stride, &defect), good);
    shogi_check_bytes(batch, bytes, sizeof bytes, stride, good);
    assert_int_equal(defect, good < batch->count ? batch->defects[good] : KZ_SHOGI_FINE);

    memset(back, UNTOUCHED, sizeof back);
    defect = KZ_SHOGI_FINE;
    assert_int_equal(codec->unpack_many(bytes, stride, good, back, &defect), good);
    assert_int_equal(defect, KZ_SHOGI_FINE);
    if (good > 0) {
        assert_memory_equal(back, batch->positions, good * sizeof back[0]);
    }
    assert_true(((uint8_t *)&back[good])[0] == UNTOUCHED && ((uint8_t *)&back[good])[95] == UNTOUCHED);

    /* A record in the middle that is nonsense in every format: its kings are on no squares. */
    if (good > 2) {
        size_t middle = good * 2 / 3;
        memset(bytes + middle * stride, 0xFF, RECORD);
        kz_shogi_position unused;
        assert_int_equal(codec->unpack_many(bytes, stride, good, back, &defect), middle);
        assert_int_equal(defect, codec->unpack(bytes + middle * stride, &unused));
        assert_int_not_equal(defect, KZ_SHOGI_FINE);
        assert_memory_equal(back, batch->positions, middle * sizeof back[0]);
    }
    assert_int_equal(codec->pack_many(batch->positions, 0, bytes, stride, &defect), 0);
    assert_int_equal(codec->unpack_many(bytes, stride, 0, back, &defect), 0);
}

void shogi_check_batch(shogi_batch *batch, uint64_t *seed) {
    for (size_t i = 0; i < batch->count; i++) {
        shogi_keep(shogi_broken_by_any(&batch->positions[i]));
    }
    for (unsigned number = 0; number < KZ_SHOGI_FORMATS; number++) {
        kz_shogi_format format = (kz_shogi_format)number;
        const kz_shogi_codec *plain = kz_shogi_codec_for(format, "plain");
        for (size_t i = 0; i < batch->count; i++) {
            batch->defects[i] = plain->pack(&batch->positions[i], batch->records[i]);
        }
        for (unsigned path = 0; path < SHOGI_PATHS; path++) {
            const kz_shogi_codec *codec = kz_shogi_codec_for(format, shogi_paths[path]);
            for (unsigned i = 0; codec && i < sizeof shogi_strides / sizeof shogi_strides[0]; i++) {
                shogi_check_many(codec, batch, shogi_strides[i]);
            }
        }
        /* Records that are a bit off. */
        for (size_t i = 0; i < batch->count; i++) {
            if (batch->defects[i] == KZ_SHOGI_FINE) {
                for (unsigned flips = 1 + shogi_random_below(seed, 3); flips > 0; flips--) {
                    unsigned at = shogi_random_below(seed, 8 * RECORD);
                    batch->records[i][at / 8] = (uint8_t)(batch->records[i][at / 8] ^ 1U << at % 8);
                }
                shogi_keep(shogi_broken_by_record(format, batch->records[i]));
            }
        }
    }
}

void shogi_check_wish(uint64_t *seed, shogi_random_wish wish, size_t count) {
    static shogi_batch batch;
    for (size_t done = 0; done < count; done += batch.count) {
        batch.count = count - done < BATCH ? count - done : BATCH;
        for (size_t i = 0; i < batch.count; i++) {
            batch.positions[i] = shogi_random_position(seed, wish);
        }
        shogi_check_batch(&batch, seed);
    }
}

void shogi_check_walk(shogi_walker *walker, size_t count) {
    static shogi_batch batch;
    for (size_t done = 0; done < count; done += batch.count) {
        batch.count = count - done < BATCH ? count - done : BATCH;
        for (size_t i = 0; i < batch.count; i++) {
            batch.positions[i] = *shogi_walk(walker);
        }
        shogi_check_batch(&batch, &walker->state);
    }
}
