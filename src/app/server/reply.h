/* SPDX-License-Identifier: MIT
 *
 * Builds and queues HTTP responses: JSON, errors and files, each with its headers. */
#ifndef KZ_SERVER_REPLY_H
#define KZ_SERVER_REPLY_H

#include "app/server/site.h"

#include <microhttpd.h>
#include <stdint.h>

/* One response. The calls below set `bytes`, from which the caller derives how long a slow reader may take. */
typedef struct kz_reply {
    struct MHD_Connection *connection;
    bool head; /* the request was HEAD: the response has no body */
    bool last; /* the connection ends after this answer */
    uint64_t bytes;
} kz_reply;

/* Why the server itself, and not the API, refuses a request. */
typedef struct kz_refusal {
    unsigned status;
    const char *code;
    const char *message;
    const char *allow; /* the methods, for 405; else NULL */
    size_t most;       /* the limit that was passed; 0: none */
} kz_refusal;

/* An answer of the API. `body` has to stay where it is until the request is over. */
typedef struct kz_reply_answer {
    unsigned status;
    const char *type;
    const char *body;
    size_t length;
    const char *allow; /* the methods, for 405; may be NULL */
    const char *tag;   /* the name of the answer, for caches; NULL: it may change */
    bool compressed;   /* with gzip */
} kz_reply_answer;

enum MHD_Result kz_reply_api(kz_reply *reply, const kz_reply_answer *answer);

/* Whether the client has the answer with this tag already. */
bool kz_reply_is_known(const kz_reply *reply, const char *tag);

/* {"error": {"status", "code", "params", "message"}}, as src/app/api writes it; docs/api.md lists the codes. */
enum MHD_Result kz_reply_error(kz_reply *reply, const kz_refusal *refusal);

/* Answers OPTIONS: which methods pages of other origins may use. */
enum MHD_Result kz_reply_options(kz_reply *reply, const char *allow);

/* Sends a file, or a range of it, or 304 if the client has it already. */
enum MHD_Result kz_reply_file(kz_reply *reply, const kz_site_file *file);

/* Sends a short page for "/" when the server has no site. */
enum MHD_Result kz_reply_note(kz_reply *reply);

/* ---- Headers that are sent: headers.c -------------------------------------------------------------------------- */

/* Checks headers that the HTTP library accepts although they are ambiguous. If a proxy in front of this server read
 * them in another way, the two would disagree about where a request ends (request smuggling). Returns NULL if they are
 * fine, otherwise a message for the client; `status` gets the status of the answer. `version` is the HTTP version of
 * the request, "HTTP/1.1". */
const char *kz_headers_check(struct MHD_Connection *connection, const char *version, unsigned *status);

/* ---- Parts of answers ------------------------------------------------------------------------------------------ */

/* Building blocks of the calls above. */
void kz_reply_add(struct MHD_Response *response, const char *name, const char *value);
void kz_reply_add_page_headers(struct MHD_Response *response);
struct MHD_Response *kz_reply_nothing(void);
/* Queues a response and releases it. `response` may be NULL (out of memory): then this fails. */
enum MHD_Result kz_reply_send(kz_reply *reply, unsigned status, struct MHD_Response *response, uint64_t bytes);

#endif
