/* SPDX-License-Identifier: MIT
 *
 * Values of finished tiers: from member 0's files to the shards, and from the shards to a file. */
#include "solve/team/any_team_state.h"

#include "base/error.h"
#include "game/defined.h"

#include <stdlib.h>
#include <string.h>

enum {
    PIECE = 1 << 22, /* bytes that each member gets at a time */
    ANSWER = 1 << 16 /* values that member 0 gets with one question */
};

void kz_any_team_drop(any_team *t, int tier) {
    free(t->shard[tier].own);
    t->shard[tier] = (any_shard){.values = NULL};
}

kz_code kz_any_team_value(const any_team *t, uint64_t index) {
    int tier = kz_any_tier_of(t->rules, index);
    const any_shard *shard = &t->shard[tier];
    uint64_t offset = index - t->rules->tier_begin[tier] - any_shard_begin(t->rules, t->members, tier, t->rank);
    if (!shard->values || offset >= shard->count) {
        return KZ_CODE_HOLE;
    }
    return kz_any_form_get(shard->values + offset * kz_any_form_bytes(shard->form), shard->form);
}

/* ---- From the files ---------------------------------------------------------------------------------------------- */

/* Puts the next piece for each other member into its buffer. */
static bool fill_pieces(const any_team *t, int tier, uint64_t at, kz_buffer *out) {
    const kz_any_file *file = &t->files.tier[tier];
    unsigned width = kz_any_form_bytes(file->form);
    for (int member = 1; member < t->members; member++) {
        uint64_t begin = any_shard_begin(t->rules, t->members, tier, member) * width;
        uint64_t bytes = any_shard_begin(t->rules, t->members, tier, member + 1) * width - begin;
        uint64_t left = at < bytes ? bytes - at : 0;
        size_t count = (size_t)(left < PIECE ? left : PIECE);
        out[member].size = 0;
        uint8_t *piece = count ? kz_buffer_add(&out[member], count) : NULL;
        if (count && !piece) {
            return false;
        }
        if (count) {
            memcpy(piece, file->values + begin + at, count);
        }
    }
    return true;
}

/* Sends the shards of a tier, piece by piece. */
static kz_status scatter(any_team *t, int tier, kz_buffer *out, kz_buffer *in, kz_error *error) {
    any_shard *shard = &t->shard[tier];
    uint64_t most = any_shard_size(t->rules, t->members, tier) * kz_any_form_bytes(shard->form);
    kz_status status = KZ_OK;
    for (uint64_t at = 0; status == KZ_OK && at < most; at += PIECE) {
        bool filled = t->rank > 0 || fill_pieces(t, tier, at, out);
        status = kz_team_agree(
            t->team, filled ? KZ_OK : kz_fail(error, KZ_ERR_MEMORY, "no memory to send values of a tier"), error);
        if (status == KZ_OK) {
            status = kz_team_exchange_begin(t->team, out, in, error);
        }
        if (status == KZ_OK) {
            status = kz_team_exchange_end(t->team, error);
        }
        if (status == KZ_OK && shard->own && in[0].size > 0) {
            memcpy(shard->own + at, in[0].bytes, in[0].size);
        }
    }
    return status;
}

static kz_status load_tier(any_team *t, int tier, kz_buffer *out, kz_buffer *in, kz_error *error) {
    any_shard *shard = &t->shard[tier];
    uint64_t begin = any_shard_begin(t->rules, t->members, tier, t->rank);
    uint64_t count = any_shard_begin(t->rules, t->members, tier, t->rank + 1) - begin;
    uint64_t form = t->rank == 0 ? t->files.tier[tier].form : 0;
    KZ_TRY(kz_team_broadcast(t->team, 0, &form, sizeof form, error));
    shard->form = (kz_any_form)form;
    shard->count = count;
    if (t->rank == 0) {
        shard->values = t->files.tier[tier].values;
    } else {
        shard->own = malloc(count * kz_any_form_bytes(shard->form) + 1);
        shard->values = shard->own;
    }
    kz_status status = shard->values ? KZ_OK
                                     : kz_fail(error, KZ_ERR_MEMORY, "no memory for %llu values of tier %d",
                                               (unsigned long long)count, tier);
    KZ_TRY(kz_team_agree(t->team, status, error));
    return scatter(t, tier, out, in, error);
}

