/* SPDX-License-Identifier: MIT
 *
 * What the two files of a team's sweeps share: sweep_team.c sweeps, sweep_team_files.c moves what is or goes into
 * files. */
#ifndef KZ_SOLVE_SWEEP_TEAM_STATE_H
#define KZ_SOLVE_SWEEP_TEAM_STATE_H

#include "base/lock.h"
#include "games/pushfight/solve/slice_notes.h"
#include "games/pushfight/solve/sweep_team.h"
#include "solve/team/team.h"

#include <zstd.h>

/* A worker's memory. */
typedef struct kz_team_worker {
    kz_sweep_mail mail;
    size_t *chunks; /* [size]: where the slice's records begin in each buffer */
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

/* Notes about the own slices (kz_sweep_share_ops). */
typedef struct kz_team_notes {
    kz_slice_notes *first;
    kz_slice_notes *second;
    uint32_t *second_bytes; /* [own slices] */
} kz_team_notes;

/* Images of pages on their way: a buffer for each member. */
typedef struct kz_team_images {
    kz_buffer *requests; /* numbers of pages that this member asks for, */
    kz_buffer *asked;    /* and that it is asked for */
    kz_buffer *answers;  /* images that it sends, */
    kz_buffer *images;   /* and that it has got */
    kz_buffer *packed;   /* the same as they arrive, if they travel compressed */
    uint8_t *wanted;     /* [pages]: already in `requests` */
    bool packs;          /* images travel compressed: worth it where the network is slow */
} kz_team_images;

/* The frames of a phase's file on their way to or from member 0. */
typedef struct kz_team_frames {
    uint8_t *entries;  /* [pages]: of the file */
    uint8_t **own;     /* [own pages] */
    uint64_t *cursors; /* [members]: the pages cursors[m] to ends[m] - 1 of member m travel now */
    uint64_t *ends;
} kz_team_frames;

/* The slices that this member has to start or to sweep. */
typedef struct kz_team_list {
    uint32_t *slices;
    uint64_t count;
    uint64_t done; /* before the batch that is being worked on */
    bool starting; /* phase 0: they are started, not swept */
} kz_team_list;

/* Images that member 0 has asked another member for: pages [first, first + count), one after the other. Pages of the
 * table are coded nearly in order, so the next question is for more of them. */
typedef struct kz_team_batch {
    uint64_t first;
    uint64_t count;
    uint64_t wanted; /* how many pages to ask for next time, if they go on in order */
    kz_buffer images;
} kz_team_batch;

struct kz_sweep_team {
    kz_team *team;
    int rank;
    int size;
    uint64_t *begins; /* [size + 1]: member m keeps pages begins[m] to begins[m + 1] - 1 */
    uint64_t *scaled; /* [size + 1]: the same, in bytes of some array */
    uint16_t *keeper; /* [pages]: the member that keeps a page */
    kz_team_worker *workers;
    kz_team_notes notes;
    kz_team_list list;
    kz_team_images images;
    kz_team_frames frames;
    kz_buffer *out; /* [size]: updates or frames for other members, */
    kz_buffer *in;  /* and from them */
    kz_buffer mine; /* updates of own slices for own pages */
    kz_team_pieces pieces;
    bool stopped;      /* another member has failed: what it sent is not complete */
    kz_error trouble;  /* what failed here, until all members know */
    kz_lock questions; /* held while a question is asked, and while the batch is used */
    kz_team_batch batch;
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

/* Gets images of the pages that slices [begin, end) of the list look at and others keep. */
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
