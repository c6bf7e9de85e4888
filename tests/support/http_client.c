/* SPDX-License-Identifier: MIT */
#include "tests/support/http_client.h"

int port_of(const char *url) { return atoi(strrchr(url, ':') + 1); }

int connect_to(int port) {
    int descriptor = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    struct sockaddr_in place = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port)};
    place.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    struct timeval limit = {.tv_sec = CLIENT_SECONDS};
    setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
    setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &limit, sizeof limit);
    if (connect(descriptor, (struct sockaddr *)&place, sizeof place) != 0) {
        close(descriptor);
        return -1;
    }
    return descriptor;
}

bool send_bytes(int descriptor, const char *bytes, size_t size) {
    while (size > 0) {
        ssize_t sent = send(descriptor, bytes, size, MSG_NOSIGNAL);
        if (sent <= 0) {
            return false;
        }
        bytes += sent;
        size -= (size_t)sent;
    }
    return true;
}

bool send_text(int descriptor, const char *text) { return send_bytes(descriptor, text, strlen(text)); }

/* Reads more; false at the end of the connection. */
static bool read_more(int descriptor, answer *a) {
    assert_true(a->count < ANSWER_BYTES);
    ssize_t got = recv(descriptor, a->bytes + a->count, ANSWER_BYTES - a->count, 0);
    if (got <= 0) {
        return false;
    }
    a->count += (size_t)got;
    a->bytes[a->count] = '\0';
    return true;
}

const char *header(const answer *a, const char *name) {
    static _Thread_local char value[1024];
    size_t length = strlen(name);
    for (const char *line = strstr(a->head, "\r\n"); line && line + 2 < a->body - 2; line = strstr(line, "\r\n")) {
        line += 2;
        if (strncasecmp(line, name, length) == 0 && line[length] == ':') {
            line += length + 1 + strspn(line + length + 1, " ");
            snprintf(value, sizeof value, "%.*s", (int)strcspn(line, "\r"), line);
            return value;
        }
    }
    return NULL;
}

void forget_answers(answer *a) {
    a->count = a->used = 0;
    a->bytes[0] = '\0';
}

void set_read_limit(int descriptor, double seconds) {
    struct timeval limit = {.tv_sec = (time_t)seconds,
                            .tv_usec = (suseconds_t)((seconds - (double)(time_t)seconds) * 1e6)};
    setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
}

void read_answer(int descriptor, answer *a, bool bodyless) {
    const char *end;
    a->head = a->bytes + a->used;
    a->status = 0;
    a->closed = false;
    a->length = 0;
    a->body = a->head;
    while (!(end = strstr(a->head, "\r\n\r\n"))) {
        if (!read_more(descriptor, a)) {
            a->closed = true;
            return;
        }
    }
    a->body = end + 4;
    a->status = atoi(a->head + sizeof "HTTP/1.1");
    const char *length = header(a, "Content-Length");
    bool none = bodyless || a->status == 204 || a->status == 304;
    a->length = none || !length ? 0 : strtoul(length, NULL, 10);
    size_t head = (size_t)(a->body - a->bytes);
    while (a->count < head + a->length) {
        if (!read_more(descriptor, a)) {
            a->closed = true;
            a->length = a->count - head;
        }
    }
    a->used = head + a->length;
}

const answer *ask_raw(int port, const char *request, size_t size, bool bodyless) {
    static answer a;
    forget_answers(&a);
    int descriptor = connect_to(port);
    assert_true(descriptor >= 0);
    send_bytes(descriptor, request, size);
    read_answer(descriptor, &a, bodyless);
    close(descriptor);
    return &a;
}

int ask_once(int port, const char *path, answer *a) {
    char request[256];
    int size = snprintf(request, sizeof request, "GET %s HTTP/1.1\r\nHost: x\r\n\r\n", path);
    int descriptor = connect_to(port);
    forget_answers(a);
    a->status = -1;
    if (descriptor >= 0 && send_bytes(descriptor, request, (size_t)size)) {
        read_answer(descriptor, a, false);
    }
    close(descriptor);
    return a->status;
}

const answer *ask(int port, const char *method, const char *path, const char *headers, const char *body) {
    size_t room = 512 + strlen(path) + strlen(headers) + (body ? strlen(body) : 0);
    char *request = malloc(room);
    int size;
    if (body) {
        size = snprintf(request, room, "%s %s HTTP/1.1\r\nHost: x\r\n%sContent-Length: %zu\r\n\r\n%s", method, path,
                        headers, strlen(body), body);
    } else {
        size = snprintf(request, room, "%s %s HTTP/1.1\r\nHost: x\r\n%s\r\n", method, path, headers);
    }
    const answer *a = ask_raw(port, request, (size_t)size, strcmp(method, "HEAD") == 0);
    free(request);
    return a;
}

const answer *get(int port, const char *path) { return ask(port, "GET", path, "", NULL); }
