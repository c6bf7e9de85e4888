/* SPDX-License-Identifier: MIT
 *
 * Any text as the record of a game, in either form. What is read is written and read again, and is then the same. */
#include "tests/fuzz/fuzz.h"

#include <kanzen/record.h>

static const char *broken_by_other(const kz_record *record, const kz_record *again) {
    LAW(record->game == again->game && record->rules == again->rules && record->result == again->result);
    LAW(kz_same(record->game, &record->start, &again->start));
    LAW(strcmp(record->names[0], again->names[0]) == 0 && strcmp(record->names[1], again->names[1]) == 0);
    LAW(record->count == again->count);
    LAW(record->count == 0 || memcmp(record->moves, again->moves, record->count * sizeof *record->moves) == 0);
    return NULL;
}

static const char *broken_by_writing(const kz_record *record, kz_record_form form) {
    char *text = NULL;
    size_t length = 0;
    kz_error error = {KZ_OK, ""};
    kz_status status = kz_record_format(record, form, &text, &length, &error);
    if (status == KZ_ERR_UNSUPPORTED && form == KZ_RECORD_KIF) {
        return NULL;
    }
    LAW(status == KZ_OK && strlen(text) == length);
    LAW(kz_record_form_of(text, length) == form);
    kz_record again;
    status = kz_record_parse(text, length, &again, &error);
    free(text);
    LAW(status == KZ_OK);
    const char *broken = broken_by_other(record, &again);
    kz_record_free(&again);
    return broken;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    kz_record record;
    kz_error error = {KZ_OK, ""};
    kz_status status = kz_record_parse((const char *)data, size, &record, &error);
    fuzz_keep_failure(status, &error);
    if (status == KZ_OK) {
        fuzz_keep(broken_by_writing(&record, KZ_RECORD_LIST));
        fuzz_keep(broken_by_writing(&record, KZ_RECORD_KIF));
        kz_record_free(&record);
    }
    return 0;
}
