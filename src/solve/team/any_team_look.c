/* SPDX-License-Identifier: MIT
 *
 * What moves lead to, if that lies in other shards: questions and answers.
 *
 * In rounds: the chosen positions of some parts are looked at, and each number that another member has is a question to
 * it. All questions of a round travel together, then all answers, in the same order; the first of the numbers that
 * travel says how many parts its sender has left, or that it failed. What the moves of a position are
 * worth does not depend on the order in which they are added, so an outlook is begun with what is here, and completed
 * with the answers. */
#include "solve/team/any_team_state.h"

#include "base/error.h"
#include "base/list.h"

#include <stdlib.h>
#include <string.h>

enum {
    CHUNKS_A_THREAD = 8,
    ENTRIES_A_CHUNK = 1 << 13, /* about: then the parts of a chunk get fewer */
    WIDTH_MOST = 1 << 20,
    ANSWERS_AT_A_TIME = 1 << 12
};

/* A position that is being looked at. */
typedef struct entry {
    uint64_t offset;
    any_outlook outlook;
} entry;

/* Some parts of the list, looked at by one worker. */
typedef struct chunk {
    kz_buffer entries;
    size_t count;
    kz_buffer *numbers; /* [members]: what others are asked about, uint64_t */
    kz_buffer *places;  /* [members]: the entries that the answers are for, uint32_t */
    uint64_t *first;    /* [members]: where the answers begin */
    bool failed;        /* there was no memory */
} chunk;

struct any_look_work {
    int members;
    int chunks;
    chunk *chunk;
    kz_buffer *buffers; /* [4 * members] */
    kz_buffer *questions;
    kz_buffer *asked; /* by others */
    kz_buffer *replies;
    kz_buffer *answers;
    uint64_t width; /* parts of a chunk */
    /* Of the current round. */
    any_team *t;
    const any_look *look;
    uint64_t begin; /* in the list of parts */
    uint64_t end;
    uint64_t total;
    int answering;
};

#define FAILED UINT64_MAX
enum { HEAD = sizeof(uint64_t) };

/* ---- Memory ------------------------------------------------------------------------------------------------------ */

static bool open_chunk(chunk *c, size_t members) {
    c->numbers = calloc(members, sizeof *c->numbers);
    c->places = calloc(members, sizeof *c->places);
    c->first = calloc(members, sizeof *c->first);
    return c->numbers && c->places && c->first;
}

static void close_chunk(chunk *c, int members) {
    for (int i = 0; c->numbers && c->places && i < members; i++) {
        kz_buffer_free(&c->numbers[i]);
        kz_buffer_free(&c->places[i]);
    }
    kz_buffer_free(&c->entries);
    free(c->numbers);
    free(c->places);
    free(c->first);
}

/* The questions to all members, without any yet. */
static bool put_heads(any_look_work *work, uint64_t word) {
    for (int member = 0; member < work->members; member++) {
        work->questions[member].size = 0;
        uint8_t *at = kz_buffer_add(&work->questions[member], HEAD);
        if (!at) {
            return false;
        }
        memcpy(at, &word, HEAD);
    }
    return true;
}

any_look_work *kz_any_team_look_new(const any_team *t) {
    enum { KINDS = 4 };
    any_look_work *work = calloc(1, sizeof *work);
    if (!work) {
        return NULL;
    }
    size_t members = (size_t)t->members;
    work->members = t->members;
    work->chunks = kz_pool_threads(t->pool) * CHUNKS_A_THREAD;
    work->chunk = calloc((size_t)work->chunks, sizeof *work->chunk);
    work->buffers = calloc(KINDS * members, sizeof *work->buffers);
    bool complete = work->chunk && work->buffers;
    for (int i = 0; complete && i < work->chunks; i++) {
        complete = open_chunk(&work->chunk[i], members);
    }
    if (!complete) {
        kz_any_team_look_free(work);
        return NULL;
    }
    work->questions = work->buffers;
    work->asked = work->buffers + members;
    work->replies = work->buffers + 2 * members;
    work->answers = work->buffers + 3 * members;
    work->width = 1;
    if (!put_heads(work, 0)) {
        kz_any_team_look_free(work);
        return NULL;
    }
    return work;
}

