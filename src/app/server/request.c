/* SPDX-License-Identifier: MIT
 *
 * The order of things: the first line has come (kz_request_begin); the headers have come, the body comes, all has come
 * (kz_request_go_on, several calls); perhaps a lane works on it meanwhile, while the connection is suspended; the
 * answer was sent, or the connection ended (kz_request_over). */
#include "app/server/request.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char read_methods[] = "GET, HEAD, OPTIONS";
static const char post_methods[] = "POST, OPTIONS";
static const char all_methods[] = "GET, HEAD, POST, OPTIONS";

static kz_watched *watched(struct MHD_Connection *connection) {
    const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT);
    return info ? info->socket_context : NULL;
}

/* Whether a query has more parameters than any request of the API. */
static bool has_many_parameters(const char *query) {
    int count = 0;
    for (; query && count <= KZ_MOST_PARAMETERS; count++) {
        query = strchr(query, '&');
        query = query ? query + 1 : NULL;
    }
    return count > KZ_MOST_PARAMETERS;
}

/* The library takes the query apart when kz_request_begin returns, into the memory of the connection, and if that is
 * not enough, it never answers (libmicrohttpd 0.9.75). So it is not shown long ones; the API reads a copy. */
static void keep_from_library(const char *target, bool too_long) {
    const char *question = strchr(target, '?');
    if (question && (too_long || has_many_parameters(question + 1))) {
        ((char *)question)[1] = '\0';
    }
}

/* Takes so many bytes of the budget for the request in all, more or less than before. False: there is not enough left.
 */
static bool hold(kz_request *request, size_t bytes) {
    kz_budget *budget = &request->service->budget;
    if (bytes > request->held && !kz_budget_take(budget, bytes - request->held)) {
        return false;
    }
    if (bytes < request->held) {
        kz_budget_give(budget, request->held - bytes);
    }
    request->held = bytes;
    kz_watch_holds(watched(request->connection), bytes);
    return true;
}

void *kz_request_begin(void *service, const char *target, struct MHD_Connection *connection) {
    (void)connection;
    size_t length = strlen(target);
    bool too_long = length > KZ_MOST_TARGET_BYTES;
    if (too_long) {
        length = 0;
    }
    kz_request *request = calloc(1, sizeof *request + length + 1);
    if (!request) {
        return NULL;
    }
    request->service = service;
    request->connection = connection;
    request->target_too_long = too_long;
    memcpy(request->path, target, length);
    char *question = strchr(request->path, '?');
    if (question) {
        *question = '\0';
        request->query = question + 1;
    }
    keep_from_library(target, too_long);
    atomic_fetch_add(&request->service->busy, 1);
    return request;
}

void kz_request_over(void *service, struct MHD_Connection *connection, void **own,
                     enum MHD_RequestTerminationCode reason) {
    (void)service;
    (void)reason;
    kz_request *request = *own;
    if (request) {
        *own = NULL;
        double patience = request->service->patience;
        atomic_fetch_sub(&request->service->busy, 1);
        if (request->question) {
            kz_question_close(request->question);
            free(request->question);
        }
        kz_api_answer_free(&request->answer);
        free(request->body);
        hold(request, 0);
        free(request);
        kz_watch_allow(watched(connection), KZ_WAITS_ASKING, patience);
    }
}

/* ---- Answers --------------------------------------------------------------------------------------------------- */

/* A slow reader gets time in proportion to the size of its answer. */
static enum MHD_Result sent(kz_request *request, const kz_reply *reply, enum MHD_Result result) {
    request->stage = KZ_STAGE_ANSWERED;
    kz_watch_allow(watched(request->connection), KZ_WAITS_ANSWERED,
                   request->service->patience * kz_idle_share +
                       (double)reply->bytes / (double)KZ_SLOWEST_BYTES_A_SECOND);
    return result;
}

/* The library takes chunks whose lines end in a line feed alone, which a server in front of it may read in another way.
 * So nothing that follows such a body is ever taken for a request. */
static kz_reply reply_to(const kz_request *request) {
    bool last = request->chunked || atomic_load_explicit(&request->service->stopping, memory_order_relaxed);
    return (kz_reply){.connection = request->connection, .last = last};
}

static enum MHD_Result refuse(kz_request *request, kz_refusal refusal) {
    kz_reply reply = reply_to(request);
    return sent(request, &reply, kz_reply_error(&reply, &refusal));
}

static enum MHD_Result fail(kz_request *request, unsigned status, const char *code, const char *message) {
    return refuse(request, (kz_refusal){.status = status, .code = code, .message = message});
}

