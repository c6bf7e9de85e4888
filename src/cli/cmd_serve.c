/* SPDX-License-Identifier: MIT */
#include "common.h"

#include "server/server.h"
#include <kanzen/paths.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

enum { DEFAULT_PORT = 8080, MOST_GAMES = 32, MOST_CONNECTIONS = 100000, MOST_SERVER_THREADS = 256 };

/* Decoded parts of a table that are kept. A table of some hundred million positions fits: then no request waits for
 * decoding. */
enum { CACHED_BYTES = 256 << 20 };

/* The tables that answers come from, and their files. */
struct tables {
    kz_server_table *items;
    size_t count;
};

static int add_table(const struct command *command, struct tables *tables, const kz_game *game, const char *path) {
    kz_error error;
    kz_table *table;
    if (open_table_of(path, game, &table, &error) != KZ_OK) {
        return report_error(command, &error);
    }
    if (kz_table_cache(table, CACHED_BYTES, &error) != KZ_OK) {
        kz_table_close(table);
        return report_error(command, &error);
    }
    kz_server_table *items = realloc(tables->items, (tables->count + 1) * sizeof *items);
    char *copy = strdup(path);
    if (items != NULL) {
        tables->items = items;
    }
    if (items == NULL || copy == NULL) {
        kz_table_close(table);
        free(copy);
        (void)report_message(command, STATUS_IO, "no memory for the tables");
        return STATUS_IO;
    }
    items[tables->count].table = table;
    items[tables->count].path = copy;
    tables->count++;
    return STATUS_FINE;
}

/* Every table of a game that is found, for whatever rules. */
static int add_tables_of(const struct command *command, struct tables *tables, const kz_game *game) {
    int code = STATUS_FINE;
    for (int rules = 0; kz_rules_name(game, rules) != NULL && code == STATUS_FINE; rules++) {
        char path[KZ_PATH_BYTES];
        if (kz_table_find(kz_game_name(game), kz_rules_name(game, rules), path, sizeof path, NULL) == KZ_OK) {
            code = add_table(command, tables, game, path);
        }
    }
    return code;
}

static int add_found_tables(const struct command *command, struct tables *tables) {
    int code = STATUS_FINE;
    for (size_t number = 0; kz_game_at(number) != NULL && code == STATUS_FINE; number++) {
        code = add_tables_of(command, tables, kz_game_at(number));
    }
    if (code == STATUS_FINE && tables->count == 0) {
        (void)report_message(command, STATUS_IO,
                             "no table is there, so most values are unknown (kanzen solve %s makes one)",
                             kz_game_name(kz_game_at(0)));
    }
    return code;
}

/* A named table is of one of the games that were named, or else of one that comes with Kanzen. */
static int add_named_table(const struct command *command, struct tables *tables, const kz_game *const *games, int count,
                           const char *path) {
    for (int i = 0; i < count; i++) {
        kz_table *table;
        kz_status status = kz_table_open_as(path, games[i], &table, NULL);
        if (status == KZ_OK) {
            kz_table_close(table);
        }
        if (status != KZ_ERR_INPUT) { /* that would be: a table of another game */
            return add_table(command, tables, games[i], path);
        }
    }
    return add_table(command, tables, NULL, path);
}

/* The tables that are named; otherwise those that are found for the games that are named, otherwise for all games. */
static int add_tables(const struct arguments *arguments, struct tables *tables, const struct texts *named) {
    const struct command *command = arguments->command;
    const kz_game *games[MOST_GAMES];
    int code = STATUS_FINE;
    for (int i = 0; i < arguments->count; i++) {
        games[i] = choose_game(command, arguments->items[i]);
        if (games[i] == NULL) {
            return STATUS_USAGE;
        }
    }
    for (int i = 0; i < named->count && code == STATUS_FINE; i++) {
        code = add_named_table(command, tables, games, arguments->count, named->items[i]);
    }
    for (int i = 0; i < arguments->count && named->count == 0 && code == STATUS_FINE; i++) {
        size_t before = tables->count;
        code = add_tables_of(command, tables, games[i]);
        if (code == STATUS_FINE && tables->count == before && kz_game_find(kz_game_name(games[i])) == NULL) {
            code = report_message(command, STATUS_IO, "there is no table for %s; make it with: kanzen solve %s",
                                  kz_game_name(games[i]), arguments->items[i]);
        }
    }
    if (code == STATUS_FINE && named->count == 0 && arguments->count == 0) {
        code = add_found_tables(command, tables);
    }
    return code;
}

static void close_tables(struct tables *tables) {
    for (size_t i = 0; i < tables->count; i++) {
        kz_table_close((kz_table *)tables->items[i].table);
        free((char *)tables->items[i].path);
    }
    free(tables->items);
}

