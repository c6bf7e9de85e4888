/* SPDX-License-Identifier: MIT
 *
 * The formats of `kanzen export`: those of every game are listed in cmd_export.c, those of one game by the game
 * (game_commands.h). */
#ifndef CLI_EXPORT_H
#define CLI_EXPORT_H

#include "common.h"

#include <kanzen/export.h>

/* What the user asks for. Options that a format has no use for are refused before it is called. */
typedef struct cli_export {
    const cli_command *command;
    const kz_game *game;
    cli_asked asked;
    const char *out;   /* never NULL */
    bool stream;       /* `out` is standard output */
    const char *range; /* NULL: everything */
    uint64_t threads;  /* 0: one for each processor */
    uint64_t count;    /* 0: everything */
    uint64_t sample;   /* 0: everything */
    uint64_t seed;     /* of the sample */
    bool tar;
    bool fix;
    bool force;
    bool quiet;
    bool json;
} cli_export;

/* Options that only some formats take. */
enum {
    EXPORT_RULES = 1,
    EXPORT_RANGE = 2,
    EXPORT_TAR = 4,
    EXPORT_FIX = 8,
    EXPORT_TABLE = 16,
    EXPORT_COUNT = 32,
    EXPORT_SAMPLE = 64,
    EXPORT_STREAM = 128 /* --out - */
};

typedef struct cli_format {
    const char *name;
    unsigned options;                        /* EXPORT_... */
    int (*write)(const cli_export *request); /* returns the exit code */
} cli_format;

int export_csv(const cli_export *request);

/* ---- For formats that are one file (export_files.c) ------------------------------------------------------------- */

typedef kz_status write_file(const cli_export *request, const kz_table *table, const kz_export_options *options,
                             uint64_t *written, kz_error *error);

/* The path for the library: NULL is standard output. */
const char *export_path(const cli_export *request);

/* Has the file written, and reports how much there is in it. Returns the exit code. */
int export_file(const cli_export *request, const char *format, const kz_table *table, write_file *write);
/* The same with the table that was asked for. */
int export_file_from_table(const cli_export *request, const char *format, write_file *write);

#endif
