/* SPDX-License-Identifier: MIT
 *
 * Answers on their way out: JSON, errors, files, with the headers that each of them has. */
#ifndef KZ_SERVER_REPLY_H
#define KZ_SERVER_REPLY_H

#include "server/site.h"

#include <microhttpd.h>
#include <stdint.h>

/* How many bytes the answer has is for the caller to know, so that a slow reader is given enough time. */
typedef struct kz_reply {
    struct MHD_Connection *connection;
    bool head; /* nobody wants the body */
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

/* {"error": {"status", "code", "params", "message"}}, as src/api writes it; docs/api.md lists the codes. */
enum MHD_Result kz_reply_error(kz_reply *reply, const kz_refusal *refusal);

/* To OPTIONS: what pages from elsewhere may do here. */
enum MHD_Result kz_reply_options(kz_reply *reply, const char *allow);

/* A file, a part of it if the request asks for one, or that it has not changed. */
enum MHD_Result kz_reply_file(kz_reply *reply, const kz_site_file *file);

/* For / when there is no page. */
enum MHD_Result kz_reply_note(kz_reply *reply);

/* What the calls above are made of. */
void kz_reply_add(struct MHD_Response *response, const char *name, const char *value);
void kz_reply_add_page_headers(struct MHD_Response *response);
struct MHD_Response *kz_reply_nothing(void);
/* `response` may be NULL: no memory. */
enum MHD_Result kz_reply_send(kz_reply *reply, unsigned status, struct MHD_Response *response, uint64_t bytes);

#endif
