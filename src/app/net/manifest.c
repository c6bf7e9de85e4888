/* SPDX-License-Identifier: MIT */
#include "app/net/manifest.h"

#include "base/error.h"
#include "base/json_reader.h"

#include <stdlib.h>
#include <string.h>

/* ---- Reading ----------------------------------------------------------------------------------------------------- */

/* Texts are decoded one behind the other; together they are never longer than the manifest. */
typedef struct reading {
    kz_json_reader json;
    kz_manifest *manifest;
    size_t used;
    const char *name;
    kz_error *error;
} reading;

static kz_status no_json(const reading *r) {
    return kz_fail(r->error, KZ_ERR_CORRUPT, "%s: not a list of tables: character %zu: %s", r->name, r->json.at + 1,
                   r->json.wrong);
}

static kz_status bad_table(const reading *r, const char *what) {
    return kz_fail(r->error, KZ_ERR_CORRUPT, "%s: table %zu: %s", r->name, r->manifest->count + 1, what);
}

static char *room(const reading *r) { return r->manifest->memory + r->used; }

static bool read_text(reading *r, const char **text) {
    size_t length;
    *text = room(r);
    if (!kz_json_read_text(&r->json, room(r), &length)) {
        return false;
    }
    r->used += length + 1;
    return true;
}

/* Goes on to the next member of an object, with its key in *key; false at the end, or if what comes is no JSON. The key
 * is forgotten with the next text: it makes room for the value. */
static bool next_member(reading *r, bool *first, const char **key) {
    size_t length;
    *key = room(r);
    bool another = kz_json_another(&r->json, '}', *first) && kz_json_read_key(&r->json, room(r), &length);
    *first = false;
    return another;
}

static bool is_made_of(const char *text, const char *characters) {
    return text && text[0] != '\0' && text[strspn(text, characters)] == '\0';
}

static bool is_name(const char *text) { return is_made_of(text, "abcdefghijklmnopqrstuvwxyz0123456789-_"); }

static bool is_digest(const char *text) {
    return is_made_of(text, "0123456789abcdef") && strlen(text) == (size_t)2 * KZ_SHA256_BYTES;
}

