/* SPDX-License-Identifier: MIT */
#include "solve/any_near.h"

#include "base/bigmem.h"
#include "game/defined.h"

#include <stdlib.h>
#include <string.h>

enum { WORTH_COPYING = 1 << 16 }; /* smaller tiers stay in the caches as they are */

static uint64_t bytes_of(const kz_any_file *file) { return file->size * kz_any_form_bytes(file->form); }

void kz_any_near_take(kz_any_files *files, int tier, uint64_t most_bytes) {
    int *next = malloc(((size_t)tier + 1) * sizeof *next);
    int count = next ? kz_defined_tier_next(files->rules->game, files->rules->context, tier, next) : 0;
    for (int i = 0; i < count; i++) {
        kz_any_file *file = &files->tier[next[i]];
        uint64_t bytes = bytes_of(file);
        if (file->near || bytes < WORTH_COPYING || bytes > most_bytes) {
            continue;
        }
        file->near = kz_big_alloc((size_t)bytes);
        if (file->near) {
            memcpy(file->near, file->values, (size_t)bytes);
            most_bytes -= bytes;
        }
    }
    free(next);
}

void kz_any_near_drop(kz_any_files *files) {
    for (int tier = 0; tier < files->rules->tiers; tier++) {
        kz_any_file *file = &files->tier[tier];
        kz_big_free(file->near, (size_t)bytes_of(file));
        file->near = NULL;
    }
}
