/* SPDX-License-Identifier: MIT
 *
 * In place of all other files of this folder where libmicrohttpd is missing. */
#include "base/error.h"

#include "app/server/server.h"

bool kz_server_possible(void) { return false; }

kz_status kz_server_open(const kz_server_options *options, kz_server **opened, kz_error *error) {
    (void)options;
    *opened = NULL;
    return kz_fail(error, KZ_ERR_UNSUPPORTED,
                   "this kanzen was built without the server, because libmicrohttpd was missing");
}

const char *kz_server_url(const kz_server *server) {
    (void)server;
    return "";
}

void kz_server_close(kz_server *server) { (void)server; }