void kz_any_team_look_free(any_look_work *work) {
    enum { KINDS = 4 };
    if (!work) {
        return;
    }
    for (int i = 0; work->chunk && i < work->chunks; i++) {
        close_chunk(&work->chunk[i], work->members);
    }
    for (int i = 0; work->buffers && i < KINDS * work->members; i++) {
        kz_buffer_free(&work->buffers[i]);
    }
    free(work->chunk);
    free(work->buffers);
    free(work);
}

/* ---- Questions --------------------------------------------------------------------------------------------------- */

static void ask(chunk *c, int member, uint64_t index) {
    uint32_t place = (uint32_t)c->count;
    uint8_t *number = kz_buffer_add(&c->numbers[member], sizeof index);
    uint8_t *at = kz_buffer_add(&c->places[member], sizeof place);
    if (!number || !at) {
        c->failed = true;
        return;
    }
    memcpy(number, &index, sizeof index);
    memcpy(at, &place, sizeof place);
}

/* Moves to lower tiers. */
static void add_lower(const any_team *t, chunk *c, any_worker *w, entry *e) {
    uint64_t from = t->tier->first + e->offset;
    for (unsigned i = 0; i < w->asks; i++) {
        uint64_t index = w->asked[i];
        int tier = kz_any_tier_of(t->rules, index);
        if (!t->shard[tier].values) {
            kz_any_complain(w, from, LAW_NEXT);
            continue;
        }
        int owner = (int)((index - t->rules->tier_begin[tier]) / any_shard_size(t->rules, t->members, tier));
        if (owner == t->rank) {
            kz_any_add_lower(w, from, kz_any_team_value(t, index), &e->outlook);
        } else {
            ask(c, owner, index);
        }
    }
}

/* Moves into the tier. */
static void add_inside(const any_team *t, chunk *c, const any_worker *w, entry *e) {
    const kz_any_tier *tier = t->tier;
    uint64_t shard = any_shard_size(t->rules, t->members, tier->tier);
    for (unsigned i = 0; i < e->outlook.inside; i++) {
        uint64_t offset = w->indices[i] - tier->first;
        if (offset < tier->count) {
            kz_any_add_inside(tier, any_inside_code(tier, any_cell(tier, offset)), &e->outlook);
        } else {
            ask(c, (int)((w->indices[i] - tier->begin) / shard), w->indices[i]);
        }
    }
}

static void look_at(const any_look_work *work, chunk *c, any_worker *w, uint64_t offset) {
    const any_team *t = work->t;
    entry e = {.offset = offset};
    kz_any_look_ahead(t->tier, w, t->tier->first + offset, &e.outlook);
    add_lower(t, c, w, &e);
    if (work->look->inside) {
        add_inside(t, c, w, &e);
    }
    if (!t->rules->game->numbers_after && e.outlook.inside > 0) {
        e.outlook.inside = kz_distinct64(w->indices, e.outlook.inside);
    }
    uint8_t *at = kz_buffer_add(&c->entries, sizeof e);
    if (at) {
        memcpy(at, &e, sizeof e);
        c->count++;
    } else {
        c->failed = true;
    }
}

/* The chunks of a round have `width` parts each, but for the last ones. */
static void look_at_chunks(void *context, int number, uint64_t begin, uint64_t end) {
    any_look_work *work = context;
    const kz_any_tier *tier = work->t->tier;
    for (uint64_t i = begin; i < end; i++) {
        chunk *c = &work->chunk[i];
        uint64_t from = work->begin + i * work->width;
        uint64_t to = from + work->width < work->end ? from + work->width : work->end;
        c->count = 0;
        c->entries.size = 0;
        c->failed = false;
        for (int member = 0; member < work->members; member++) {
            c->numbers[member].size = 0;
            c->places[member].size = 0;
        }
        for (uint64_t at = from; at < to && !c->failed; at++) {
            uint64_t first = tier->list[at] * (uint64_t)ANY_PART;
            uint64_t last = first + ANY_PART < tier->count ? first + ANY_PART : tier->count;
            for (uint64_t offset = first; offset < last && !c->failed; offset++) {
                if (!work->look->chosen || work->look->chosen(tier, any_cell(tier, offset))) {
                    look_at(work, c, &tier->worker[number], offset);
                }
            }
        }
    }
}

