/* SPDX-License-Identifier: MIT
 *
 * The analyzer over HTTP: the answers of kanzen/api.h, the files of the web page, and the tables themselves for
 * programs that look positions up on their own. docs/api.md describes the requests. The server is a part of the command
 * and not of the library, so that the library does not depend on what the server needs. */
#ifndef KZ_SERVER_SERVER_H
#define KZ_SERVER_SERVER_H

#include <kanzen/remote.h>

typedef struct kz_server kz_server;

/* A table that answers come from. It stays the caller's, and open as long as the server. Its file is served as
 * /tables/GAME-RULES.kzt, and /tables/index.json lists these files (docs/format-manifest.md). One whose path is a URL
 * is not served. */
typedef kz_published_table kz_server_table;

typedef struct kz_server_options {
    const char *address; /* to listen at; NULL: 127.0.0.1, which only this machine can reach */
    int port;            /* 0: any that is free */
    int threads;         /* 0: one for each processor */
    int connections;     /* at the same time; others wait until one ends. 0: 4,000, or as many as may have files open */
    int per_address;     /* connections that one address may have at the same time; more are closed. 0: any number */
    double patience;     /* seconds that a client has for sending a request; less when it is crowded. 0: 40 */
    const char *site;    /* the folder with the page; NULL: only a note that says where the API is */
    const kz_server_table *tables;
    size_t table_count;
} kz_server_options;

/* Whether there is a server in this program: it takes libmicrohttpd when it is built. */
bool kz_server_possible(void);

/* Begins to answer, in threads of its own. Which files there are is found out now, once: a file that is added to the
 * folder later is not served. KZ_ERR_IO: the address is taken, or the folder can't be read. KZ_ERR_INPUT: more
 * connections than may have files open. KZ_ERR_UNSUPPORTED: this build has no server. */
kz_status kz_server_open(const kz_server_options *options, kz_server **opened, kz_error *error);

/* Where it listens, as the beginning of an address for a browser: "http://127.0.0.1:8080". */
const char *kz_server_url(const kz_server *server);

/* Accepts nothing more, lets what is being worked on come to an end, and closes all connections: within about a second.
 * NULL is fine. */
void kz_server_close(kz_server *server);

#endif