/* Every connection is an open file, and a file that is being sent is another one. */
static void allow_many_files(void) {
    struct rlimit limit;
    if (getrlimit(RLIMIT_NOFILE, &limit) == 0 && limit.rlim_cur < limit.rlim_max) {
        limit.rlim_cur = limit.rlim_max;
        (void)setrlimit(RLIMIT_NOFILE, &limit);
    }
}

/* A signal that is ignored (nohup) stays ignored. */
static void add_signal(sigset_t *signals, int number) {
    struct sigaction action;
    if (sigaction(number, NULL, &action) == 0 && action.sa_handler != SIG_IGN) {
        sigaddset(signals, number);
    }
}

/* Serves until SIGINT, SIGTERM or SIGHUP comes. */
static int serve(const struct command *command, const kz_server_options *options) {
    sigset_t signals;
    sigemptyset(&signals);
    sigaddset(&signals, SIGINT);
    sigaddset(&signals, SIGTERM);
    add_signal(&signals, SIGHUP);
    /* Before the first thread starts, so that all of them leave the signals to this one. */
    pthread_sigmask(SIG_BLOCK, &signals, NULL);
    signal(SIGPIPE, SIG_IGN);

    kz_server *server;
    kz_error error;
    if (kz_server_open(options, &server, &error) != KZ_OK) {
        return report_error(command, &error);
    }
    printf("%s/\n", kz_server_url(server));
    (void)fflush(stdout);
    int signal_number;
    (void)sigwait(&signals, &signal_number);
    kz_server_close(server);
    return STATUS_FINE;
}

static int run(struct arguments *arguments) {
    const struct command *command = arguments->command;
    kz_server_options server = {.address = "127.0.0.1"};
    uint64_t port = DEFAULT_PORT;
    uint64_t threads = 0;
    uint64_t connections = 0;
    uint64_t per_address = 0;
    struct texts named = {calloc((size_t)arguments->count + 1, sizeof *named.items), 0};
    const struct option options[] = {
        OPTION_NUMBER("port", &port, 0, UINT16_MAX, "the port to listen at (default: 8080; 0: any that is free)"),
        OPTION_TEXT("bind", &server.address, "ADDRESS",
                    "the address to listen at (default: 127.0.0.1; all: 0.0.0.0 or ::)",
                    .words = "127.0.0.1 0.0.0.0 ::1 ::"),
        OPTION_TEXT("site", &server.site, "FOLDER", "the page: what tools/site has built"),
        OPTION_TEXTS("table", &named, "FILE", "a table to use; may be given several times"),
        OPTION_NUMBER("threads", &threads, 1, MOST_SERVER_THREADS,
                      "answer in N threads (default: one for each processor)"),
        OPTION_NUMBER("connections", &connections, 1, MOST_CONNECTIONS,
                      "have N connections at a time at most (default: 4000)"),
        OPTION_NUMBER("per-address", &per_address, 1, MOST_CONNECTIONS,
                      "have N connections from one address at most (default: any number)"),
        OPTION_END,
    };
    int code = STATUS_IO;
    struct tables tables = {NULL, 0};
    if (named.items == NULL) {
        (void)report_message(command, STATUS_IO, "no memory");
    } else if (!parse_options(arguments, options, 0, MOST_GAMES)) {
        code = STATUS_USAGE;
    } else {
        code = add_tables(arguments, &tables, &named);
    }
    if (code == STATUS_FINE) {
        server.port = (int)port;
        server.threads = (int)threads;
        server.connections = (int)connections;
        server.per_address = (int)per_address;
        server.tables = tables.items;
        server.table_count = tables.count;
        allow_many_files();
        code = serve(command, &server);
    }
    close_tables(&tables);
    free(named.items);
    return code;
}

const struct command command_serve = {
    .name = "serve",
    .summary = "Answer questions about positions over HTTP",
    .operands = "[GAME...]",
    .help = "Answers requests as docs/api.md describes them, and serves the files of the\n"
            "analyzer's page from FOLDER. Prints the address when it is ready, and ends when\n"
            "it is interrupted (Ctrl-C) or gets SIGTERM or SIGHUP. Only this machine can\n"
            "reach it, unless another address is given with --bind.\n"
            "\n"
            "If no table is named, those that solve has made for each GAME are used, and if no\n"
            "GAME is named, those of all games that come with Kanzen. They are also served as\n"
            "files, /tables/GAME-RULES.kzt. A GAME may be a file, ./NAME.so.\n",
    .examples = "kanzen serve\n"
                "kanzen serve --port 8000 --site build/site\n"
                "kanzen serve ./tictactoe.so\n"
                "curl 'http://127.0.0.1:8080/api/v1/dobutsu/position'\n",
    .run = run,
};
