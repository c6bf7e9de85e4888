/* SPDX-License-Identifier: MIT
 *
 * What can be asked, and what it takes to answer. src/app/api/openapi.json describes the same for others, and a test
 * compares the two. */
#ifndef KZ_API_ROUTES_H
#define KZ_API_ROUTES_H

#include "app/api/question.h"

/* What an answer takes, besides reading the request. */
typedef enum kz_work {
    KZ_WORK_NONE,   /* it is known already */
    KZ_WORK_RULES,  /* a list of moves */
    KZ_WORK_PIXELS, /* an image: milliseconds */
    KZ_WORK_MOVES,  /* the value of every move */
    KZ_WORK_MANY,   /* the values of many positions */
    KZ_WORK_TABLE   /* a look through the whole table */
} kz_work;

/* /api/v1/GAME/NAME */
typedef struct kz_route {
    const char *name;
    kz_work work;
    unsigned parameters; /* of the query */
    unsigned members;    /* of the body; those that have a body are POST requests, all others GET */
    bool steady;         /* with the same table the answer is always the same */
    const char *type;    /* of the answer; NULL: JSON */
    kz_answer_fn *answer;
} kz_route;

/* What is asked about no game in particular: GET without parameters. */
typedef struct kz_general_route {
    const char *path;
    void (*answer)(const kz_api *api, kz_json *json);
} kz_general_route;

/* Reads "GAME?pos=&rules=&played=" as the routes about a position do. */
kz_status kz_question_about_position(kz_question *question, const kz_api *api, const kz_api_request *request,
                                     const char *game, kz_problem *problem);

/* NULL: there is none, or past the last. */
const kz_route *kz_route_find(const char *name);
const kz_route *kz_route_at(size_t number);
const kz_general_route *kz_general_route_find(const char *path);
const kz_general_route *kz_general_route_at(size_t number);

#endif
