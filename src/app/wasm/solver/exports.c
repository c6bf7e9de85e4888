/* SPDX-License-Identifier: MIT
 *
 * What the page calls to solve a game from a text: open it, look at it, solve it. Then requests about it are answered
 * as for any other game (app/wasm/exports.c). The worker of the page that loads this module is the other side. */
#include "app/api/question.h"
#include "app/wasm/session.h"
#include "base/error.h"
#include "base/file.h"
#include "game/gamedef.h"
#include "solve/any.h"

#include <kanzen/load.h>
#include <kanzen/table.h>
#include <stdlib.h>
#include <string.h>

KZ_EXPORT("variant") int kz_wasm_variant(session *s, const char *text);
KZ_EXPORT("variant_name") const char *kz_wasm_variant_name(const session *s);
KZ_EXPORT("variant_size") double kz_wasm_variant_size(session *s);
KZ_EXPORT("solve") int kz_wasm_solve(session *s);

/* So that all sizes fit into 32 bits, with room. */
enum { MOST_POSITIONS = 100000000 };

static const char text_name[] = "text.ini", table_name[] = "solved.kzt";

static kz_status open_text(session *s, const char *text) {
    kz_outfile file;
    KZ_TRY(kz_outfile_open(&file, text_name, true, &s->error));
    KZ_TRY(kz_outfile_write(&file, text, strlen(text), &s->error));
    KZ_TRY(kz_outfile_commit(&file, &s->error));
    KZ_TRY(kz_game_named(text_name, &s->game, &s->error));
    KZ_TRY(kz_game_check_whole(s->game, 0, &s->error)); /* there are no tables here of parts of a large game */
    s->api->added = s->game;
    return KZ_OK;
}

/* Takes a text; 0, or a kz_status and a message. One text for each session. */
int kz_wasm_variant(session *s, const char *text) { return (int)open_text(s, text); }

const char *kz_wasm_variant_name(const session *s) { return kz_game_name(s->game); }

/* How many numbers its index has; 0: it breaks a law, and the message says which. */
double kz_wasm_variant_size(session *s) {
    kz_any_rules rules;
    kz_status status = kz_any_rules_open(&rules, kz_game_definition(s->game), kz_game_context(s->game, 0), &s->error);
    double size = status == KZ_OK ? (double)rules.size : 0;
    kz_any_rules_close(&rules);
    return size;
}

/* ---- Solving ----------------------------------------------------------------------------------------------------- */

static bool report(void *user, const char *stage, uint64_t done, uint64_t total) {
    (void)user;
    (void)stage;
    kz_import_progress((double)done, (double)total);
    return true;
}

static const uint8_t *get(void *user, uint64_t offset, size_t size) {
    (void)size;
    return ((const kz_mapping *)user)->data + offset;
}

static kz_status use_table(session *s) {
    static kz_mapping solved;
    kz_table *table;
    KZ_TRY(kz_mapping_open(&solved, table_name, &s->error));
    kz_byte_source bytes = {.size = solved.size, .get = get, .user = &solved};
    KZ_TRY(kz_table_open_bytes_as(table_name, &bytes, s->game, &table, &s->error));
    return kz_api_use(s->api, table, &s->error);
}

/* Solves it in memory, and answers from the solution from then on. */
int kz_wasm_solve(session *s) {
    const kz_progress progress = {.report = report};
    const kz_solve_options options = {.replace = true, .progress = &progress};
    kz_summary summary = {0};
    kz_any_rules rules;
    kz_status status = kz_any_rules_open(&rules, kz_game_definition(s->game), kz_game_context(s->game, 0), &s->error);
    if (status == KZ_OK && rules.size > MOST_POSITIONS) {
        status = kz_fail(&s->error, KZ_ERR_UNSUPPORTED, "the game is too large to be solved in a browser");
    }
    kz_pool *pool = status == KZ_OK ? kz_pool_new(1, &s->error) : NULL;
    if (pool) {
        status = kz_any_solve(s->game, &rules, kz_rules_name(s->game, 0), "work", table_name, pool, &options, &summary,
                              &s->error);
        kz_pool_free(pool);
    } else if (status == KZ_OK) {
        status = KZ_ERR_MEMORY;
    }
    kz_any_rules_close(&rules);
    return (int)(status == KZ_OK ? use_table(s) : status);
}
