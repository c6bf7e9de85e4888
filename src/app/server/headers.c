/* SPDX-License-Identifier: MIT */
#include "app/server/reply.h"

#include "base/text.h"

#include <string.h>
#include <strings.h>

typedef struct found {
    int hosts, lengths, encodings;
    bool chunked;
    bool bad_name;
} found;

/* RFC 9110, 5.6.2: a token. Above all it has no blank, which some servers ignore before the colon and others don't. */
static bool is_token(const char *text, size_t length) {
    static const char others[] = "!#$%&'*+-.^_`|~";
    for (size_t i = 0; i < length; i++) {
        if (!kz_is_plain(text[i], others)) {
            return false;
        }
    }
    return length > 0;
}

static enum MHD_Result look_at(void *own, enum MHD_ValueKind kind, const char *name, size_t name_length,
                               const char *value, size_t value_length) {
    (void)kind;
    (void)value_length;
    found *headers = own;
    if (!is_token(name, name_length)) {
        headers->bad_name = true;
        return MHD_NO;
    }
    if (strcasecmp(name, MHD_HTTP_HEADER_HOST) == 0) {
        headers->hosts++;
    } else if (strcasecmp(name, MHD_HTTP_HEADER_CONTENT_LENGTH) == 0) {
        headers->lengths++;
    } else if (strcasecmp(name, MHD_HTTP_HEADER_TRANSFER_ENCODING) == 0) {
        headers->encodings++;
        headers->chunked = value && strcasecmp(value, "chunked") == 0;
    }
    return MHD_YES;
}

const char *kz_headers_check(struct MHD_Connection *connection, const char *version, unsigned *status) {
    found headers = {.hosts = 0};
    (void)MHD_get_connection_values_n(connection, MHD_HEADER_KIND, look_at, &headers);
    *status = MHD_HTTP_BAD_REQUEST;
    if (headers.bad_name) {
        return "a header has a name with characters that names can't have";
    }
    bool old = strcmp(version, MHD_HTTP_VERSION_1_0) == 0;
    if (headers.hosts > 1 || (headers.hosts == 0 && !old)) {
        return "there should be one header Host";
    }
    if (headers.lengths > 1 || headers.encodings > 1 || (headers.lengths > 0 && headers.encodings > 0)) {
        return "the length of the body is told more than once";
    }
    if (headers.encodings > 0 && (old || !headers.chunked)) {
        *status = MHD_HTTP_NOT_IMPLEMENTED;
        return "the only transfer encoding that is known here is chunked, and in HTTP/1.1 only";
    }
    return NULL;
}
