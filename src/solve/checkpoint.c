/* SPDX-License-Identifier: MIT
 *
 * Writing and reading checkpoints. The file:
 *
 *     header        128 bytes: game, rules, distance, counts, hashes
 *     table         an entry for each segment: where its frame is, how long it is, its check
 *     frames        one a segment, compressed with zstd, in the order in which they arrived
 *
 * The state is spread over the members of the team, in segments. It travels in rounds, so that no buffer gets
 * large: in each round every member sends (or gets) up to BATCH of its segments.
 *
 *     writing       member m: save + compress -> exchange -> member 0: write frames, at last header and table
 *     reading       member 0: check frames    -> exchange -> member m: decompress + load
 *
 * A member that fails goes on exchanging, with nothing in its buffers, until all agree at the end: otherwise the others
 * would wait for it forever. */
#include "solve/checkpoint.h"

#include "base/bits.h"
#include "base/error.h"
#include "base/file.h"
#include "base/hash.h"
#include "game/gamedef.h"
#include "solve/team/team.h"

#include <inttypes.h>
#include <kanzen/paths.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zstd.h>

#define MAGIC "\x89KZR\r\n\x1a\n"

enum {
    VERSION = 1,
    NAME_BYTES = 16,
    AT_VERSION = 8,
    AT_DISTANCE = 12,
    AT_GAME = 16,
    AT_RULES = 32,
    AT_INDEX_SIZE = 48,
    AT_SEGMENT = 56,
    AT_IDLE = 64,
    AT_OPEN = 72,
    AT_SOURCES = 80,
    AT_FILE_BYTES = 104,
    AT_TABLE_HASH = 112,  /* of the table after the header */
    AT_HEADER_HASH = 120, /* of all before it */
    HEADER_BYTES = 128,
    ENTRY_BYTES = 16, /* for each segment: u64 offset of its frame, u32 bytes, u32 check */
    LABEL_BYTES = 8,  /* before each frame in a message: u32 segment, u32 bytes */
    LEVEL = 1,
    BATCH = 128 /* segments of a member in one round */
};

/* What writing and reading have in common. */
typedef struct transport {
    const kz_checkpoint_state *state;
    int distance; /* that is loaded */
    kz_pool *pool;
    kz_team *team;
    uint64_t segments;
    uint64_t rounds;
    kz_buffer *out; /* [members] */
    kz_buffer *in;
    /* The own segments of this round: */
    uint64_t first;
    const uint8_t *frames[BATCH];
    uint8_t *packed[BATCH];
    size_t sizes[BATCH];
    _Atomic kz_status failed;
} transport;

static kz_status no_memory(kz_error *error) { return kz_fail(error, KZ_ERR_MEMORY, "no memory for a checkpoint"); }

static kz_status path_of(const char *folder, char *path, kz_error *error) {
    int length = snprintf(path, KZ_PATH_BYTES, "%s/checkpoint.kzr", folder);
    return length < 0 || length >= KZ_PATH_BYTES ? kz_fail(error, KZ_ERR_INPUT, "the path %s is too long", folder)
                                                 : KZ_OK;
}

/* The hash has the segment's number as its seed, so a frame in the wrong place is noticed. */
static uint32_t check_of(const uint8_t *frame, size_t size, uint64_t segment) {
    return (uint32_t)kz_hash64_seeded(frame, size, segment);
}

static uint64_t first_segment(const transport *t, int member) {
    return kz_team_part(t->segments, member, kz_team_size(t->team));
}

static kz_status open_transport(transport *t, const kz_checkpoint_state *state, kz_pool *pool, kz_team *team,
                                kz_error *error) {
    size_t members = (size_t)kz_team_size(team);
    *t = (transport){.state = state,
                     .pool = pool,
                     .team = team,
                     .segments = (state->positions + state->segment - 1) / state->segment,
                     .out = calloc(members, sizeof *t->out),
                     .in = calloc(members, sizeof *t->in)};
    t->rounds = ((t->segments + members - 1) / members + BATCH - 1) / BATCH;
    return kz_team_agree(team, t->out && t->in ? KZ_OK : no_memory(error), error);
}

static void close_transport(transport *t) {
    for (int i = 0; t->out && t->in && i < kz_team_size(t->team); i++) {
        kz_buffer_free(&t->out[i]);
        kz_buffer_free(&t->in[i]);
    }
    free(t->out);
    free(t->in);
}

