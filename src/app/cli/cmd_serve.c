/* SPDX-License-Identifier: MIT */
#include "common.h"
#include "table_list.h"

#include "app/server/server.h"
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

enum { DEFAULT_PORT = 8080, MOST_CONNECTIONS = 100000, MOST_SERVER_THREADS = 256 };

/* Decoded parts of a table that are kept. A table of some hundred million positions fits: then no request waits for
 * decoding. */
enum { CACHED_BYTES = 256 << 20 };

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
static int serve(const cli_command *command, const kz_server_options *options) {
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
    CLI_TRY(exit_code(command, kz_server_open(options, &server, &error), &error));
    printf("%s/\n", kz_server_url(server));
    (void)fflush(stdout);
    int signal_number;
    (void)sigwait(&signals, &signal_number);
    kz_server_close(server);
    return STATUS_FINE;
}

static int run(cli_arguments *arguments) {
    const cli_command *command = arguments->command;
    kz_server_options server = {.address = "127.0.0.1"};
    uint64_t port = DEFAULT_PORT;
    uint64_t threads = 0;
    uint64_t connections = 0;
    uint64_t per_address = 0;
    cli_texts named = {calloc((size_t)arguments->count + 1, sizeof *named.items), 0};
    const cli_option options[] = {
        OPTION_NUMBER("port", &port, 0, UINT16_MAX, "the port to listen at (default: 8080; 0: any that is free)"),
        OPTION_TEXT("bind", &server.address, "ADDRESS",
                    "the address to listen at (default: 127.0.0.1; all: 0.0.0.0 or ::)",
                    .words = "127.0.0.1 0.0.0.0 ::1 ::"),
        OPTION_TEXT("site", &server.site, "FOLDER",
                    "the page: what make site has built (without it there is the API only)"),
        OPTION_TABLES(&named),
        OPTION_NUMBER("threads", &threads, 1, MOST_SERVER_THREADS,
                      "answer in N threads (default: one for each processor)"),
        OPTION_NUMBER("connections", &connections, 1, MOST_CONNECTIONS,
                      "have N connections at a time at most (default: 4000)"),
        OPTION_NUMBER("per-address", &per_address, 1, MOST_CONNECTIONS,
                      "have N connections from one address at most (default: any number)"),
        OPTION_END,
    };
    cli_table_list tables = {.cache_bytes = CACHED_BYTES, .may_be_empty = true};
    int code = named.items ? read_options(arguments, options, 0, TABLE_LIST_MOST_GAMES)
                           : report_message(command, STATUS_IO, "no memory");
    if (code == STATUS_FINE) {
        code = table_list_open(arguments, 0, &named, &tables);
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
    table_list_close(&tables);
    free(named.items);
    return code;
}

const cli_command command_serve = {
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
            "files, /tables/GAME-RULES.kzt, with a list of them for kanzen fetch (not those that\n"
            "come from a URL). A GAME may be a file, ./NAME.so.\n",
    .examples = "kanzen serve\n"
                "kanzen serve --port 8000 --site build/site\n"
                "kanzen serve ./tictactoe.so --site build/site\n"
                "curl 'http://127.0.0.1:8080/api/v1/dobutsu/position'\n",
    .run = run,
};
