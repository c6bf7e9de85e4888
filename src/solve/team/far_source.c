/* SPDX-License-Identifier: MIT
 *
 * The entries of others: member 0 reads them for the table; the others answer its questions. */
#include "solve/job.h"

#include "base/error.h"
#include "base/thread.h"
#include "solve/team/team.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <zstd.h>

/* A question is the number of a segment. A segment is many extents, and a worker reads neighbours one after the other,
 * so it seldom has to ask. Most entries are 0, so the answer compresses well. */
enum { LEVEL = 1 };

/* A worker's memory. */
typedef struct far_worker {
    uint64_t segment; /* whose entries it has */
    uint8_t *numbers;
    kz_buffer answer;
} far_worker;

struct kz_far_source {
    kz_far_shard shard;
    kz_lock lock; /* of the team */
    int workers;
    far_worker *by_worker;
};

/* The first segment of a member's shard. */
static uint64_t first_segment(const kz_far_shard *shard, int member) {
    uint64_t segments = (shard->positions + shard->segment - 1) / shard->segment;
    return kz_team_part(segments, member, kz_team_size(shard->team));
}

kz_far_source *kz_far_source_new(const kz_far_shard *shard, int workers) {
    kz_far_source *far = calloc(1, sizeof *far);
    if (!far) {
        return NULL;
    }
    far->shard = *shard;
    kz_lock_open(&far->lock);
    far->workers = workers;
    far->by_worker = calloc((size_t)workers, sizeof *far->by_worker);
    bool complete = far->by_worker;
    for (int i = 0; complete && i < workers; i++) {
        far->by_worker[i].segment = KZ_NO_INDEX;
        far->by_worker[i].numbers = malloc(shard->segment);
        complete = far->by_worker[i].numbers;
    }
    if (!complete) {
        kz_far_source_free(far);
        return NULL;
    }
    return far;
}

void kz_far_source_free(kz_far_source *far) {
    if (far) {
        for (int i = 0; far->by_worker && i < far->workers; i++) {
            free(far->by_worker[i].numbers);
            kz_buffer_free(&far->by_worker[i].answer);
        }
        kz_lock_close(&far->lock);
        free(far->by_worker);
        free(far);
    }
}

static kz_status ask(kz_far_source *far, far_worker *s, uint64_t segment, kz_error *error) {
    int owner = 0;
    while (first_segment(&far->shard, owner + 1) <= segment) {
        owner++;
    }
    s->segment = KZ_NO_INDEX;
    kz_lock_take(&far->lock);
    kz_status status = kz_team_ask(far->shard.team, owner, segment, &s->answer, error);
    kz_lock_release(&far->lock);
    KZ_TRY(status);
    if (ZSTD_isError(ZSTD_decompress(s->numbers, far->shard.segment, s->answer.bytes, s->answer.size))) {
        return kz_fail(error, KZ_ERR_CORRUPT, "the answer about segment %" PRIu64 " makes no sense", segment);
    }
    s->segment = segment;
    return KZ_OK;
}

static kz_status read_extent(void *context, int worker, uint64_t extent, uint8_t *numbers, kz_error *error) {
    kz_far_source *far = context;
    far_worker *s = &far->by_worker[worker];
    uint64_t place = extent * far->shard.extent;
    uint64_t segment = place / far->shard.segment;
    if (segment < first_segment(&far->shard, 1)) { /* member 0 has it, who reads */
        return far->shard.own.read(far->shard.own.context, worker, extent, numbers, error);
    }
    if (s->segment != segment) {
        KZ_TRY(ask(far, s, segment, error));
    }
    memcpy(numbers, s->numbers + place % far->shard.segment, far->shard.extent);
    return KZ_OK;
}

kz_source kz_far_source_of(kz_far_source *far) { return (kz_source){.context = far, .read = read_extent}; }

/* ---- Answers -----------------------------------------------------------------------------------------------------*/

typedef struct server {
    const kz_far_shard *shard;
    uint64_t begin;
    uint64_t end;
    uint8_t *numbers;
} server;

static kz_status answer(void *context, uint64_t question, kz_buffer *buffer, kz_error *error) {
    server *d = context;
    const kz_far_shard *shard = d->shard;
    if (question < d->begin || question >= d->end) {
        return kz_fail(error, KZ_ERR_INPUT, "was asked for segment %" PRIu64 ", which it does not have", question);
    }
    uint64_t first = question * shard->segment;
    uint64_t last = first + shard->segment < shard->positions ? first + shard->segment : shard->positions;
    memset(d->numbers, 0, shard->segment);
    for (uint64_t place = first; place < last; place += shard->extent) {
        KZ_TRY(shard->own.read(shard->own.context, 0, place / shard->extent, d->numbers + (place - first), error));
    }
    size_t room = ZSTD_compressBound(shard->segment);
    uint8_t *bytes = kz_buffer_add(buffer, room);
    size_t size = bytes ? ZSTD_compress(bytes, room, d->numbers, shard->segment, LEVEL) : 0;
    if (!bytes || ZSTD_isError(size)) {
        return kz_fail(error, KZ_ERR_MEMORY, "no memory to answer");
    }
    buffer->size = size;
    return KZ_OK;
}

kz_status kz_far_source_serve(const kz_far_shard *shard, kz_error *error) {
    int rank = kz_team_rank(shard->team);
    server d = {.shard = shard,
                .begin = first_segment(shard, rank),
                .end = first_segment(shard, rank + 1),
                .numbers = malloc(shard->segment)};
    kz_status status = d.numbers ? KZ_OK : kz_fail(error, KZ_ERR_MEMORY, "no memory to answer");
    status = kz_team_agree(shard->team, status, error); /* as member 0 does before it asks */
    if (status == KZ_OK) {
        status = kz_team_serve(shard->team, answer, &d, error);
    }
    free(d.numbers);
    return status;
}
