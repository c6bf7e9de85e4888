/* SPDX-License-Identifier: MIT */
#include "app/api/query.h"

#include "base/error.h"
#include "base/text.h"

#include <string.h>

static const char *const names[KZ_Q_PARAMETERS] = {
    [KZ_Q_POS] = "pos",     [KZ_Q_RULES] = "rules",           [KZ_Q_MOVES] = "moves", [KZ_Q_LIMIT] = "limit",
    [KZ_Q_LEVEL] = "level", [KZ_Q_AGGRESSIVE] = "aggressive", [KZ_Q_SEED] = "seed",   [KZ_Q_PLAYED] = "played",
    [KZ_Q_PLIES] = "plies", [KZ_Q_COUNT] = "count",           [KZ_Q_AT] = "at",
};

const char *kz_query_name(kz_parameter parameter) { return names[parameter]; }

/* ---- Decoding -------------------------------------------------------------------------------------------------- */

/* Decodes text[first .. end) to `out` and adds a 0 byte; returns the length. A space may be "+", as forms have it. */
static kz_status decode(const char *text, size_t first, size_t end, char *out, size_t *length, kz_problem *problem) {
    size_t written = 0;
    for (size_t at = first; at < end; at++) {
        char c = text[at];
        if (c == '%') {
            int high = at + 2 < end ? kz_hex_digit(text[at + 1]) : -1;
            int low = at + 2 < end ? kz_hex_digit(text[at + 2]) : -1;
            if (high < 0 || low < 0) {
                kz_json_unsigned(kz_problem_params(problem), "character", at + 1);
                return kz_refuse(problem, KZ_ERR_INPUT, "bad_query",
                                 "the query: character %zu: two hexadecimal digits have to follow '%%'", at + 1);
            }
            if (high == 0 && low == 0) {
                kz_json_unsigned(kz_problem_params(problem), "character", at + 1);
                return kz_refuse(problem, KZ_ERR_INPUT, "bad_query", "the query: character %zu: no text has a 0 byte",
                                 at + 1);
            }
            c = (char)(16 * high + low);
            at += 2;
        } else if (c == '+') {
            c = ' ';
        }
        out[written++] = c;
    }
    out[written] = '\0';
    *length = written;
    return KZ_OK;
}

/* ---- Taking apart ---------------------------------------------------------------------------------------------- */

/* The parameters of a set. */
static const char *name_in(const void *allowed, size_t number) {
    for (int i = 0; i < KZ_Q_PARAMETERS; i++) {
        if (*(const unsigned *)allowed & KZ_Q(i) && number-- == 0) {
            return names[i];
        }
    }
    return NULL;
}

static kz_status find_parameter(const char *name, unsigned allowed, int *parameter, kz_problem *problem) {
    for (int i = 0; i < KZ_Q_PARAMETERS; i++) {
        if (allowed & KZ_Q(i) && strcmp(names[i], name) == 0) {
            *parameter = i;
            return KZ_OK;
        }
    }
    char list[80];
    kz_json_text(kz_problem_params(problem), "parameter", name);
    kz_problem_known(problem, name_in, &allowed, list, sizeof list);
    return kz_refuse(problem, KZ_ERR_INPUT, "unknown_parameter", "there is no parameter '%.40s' here; there are: %s",
                     name, allowed ? list : "none");
}

/* Reads "name=value", text[first .. end). */
static kz_status read_one(kz_query *query, size_t *used, const char *text, size_t first, size_t end, unsigned allowed,
                          unsigned *seen, kz_problem *problem) {
    const char *sign = memchr(text + first, '=', end - first);
    size_t name_end = sign ? (size_t)(sign - text) : end;
    char *out = query->text + *used;
    size_t length;
    int parameter = 0;
    KZ_TRY(decode(text, first, name_end, out, &length, problem));
    KZ_TRY(find_parameter(out, allowed, &parameter, problem));
    if (*seen & KZ_Q(parameter)) {
        kz_json_text(kz_problem_params(problem), "parameter", names[parameter]);
        return kz_refuse(problem, KZ_ERR_INPUT, "repeated_parameter", "the parameter '%s' is there twice",
                         names[parameter]);
    }
    *seen |= KZ_Q(parameter);
    if (sign) {
        KZ_TRY(decode(text, name_end + 1, end, out, &length, problem));
        if (length > 0) {
            query->values[parameter] = (kz_query_value){out, length};
            *used += length + 1;
        }
    }
    return KZ_OK;
}

kz_status kz_query_read(kz_query *query, const char *text, unsigned allowed, kz_problem *problem) {
    /* The text is long and need not be cleared. */
    memset(query->values, 0, sizeof query->values);
    unsigned seen = 0;
    size_t used = 0;
    size_t length = text ? strlen(text) : 0;
    for (size_t first = 0; first < length;) {
        size_t end = first + strcspn(text + first, "&");
        if (end > first) {
            KZ_TRY(read_one(query, &used, text, first, end, allowed, &seen, problem));
        }
        first = end + 1;
    }
    return KZ_OK;
}

/* ---- Numbers --------------------------------------------------------------------------------------------------- */

kz_status kz_query_number(const kz_query *query, kz_parameter parameter, uint64_t least, uint64_t most,
                          uint64_t *number, kz_problem *problem) {
    const kz_query_value *value = &query->values[parameter];
    if (!value->text) {
        return KZ_OK;
    }
    if (!kz_span_number((kz_span){value->text, strlen(value->text)}, least, most, number)) {
        kz_json *params = kz_problem_params(problem);
        kz_json_text(params, "parameter", names[parameter]);
        kz_json_unsigned(params, "least", least);
        if (most <= UINT64_C(1) << 53) { /* readers that take numbers for doubles would get another one */
            kz_json_unsigned(params, "most", most);
        }
        kz_json_text(params, "text", value->text);
        return kz_refuse(problem, KZ_ERR_INPUT, "bad_number", "%s has to be a number from %llu to %llu, not '%.40s'",
                         names[parameter], (unsigned long long)least, (unsigned long long)most, value->text);
    }
    return KZ_OK;
}
