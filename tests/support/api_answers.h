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

/* The description. The caller lets go of it. */
json_t *described(void);

/* Asks, and checks that the answer has this status, is JSON, and is what the description says. The caller lets go of
 * it. */
json_t *answered(const kz_api *api, const kz_api_request *request, int status);

/* The same for a POST with this body. */
json_t *posted(const kz_api *api, const char *path, const char *query, const char *body, int status);

json_t *got(const kz_api *api, const char *path, const char *query);

/* The request fails with this status, and the message is this one, or has it in it. */
void refuses(const kz_api *api, const kz_api_request *request, int status, const char *message);

const char *text_in(const json_t *object, const char *name);

json_int_t number_in(const json_t *object, const char *name);

/* The members "value" and "plies" are these. */
void has_value(const json_t *object, const char *value, int plies);

#endif
