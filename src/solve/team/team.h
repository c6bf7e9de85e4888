/* SPDX-License-Identifier: MIT
 *
 * Several processes that solve one game together, on one machine or many. All run the same code; each keeps a shard of
 * the positions. They communicate through these calls, which are implemented with Open MPI (mpi/team_mpi.c). A team of
 * one needs no MPI; NULL is a team of one, too.
 *
 * All calls are collective unless they say otherwise: every member makes them, in the same order, from the thread that
 * joined. kz_team_agree is how members find out that one of them can't go on; when it returns a failure, all return it.
 * If a call fails for any other reason (a connection broke, there is no memory for what arrives), the team is broken:
 * the other members can't know of it, no more calls may follow, and kz_team_leave ends all processes. */
#ifndef KZ_BASE_TEAM_H
#define KZ_BASE_TEAM_H

#include "base/list.h"

#include <kanzen/error.h>
#include <kanzen/team.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* ---- Small values ---------------------------------------------------------------------------------------*/

/* The sums over all members, for all members. */
kz_status kz_team_sum(kz_team *team, uint64_t *values, size_t count, kz_error *error);

/* Each member brings its own status and message, and all get the first one (by rank) that is not KZ_OK. Call it
 * wherever only some members may have failed, before the next exchange. */
kz_status kz_team_agree(kz_team *team, kz_status mine, kz_error *error);

/* Copies `bytes` of member `from` to all members. */
kz_status kz_team_broadcast(kz_team *team, int from, void *bytes, size_t size, kz_error *error);

/* Copies each member's part of `bytes`, [begins[rank], begins[rank + 1]), to all members. */
kz_status kz_team_gather(kz_team *team, void *bytes, const uint64_t *begins, kz_error *error);

/* ---- Batches that travel beside other work ----------------------------------------------------------------------- */

/* Every member sends a buffer to every member: out[b] of member a becomes in[a] of member b. Only one exchange at a
 * time may be under way; until it has ended, `out` must not be touched. `in` keeps its memory from one exchange to the
 * next. */
kz_status kz_team_exchange_begin(kz_team *team, const kz_buffer *out, kz_buffer *in, kz_error *error);
/* Lets it move on; cheap, and nothing at all when no exchange is under way. MPI moves bytes only while it is called, so
 * this is called often during the work, every millisecond or so, from the thread that joined: at the end of each piece
 * of kz_pool_for with worker 0 is a good moment (a progress report comes ten times a second, which is too rare). Not
 * collective. */
void kz_team_exchange_poll(kz_team *team);
kz_status kz_team_exchange_end(kz_team *team, kz_error *error);

/* ---- Questions of the member that writes -----------------------------------------------------------------------*/

/* Member 0 asks, the others answer until it dismisses them. An answer that fails is the failure of kz_team_ask; who
 * failed to answer goes on serving. `answer` comes empty and keeps its memory. */
typedef kz_status kz_team_answer(void *context, uint64_t question, kz_buffer *answer, kz_error *error);

/* For members other than 0: returns when dismissed. */
kz_status kz_team_serve(kz_team *team, kz_team_answer *answer, void *context, kz_error *error);
/* For member 0, about another member. From any thread, but only one at a time: the caller has a lock. What `answer`
 * held is replaced. */
kz_status kz_team_ask(kz_team *team, int member, uint64_t question, kz_buffer *answer, kz_error *error);
/* For member 0. */
kz_status kz_team_dismiss(kz_team *team, kz_error *error);

/* ---- What it cost ------------------------------------------------------------------------------------------------*/

/* Bytes that this member has sent to others, and seconds that it spent waiting in the calls above. */
typedef struct kz_team_traffic {
    uint64_t bytes;
    double seconds;
} kz_team_traffic;

kz_team_traffic kz_team_spent(const kz_team *team);

/* Where the part of a member begins when `count` things are divided into equal parts; where it ends, the next one
 * begins. */
static inline uint64_t kz_team_part(uint64_t count, int member, int members) {
    return count * (uint64_t)member / (uint64_t)members;
}

/* How many threads this member should start: its processors, less those that belong to other members on the same
 * machine. Not collective. */
int kz_team_processors(const kz_team *team);

#endif
