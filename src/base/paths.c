/* SPDX-License-Identifier: MIT */
#include <kanzen/paths.h>

#include "base/error.h"
#include "base/file.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Names become part of a file name, so they must not lead elsewhere. */
static kz_status check_name(const char *what, const char *name, kz_error *error) {
    static const char allowed[] = "abcdefghijklmnopqrstuvwxyz0123456789-_";
    if (name[0] == '\0' || name[strspn(name, allowed)] != '\0') {
        return kz_fail(error, KZ_ERR_INPUT, "'%s' can't be the name of a %s", name, what);
    }
    return KZ_OK;
}

static kz_status join(const char *folder, const char *below, const char *game, const char *rules, char *path,
                      size_t size, kz_error *error) {
    int length = snprintf(path, size, "%s%s/%s-%s.kzt", folder, below, game, rules);
    if (length < 0 || (size_t)length >= size) {
        return kz_fail(error, KZ_ERR_INPUT, "the path of the tables folder is too long: %s", folder);
    }
    return KZ_OK;
}

/* NULL if the variable is not set or is empty. */
static const char *variable(const char *name) {
    const char *value = getenv(name);
    return value != NULL && value[0] != '\0' ? value : NULL;
}

static kz_status data_path(const char *game, const char *rules, char *path, size_t size, kz_error *error) {
    const char *data = variable("XDG_DATA_HOME");
    if (data != NULL && data[0] == '/') { /* the XDG specification has relative paths ignored */
        return join(data, "/kanzen", game, rules, path, size, error);
    }
    const char *home = variable("HOME");
    if (home == NULL) {
        return kz_fail(error, KZ_ERR_IO,
                       "no folder for tables: none of KANZEN_TABLES, XDG_DATA_HOME (an absolute path) and HOME is set");
    }
    return join(home, "/.local/share/kanzen", game, rules, path, size, error);
}

static kz_status check_names(const char *game, const char *rules, kz_error *error) {
    kz_status status = check_name("game", game, error);
    return status != KZ_OK ? status : check_name("rule set", rules, error);
}

kz_status kz_table_path(const char *game, const char *rules, char *path, size_t size, kz_error *error) {
    KZ_TRY(check_names(game, rules, error));
    const char *tables = variable("KANZEN_TABLES");
    return tables != NULL ? join(tables, "", game, rules, path, size, error)
                          : data_path(game, rules, path, size, error);
}

/* In the folders that all users of the machine share: those of XDG_DATA_DIRS, which has a default, and the one that
 * this build was configured for. */
static bool find_shared(const char *game, const char *rules, char *path, size_t size) {
    const char *folders = variable("XDG_DATA_DIRS");
    for (const char *at = folders != NULL ? folders : "/usr/local/share:/usr/share"; *at != '\0';) {
        size_t length = strcspn(at, ":");
        char folder[KZ_PATH_BYTES];
        if (at[0] == '/' && length < sizeof folder) {
            memcpy(folder, at, length);
            folder[length] = '\0';
            if (join(folder, "/kanzen", game, rules, path, size, NULL) == KZ_OK && access(path, F_OK) == 0) {
                return true;
            }
        }
        at += length + (at[length] == ':');
    }
    return join(KANZEN_DATADIR, "", game, rules, path, size, NULL) == KZ_OK && access(path, F_OK) == 0;
}

kz_status kz_table_find(const char *game, const char *rules, char *path, size_t size, kz_error *error) {
    kz_status status = check_names(game, rules, error);
    if (status != KZ_OK) {
        return status;
    }
    const char *tables = variable("KANZEN_TABLES");
    if (tables != NULL) {
        status = join(tables, "", game, rules, path, size, error);
        if (status != KZ_OK || access(path, F_OK) == 0) {
            return status;
        }
    }
    kz_error reason;
    char shared[KZ_PATH_BYTES];
    status = data_path(game, rules, path, size, &reason);
    if (status == KZ_OK && access(path, F_OK) == 0) {
        return KZ_OK;
    }
    if (find_shared(game, rules, shared, sizeof shared)) {
        if (strlen(shared) >= size) {
            return kz_fail(error, KZ_ERR_INPUT, "the path of the table is too long: %s", shared);
        }
        memcpy(path, shared, strlen(shared) + 1);
        return KZ_OK;
    }
    if (status != KZ_OK) {
        return kz_fail(error, status, "%s", reason.message);
    }
    return kz_fail(
        error, KZ_ERR_IO,
        "there is no table for %s by %s rules; make it with: kanzen solve %s --rules %s (looked %s%s%sat %s)", game,
        rules, game, rules, tables != NULL ? "in " : "", tables != NULL ? tables : "", tables != NULL ? " and " : "",
        path);
}

