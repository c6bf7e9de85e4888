/* SPDX-License-Identifier: MIT */
#include "base/http.h"

#include "base/error.h"
#include "base/module.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

struct kz_http {
    const kz_http_calls *calls;
    void *client;
};

bool kz_is_url(const char *text) { return strstr(text, "://") != NULL; }

static bool begins(const char *text, const char *word) { return strncasecmp(text, word, strlen(word)) == 0; }

#ifdef KANZEN_CURL_LINKED /* see cmake/library.cmake */
static const kz_http_calls *find_calls(kz_error *error) {
    (void)error;
    return kz_module_http();
}
#else
static const kz_http_calls *find_calls(kz_error *error) {
    kz_module_function *calls = kz_module_find("curl", "kz_module_http", "access to web servers (libcurl)", error);
    return calls ? ((const kz_http_calls *(*)(void))calls)() : NULL;
}
#endif

bool kz_http_possible(void) { return find_calls(NULL) != NULL; }

kz_status kz_http_open(const kz_http_limits *limits, kz_http **opened, kz_error *error) {
    *opened = NULL;
    const kz_http_calls *calls = find_calls(error);
    if (!calls) {
        return KZ_ERR_UNSUPPORTED;
    }
    kz_http *http = calloc(1, sizeof *http);
    if (http) {
        http->calls = calls;
        http->client = http->calls->open(limits);
    }
    if (!http || !http->client) {
        free(http);
        return kz_fail(error, KZ_ERR_MEMORY, "no memory to ask a web server");
    }
    *opened = http;
    return KZ_OK;
}

void kz_http_close(kz_http *http) {
    if (http) {
        http->calls->close(http->client);
        free(http);
    }
}

kz_status kz_http_get(kz_http *http, const kz_http_request *request, kz_http_reply *reply, kz_error *error) {
    *reply = (kz_http_reply){.total = KZ_HTTP_UNKNOWN};
    if (!begins(request->url, "http://") && !begins(request->url, "https://")) {
        return kz_fail(error, KZ_ERR_INPUT, "%s: only http and https are read", request->url);
    }
    if (strlen(request->url) >= KZ_HTTP_URL_BYTES) {
        return kz_fail(error, KZ_ERR_INPUT, "the URL is too long: %.60s...", request->url);
    }
    return http->calls->get(http->client, request, reply, error);
}

/* ---- Whole files ------------------------------------------------------------------------------------------------- */

typedef struct arrival {
    uint8_t *data;
    size_t size;
} arrival;

/* The module lets no more than `most` bytes through. */
static bool take_bytes(void *user, const void *bytes, size_t size) {
    arrival *a = user;
    memcpy(a->data + a->size, bytes, size);
    a->size += size;
    return true;
}

/* NOLINTNEXTLINE(readability-non-const-parameter): written as it arrives */
kz_status kz_http_get_file(kz_http *http, const char *url, uint8_t *data, size_t most, size_t *size, kz_error *error) {
    arrival a = {data, 0};
    kz_http_reply reply;
    kz_http_request request = {.url = url, .most = most, .take = take_bytes, .user = &a};
    kz_status status = kz_http_get(http, &request, &reply, error);
    *size = a.size;
    return status;
}
