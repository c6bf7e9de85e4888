/* SPDX-License-Identifier: MIT
 *
 * The body of a POST: an object of JSON, such as {"positions": ["...", ...], "rules": "..."}. */
#ifndef KZ_API_BODY_H
#define KZ_API_BODY_H

#include "app/api/problem.h"

#include <kanzen/api.h>

typedef enum kz_member { KZ_B_POSITIONS, KZ_B_RULES, KZ_B_RECORD, KZ_B_MEMBERS } kz_member;

/* A set of them. */
#define KZ_B(member_) (1U << (member_))

/* All zero is an empty body. */
typedef struct kz_body {
    const char *texts[KZ_B_MEMBERS]; /* by member, for those that are texts; NULL: the member is not there */
    const char **positions;
    size_t position_count;
    char *memory; /* what all of these point into */
} kz_body;

/* "positions" and so on. */
const char *kz_body_name(kz_member member);

/* Reads a body. `allowed` is the set of members that it may have. KZ_ERR_INPUT if the text is no such object; the
 * message says where and why. Reading stops after KZ_API_MOST_POSITIONS positions. It allocates as much memory as the
 * text has bytes, and a few KiB. */
kz_status kz_body_read(kz_body *body, const char *text, size_t length, unsigned allowed, kz_problem *problem);
void kz_body_free(kz_body *body);

#endif
