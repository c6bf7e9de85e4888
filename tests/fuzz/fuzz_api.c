/* SPDX-License-Identifier: MIT
 *
 * "PATH?QUERY" as a request of the API, which has one table, of a small board of Push Fight. Whatever it is, the answer
 * is JSON. */
#include "tests/fuzz/files.h"

#include <kanzen/api.h>

int LLVMFuzzerInitialize(int *count, char ***arguments);

static kz_api *api;

int LLVMFuzzerInitialize(int *count, char ***arguments) {
    (void)count;
    (void)arguments;
    kz_table *table; /* to the end */
    fuzz_solve_corridor();
    api = fuzz_memory(kz_api_new());
    if (kz_table_open("corridor.kzt", &table, NULL) != KZ_OK || kz_api_use(api, table, NULL) != KZ_OK) {
        abort();
    }
    kz_api_limit(api, 0);
    return 0;
}

/* An object on one line, in ASCII but for what is UTF-8. */
static bool looks_right(const kz_api_answer *answer) {
    if (answer->body && strcmp(answer->type, "image/svg+xml") == 0) {
        return answer->status == 200 && strncmp(answer->body, "<svg", 4) == 0;
    }
    if (!answer->body || answer->length < 2 || answer->body[0] != '{' || answer->body[answer->length - 1] != '}') {
        return false;
    }
    for (size_t i = 0; i < answer->length; i++) {
        if ((unsigned char)answer->body[i] < 0x20 || answer->body[i] == 0x7f) {
            return false;
        }
    }
    return answer->status == 200 || strncmp(answer->body, "{\"error\":", 9) == 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    char *path = fuzz_text(data, size);
    char *query = strchr(path, '?');
    if (query) {
        *query++ = '\0';
    }
    for (int post = 0; post < 2; post++) {
        kz_api_request request = {.path = path, .query = post ? NULL : query, .post = post};
        if (post) {
            request.body = query ? query : "";
            request.body_length = strlen(request.body);
        }
        (void)kz_api_cost_of(api, &request);
        kz_api_answer answer;
        kz_api_ask(api, &request, &answer);
        fuzz_keep(looks_right(&answer) ? NULL : "the answer is not what it should be");
        kz_api_answer_free(&answer);
    }
    free(path);
    return 0;
}
