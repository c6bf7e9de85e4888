/* SPDX-License-Identifier: MIT
 *
 * Value sweeps on the standard board: if all positions count as ties, what they find is who wins at once, the published
 * phase 0. The chunk is one with few enemy sets. */
#include "tests/support/testing.h"

#include "base/hash.h"
#include "games/pushfight/published/published.h"

#include <kanzen/pushfight.h>
#include <stdlib.h>
#include <string.h>

enum { CHUNK = 7420, WINS = 36032164 };

static const char digest_of_chunk[] = "96c375258395f969b1ccb55622a440c182188c74e66a0abede64b1099cc06679";

static kz_status read_ties(void *user, uint32_t own_set, uint8_t *bytes, kz_error *error) {
    (void)own_set;
    (void)error;
    memset(bytes, 0, kz_pf_own_set_size(user));
    return KZ_OK;
}

TEST(test_phase0_chunk) {
    kz_pf_space *space;
    kz_pf_order *order;
    kz_pf_value_pages *pages;
    kz_pool *pool = kz_pool_new(0, NULL);
    uint8_t *bytes = malloc(KZ_PUSHFIGHT_CHUNK);
    uint8_t *bits = calloc(1, KZ_PUSHFIGHT_CHUNK / 8);
    assert_true(pool && bytes && bits);
    assert_int_equal(kz_pf_space_open(kz_pf_board_at(KZ_PUSHFIGHT_STANDARD), &space, NULL), KZ_OK);
    assert_int_equal(kz_pf_order_open(space, false, &order, NULL), KZ_OK);
    assert_int_equal(kz_pf_value_pages_open(space, read_ties, space, UINT64_C(1) << 30, &pages, NULL), KZ_OK);
    uint64_t first = (uint64_t)CHUNK * KZ_PUSHFIGHT_CHUNK;
    assert_int_equal(kz_pf_chunk_values(space, order, pages, pool, first, KZ_PUSHFIGHT_CHUNK, bytes, NULL, NULL),
                     KZ_OK);
    uint64_t wins = 0;
    for (uint32_t i = 0; i < KZ_PUSHFIGHT_CHUNK; i++) {
        wins += bytes[i] == KZ_PF_BYTE_WIN;
        bits[i / 8] = (uint8_t)(bits[i / 8] | (bytes[i] == KZ_PF_BYTE_WIN) << i % 8);
    }
    assert_int_equal(wins, WINS);
    kz_sha256 hash;
    uint8_t digest[KZ_SHA256_BYTES];
    char text[KZ_SHA256_HEX_BYTES];
    assert_int_equal(kz_sha256_begin(&hash, NULL), KZ_OK);
    kz_sha256_update(&hash, bits, KZ_PUSHFIGHT_CHUNK / 8);
    assert_int_equal(kz_sha256_finish(&hash, digest, NULL), KZ_OK);
    kz_hex(digest, sizeof digest, text);
    assert_string_equal(text, digest_of_chunk);
    free(bits);
    free(bytes);
    kz_pf_value_pages_close(pages);
    kz_pf_order_close(order);
    kz_pf_space_close(space);
    kz_pool_free(pool);
}

TESTS(NULL, NULL)
