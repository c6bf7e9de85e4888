/* SPDX-License-Identifier: MIT */
#ifndef KZ_BASE_ERROR_H
#define KZ_BASE_ERROR_H

#include <kanzen/error.h>

/* Fills `error` (if there is one) and returns `status`, so that a failing function can end with it. */
__attribute__((format(printf, 3, 4))) kz_status kz_fail(kz_error *error, kz_status status, const char *format, ...);
/* The same with ": " and the text of errno value `code` added. */
__attribute__((format(printf, 4, 5))) kz_status kz_fail_errno(kz_error *error, kz_status status, int code,
                                                              const char *format, ...);

/* The first one of `count` errors that workers have left, or KZ_OK. */
kz_status kz_fail_first(kz_error *error, const kz_error *errors, int count);

/* Ends the function with what failed, and goes on if nothing did. */
#define KZ_TRY(call)                                                                                                   \
    do {                                                                                                               \
        kz_status tried_ = (call);                                                                                     \
        if (tried_ != KZ_OK) {                                                                                         \
            return tried_;                                                                                             \
        }                                                                                                              \
    } while (0)

/* For a function that has something to give back at its end: puts the status of the call into `status` and, if it
 * failed, goes to the label. Such a function has one label, `done`, with all that is given back after it. */
#define KZ_TRY_OR(label, call)                                                                                         \
    do {                                                                                                               \
        status = (call);                                                                                               \
        if (status != KZ_OK) {                                                                                         \
            goto label;                                                                                                \
        }                                                                                                              \
    } while (0)

/* clang's analyzer looks at one file at a time. This tells it that the status is the one that was given. */
#ifdef __clang_analyzer__
#define kz_fail(error, status, ...) ((void)kz_fail((error), (status), __VA_ARGS__), (status))
#define kz_fail_errno(error, status, code, ...) ((void)kz_fail_errno((error), (status), (code), __VA_ARGS__), (status))
#endif

#endif
