/* SPDX-License-Identifier: MIT
 *
 * What one phase found, in a file, so that a solve can be interrupted and gone on with, and so that the phase in which
 * a position was decided need not be kept in memory.
 *
 * docs/format-phase.md describes the file. Each page is a zstd frame with a checksum of its own, or nothing if the
 * phase found nothing there; everything else is under one hash. */
#ifndef KZ_PUSHFIGHT_PHASE_FILE_H
#define KZ_PUSHFIGHT_PHASE_FILE_H

#include "base/file.h"
#include "base/list.h"
#include "games/pushfight/solve/pages.h"

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
    kz_pf_amount found;
    uint64_t microseconds;
} kz_phase_facts;

/* ---- The folder of a solve --------------------------------------------------------------------------------------- */

/* The name of a phase's file in a folder: phase-007.kzp. */
kz_status kz_phase_path(const char *folder, int phase, char *path, size_t size, kz_error *error);
/* Removes the files of phases whose names have `part` in them: ".kzp", or ".tmp-" for what a killed run was writing. */
void kz_phases_remove(const char *folder, const char *part);

/* ---- Reading ----------------------------------------------------------------------------------------------------- */

typedef struct kz_phase_file {
    kz_phase_facts facts;
    kz_mapping file;
    const uint8_t *decided; /* [slices] u32: positions of the slice decided this way */
    const uint8_t *entries; /* [pages] u32 bytes of the frame, u32 check */
    uint64_t *offsets;      /* [pages + 1] */
} kz_phase_file;

/* Opens and checks it. KZ_ERR_CORRUPT if it is damaged, or belongs to another game, board or phase. */
kz_status kz_phase_open(kz_phase_file *file, const char *path, const kz_phase_facts *expected, kz_error *error);
void kz_phase_close(kz_phase_file *file);

/* Whether the phase found anything in a page. */
bool kz_phase_has(const kz_phase_file *file, uint64_t page);
/* The marks of a page: `count` bytes, all zero if the phase found nothing there. */
kz_status kz_phase_marks(const kz_phase_file *file, uint64_t page, size_t count, uint8_t *marks, kz_error *error);

/* ---- Frames ------------------------------------------------------------------------------------------------------ */

enum { KZ_PHASE_ENTRY_BYTES = 8 };

/* What a thread packs with: frames here, and what a team keeps or sends. */
typedef struct kz_pf_packer {
    struct ZSTD_CCtx_s *pack;
    struct ZSTD_DCtx_s *unpack;
    kz_buffer room;
} kz_pf_packer;

bool kz_pf_packer_open(kz_pf_packer *packer);
void kz_pf_packer_close(kz_pf_packer *packer);
/* A block that the caller frees; NULL: no memory. */
uint8_t *kz_pf_packer_pack(kz_pf_packer *packer, const uint8_t *bytes, size_t size, size_t *packed_size);
bool kz_pf_packer_unpack(kz_pf_packer *packer, const uint8_t *packed, size_t packed_size, uint8_t *bytes, size_t size);

/* The bytes of a page's frame, by its entry. */
uint32_t kz_phase_frame_bytes(const uint8_t *entry);
/* The frame of a page, to be freed, and its entry. NULL: no memory. */
uint8_t *kz_phase_pack(kz_pf_packer *packer, uint64_t page, const uint8_t *marks, size_t count, uint8_t *entry);
/* The marks in a frame. */
kz_status kz_phase_unpack(int phase, uint64_t page, const uint8_t *entry, const uint8_t *frame, size_t count,
                          uint8_t *marks, kz_error *error);

/* ---- Writing ----------------------------------------------------------------------------------------------------- */

/* Entries are complete when it is closed. Frames may come in any order, each where those of the pages before it end. */
typedef struct kz_phase_out {
    kz_outfile file;
    const kz_phase_facts *facts;
    uint8_t *tables;
    uint8_t *entries; /* [pages], in there */
    uint64_t begin;   /* of the first frame */
} kz_phase_out;

kz_status kz_phase_out_open(kz_phase_out *out, const char *path, const kz_phase_facts *facts, const uint32_t *decided,
                            kz_error *error);
/* Puts the file into its place if `status` is KZ_OK, else removes it. */
kz_status kz_phase_out_close(kz_phase_out *out, kz_status status, kz_error *error);

#endif