static bool report_round(void *user, const char *stage, uint64_t done, uint64_t total) {
    const any_look_work *work = user;
    const kz_progress *progress = &work->t->progress;
    uint64_t parts = total ? (work->end - work->begin) * done / total : 0;
    return progress->report(progress->user, stage, work->begin + parts, work->total);
}

/* Puts the questions of all chunks together, those of each chunk behind those of the one before. */
static bool collect(any_look_work *work, uint64_t chunks) {
    if (!put_heads(work, work->total - work->end)) {
        return false;
    }
    for (int member = 0; member < work->members; member++) {
        kz_buffer *all = &work->questions[member];
        for (uint64_t i = 0; i < chunks; i++) {
            const kz_buffer *some = &work->chunk[i].numbers[member];
            if (work->chunk[i].failed) {
                return false;
            }
            work->chunk[i].first[member] = (all->size - HEAD) / sizeof(uint64_t);
            uint8_t *at = some->size ? kz_buffer_add(all, some->size) : NULL;
            if (some->size && !at) {
                return false;
            }
            if (some->size) {
                memcpy(at, some->bytes, some->size);
            }
        }
    }
    return true;
}

/* ---- Answers ----------------------------------------------------------------------------------------------------- */

/* An answer is the value of a lower position, or what is known of one in the tier. */
static void answer_some(void *context, int number, uint64_t begin, uint64_t end) {
    const any_look_work *work = context;
    const any_team *t = work->t;
    const kz_any_tier *tier = t->tier;
    const uint8_t *asked = work->asked[work->answering].bytes + HEAD;
    uint8_t *replies = work->replies[work->answering].bytes;
    (void)number;
    for (uint64_t i = begin; i < end; i++) {
        uint64_t index;
        memcpy(&index, asked + i * sizeof index, sizeof index);
        kz_code code = index < tier->begin ? kz_any_team_value(t, index)
                                           : any_inside_code(tier, any_cell(tier, index - tier->first));
        memcpy(replies + i * sizeof code, &code, sizeof code);
    }
}

static kz_status answer_all(any_look_work *work, kz_error *error) {
    for (int member = 0; member < work->members; member++) {
        uint64_t count = (work->asked[member].size - HEAD) / sizeof(uint64_t);
        work->replies[member].size = 0;
        if (count && !kz_buffer_add(&work->replies[member], (size_t)count * sizeof(kz_code))) {
            return kz_fail(error, KZ_ERR_MEMORY, "no memory for answers");
        }
        work->answering = member;
        kz_pool_for(work->t->pool, count, ANSWERS_AT_A_TIME, answer_some, work, NULL, NULL, error);
    }
    return KZ_OK;
}

/* Completes the outlooks of a chunk with the answers. */
static void add_answers(const any_look_work *work, const chunk *c, any_worker *w) {
    const kz_any_tier *tier = work->t->tier;
    entry *entries = (entry *)(void *)c->entries.bytes;
    for (int member = 0; member < work->members; member++) {
        uint64_t count = c->numbers[member].size / sizeof(uint64_t);
        const uint8_t *answers = work->answers[member].bytes;
        for (uint64_t i = 0; i < count; i++) {
            uint64_t index;
            uint32_t place;
            kz_code code;
            memcpy(&index, c->numbers[member].bytes + i * sizeof index, sizeof index);
            memcpy(&place, c->places[member].bytes + i * sizeof place, sizeof place);
            memcpy(&code, answers + (c->first[member] + i) * sizeof code, sizeof code);
            if (index < tier->begin) {
                kz_any_add_lower(w, tier->first + entries[place].offset, code, &entries[place].outlook);
            } else {
                kz_any_add_inside(tier, code, &entries[place].outlook);
            }
        }
    }
}

