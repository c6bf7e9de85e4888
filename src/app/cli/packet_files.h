/* SPDX-License-Identifier: MIT
 *
 * Files of a packet database on a web server, for packet_database.open_files (game_commands.h). */
#ifndef CLI_PACKET_FILES_H
#define CLI_PACKET_FILES_H

#include "base/http.h"

typedef struct packet_files {
    char *base; /* the URL, without a slash at the end */
    kz_http *http;
} cli_packet_files;

/* One file may take `seconds`. Only http and https. KZ_ERR_UNSUPPORTED if there is no module for it. Close it after
 * KZ_OK. */
kz_status packet_files_open(cli_packet_files *files, const char *url, uint64_t seconds, kz_error *error);
void packet_files_close(cli_packet_files *files);

/* The `get` of packet_database.open_files. */
kz_status packet_files_get(void *user, const char *name, uint8_t *data, size_t most, size_t *size, kz_error *error);

#endif
