/* SPDX-License-Identifier: MIT
 *
 * Bytes as a zstd frame: what this project's own reader unpacks, the library does, too, and to the same content. (The
 * library also takes some damaged frames, in which bits of a stream are left over.) And bytes as content that the
 * library packs: all such frames are read. */
#include "tests/fuzz/laws.h"

#include "base/packing.h"

#define ZSTD_STATIC_LINKING_ONLY /* for checksums that are ignored */
#include <zstd.h>

enum { MOST = 1 << 20 };

static bool unpacked_by_library(const uint8_t *frame, size_t size, uint8_t *content, size_t content_size) {
    /* Frames that follow are not for us, and neither are checksums, which only the library compares. */
    size_t whole = ZSTD_findFrameCompressedSize(frame, size);
    if (ZSTD_isError(whole) || whole != size) {
        return false;
    }
    ZSTD_DCtx *context = fuzz_memory(ZSTD_createDCtx());
    size_t got = ZSTD_DCtx_setParameter(context, ZSTD_d_forceIgnoreChecksum, ZSTD_d_ignoreChecksum);
    got = ZSTD_isError(got) ? got : ZSTD_decompressDCtx(context, content, content_size, frame, size);
    ZSTD_freeDCtx(context);
    return !ZSTD_isError(got) && got == content_size;
}

static const char *broken_by_frame(const uint8_t *frame, size_t size) {
    uint64_t stated = 0;
    if (!kz_unzstd_size(frame, size, &stated)) {
        return NULL;
    }
    unsigned long long expected = ZSTD_getFrameContentSize(frame, size);
    if (expected == ZSTD_CONTENTSIZE_ERROR || stated > MOST) {
        return NULL; /* a window that is too large for the library, and of which we have no need */
    }
    LAW(expected == stated);
    uint8_t *own = fuzz_memory(calloc((size_t)stated + 1, 1)), *other = fuzz_memory(calloc((size_t)stated + 1, 1));
    bool here = kz_unzstd(frame, size, own, (size_t)stated);
    bool there = here && unpacked_by_library(frame, size, other, (size_t)stated);
    bool same = there && memcmp(own, other, (size_t)stated) == 0;
    free(own);
    free(other);
    LAW(!here || there);
    LAW(!here || same);
    return NULL;
}

/* The first byte says how. */
static const char *broken_by_content(const uint8_t *content, size_t size) {
    static const int levels[] = {-50, -5, 1, 2, 3, 5, 9, 19};
    int level = levels[fuzz_byte(&content, &size) % 8];
    size_t room = ZSTD_compressBound(size);
    uint8_t *frame = fuzz_memory(malloc(room)), *back = fuzz_memory(malloc(size + 1));
    size_t packed = ZSTD_compress(frame, room, content, size, level);
    LAW(!ZSTD_isError(packed));
    uint64_t stated = 0;
    LAW(kz_unzstd_size(frame, packed, &stated) && stated == size);
    LAW(kz_unzstd(frame, packed, back, size));
    LAW(memcmp(back, content, size) == 0);
    free(back);
    free(frame);
    return NULL;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    uint8_t *frame = fuzz_copy(data, size);
    fuzz_keep(broken_by_frame(frame, size));
    fuzz_keep(size < 4 || memcmp(frame, "\x28\xB5\x2F\xFD", 4) != 0 ? broken_by_content(frame, size) : NULL);
    free(frame);
    return 0;
}