/* The segments of a member in a round: [*begin, return value). */
static uint64_t segments_of_round(const transport *t, int member, uint64_t round, uint64_t *begin) {
    uint64_t last = first_segment(t, member + 1);
    *begin = first_segment(t, member) + round * BATCH;
    *begin = *begin < last ? *begin : last;
    return *begin + BATCH < last ? *begin + BATCH : last;
}

static uint64_t end_of_segment(const transport *t, uint64_t segment) {
    uint64_t end = (segment + 1) * t->state->segment;
    return end < t->state->positions ? end : t->state->positions;
}

/* Adds a frame with its label. False: no memory. */
static bool put_frame(kz_buffer *buffer, uint64_t segment, const uint8_t *frame, size_t size) {
    uint8_t *bytes = kz_buffer_add(buffer, LABEL_BYTES + size);
    if (bytes) {
        kz_store_le32(bytes, (uint32_t)segment);
        kz_store_le32(bytes + 4, (uint32_t)size);
        memcpy(bytes + LABEL_BYTES, frame, size);
    }
    return bytes;
}

/* The next frame of a buffer; false at its end. */
static bool next_frame(const kz_buffer *buffer, size_t *at, uint64_t *segment, const uint8_t **frame, size_t *size) {
    if (*at == buffer->size) {
        return false;
    }
    *segment = kz_load_le32(buffer->bytes + *at);
    *size = kz_load_le32(buffer->bytes + *at + 4);
    *frame = buffer->bytes + *at + LABEL_BYTES;
    *at += LABEL_BYTES + *size;
    return true;
}

static kz_status exchange(transport *t, kz_error *error) {
    KZ_TRY(kz_team_exchange_begin(t->team, t->out, t->in, error));
    return kz_team_exchange_end(t->team, error);
}

/* ---- Writing -----------------------------------------------------------------------------------------------------*/

/* For the pool: item i is segment t->first + i. */
static void pack_segments(void *context, int worker, uint64_t begin, uint64_t end) {
    (void)worker;
    transport *t = context;
    for (uint64_t i = begin; i < end; i++) {
        const kz_checkpoint_state *state = t->state;
        size_t room = ZSTD_compressBound(state->most);
        uint8_t *bytes = malloc(state->most);
        t->packed[i] = malloc(room);
        if (!bytes || !t->packed[i]) {
            t->failed = KZ_ERR_MEMORY;
        } else {
            uint64_t from = (t->first + i) * state->segment;
            size_t size = state->save(state->context, from, end_of_segment(t, t->first + i), bytes);
            t->sizes[i] = ZSTD_compress(t->packed[i], room, bytes, size, LEVEL);
            if (ZSTD_isError(t->sizes[i])) {
                t->failed = KZ_ERR_MEMORY;
            }
        }
        free(bytes);
    }
}

/* Compresses the own segments of a round and puts them into the buffer for member 0. */
static kz_status pack_round(transport *t, uint64_t round, kz_error *error) {
    uint64_t end = segments_of_round(t, kz_team_rank(t->team), round, &t->first);
    uint64_t count = end - t->first;
    memset(t->packed, 0, sizeof t->packed);
    kz_status status = kz_pool_for(t->pool, count, 1, pack_segments, t, NULL, NULL, error);
    bool complete = t->failed == KZ_OK;
    for (uint64_t i = 0; i < count; i++) {
        complete = complete && put_frame(&t->out[0], t->first + i, t->packed[i], t->sizes[i]);
        free(t->packed[i]);
    }
    return status == KZ_OK && !complete ? no_memory(error) : status;
}

/* The file while member 0 writes it: frames go to `end`, the table stays in memory until all frames are there. */
typedef struct draft {
    kz_outfile file;
    uint8_t *table;
    uint64_t end;
} draft;

/* Writes the frames that all members sent in this round. */
static kz_status write_frames(const transport *t, draft *d, kz_error *error) {
    kz_status status = KZ_OK;
    for (int member = 0; member < kz_team_size(t->team); member++) {
        uint64_t segment;
        const uint8_t *frame;
        size_t size;
        for (size_t at = 0; status == KZ_OK && next_frame(&t->in[member], &at, &segment, &frame, &size);) {
            uint8_t *entry = d->table + ENTRY_BYTES * segment;
            kz_store_le64(entry, d->end);
            kz_store_le32(entry + 8, (uint32_t)size);
            kz_store_le32(entry + 12, check_of(frame, size, segment));
            status = kz_outfile_write_at(&d->file, frame, size, d->end, error);
            d->end += size;
        }
    }
    return status;
}

