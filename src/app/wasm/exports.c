/* SPDX-License-Identifier: MIT
 *
 * What the page calls: tables are opened, requests are answered. web/packages/kanzen/src/module.ts is the other side.
 *
 * Bytes of tables come through an import that can't wait for a download. Where some are missing, the call fails, the
 * page fetches what was asked for, and makes the same call again. */
#include "app/wasm/session.h"
#include "base/error.h"

#include <kanzen/table.h>
#include <stdlib.h>

KZ_EXPORT("alloc") void *kz_wasm_alloc(size_t size);
KZ_EXPORT("free") void kz_wasm_free(void *memory);
KZ_EXPORT("start") session *kz_wasm_start(void);
KZ_EXPORT("open") int kz_wasm_open(session *s, int number, const char *name, double size);
KZ_EXPORT("message") const char *kz_wasm_message(const session *s);
KZ_EXPORT("ask")
int kz_wasm_ask(session *s, const char *path, const char *query, const char *body, size_t body_length);
KZ_EXPORT("body") const char *kz_wasm_body(const session *s);
KZ_EXPORT("body_length") size_t kz_wasm_body_length(const session *s);

void *kz_wasm_alloc(size_t size) { return malloc(size); }

void kz_wasm_free(void *memory) { free(memory); }

/* NULL: no memory. */
session *kz_wasm_start(void) {
    session *s = calloc(1, sizeof *s);
    if (s) {
        s->api = kz_api_new();
    }
    if (s && !s->api) {
        free(s);
        s = NULL;
    }
    return s;
}

/* ---- Tables ------------------------------------------------------------------------------------------------------ */

/* The last bytes that were got of a table. */
typedef struct window {
    int table; /* the page's number for it */
    uint8_t *bytes;
    size_t room;
} window;

enum { KEPT_ROOM = 1 << 20 }; /* when a table is opened, large parts are got once and never again */

static const uint8_t *get(void *user, uint64_t offset, size_t size) {
    window *w = user;
    if (size > w->room || w->room > KEPT_ROOM) {
        free(w->bytes);
        w->bytes = malloc(size);
        w->room = w->bytes ? size : 0;
    }
    return w->bytes && kz_import_get(w->table, (double)offset, size, w->bytes) ? w->bytes : NULL;
}

static void close_window(void *user) {
    window *w = user;
    free(w->bytes);
    free(w);
}

/* Opens the table that the page knows by this number and answers from it from now on. Returns a kz_status; the message
 * says more. */
int kz_wasm_open(session *s, int number, const char *name, double size) {
    window *w = calloc(1, sizeof *w);
    if (!w) {
        return (int)kz_fail(&s->error, KZ_ERR_MEMORY, "no memory to open %s", name);
    }
    w->table = number;
    kz_byte_source bytes = {.size = (uint64_t)size, .get = get, .close = close_window, .user = w};
    kz_table *table;
    kz_status status = kz_table_open_bytes(name, &bytes, &table, &s->error);
    if (status == KZ_OK) {
        status = kz_api_use(s->api, table, &s->error);
        if (status != KZ_OK) {
            kz_table_close(table);
        }
    }
    return (int)status;
}

const char *kz_wasm_message(const session *s) { return s->error.message; }

/* ---- Requests ---------------------------------------------------------------------------------------------------- */

/* `body` NULL: GET, otherwise POST. Returns the HTTP status; the answer stays until the next call. */
int kz_wasm_ask(session *s, const char *path, const char *query, const char *body, size_t body_length) {
    kz_api_request request = {
        .path = path, .query = query, .post = body != NULL, .body = body, .body_length = body_length};
    kz_api_answer_free(&s->answer);
    kz_api_ask(s->api, &request, &s->answer);
    return s->answer.body ? s->answer.status : 500;
}

/* NULL: there was no memory even for an error. */
const char *kz_wasm_body(const session *s) { return s->answer.body; }

size_t kz_wasm_body_length(const session *s) { return s->answer.length; }
