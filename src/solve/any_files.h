/* SPDX-License-Identifier: MIT
 *
 * The tiers of any game that are solved, each in a file: the next tiers look values up in them, an interrupted solve
 * goes on after the last one, and the table is made of them in the end. docs/format-tier.md describes the file. */
#ifndef KZ_SOLVE_ANY_FILES_H
#define KZ_SOLVE_ANY_FILES_H

#include "base/file.h"
#include "game/gamedef.h"
#include "solve/any_tier.h"

typedef struct kz_any_file {
    kz_mapping file;
    const uint8_t *values; /* [size], in this form */
    uint64_t size;
    kz_any_form form;
    uint8_t *near; /* a copy of the values; NULL: none */
} kz_any_file;

typedef struct kz_any_files {
    const kz_any_rules *rules;
    const char *folder;
    const char *rules_name;
    uint32_t fingerprint; /* of the rules (game/defined.h) */
    kz_any_file *tier;    /* [tiers] */
} kz_any_files;

/* No file is open yet. Close it in any case. */
kz_status kz_any_files_begin(kz_any_files *files, const kz_any_rules *rules, const char *rules_name, const char *folder,
                             kz_error *error);
void kz_any_files_end(kz_any_files *files);

/* Opens and checks the file of a tier, if there is one. KZ_ERR_CORRUPT if it is damaged, or of another game;
 * KZ_ERR_INPUT if it was made by other rules, which the game had before. */
kz_status kz_any_files_open(kz_any_files *files, int tier, bool *found, kz_error *error);
/* The values of a tier that come from elsewhere, in order. */
typedef struct kz_any_codes {
    void *context;
    kz_code (*code)(void *context, uint64_t offset);
    kz_any_form form; /* that all of them fit into */
} kz_any_codes;

/* Writes them, unless `failed` says in the end that they could not be had. */
kz_status kz_any_files_write_codes(const kz_any_files *files, int number, const kz_any_codes *codes,
                                   const kz_status *failed, const kz_error *reason, kz_error *error);
/* Writes a solved tier. */
kz_status kz_any_files_write(const kz_any_files *files, int number, const kz_any_tier *tier, kz_error *error);
/* Removes all of them. */
void kz_any_files_remove(const kz_any_files *files);

/* The values of the tier that has an index, or none if the tier is not open. From any thread. `context` is the
 * kz_any_files. */
kz_any_span kz_any_files_span(const void *context, uint64_t index);
/* The value with an index; its tier must be open. From any thread. `context` is the kz_any_files. */
kz_code kz_any_files_value(const void *context, uint64_t index);

/* Copies what moves of a tier lead to to large pages of memory, as far as it fits into so many bytes. Nobody may read
 * values meanwhile. */
void kz_any_near_take(kz_any_files *files, int tier, uint64_t most_bytes);
void kz_any_near_drop(kz_any_files *files);

/* Writes the file of every tier that a table of another part of the game has (game->doors->sibling), unless it is
 * there: an ending that was solved by itself is a tier of a larger part (any_import.c). */
kz_status kz_any_import(kz_any_files *files, const kz_game *game, kz_error *error);

#endif
