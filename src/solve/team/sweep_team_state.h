/* SPDX-License-Identifier: MIT
 *
 * What the two files of a team's sweeps share: sweep_team.c sweeps, sweep_team_files.c moves what is or goes into
 * files. */
#ifndef KZ_SOLVE_SWEEP_TEAM_STATE_H
#define KZ_SOLVE_SWEEP_TEAM_STATE_H

#include "base/lock.h"
#include "solve/block_notes.h"
#include "solve/team/sweep_team.h"
#include "solve/team/team.h"

#include <zstd.h>

/* A worker's memory. */
typedef struct kz_team_worker {
    kz_sweep_mail mail;
    size_t *chunks; /* [size]: where the block's records begin in each buffer */
    uint8_t *first_note;
    uint8_t *second_note;
    kz_buffer answer;
    ZSTD_CCtx *pack; /* for images, if they travel packed */
    ZSTD_DCtx *unpack;
    kz_buffer image;
    bool failed; /* no memory */
} kz_team_worker;

/* Work for the pool: the image of a page that is to be made or unpacked, the frame of one that has come, or records. */
typedef struct kz_team_piece {
    uint64_t page;
    uint8_t *image;
    uint8_t *packed; /* to be freed */
    const uint8_t *bytes;
    size_t size;
} kz_team_piece;

typedef struct kz_team_pieces {
    kz_team_piece *items;
    size_t count;
    size_t room;
} kz_team_pieces;

struct kz_sweep_team {
    kz_team *team;
    int rank;
    int size;
    uint64_t *begins;       /* [size + 1]: member m has pages begins[m] to begins[m + 1] - 1 */
    uint64_t *scaled;       /* [size + 1]: these in bytes of some array */
    uint16_t *keeper;       /* [pages] */
    kz_block_notes *first;  /* of own blocks */
    kz_block_notes *second; /* likewise */
    uint32_t *second_bytes; /* [own blocks] */
    kz_team_worker *workers;
    kz_buffer *requests; /* [size] each: numbers of pages, */
    kz_buffer *asked;
    kz_buffer *answers; /* their images, */
    kz_buffer *images;
    kz_buffer *packed; /* the images as they come, if they are packed */
    kz_buffer *out;    /* what was found, or frames */
    kz_buffer *in;
    kz_buffer mine; /* what own blocks found for own pages */
    kz_team_pieces pieces;
    uint8_t *wanted;   /* [pages] */
    uint8_t *entries;  /* [pages]: of a phase's file */
    uint8_t **frames;  /* [own pages]: for it */
    uint64_t *cursors; /* [size]: which pages of each member go now */
    uint64_t *ends;
    uint32_t *list; /* blocks that are to be gone over */
    uint64_t listed;
    uint64_t done;     /* of them, before the slice that is at work */
    bool packs;        /* images travel packed: worth it where the network is slow */
    bool starting;     /* phase 0: they are started, not swept */
    bool stopped;      /* another member has told us that it failed, by what it did not send */
    kz_error trouble;  /* what failed here, until all know */
    kz_lock questions; /* held by who asks one */
};

/* Notes that something failed here. */
void kz_sweep_team_trouble(kz_sweep_team *t, kz_status status, const char *what);
void kz_sweep_team_no_memory(kz_sweep_team *t);
/* kz_pool_for; what goes wrong is noted. */
kz_status kz_sweep_team_run(kz_sweep *s, uint64_t count, uint64_t grain, kz_pool_work *work);
/* Fails everywhere if it did anywhere. */
kz_status kz_sweep_team_agree(kz_sweep_team *t, kz_error *error);
/* An exchange with nothing else to do meanwhile. */
kz_status kz_sweep_team_exchange(kz_sweep_team *t, const kz_buffer *out, kz_buffer *in, kz_error *error);
/* Everybody's part of an array with so many bytes a page, for everybody. */
kz_status kz_sweep_team_share(kz_sweep_team *t, void *bytes, size_t bytes_a_page, kz_error *error);

/* Gets images of the pages that blocks [begin, end) of the list look at and others keep. */
kz_status kz_sweep_team_images(kz_sweep *s, uint64_t begin, uint64_t end, kz_error *error);
bool kz_sweep_team_packers_open(kz_team_worker *w);
void kz_sweep_team_packers_close(kz_team_worker *w);

static inline uint64_t kz_sweep_team_first(const kz_sweep_team *t) { return t->begins[t->rank]; }
static inline uint64_t kz_sweep_team_count(const kz_sweep_team *t) {
    return t->begins[t->rank + 1] - t->begins[t->rank];
}

/* False: no memory. */
bool kz_team_pieces_add(kz_team_pieces *pieces, kz_team_piece piece);

#endif
