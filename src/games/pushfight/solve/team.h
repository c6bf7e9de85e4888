/* SPDX-License-Identifier: MIT
 *
 * Sweeps by a team (solve/team/team.h): each member keeps a range of the pages and sweeps the slices of the same range,
 * in rounds. Before a round it gets images of the pages that its slices look at and others keep (team_images.c); after
 * it, what the slices found goes to those who keep the pages (team.c). All phases of all members begin and end
 * together, so all know the same counts. Member 0 has the files: the others get from it what they need of them
 * (team_files.c). */
#ifndef KZ_PUSHFIGHT_TEAM_H
#define KZ_PUSHFIGHT_TEAM_H

#include "base/thread.h"
#include "games/pushfight/solve/solve.h"
#include "solve/team/team.h"

/* A worker's memory. */
typedef struct kz_pf_team_worker {
    kz_pf_mail mail;
    size_t *chunks; /* [size]: where the slice's updates begin in each buffer */
    uint8_t *first_note;
    uint8_t *second_note;
    kz_buffer image; /* that is being packed, or that another member gave */
    bool failed;     /* no memory */
} kz_pf_team_worker;

/* Work for the pool: the image of a page that is to be made or unpacked, the frame of one that has come, or updates. */
typedef struct kz_pf_team_piece {
    uint64_t page;
    uint8_t *image;
    uint8_t *packed; /* to be freed */
    const uint8_t *bytes;
    size_t size;
} kz_pf_team_piece;

typedef struct kz_pf_team_pieces {
    kz_pf_team_piece *items;
    size_t count;
    size_t room;
} kz_pf_team_pieces;

/* A note about an own slice (pages.h). Notes are packed, because all of them are in memory and each is read once a
 * phase. Without bytes it is all zero. */
typedef struct kz_pf_note {
    uint8_t *bytes;
    size_t size;
} kz_pf_note;

/* Images of pages on their way: a buffer for each member. */
typedef struct kz_pf_team_images {
    kz_buffer *requests; /* numbers of pages that this member asks for, */
    kz_buffer *asked;    /* and that it is asked for */
    kz_buffer *answers;  /* images that it sends, */
    kz_buffer *images;   /* and that it has got */
    kz_buffer *packed;   /* the same as they arrive, if they travel compressed */
    uint8_t *wanted;     /* [pages]: already in `requests` */
    bool packs;          /* images travel compressed: worth it where the network is slow */
} kz_pf_team_images;

/* The frames of a phase's file on their way to or from member 0. */
typedef struct kz_pf_team_frames {
    uint8_t *entries;  /* [pages]: of the file */
    uint8_t **own;     /* [own pages] */
    uint64_t *cursors; /* [size]: the pages cursors[m] to ends[m] - 1 of member m travel now */
    uint64_t *ends;    /* [size] */
    uint64_t *offsets; /* [size]: where the frames of page cursors[m] go in the file */
} kz_pf_team_frames;

/* The slices that this member has to start or to sweep. */
typedef struct kz_pf_team_list {
    uint32_t *slices;
    uint64_t count;
    uint64_t done; /* before the round that is being worked on */
    bool starting; /* phase 0: they are started, not swept */
} kz_pf_team_list;

/* Images that member 0 has asked another member for: pages [first, first + count), one after the other. Pages of the
 * table are coded nearly in order, so the next question is for more of them. */
typedef struct kz_pf_team_batch {
    uint64_t first;
    uint64_t count;
    uint64_t wanted; /* how many pages to ask for next time, if they go on in order */
    kz_buffer images;
} kz_pf_team_batch;

typedef struct kz_pf_team {
    kz_team *team;
    int rank;
    int size;
    uint64_t *begins; /* [size + 1]: member m keeps pages begins[m] to begins[m + 1] - 1 */
    uint64_t *scaled; /* [size + 1]: the same, in bytes of some array */
    uint16_t *keeper; /* [pages]: the member that keeps a page */
    kz_pf_team_worker *workers;
    kz_pf_note *notes[2];   /* [own slices]: the first and the second note */
    uint32_t *second_bytes; /* [own slices]: of the second note */
    kz_pf_team_list list;
    kz_pf_team_images images;
    kz_pf_team_frames frames;
    kz_buffer *out; /* [size]: updates or frames for other members, */
    kz_buffer *in;  /* and from them */
    kz_buffer mine; /* updates of own slices for own pages */
    kz_pf_team_pieces pieces;
    bool stopped;      /* another member has failed: what it sent is not complete */
    kz_error trouble;  /* what failed here, until all members know */
    kz_lock questions; /* held while a question is asked, and while the batch is used */
    kz_pf_team_batch batch;
} kz_pf_team;

/* Notes that something failed here. */
void kz_pf_team_trouble(kz_pf_team *t, kz_status status, const char *what);
void kz_pf_team_no_memory(kz_pf_team *t);
/* Fails everywhere if it did anywhere. */
kz_status kz_pf_team_agree(kz_pf_team *t, kz_error *error);
/* An exchange with nothing else to do meanwhile. */
kz_status kz_pf_team_exchange(kz_pf_team *t, const kz_buffer *out, kz_buffer *in, kz_error *error);
/* Everybody's part of an array with so many bytes a page, for everybody. */
kz_status kz_pf_team_share(kz_pf_team *t, void *bytes, size_t bytes_a_page, kz_error *error);

/* kz_pool_for, which can't fail without a progress. */
static inline void kz_pf_team_run(kz_pf_job *s, uint64_t count, uint64_t grain, kz_pool_work *work) {
    kz_pool_for(s->pool, count, grain, work, s, NULL, NULL, NULL);
}

/* Gets images of the pages that slices [begin, end) of the list look at and others keep. */
kz_status kz_pf_team_images_get(kz_pf_job *s, uint64_t begin, uint64_t end, kz_error *error);

static inline uint64_t kz_pf_team_first(const kz_pf_team *t) { return t->begins[t->rank]; }
static inline uint64_t kz_pf_team_count(const kz_pf_team *t) { return t->begins[t->rank + 1] - t->begins[t->rank]; }

/* False: no memory. */
bool kz_pf_team_add_piece(kz_pf_team_pieces *pieces, kz_pf_team_piece piece);
/* Adds `size` bytes to a buffer; NULL, and that is noted, if there is no memory. NULL for none. */
uint8_t *kz_pf_team_room(kz_pf_team *t, kz_buffer *buffer, size_t size);

#endif
