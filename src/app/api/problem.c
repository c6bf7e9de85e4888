/* SPDX-License-Identifier: MIT */
#include "app/api/problem.h"

#include "base/error.h"
#include "base/text_writer.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

kz_status(kz_refuse)(kz_problem *problem, kz_status status, const char *code, const char *format, ...) {
    char message[KZ_ERROR_MESSAGE_BYTES];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    problem->code = code;
    return kz_fail(&problem->error, status, "%s", message);
}

kz_json *kz_problem_params(kz_problem *problem) {
    if (problem->params.length == 0) {
        kz_json_object(&problem->params, NULL);
    }
    return &problem->params;
}

void kz_problem_known(kz_problem *problem, kz_name_at *name_at, const void *of, char *list, size_t size) {
    kz_json *params = kz_problem_params(problem);
    kz_writer writer = kz_writer_into(list, size);
    list[0] = '\0';
    kz_json_array(params, "known");
    for (size_t i = 0; name_at(of, i); i++) {
        kz_write(&writer, "%s%s", i > 0 ? ", " : "", name_at(of, i));
        kz_json_text(params, NULL, name_at(of, i));
    }
    kz_json_end_array(params);
}

/* The code of a failure that the library below has reported. */
static const char *code_of(kz_status status) {
    switch (status) {
    case KZ_ERR_INPUT:
        return "bad_request";
    case KZ_ERR_UNSUPPORTED:
        return "unsupported";
    case KZ_ERR_IO:
        return "table_not_loaded";
    case KZ_ERR_CORRUPT:
        return "table_damaged";
    case KZ_ERR_MEMORY:
        return "no_memory";
    default:
        return "internal";
    }
}

int kz_problem_http_status(const kz_problem *problem) {
    if (problem->http_status != 0) {
        return problem->http_status;
    }
    switch (problem->error.status) {
    case KZ_ERR_INPUT:
        return 400;
    case KZ_ERR_UNSUPPORTED:
        return 404;
    case KZ_ERR_IO: /* bytes of a table that are not here yet (kanzen/table.h) */
    case KZ_ERR_CANCELLED:
        return 503;
    default:
        return 500;
    }
}

int kz_problem_write(kz_problem *problem, kz_json *json) {
    size_t length;
    kz_json_end_object(kz_problem_params(problem));
    char *params = kz_json_take(&problem->params, &length);
    if (!params) { /* without its parameters the error would be another one */
        *problem = (kz_problem){.code = NULL};
        kz_fail(&problem->error, KZ_ERR_MEMORY, "no memory for the answer");
    }
    int status = kz_problem_http_status(problem);
    kz_json_object(json, NULL);
    kz_json_object(json, "error");
    kz_json_integer(json, "status", status);
    kz_json_text(json, "code", problem->code ? problem->code : code_of(problem->error.status));
    kz_json_raw(json, "params", params ? params : "{}");
    kz_json_text(json, "message", problem->error.message);
    kz_json_end_object(json);
    kz_json_end_object(json);
    free(params);
    kz_problem_clear(problem);
    return status;
}

void kz_problem_clear(kz_problem *problem) {
    kz_json_free(&problem->params);
    *problem = (kz_problem){.code = NULL};
}