static bool is_listed(const int *list, int count, int tier) {
    for (int i = 0; i < count; i++) {
        if (list[i] == tier) {
            return true;
        }
    }
    return false;
}

kz_status kz_any_team_load(any_team *t, int tier, kz_error *error) {
    int count = kz_defined_tier_next(t->rules->game, t->rules->context, tier, t->next);
    size_t members = (size_t)t->members;
    kz_buffer *buffers = calloc(2 * members, sizeof *buffers);
    kz_status status =
        kz_team_agree(t->team, buffers ? KZ_OK : kz_fail(error, KZ_ERR_MEMORY, "no memory for messages"), error);
    for (int other = 0; other < tier; other++) {
        if (t->shard[other].values && !is_listed(t->next, count, other)) {
            kz_any_team_drop(t, other);
        }
    }
    for (int i = 0; buffers && status == KZ_OK && i < count; i++) {
        if (!t->shard[t->next[i]].values) {
            status = load_tier(t, t->next[i], buffers, buffers + members, error);
        }
    }
    for (size_t i = 0; buffers && i < 2 * members; i++) {
        kz_buffer_free(&buffers[i]);
    }
    free(buffers);
    return status;
}

/* ---- To a file --------------------------------------------------------------------------------------------------- */

/* The values of a solved tier, as member 0 writes them, in order. */
typedef struct gathering {
    const any_team *t;
    uint64_t shard; /* positions */
    kz_any_form form;
    int owner;       /* of the answer that is here; 0: none */
    uint64_t number; /* of the answer */
    kz_buffer answer;
    kz_status status;
    kz_error error;
} gathering;

static kz_code gather_code(void *context, uint64_t offset) {
    gathering *g = context;
    int owner = (int)(offset / g->shard);
    uint64_t at = offset % g->shard;
    if (owner == 0) {
        return kz_any_tier_code(g->t->tier, at);
    }
    if (g->status == KZ_OK && (g->owner != owner || g->number != at / ANSWER)) {
        g->owner = owner;
        g->number = at / ANSWER;
        g->status = kz_team_ask(g->t->team, owner, g->number, &g->answer, &g->error);
    }
    return g->status == KZ_OK ? kz_any_form_get(g->answer.bytes + at % ANSWER * kz_any_form_bytes(g->form), g->form)
                              : KZ_CODE_HOLE;
}

/* A member that is asked for its values. */
typedef struct serving {
    const kz_any_tier *tier;
    kz_any_form form;
} serving;

static kz_status answer_codes(void *context, uint64_t question, kz_buffer *answer, kz_error *error) {
    const serving *s = context;
    const kz_any_tier *tier = s->tier;
    uint64_t begin = question * ANSWER;
    uint64_t left = tier->count - begin;
    uint64_t count = left < ANSWER ? left : ANSWER;
    unsigned width = kz_any_form_bytes(s->form);
    uint8_t *at = kz_buffer_add(answer, (size_t)count * width);
    if (!at) {
        return kz_fail(error, KZ_ERR_MEMORY, "no memory for an answer");
    }
    for (uint64_t i = 0; i < count; i++) {
        kz_any_form_put(at + i * width, s->form, kz_any_tier_code(tier, begin + i));
    }
    return KZ_OK;
}

static kz_status write_from_all(any_team *t, int number, kz_any_form form, kz_error *error) {
    gathering g = {.t = t, .shard = any_shard_size(t->rules, t->members, number), .form = form};
    kz_any_codes codes = {&g, gather_code, form};
    kz_status status = kz_any_files_write_codes(&t->files, number, &codes, &g.status, &g.error, error);
    kz_error reason;
    kz_status dismissed = kz_team_broken(t->team) ? KZ_OK : kz_team_dismiss(t->team, &reason);
    if (status == KZ_OK && dismissed != KZ_OK) {
        status = kz_fail(error, dismissed, "%s", reason.message);
    }
    kz_buffer_free(&g.answer);
    return status;
}

kz_status kz_any_team_write(any_team *t, int number, kz_any_form form, kz_error *error) {
    serving own = {t->tier, form};
    kz_status status =
        t->rank == 0 ? write_from_all(t, number, form, error) : kz_team_serve(t->team, answer_codes, &own, error);
    return kz_team_agree(t->team, status, error);
}
