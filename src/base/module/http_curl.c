/* SPDX-License-Identifier: MIT
 *
 * The module kanzen-curl.so: base/http.h with libcurl. */
#include "base/error.h"
#include "base/http.h"
#include "base/text.h"

#include <curl/curl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { CONNECT_SECONDS = 10, RANGE_BYTES = 64 };

typedef struct client {
    CURL *handle;
    kz_http_limits limits;
} client;

/* Why a transfer was stopped from here. */
typedef enum trouble {
    NO_TROUBLE,
    TOO_LARGE,
    WRONG_RANGE,
    NOT_WANTED, /* `take` said so */
    BAD_CODE,
    PACKED,
} trouble;

/* An answer that is coming in. */
typedef struct arrival {
    const kz_http_request *request;
    kz_http_reply *reply;
    CURL *handle;
    trouble trouble;
    bool judged; /* the headers are complete and all right */
    bool has_range;
    bool packed;                      /* with a content encoding, which nobody asked for */
    bool tagged;                      /* the tag is an ETag */
    uint64_t range_first, range_last; /* as the server states them */
    uint64_t stated;                  /* bytes that the server promises; KZ_HTTP_UNKNOWN */
    char *range_text;                 /* for messages */
} arrival;

static bool is_ranged(const kz_http_request *request) { return request->first > 0 || request->length > 0; }

/* ---- Headers ----------------------------------------------------------------------------------------------------- */

/* "bytes 0-151/24937741" */
static bool read_content_range(kz_span value, arrival *a) {
    uint64_t total = KZ_HTTP_UNKNOWN;
    kz_span rest = kz_span_trimmed(value);
    if (!kz_span_accept(&rest, "bytes ") || !kz_span_digits(&rest, INT64_MAX, &a->range_first) ||
        !kz_span_accept(&rest, "-") || !kz_span_digits(&rest, INT64_MAX, &a->range_last) ||
        !kz_span_accept(&rest, "/")) {
        return false;
    }
    bool known = kz_span_digits(&rest, INT64_MAX, &total) || kz_span_accept(&rest, "*");
    a->reply->total = total;
    return known && rest.length == 0;
}

static void keep_tag(arrival *a, kz_span value) {
    kz_span text = kz_span_trimmed(value);
    if (text.length > 0 && text.length < KZ_HTTP_TAG_BYTES) {
        memcpy(a->reply->tag, text.text, text.length);
        a->reply->tag[text.length] = '\0';
    }
}

/* A new answer begins: after a redirection only the last one counts. */
static void forget_headers(arrival *a) {
    a->has_range = a->packed = a->tagged = a->judged = false;
    a->stated = KZ_HTTP_UNKNOWN;
    a->reply->total = KZ_HTTP_UNKNOWN;
    a->reply->tag[0] = '\0';
}

static bool has_name(kz_span line, const char *name, kz_span *value) {
    size_t length = strlen(name);
    if (line.length <= length || line.text[length] != ':' || strncasecmp(line.text, name, length) != 0) {
        return false;
    }
    *value = kz_span_from(line, length + 1);
    return true;
}

/* NOLINTNEXTLINE(readability-non-const-parameter): libcurl's type */
static size_t take_header(char *bytes, size_t unit, size_t count, void *user) {
    arrival *a = user;
    kz_span line = {bytes, unit * count};
    kz_span value;
    if (line.length >= 5 && strncasecmp(line.text, "HTTP/", 5) == 0) {
        forget_headers(a);
    } else if (has_name(line, "Content-Range", &value)) {
        a->has_range = read_content_range(value, a);
    } else if (has_name(line, "Content-Encoding", &value)) {
        a->packed = !kz_span_is(kz_span_trimmed(value), "identity");
    } else if (has_name(line, "Content-Length", &value)) {
        uint64_t length;
        a->stated = kz_span_number(kz_span_trimmed(value), 0, INT64_MAX, &length) ? length : KZ_HTTP_UNKNOWN;
    } else if (has_name(line, "ETag", &value)) {
        keep_tag(a, value);
        a->tagged = true;
    } else if (!a->tagged && has_name(line, "Last-Modified", &value)) {
        keep_tag(a, value);
    }
    return unit * count;
}

/* Whether the range that the server sends is the one that was asked for: from its first byte to its last, or to the
 * end of the file. */