/* Header and table come last: before that the file is no checkpoint. */
static kz_status write_head(const transport *t, const kz_checkpoint *c, draft *d, kz_error *error) {
    uint8_t header[HEADER_BYTES] = {0};
    memcpy(header, MAGIC, 8);
    kz_store_le32(header + AT_VERSION, VERSION);
    kz_store_le32(header + AT_DISTANCE, (uint32_t)c->distance);
    strncpy((char *)header + AT_GAME, t->state->game, NAME_BYTES - 1);
    strncpy((char *)header + AT_RULES, t->state->rules, NAME_BYTES - 1);
    kz_store_le64(header + AT_INDEX_SIZE, t->state->positions);
    kz_store_le64(header + AT_SEGMENT, t->state->segment);
    kz_store_le64(header + AT_IDLE, (uint64_t)c->idle);
    kz_store_le64(header + AT_OPEN, c->open);
    kz_store_le64(header + AT_SOURCES, c->sources);
    kz_store_le64(header + AT_FILE_BYTES, d->end);
    kz_store_le64(header + AT_TABLE_HASH, kz_hash64(d->table, ENTRY_BYTES * t->segments));
    kz_store_le64(header + AT_HEADER_HASH, kz_hash64(header, AT_HEADER_HASH));
    KZ_TRY(kz_outfile_write_at(&d->file, header, sizeof header, 0, error));
    return kz_outfile_write_at(&d->file, d->table, ENTRY_BYTES * t->segments, HEADER_BYTES, error);
}

static kz_status begin_draft(const transport *t, const char *folder, draft *d, kz_error *error) {
    char path[KZ_PATH_BYTES];
    d->end = HEADER_BYTES + ENTRY_BYTES * t->segments;
    d->table = calloc(t->segments, ENTRY_BYTES);
    KZ_TRY(d->table ? path_of(folder, path, error) : no_memory(error));
    KZ_TRY(kz_make_folders(folder, error));
    return kz_outfile_open_part(&d->file, path, true, false, error);
}

static kz_status write_rounds(transport *t, const kz_checkpoint *checkpoint, draft *d, kz_error *error) {
    bool writes = d->table;   /* only member 0 has a draft */
    kz_status status = KZ_OK; /* of this member, until all agree */
    for (uint64_t round = 0; round < t->rounds; round++) {
        t->out[0].size = 0;
        if (status == KZ_OK) {
            status = pack_round(t, round, error);
        }
        kz_status moved = exchange(t, status == KZ_OK ? error : NULL);
        if (moved != KZ_OK) {
            return moved;
        }
        if (status == KZ_OK && writes) {
            status = write_frames(t, d, error);
        }
    }
    if (status == KZ_OK && writes) {
        status = write_head(t, checkpoint, d, error);
    }
    return kz_team_agree(t->team, status, error);
}

/* Member 0 ends the file, or drops it. */
static kz_status end_draft(draft *d, kz_status status, kz_error *error) {
    if (status == KZ_OK) {
        return kz_outfile_commit(&d->file, error);
    }
    kz_outfile_discard(&d->file);
    return status;
}

kz_status kz_checkpoint_write(const kz_checkpoint *checkpoint, const kz_checkpoint_state *state, const char *folder,
                              kz_pool *pool, kz_team *team, kz_error *error) {
    transport t;
    draft d = {.table = NULL};
    bool writes = kz_team_rank(team) == 0;
    kz_status status;
    KZ_TRY_OR(done, open_transport(&t, state, pool, team, error));
    KZ_TRY_OR(done, kz_team_agree(team, writes ? begin_draft(&t, folder, &d, error) : KZ_OK, error));
    status = write_rounds(&t, checkpoint, &d, error);
    status = kz_team_agree(team, writes ? end_draft(&d, status, error) : status, error);
done:
    free(d.table);
    close_transport(&t);
    return status;
}

/* ---- Reading -----------------------------------------------------------------------------------------------------*/

