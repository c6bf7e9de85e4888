/* SPDX-License-Identifier: MIT
 *
 * A block, before zstd packs it. Consecutive positions are a step apart; most steps fit into a byte.
 *
 *     near      a byte for each position but the first: the step less 1, or FAR
 *     numbers   a byte for each position
 *     far       the steps less 1 that are FAR or more: first the lowest bytes of all of them, then the next ones, ...
 */
#include "table/excerpt.h"

#include "base/bits.h"
#include "base/packing.h"

enum { FAR = 255, NO_POSITION = 255 };

/* ---- Blocks ---------------------------------------------------------------------------------------------------- */

size_t kz_excerpt_encode(const uint64_t *entries, size_t count, uint8_t *raw) {
    uint8_t *near = raw;
    uint8_t *numbers = near + (count - 1);
    uint8_t *far = numbers + count;
    size_t far_count = 0;
    for (size_t i = 1; i < count; i++) {
        uint64_t step = kz_excerpt_index(entries[i]) - kz_excerpt_index(entries[i - 1]) - 1;
        near[i - 1] = (uint8_t)(step < FAR ? step : FAR);
        far_count += step >= FAR;
    }
    for (size_t i = 0, k = 0; i < count; i++) {
        numbers[i] = kz_excerpt_number(entries[i]);
        if (i > 0 && near[i - 1] == FAR) {
            uint64_t step = kz_excerpt_index(entries[i]) - kz_excerpt_index(entries[i - 1]) - 1;
            for (size_t byte = 0; byte < KZ_EXCERPT_FAR_BYTES; byte++) {
                far[byte * far_count + k] = (uint8_t)(step >> 8 * byte);
            }
            k++;
        }
    }
    return (size_t)(far - raw) + far_count * KZ_EXCERPT_FAR_BYTES;
}

/* The step with number `k` of those that are far. */
static uint64_t far_step(const uint8_t *far, size_t far_count, size_t k) {
    uint64_t step = 0;
    for (size_t byte = 0; byte < KZ_EXCERPT_FAR_BYTES; byte++) {
        step |= (uint64_t)far[byte * far_count + k] << 8 * byte;
    }
    return step;
}

bool kz_excerpt_decode(const kz_excerpt *excerpt, uint64_t block, uint64_t places, const uint8_t *bytes, size_t size,
                       uint8_t *raw, uint64_t *entries) {
    size_t count = kz_excerpt_entries_in(excerpt->stored, block);
    uint64_t raw_size;
    if (!kz_unpacked_size(bytes, size, &raw_size) || raw_size > KZ_EXCERPT_RAW_MOST ||
        kz_unpack(bytes, size, raw, (size_t)raw_size) != KZ_OK || raw_size < 2 * count - 1) {
        return false;
    }
    size_t far_count = 0;
    for (size_t i = 0; i + 1 < count; i++) {
        far_count += raw[i] == FAR;
    }
    const uint8_t *numbers = raw + (count - 1);
    const uint8_t *far = numbers + count;
    if (raw_size != 2 * count - 1 + far_count * KZ_EXCERPT_FAR_BYTES) {
        return false;
    }
    uint64_t index = excerpt->firsts[block];
    for (size_t i = 0, k = 0; i < count; i++) {
        if (i > 0) {
            index += 1 + (raw[i - 1] == FAR ? far_step(far, far_count, k++) : raw[i - 1]);
        }
        if (index >= places || numbers[i] == NO_POSITION) {
            return false;
        }
        entries[i] = kz_excerpt_entry(index, numbers[i]);
    }
    return true;
}

/* ---- Looking for a position ------------------------------------------------------------------------------------ */

bool kz_excerpt_find(const uint64_t *entries, size_t count, uint64_t index, uint8_t *number) {
    size_t begin = 0;
    size_t end = count;
    while (begin < end) {
        size_t middle = begin + (end - begin) / 2;
        if (kz_excerpt_index(entries[middle]) < index) {
            begin = middle + 1;
        } else {
            end = middle;
        }
    }
    *number = begin < count ? kz_excerpt_number(entries[begin]) : 0;
    return begin < count && kz_excerpt_index(entries[begin]) == index;
}
