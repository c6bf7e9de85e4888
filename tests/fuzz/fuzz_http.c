/* SPDX-License-Identifier: MIT
 * labels: server
 *
 * Bytes as what a client sends to the server, through a real connection. There is one page to be had, and a file beside
 * its folder that nobody may get. */
#include "tests/fuzz/files.h"

#include "app/server/server.h"
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>

int LLVMFuzzerInitialize(int *count, char ***arguments);

static int port;

/* No message has such characters in it, even if a request does. */
#define SECRET "\1\2\3\4\5\6\7\2\1"
#define PAGE "<!doctype html><title>A page</title>"

int LLVMFuzzerInitialize(int *count, char ***arguments) {
    (void)count;
    (void)arguments;
    static const char page[] = PAGE, secret[] = SECRET;
    fuzz_enter_folder();
    if (mkdir("site", 0700) != 0 || mkdir("site/assets", 0700) != 0 || symlink("../secret", "site/link") != 0) {
        abort();
    }
    fuzz_write_file("site/index.html", (const uint8_t *)page, sizeof page - 1);
    fuzz_write_file("site/assets/a b.js", (const uint8_t *)page, sizeof page - 1);
    fuzz_write_file("site/.hidden", (const uint8_t *)secret, sizeof secret - 1);
    fuzz_write_file("secret", (const uint8_t *)secret, sizeof secret - 1);
    const kz_server_options options = {.threads = 1, .site = "site"};
    kz_server *server; /* to the end */
    kz_error error;
    if (kz_server_open(&options, &server, &error) != KZ_OK) {
        fprintf(stderr, "%s\n", error.message);
        abort();
    }
    port = atoi(strrchr(kz_server_url(server), ':') + 1);
    return 0;
}

static int join(void) {
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port)};
    /* Nobody waits for the rest of a connection that is over. */
    const struct linger linger = {.l_onoff = 1, .l_linger = 0};
    const int on = 1;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    int connection = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (connection < 0 || setsockopt(connection, SOL_SOCKET, SO_LINGER, &linger, sizeof linger) != 0 ||
        setsockopt(connection, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on) != 0 ||
        connect(connection, (const struct sockaddr *)&address, sizeof address) != 0) {
        abort();
    }
    return connection;
}

static const char *broken_by_answer(const char *answer, size_t length) {
    LAW(length == 0 || (length > 12 && memcmp(answer, "HTTP/1.", 7) == 0));
    LAW(memmem(answer, length, SECRET, strlen(SECRET)) == NULL);
    if (length > 0) {
        int status = atoi(answer + 9);
        LAW(status == 100 || (status >= 200 && status < 600));
        LAW(status != 500); /* that would be our fault */
    }
    return NULL;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static char answer[1 << 20];
    char *text = fuzz_text(data, size);
    /* Searches take their time. */
    bool slow = memmem(text, size, "pushfight", 9) != NULL;
    free(text);
    if (slow) {
        return 0;
    }
    int connection = join();
    /* The server may have closed its end before it has read everything. */
    (void)!send(connection, data, size, MSG_NOSIGNAL);
    shutdown(connection, SHUT_WR);
    size_t length = 0;
    ssize_t got = 0;
    /* Where it waits for the rest of a request, for seconds, it is left alone after a moment. */
    struct pollfd coming = {.fd = connection, .events = POLLIN};
    while (length < sizeof answer && poll(&coming, 1, 20) > 0 &&
           (got = recv(connection, answer + length, sizeof answer - length, 0)) > 0) {
        length += (size_t)got;
    }
    fuzz_keep(got >= 0 || errno == ECONNRESET || errno == EPIPE ? NULL : "a strange end of the answer");
    fuzz_keep(broken_by_answer(answer, length));
    close(connection);
    return 0;
}
