/* SPDX-License-Identifier: MIT
 * labels: server
 *
 * What comes with a request: a query in the address, and a body of JSON. The first byte says which parameters there
 * are. */
#include "tests/fuzz/laws.h"

#include "app/api/body.h"
#include "app/api/query.h"

static int digit_of(char c) {
    return c >= '0' && c <= '9' ? c - '0' : (c | 32) >= 'a' && (c | 32) <= 'f' ? (c | 32) - 87 : -1;
}

/* Whether the value of the parameter called `name` in the query is this one: the same thing done another way. */
static bool is_value(const char *query, const char *name, const kz_query_value *value) {
    size_t length = strlen(name);
    for (const char *at = query;; at++) {
        const char *end = at + strcspn(at, "&");
        char *decoded = fuzz_memory(malloc((size_t)(end - at) + 1));
        size_t written = 0, sign = SIZE_MAX;
        for (const char *c = at; c < end; c++) {
            /* NOLINTNEXTLINE(clang-analyzer-core.UndefinedBinaryOperatorResult): it is in the query */
            int high = *c == '%' && end - c > 2 ? digit_of(c[1]) : -1;
            int low = high >= 0 ? digit_of(c[2]) : -1;
            if (*c == '=' && sign == SIZE_MAX) {
                sign = written;
            }
            decoded[written++] = low >= 0 ? (char)(16 * high + low) : *c == '+' ? ' ' : *c;
            c += low >= 0 ? 2 : 0;
        }
        bool found = sign == length && memcmp(decoded, name, length) == 0;
        bool same = found && written - sign - 1 == value->length &&
                    memcmp(decoded + sign + 1, value->text ? value->text : "", value->length) == 0;
        free(decoded);
        if (found || *end == '\0') {
            return same;
        }
        at = end;
    }
}

static void try_query(const char *text, unsigned allowed) {
    static const char *const names[KZ_Q_PARAMETERS] = {"pos",        "rules", "moves",  "limit", "level",
                                                       "aggressive", "seed",  "played", "plies", "count"};
    static kz_query query;
    kz_problem problem = {.code = NULL};
    kz_status status = kz_query_read(&query, text, allowed, &problem);
    fuzz_keep_failure(status, &problem.error);
    for (int i = 0; status == KZ_OK && i < KZ_Q_PARAMETERS; i++) {
        const kz_query_value *value = &query.values[i];
        if (value->text) {
            fuzz_keep(value->length > 0 && strlen(value->text) == value->length ? NULL : "a value is no text");
            fuzz_keep(is_value(text, names[i], value) ? NULL : "a value is not what the query says");
            fuzz_keep(allowed >> i & 1 ? NULL : "a parameter is not allowed");
        }
        uint64_t number = 12345;
        status = kz_query_number(&query, (kz_parameter)i, 1, 1000, &number, &problem);
        fuzz_keep_failure(status, &problem.error);
        fuzz_keep(number == 12345 || (status == KZ_OK && value->text && number >= 1 && number <= 1000 &&
                                      number == strtoull(value->text, NULL, 10))
                      ? NULL
                      : "a number is not what the query says");
        status = KZ_OK;
    }
    kz_problem_clear(&problem);
}

static void try_body(const char *text, size_t length) {
    kz_body posted;
    kz_problem problem = {.code = NULL};
    kz_status status = kz_body_read(&posted, text, length, KZ_B(KZ_B_POSITIONS) | KZ_B(KZ_B_RULES), &problem);
    fuzz_keep_failure(status, &problem.error);
    if (status == KZ_OK) {
        size_t characters = 0;
        for (size_t i = 0; i < posted.position_count; i++) {
            characters += strlen(posted.positions[i]);
        }
        /* Escapes such as \u00e9 are longer than what they stand for. */
        fuzz_keep(characters <= length ? NULL : "the texts are longer than the body");
    }
    kz_problem_clear(&problem);
    kz_body_free(&posted);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    unsigned allowed = fuzz_byte(&data, &size);
    char *text = fuzz_text(data, size);
    if (strlen(text) <= KZ_API_MOST_QUERY) {
        try_query(text, allowed % KZ_Q(KZ_Q_PARAMETERS));
    }
    free(text);
    char *body = (char *)fuzz_copy(data, size);
    try_body(body, size);
    free(body);
    return 0;
}
