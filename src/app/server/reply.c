/* SPDX-License-Identifier: MIT */
#include "app/server/reply.h"

#include "app/api/problem.h"

#include <kanzen/game.h>
#include <stdio.h>
#include <string.h>

void kz_reply_add(struct MHD_Response *response, const char *name, const char *value) {
    /* If there is no memory, an answer without this header is better than no answer. */
    (void)MHD_add_response_header(response, name, value);
}

/* Pages of any origin may read all answers: the server has no secrets and no users. */
enum MHD_Result kz_reply_send(kz_reply *reply, unsigned status, struct MHD_Response *response, uint64_t bytes) {
    if (!response) {
        return MHD_NO;
    }
    reply->bytes = bytes;
    kz_reply_add(response, MHD_HTTP_HEADER_ACCESS_CONTROL_ALLOW_ORIGIN, "*");
    kz_reply_add(response, "X-Content-Type-Options", "nosniff");
    if (status == MHD_HTTP_SERVICE_UNAVAILABLE) {
        kz_reply_add(response, MHD_HTTP_HEADER_RETRY_AFTER, "2");
    }
    if (reply->last) {
        kz_reply_add(response, MHD_HTTP_HEADER_CONNECTION, "close");
    }
    enum MHD_Result result = MHD_queue_response(reply->connection, status, response);
    MHD_destroy_response(response);
    return result;
}

static struct MHD_Response *from_text(const char *text, size_t length, enum MHD_ResponseMemoryMode mode,
                                      const char *type) {
    /* The parameter is not const, but the library does not change the text in these modes. */
    struct MHD_Response *response = MHD_create_response_from_buffer(length, (void *)text, mode);
    if (response && type) {
        kz_reply_add(response, MHD_HTTP_HEADER_CONTENT_TYPE, type);
    }
    return response;
}

struct MHD_Response *kz_reply_nothing(void) {
    return from_text("", 0, MHD_RESPMEM_PERSISTENT, NULL);
}

static void add_api_headers(struct MHD_Response *response, const kz_reply_answer *answer) {
    char etag[64];
    if (answer->tag) {
        /* The same answer may go out compressed or not: a weak tag. */
        snprintf(etag, sizeof etag, "W/\"%s\"", answer->tag);
        kz_reply_add(response, MHD_HTTP_HEADER_ETAG, etag);
        kz_reply_add(response, MHD_HTTP_HEADER_CACHE_CONTROL, "public, max-age=86400");
    } else {
        kz_reply_add(response, MHD_HTTP_HEADER_CACHE_CONTROL, "no-cache");
    }
    kz_reply_add(response, MHD_HTTP_HEADER_VARY, MHD_HTTP_HEADER_ACCEPT_ENCODING);
    if (answer->compressed) {
        kz_reply_add(response, MHD_HTTP_HEADER_CONTENT_ENCODING, "gzip");
    }
    if (answer->status == MHD_HTTP_METHOD_NOT_ALLOWED && answer->allow) {
        kz_reply_add(response, MHD_HTTP_HEADER_ALLOW, answer->allow);
    }
    if (strncmp(answer->type, "text/html", 9) == 0) {
        kz_reply_add_page_headers(response);
    } else if (strcmp(answer->type, "application/json") != 0) {
        /* An image that is opened as a page of its own may do nothing at all. */
        kz_reply_add(response, "Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'; sandbox");
    }
}

static enum MHD_Result send_answer(kz_reply *reply, const kz_reply_answer *answer, enum MHD_ResponseMemoryMode mode) {
    bool known = answer->status == MHD_HTTP_OK && answer->tag && kz_reply_is_known(reply, answer->tag);
    struct MHD_Response *response =
        known ? kz_reply_nothing() : from_text(answer->body, answer->length, mode, answer->type);
    if (response) {
        add_api_headers(response, answer);
    }
    return kz_reply_send(reply, known ? MHD_HTTP_NOT_MODIFIED : answer->status, response, known ? 0 : answer->length);
}

enum MHD_Result kz_reply_api(kz_reply *reply, const kz_reply_answer *answer) {
    return send_answer(reply, answer, MHD_RESPMEM_PERSISTENT);
}

