/* SPDX-License-Identifier: MIT */
#include "fetch.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

bool is_url(const char *path) { return strstr(path, "://") != NULL; }

__attribute__((format(printf, 3, 4))) static kz_status fail(kz_error *error, kz_status status, const char *format,
                                                            ...) {
    va_list arguments;
    va_start(arguments, format);
    error->status = status;
    vsnprintf(error->message, sizeof error->message, format, arguments);
    va_end(arguments);
    return status;
}

#ifndef KANZEN_CURL

kz_status fetch_open(struct fetch *fetch, const char *url, uint64_t seconds, kz_error *error) {
    (void)fetch;
    (void)seconds;
    return fail(error, KZ_ERR_UNSUPPORTED, "can't read %s: this was built without libcurl", url);
}

void fetch_close(struct fetch *fetch) { (void)fetch; }

kz_status fetch_file(void *user, const char *name, uint8_t *data, size_t most, size_t *size, kz_error *error) {
    (void)user;
    (void)data;
    (void)most;
    (void)size;
    return fail(error, KZ_ERR_UNSUPPORTED, "can't read %s", name);
}

#else

#include <curl/curl.h>
#include <stdlib.h>

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

kz_status fetch_open(struct fetch *fetch, const char *url, uint64_t seconds, kz_error *error) {
    *fetch = (struct fetch){.seconds = (long)seconds};
    if (strncasecmp(url, "http://", strlen("http://")) != 0 && strncasecmp(url, "https://", strlen("https://")) != 0) {
        return fail(error, KZ_ERR_INPUT, "%s: only http and https are read", url);
    }
    if (strlen(url) >= URL_BYTES / 2) {
        return fail(error, KZ_ERR_INPUT, "the URL is too long");
    }
    char *base = strdup(url);
    if (base == NULL || curl_global_init(CURL_GLOBAL_DEFAULT) != CURLE_OK) {
        free(base);
        return fail(error, KZ_ERR_MEMORY, "no memory to read %s", url);
    }
    fetch->base = base;
    fetch->handle = curl_easy_init();
    if (fetch->handle == NULL) {
        fetch_close(fetch);
        return fail(error, KZ_ERR_MEMORY, "no memory to read %s", url);
    }
    size_t length = strlen(base);
    while (base[length - 1] == '/') {
        base[--length] = '\0';
    }
    set_options(fetch->handle, fetch->seconds);
    return KZ_OK;
}

void fetch_close(struct fetch *fetch) {
    curl_easy_cleanup(fetch->handle);
    curl_global_cleanup();
    free(fetch->base);
}

static kz_status judge(CURLcode result, long code, const struct fetch *fetch, const char *url,
                       const struct arrival *arrival, kz_error *error) {
    if (code != 0 && code != 200 && result != CURLE_TOO_MANY_REDIRECTS) {
        return fail(error, KZ_ERR_IO, "can't read %s: the server answers %ld", url, code);
    }
    if (arrival->too_large) {
        return fail(error, KZ_ERR_CORRUPT, "%s has more than %zu bytes", url, arrival->most);
    }
    if (result == CURLE_PARTIAL_FILE) {
        return fail(error, KZ_ERR_CORRUPT, "%s ends after %zu bytes, before it is complete", url, arrival->size);
    }
    if (result == CURLE_OPERATION_TIMEDOUT) {
        return fail(error, KZ_ERR_IO, "can't read %s: it takes longer than %ld s", url, fetch->seconds);
    }
    if (result != CURLE_OK) {
        return fail(error, KZ_ERR_IO, "can't read %s: %s", url, curl_easy_strerror(result));
    }
    return KZ_OK;
}

/* NOLINTBEGIN(readability-non-const-parameter): the bytes are written by take_bytes */
kz_status fetch_file(void *user, const char *name, uint8_t *data, size_t most, size_t *size, kz_error *error) {
    const struct fetch *fetch = user;
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

#endif