/* Checks everything but the frames, and takes over what the header says. */
static kz_status check_head(const transport *t, const kz_mapping *file, const char *path, kz_checkpoint *c,
                            kz_error *error) {
    const uint8_t *header = file->data;
    const kz_checkpoint_state *state = t->state;
    if (file->size < HEADER_BYTES || memcmp(header, MAGIC, 8) != 0) {
        return kz_fail(error, KZ_ERR_CORRUPT, "%s: not a checkpoint", path);
    }
    if (kz_load_le64(header + AT_HEADER_HASH) != kz_hash64(header, AT_HEADER_HASH)) {
        return kz_fail(error, KZ_ERR_CORRUPT, "%s: the header is damaged", path);
    }
    if (kz_load_le32(header + AT_VERSION) != VERSION) {
        return kz_fail(error, KZ_ERR_CORRUPT, "%s: version %" PRIu32 ", but this program knows version %d only", path,
                       kz_load_le32(header + AT_VERSION), VERSION);
    }
    if (strncmp((const char *)header + AT_GAME, state->game, NAME_BYTES) != 0 ||
        strncmp((const char *)header + AT_RULES, state->rules, NAME_BYTES) != 0 ||
        kz_load_le64(header + AT_INDEX_SIZE) != state->positions ||
        kz_load_le64(header + AT_SEGMENT) != state->segment) {
        return kz_fail(error, KZ_ERR_CORRUPT, "%s: not a checkpoint of %s, %s rules; remove it to begin anew", path,
                       state->game, state->rules);
    }
    c->distance = (int)kz_load_le32(header + AT_DISTANCE);
    c->idle = (int)kz_load_le64(header + AT_IDLE);
    c->open = kz_load_le64(header + AT_OPEN);
    c->sources = kz_load_le64(header + AT_SOURCES);
    for (int i = AT_SOURCES + 8; i < AT_FILE_BYTES; i++) {
        if (header[i] != 0) {
            return kz_fail(error, KZ_ERR_CORRUPT, "%s: a reserved byte of the header is not 0", path);
        }
    }
    uint64_t table_bytes = ENTRY_BYTES * t->segments;
    if (kz_load_le64(header + AT_FILE_BYTES) != file->size || file->size - HEADER_BYTES < table_bytes) {
        return kz_fail(error, KZ_ERR_CORRUPT, "%s: cut off, or too long", path);
    }
    const uint8_t *table = header + HEADER_BYTES;
    if (kz_load_le64(header + AT_TABLE_HASH) != kz_hash64(table, table_bytes)) {
        return kz_fail(error, KZ_ERR_CORRUPT, "%s: the table is damaged", path);
    }
    for (uint64_t segment = 0; segment < t->segments; segment++) {
        const uint8_t *entry = table + ENTRY_BYTES * segment;
        uint64_t at = kz_load_le64(entry);
        if (at > file->size || kz_load_le32(entry + 8) > file->size - at) {
            return kz_fail(error, KZ_ERR_CORRUPT, "%s: the table is damaged", path);
        }
    }
    if (c->distance < 2 || c->distance >= KZ_MAX_DISTANCE || c->idle < 0) {
        return kz_fail(error, KZ_ERR_CORRUPT, "%s: makes no sense", path);
    }
    return KZ_OK;
}

/* Member 0: puts the segments of a round into the buffers of the members that keep them, and checks them. */
static kz_status deal_round(transport *t, const kz_mapping *file, const char *path, uint64_t round, kz_error *error) {
    for (int member = 0; member < kz_team_size(t->team); member++) {
        uint64_t segment;
        uint64_t end = segments_of_round(t, member, round, &segment);
        for (; segment < end; segment++) {
            const uint8_t *entry = file->data + HEADER_BYTES + ENTRY_BYTES * segment;
            const uint8_t *frame = file->data + kz_load_le64(entry);
            size_t size = kz_load_le32(entry + 8);
            if (!put_frame(&t->out[member], segment, frame, size)) {
                return no_memory(error);
            }
            /* The check is that of the copy, because another process may write to the file meanwhile. */
            const uint8_t *copy = t->out[member].bytes + t->out[member].size - size;
            if (check_of(copy, size, segment) != kz_load_le32(entry + 12)) {
                return kz_fail(error, KZ_ERR_CORRUPT, "%s: segment %" PRIu64 " is damaged", path, segment);
            }
        }
    }
    return KZ_OK;
}

