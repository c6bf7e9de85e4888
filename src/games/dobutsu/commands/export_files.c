/* SPDX-License-Identifier: MIT
 *
 * kanzen export dobutsu --format states, wins, values and sqlite: one file each. */
#include "games/dobutsu/commands/export.h"

#include <kanzen/dobutsu_files.h>

static kz_status write_states(const cli_export *request, const kz_table *table, const kz_export_options *options,
                              uint64_t *written, kz_error *error) {
    (void)table;
    return kz_dobutsu_export_states(export_path(request), false, options, written, error);
}

static kz_status write_wins(const cli_export *request, const kz_table *table, const kz_export_options *options,
                            uint64_t *written, kz_error *error) {
    (void)table;
    return kz_dobutsu_export_states(export_path(request), true, options, written, error);
}

static kz_status write_values(const cli_export *request, const kz_table *table, const kz_export_options *options,
                              uint64_t *written, kz_error *error) {
    return kz_dobutsu_export_values(table, export_path(request), options, written, error);
}

static kz_status write_sqlite(const cli_export *request, const kz_table *table, const kz_export_options *options,
                              uint64_t *written, kz_error *error) {
    return kz_dobutsu_export_sqlite(table, export_path(request), options, written, error);
}

int export_states(const cli_export *request) { return export_file(request, "states", NULL, write_states); }

int export_wins(const cli_export *request) { return export_file(request, "wins", NULL, write_wins); }

int export_values(const cli_export *request) { return export_file_from_table(request, "values", write_values); }

int export_sqlite(const cli_export *request) { return export_file_from_table(request, "sqlite", write_sqlite); }
