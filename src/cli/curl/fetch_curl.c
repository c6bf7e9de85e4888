/* SPDX-License-Identifier: MIT
 *
 * Files from a web server, with libcurl. A module of its own (base/module.h), because libcurl brings thirty libraries
 * with it that would be loaded whenever the command is started. */
#include "base/error.h"
#include "cli/fetch.h"

#include <curl/curl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { CONNECT_SECONDS = 10, MOST_REDIRECTS = 5, URL_BYTES = 2048 };

/* A file that is coming in. */
struct arrival {
    uint8_t *data;
    size_t size;
    size_t most;
    bool too_large;
};

/* libcurl stops if less is taken than there is. */
static size_t take_bytes(char *bytes, size_t unit, size_t count, void *user) {
    struct arrival *arrival = user;
    size_t size = unit * count;
    if (size > arrival->most - arrival->size) {
        arrival->too_large = true;
        return 0;
    }
    memcpy(arrival->data + arrival->size, bytes, size);
    arrival->size += size;
    return size;
}

static void set_protocols(CURL *handle) {
#if LIBCURL_VERSION_NUM >= 0x075500
    curl_easy_setopt(handle, CURLOPT_PROTOCOLS_STR, "http,https");
    curl_easy_setopt(handle, CURLOPT_REDIR_PROTOCOLS_STR, "http,https");
#else
    curl_easy_setopt(handle, CURLOPT_PROTOCOLS, (long)(CURLPROTO_HTTP | CURLPROTO_HTTPS));
    curl_easy_setopt(handle, CURLOPT_REDIR_PROTOCOLS, (long)(CURLPROTO_HTTP | CURLPROTO_HTTPS));
#endif
}

static void set_options(CURL *handle, long seconds) {
    set_protocols(handle);
    curl_easy_setopt(handle, CURLOPT_NOSIGNAL, 1L);
    curl_easy_setopt(handle, CURLOPT_USERAGENT, "kanzen");
    curl_easy_setopt(handle, CURLOPT_FOLLOWLOCATION, 1L);
    curl_easy_setopt(handle, CURLOPT_MAXREDIRS, (long)MOST_REDIRECTS);
    curl_easy_setopt(handle, CURLOPT_CONNECTTIMEOUT, (long)(seconds < CONNECT_SECONDS ? seconds : CONNECT_SECONDS));
    curl_easy_setopt(handle, CURLOPT_TIMEOUT, seconds);
    curl_easy_setopt(handle, CURLOPT_WRITEFUNCTION, take_bytes);
}

static void close_url(struct fetch *fetch) {
    curl_easy_cleanup(fetch->handle);
    curl_global_cleanup();
    free(fetch->base);
}

static kz_status open_url(struct fetch *fetch, const char *url, kz_error *error) {
    if (strncasecmp(url, "http://", strlen("http://")) != 0 && strncasecmp(url, "https://", strlen("https://")) != 0) {
        return kz_fail(error, KZ_ERR_INPUT, "%s: only http and https are read", url);
    }
    if (strlen(url) >= URL_BYTES / 2) {
        return kz_fail(error, KZ_ERR_INPUT, "the URL is too long");
    }
    char *base = strdup(url);
    if (base == NULL || curl_global_init(CURL_GLOBAL_DEFAULT) != CURLE_OK) {
        free(base);
        return kz_fail(error, KZ_ERR_MEMORY, "no memory to read %s", url);
    }
    fetch->base = base;
    fetch->handle = curl_easy_init();
    if (fetch->handle == NULL) {
        close_url(fetch);
        return kz_fail(error, KZ_ERR_MEMORY, "no memory to read %s", url);
    }
    size_t length = strlen(base);
    while (base[length - 1] == '/') {
        base[--length] = '\0';
    }
    set_options(fetch->handle, fetch->seconds);
    return KZ_OK;
}

static kz_status judge(CURLcode result, long code, const struct fetch *fetch, const char *url,
                       const struct arrival *arrival, kz_error *error) {
    if (code != 0 && code != 200 && result != CURLE_TOO_MANY_REDIRECTS) {
        return kz_fail(error, KZ_ERR_IO, "can't read %s: the server answers %ld", url, code);
    }
    if (arrival->too_large) {
        return kz_fail(error, KZ_ERR_CORRUPT, "%s has more than %zu bytes", url, arrival->most);
    }
    if (result == CURLE_PARTIAL_FILE) {
        return kz_fail(error, KZ_ERR_CORRUPT, "%s ends after %zu bytes, before it is complete", url, arrival->size);
    }
    if (result == CURLE_OPERATION_TIMEDOUT) {
        return kz_fail(error, KZ_ERR_IO, "can't read %s: it takes longer than %ld s", url, fetch->seconds);
    }
    if (result != CURLE_OK) {
        return kz_fail(error, KZ_ERR_IO, "can't read %s: %s", url, curl_easy_strerror(result));
    }
    return KZ_OK;
}

/* NOLINTBEGIN(readability-non-const-parameter): the bytes are written by take_bytes */
static kz_status get_file(const struct fetch *fetch, const char *name, uint8_t *data, size_t most, size_t *size,
                          kz_error *error) {
    struct arrival arrival = {.data = data, .most = most};
    char url[URL_BYTES];
    long code = 0;
    snprintf(url, sizeof url, "%s/%s", fetch->base, name);
    curl_easy_setopt(fetch->handle, CURLOPT_URL, url);
    curl_easy_setopt(fetch->handle, CURLOPT_WRITEDATA, &arrival);
    CURLcode result = curl_easy_perform(fetch->handle);
    curl_easy_getinfo(fetch->handle, CURLINFO_RESPONSE_CODE, &code);
    *size = arrival.size;
    return judge(result, code, fetch, url, &arrival, error);
}
/* NOLINTEND(readability-non-const-parameter) */

const struct fetch_calls *kz_module_fetch(void) {
    static const struct fetch_calls calls = {open_url, close_url, get_file};
    return &calls;
}
