/* SPDX-License-Identifier: MIT
 *
 * Starting and stopping: the socket, the HTTP library with its threads, the lanes and the list of files. */
#include "app/server/request.h"
#include "base/error.h"

#include <errno.h>
#include <kanzen/system.h>
#include <netdb.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum {
    DEFAULT_CONNECTIONS = 4000,
    MOST_TABLE_JOBS_WAITING = 256,
    MOST_SEARCHES_WAITING = 8,
    OTHER_FILES = 64, /* that are open: tables, standard streams, and some to spare */
    FILES_OF_THREAD = 4,
    BACKLOG = 4096,
    PORT_BYTES = 16,
    URL_BYTES = 128,
};

/* In a crowd clients get this share of the patience for a request, and this one when hardly a place is left. */
static const double crowd_patience_share = 0.125, full_patience_share = 0.0125;

/* The time limit of a search. A server that is stopped waits for running searches, which should take less than a
 * second. */
static const double seconds_for_work = 0.7;
/* For answers that are being sent when the server stops, at most; and for requests that have come and are not read
 * yet, at least. */
static const double seconds_for_answers = 0.5, seconds_for_requests = 0.05;

struct kz_server {
    kz_service service;
    struct MHD_Daemon *daemon;
    int listening;
    char url[URL_BYTES];
};

/* ---- The socket ------------------------------------------------------------------------------------------------ */

/* -1 with errno: it can't be done. */
static int listen_at(const struct addrinfo *place) {
    int descriptor = socket(place->ai_family, place->ai_socktype | SOCK_CLOEXEC | SOCK_NONBLOCK, place->ai_protocol);
    if (descriptor < 0) {
        return -1;
    }
    /* A server that was stopped a moment ago is no reason to refuse; one that still runs is. */
    int yes = 1;
    setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
    if (bind(descriptor, place->ai_addr, place->ai_addrlen) != 0 || listen(descriptor, BACKLOG) != 0) {
        int code = errno;
        close(descriptor);
        errno = code;
        return -1;
    }
    return descriptor;
}

static kz_status describe(int descriptor, char url[URL_BYTES], kz_error *error) {
    struct sockaddr_storage bound;
    socklen_t length = sizeof bound;
    char host[NI_MAXHOST], port[PORT_BYTES];
    if (getsockname(descriptor, (struct sockaddr *)&bound, &length) != 0 ||
        getnameinfo((struct sockaddr *)&bound, length, host, sizeof host, port, sizeof port,
                    NI_NUMERICHOST | NI_NUMERICSERV) != 0) {
        return kz_fail_errno(error, KZ_ERR_IO, errno, "can't tell the address of the server");
    }
    snprintf(url, URL_BYTES, strchr(host, ':') ? "http://[%.64s]:%s" : "http://%.64s:%s", host, port);
    return KZ_OK;
}

/* Listens on an address (a number or a name) and a port (0: any free port). `url` gets the address for a browser. */
static kz_status open_socket(const char *address, int port, int *listening, char url[URL_BYTES], kz_error *error) {
    char service[PORT_BYTES];
    snprintf(service, sizeof service, "%d", port);
    struct addrinfo hints = {.ai_socktype = SOCK_STREAM, .ai_flags = AI_PASSIVE | AI_NUMERICSERV};
    struct addrinfo *places = NULL;
    *listening = -1;
    int code = getaddrinfo(address, service, &hints, &places);
    if (code != 0) {
        return kz_fail(error, KZ_ERR_IO, "can't listen at %s: %s", address, gai_strerror(code));
    }
    for (const struct addrinfo *place = places; place && *listening < 0; place = place->ai_next) {
        *listening = listen_at(place);
    }
    code = errno;
    freeaddrinfo(places);
    if (*listening < 0) {
        return kz_fail_errno(error, KZ_ERR_IO, code, "can't listen at %s, port %d", address, port);
    }
    kz_status status = describe(*listening, url, error);
    if (status != KZ_OK) {
        close(*listening);
        *listening = -1;
    }
    return status;
}

/* ---- Starting -------------------------------------------------------------------------------------------------- */