bool kz_reply_is_known(const kz_reply *reply, const char *tag) {
    const char *list = MHD_lookup_connection_value(reply->connection, MHD_HEADER_KIND, MHD_HTTP_HEADER_IF_NONE_MATCH);
    return list && (strcmp(list, "*") == 0 || strstr(list, tag) != NULL);
}

enum MHD_Result kz_reply_error(kz_reply *reply, const kz_refusal *refusal) {
    kz_problem problem = {.code = NULL};
    kz_json json = {.text = NULL};
    size_t length;
    kz_refuse(&problem, KZ_ERR_INPUT, refusal->code, "%s", refusal->message);
    if (refusal->most > 0) {
        kz_json_unsigned(kz_problem_params(&problem), "most", refusal->most);
    }
    problem.http_status = (int)refusal->status;
    kz_problem_write(&problem, &json);
    char *body = kz_json_take(&json, &length);
    /* The response frees the body. */
    const kz_reply_answer answer = {
        .status = refusal->status, .type = "application/json", .body = body, .length = length, .allow = refusal->allow};
    return body ? send_answer(reply, &answer, MHD_RESPMEM_MUST_FREE) : MHD_NO;
}

enum MHD_Result kz_reply_options(kz_reply *reply, const char *allow) {
    struct MHD_Response *response = kz_reply_nothing();
    if (response) {
        kz_reply_add(response, MHD_HTTP_HEADER_ALLOW, allow);
        kz_reply_add(response, "Access-Control-Allow-Methods", allow);
        kz_reply_add(response, "Access-Control-Allow-Headers", "Content-Type, Range, If-None-Match, If-Range");
        kz_reply_add(response, "Access-Control-Max-Age", "86400");
    }
    return kz_reply_send(reply, MHD_HTTP_NO_CONTENT, response, 0);
}

/* ---- The page and its files ------------------------------------------------------------------------------------ */

/* The page may load its own files and WebAssembly, and no script, style or image from other hosts. It may read from
 * other hosts, because a person can name a table there. Other pages may not embed it or keep a reference to its window.
 */
void kz_reply_add_page_headers(struct MHD_Response *response) {
    kz_reply_add(response, "Content-Security-Policy",
                 "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; img-src 'self' blob:; "
                 "connect-src 'self' https: http://localhost:* http://127.0.0.1:*; worker-src 'self'; manifest-src "
                 "'self'; base-uri 'none'; form-action 'none'; "
                 "frame-ancestors 'none'");
    kz_reply_add(response, "Referrer-Policy", "no-referrer");
    kz_reply_add(response, "Cross-Origin-Opener-Policy", "same-origin");
    kz_reply_add(response, "Permissions-Policy", "camera=(), geolocation=(), microphone=()");
}

enum MHD_Result kz_reply_note(kz_reply *reply) {
    static const char form[] =
        "<!DOCTYPE html>\n"
        "<html lang=\"en\">\n"
        "<meta charset=\"utf-8\">\n"
        "<meta name=\"viewport\" content=\"width=device-width\">\n"
        "<title>Kanzen</title>\n"
        "<h1>Kanzen</h1>\n"
        "<p>The server answers questions about positions, but it was started without the page that shows them. "
        "<code>make site</code> in the source of Kanzen builds the page, and <code>kanzen serve --site "
        "build/site</code> "
        "serves it.</p>\n"
        "<ul>\n"
        "<li><a href=\"/api/v1/games\">/api/v1/games</a>: the games</li>\n"
        "<li><a href=\"/api/v1/%s/position\">/api/v1/%s/position</a>: the start of %s</li>\n"
        "<li><a href=\"/api/v1/openapi.json\">/api/v1/openapi.json</a>: everything that can be asked</li>\n"
        "</ul>\n"
        "</html>\n";
    const kz_game *game = kz_game_at(0);
    char page[sizeof form + 256];
    int length = snprintf(page, sizeof page, form, kz_game_name(game), kz_game_name(game), kz_game_title(game));
    size_t size = length < (int)sizeof page ? (size_t)length : sizeof page - 1;
    struct MHD_Response *response = from_text(page, size, MHD_RESPMEM_MUST_COPY, "text/html; charset=utf-8");
    if (response) {
        kz_reply_add_page_headers(response);
    }
    return kz_reply_send(reply, MHD_HTTP_OK, response, size);
}