static bool is_asked_range(const arrival *a) {
    const kz_http_request *request = a->request;
    uint64_t total = a->reply->total;
    uint64_t last = request->length > 0 ? request->first + request->length - 1 : total - 1;
    if (total != KZ_HTTP_UNKNOWN && last >= total) {
        last = total - 1;
    }
    bool length_known = request->length > 0 || total != KZ_HTTP_UNKNOWN;
    return a->has_range && length_known && a->range_first == request->first && a->range_last == last &&
           (a->stated == KZ_HTTP_UNKNOWN || a->stated == last - request->first + 1);
}

/* Looks at the headers before the first byte is taken. */
static trouble judge_headers(arrival *a) {
    kz_http_reply *reply = a->reply;
    curl_easy_getinfo(a->handle, CURLINFO_RESPONSE_CODE, &reply->code);
    bool ranged = is_ranged(a->request);
    if (reply->code != 200 && !(ranged && reply->code == 206)) {
        return BAD_CODE;
    }
    if (a->packed) {
        return PACKED;
    }
    if (reply->code == 200) {
        reply->first = 0;
        reply->total = a->stated;
    } else {
        reply->first = a->request->first;
        if (!is_asked_range(a)) {
            return WRONG_RANGE;
        }
    }
    if (a->stated != KZ_HTTP_UNKNOWN && a->stated > a->request->most) {
        return TOO_LARGE;
    }
    return NO_TROUBLE;
}

/* ---- The body ---------------------------------------------------------------------------------------------------- */

/* libcurl stops if less is taken than there is. */
static size_t take_bytes(char *bytes, size_t unit, size_t count, void *user) {
    arrival *a = user;
    size_t size = unit * count;
    uint64_t most = a->request->most;
    if (!a->judged) {
        a->trouble = judge_headers(a);
        a->judged = true;
    }
    if (a->reply->code == 206 && a->request->length > 0 && a->request->length < most) {
        most = a->request->length;
    }
    if (a->trouble == NO_TROUBLE && size > most - a->reply->received) {
        a->trouble = TOO_LARGE;
    }
    if (a->trouble == NO_TROUBLE && !a->request->take(a->request->user, bytes, size)) {
        a->trouble = NOT_WANTED;
    }
    if (a->trouble != NO_TROUBLE) {
        return 0;
    }
    a->reply->received += size;
    return size;
}

/* ---- Requests ---------------------------------------------------------------------------------------------------- */

static void set_protocols(CURL *handle, bool only_https) {
#if LIBCURL_VERSION_NUM >= 0x075500
    curl_easy_setopt(handle, CURLOPT_PROTOCOLS_STR, "http,https");
    curl_easy_setopt(handle, CURLOPT_REDIR_PROTOCOLS_STR, only_https ? "https" : "http,https");
#else
    curl_easy_setopt(handle, CURLOPT_PROTOCOLS, (long)(CURLPROTO_HTTP | CURLPROTO_HTTPS));
    curl_easy_setopt(handle, CURLOPT_REDIR_PROTOCOLS,
                     only_https ? (long)CURLPROTO_HTTPS : (long)(CURLPROTO_HTTP | CURLPROTO_HTTPS));
#endif
}

static pthread_once_t started = PTHREAD_ONCE_INIT;

static void start(void) { (void)curl_global_init(CURL_GLOBAL_DEFAULT); }

static void *open_client(const kz_http_limits *limits) {
    client *c = calloc(1, sizeof *c);
    (void)pthread_once(&started, start);
    if (c) {
        c->limits = *limits;
        c->handle = curl_easy_init();
    }
    if (!c || !c->handle) {
        free(c);
        return NULL;
    }
    long seconds = limits->seconds;
    curl_easy_setopt(c->handle, CURLOPT_NOSIGNAL, 1L);
    curl_easy_setopt(c->handle, CURLOPT_USERAGENT, "kanzen");
    curl_easy_setopt(c->handle, CURLOPT_FOLLOWLOCATION, 1L);
    curl_easy_setopt(c->handle, CURLOPT_MAXREDIRS, (long)KZ_HTTP_MOST_REDIRECTS);
    curl_easy_setopt(c->handle, CURLOPT_CONNECTTIMEOUT, seconds < CONNECT_SECONDS ? seconds : (long)CONNECT_SECONDS);
    curl_easy_setopt(c->handle, CURLOPT_LOW_SPEED_LIMIT, (long)KZ_HTTP_SLOWEST);
    curl_easy_setopt(c->handle, CURLOPT_LOW_SPEED_TIME, seconds);
    curl_easy_setopt(c->handle, CURLOPT_TIMEOUT, limits->whole);
    curl_easy_setopt(c->handle, CURLOPT_WRITEFUNCTION, take_bytes);
    curl_easy_setopt(c->handle, CURLOPT_HEADERFUNCTION, take_header);
    return c;
}

