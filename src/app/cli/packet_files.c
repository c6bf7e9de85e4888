/* SPDX-License-Identifier: MIT */
#include "packet_files.h"

#include "base/error.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

kz_status packet_files_open(cli_packet_files *files, const char *url, uint64_t seconds, kz_error *error) {
    *files = (cli_packet_files){.base = strdup(url)};
    if (!files->base) {
        return kz_fail(error, KZ_ERR_MEMORY, "no memory to read %s", url);
    }
    size_t length = strlen(files->base);
    while (length > 0 && files->base[length - 1] == '/') {
        files->base[--length] = '\0';
    }
    const kz_http_limits limits = {.seconds = (long)seconds, .whole = (long)seconds};
    kz_status status = kz_http_open(&limits, &files->http, error);
    if (status != KZ_OK) {
        free(files->base);
    }
    return status;
}

void packet_files_close(cli_packet_files *files) {
    kz_http_close(files->http);
    free(files->base);
}

kz_status packet_files_get(void *user, const char *name, uint8_t *data, size_t most, size_t *size, kz_error *error) {
    const cli_packet_files *files = user;
    char url[KZ_HTTP_URL_BYTES];
    int length = snprintf(url, sizeof url, "%s/%s", files->base, name);
    if (length < 0 || (size_t)length >= sizeof url) {
        return kz_fail(error, KZ_ERR_INPUT, "the URL is too long");
    }
    return kz_http_get_file(files->http, url, data, most, size, error);
}