/* A file name that leads nowhere else, and needs no encoding in a URL. */
static bool is_file(const char *text) {
    return is_made_of(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.") && text[0] != '.';
}

static kz_status check_table(const reading *r, const kz_manifest_table *table) {
    if (!is_name(table->game) || !is_name(table->rules)) {
        return bad_table(r, "\"game\" and \"rules\" should be names of small letters, digits and hyphens");
    }
    if (!is_file(table->file)) {
        return bad_table(r, "\"file\" should be the name of a file beside the list");
    }
    if (table->bytes == 0 || table->bytes > INT64_MAX) {
        return bad_table(r, "\"bytes\" should be the size of the file");
    }
    if (!is_digest(table->digest) || (table->sha256 && !is_digest(table->sha256))) {
        return bad_table(r, "\"digest\" and \"sha256\" should have 64 hexadecimal digits");
    }
    return KZ_OK;
}

static kz_status read_table(reading *r, kz_manifest_table *table) {
    bool first = true;
    const char *key;
    *table = (kz_manifest_table){0};
    if (!kz_json_enter(&r->json, '{')) {
        return no_json(r);
    }
    while (next_member(r, &first, &key)) {
        const char **text = strcmp(key, "game") == 0     ? &table->game
                            : strcmp(key, "rules") == 0  ? &table->rules
                            : strcmp(key, "file") == 0   ? &table->file
                            : strcmp(key, "digest") == 0 ? &table->digest
                            : strcmp(key, "sha256") == 0 ? &table->sha256
                                                         : NULL;
        bool fine = text                        ? read_text(r, text)
                    : strcmp(key, "bytes") == 0 ? kz_json_read_unsigned(&r->json, &table->bytes)
                                                : kz_json_skip(&r->json, room(r));
        if (!fine) {
            return no_json(r);
        }
    }
    return r->json.wrong ? no_json(r) : check_table(r, table);
}

static kz_status read_tables(reading *r) {
    kz_manifest *manifest = r->manifest;
    if (!kz_json_enter(&r->json, '[')) {
        return no_json(r);
    }
    kz_status status = KZ_OK;
    while (status == KZ_OK && kz_json_another(&r->json, ']', manifest->count == 0)) {
        if (manifest->count == KZ_MANIFEST_MOST_TABLES) {
            return kz_fail(r->error, KZ_ERR_CORRUPT, "%s: more than %d tables", r->name, KZ_MANIFEST_MOST_TABLES);
        }
        status = read_table(r, &manifest->tables[manifest->count]);
        manifest->count += status == KZ_OK;
    }
    return status == KZ_OK && r->json.wrong ? no_json(r) : status;
}

static kz_status read_members(reading *r) {
    bool tables = false;
    bool first = true;
    const char *key;
    if (!kz_json_enter(&r->json, '{')) {
        return no_json(r);
    }
    while (next_member(r, &first, &key)) {
        if (strcmp(key, "manifest") == 0) {
            uint64_t version;
            if (!kz_json_read_unsigned(&r->json, &version)) {
                return no_json(r);
            }
            if (version != KZ_MANIFEST_VERSION) {
                return kz_fail(r->error, KZ_ERR_CORRUPT,
                               "%s: a list of version %llu, and this program reads version %d", r->name,
                               (unsigned long long)version, KZ_MANIFEST_VERSION);
            }
        } else if (strcmp(key, "tables") == 0 && !tables) {
            kz_status status = read_tables(r);
            if (status != KZ_OK) {
                return status;
            }
            tables = true;
        } else if (!kz_json_skip(&r->json, room(r))) {
            return no_json(r);
        }
    }
    if (r->json.wrong || !kz_json_read_end(&r->json)) {
        return no_json(r);
    }
    return tables ? KZ_OK
                  : kz_fail(r->error, KZ_ERR_CORRUPT, "%s: not a list of tables: it has no \"tables\"", r->name);
}

kz_status kz_manifest_read(const char *name, const char *text, size_t length, kz_manifest *manifest, kz_error *error) {
    reading r = {.json = {.text = text, .length = length}, .manifest = manifest, .name = name, .error = error};
    *manifest = (kz_manifest){
        .tables = malloc(KZ_MANIFEST_MOST_TABLES * sizeof *manifest->tables),
        .memory = malloc(length + 1),
    };
    kz_status status = manifest->tables && manifest->memory
                           ? read_members(&r)
                           : kz_fail(error, KZ_ERR_MEMORY, "no memory to read %s", name);
    if (status != KZ_OK) {
        kz_manifest_free(manifest);
    }
    return status;
}

void kz_manifest_free(kz_manifest *manifest) {
    free(manifest->tables);
    free(manifest->memory);
    *manifest = (kz_manifest){0};
}

const kz_manifest_table *kz_manifest_find(const kz_manifest *manifest, const char *game, const char *rules) {
    for (size_t i = 0; i < manifest->count; i++) {
        if (strcmp(manifest->tables[i].game, game) == 0 && strcmp(manifest->tables[i].rules, rules) == 0) {
            return &manifest->tables[i];
        }
    }
    return NULL;
}

/* ---- Writing ----------------------------------------------------------------------------------------------------- */

char *kz_manifest_write(const kz_manifest_table *tables, size_t count, size_t *length) {
    kz_json json = {0};
    kz_json_object(&json, NULL);
    kz_json_unsigned(&json, "manifest", KZ_MANIFEST_VERSION);
    kz_json_array(&json, "tables");
    for (size_t i = 0; i < count; i++) {
        kz_json_object(&json, NULL);
        kz_json_text(&json, "game", tables[i].game);
        kz_json_text(&json, "rules", tables[i].rules);
        kz_json_text(&json, "file", tables[i].file);
        kz_json_unsigned(&json, "bytes", tables[i].bytes);
        kz_json_text(&json, "digest", tables[i].digest);
        if (tables[i].sha256) {
            kz_json_text(&json, "sha256", tables[i].sha256);
        }
        kz_json_end_object(&json);
    }
    kz_json_end_array(&json);
    kz_json_end_object(&json);
    char *text = kz_json_take(&json, length);
    if (text) {
        text[(*length)++] = '\n'; /* in place of the 0 */
    }
    return text;
}
