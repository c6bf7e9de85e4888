/* SPDX-License-Identifier: MIT
 *
 * The analyzer's API without a network: a request in, JSON out. The server answers HTTP requests with it, and the web
 * page calls the same code as WebAssembly when there is no server. docs/api.md describes all requests. */
#ifndef KANZEN_API_H
#define KANZEN_API_H

#include <kanzen/table.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The tables that answers come from. Any number of threads may call kz_api_ask at the same time. */
typedef struct kz_api kz_api;

enum { KZ_API_MOST_POSITIONS = 1000, KZ_API_MOST_LINE = 1000, KZ_API_MOST_QUERY = 4096 };

/* Returns NULL if there is no memory. Free the result with kz_api_free, which also takes NULL. */
kz_api *kz_api_new(void);
void kz_api_free(kz_api *api);
/* From now on answers about the table's game and rules come from this table. The caller keeps the table open, and does
 * not call this while requests are being answered. */
kz_status kz_api_use(kz_api *api, const kz_table *table, kz_error *error);
/* Sets how long one request may search where there is no table, and how long a line may take with one. The default is 1
 * second. Do not call this while requests are being answered. */
void kz_api_limit(kz_api *api, double seconds);

/* The pointers need to be valid during the call only. */
typedef struct kz_api_request {
    const char *path;  /* "/api/v1/dobutsu/position", without the query */
    const char *query; /* "pos=...&rules=...", percent-encoded as in a URL; may be NULL */
    bool post;
    const char *body; /* of a POST: JSON; need not end with a 0 */
    size_t body_length;
} kz_api_request;

/* An estimate of the work that an answer takes. */
typedef enum kz_api_cost {
    KZ_API_AT_ONCE, /* a fraction of a millisecond */
    KZ_API_LOOKUPS, /* milliseconds: many lookups in a table, many moves, or a body to read */
    KZ_API_SEARCH   /* as long as kz_api_limit allows */
} kz_api_cost;

/* Estimates the work of a request. A POST without its body (NULL) counts as KZ_API_LOOKUPS; the contents of the body
 * may make it a search. */
kz_api_cost kz_api_cost_of(const kz_api *api, const kz_api_request *request);

typedef struct kz_api_answer {
    int status;       /* as in HTTP: 200, 400, 404, 405, 413, 414, 500, 503 */
    const char *type; /* of the body: "application/json", "image/svg+xml" or "image/png" */
    char *body;       /* 0-terminated */
    size_t length;
} kz_api_answer;

/* Always gives an answer; bad requests get {"error": {"status", "code", "params", "message"}}. Only if there is no
 * memory at all is the body NULL. Free the answer in the end. */
void kz_api_ask(const kz_api *api, const kz_api_request *request, kz_api_answer *answer);
void kz_api_answer_free(kz_api_answer *answer);

/* A name for the answer that a request gets, for caches: requests with the same name have the same answer, on any
 * machine with the same version and table. False: the answer may change, or is no good one. */
enum { KZ_API_TAG_BYTES = 40 };
bool kz_api_tag(const kz_api *api, const kz_api_request *request, char tag[KZ_API_TAG_BYTES]);

/* The OpenAPI document of all requests, JSON. */
const char *kz_api_description(void);

#ifdef __cplusplus
}
#endif
#endif
