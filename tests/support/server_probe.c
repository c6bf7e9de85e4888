/* SPDX-License-Identifier: MIT */
#include "tests/support/server_probe.h"

kz_server *server;

int port;

static void *keep_asking(void *own) {
    probe *p = own;
    answer *a = malloc(sizeof *a);
    do {
        int number = p->asked % PROBES;
        double begin = kz_seconds();
        bool right = ask_once(p->to, probe_paths[number], a) == 200 && strcmp(a->body, p->right[number]) == 0;
        double seconds = kz_seconds() - begin;
        p->wrong += !right;
        p->slowest = seconds > p->slowest ? seconds : p->slowest;
        p->asked++;
        usleep(5000);
    } while (!atomic_load(&p->stop));
    free(a);
    return NULL;
}

void begin_probe(probe *p, int to) {
    *p = (probe){.to = to};
    for (int i = 0; i < PROBES; i++) {
        const answer *a = get(to, probe_paths[i]);
        assert_int_equal(a->status, 200);
        p->right[i] = strdup(a->body);
    }
    assert_int_equal(pthread_create(&p->thread, NULL, keep_asking, p), 0);
}

void end_probe(probe *p) {
    atomic_store(&p->stop, true);
    pthread_join(p->thread, NULL);
    for (int i = 0; i < PROBES; i++) {
        free(p->right[i]);
    }
    if (p->wrong > 0 || p->slowest > soon) {
        print_message("%d of %d answers were missing or wrong, the slowest took %.1f s\n", p->wrong, p->asked,
                      p->slowest);
    }
    assert_int_equal(p->wrong, 0);
    assert_true(p->slowest <= soon);
}

int with_probe(void **state) {
    static probe p;
    begin_probe(&p, port);
    *state = &p;
    return 0;
}

int without_probe(void **state) {
    end_probe(*state);
    return 0;
}

int set_up(void **state) {
    (void)state;
    make_site();
    char *big = malloc(BIG_BYTES);
    for (size_t i = 0; i < BIG_BYTES; i++) {
        big[i] = (char)(i * 2654435761u >> 13);
    }
    write_bytes("site/big.bin", big, BIG_BYTES);
    free(big);
    if (!make_table()) {
        return -1;
    }
    server = start((kz_server_options){.site = "site", .tables = tables, .table_count = 1, .threads = 2});
    if (!server) {
        return -1;
    }
    port = port_of(kz_server_url(server));
    return 0;
}

int tear_down(void **state) {
    (void)state;
    kz_server_close(server);
    close_table();
    return 0;
}