/* The library calls this when a connection begins and when it ends. */
static void notice_connection(void *own, struct MHD_Connection *connection, void **context,
                              enum MHD_ConnectionNotificationCode what) {
    kz_service *service = own;
    if (what == MHD_CONNECTION_NOTIFY_STARTED) {
        const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
        kz_watched *watched = info ? kz_watch_add(service->watch, info->connect_fd) : NULL;
        kz_watch_allow(watched, KZ_WAITS_ASKING, service->patience);
        *context = watched;
    } else {
        kz_watch_forget(service->watch, *context);
        *context = NULL;
    }
}

static kz_status open_site(kz_service *service, const kz_server_options *options, kz_error *error) {
    KZ_TRY(kz_site_new(&service->site, error));
    if (options->site) {
        KZ_TRY(kz_site_add_folder(service->site, options->site, error));
    }
    KZ_TRY(kz_offer_tables(service->site, options, error));
    kz_site_sort(service->site);
    return KZ_OK;
}

static kz_status open_api(kz_service *service, const kz_server_options *options, kz_error *error) {
    service->api = kz_api_new();
    if (!service->api) {
        return kz_fail(error, KZ_ERR_MEMORY, "no memory for the server");
    }
    kz_api_limit(service->api, seconds_for_work);
    for (size_t i = 0; i < options->table_count; i++) {
        KZ_TRY(kz_api_use(service->api, options->tables[i].table, error));
    }
    return KZ_OK;
}

static kz_status open_lanes(kz_service *service, int threads, kz_error *error) {
    const kz_job_calls calls = {kz_request_work, kz_request_worked};
    KZ_TRY(kz_lane_open(threads, MOST_TABLE_JOBS_WAITING, calls, &service->table_lane, error));
    /* A search has threads of its own, so two at a time keep any machine busy. */
    return kz_lane_open(2, MOST_SEARCHES_WAITING, calls, &service->search_lane, error);
}

/* How many connections there are room for: each is an open file, and the file that it may be sent is another one. */
static kz_status choose_connections(const kz_service *service, int wanted, int threads, int *connections,
                                    kz_error *error) {
    struct rlimit limit = {.rlim_cur = RLIM_INFINITY};
    *connections = wanted > 0 ? wanted : DEFAULT_CONNECTIONS;
    (void)getrlimit(RLIMIT_NOFILE, &limit);
    size_t others = kz_site_count(service->site) + OTHER_FILES + FILES_OF_THREAD * (size_t)threads;
    if (limit.rlim_cur == RLIM_INFINITY || limit.rlim_cur >= others + 2 * (size_t)*connections) {
        return KZ_OK;
    }
    if (wanted > 0 || limit.rlim_cur < others + 2) {
        return kz_fail(error, KZ_ERR_INPUT,
                       "%d connections need up to %zu open files, and the limit is %llu (ulimit -n)", *connections,
                       others + 2 * (size_t)*connections, (unsigned long long)limit.rlim_cur);
    }
    *connections = (int)((limit.rlim_cur - others) / 2);
    return KZ_OK;
}

static kz_status open_watch(kz_service *service, int connections, kz_error *error) {
    const kz_watch_options options = {
        .places = connections,
        .crowd_seconds = service->patience * crowd_patience_share,
        .full_seconds = service->patience * full_patience_share,
        .slowest = KZ_SLOWEST_BYTES_A_SECOND,
        .budget = &service->budget,
    };
    return kz_watch_open(&options, &service->watch, error);
}

static kz_status open_daemon(kz_server *server, int threads, int connections, int per_address, kz_error *error) {
    unsigned flags = MHD_USE_EPOLL_INTERNAL_THREAD | MHD_ALLOW_SUSPEND_RESUME | MHD_USE_ITC;
    kz_service *service = &server->service;
    unsigned idle = (unsigned)(service->patience * kz_idle_share + 0.5);
    idle = idle > 0 ? idle : 1;
    server->daemon = MHD_start_daemon(flags, 0, NULL, NULL, kz_request_go_on, service,                 /* */
                                      MHD_OPTION_LISTEN_SOCKET, server->listening,                     /* */
                                      MHD_OPTION_URI_LOG_CALLBACK, kz_request_begin, service,          /* */
                                      MHD_OPTION_NOTIFY_COMPLETED, kz_request_over, service,           /* */
                                      MHD_OPTION_NOTIFY_CONNECTION, notice_connection, service,        /* */
                                      MHD_OPTION_THREAD_POOL_SIZE, (unsigned)threads,                  /* */
                                      MHD_OPTION_CONNECTION_LIMIT, (unsigned)connections,              /* */
                                      MHD_OPTION_PER_IP_CONNECTION_LIMIT, (unsigned)per_address,       /* */
                                      MHD_OPTION_CONNECTION_TIMEOUT, idle,                             /* */
                                      MHD_OPTION_CONNECTION_MEMORY_LIMIT, (size_t)KZ_CONNECTION_BYTES, /* */
                                      MHD_OPTION_END);
    return server->daemon ? KZ_OK : kz_fail_errno(error, KZ_ERR_IO, errno, "can't start the server");
}

