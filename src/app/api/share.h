/* SPDX-License-Identifier: MIT
 *
 * Links to share. What comes after '#' in an address of the page is never sent to a server, so whoever makes a preview
 * of such a link sees no position. /share/GAME?pos=&rules=&played=&at= is the same address for them: a page that names
 * an image of the position, and sends a person on to the board. */
#ifndef KZ_API_SHARE_H
#define KZ_API_SHARE_H

#include <kanzen/api.h>

/* Whether this is the path of such a link. */
bool kz_is_share(const char *path);

/* Answers a request for one with a page of HTML. `base` is what the address of the server begins with, without a slash
 * at its end: "https://example.org". Like kz_api_ask, it always gives an answer; links that make no sense get an error
 * page. */
void kz_api_share(const kz_api *api, const kz_api_request *request, const char *base, kz_api_answer *answer);

#endif
