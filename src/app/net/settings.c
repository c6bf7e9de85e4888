/* SPDX-License-Identifier: MIT */
#include "app/net/manifest.h"

#include "base/error.h"
#include "base/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DEFAULT_SECONDS = 30, MOST_SECONDS = 86400 };
static const uint64_t default_cache_bytes = (uint64_t)1 << 30;

/* A number of the environment; `value` is left alone if the variable is not set. */
static kz_status read_variable(const char *name, uint64_t least, uint64_t most, uint64_t *value, kz_error *error) {
    const char *text = getenv(name);
    if (!text || text[0] == '\0') {
        return KZ_OK;
    }
    return kz_span_number((kz_span){text, strlen(text)}, least, most, value)
               ? KZ_OK
               : kz_fail(error, KZ_ERR_INPUT, "%s is '%s', and should be a number from %llu to %llu", name, text,
                         (unsigned long long)least, (unsigned long long)most);
}

/* An absolute path of the environment, or NULL. */
static const char *folder_variable(const char *name) {
    const char *value = getenv(name);
    return value && value[0] == '/' ? value : NULL;
}

/* A cache that has no place is left out; that is no failure. */
static void choose_cache(const char *asked, char cache[KZ_PATH_BYTES]) {
    const char *folder = asked ? asked : getenv("KANZEN_CACHE");
    const char *below = "";
    if (!folder) {
        folder = folder_variable("XDG_CACHE_HOME");
        below = "/kanzen";
    }
    if (!folder) {
        folder = folder_variable("HOME");
        below = "/.cache/kanzen";
    }
    int length = !folder || folder[0] == '\0' ? -1 : snprintf(cache, KZ_PATH_BYTES, "%s%s", folder, below);
    if (length < 0 || length >= KZ_PATH_BYTES) {
        cache[0] = '\0';
    }
}

kz_status kz_net_settings_read(const kz_remote_options *options, kz_net_settings *settings, kz_error *error) {
    const kz_remote_options none = {NULL, 0, 0};
    options = options ? options : &none;
    uint64_t seconds = DEFAULT_SECONDS;
    *settings = (kz_net_settings){.cache_bytes = default_cache_bytes};
    kz_status status = read_variable("KANZEN_TIMEOUT", 1, MOST_SECONDS, &seconds, error);
    if (status == KZ_OK) {
        status = read_variable("KANZEN_CACHE_BYTES", 0, INT64_MAX, &settings->cache_bytes, error);
    }
    seconds = options->seconds > 0 ? options->seconds : seconds;
    settings->limits = (kz_http_limits){.seconds = seconds < MOST_SECONDS ? (long)seconds : (long)MOST_SECONDS};
    settings->cache_bytes = options->cache_bytes > 0 ? options->cache_bytes : settings->cache_bytes;
    choose_cache(options->cache, settings->cache);
    if (settings->cache_bytes == 0) {
        settings->cache[0] = '\0';
    }
    return status;
}
