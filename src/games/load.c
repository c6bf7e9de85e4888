/* SPDX-License-Identifier: MIT
 *
 * Games from shared objects. Nothing is loaded but what the caller names. */
#include "base/error.h"
#include "game/define.h"
#include "games/texts/variant.h"

#include <kanzen/paths.h>

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void unload(void *library) { dlclose(library); }

/* The definition that a loaded file exports; NULL with the reason if there is none. */
static const kz_definition *find_definition(void *library, const char *path, kz_error *error) {
    void *symbol = dlsym(library, "kanzen_game");
    if (!symbol) {
        kz_fail(error, KZ_ERR_INPUT,
                "%s has no game in it: it does not export 'const kz_definition *kanzen_game(void)'", path);
        return NULL;
    }
    kz_game_function *function;
    memcpy(&function, &symbol, sizeof function); /* ISO C has no cast from data to functions */
    const kz_definition *definition = function();
    if (!definition) {
        kz_fail(error, KZ_ERR_INPUT, "%s: kanzen_game() returns NULL", path);
    }
    return definition;
}

kz_status kz_game_load(const char *path, const kz_game **game, kz_error *error) {
    *game = NULL;
    if (!strchr(path, '/')) { /* the loader would look for it elsewhere */
        return kz_fail(error, KZ_ERR_INPUT, "a game's file is named with its folder: ./%s", path);
    }
    if (access(path, R_OK) != 0) {
        return kz_fail(error, KZ_ERR_IO, "can't read the game %s: there is no such file, or it may not be read", path);
    }
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!library) {
        const char *reason = dlerror();
        return kz_fail(error, KZ_ERR_INPUT, "can't load the game %s: %s", path, reason ? reason : "no reason given");
    }
    kz_error reason = {KZ_OK, ""};
    const kz_definition *definition = find_definition(library, path, &reason);
    const kz_opening opening = {.library = library, .unload = unload};
    kz_status status = definition ? kz_game_open_with(definition, &opening, game, &reason) : KZ_ERR_INPUT;
    if (status == KZ_OK && kz_game_find(kz_game_name(*game))) {
        status = kz_fail(&reason, KZ_ERR_INPUT,
                         "a game that comes with Kanzen is called %s: give this one another name", kz_game_name(*game));
        kz_game_close(*game); /* and unloads it */
        *game = NULL;
    } else if (status != KZ_OK) {
        unload(library);
    }
    return status == KZ_OK ? KZ_OK
           : definition    ? kz_fail(error, status, "%s: %s", path, reason.message)
                           : kz_fail(error, status, "%s", reason.message);
}

static void add_name(char *names, size_t size, const char *name) {
    size_t used = strlen(names);
    snprintf(names + used, size - used, "%s%s", used ? ", " : "", name);
}

static kz_status not_found(const char *name, kz_error *error) {
    char names[160] = "";
    for (size_t i = 0; kz_game_at(i); i++) {
        add_name(names, sizeof names, kz_game_name(kz_game_at(i)));
    }
    for (int i = 0; kz_game_text_name(i); i++) {
        if (!kz_game_find(kz_game_text_name(i))) {
            add_name(names, sizeof names, kz_game_text_name(i));
        }
    }
    return kz_fail(error, KZ_ERR_INPUT,
                   "no game is called '%.60s': there are %s, files (NAME.ini, ./NAME.so), and those in the folders of "
                   "KANZEN_GAMES",
                   name, names);
}

kz_status kz_game_named(const char *name, const kz_game **game, kz_error *error) {
    *game = kz_game_find(name);
    if (*game) {
        return KZ_OK;
    }
    kz_status status = kz_variant_open_named(name, game, error);
    if (status != KZ_OK || *game) {
        return status;
    }
    if (strchr(name, '/')) {
        return kz_game_load(name, game, error);
    }
    static const char allowed[] = "abcdefghijklmnopqrstuvwxyz0123456789-";
    const char *folders = getenv("KANZEN_GAMES");
    if (!folders || !name[0] || name[strspn(name, allowed)]) {
        return not_found(name, error);
    }
    while (*folders) {
        size_t length = strcspn(folders, ":");
        char path[KZ_PATH_BYTES];
        int written = snprintf(path, sizeof path, "%.*s/%s.so", (int)length, folders, name);
        if (length > 0 && written > 0 && (size_t)written < sizeof path && access(path, F_OK) == 0) {
            return kz_game_load(path, game, error);
        }
        folders += length + (folders[length] == ':');
    }
    return not_found(name, error);
}
