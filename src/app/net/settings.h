/* SPDX-License-Identifier: MIT
 *
 * What kz_remote_options mean when members are left out. */
#ifndef KZ_NET_SETTINGS_H
#define KZ_NET_SETTINGS_H

#include "base/http.h"

#include <kanzen/paths.h>
#include <kanzen/remote.h>

typedef struct kz_net_settings {
    char cache[KZ_PATH_BYTES]; /* "": nothing is kept */
    uint64_t cache_bytes;
    kz_http_limits limits;
} kz_net_settings;

/* KZ_ERR_INPUT: an environment variable is not a number. */
kz_status kz_net_settings_read(const kz_remote_options *options, kz_net_settings *settings, kz_error *error);

#endif
