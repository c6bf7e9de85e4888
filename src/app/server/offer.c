/* SPDX-License-Identifier: MIT */
#include "app/server/site.h"

#include "app/net/manifest.h"
#include "base/error.h"
#include "base/file.h"
#include "base/http.h"

#include <kanzen/paths.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NAME_BYTES = 64 };

typedef struct offer {
    kz_manifest_table *tables;
    char (*names)[NAME_BYTES]; /* of the server's own */
    size_t count;
} offer;

/* Only the digest of the content is listed: that of the whole file would have to be worked out first. */
static kz_status add_table(offer *o, kz_site *site, const kz_server_table *table, kz_error *error) {
    char path[NAME_BYTES + 16];
    const kz_game *game = kz_table_game(table->table);
    char *name = o->names[o->count];
    const char *rules = kz_rules_name(game, kz_table_rules(table->table));
    int length = snprintf(name, NAME_BYTES, "%s-%s.kzt", kz_game_name(game), rules);
    if (length < 0 || length >= NAME_BYTES) {
        return kz_fail(error, KZ_ERR_INPUT, "%s: the names of its game and rules are too long", table->path);
    }
    snprintf(path, sizeof path, "/tables/%s", name);
    kz_status status = kz_site_add_file(site, path, table->path, error);
    for (size_t i = 0; i < o->count; i++) {
        if (strcmp(o->tables[i].file, name) == 0) {
            o->tables[i].bytes = kz_table_bytes(table->table);
            o->tables[i].digest = kz_table_digest(table->table);
            return status; /* the later one takes its place, as it does for answers */
        }
    }
    o->tables[o->count++] = (kz_manifest_table){.game = kz_game_name(game),
                                                .rules = rules,
                                                .file = name,
                                                .bytes = kz_table_bytes(table->table),
                                                .digest = kz_table_digest(table->table)};
    return status;
}

/* What the site's own list has besides. A list that can't be read is left as it is: the page says what is wrong. */
static void add_listed(offer *o, const kz_manifest *listed) {
    size_t own = o->count;
    for (size_t i = 0; i < listed->count; i++) {
        bool other = true;
        for (size_t j = 0; j < own; j++) {
            other = other && strcmp(o->tables[j].file, listed->tables[i].file) != 0;
        }
        if (other) {
            o->tables[o->count++] = listed->tables[i];
        }
    }
}

/* False: the site has no list, or none that can be read. */
static bool read_listed(const char *site, kz_manifest *listed) {
    char path[KZ_PATH_BYTES];
    kz_mapping mapping;
    *listed = (kz_manifest){0};
    if (!site || snprintf(path, sizeof path, "%s/tables/" KZ_MANIFEST_FILE, site) >= (int)sizeof path ||
        kz_mapping_open(&mapping, path, NULL) != KZ_OK) {
        return false;
    }
    bool fine = mapping.size <= KZ_MANIFEST_MOST_BYTES &&
                kz_manifest_read(path, (const char *)mapping.data, mapping.size, listed, NULL) == KZ_OK;
    kz_mapping_close(&mapping);
    return fine;
}

static kz_status add_all(offer *o, kz_site *site, const kz_server_options *options, const kz_manifest *listed,
                         kz_error *error) {
    for (size_t i = 0; i < options->table_count; i++) {
        if (!kz_is_url(options->tables[i].path)) {
            KZ_TRY(add_table(o, site, &options->tables[i], error));
        }
    }
    if (o->count == 0) {
        return KZ_OK;
    }
    add_listed(o, listed);
    size_t length = 0;
    char *text = kz_manifest_write(o->tables, o->count, &length);
    kz_status status = text ? kz_site_add_text(site, "/tables/" KZ_MANIFEST_FILE, text, length, error)
                            : kz_fail(error, KZ_ERR_MEMORY, "no memory for the list of tables");
    free(text);
    return status;
}

kz_status kz_offer_tables(kz_site *site, const kz_server_options *options, kz_error *error) {
    kz_manifest listed;
    (void)read_listed(options->site, &listed);
    size_t room = options->table_count + listed.count + 1;
    offer o = {.tables = calloc(room, sizeof *o.tables), .names = calloc(room, sizeof *o.names)};
    kz_status status = o.tables && o.names ? add_all(&o, site, options, &listed, error)
                                           : kz_fail(error, KZ_ERR_MEMORY, "no memory for the list of tables");
    kz_manifest_free(&listed);
    free(o.tables);
    free(o.names);
    return status;
}
