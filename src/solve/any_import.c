/* SPDX-License-Identifier: MIT */
#include "solve/any_files.h"

#include "base/error.h"
#include "table/any_kind.h"

#include <kanzen/load.h>
#include <kanzen/paths.h>
#include <stdlib.h>
#include <string.h>

enum { NAME_BYTES = 64 };

/* One tier of a table, read block by block. */
typedef struct reading {
    const kz_table *table;
    uint64_t first;    /* of the tier */
    uint64_t loaded;   /* the block whose entries are here, plus one */
    uint16_t *entries; /* [KZ_ANY_BLOCK] */
    kz_status status;
    kz_error error;
} reading;

static kz_code code_at(void *context, uint64_t offset) {
    reading *r = context;
    uint64_t index = r->first + offset;
    uint64_t block = index / KZ_ANY_BLOCK;
    if (r->loaded != block + 1 && r->status == KZ_OK) {
        uint64_t begin = block * KZ_ANY_BLOCK;
        uint64_t left = kz_table_shape(r->table)->places - begin;
        r->status = kz_table_read(r->table, begin, left < KZ_ANY_BLOCK ? left : KZ_ANY_BLOCK, r->entries, &r->error);
        r->loaded = block + 1;
    }
    return r->status == KZ_OK ? kz_table_any(r->table)->values.codes[r->entries[index % KZ_ANY_BLOCK]] : KZ_CODE_HOLE;
}

static kz_any_form form_of(const kz_table *table) {
    const kz_any_values *values = &kz_table_any(table)->values;
    unsigned longest = 0;
    bool parity = true;
    for (unsigned i = 0; i < values->count; i++) {
        kz_code code = values->codes[i];
        unsigned plies = code > KZ_CODE_DRAW ? (code - 2) / 2 : 0;
        longest = plies > longest ? plies : longest;
        parity = parity && (code <= KZ_CODE_DRAW || plies % 2 == code % 2);
    }
    return kz_any_form_for(longest, parity);
}

static kz_status import_tier(kz_any_files *files, int tier, const kz_table *table, uint64_t first, kz_error *error) {
    reading r = {.table = table, .first = first, .entries = malloc(KZ_ANY_BLOCK * sizeof(uint16_t))};
    if (!r.entries) {
        return kz_fail(error, KZ_ERR_MEMORY, "no memory to read a table");
    }
    kz_any_codes codes = {&r, code_at, form_of(table)};
    kz_status status = kz_any_files_write_codes(files, tier, &codes, &r.status, &r.error, error);
    free(r.entries);
    bool found = false;
    return status == KZ_OK ? kz_any_files_open(files, tier, &found, error) : status;
}

/* The tier of `files` that is the same as a tier of another part; -1: none, or it is there already. */
static int find_tier(const kz_any_files *files, const char *name, uint64_t size) {
    const kz_any_rules *rules = files->rules;
    for (int tier = 0; tier < rules->tiers; tier++) {
        char own[NAME_BYTES] = "";
        if (files->tier[tier].values || rules->tier_begin[tier + 1] - rules->tier_begin[tier] != size) {
            continue;
        }
        kz_any_tier_name(rules, tier, own);
        if (strcmp(own, name) == 0) {
            return tier;
        }
    }
    return -1;
}

static kz_status import_table(kz_any_files *files, const kz_game *part, const char *path, kz_error *error) {
    kz_any_rules rules = {.tiers = 0};
    kz_table *table = NULL;
    kz_status status = kz_any_rules_open(&rules, kz_game_definition(part), kz_game_context(part, 0), error);
    if (status == KZ_OK) {
        status = kz_table_open_as(path, part, &table, error);
        if (status == KZ_ERR_INPUT) { /* by other rules: nothing that could be taken over */
            kz_any_rules_close(&rules);
            return KZ_OK;
        }
    }
    bool useful = status == KZ_OK && kz_table_any(table) && !kz_table_any(table)->losses_only;
    for (int tier = 0; useful && status == KZ_OK && tier < rules.tiers; tier++) {
        char name[NAME_BYTES] = "";
        uint64_t size = rules.tier_begin[tier + 1] - rules.tier_begin[tier];
        kz_any_tier_name(&rules, tier, name);
        int own = size > 0 ? find_tier(files, name, size) : -1;
        if (own >= 0) {
            status = import_tier(files, own, table, rules.tier_begin[tier], error);
        }
    }
    kz_table_close(table);
    kz_any_rules_close(&rules);
    return status;
}

kz_status kz_any_import(kz_any_files *files, const kz_game *game, kz_error *error) {
    kz_rules_text names[KZ_MAX_RULES];
    size_t count = game->doors->sibling ? kz_table_list(kz_game_name(game), names, KZ_MAX_RULES) : 0;
    kz_status status = KZ_OK;
    for (int tier = 0; count && status == KZ_OK && tier < files->rules->tiers; tier++) {
        bool found;
        status = kz_any_files_open(files, tier, &found, error);
    }
    for (size_t i = 0; i < count && status == KZ_OK; i++) {
        const kz_game *part = NULL;
        char path[KZ_PATH_BYTES];
        kz_error ignored; /* a file with such a name that is of no part of the game */
        if (strcmp(names[i].text, files->rules_name) != 0 &&
            game->doors->sibling(game, names[i].text, &part, &ignored) == KZ_OK &&
            kz_table_find(kz_game_name(game), names[i].text, path, sizeof path, &ignored) == KZ_OK) {
            status = import_table(files, part, path, error);
        }
        kz_game_close(part);
    }
    return status;
}
