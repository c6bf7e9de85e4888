/* SPDX-License-Identifier: MIT
 *
 * How long work tells its caller where it is, and how the caller stops it. */
#ifndef KANZEN_PROGRESS_H
#define KANZEN_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Called from the thread that called the library, never from a worker, and only during that call. `stage` names what is
 * being done, `done` of `total` says how far it is (total 0: not known). Return false to cancel: the call then ends
 * with KZ_ERR_CANCELLED as soon as it can. */
typedef bool kz_progress_fn(void *user, const char *stage, uint64_t done, uint64_t total);

/* Pass NULL, or one whose `report` is NULL, where nobody listens. */
typedef struct kz_progress {
    kz_progress_fn *report;
    void *user;
} kz_progress;

#ifdef __cplusplus
}
#endif
#endif