static enum MHD_Result too_busy(kz_request *request) {
    return fail(request, MHD_HTTP_SERVICE_UNAVAILABLE, "busy",
                "too many requests that take long are being answered; please try again");
}

/* The body is not needed any more. The answer counts in its place, if it is not a small one. */
static bool hold_answer(kz_request *request) {
    free(request->body);
    request->body = NULL;
    return hold(request, request->answer.length > KZ_SMALL_ANSWER_BYTES ? request->answer.length : 0);
}

/* Sends the answer of the API, which a lane or this thread has worked out. */
static enum MHD_Result answer(kz_request *request) {
    if (request->refused || request->body_dropped) {
        return too_busy(request);
    }
    if (request->job.given_up) {
        return fail(request, MHD_HTTP_SERVICE_UNAVAILABLE, "stopping", "the server is being stopped");
    }
    if (!hold_answer(request)) {
        kz_api_answer_free(&request->answer);
        hold(request, 0);
        return too_busy(request);
    }
    if (!request->answer.body) {
        return fail(request, MHD_HTTP_INTERNAL_SERVER_ERROR, "no_memory", "no memory");
    }
    kz_reply reply = reply_to(request);
    const kz_reply_answer sending = {
        .status = (unsigned)request->answer.status,
        .type = request->answer.type,
        .body = request->answer.body,
        .length = request->answer.length,
        .allow = request->post ? read_methods : post_methods,
        .compressed = request->compressed,
        .tag = request->answer.status == MHD_HTTP_OK && request->tag[0] ? request->tag : NULL,
    };
    return sent(request, &reply, kz_reply_api(&reply, &sending));
}

/* The body is read later, and by another thread. */
static kz_api_request request_of(const kz_request *request) {
    return (kz_api_request){.path = request->path, .query = request->query, .post = request->post};
}

/* What the address of this server begins with, as the client wrote it; "" if that can't be told. A server in front of
 * this one says whether it was reached over TLS. */
static void find_base(kz_request *request, char *base, size_t size) {
    const char *host = MHD_lookup_connection_value(request->connection, MHD_HEADER_KIND, MHD_HTTP_HEADER_HOST);
    const char *scheme = MHD_lookup_connection_value(request->connection, MHD_HEADER_KIND, "X-Forwarded-Proto");
    bool secure = scheme && strcmp(scheme, "https") == 0;
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-.:[]";
    bool good = host && *host && host[strspn(host, plain)] == '\0' &&
                snprintf(base, size, "http%s://%s", secure ? "s" : "", host) < (int)size;
    if (!good) {
        base[0] = '\0';
    }
}

/* A link that is shown with a preview. */
static enum MHD_Result answer_preview(kz_request *request) {
    enum { BASE_BYTES = 280 }; /* names of hosts have up to 253 characters */
    char base[BASE_BYTES];
    const kz_api_request asked = request_of(request);
    find_base(request, base, sizeof base);
    kz_api_preview(request->service->api, &asked, base, &request->answer);
    return answer(request);
}

static enum MHD_Result answer_file(kz_request *request, bool head) {
    const kz_site_file *file = kz_site_find(request->service->site, request->path);
    kz_reply reply = reply_to(request);
    reply.head = head;
    if (file) {
        return sent(request, &reply, kz_reply_file(&reply, file));
    }
    if (strcmp(request->path, "/") == 0) {
        return sent(request, &reply, kz_reply_note(&reply));
    }
    return fail(request, MHD_HTTP_NOT_FOUND, "not_found",
                "there is nothing here; /api/v1/openapi.json lists what can be asked");
}

/* ---- Questions ------------------------------------------------------------------------------------------------- */

/* Answers are texts that repeat themselves: the fastest level makes them five times smaller. */
static void compress_answer(kz_request *request) {
    kz_api_answer *answer = &request->answer;
    size_t size;
    char *compressed = kz_gzip(answer->body, answer->length, KZ_GZIP_FAST, &size);
    if (compressed) {
        free(answer->body);
        answer->body = compressed;
        answer->length = size;
        request->compressed = true;
    }
}

static void ask(kz_request *request) {
    kz_question_answer(request->question, &request->answer);
    if (request->accepts_gzip && request->answer.body && request->answer.length >= KZ_COMPRESSED_FROM) {
        compress_answer(request);
    }
}

