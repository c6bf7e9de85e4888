/* SPDX-License-Identifier: MIT
 *
 * The state of one request, and what all requests share. */
#ifndef KZ_SERVER_REQUEST_H
#define KZ_SERVER_REQUEST_H

#include "app/api/question.h"
#include "app/server/budget.h"
#include "app/server/lane.h"
#include "app/server/reply.h"
#include "app/server/site.h"
#include "app/server/watch.h"

#include "app/server/server.h"
#include <stdatomic.h>

/* Limits on the memory and time that a client can use. */
enum {
    KZ_MOST_TARGET_BYTES = 8192,       /* path and query together */
    KZ_MOST_HEADER_BYTES = 16384,      /* first line and all headers */
    KZ_CONNECTION_BYTES = 32768,       /* the library's buffer for everything before the body */
    KZ_MOST_BODY_BYTES = 1 << 20,      /* a longer body is refused with 413 */
    KZ_MOST_THROWN_AWAY = 4 << 20,     /* a connection is cut after so many bytes of a body that is too long */
    KZ_MOST_HELD_BYTES = 128 << 20,    /* all bodies and all large answers together */
    KZ_COMPRESSED_FROM = 1400,         /* smaller answers fit into one packet uncompressed */
    KZ_SMALL_ANSWER_BYTES = 16 << 10,  /* answers up to this size do not count against the budget */
    KZ_MOST_PARAMETERS = 64,           /* queries with more parameters are hidden from the library */
    KZ_PATIENCE_SECONDS = 40,          /* default time for one request, from the end of the one before */
    KZ_SLOWEST_BYTES_A_SECOND = 16384, /* a client that reads more slowly is cut when its time is over */
};

/* How long a connection may be silent, as a fraction of the time for a request. */
static const double kz_idle_share = 0.75;

/* What all requests share. */
typedef struct kz_service {
    kz_api *api;
    kz_site *site;
    kz_watch *watch;
    kz_lane *table_lane;
    kz_lane *search_lane;
    kz_budget budget;
    double patience;      /* seconds that a client has for one request */
    atomic_int busy;      /* the number of requests in progress */
    atomic_bool stopping; /* the server is being closed: connections end after their next answer */
} kz_service;

typedef enum kz_stage {
    KZ_STAGE_NEW,
    KZ_STAGE_READING, /* the headers have been read, the body is being read */
    KZ_STAGE_READY,   /* the request is complete and waits to be given to a lane */
    KZ_STAGE_ASKED,   /* a lane has it, and the connection is suspended */
    KZ_STAGE_ANSWERED
} kz_stage;

typedef struct kz_request {
    kz_job job; /* must be the first member: lanes pass a pointer to it */
    kz_service *service;
    struct MHD_Connection *connection;
    kz_stage stage;
    bool post;
    kz_lane *lane; /* the lane that works on it; NULL: none */
    bool refused;  /* the lane was full */
    char *body;    /* NULL: there is none, or it was dropped */
    size_t body_length, body_room;
    bool body_dropped;     /* the budget had no room for the body */
    size_t held;           /* bytes of the budget that this request has taken */
    kz_question *question; /* of the API; NULL: none */
    kz_api_answer answer;
    char tag[KZ_API_TAG_BYTES]; /* empty: none */
    bool accepts_gzip;
    bool compressed; /* the answer */
    bool target_too_long;
    bool chunked;      /* the body comes in chunks */
    const char *query; /* NULL: none */
    char path[];       /* without the query, which is stored behind it */
} kz_request;

/* The library's callbacks. `service` is a kz_service. */
void *kz_request_begin(void *service, const char *target, struct MHD_Connection *connection);
enum MHD_Result kz_request_go_on(void *service, struct MHD_Connection *connection, const char *url, const char *method,
                                 const char *version, const char *data, size_t *size, void **own);
void kz_request_over(void *service, struct MHD_Connection *connection, void **own,
                     enum MHD_RequestTerminationCode reason);

/* The callbacks of the lanes. */
bool kz_request_work(kz_job *job);
void kz_request_worked(kz_job *job);

#endif
