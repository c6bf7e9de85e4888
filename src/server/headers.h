/* SPDX-License-Identifier: MIT
 *
 * What the HTTP library lets through, and should not: headers that another server in front of this one might understand
 * in another way, so that the two would disagree about where a request ends. */
#ifndef KZ_SERVER_HEADERS_H
#define KZ_SERVER_HEADERS_H

struct MHD_Connection;

/* What is wrong with the headers, for the one who sent them, and the status to answer with. NULL: nothing. `version` is
 * that of the request, "HTTP/1.1". */
const char *kz_headers_check(struct MHD_Connection *connection, const char *version, unsigned *status);

#endif
