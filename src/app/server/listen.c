/* SPDX-License-Identifier: MIT */
#include "app/server/listen.h"

#include "base/error.h"

#include <errno.h>
#include <netdb.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum { BACKLOG = 4096, PORT_BYTES = 16 };

/* -1 with errno: it can't be done. */
static int listen_at(const struct addrinfo *place) {
    int descriptor = socket(place->ai_family, place->ai_socktype | SOCK_CLOEXEC | SOCK_NONBLOCK, place->ai_protocol);
    if (descriptor < 0) {
        return -1;
    }
    /* A server that was stopped a moment ago is no reason to refuse; one that still runs is. */
    int yes = 1;
    setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
    if (bind(descriptor, place->ai_addr, place->ai_addrlen) != 0 || listen(descriptor, BACKLOG) != 0) {
        int code = errno;
        close(descriptor);
        errno = code;
        return -1;
    }
    return descriptor;
}

static kz_status describe(int descriptor, char url[KZ_URL_BYTES], kz_error *error) {
    struct sockaddr_storage bound;
    socklen_t length = sizeof bound;
    char host[NI_MAXHOST], port[PORT_BYTES];
    if (getsockname(descriptor, (struct sockaddr *)&bound, &length) != 0 ||
        getnameinfo((struct sockaddr *)&bound, length, host, sizeof host, port, sizeof port,
                    NI_NUMERICHOST | NI_NUMERICSERV) != 0) {
        return kz_fail_errno(error, KZ_ERR_IO, errno, "can't tell the address of the server");
    }
    snprintf(url, KZ_URL_BYTES, strchr(host, ':') ? "http://[%.64s]:%s" : "http://%.64s:%s", host, port);
    return KZ_OK;
}

kz_status kz_listen(const char *address, int port, int *listening, char url[KZ_URL_BYTES], kz_error *error) {
    char service[PORT_BYTES];
    snprintf(service, sizeof service, "%d", port);
    struct addrinfo hints = {.ai_socktype = SOCK_STREAM, .ai_flags = AI_PASSIVE | AI_NUMERICSERV};
    struct addrinfo *places = NULL;
    *listening = -1;
    int code = getaddrinfo(address, service, &hints, &places);
    if (code != 0) {
        return kz_fail(error, KZ_ERR_IO, "can't listen at %s: %s", address, gai_strerror(code));
    }
    for (const struct addrinfo *place = places; place && *listening < 0; place = place->ai_next) {
        *listening = listen_at(place);
    }
    code = errno;
    freeaddrinfo(places);
    if (*listening < 0) {
        return kz_fail_errno(error, KZ_ERR_IO, code, "can't listen at %s, port %d", address, port);
    }
    kz_status status = describe(*listening, url, error);
    if (status != KZ_OK) {
        close(*listening);
        *listening = -1;
    }
    return status;
}
