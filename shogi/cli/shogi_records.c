/* SPDX-License-Identifier: MIT */
#include "commands.h"

#include <stdio.h>
#include <string.h>

enum { NAMES_BYTES = 256, ENDING_BYTES = 16 };

/* All of them, or only those that can be written. */
static const char *list_records(bool writable, char list[NAMES_BYTES]) {
    size_t length = 0;
    for (kz_shogi_record record = 0; record < KZ_SHOGI_RECORDS; record++) {
        if (!writable || kz_shogi_record_at(record)->written) {
            length += (size_t)snprintf(list + length, NAMES_BYTES - length, "%s%s", length > 0 ? ", " : "",
                                       kz_shogi_record_at(record)->name);
        }
    }
    return list;
}

/* What follows the last dot of the file's name (before ".zst" or ".gz"), in lower case; empty if there is no such
 * thing. */
static void ending_of(const char *path, char ending[ENDING_BYTES]) {
    const char *slash = strrchr(path, '/');
    const char *name = slash ? slash + 1 : path;
    size_t end = strlen(name);
    ending[0] = '\0';
    /* A packed file has another ending before that of the packer. */
    for (int packed = 0; packed < 2; packed++) {
        size_t dot = end;
        while (dot > 0 && name[dot - 1] != '.') {
            dot--;
        }
        if (dot == 0 || end - dot >= ENDING_BYTES) {
            return;
        }
        for (size_t i = dot; i < end; i++) {
            ending[i - dot] = name[i] >= 'A' && name[i] <= 'Z' ? (char)(name[i] - 'A' + 'a') : name[i];
        }
        ending[end - dot] = '\0';
        if (strcmp(ending, "zst") != 0 && strcmp(ending, "gz") != 0) {
            return;
        }
        end = dot - 1;
        ending[0] = '\0';
    }
}

kz_shogi_record record_of_path(const char *path) {
    static const struct {
        const char *ending;
        kz_shogi_record record;
    } customs[] = {{"bin", KZ_SHOGI_RECORD_PSV}, {"txt", KZ_SHOGI_RECORD_PLAIN}, {"kifu", KZ_SHOGI_RECORD_KIF}};
    char ending[ENDING_BYTES];
    ending_of(path, ending);
    for (size_t i = 0; i < sizeof customs / sizeof *customs; i++) {
        if (strcmp(customs[i].ending, ending) == 0) {
            return customs[i].record;
        }
    }
    return kz_shogi_record_named(ending);
}

bool is_ambiguous_path(const char *path) {
    char ending[ENDING_BYTES];
    ending_of(path, ending);
    return strcmp(ending, "bin") == 0 || strcmp(ending, "txt") == 0;
}

static kz_shogi_record choose_record(const cli_command *command, const char *option, const char *name, const char *path,
                                     bool writes) {
    char list[NAMES_BYTES];
    kz_shogi_record record = name ? kz_shogi_record_named(name) : record_of_path(path);
    if (record == KZ_SHOGI_RECORDS && name) {
        report_usage(command, "--%s: there are no records '%s'; there are: %s", option, name,
                     list_records(writes, list));
    } else if (record == KZ_SHOGI_RECORDS) {
        report_usage(command, "which records does %s %s? Its name does not tell; say --%s with one of: %s",
                     strcmp(path, "-") == 0 ? "the stream" : path, writes ? "get" : "have", option,
                     list_records(writes, list));
    } else if (writes && !kz_shogi_record_at(record)->written) {
        report_usage(command, "%s can be read, but not written; say --%s with one of: %s",
                     kz_shogi_record_at(record)->name, option, list_records(writes, list));
        return KZ_SHOGI_RECORDS;
    }
    return record;
}

kz_shogi_record record_of_option_or_path(const cli_command *command, const char *option, const char *name,
                                         const char *path) {
    return choose_record(command, option, name, path, false);
}

kz_shogi_record record_to_write(const cli_command *command, const char *option, const char *name, const char *path) {
    return choose_record(command, option, name, path, true);
}

int dialect_of_option(const cli_command *command, const char *option, const char *name, kz_shogi_dialect *dialect) {
    *dialect = KZ_SHOGI_DIALECTS;
    if (!name) {
        return STATUS_FINE;
    }
    for (kz_shogi_dialect known = 0; known < KZ_SHOGI_DIALECTS; known++) {
        if (strcmp(kz_shogi_dialect_name(known), name) == 0) {
            *dialect = known;
            return STATUS_FINE;
        }
    }
    return report_usage(command, "--%s: there is no dialect '%s'; there are: yaneuraou, drops82, apery", option, name);
}