static void finish_chunks(void *context, int number, uint64_t begin, uint64_t end) {
    const any_look_work *work = context;
    kz_any_tier *tier = work->t->tier;
    any_worker *w = &tier->worker[number];
    for (uint64_t i = begin; i < end; i++) {
        const chunk *c = &work->chunk[i];
        const entry *entries = (const entry *)(const void *)c->entries.bytes;
        add_answers(work, c, w);
        for (size_t k = 0; k < c->count; k++) {
            work->look->finish(tier, w, entries[k].offset, &entries[k].outlook);
        }
    }
}

/* ---- Rounds ------------------------------------------------------------------------------------------------------ */

static kz_status exchange(any_look_work *work, const kz_buffer *out, kz_buffer *in, kz_error *error) {
    KZ_TRY(kz_team_exchange_begin(work->t->team, out, in, error));
    return kz_team_exchange_end(work->t->team, error);
}

/* Looks at the chunks and puts the questions together. */
static kz_status make_questions(any_look_work *work, uint64_t chunks, kz_error *error) {
    const kz_progress listener = {work->t->progress.report ? report_round : NULL, work};
    KZ_TRY(kz_pool_for(work->t->pool, chunks, 1, look_at_chunks, work, chunks ? &listener : NULL, work->look->stage,
                       error));
    return !collect(work, chunks) ? kz_fail(error, KZ_ERR_MEMORY, "no memory for questions to other processes") : KZ_OK;
}

/* What all members have left, or FAILED. */
static uint64_t add_heads(const any_look_work *work) {
    uint64_t left = 0;
    for (int member = 0; member < work->members; member++) {
        uint64_t word;
        memcpy(&word, work->asked[member].bytes, HEAD);
        left = word == FAILED || left == FAILED ? FAILED : left + word;
    }
    return left;
}

/* How many of the positions are chosen differs, so chunks get wider while they have few of them. */
static void choose_width(any_look_work *work, uint64_t chunks) {
    size_t entries = 0;
    for (uint64_t i = 0; i < chunks; i++) {
        entries += work->chunk[i].count;
    }
    if (entries < chunks * ENTRIES_A_CHUNK / 4 && work->width < WIDTH_MOST) {
        work->width *= 2;
    } else if (entries > chunks * ENTRIES_A_CHUNK && work->width > 1) {
        work->width /= 2;
    }
}

/* One round, from work->begin on; a member that has no parts left answers only. `*left`: the parts that all members
 * have left; FAILED if one can't go on, as its `*mine` says. */
static kz_status do_round(any_look_work *work, uint64_t *left, kz_status *mine, kz_error *error) {
    uint64_t chunks = (work->end - work->begin + work->width - 1) / work->width;
    kz_error reason;
    *mine = make_questions(work, chunks, error);
    if (*mine != KZ_OK) {
        put_heads(work, FAILED); /* there is memory for that */
    }
    kz_status status = exchange(work, work->questions, work->asked, &reason);
    if (status != KZ_OK) {
        return kz_fail(error, status, "%s", reason.message);
    }
    *left = add_heads(work);
    if (*left == FAILED) {
        return KZ_OK;
    }
    KZ_TRY(kz_team_agree(work->t->team, answer_all(work, error), error));
    KZ_TRY(exchange(work, work->replies, work->answers, error));
    kz_pool_for(work->t->pool, chunks, 1, finish_chunks, work, NULL, NULL, error);
    choose_width(work, chunks);
    return KZ_OK;
}

kz_status kz_any_team_look(any_team *t, const any_look *look, uint64_t parts, kz_error *error) {
    any_look_work *work = t->look;
    work->t = t;
    work->look = look;
    work->total = parts;
    kz_status status = KZ_OK;
    kz_status mine = KZ_OK;
    uint64_t left = 1; /* of all members */
    for (uint64_t begin = 0; status == KZ_OK && left > 0 && left != FAILED; begin = work->end) {
        uint64_t most = (uint64_t)work->chunks * work->width;
        work->begin = begin;
        work->end = parts - begin < most ? parts : begin + most;
        status = do_round(work, &left, &mine, error);
    }
    if (status == KZ_OK) {
        status = kz_team_agree(t->team, mine == KZ_OK ? kz_any_check_laws(t->tier, error) : mine, error);
    }
    return status;
}
