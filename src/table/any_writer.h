/* SPDX-License-Identifier: MIT
 *
 * Writing a table of any game (version 3). */
#ifndef KZ_TABLE_ANY_WRITER_H
#define KZ_TABLE_ANY_WRITER_H

#include "base/pool.h"
#include "table/any_coder.h"

#include <kanzen/progress.h>

/* What a table is made of. */
typedef struct kz_any_source {
    const char *game;
    const char *rules;
    uint64_t entries;     /* of the index */
    uint32_t fingerprint; /* of the rules */
    /* The value with an index; from several threads at once. */
    void *context;
    kz_code (*value)(const void *context, uint64_t index);
    /* How often each value occurs: histogram[code], for codes below `limit`. */
    const uint64_t *histogram;
    kz_code limit;
    /* Store losses only: then a probe looks at the moves of positions that are not lost. */
    bool losses_only;
    const uint64_t *strides; /* hints, up to 8; 0: no more */
} kz_any_source;

/* The bytes don't depend on the number of threads. Nothing is left behind if a write fails. */
kz_status kz_any_table_write(const kz_any_source *source, kz_pool *pool, const char *path, bool replace,
                             const kz_progress *progress, uint64_t *file_bytes, kz_error *error);

#endif
