/* SPDX-License-Identifier: MIT
 *
 * Files as answers: the whole, a range of bytes, or only that nothing has changed. */
#include "app/server/reply.h"
#include "base/text.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { ETAG_BYTES = 64, RANGE_TEXT_BYTES = 96 };

static const char *header(const kz_reply *reply, const char *name) {
    return MHD_lookup_connection_value(reply->connection, MHD_HEADER_KIND, name);
}

typedef enum range_kind { WHOLE_FILE, PART, NO_SUCH_PART } range_kind;

/* One range of bytes, as far as the file has them. What is no such thing, and more ranges than one, may be answered
 * with the whole file. */
static range_kind read_range(const char *text, uint64_t size, uint64_t *begin, uint64_t *length) {
    uint64_t first = 0, last = UINT64_MAX;
    if (!text || strncmp(text, "bytes=", 6) != 0) {
        return WHOLE_FILE;
    }
    kz_span rest = {text + 6, strlen(text + 6)};
    bool from_the_end = kz_span_accept(&rest, "-");
    if (from_the_end) {
        if (!kz_span_digits(&rest, UINT64_MAX, &last)) {
            return WHOLE_FILE;
        }
        first = last < size ? size - last : 0;
        last = last > 0 ? UINT64_MAX : 0;
    } else if (!kz_span_digits(&rest, UINT64_MAX, &first) || !kz_span_accept(&rest, "-") ||
               (rest.length > 0 && !kz_span_digits(&rest, UINT64_MAX, &last)) || last < first) {
        return WHOLE_FILE;
    }
    if (rest.length > 0) {
        return WHOLE_FILE;
    }
    if (first >= size || last < first) {
        return NO_SUCH_PART;
    }
    *begin = first;
    *length = (last < size ? last + 1 : size) - first;
    return PART;
}

enum MHD_Result kz_reply_file(kz_reply *reply, const kz_site_file *file) {
    struct stat status;
    char etag[ETAG_BYTES];
    if (fstat(file->descriptor, &status) != 0) {
        return kz_reply_error(reply, &(kz_refusal){.status = MHD_HTTP_INTERNAL_SERVER_ERROR,
                                                   .code = "internal",
                                                   .message = "the file can't be read"});
    }
    /* A part is always one of the file as it is. */
    bool compressed = file->compressed && !header(reply, MHD_HTTP_HEADER_RANGE) &&
                      kz_gzip_is_accepted(header(reply, MHD_HTTP_HEADER_ACCEPT_ENCODING));
    uint64_t size = compressed ? file->compressed_size : (uint64_t)status.st_size, first = 0, length = size;
    snprintf(etag, sizeof etag, "\"%llx-%llx%08llx%s\"", (unsigned long long)status.st_size,
             (unsigned long long)status.st_mtim.tv_sec, (unsigned long long)status.st_mtim.tv_nsec,
             compressed ? "-gz" : "");

    const char *condition = header(reply, MHD_HTTP_HEADER_IF_RANGE);
    range_kind kind = WHOLE_FILE;
    if (!reply->head && (!condition || strcmp(condition, etag) == 0)) {
        kind = read_range(header(reply, MHD_HTTP_HEADER_RANGE), size, &first, &length);
    }
    bool known = kz_reply_is_known(reply, etag);

    struct MHD_Response *response = NULL;
    unsigned code = kind == PART ? MHD_HTTP_PARTIAL_CONTENT : MHD_HTTP_OK;
    if (known || kind == NO_SUCH_PART) {
        code = known ? MHD_HTTP_NOT_MODIFIED : MHD_HTTP_RANGE_NOT_SATISFIABLE;
        length = 0;
        response = kz_reply_nothing();
    } else if (compressed) {
        response = MHD_create_response_from_buffer(size, file->compressed, MHD_RESPMEM_PERSISTENT);
    } else {
        /* The library closes the descriptor that it is given. */
        int descriptor = fcntl(file->descriptor, F_DUPFD_CLOEXEC, 0);
        if (descriptor < 0) {
            return kz_reply_error(reply, &(kz_refusal){.status = MHD_HTTP_SERVICE_UNAVAILABLE,
                                                       .code = "busy",
                                                       .message = "too many files are open"});
        }
        response = MHD_create_response_from_fd_at_offset64(length, descriptor, first);
        if (!response) {
            close(descriptor);
        }
    }
    if (response) {
        kz_reply_add(response, MHD_HTTP_HEADER_ETAG, etag);
        kz_reply_add(response, MHD_HTTP_HEADER_CACHE_CONTROL,
                     file->immutable ? "public, max-age=31536000, immutable" : "no-cache");
        kz_reply_add(response, MHD_HTTP_HEADER_ACCEPT_RANGES, "bytes");
        kz_reply_add(response, "Access-Control-Expose-Headers", "Content-Range, ETag");
        if (file->compressed) {
            kz_reply_add(response, MHD_HTTP_HEADER_VARY, MHD_HTTP_HEADER_ACCEPT_ENCODING);
        }
        if (compressed && code == MHD_HTTP_OK) {
            kz_reply_add(response, MHD_HTTP_HEADER_CONTENT_ENCODING, "gzip");
        }
        if (code != MHD_HTTP_NOT_MODIFIED) {
            kz_reply_add(response, MHD_HTTP_HEADER_CONTENT_TYPE, file->type);
            kz_reply_add_page_headers(response);
        }
        char range[RANGE_TEXT_BYTES];
        if (code == MHD_HTTP_PARTIAL_CONTENT) {
            snprintf(range, sizeof range, "bytes %llu-%llu/%llu", (unsigned long long)first,
                     (unsigned long long)(first + length - 1), (unsigned long long)size);
            kz_reply_add(response, MHD_HTTP_HEADER_CONTENT_RANGE, range);
        } else if (code == MHD_HTTP_RANGE_NOT_SATISFIABLE) {
            snprintf(range, sizeof range, "bytes */%llu", (unsigned long long)size);
            kz_reply_add(response, MHD_HTTP_HEADER_CONTENT_RANGE, range);
        }
    }
    return kz_reply_send(reply, code, response, length);
}
