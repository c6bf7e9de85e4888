/* SPDX-License-Identifier: MIT
 *
 * What one phase of a sweep found, in a file, so that a solve can be interrupted and gone on with, and so that the
 * phase in which a position was decided need not be kept in memory.
 *
 * docs/format-phase.md describes the file. Each page is a zstd frame with a checksum of its own, or nothing if the
 * phase found nothing there; everything else is under one hash. */
#ifndef KZ_SOLVE_PHASE_FILE_H
#define KZ_SOLVE_PHASE_FILE_H

#include "base/file.h"
#include "game/gamedef.h"
#include "games/pushfight/solve/sweep_ops.h"

/* What is known about a phase. */
typedef struct kz_phase_facts {
    const char *game;
    const char *rules;
    int phase;
    bool whole; /* false: the phase is still going on, only the first `slices_done` slices are in */
    uint64_t slices_done;
    uint64_t slices;
    uint64_t pages;
    uint64_t slices_swept; /* that were touched */
    kz_sweep_counts found;
    uint64_t microseconds;
} kz_phase_facts;

typedef struct kz_phase_file {
    kz_phase_facts facts;
    kz_mapping file;
    const uint8_t *decided; /* [slices] u32: positions of the slice decided this way */
    const uint8_t *entries; /* [pages] u32 bytes of the frame, u32 check */
    uint64_t *offsets;      /* [pages + 1] */
} kz_phase_file;

/* The name of a phase's file in a folder: phase-007.kzp. */
kz_status kz_phase_path(const char *folder, int phase, char *path, size_t size, kz_error *error);

/* Opens and checks it. KZ_ERR_CORRUPT if it is damaged, KZ_ERR_INPUT if it belongs to another game or board. */
kz_status kz_phase_open(kz_phase_file *file, const char *path, const kz_phase_facts *expected, kz_error *error);
void kz_phase_close(kz_phase_file *file);

/* Whether the phase found anything in a page. */
bool kz_phase_has(const kz_phase_file *file, uint64_t page);
/* The marks of a page: `count` bytes, all zero if the phase found nothing there. */
kz_status kz_phase_marks(const kz_phase_file *file, uint64_t page, size_t count, uint8_t *marks, kz_error *error);

/* The runs of the largest page. */
size_t kz_phase_most_runs(const kz_sweep_ops *ops, const void *solver);

/* Collects the marks of all pages and writes them. With `changed`, notes the pages that have any. */
kz_status kz_phase_write(const char *path, const kz_phase_facts *facts, const uint32_t *decided,
                         const kz_sweep_ops *ops, void *solver, bool settle, kz_pool *pool, uint8_t *changed,
                         kz_error *error);

/* ---- Parts of that, for a team whose members have some of the pages each -------------------------------------------
 */

enum { KZ_PHASE_ENTRY_BYTES = 8 };

/* The bytes of a page's frame, by its entry. */
uint32_t kz_phase_frame_bytes(const uint8_t *entry);

/* The frames of pages [first, first + count), each to be freed, and their entries. NULL: nothing was found. */
kz_status kz_phase_pack(const kz_sweep_ops *ops, void *solver, int phase, bool settle, uint64_t first, uint64_t count,
                        kz_pool *pool, uint8_t **frames, uint8_t *entries, kz_error *error);
/* The marks in a frame. */
kz_status kz_phase_unpack(int phase, uint64_t page, const uint8_t *entry, const uint8_t *frame, size_t count,
                          uint8_t *marks, kz_error *error);

/* A file whose entries are known before its frames come. */
typedef struct kz_phase_out {
    kz_outfile file;
    uint8_t *tables;
    uint64_t *offsets; /* [pages + 1]: where the frames belong */
} kz_phase_out;

kz_status kz_phase_out_open(kz_phase_out *out, const char *path, const kz_phase_facts *facts, const uint32_t *decided,
                            const uint8_t *entries, kz_error *error);
kz_status kz_phase_out_frame(kz_phase_out *out, uint64_t page, const uint8_t *frame, kz_error *error);
/* Puts the file into its place if `status` is KZ_OK, else removes it. */
kz_status kz_phase_out_close(kz_phase_out *out, const kz_phase_facts *facts, kz_status status, kz_error *error);

#endif
