/* SPDX-License-Identifier: MIT */
#ifndef KZ_BASE_ERROR_H
#define KZ_BASE_ERROR_H

#include <kanzen/error.h>

/* Fills `error` (if there is one) and returns `status`, so that a failing function can end with it. */
__attribute__((format(printf, 3, 4))) kz_status kz_fail(kz_error *error, kz_status status, const char *format, ...);
/* The same with ": " and the text of errno value `code` added. */
__attribute__((format(printf, 4, 5))) kz_status kz_fail_errno(kz_error *error, kz_status status, int code,
                                                              const char *format, ...);

/* clang's analyzer looks at one file at a time. This tells it that the status is the one that was given. */
#ifdef __clang_analyzer__
#define kz_fail(error, status, ...) ((void)kz_fail((error), (status), __VA_ARGS__), (status))
#define kz_fail_errno(error, status, code, ...) ((void)kz_fail_errno((error), (status), (code), __VA_ARGS__), (status))
#endif

#endif