static void close_client(void *user) {
    client *c = user;
    curl_easy_cleanup(c->handle);
    free(c);
}

static kz_status say_trouble(const arrival *a, kz_error *error) {
    const char *url = a->request->url;
    const kz_http_reply *reply = a->reply;
    switch (a->trouble) {
    case TOO_LARGE:
        if (reply->code == 206) {
            return kz_fail(error, KZ_ERR_CORRUPT, "%s: the server sends more than the %llu bytes that it was asked for",
                           url, (unsigned long long)a->request->length);
        }
        return kz_fail(error, KZ_ERR_CORRUPT, "%s has more than %llu bytes", url, (unsigned long long)a->request->most);
    case WRONG_RANGE:
        return kz_fail(error, KZ_ERR_CORRUPT, "%s: the server sends another part of the file than it was asked for",
                       url);
    case PACKED:
        return kz_fail(error, KZ_ERR_CORRUPT, "%s: the server packs the file, which it was not asked to", url);
    case NOT_WANTED:
        return kz_fail(error, KZ_ERR_CANCELLED, "stopped");
    default:
        return kz_fail(error, KZ_ERR_IO, "can't read %s: the server answers %ld", url, reply->code);
    }
}

static kz_status judge(const client *c, CURLcode result, arrival *a, kz_error *error) {
    const char *url = a->request->url;
    const kz_http_reply *reply = a->reply;
    if (result == CURLE_OK && !a->judged) { /* an answer without a body */
        a->trouble = judge_headers(a);
    }
    if (a->trouble != NO_TROUBLE) {
        return say_trouble(a, error);
    }
    if (result == CURLE_OPERATION_TIMEDOUT) {
        if (c->limits.whole > 0) {
            return kz_fail(error, KZ_ERR_IO, "can't read %s: it takes longer than %ld s", url, c->limits.whole);
        }
        return kz_fail(error, KZ_ERR_IO, "can't read %s: less than %d bytes a second for %ld s", url, KZ_HTTP_SLOWEST,
                       c->limits.seconds);
    }
    bool short_range = result == CURLE_OK && reply->code == 206 && a->has_range &&
                       reply->received != a->range_last - a->range_first + 1;
    if (result == CURLE_PARTIAL_FILE || short_range) {
        return kz_fail(error, KZ_ERR_CORRUPT, "%s ends after %llu bytes, before it is complete", url,
                       (unsigned long long)reply->received);
    }
    if (result != CURLE_OK) {
        return kz_fail(error, KZ_ERR_IO, "can't read %s: %s", url, curl_easy_strerror(result));
    }
    return KZ_OK;
}

static kz_status get(void *user, const kz_http_request *request, kz_http_reply *reply, kz_error *error) {
    const client *c = user;
    arrival a = {.request = request, .reply = reply, .handle = c->handle, .stated = KZ_HTTP_UNKNOWN};
    char range[RANGE_BYTES];
    snprintf(range, sizeof range, "%llu-", (unsigned long long)request->first);
    if (request->length > 0) {
        snprintf(range, sizeof range, "%llu-%llu", (unsigned long long)request->first,
                 (unsigned long long)(request->first + request->length - 1));
    }
    set_protocols(c->handle, strncasecmp(request->url, "https:", 6) == 0);
    curl_easy_setopt(c->handle, CURLOPT_URL, request->url);
    curl_easy_setopt(c->handle, CURLOPT_RANGE, is_ranged(request) ? range : NULL);
    curl_easy_setopt(c->handle, CURLOPT_WRITEDATA, &a);
    curl_easy_setopt(c->handle, CURLOPT_HEADERDATA, &a);
    CURLcode result = curl_easy_perform(c->handle);
    if (a.trouble == NO_TROUBLE) {
        curl_easy_getinfo(c->handle, CURLINFO_RESPONSE_CODE, &reply->code);
    }
    /* A server's page about an error is not read; redirections that lead nowhere are told by libcurl. */
    if (result != CURLE_TOO_MANY_REDIRECTS && a.trouble == NO_TROUBLE && reply->code >= 400) {
        a.trouble = BAD_CODE;
    }
    return judge(c, result, &a, error);
}

const kz_http_calls *kz_module_http(void) {
    static const kz_http_calls calls = {open_client, close_client, get};
    return &calls;
}
