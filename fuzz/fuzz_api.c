/* SPDX-License-Identifier: MIT
 *
 * "PATH?QUERY" as a request of the API, which has no tables. Whatever it is, the answer is JSON. */
#include <kanzen/api.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* An object on one line, in ASCII but for what is UTF-8. */
static bool looks_right(const kz_api_answer *answer) {
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
    kz_api *api = kz_api_new();
    char *path = malloc(size + 1);
    if (!api || !path) {
        abort();
    }
    if (size > 0) {
        memcpy(path, data, size);
    }
    path[size] = '\0';
    char *query = strchr(path, '?');
    if (query) {
        *query++ = '\0';
    }
    kz_api_limit(api, 0);
    const char *const positions[] = {query ? query : ""};
    for (int post = 0; post < 2; post++) {
        kz_api_request request = {
            .path = path, .query = post ? NULL : query, .positions = positions, .position_count = 1, .post = post};
        kz_api_answer answer;
        kz_api_ask(api, &request, &answer);
        if (!looks_right(&answer)) {
            abort();
        }
        kz_api_answer_free(&answer);
    }
    free(path);
    kz_api_free(api);
    return 0;
}
