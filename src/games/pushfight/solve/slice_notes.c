/* SPDX-License-Identifier: MIT */
#include "games/pushfight/solve/slice_notes.h"

#include <stdlib.h>
#include <string.h>
#include <zstd.h>

enum { LEVEL = 1 };

typedef struct packed {
    uint8_t *bytes;
    size_t size;
} packed;

typedef struct packer {
    ZSTD_CCtx *pack;
    ZSTD_DCtx *unpack;
    uint8_t *room; /* for what is being packed */
    size_t size;
} packer;

struct kz_slice_notes {
    uint64_t count;
    int workers;
    packed *notes; /* [count] */
    packer *packers;
};

kz_slice_notes *kz_slice_notes_open(uint64_t count, int workers) {
    kz_slice_notes *n = calloc(1, sizeof *n);
    if (!n) {
        return NULL;
    }
    *n = (kz_slice_notes){count, workers, calloc(count + 1, sizeof *n->notes),
                          calloc((size_t)workers, sizeof *n->packers)};
    bool got = n->notes && n->packers;
    for (int i = 0; got && i < workers; i++) {
        packer *p = &n->packers[i];
        p->pack = ZSTD_createCCtx();
        p->unpack = ZSTD_createDCtx();
        got = p->pack && p->unpack && !ZSTD_isError(ZSTD_CCtx_setParameter(p->pack, ZSTD_c_compressionLevel, LEVEL));
    }
    if (!got) {
        kz_slice_notes_close(n);
        return NULL;
    }
    return n;
}

void kz_slice_notes_close(kz_slice_notes *n) {
    if (!n) {
        return;
    }
    for (uint64_t i = 0; n->notes && i < n->count; i++) {
        free(n->notes[i].bytes);
    }
    for (int i = 0; n->packers && i < n->workers; i++) {
        ZSTD_freeCCtx(n->packers[i].pack);
        ZSTD_freeDCtx(n->packers[i].unpack);
        free(n->packers[i].room);
    }
    free(n->notes);
    free(n->packers);
    free(n);
}

bool kz_slice_notes_put(kz_slice_notes *n, int worker, uint64_t slice, const uint8_t *bytes, size_t size) {
    packer *p = &n->packers[worker];
    packed *note = &n->notes[slice];
    size_t room = ZSTD_compressBound(size);
    if (p->size < room) {
        free(p->room);
        p->room = malloc(room);
        p->size = p->room ? room : 0;
    }
    size_t got = p->room ? ZSTD_compress2(p->pack, p->room, p->size, bytes, size) : 0;
    if (!p->room || ZSTD_isError(got)) {
        return false;
    }
    if (got != note->size) {
        free(note->bytes);
        note->bytes = malloc(got);
        note->size = note->bytes ? got : 0;
    }
    if (note->bytes) {
        memcpy(note->bytes, p->room, got);
    }
    return note->bytes;
}

bool kz_slice_notes_get(kz_slice_notes *n, int worker, uint64_t slice, uint8_t *bytes, size_t size) {
    const packed *note = &n->notes[slice];
    if (!note->bytes) {
        memset(bytes, 0, size);
        return true;
    }
    return ZSTD_decompressDCtx(n->packers[worker].unpack, bytes, size, note->bytes, note->size) == size;
}