/* A body is read here and not in the library's threads. What it says may make the request a search. */
bool kz_request_work(kz_job *job) {
    kz_request *request = (kz_request *)job;
    kz_service *service = request->service;
    kz_question_read_body(request->question, request->body ? request->body : "",
                          request->body ? request->body_length : 0);
    if (request->lane == service->table_lane && request->post && kz_question_cost(request->question) == KZ_API_SEARCH) {
        request->lane = service->search_lane;
        if (kz_lane_add(service->search_lane, job)) {
            return false;
        }
        request->refused = true;
        return true;
    }
    ask(request);
    return true;
}

void kz_request_worked(kz_job *job) { MHD_resume_connection(((kz_request *)job)->connection); }

/* The client has the answer already: a tag is only sent with good ones. */
static bool knows_answer(const kz_request *request) {
    const kz_reply reply = reply_to(request);
    return kz_reply_is_known(&reply, request->tag);
}

static enum MHD_Result answer_known(kz_request *request) {
    kz_reply reply = reply_to(request);
    const kz_reply_answer known = {.status = MHD_HTTP_OK, .type = "application/json", .tag = request->tag};
    return sent(request, &reply, kz_reply_api(&reply, &known));
}

static enum MHD_Result answer_question(kz_request *request) {
    kz_service *service = request->service;
    const kz_api_request asked = request_of(request);
    request->question = malloc(sizeof *request->question);
    if (!request->question) {
        return fail(request, MHD_HTTP_INTERNAL_SERVER_ERROR, "no_memory", "no memory");
    }
    kz_question_open(request->question, service->api, &asked);
    if (kz_question_tag(request->question, &asked, request->tag) && knows_answer(request)) {
        return answer_known(request);
    }
    kz_api_cost cost = request->body_dropped ? KZ_API_AT_ONCE : kz_question_cost(request->question);
    if (cost == KZ_API_AT_ONCE) {
        if (!request->body_dropped) {
            ask(request);
        }
        return answer(request);
    }
    request->lane = cost == KZ_API_SEARCH ? service->search_lane : service->table_lane;
    /* Do not suspend the connection yet. The library would read from it after it was resumed, and if the client has
     * closed its side by then, the library would end the connection without sending the answer. If nothing is queued
     * here, the library knows that the request is complete and calls again at once; then it does not read. */
    request->stage = KZ_STAGE_READY;
    return MHD_YES;
}

static enum MHD_Result hand_over(kz_request *request) {
    request->stage = KZ_STAGE_ASKED;
    /* Suspend first: the lane may finish before kz_lane_add returns. */
    MHD_suspend_connection(request->connection);
    if (!kz_lane_add(request->lane, &request->job)) {
        request->refused = true;
        MHD_resume_connection(request->connection);
    }
    return MHD_YES;
}

/* ---- Requests --------------------------------------------------------------------------------------------------- */

static bool is_question(const char *path) { return strncmp(path, "/api/", 5) == 0 || strcmp(path, "/healthz") == 0; }

static enum MHD_Result route(kz_request *request, const char *method) {
    bool question = is_question(request->path);
    bool head = strcmp(method, MHD_HTTP_METHOD_HEAD) == 0;
    request->post = strcmp(method, MHD_HTTP_METHOD_POST) == 0;
    if (strcmp(method, MHD_HTTP_METHOD_OPTIONS) == 0) {
        kz_reply reply = reply_to(request);
        return sent(request, &reply, kz_reply_options(&reply, question ? all_methods : read_methods));
    }
    if (!(head || strcmp(method, MHD_HTTP_METHOD_GET) == 0 || (question && request->post))) {
        return refuse(request, (kz_refusal){
                                   .status = MHD_HTTP_METHOD_NOT_ALLOWED,
                                   .code = "wrong_method",
                                   .message = question ? "only GET, HEAD, POST and OPTIONS are possible here"
                                                       : "only GET, HEAD and OPTIONS are possible here",
                                   .allow = question ? all_methods : read_methods,
                               });
    }
    if (kz_is_preview(request->path)) {
        return answer_preview(request);
    }
    return question ? answer_question(request) : answer_file(request, head);
}

static enum MHD_Result too_long(kz_request *request, unsigned status, const char *code, const char *message,
                                size_t most) {
    return refuse(request, (kz_refusal){.status = status, .code = code, .message = message, .most = most});
}

static enum MHD_Result body_too_long(kz_request *request) {
    return too_long(request, MHD_HTTP_CONTENT_TOO_LARGE, "body_too_long", "the body is longer than 1048576 bytes",
                    KZ_MOST_BODY_BYTES);
}

