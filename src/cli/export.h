/* SPDX-License-Identifier: MIT
 *
 * The formats of `kanzen export`: a line each in cli/cmd_export.c, and a function in one of the files cli/export_*.c.
 */
#ifndef CLI_EXPORT_H
#define CLI_EXPORT_H

#include "common.h"

/* What the user asks for. Options that a format has no use for are refused before it is called. */
struct export_request {
    const struct command *command;
    const kz_game *game;
    struct rules_option rules;
    const char *table; /* NULL: the one that solve has made */
    const char *out;   /* never NULL */
    bool stream;       /* `out` is standard output */
    const char *range; /* NULL: everything */
    uint64_t threads;  /* 0: one for each processor */
    uint64_t count;    /* 0: everything */
    uint64_t sample;   /* 0: everything */
    uint64_t seed;     /* of the sample; 0: not given */
    bool tar;
    bool fix;
    bool force;
    bool quiet;
    bool json;
};

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

struct export_format {
    const char *name;
    const char *game;                                   /* NULL: every game */
    unsigned options;                                   /* EXPORT_... */
    int (*write)(const struct export_request *request); /* returns the exit code */
};

int export_packets(const struct export_request *request);
int export_states(const struct export_request *request);
int export_wins(const struct export_request *request);
int export_values(const struct export_request *request);
int export_sqlite(const struct export_request *request);
int export_csv(const struct export_request *request);

#endif
