/* SPDX-License-Identifier: MIT
 *
 * What a solver asks about the machine that it runs on, in the browser: there are no tables of earlier solves, and
 * memory is just memory. */
#include "base/bigmem.h"
#include "base/error.h"
#include "solve/any_files.h"

#include <kanzen/load.h>
#include <kanzen/paths.h>
#include <stdlib.h>

void *kz_big_alloc(size_t size) { return calloc(1, size); }

void kz_big_free(void *memory, size_t size) {
    (void)size;
    free(memory);
}

size_t kz_table_list(const char *game, kz_rules_text *rules, size_t room) {
    (void)game;
    (void)rules;
    (void)room;
    return 0;
}

kz_status kz_any_import(kz_any_files *files, const kz_game *game, kz_error *error) {
    (void)files;
    (void)game;
    (void)error;
    return KZ_OK;
}

/* From a text; nothing else can be loaded here. */
kz_status kz_variant_open_named(const char *name, const kz_game **game, kz_error *error);

kz_status kz_game_named(const char *name, const kz_game **game, kz_error *error) {
    return kz_variant_open_named(name, game, error);
}