/* Checks the headers. MHD_YES without a response means that the request goes on. */
static enum MHD_Result check_headers(kz_request *request, const char *version) {
    request->stage = KZ_STAGE_READING;
    if (request->target_too_long) {
        return too_long(request, MHD_HTTP_URI_TOO_LONG, "address_too_long", "the address is longer than 8192 bytes",
                        KZ_MOST_TARGET_BYTES);
    }
    const union MHD_ConnectionInfo *info =
        MHD_get_connection_info(request->connection, MHD_CONNECTION_INFO_REQUEST_HEADER_SIZE);
    if (info && info->header_size > KZ_MOST_HEADER_BYTES) {
        return too_long(request, MHD_HTTP_REQUEST_HEADER_FIELDS_TOO_LARGE, "headers_too_long",
                        "the headers are longer than 16384 bytes", KZ_MOST_HEADER_BYTES);
    }
    unsigned status;
    const char *wrong = kz_headers_check(request->connection, version, &status);
    if (wrong) {
        return fail(request, status, "bad_headers", wrong);
    }
    request->chunked =
        MHD_lookup_connection_value(request->connection, MHD_HEADER_KIND, MHD_HTTP_HEADER_TRANSFER_ENCODING) != NULL;
    request->accepts_gzip = kz_gzip_is_accepted(
        MHD_lookup_connection_value(request->connection, MHD_HEADER_KIND, MHD_HTTP_HEADER_ACCEPT_ENCODING));
    const char *length =
        MHD_lookup_connection_value(request->connection, MHD_HEADER_KIND, MHD_HTTP_HEADER_CONTENT_LENGTH);
    unsigned long long announced = length ? strtoull(length, NULL, 10) : 0;
    if (announced > KZ_MOST_BODY_BYTES) {
        return body_too_long(request);
    }
    /* This only asks whether there is room. Memory is taken when the body comes, not when it is announced. */
    const kz_budget *budget = &request->service->budget;
    return announced + kz_budget_used(budget) > budget->most ? too_busy(request) : MHD_YES;
}

/* Makes room for so many bytes of the body. False: there is no memory, or too much is held already. */
static bool make_room(kz_request *request, size_t bytes) {
    if (bytes <= request->body_room) {
        return true;
    }
    size_t room = bytes < 2048 ? 4096 : 2 * bytes;
    room = room < KZ_MOST_BODY_BYTES ? room : KZ_MOST_BODY_BYTES;
    if (!hold(request, room)) {
        return false;
    }
    char *body = realloc(request->body, room);
    if (!body) {
        return false;
    }
    request->body = body;
    request->body_room = room;
    return true;
}

static void drop_body(kz_request *request) {
    free(request->body);
    request->body = NULL;
    request->body_room = 0;
    hold(request, 0);
}

/* Keeps the body up to its limit and counts the rest: the library takes an answer only when the body has ended. */
static enum MHD_Result take_body(kz_request *request, const char *data, size_t size) {
    size_t total = request->body_length + size;
    if (total > KZ_MOST_THROWN_AWAY) {
        return MHD_NO;
    }
    if (total > KZ_MOST_BODY_BYTES) {
        drop_body(request);
    } else if (!request->body_dropped) {
        request->body_dropped = !make_room(request, total);
        if (request->body_dropped) {
            drop_body(request);
        } else {
            memcpy(request->body + request->body_length, data, size);
        }
    }
    request->body_length = total;
    return MHD_YES;
}

enum MHD_Result kz_request_go_on(void *service, struct MHD_Connection *connection, const char *url, const char *method,
                                 const char *version, const char *data, size_t *size, void **own) {
    (void)service;
    (void)connection;
    (void)url;
    kz_request *request = *own;
    if (!request) {
        return MHD_NO;
    }
    switch (request->stage) {
    case KZ_STAGE_NEW:
        return check_headers(request, version);
    case KZ_STAGE_READING:
        if (*size > 0) {
            enum MHD_Result result = take_body(request, data, *size);
            *size = 0;
            return result;
        }
        if (request->body_length > KZ_MOST_BODY_BYTES) {
            return body_too_long(request);
        }
        kz_watch_allow(watched(connection), KZ_WAITS_WORKING, 0);
        return route(request, method);
    case KZ_STAGE_READY:
        return hand_over(request);
    case KZ_STAGE_ASKED:
        return answer(request);
    case KZ_STAGE_ANSWERED:
        /* This drops the rest of a body that was refused. */
        *size = 0;
        return MHD_YES;
    }
    return MHD_NO;
}
