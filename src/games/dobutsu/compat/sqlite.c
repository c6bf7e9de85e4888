/* SPDX-License-Identifier: MIT
 *
 * doubutsu.db: rows in a SQLite database. */
#include "base/error.h"
#include "base/file.h"
#include "games/dobutsu/compat/state_values.h"

#ifndef KANZEN_SQLITE

kz_status kz_dobutsu_export_sqlite(const kz_table *table, const char *path, const kz_export_options *options,
                                   uint64_t *written, kz_error *error) {
    (void)table;
    (void)options;
    *written = 0;
    return kz_fail(error, KZ_ERR_UNSUPPORTED, "can't write %s: this was built without SQLite", path);
}

#else

#include <kanzen/dobutsu_files.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct database {
    sqlite3 *connection;
    sqlite3_stmt *insert; /* ROWS_AT_ONCE rows */
    sqlite3_stmt *insert_one;
    kz_dobutsu_state_value_scale scale;
    const char *path;
} database;

/* A statement costs more than a row of it. */
enum { ROWS_AT_ONCE = 64 };

static const char table_text[] =
    "CREATE TABLE stateValues (stateIndex integer PRIMARY KEY NOT NULL, value integer NOT NULL)";

/* The file is a temporary one until it is complete, so nothing needs to be taken back; and rows come in the order of
 * the key, so pages are written once, one after the other. */
static const char settings_text[] = "PRAGMA page_size = 4096;"
                                    "PRAGMA journal_mode = OFF;"
                                    "PRAGMA synchronous = OFF;"
                                    "PRAGMA locking_mode = EXCLUSIVE;"
                                    "PRAGMA cache_size = -65536;";

/* The view computes its columns from the index and from a small table of what values mean, so it takes no space. The
 * board is first 12 letters, then rows of SFEN: runs of empty squares become numbers, and h a promoted chick. */
#define CELL(power) "substr('lhgec.CEGHL', stateIndex / " power " % 11 + 1, 1)"
#define ROW_TEXT(a, b, c)                                                                                              \
    "replace(replace(replace(replace(replace(" CELL(a) " || " CELL(b) " || " CELL(                                     \
        c) ", '...', '3'), '..', '2'), '.', '1'), 'h', '+c'), 'H', '+C')"
#define HAND(divisor, letter)                                                                                          \
    "CASE stateIndex / 3138428376721 / " divisor " % 3 WHEN 1 THEN '" letter "' WHEN 2 THEN '2" letter "' ELSE '' END"

/* clang-format off */
static const char view_text[] =
    "CREATE VIEW positions AS SELECT stateIndex, "
    ROW_TEXT("1", "11", "121") " || '/' || "
    ROW_TEXT("1331", "14641", "161051") " || '/' || "
    ROW_TEXT("1771561", "19487171", "214358881") " || '/' || "
    ROW_TEXT("2357947691", "25937424601", "285311670611") " || ' b ' || "
    "coalesce(nullif("
    HAND("9", "G") " || " HAND("3", "E") " || " HAND("1", "C") " || "
    HAND("243", "g") " || " HAND("81", "e") " || " HAND("27", "c") ", ''), '-') AS sfen, "
    "result, plies, value FROM stateValues LEFT JOIN valueMeanings USING (value)";
/* clang-format on */

static kz_status failed(const database *d, kz_error *error) {
    int code = sqlite3_errcode(d->connection) & 0xFF;
    return kz_fail(error, code == SQLITE_NOMEM ? KZ_ERR_MEMORY : KZ_ERR_IO, "can't write %s: %s", d->path,
                   sqlite3_errmsg(d->connection));
}

static kz_status execute(const database *d, const char *text, kz_error *error) {
    return sqlite3_exec(d->connection, text, NULL, NULL, NULL) == SQLITE_OK ? KZ_OK : failed(d, error);
}

/* What each value means: the result, and in how many plies. */
static kz_status add_meanings(const database *d, kz_error *error) {
    KZ_TRY(execute(d,
                   "CREATE TABLE valueMeanings (value integer PRIMARY KEY NOT NULL, result text NOT NULL, "
                   "plies integer);"
                   "INSERT INTO valueMeanings VALUES (0, 'draw', NULL)",
                   error));
    for (int plies = 0; plies <= 173; plies++) {
        char text[128];
        /* No row has a win in one ply; but who looks up other positions finds that this is what is missing. */
        snprintf(text, sizeof text, "INSERT INTO valueMeanings VALUES (%d, '%s', %d)", d->scale.scaled[plies + 1],
                 plies % 2 ? "win" : "loss", plies);
        KZ_TRY(execute(d, text, error));
    }
    return KZ_OK;
}

