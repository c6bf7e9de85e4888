/* SPDX-License-Identifier: MIT
 *
 * Lines as what a user types in a game in the terminal. The first byte chooses the game: Dobutsu Shogi, for which there
 * is no table, or a small board of Push Fight, which is solved first. */
#include "tests/fuzz/files.h"

#include "app/cli/play_session.h"

#include <dirent.h>

int LLVMFuzzerInitialize(int *count, char ***arguments);

static kz_table *table;

int LLVMFuzzerInitialize(int *count, char ***arguments) {
    (void)count;
    (void)arguments;
    fuzz_solve_corridor();
    if (kz_table_open("corridor.kzt", &table, NULL) != KZ_OK) {
        abort();
    }
    /* Nobody reads the answers. */
    return freopen("/dev/null", "w", stdout) ? 0 : -1;
}

/* Names of files stay in the fuzzer's folder. Returns whether there may be one. */
static bool stay_here(char *line) {
    bool file = strstr(line, "save") || strstr(line, "load");
    for (char *c = line; file && *c; c++) {
        *c = *c == '/' ? '_' : *c;
    }
    return file;
}

/* Removes what was saved: the folder is in memory, and there are many sessions. */
static void clean_up(void) {
    DIR *folder = fuzz_memory(opendir("."));
    const struct dirent *entry;
    while ((entry = readdir(folder)) != NULL) {
        if (strcmp(entry->d_name, "corridor.kzt") != 0) {
            unlink(entry->d_name);
        }
    }
    closedir(folder);
}

static const char *broken_by_session(const cli_session *session) {
    kz_position position;
    LAW(session->at <= session->record.count);
    LAW(session->record.count <= KZ_RECORD_MOST_MOVES);
    kz_record_position(&session->record, session->at, &position);
    LAW(kz_same(session->values->game, &position, &session->position));
    LAW(kz_level_name(session->player.level));
    return NULL;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static const cli_command command = {.name = "play", .summary = "", .operands = "", .help = ""};
    bool first = fuzz_byte(&data, &size) % 2 == 0;
    const kz_values values = {.game = first ? kz_game_find("dobutsu") : kz_table_game(table),
                              .rules = first ? 0 : kz_table_rules(table),
                              .table = first ? NULL : table,
                              .seconds = 0.001,
                              .value_seconds = 0.001};
    cli_session session;
    kz_error error;
    if (session_open(&session, &command, &values, &error) != KZ_OK) {
        abort();
    }
    session.human[0] = true;
    int lines = 0;
    bool files = false;
    for (size_t at = 0; at < size && !session.ended && lines < 32; lines++) {
        char line[LINE_BYTES];
        const uint8_t *end = memchr(data + at, '\n', size - at);
        size_t length = end ? (size_t)(end - (data + at)) : size - at;
        size_t kept = length < sizeof line ? length : sizeof line - 1;
        memcpy(line, data + at, kept);
        line[kept] = '\0';
        files = stay_here(line) || files;
        session_obey(&session, line);
        fuzz_keep(broken_by_session(&session));
        at += length + 1;
    }
    session_close(&session);
    if (files) {
        clean_up();
    }
    return 0;
}
