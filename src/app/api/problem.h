/* SPDX-License-Identifier: MIT
 *
 * Why a request can't be answered: a message in English for a person, and a code with parameters for a program, so that
 * a page can say the same in another language. docs/api.md lists all codes. */
#ifndef KZ_API_PROBLEM_H
#define KZ_API_PROBLEM_H

#include "base/json.h"
#include <kanzen/error.h>

/* Start with all members zero. Clear it in the end. */
typedef struct kz_problem {
    kz_error error;
    const char *code; /* a constant; NULL: the code follows from the status of `error` */
    int http_status;  /* 0: it follows, too */
    kz_json params;   /* the members of "params" */
} kz_problem;

/* Fills in the code and the message, and returns `status`. Parameters are added before or after that. */
__attribute__((format(printf, 4, 5))) kz_status kz_refuse(kz_problem *problem, kz_status status, const char *code,
                                                          const char *format, ...);
#ifdef __clang_analyzer__ /* as for kz_fail: the status is the one that was given */
#define kz_refuse(problem, status, code, ...) ((void)kz_refuse((problem), (status), (code), __VA_ARGS__), (status))
#endif

/* Lists the names of what there is, for the message, and as the parameter "known". `name_at` gives NULL past the last.
 */
typedef const char *kz_name_at(const void *of, size_t number);
void kz_problem_known(kz_problem *problem, kz_name_at *name_at, const void *of, char *list, size_t size);

/* The object that parameters are added to with the calls of the JSON writer. */
kz_json *kz_problem_params(kz_problem *problem);

/* The status of HTTP, such as 404. */
int kz_problem_http_status(const kz_problem *problem);

/* Writes {"error": {"status", "code", "params", "message"}} as the next value, clears the problem, and
 * returns the HTTP status that it wrote. */
int kz_problem_write(kz_problem *problem, kz_json *json);
void kz_problem_clear(kz_problem *problem);

#endif
