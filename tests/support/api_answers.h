/* SPDX-License-Identifier: MIT
 *
 * Asking the API, and holding what it answers against its own description: a small checker of JSON schemas, as much of
 * them as the description uses. What it does not know it refuses. */
#ifndef TESTS_API_ANSWERS_H
#define TESTS_API_ANSWERS_H

#include "tests/support/testing.h"

#include <jansson.h>
#include <kanzen/api.h>
#include <stdio.h>
#include <string.h>

/* A value that is let go of when the program ends. So are all that the calls below return. */
json_t *kept(json_t *value);

/* The description. */
json_t *described(void);

/* Asks, and checks that the answer has this status, is JSON, and is what the description says. */
json_t *answered(const kz_api *api, const kz_api_request *request, int status);

/* The same for a POST with this body. */
json_t *posted(const kz_api *api, const char *path, const char *query, const char *body, int status);

json_t *got(const kz_api *api, const char *path, const char *query);

/* The request fails with this status, and the message is this one, or has it in it. */
void refuses(const kz_api *api, const kz_api_request *request, int status, const char *message);
void refuses_get(const kz_api *api, const char *path, const char *query, int status, const char *message);
void refuses_post(const kz_api *api, const char *path, const char *body, int status, const char *message);

/* For a group of tests: an API with the table of a small board of Push Fight. */
typedef struct api_fixture {
    kz_table *raft;
    kz_api *api;
} api_fixture;

int open_api(void **state);
int close_api(void **state);

const char *text_in(const json_t *object, const char *name);

json_int_t number_in(const json_t *object, const char *name);

/* The members "value" and "plies" are these. */
void has_value(const json_t *object, const char *value, int plies);

#endif
