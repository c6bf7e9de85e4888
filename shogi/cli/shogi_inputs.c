/* SPDX-License-Identifier: MIT */
#include "commands.h"

#include <dirent.h>
#include <errno.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static int no_memory(const shogi_reading *reading) {
    return report_error(reading->command, &(kz_error){.status = KZ_ERR_MEMORY, .message = "out of memory"});
}

static int add_file(shogi_inputs *inputs, const shogi_reading *reading, const char *path) {
    if (inputs->count == inputs->room) {
        size_t room = 2 * inputs->room + 16;
        kz_shogi_source *sources = realloc(inputs->sources, room * sizeof *sources);
        if (sources) {
            inputs->sources = sources;
        }
        char **paths = realloc(inputs->paths, room * sizeof *paths);
        if (paths) {
            inputs->paths = paths;
        }
        if (!sources || !paths) {
            return no_memory(reading);
        }
        inputs->room = room;
    }
    /* A name that tells what the file has is believed: there may be files of several kinds. What the user says is for
     * the others. */
    bool told = record_of_path(path) != KZ_SHOGI_RECORDS && !is_ambiguous_path(path);
    kz_shogi_source source = {
        .record = record_of_option_or_path(reading->command, "record", told ? NULL : reading->record, path)};
    if (source.record == KZ_SHOGI_RECORDS) {
        return STATUS_USAGE;
    }
    CLI_TRY(dialect_of_option(reading->command, "dialect", reading->dialect, &source.dialect));
    char *copy = strdup(path);
    if (!copy) {
        return no_memory(reading);
    }
    source.path = copy;
    inputs->paths[inputs->count] = copy;
    inputs->sources[inputs->count] = source;
    inputs->count++;
    return STATUS_FINE;
}

/* Files of a folder whose names tell nothing are passed over, unless the user says what they have. */
static int add_file_of_folder(shogi_inputs *inputs, const shogi_reading *reading, const char *path) {
    bool wanted = record_of_path(path) != KZ_SHOGI_RECORDS || reading->record;
    return wanted ? add_file(inputs, reading, path) : STATUS_FINE;
}

static int can_be_seen(const struct dirent *entry) { return entry->d_name[0] != '.'; }

static int add_folder(shogi_inputs *inputs, const shogi_reading *reading, const char *folder) {
    struct dirent **entries;
    int count = scandir(folder, &entries, can_be_seen, alphasort);
    if (count < 0) {
        kz_error error = {.status = KZ_ERR_IO};
        snprintf(error.message, sizeof error.message, "can't read %s: %s", folder, strerror(errno));
        return report_error(reading->command, &error);
    }
    int code = STATUS_FINE;
    for (int i = 0; i < count; i++) {
        char *path;
        struct stat found;
        if (code == STATUS_FINE && asprintf(&path, "%s/%s", folder, entries[i]->d_name) < 0) {
            code = no_memory(reading);
        } else if (code == STATUS_FINE) {
            if (stat(path, &found) == 0 && S_ISDIR(found.st_mode)) {
                code = add_folder(inputs, reading, path);
            } else {
                code = add_file_of_folder(inputs, reading, path);
            }
            free(path);
        }
        free(entries[i]);
    }
    free(entries);
    return code;
}

static int add_path(shogi_inputs *inputs, const shogi_reading *reading, const char *path) {
    struct stat found;
    bool folder = stat(path, &found) == 0 && S_ISDIR(found.st_mode);
    return folder ? add_folder(inputs, reading, path) : add_file(inputs, reading, path);
}

int add_inputs(shogi_inputs *inputs, const shogi_reading *reading, const char *name) {
    struct stat found;
    if (!strpbrk(name, "*?[") || stat(name, &found) == 0) {
        return add_path(inputs, reading, name);
    }
    glob_t matches;
    if (glob(name, 0, NULL, &matches) != 0) {
        return report_usage(reading->command, "no file matches %s", name);
    }
    int code = STATUS_FINE;
    for (size_t i = 0; i < matches.gl_pathc && code == STATUS_FINE; i++) {
        code = add_path(inputs, reading, matches.gl_pathv[i]);
    }
    globfree(&matches);
    return code;
}

int check_record_option(const shogi_reading *reading, const shogi_inputs *const *sets, size_t count) {
    if (!reading->record) {
        return STATUS_FINE;
    }
    kz_shogi_record record = kz_shogi_record_named(reading->record);
    for (size_t set = 0; set < count; set++) {
        for (size_t i = 0; i < sets[set]->count; i++) {
            if (sets[set]->sources[i].record == record) {
                return STATUS_FINE;
            }
        }
    }
    return record == KZ_SHOGI_RECORDS
               ? report_usage(reading->command, "--record: there are no records '%s'", reading->record)
               : report_usage(reading->command,
                              "--record %s is for files whose names don't tell what they have, and all names tell; "
                              "rename a file whose name is wrong",
                              reading->record);
}

int add_two_sets(shogi_inputs sets[2], const shogi_reading *reading, const char *const names[2]) {
    int code = STATUS_FINE;
    for (int i = 0; i < 2 && code == STATUS_FINE; i++) {
        code = add_inputs(&sets[i], reading, names[i]);
        if (code == STATUS_FINE && sets[i].count == 0) {
            code = report_usage(reading->command, "there is no file to read in %s", names[i]);
        }
    }
    return code == STATUS_FINE ? check_record_option(reading, (const shogi_inputs *const[]){&sets[0], &sets[1]}, 2)
                               : code;
}

void free_inputs(shogi_inputs *inputs) {
    for (size_t i = 0; i < inputs->count; i++) {
        free(inputs->paths[i]);
    }
    free(inputs->paths);
    free(inputs->sources);
    *inputs = (shogi_inputs){.count = 0};
}
