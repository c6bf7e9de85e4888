/* SPDX-License-Identifier: MIT
 *
 * How every call of the library reports failure.
 *
 * A function that can fail returns a kz_status and takes a kz_error of the caller's, which may be NULL.
 * On failure it holds the status and one sentence for a person; on success it is left alone. What the call should have
 * written elsewhere is undefined then, unless it says otherwise.
 *
 * docs/library.md says what holds for all calls: who owns what, threads, callbacks, and what a new version may change.
 */
#ifndef KANZEN_ERROR_H
#define KANZEN_ERROR_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum kz_status {
    KZ_OK = 0,
    KZ_ERR_INPUT,       /* text or a position that makes no sense; the message says where */
    KZ_ERR_UNSUPPORTED, /* a sensible request that this game, rule set or build can't answer */
    KZ_ERR_IO,          /* the operating system refused; the message has its reason */
    KZ_ERR_CORRUPT,     /* a file that is not what it claims to be */
    KZ_ERR_MEMORY,      /* out of memory */
    KZ_ERR_CANCELLED,   /* the caller's progress callback asked to stop */
    KZ_ERR_MISMATCH     /* a check was carried out and failed: the answer is no */
} kz_status;

enum { KZ_ERROR_MESSAGE_BYTES = 320 };

typedef struct kz_error {
    kz_status status;
    char message[KZ_ERROR_MESSAGE_BYTES];
} kz_error;

/* "ok", "input", "unsupported", "io", "corrupt", "memory", "cancelled", "mismatch". Never NULL. */
const char *kz_status_name(kz_status status);

/* The version that these headers belong to: what a program is compiled with. */
enum { KZ_VERSION_MAJOR = 0, KZ_VERSION_MINOR = 2, KZ_VERSION_PATCH = 0 };

/* The version of the library that the program runs with, "MAJOR.MINOR.PATCH". */
const char *kz_version(void);

#ifdef __cplusplus
}
#endif
#endif
