/* SPDX-License-Identifier: MIT
 *
 * Checks headers that the HTTP library accepts although they are ambiguous. If a proxy in front of this server read
 * them in another way, the two would disagree about where a request ends (request smuggling). */
#ifndef KZ_SERVER_HEADERS_H
#define KZ_SERVER_HEADERS_H

struct MHD_Connection;

/* Returns NULL if the headers are fine, otherwise a message for the client; `status` gets the status of the answer.
 * `version` is the HTTP version of the request, "HTTP/1.1". */
const char *kz_headers_check(struct MHD_Connection *connection, const char *version, unsigned *status);

#endif
