/* SPDX-License-Identifier: MIT
 *
 * Bytes as the list of tables of a web server: what is read is safe to use, and is written so that it is read again. */
#include "app/net/manifest.h"
#include "tests/fuzz/laws.h"

#include <stdlib.h>
#include <string.h>

static bool same_text(const char *a, const char *b) { return a && b ? strcmp(a, b) == 0 : a == b; }

static const char *broken_by_table(const kz_manifest_table *table) {
    LAW(table->game[0] != '\0' && table->rules[0] != '\0');
    LAW(table->file[0] != '\0' && table->file[0] != '.' && !strchr(table->file, '/'));
    LAW(table->bytes > 0 && table->bytes <= INT64_MAX);
    LAW(strlen(table->digest) == 64 && (!table->sha256 || strlen(table->sha256) == 64));
    return NULL;
}

static const char *broken_by_writing(const kz_manifest *manifest) {
    size_t length = 0;
    kz_manifest again;
    char *text = kz_manifest_write(manifest->tables, manifest->count, &length);
    LAW(text != NULL);
    kz_status status = kz_manifest_read("again", text, length, &again, NULL);
    free(text);
    LAW(status == KZ_OK);
    bool same = again.count == manifest->count;
    for (size_t i = 0; same && i < again.count; i++) {
        const kz_manifest_table *a = &manifest->tables[i];
        const kz_manifest_table *b = &again.tables[i];
        same = same_text(a->game, b->game) && same_text(a->rules, b->rules) && same_text(a->file, b->file) &&
               a->bytes == b->bytes && same_text(a->digest, b->digest) && same_text(a->sha256, b->sha256);
    }
    kz_manifest_free(&again);
    LAW(same);
    return NULL;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    kz_manifest manifest;
    kz_error error = {KZ_OK, ""};
    kz_status status = kz_manifest_read("list", (const char *)data, size, &manifest, &error);
    fuzz_keep_failure(status, &error);
    if (status == KZ_OK) {
        for (size_t i = 0; i < manifest.count; i++) {
            fuzz_keep(broken_by_table(&manifest.tables[i]));
        }
        fuzz_keep(broken_by_writing(&manifest));
        kz_manifest_free(&manifest);
    }
    return 0;
}
