/* SPDX-License-Identifier: MIT */
#include "server/posted.h"

#include "base/error.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

static kz_status take_positions(const json_t *list, kz_posted *posted, kz_error *error) {
    if (!json_is_array(list)) {
        return kz_fail(error, KZ_ERR_INPUT, "\"positions\" should be a list of texts");
    }
    posted->count = json_array_size(list);
    posted->positions = calloc(posted->count + 1, sizeof *posted->positions);
    if (!posted->positions) {
        return kz_fail(error, KZ_ERR_MEMORY, "no memory for %zu positions", posted->count);
    }
    for (size_t i = 0; i < posted->count; i++) {
        posted->positions[i] = json_string_value(json_array_get(list, i));
        if (!posted->positions[i]) {
            return kz_fail(error, KZ_ERR_INPUT, "\"positions\": number %zu (counted from 1) is not a text", i + 1);
        }
    }
    return KZ_OK;
}

static kz_status take_members(kz_posted *posted, kz_error *error) {
    if (!json_is_object(posted->document)) {
        return kz_fail(error, KZ_ERR_INPUT, "the body should be an object, {\"positions\": [...], \"rules\": \"...\"}");
    }
    const char *key;
    json_t *value;
    json_object_foreach(posted->document, key, value) {
        if (strcmp(key, "positions") == 0) {
            kz_status status = take_positions(value, posted, error);
            if (status != KZ_OK) {
                return status;
            }
        } else if (strcmp(key, "rules") == 0) {
            posted->rules = json_string_value(value);
            if (!posted->rules) {
                return kz_fail(error, KZ_ERR_INPUT, "\"rules\" should be a text");
            }
        } else {
            return kz_fail(error, KZ_ERR_INPUT,
                           "the body has a member \"%.40s\"; it should have \"positions\" and "
                           "may have \"rules\"",
                           key);
        }
    }
    return posted->positions ? KZ_OK : kz_fail(error, KZ_ERR_INPUT, "the body has no member \"positions\"");
}

kz_status kz_posted_read(const char *body, size_t length, kz_posted *posted, kz_error *error) {
    json_error_t wrong;
    *posted = (kz_posted){.document = NULL};
    posted->document = json_loadb(length > 0 ? body : "", length, JSON_REJECT_DUPLICATES, &wrong);
    kz_status status = posted->document ? take_members(posted, error)
                                        : kz_fail(error, KZ_ERR_INPUT, "the body is not JSON: line %d, column %d: %s",
                                                  wrong.line, wrong.column, wrong.text);
    if (status != KZ_OK) {
        kz_posted_free(posted);
    }
    return status;
}

void kz_posted_free(kz_posted *posted) {
    json_decref(posted->document);
    free(posted->positions);
    *posted = (kz_posted){.document = NULL};
}
