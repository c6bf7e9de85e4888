/* SPDX-License-Identifier: MIT
 *
 * doubutsu-values-full.txt: values as text. */
#include "app/export/ordered.h"
#include "base/error.h"
#include "games/dobutsu/compat/state_values.h"

#include <kanzen/dobutsu_files.h>
#include <stdlib.h>
#include <string.h>

enum { BUFFER = 1 << 20, LINE_MOST = 64 };

typedef struct text {
    kz_outfile file;
    kz_dobutsu_state_value_scale scale;
    size_t length[256]; /* of the scale's texts */
    size_t used;
    char buffer[BUFFER];
} text;

static kz_status flush(text *t, kz_error *error) {
    kz_status status = kz_outfile_write(&t->file, t->buffer, t->used, error);
    t->used = 0;
    return status;
}

static kz_status take(void *context, const uint64_t *values, size_t count, kz_error *error) {
    text *t = context;
    for (size_t i = 0; i < count; i++) {
        unsigned number = kz_dobutsu_state_value_entry(values[i]);
        char *at = kz_put_decimal(t->buffer + t->used, kz_dobutsu_state_value_index(values[i]));
        *at++ = ' ';
        memcpy(at, t->scale.text[number], t->length[number]);
        at += t->length[number];
        *at++ = '\n';
        t->used = (size_t)(at - t->buffer);
        if (t->used > BUFFER - LINE_MOST) {
            KZ_TRY(flush(t, error));
        }
    }
    return KZ_OK;
}

kz_status kz_dobutsu_export_values(const kz_table *table, const char *path, const kz_export_options *options,
                                   uint64_t *written, kz_error *error) {
    text *t = calloc(1, sizeof *t);
    if (!t) {
        return kz_fail(error, KZ_ERR_MEMORY, "no memory to write %s", path ? path : "the stream");
    }
    kz_dobutsu_state_value_scale_fill(&t->scale);
    for (int number = 0; number < 256; number++) {
        t->length[number] = strlen(t->scale.text[number]);
    }
    kz_status status = kz_export_open(&t->file, path, options, error);
    if (status == KZ_OK) {
        const kz_dobutsu_state_values target = {.context = t, .take = take};
        status = kz_dobutsu_state_values_write(table, options, &target, written, error);
        status = status == KZ_OK ? flush(t, error) : status;
        if (status == KZ_OK) {
            status = kz_outfile_commit(&t->file, error);
        } else {
            kz_outfile_discard(&t->file);
        }
    }
    free(t);
    return status;
}
