/* SPDX-License-Identifier: MIT
 *
 * Files from web servers. libcurl does the work; it is in a module (base/module.h), so only who asks for a URL loads
 * it.
 *
 * Nothing that a server says is believed without a check: an answer that is too long, ends early, is not the range that
 * was asked for, or comes too slowly is an error. */
#ifndef KZ_BASE_HTTP_H
#define KZ_BASE_HTTP_H

#include <kanzen/error.h>
#include <stdbool.h>
#include <stdint.h>

/* Less than this many bytes a second, for as long as `seconds` of kz_http_limits, is too slow. */
enum { KZ_HTTP_SLOWEST = 1024, KZ_HTTP_URL_BYTES = 2048, KZ_HTTP_TAG_BYTES = 256, KZ_HTTP_MOST_REDIRECTS = 5 };
#define KZ_HTTP_UNKNOWN UINT64_MAX

typedef struct kz_http_limits {
    long seconds; /* without an answer, or with one that is too slow */
    long whole;   /* seconds that one whole answer may take; 0: any time */
} kz_http_limits;

/* What is wanted. */
typedef struct kz_http_request {
    const char *url;
    uint64_t first;  /* the first byte that is wanted; with `first` or `length` the request is for a range */
    uint64_t length; /* how many bytes from there on; 0: all */
    uint64_t most;   /* bytes that the answer may have */
    /* Gets the bytes as they come. `reply` is what is known so far. False: stop; then the call fails with
     * KZ_ERR_CANCELLED. */
    bool (*take)(void *user, const void *bytes, size_t size);
    void *user;
} kz_http_request;

/* What came. */
typedef struct kz_http_reply {
    long code;                   /* 200 or 206 */
    uint64_t first;              /* the first byte that came: 0 if the server ignored the range */
    uint64_t total;              /* bytes of the whole file; KZ_HTTP_UNKNOWN: the server does not say */
    uint64_t received;           /* bytes that `take` got */
    char tag[KZ_HTTP_TAG_BYTES]; /* ETag or Last-Modified: changes with the file. "" if the server has neither */
} kz_http_reply;

/* A client keeps its connection for the next request. One thread at a time. */
typedef struct kz_http kz_http;

/* Whether a text is meant to be a URL: it has a scheme. */
bool kz_is_url(const char *text);

bool kz_http_possible(void);
/* KZ_ERR_UNSUPPORTED if the module is not there. */
kz_status kz_http_open(const kz_http_limits *limits, kz_http **opened, kz_error *error);
/* NULL is fine. */
void kz_http_close(kz_http *http);

/* Only http and https, and no way from https to http. A server may ignore the range: then `reply->code` is 200 when
 * `take` is first called, and the bytes are those from 0 on. KZ_ERR_IO: there is no answer, or not in time, or it says
 * that there is no such file. KZ_ERR_CORRUPT: the answer is not what it says it is. `reply` is filled in as far as it
 * came, on failure too. */
kz_status kz_http_get(kz_http *http, const kz_http_request *request, kz_http_reply *reply, kz_error *error);

/* For files that fit into memory: `data` has room for `most` bytes. Only a whole file, code 200, is taken. */
kz_status kz_http_get_file(kz_http *http, const char *url, uint8_t *data, size_t most, size_t *size, kz_error *error);

/* ---- Between http.c and the module ------------------------------------------------------------------------------- */

typedef struct kz_http_calls {
    void *(*open)(const kz_http_limits *limits);
    void (*close)(void *client);
    kz_status (*get)(void *client, const kz_http_request *request, kz_http_reply *reply, kz_error *error);
} kz_http_calls;

/* The function of kanzen-curl.so. */
const kz_http_calls *kz_module_http(void);

#endif
