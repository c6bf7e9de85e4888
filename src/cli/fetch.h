/* SPDX-License-Identifier: MIT
 *
 * Files of a packet database on a web server, for packet_database.open_files (game_commands.h). */
#ifndef CLI_FETCH_H
#define CLI_FETCH_H

#include <kanzen/error.h>
#include <stdbool.h>
#include <stdint.h>

/* Whether a path is meant to be a URL: it has a scheme. */
bool is_url(const char *path);

struct fetch;

/* What the library that knows HTTP does: cli/curl, a module that is loaded for the first URL. */
struct fetch_calls {
    kz_status (*open)(struct fetch *fetch, const char *url, kz_error *error);
    void (*close)(struct fetch *fetch);
    kz_status (*get)(const struct fetch *fetch, const char *name, uint8_t *data, size_t most, size_t *size,
                     kz_error *error);
};
const struct fetch_calls *kz_module_fetch(void);

struct fetch {
    const struct fetch_calls *calls;
    char *base;   /* the URL, without a slash at the end */
    long seconds; /* that one file may take */
    void *handle; /* of the library: one connection serves all files */
};

/* Whether there is a library for it. */
bool fetch_possible(void);

/* Only http and https. KZ_ERR_UNSUPPORTED if there is no library for it. Close it after KZ_OK. */
kz_status fetch_open(struct fetch *fetch, const char *url, uint64_t seconds, kz_error *error);
void fetch_close(struct fetch *fetch);

/* The `get` of packet_database.open_files. */
kz_status fetch_file(void *user, const char *name, uint8_t *data, size_t most, size_t *size, kz_error *error);

#endif
