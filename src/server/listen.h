/* SPDX-License-Identifier: MIT
 *
 * The socket that the server listens at. */
#ifndef KZ_SERVER_LISTEN_H
#define KZ_SERVER_LISTEN_H

#include <kanzen/error.h>

enum { KZ_URL_BYTES = 128 };

/* Listens at an address (a number or a name) and a port (0: any that is free), and says how a browser gets there. */
kz_status kz_listen(const char *address, int port, int *listening, char url[KZ_URL_BYTES], kz_error *error);

#endif
