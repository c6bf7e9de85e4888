/* SPDX-License-Identifier: MIT */
#include "fetch.h"

#include "base/module.h"

#include <string.h>

bool is_url(const char *path) { return strstr(path, "://") != NULL; }

/* NULL, and why, if there is no library for it. */
static const struct fetch_calls *find_calls(kz_error *error) {
#ifdef KANZEN_CURL_LINKED
    (void)error;
    return kz_module_fetch();
#else
    kz_module_function *found = kz_module_find("curl", "kz_module_fetch", "files from URLs (libcurl)", error);
    return found ? ((const struct fetch_calls *(*)(void))found)() : NULL;
#endif
}

bool fetch_possible(void) { return find_calls(NULL) != NULL; }

kz_status fetch_open(struct fetch *fetch, const char *url, uint64_t seconds, kz_error *error) {
    const struct fetch_calls *calls = find_calls(error);
    if (!calls) {
        return KZ_ERR_UNSUPPORTED;
    }
    *fetch = (struct fetch){.calls = calls, .seconds = (long)seconds};
    return calls->open(fetch, url, error);
}

void fetch_close(struct fetch *fetch) { fetch->calls->close(fetch); }

kz_status fetch_file(void *user, const char *name, uint8_t *data, size_t most, size_t *size, kz_error *error) {
    const struct fetch *fetch = user;
    return fetch->calls->get(fetch, name, data, most, size, error);
}