/* For the pool: item i is segment t->first + i. */
static void unpack_segments(void *context, int worker, uint64_t begin, uint64_t end) {
    (void)worker;
    transport *t = context;
    for (uint64_t i = begin; i < end; i++) {
        const kz_checkpoint_state *state = t->state;
        uint64_t from = (t->first + i) * state->segment;
        uint64_t to = end_of_segment(t, t->first + i);
        uint8_t *bytes = malloc(state->most);
        size_t size = bytes ? ZSTD_decompress(bytes, state->most, t->frames[i], t->sizes[i]) : 0;
        if (!bytes) {
            t->failed = KZ_ERR_MEMORY;
        } else if (ZSTD_isError(size) || !state->load(state->context, t->distance, from, to, bytes, size)) {
            t->failed = KZ_ERR_CORRUPT;
        }
        free(bytes);
    }
}

/* Loads the own segments of a round from what member 0 sent. */
static kz_status unpack_round(transport *t, uint64_t round, kz_error *error) {
    uint64_t end = segments_of_round(t, kz_team_rank(t->team), round, &t->first);
    uint64_t segment;
    size_t at = 0;
    for (uint64_t i = 0; i < end - t->first; i++) {
        if (!next_frame(&t->in[0], &at, &segment, &t->frames[i], &t->sizes[i]) || segment != t->first + i) {
            return KZ_OK; /* member 0 has failed, and says so when all agree */
        }
    }
    kz_status status = kz_pool_for(t->pool, end - t->first, 1, unpack_segments, t, NULL, NULL, error);
    if (status == KZ_OK && t->failed == KZ_ERR_CORRUPT) {
        return kz_fail(error, KZ_ERR_CORRUPT, "a segment of the checkpoint can't be unpacked");
    }
    return status == KZ_OK && t->failed != KZ_OK ? no_memory(error) : status;
}

static kz_status read_rounds(transport *t, const kz_mapping *file, const char *path, kz_error *error) {
    kz_status status = KZ_OK; /* of this member, till all agree */
    for (uint64_t round = 0; round < t->rounds; round++) {
        for (int member = 0; member < kz_team_size(t->team); member++) {
            t->out[member].size = 0;
        }
        if (status == KZ_OK && file->data) { /* only member 0 has it */
            status = deal_round(t, file, path, round, error);
        }
        kz_status moved = exchange(t, status == KZ_OK ? error : NULL);
        if (moved != KZ_OK) {
            return moved;
        }
        if (status == KZ_OK) {
            status = unpack_round(t, round, error);
        }
    }
    return kz_team_agree(t->team, status, error);
}

/* Member 0 opens the file, if there is one. */
static kz_status open_file(const transport *t, const char *path, kz_mapping *file, kz_checkpoint *c, bool *found,
                           kz_error *error) {
    *found = access(path, F_OK) == 0;
    if (!*found) {
        return KZ_OK;
    }
    KZ_TRY(kz_mapping_open(file, path, error));
    return check_head(t, file, path, c, error);
}

kz_status kz_checkpoint_read(kz_checkpoint *checkpoint, const kz_checkpoint_state *state, const char *folder,
                             kz_pool *pool, kz_team *team, bool *found, kz_error *error) {
    transport t;
    kz_mapping file = {.size = 0};
    char path[KZ_PATH_BYTES] = "";
    bool reads = kz_team_rank(team) == 0;
    kz_status status;
    *found = false;
    KZ_TRY_OR(done, open_transport(&t, state, pool, team, error));
    status = path_of(folder, path, error);
    if (status == KZ_OK && reads) {
        status = open_file(&t, path, &file, checkpoint, found, error);
    }
    KZ_TRY_OR(done, kz_team_agree(team, status, error));
    KZ_TRY_OR(done, kz_team_broadcast(team, 0, found, sizeof *found, error));
    if (*found) {
        KZ_TRY_OR(done, kz_team_broadcast(team, 0, checkpoint, sizeof *checkpoint, error));
        t.distance = checkpoint->distance;
        status = read_rounds(&t, &file, path, error);
    }
done:
    kz_mapping_close(&file);
    close_transport(&t);
    return status;
}

void kz_checkpoint_remove(const char *folder) {
    char path[KZ_PATH_BYTES];
    if (path_of(folder, path, NULL) == KZ_OK) {
        unlink(path);
        rmdir(folder);
    }
}
