/* SPDX-License-Identifier: MIT
 *
 * Parses the query of a request, "pos=...&rules=...", and checks it against the parameters that the request has. */
#ifndef KZ_API_QUERY_H
#define KZ_API_QUERY_H

#include "app/api/problem.h"

#include <kanzen/api.h>

typedef enum kz_parameter {
    KZ_Q_POS,
    KZ_Q_RULES,
    KZ_Q_MOVES,
    KZ_Q_LIMIT,
    KZ_Q_LEVEL,
    KZ_Q_AGGRESSIVE,
    KZ_Q_SEED,
    KZ_Q_PLAYED,
    KZ_Q_PLIES,
    KZ_Q_COUNT,
    KZ_Q_AT,
    KZ_Q_PARAMETERS
} kz_parameter;

/* A set of them. */
#define KZ_Q(parameter_) (1U << (parameter_))

/* Decoded text with a 0 byte at its end. `text` is NULL if the parameter is missing or empty, which means the same. */
typedef struct kz_query_value {
    const char *text;
    size_t length;
} kz_query_value;

typedef struct kz_query {
    kz_query_value values[KZ_Q_PARAMETERS];
    char text[KZ_API_MOST_QUERY + 1]; /* the memory that the values point into */
} kz_query;

/* "pos" and so on. */
const char *kz_query_name(kz_parameter parameter);

/* `query` may be NULL and has at most KZ_API_MOST_QUERY bytes; `allowed` is a set of parameters. KZ_ERR_INPUT for one
 * that is not allowed or comes twice, and for what can't be decoded. */
kz_status kz_query_read(kz_query *query, const char *text, unsigned allowed, kz_problem *problem);

/* Reads a whole decimal number from `least` to `most`. If the parameter is missing, `number` is not changed. */
kz_status kz_query_number(const kz_query *query, kz_parameter parameter, uint64_t least, uint64_t most,
                          uint64_t *number, kz_problem *problem);

#endif
