/* SPDX-License-Identifier: MIT
 *
 * The tables of a server as files: /tables/GAME-RULES.kzt, and /tables/index.json, the list of them. */
#ifndef KZ_SERVER_OFFER_H
#define KZ_SERVER_OFFER_H

#include "app/server/server.h"
#include "app/server/site.h"

/* The list names the server's tables, then those of the site's own list that are others. */
kz_status kz_offer_tables(kz_site *site, const kz_server_options *options, kz_error *error);

#endif