bool kz_server_possible(void) { return true; }

static kz_status open_all(kz_server *server, const kz_server_options *options, kz_error *error) {
    int threads = options->threads > 0 ? options->threads : kz_processor_count();
    int connections = 0;
    kz_service *service = &server->service;
    KZ_TRY(open_api(service, options, error));
    KZ_TRY(open_site(service, options, error));
    KZ_TRY(choose_connections(service, options->connections, threads, &connections, error));
    threads = threads < connections ? threads : connections; /* each has its part of them, at least one */
    KZ_TRY(open_watch(service, connections, error));
    KZ_TRY(open_lanes(service, threads, error));
    KZ_TRY(open_socket(options->address ? options->address : "127.0.0.1", options->port, &server->listening,
                       server->url, error));
    return open_daemon(server, threads, connections, options->per_address, error);
}

kz_status kz_server_open(const kz_server_options *options, kz_server **opened, kz_error *error) {
    *opened = NULL;
    kz_server *server = calloc(1, sizeof *server);
    if (!server) {
        return kz_fail(error, KZ_ERR_MEMORY, "no memory for the server");
    }
    server->service.budget.most = KZ_MOST_HELD_BYTES;
    server->service.patience = options->patience > 0 ? options->patience : KZ_PATIENCE_SECONDS;
    server->listening = -1;
    kz_status status = open_all(server, options, error);
    if (status != KZ_OK) {
        kz_server_close(server);
        return status;
    }
    *opened = server;
    return KZ_OK;
}

const char *kz_server_url(const kz_server *server) { return server->url; }

/* ---- Stopping -------------------------------------------------------------------------------------------------- */

/* Returns when all requests that have come are answered. */
static void wait_for_answers(kz_service *service) {
    const struct timespec pause = {.tv_nsec = 5000000};
    double begin = kz_seconds();
    double idle = begin; /* since when there is nothing to do */
    for (double now = begin; now < begin + seconds_for_answers && now < idle + seconds_for_requests;
         now = kz_seconds()) {
        if (atomic_load(&service->busy) > 0) {
            idle = now;
        }
        nanosleep(&pause, NULL);
    }
}

/* Accepts the connections that wait in the queue of the listening socket, so that their requests are answered, too. */
static void accept_the_rest(kz_server *server) {
    struct sockaddr_storage address;
    socklen_t length = sizeof address;
    int socket;
    while ((socket = accept4(server->listening, (struct sockaddr *)&address, &length, SOCK_CLOEXEC | SOCK_NONBLOCK)) >=
           0) {
        if (MHD_add_connection(server->daemon, socket, (struct sockaddr *)&address, length) != MHD_YES) {
            return; /* there is no place; the library has closed it */
        }
        length = sizeof address;
    }
}

void kz_server_close(kz_server *server) {
    if (!server) {
        return;
    }
    kz_service *service = &server->service;
    atomic_store(&service->stopping, true);
    if (server->daemon) {
        MHD_quiesce_daemon(server->daemon);
        accept_the_rest(server);
    }
    if (server->listening >= 0) {
        /* This refuses new connections. The library's threads may still use the socket; it is closed after they ended.
         */
        shutdown(server->listening, SHUT_RDWR);
    }
    /* The library can't stop while connections are suspended, so the lanes end first. */
    kz_lane_stop(service->table_lane);
    kz_lane_stop(service->search_lane);
    kz_lane_wait(service->table_lane);
    kz_lane_wait(service->search_lane);
    if (server->daemon) {
        wait_for_answers(service);
        MHD_stop_daemon(server->daemon);
    }
    if (server->listening >= 0) {
        close(server->listening);
    }
    kz_watch_close(service->watch);
    kz_site_free(service->site);
    kz_lane_free(service->search_lane);
    kz_lane_free(service->table_lane);
    kz_api_free(service->api);
    free(server);
}
