/* SPDX-License-Identifier: MIT
 *
 * Opens the socket that the server listens on. */
#ifndef KZ_SERVER_LISTEN_H
#define KZ_SERVER_LISTEN_H

#include <kanzen/error.h>

enum { KZ_URL_BYTES = 128 };

/* Listens on an address (a number or a name) and a port (0: any free port). `url` gets the address for a browser. */
kz_status kz_listen(const char *address, int port, int *listening, char url[KZ_URL_BYTES], kz_error *error);

#endif
