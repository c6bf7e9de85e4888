/* SPDX-License-Identifier: MIT
 *
 * How far a retrograde analysis has come, in a file, so that a solve can be interrupted and gone on with, by any number
 * of processes. docs/format-checkpoint.md describes the file. Member 0 of the team reads and writes it; what the others
 * have, or are to have, goes through the team. All calls but the last are made by all members. */
#ifndef KZ_SOLVE_CHECKPOINT_H
#define KZ_SOLVE_CHECKPOINT_H

#include "core/gamedef.h"

/* What goes with the state of all positions. */
typedef struct kz_checkpoint {
    const kz_game *game;
    int rules;
    int distance;     /* the last one that was done */
    int idle;         /* how many distances at the end brought nothing */
    uint64_t open;    /* positions that the rules don't decide */
    uint64_t sources; /* those of them that have been gone out from */
} kz_checkpoint;

kz_status kz_checkpoint_write(const kz_checkpoint *checkpoint, const char *folder, const void *solver, kz_pool *pool,
                              kz_team *team, kz_error *error);

/* Looks for one and takes it over; `found` says whether there was one. With game and rules filled in. A file that is
 * damaged, or belongs to another game, is KZ_ERR_CORRUPT. */
kz_status kz_checkpoint_read(kz_checkpoint *checkpoint, const char *folder, void *solver, kz_pool *pool, kz_team *team,
                             bool *found, kz_error *error);

/* Removes the file and the folder, if nothing else is in it. */
void kz_checkpoint_remove(const char *folder);

#endif
