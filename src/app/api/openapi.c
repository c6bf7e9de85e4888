/* SPDX-License-Identifier: MIT
 *
 * The description of all requests: src/app/api/openapi.json, which the build turns into a string (tools/embed). The
 * tests hold every route and every kind of answer against it. */
#include <kanzen/api.h>

/* All compilers that this is made for take long strings. */
#pragma GCC diagnostic ignored "-Woverlength-strings"

static const char description[] =
#include <openapi_text.h>
    ;

const char *kz_api_description(void) { return description; }