/* ---- What is there ----------------------------------------------------------------------------------------------- */

/* The names that have been found so far. */
typedef struct names {
    const char *game;
    kz_rules_text *rules;
    size_t room;
    size_t count;
} names;

/* Adds a name where it belongs in the order, unless it is there or there is no room. */
static void add_name(names *n, const char *name, size_t length) {
    char rules[KZ_RULES_NAME_BYTES] = "";
    memcpy(rules, name, length);
    size_t at = 0;
    while (at < n->count && strcmp(n->rules[at].text, rules) < 0) {
        at++;
    }
    if (n->count == n->room || (at < n->count && strcmp(n->rules[at].text, rules) == 0)) {
        return;
    }
    memmove(n->rules + at + 1, n->rules + at, (n->count - at) * sizeof *n->rules);
    memcpy(n->rules[at].text, rules, sizeof rules);
    n->count++;
}

/* Adds what a folder has: files that are called GAME-RULES.kzt. */
static void add_folder(names *n, const char *folder, const char *below) {
    char path[KZ_PATH_BYTES];
    int written = snprintf(path, sizeof path, "%s%s", folder, below);
    DIR *open = written > 0 && (size_t)written < sizeof path ? opendir(path) : NULL;
    size_t prefix = strlen(n->game);
    for (struct dirent *entry = open ? readdir(open) : NULL; entry; entry = readdir(open)) {
        const char *name = entry->d_name;
        size_t length = strlen(name);
        size_t rules = length > prefix + 5 ? length - prefix - 5 : 0;
        if (rules > 0 && rules < KZ_RULES_NAME_BYTES && strncmp(name, n->game, prefix) == 0 && name[prefix] == '-' &&
            strcmp(name + length - 4, ".kzt") == 0) {
            add_name(n, name + prefix + 1, rules);
        }
    }
    if (open) {
        closedir(open);
    }
}

size_t kz_table_list(const char *game, kz_rules_text *rules, size_t room) {
    names n = {game, rules, room, 0};
    const char *tables = variable("KANZEN_TABLES");
    const char *data = variable("XDG_DATA_HOME");
    const char *home = variable("HOME");
    const char *folders = variable("XDG_DATA_DIRS");
    if (tables) {
        add_folder(&n, tables, "");
    }
    if (data && data[0] == '/') {
        add_folder(&n, data, "/kanzen");
    } else if (home) {
        add_folder(&n, home, "/.local/share/kanzen");
    }
    for (const char *at = folders ? folders : "/usr/local/share:/usr/share"; *at;) {
        size_t length = strcspn(at, ":");
        char folder[KZ_PATH_BYTES];
        if (at[0] == '/' && length < sizeof folder) {
            memcpy(folder, at, length);
            folder[length] = '\0';
            add_folder(&n, folder, "/kanzen");
        }
        at += length + (at[length] == ':');
    }
    add_folder(&n, KANZEN_DATADIR, "");
    return n.count;
}

kz_status kz_prepare_output(const char *path, bool replace, kz_error *error) {
    if (path[0] == '\0') {
        return kz_fail(error, KZ_ERR_INPUT, "the name of the file to write is empty");
    }
    const char *slash = strrchr(path, '/');
    if (slash != NULL && slash != path) {
        char *folder = strndup(path, (size_t)(slash - path));
        if (folder == NULL) {
            return kz_fail(error, KZ_ERR_MEMORY, "out of memory");
        }
        kz_status status = kz_make_folders(folder, error);
        free(folder);
        if (status != KZ_OK) {
            return status;
        }
    }
    kz_outfile file;
    kz_status status = kz_outfile_open(&file, path, replace, error);
    if (status == KZ_OK) {
        kz_outfile_discard(&file);
    }
    return status;
}

kz_status kz_write_file(const char *path, const void *data, size_t size, bool replace, kz_error *error) {
    kz_outfile file;
    KZ_TRY(kz_outfile_open(&file, path, replace, error));
    kz_status status = kz_outfile_write(&file, data, size, error);
    if (status != KZ_OK) {
        kz_outfile_discard(&file);
        return status;
    }
    return kz_outfile_commit(&file, error);
}
