/* SPDX-License-Identifier: MIT
 *
 * The state of a retrograde analysis between two distances, in a file. A later run continues from it, with any number
 * of processes. docs/format-checkpoint.md describes the file. Only member 0 of the team reads and writes it; the
 * segments of other members travel through the team. All members make all calls but the last. */
#ifndef KZ_SOLVE_CHECKPOINT_H
#define KZ_SOLVE_CHECKPOINT_H

#include "game/gamedef.h"

/* What the file says beside the state of all positions. */
typedef struct kz_checkpoint {
    const kz_game *game;
    int rules;
    int distance;     /* the last one that is finished */
    int idle;         /* so many distances in a row decided nothing */
    uint64_t open;    /* positions that the rules leave open */
    uint64_t sources; /* positions that were expanded so far */
} kz_checkpoint;

kz_status kz_checkpoint_write(const kz_checkpoint *checkpoint, const char *folder, const void *solver, kz_pool *pool,
                              kz_team *team, kz_error *error);

/* Reads the checkpoint of the folder into the solver and fills in the struct, whose game and rules the caller has set.
 * `found`: whether there is one. KZ_ERR_CORRUPT if it is damaged or belongs to another game. */
kz_status kz_checkpoint_read(kz_checkpoint *checkpoint, const char *folder, void *solver, kz_pool *pool, kz_team *team,
                             bool *found, kz_error *error);

/* Removes the file, and the folder if it is empty then. */
void kz_checkpoint_remove(const char *folder);

#endif
