/* SPDX-License-Identifier: MIT
 *
 * The state of a retrograde analysis between two distances, in a file. A later run continues from it, with any number
 * of processes. docs/format-checkpoint.md describes the file. Only member 0 of the team reads and writes it; the
 * segments of other members travel through the team. All members make all calls but the last. */
#ifndef KZ_SOLVE_CHECKPOINT_H
#define KZ_SOLVE_CHECKPOINT_H

#include "base/pool.h"

#include <kanzen/team.h>
#include <stdbool.h>
#include <stddef.h>

/* How far the solve is. */
typedef struct kz_checkpoint {
    int distance;     /* the last one that is finished */
    int idle;         /* so many distances in a row decided nothing */
    uint64_t open;    /* positions that the rules leave open */
    uint64_t sources; /* positions that were expanded so far */
} kz_checkpoint;

/* What is solved, and the state of its positions, in segments. The members of a team have equal parts of the segments
 * (kz_team_part), and each keeps the state of its own. */
typedef struct kz_checkpoint_state {
    const char *game;
    const char *rules;
    uint64_t positions;
    uint64_t segment; /* positions; the last one may be shorter */
    size_t most;      /* bytes that the state of a segment takes at most */
    void *context;
    /* The state of positions [begin, end), a segment, as bytes; returns how many. From several threads at once, as is
     * `load`. */
    size_t (*save)(const void *context, uint64_t begin, uint64_t end, uint8_t *bytes);
    /* Takes back what was saved after this distance. False: these can't be the bytes of that segment. */
    bool (*load)(void *context, int distance, uint64_t begin, uint64_t end, const uint8_t *bytes, size_t size);
} kz_checkpoint_state;

kz_status kz_checkpoint_write(const kz_checkpoint *checkpoint, const kz_checkpoint_state *state, const char *folder,
                              kz_pool *pool, kz_team *team, kz_error *error);

/* Loads the checkpoint of the folder and fills in the struct. `found`: whether there is one. KZ_ERR_CORRUPT if it is
 * damaged or belongs to another game. */
kz_status kz_checkpoint_read(kz_checkpoint *checkpoint, const kz_checkpoint_state *state, const char *folder,
                             kz_pool *pool, kz_team *team, bool *found, kz_error *error);

/* Removes the file, and the folder if it is empty then. */
void kz_checkpoint_remove(const char *folder);

#endif
