/* SPDX-License-Identifier: MIT
 *
 * A request on its way through the server, and what all requests share. */
#ifndef KZ_SERVER_REQUEST_H
#define KZ_SERVER_REQUEST_H

#include "server/budget.h"
#include "server/lane.h"
#include "server/reply.h"
#include "server/site.h"
#include "server/watch.h"

#include "server/server.h"
#include <kanzen/api.h>
#include <stdatomic.h>

/* What a client may ask of the server's memory and patience. */
enum {
    KZ_MOST_TARGET_BYTES = 8192,       /* of the path with the query */
    KZ_MOST_HEADER_BYTES = 16384,      /* of the first line and all headers */
    KZ_CONNECTION_BYTES = 32768,       /* for everything before the body; more is refused by the library itself */
    KZ_MOST_BODY_BYTES = 1 << 20,      /* more is not kept */
    KZ_MOST_THROWN_AWAY = 4 << 20,     /* of a body that is too long: then the connection is cut */
    KZ_MOST_HELD_BYTES = 128 << 20,    /* of all bodies, and all answers that are not small, together */
    KZ_COMPRESSED_FROM = 1400,         /* bytes on: a smaller answer fits into a packet as it is */
    KZ_SMALL_ANSWER_BYTES = 16 << 10,  /* an answer up to here is not counted: every connection can have one */
    KZ_MOST_PARAMETERS = 64,           /* of a query that the library takes apart; it has room for a few hundred */
    KZ_PATIENCE_SECONDS = 40,          /* from the end of the last request to the end of this one, unless said */
    KZ_SLOWEST_BYTES_A_SECOND = 16384, /* at which a client has to take its answer, after its patience */
};

/* How long a connection may be silent, as a share of the patience with its request. */
static const double kz_idle_share = 0.75;

/* What requests need of the server. */
typedef struct kz_service {
    kz_api *api;
    kz_site *site;
    kz_watch *watch;
    kz_lane *table_lane;
    kz_lane *search_lane;
    kz_budget budget;
    double patience;      /* seconds that a client has for a request */
    atomic_int busy;      /* requests that are not over */
    atomic_bool stopping; /* every answer is the last of its connection */
} kz_service;

typedef enum kz_stage {
    KZ_STAGE_NEW,
    KZ_STAGE_READING, /* the headers are read, the body comes */
    KZ_STAGE_READY,   /* all has come, and a lane should have it */
    KZ_STAGE_ASKED,   /* a lane has it, and the connection is suspended */
    KZ_STAGE_ANSWERED
} kz_stage;

typedef struct kz_request {
    kz_job job; /* the first member: a lane gives it back */
    kz_service *service;
    struct MHD_Connection *connection;
    kz_stage stage;
    bool post;
    kz_lane *lane; /* that it is for; NULL: none */
    bool refused;  /* by the lane */
    char *body;    /* NULL: none has come, or there was no memory for it */
    size_t body_length, body_room;
    bool body_dropped; /* there was no memory for it */
    size_t held;       /* bytes of the budget */
    kz_api_answer answer;
    char tag[KZ_API_TAG_BYTES]; /* empty: none */
    bool accepts_gzip;
    bool compressed; /* the answer */
    bool target_too_long;
    bool chunked;      /* the body comes in chunks */
    const char *query; /* NULL: none */
    char path[];       /* up to the question mark; the query is behind it */
} kz_request;

/* The library's callbacks. `service` is a kz_service. */
void *kz_request_begin(void *service, const char *target, struct MHD_Connection *connection);
enum MHD_Result kz_request_go_on(void *service, struct MHD_Connection *connection, const char *url, const char *method,
                                 const char *version, const char *data, size_t *size, void **own);
void kz_request_over(void *service, struct MHD_Connection *connection, void **own,
                     enum MHD_RequestTerminationCode reason);

/* Of the lanes. */
bool kz_request_work(kz_job *job);
void kz_request_worked(kz_job *job);

#endif