static kz_status prepare(database *d, kz_error *error) {
    char text[64 + 6 * ROWS_AT_ONCE];
    int length = snprintf(text, sizeof text, "INSERT INTO stateValues VALUES (?,?)");
    if (sqlite3_prepare_v2(d->connection, text, -1, &d->insert_one, NULL) != SQLITE_OK) {
        return failed(d, error);
    }
    for (int row = 1; row < ROWS_AT_ONCE; row++) {
        length += snprintf(text + length, sizeof text - (size_t)length, ",(?,?)");
    }
    return sqlite3_prepare_v2(d->connection, text, -1, &d->insert, NULL) == SQLITE_OK ? KZ_OK : failed(d, error);
}

static kz_status open_database(database *d, const char *temporary, kz_error *error) {
    if (sqlite3_open_v2(temporary, &d->connection, SQLITE_OPEN_READWRITE | SQLITE_OPEN_FULLMUTEX, NULL) != SQLITE_OK) {
        return d->connection ? failed(d, error) : kz_fail(error, KZ_ERR_MEMORY, "no memory for SQLite");
    }
    KZ_TRY(execute(d, settings_text, error));
    KZ_TRY(execute(d, table_text, error));
    KZ_TRY(add_meanings(d, error));
    KZ_TRY(execute(d, view_text, error));
    KZ_TRY(prepare(d, error));
    return execute(d, "BEGIN", error);
}

static kz_status insert(const database *d, sqlite3_stmt *statement, const uint64_t *rows, int count, kz_error *error) {
    for (int i = 0; i < count; i++) {
        sqlite3_bind_int64(statement, 2 * i + 1, (sqlite3_int64)kz_dobutsu_state_value_index(rows[i]));
        sqlite3_bind_int(statement, 2 * i + 2, d->scale.scaled[kz_dobutsu_state_value_entry(rows[i])]);
    }
    bool done = sqlite3_step(statement) == SQLITE_DONE;
    kz_status status = done ? KZ_OK : failed(d, error);
    sqlite3_reset(statement);
    return status;
}

static kz_status take(void *context, const uint64_t *rows, size_t count, kz_error *error) {
    const database *d = context;
    size_t i = 0;
    for (; i + ROWS_AT_ONCE <= count; i += ROWS_AT_ONCE) {
        KZ_TRY(insert(d, d->insert, rows + i, ROWS_AT_ONCE, error));
    }
    for (; i < count; i++) {
        KZ_TRY(insert(d, d->insert_one, rows + i, 1, error));
    }
    return KZ_OK;
}

static kz_status fill(database *d, const kz_table *table, const kz_export_options *options, uint64_t *written,
                      kz_error *error) {
    const kz_dobutsu_state_values target = {.context = d, .take = take};
    KZ_TRY(kz_dobutsu_state_values_write(table, options, &target, written, error));
    return execute(d, "COMMIT", error);
}

static kz_status close_database(database *d, kz_status status, kz_error *error) {
    sqlite3_finalize(d->insert);
    sqlite3_finalize(d->insert_one);
    if (sqlite3_close(d->connection) != SQLITE_OK && status == KZ_OK) {
        return failed(d, error);
    }
    return status;
}

kz_status kz_dobutsu_export_sqlite(const kz_table *table, const char *path, const kz_export_options *options,
                                   uint64_t *written, kz_error *error) {
    database d = {.path = path};
    kz_outfile file;
    *written = 0;
    if (!path) {
        return kz_fail(error, KZ_ERR_INPUT, "a SQLite file can't be written to a stream");
    }
    kz_dobutsu_state_value_scale_fill(&d.scale);
    KZ_TRY(kz_outfile_open(&file, path, options->replace, error));
    kz_status status = open_database(&d, file.temporary, error);
    status = status == KZ_OK ? fill(&d, table, options, written, error) : status;
    status = close_database(&d, status, error);
    if (status == KZ_OK) {
        return kz_outfile_commit(&file, error);
    }
    kz_outfile_discard(&file);
    return status;
}

#endif
