/* SPDX-License-Identifier: MIT
 *
 * From a file to a file a conversion can be interrupted: what is written goes to TARGET.part, and now and then, after
 * that has reached the disk, TARGET.part.state says how far it is. From a pipe or to one it can't. */
#include "base/error.h"
#include "base/file.h"
#include "base/hash.h"
#include "shogi/src/records/convert_state.h"
#include "shogi/src/records/decode.h"
#include "shogi/src/records/encode.h"
#include "shogi/src/records/games.h"
#include "shogi/src/records/rawfile.h"
#include "shogi/src/records/source.h"
#include "shogi/src/records/stream.h"

#include <errno.h>
#include <fcntl.h>
#include <kanzen/system.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { NOBODY = -1 };

static const double CHECKPOINT_SECONDS = 5;

struct conversion {
    kz_records_encoder encoder;
    kz_records_tally *tallies; /* by worker */
    bool by_games;             /* the target has games: records are joined to them as they are taken */
    kz_records_games games;
    kz_shogi_file_report *report;
    kz_outfile file;

    bool resumable;
    char *state_path;
    uint64_t bytes;             /* written so far */
    kz_hash_stream hash;        /* of these, if the run can be resumed */
    kz_hash_stream source_hash; /* of what was read of the source, too */
    const kz_shogi_source *source;
    kz_convert_state state; /* at the last place where a run could go on; for whose turn it is */
    kz_buffer pending;      /* then: the bytes of the game that was not over */

    /* One thread at a time saves a state while the others work on. The members below belong to that thread. While
     * nobody saves, they belong to the thread that takes a batch. */
    atomic_int saver; /* the worker that saves, or NOBODY */
    kz_convert_state to_save;
    kz_buffer pending_to_save;
    double interval;
    double next_save;
    bool saved; /* there is a state worth keeping */
};

/* ---- The part and its state -------------------------------------------------------------------------------------- */

static kz_status save_state(struct conversion *conversion, const kz_convert_state *state, const kz_buffer *pending,
                            kz_error *error) {
    KZ_TRY(kz_outfile_sync(&conversion->file, error));
    return kz_convert_state_save(state, pending, conversion->state_path, error);
}

static kz_status save_last(struct conversion *conversion, kz_error *error) {
    return save_state(conversion, &conversion->state, &conversion->pending, error);
}

/* Makes `to` a copy of bytes. */
static kz_status copy_pending(kz_buffer *to, const uint8_t *bytes, size_t size, kz_error *error) {
    to->size = 0;
    uint8_t *room = size > 0 ? kz_buffer_add(to, size) : NULL;
    if (size > 0 && !room) {
        return kz_fail(error, KZ_ERR_MEMORY, "out of memory for a game");
    }
    if (size > 0) {
        memcpy(room, bytes, size);
    }
    return KZ_OK;
}

/* Adds bytes of an open file to a hash. */
static kz_status hash_bytes(int descriptor, const char *name, uint64_t begin, uint64_t end, kz_hash_stream *hash,
                            kz_error *error) {
    enum { PIECE = 1 << 20 };
    uint8_t *piece = malloc(PIECE);
    kz_status status = piece ? KZ_OK : kz_fail(error, KZ_ERR_MEMORY, "out of memory");
    for (uint64_t at = begin; status == KZ_OK && at < end; at += PIECE) {
        size_t wanted = end - at < PIECE ? (size_t)(end - at) : PIECE;
        const kz_place place = {.descriptor = descriptor, .offset = at, .name = name};
        status = kz_place_read(place, piece, wanted, error);
        if (status == KZ_OK) {
            kz_hash_stream_update(hash, piece, wanted);
        }
    }
    free(piece);
    return status;
}

/* Reads what is there of the part once more: a damaged one must not become a target. */
static kz_status compare_part(struct conversion *conversion, kz_error *error) {
    const kz_outfile *file = &conversion->file;
    KZ_TRY(hash_bytes(file->descriptor, file->temporary, 0, conversion->state.bytes, &conversion->hash, error));
    return kz_hash_stream_value(&conversion->hash) == conversion->state.hash
               ? KZ_OK
               : kz_fail(error, KZ_ERR_CORRUPT, "can't go on with %s: it is damaged (its checksum does not match)",
                         file->temporary);
}

/* Reads what the run before has read of the source once more: it must be what it was. */
static kz_status compare_source(struct conversion *conversion, kz_error *error) {
    const kz_convert_state *state = &conversion->state;
    const char *path = conversion->source->path;
    if (state->source_hash == 0 || state->place.offset <= state->source_begin) {
        return KZ_OK;
    }
    int descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (descriptor < 0) {
        return kz_fail_errno(error, KZ_ERR_IO, errno, "can't read %s", path);
    }
    kz_status status =
        hash_bytes(descriptor, path, state->source_begin, state->place.offset, &conversion->source_hash, error);
    close(descriptor);
    KZ_TRY(status);
    return kz_hash_stream_value(&conversion->source_hash) == state->source_hash
               ? KZ_OK
               : kz_fail(error, KZ_ERR_INPUT, "can't go on with the run of %s: the source has been changed since",
                         conversion->state_path);
}

/* Finds out where a run that was interrupted has got to. */
static kz_status restore(struct conversion *conversion, kz_error *error) {
    struct stat part;
    if (fstat(conversion->file.descriptor, &part) != 0) {
        return kz_fail_errno(error, KZ_ERR_IO, errno, "can't read %s", conversion->file.temporary);
    }
    if (part.st_size == 0) {
        return KZ_OK; /* new, or from a run that was interrupted at once */
    }
    bool there = false;
    KZ_TRY(kz_convert_state_load(&conversion->state, &conversion->pending, conversion->state_path, &there, error));
    if (!there) {
        return kz_fail(error, KZ_ERR_INPUT, "can't go on with %s: %s is missing", conversion->file.temporary,
                       conversion->state_path);
    }
    if ((uint64_t)part.st_size < conversion->state.bytes) {
        return kz_fail(error, KZ_ERR_CORRUPT, "can't go on with %s: it is shorter than %s says",
                       conversion->file.temporary, conversion->state_path);
    }
    conversion->bytes = conversion->state.bytes;
    conversion->saved = conversion->bytes > 0;
    *conversion->report = conversion->state.report;
    if (conversion->by_games &&
        !kz_records_games_resume(&conversion->games, &conversion->state.join, &conversion->pending)) {
        return kz_fail(error, KZ_ERR_CORRUPT, "%s is damaged", conversion->state_path);
    }
    KZ_TRY(compare_part(conversion, error));
    return compare_source(conversion, error);
}

static kz_status begin_part(struct conversion *conversion, bool resume, kz_error *error) {
    if (asprintf(&conversion->state_path, "%s.state", conversion->file.temporary) < 0) {
        conversion->state_path = NULL;
        return kz_fail(error, KZ_ERR_MEMORY, "out of memory");
    }
    if (!kz_hash_stream_begin(&conversion->hash) || !kz_hash_stream_begin(&conversion->source_hash)) {
        return kz_fail(error, KZ_ERR_MEMORY, "out of memory");
    }
    conversion->state.hash = kz_hash_stream_value(&conversion->hash);
    KZ_TRY(resume ? restore(conversion, error) : KZ_OK);
    KZ_TRY(kz_outfile_cut(&conversion->file, conversion->bytes, error));
    /* A part without a state is not ours, so there is one from the beginning. */
    return save_last(conversion, error);
}

static kz_status open_part(struct conversion *conversion, const kz_shogi_target *target, bool resume, kz_error *error) {
    KZ_TRY(kz_outfile_open_part(&conversion->file, target->path, target->replace, resume, error));
    kz_status status = begin_part(conversion, resume, error);
    if (status != KZ_OK && resume) {
        kz_outfile_keep(&conversion->file);
    } else if (status != KZ_OK) {
        /* The state first, while the part keeps others away. */
        if (conversion->state_path) {
            unlink(conversion->state_path);
        }
        kz_outfile_discard(&conversion->file);
    }
    return status;
}

static bool is_stream(const char *path) { return strcmp(path, "-") == 0; }

static kz_status open_target(struct conversion *conversion, const kz_shogi_source *source,
                             const kz_shogi_target *target, const kz_shogi_file_options *options, kz_error *error) {
    struct stat found = {.st_mode = 0};
    if (!is_stream(source->path) && stat(source->path, &found) != 0) {
        return kz_fail_errno(error, KZ_ERR_IO, errno, "can't read %s", source->path);
    }
    conversion->resumable = S_ISREG(found.st_mode) && !is_stream(target->path);
    if (options->resume && !conversion->resumable) {
        return kz_fail(error, KZ_ERR_UNSUPPORTED, "only a conversion from a file to a file can be resumed");
    }
    if (conversion->resumable) {
        kz_convert_state_begin(&conversion->state, source, target, options, &found);
        return open_part(conversion, target, options->resume, error);
    }
    if (is_stream(target->path)) {
        return kz_outfile_open_stream(&conversion->file, STDOUT_FILENO, "the standard output", error);
    }
    return kz_outfile_open(&conversion->file, target->path, target->replace, error);
}

/* Ends what open_target began. An interrupted run leaves its part, and so does one for which the disk was too small: it
 * is cut back to the last place where a run can go on, which makes room for the state. */
static kz_status close_target(struct conversion *conversion, kz_status status, kz_error *error) {
    if (status == KZ_OK) {
        status = kz_outfile_commit(&conversion->file, error);
    } else if (conversion->resumable && status == KZ_ERR_CANCELLED) {
        kz_error ignored; /* if it can't be saved now, what was saved before is there */
        (void)save_last(conversion, &ignored);
        kz_outfile_keep(&conversion->file);
        return status;
    } else if (conversion->resumable && status == KZ_ERR_IO && (conversion->saved || conversion->state.bytes > 0)) {
        kz_error ignored;
        (void)kz_outfile_cut(&conversion->file, conversion->state.bytes, &ignored);
        if (save_last(conversion, &ignored) == KZ_OK || conversion->saved) {
            kz_outfile_keep(&conversion->file);
            return status;
        }
    }
    if (conversion->resumable) {
        unlink(conversion->state_path);
    }
    if (status != KZ_OK) {
        kz_outfile_discard(&conversion->file);
    }
    return status;
}

/* ---- Batches ----------------------------------------------------------------------------------------------------- */

static kz_status work(void *user, int worker, const kz_records_batch *batch, kz_records_output *output,
                      kz_error *error) {
    (void)error;
    struct conversion *conversion = user;
    if (conversion->by_games) {
        kz_records_games_check(&conversion->games, batch);
        return KZ_OK;
    }
    kz_records_encode(&conversion->encoder, batch, output, &conversion->tallies[worker]);
    return KZ_OK;
}

/* A piece of a text may have no records, and then does not come here. After such a gap the source is no longer known by
 * its content, only by its size and time. */
static void note_source(struct conversion *conversion, const kz_records_batch *batch) {
    kz_convert_state *state = &conversion->state;
    uint64_t begin = batch->end.offset - batch->piece_size;
    bool first = state->place.offset == 0;
    if (!batch->piece || (!first && (state->source_hash == 0 || begin != state->place.offset))) {
        state->source_hash = 0;
        return;
    }
    state->source_begin = first ? begin : state->source_begin;
    kz_hash_stream_update(&conversion->source_hash, batch->piece, batch->piece_size);
    state->source_hash = kz_hash_stream_value(&conversion->source_hash);
}

/* Notes down where a run could go on, and sees whether it is time to save that. */
static kz_status note_place(struct conversion *conversion, const kz_records_batch *batch, int worker, kz_error *error) {
    const kz_buffer *open = &conversion->games.text;
    KZ_TRY(copy_pending(&conversion->pending, open->bytes, open->size, error));
    note_source(conversion, batch);
    conversion->state.place = batch->end;
    conversion->state.bytes = conversion->bytes;
    conversion->state.hash = kz_hash_stream_value(&conversion->hash);
    conversion->state.report = *conversion->report;
    conversion->state.join = conversion->games.join;
    if (atomic_load(&conversion->saver) == NOBODY && kz_seconds() >= conversion->next_save) {
        conversion->to_save = conversion->state;
        KZ_TRY(copy_pending(&conversion->pending_to_save, open->bytes, open->size, error));
        atomic_store(&conversion->saver, worker);
    }
    return KZ_OK;
}

static kz_status write_bytes(struct conversion *conversion, const uint8_t *bytes, size_t size, kz_error *error) {
    KZ_TRY(kz_outfile_write(&conversion->file, bytes, size, error));
    if (conversion->resumable) {
        kz_hash_stream_update(&conversion->hash, bytes, size);
    }
    conversion->bytes += size;
    return KZ_OK;
}

static kz_status write_ready(struct conversion *conversion, size_t ready, kz_error *error) {
    if (ready > 0) {
        KZ_TRY(write_bytes(conversion, conversion->games.text.bytes, ready, error));
        kz_records_games_drop(&conversion->games, ready);
    }
    return KZ_OK;
}

static kz_status take_games(struct conversion *conversion, const kz_records_batch *batch, kz_error *error) {
    uint64_t written;
    size_t ready;
    KZ_TRY(kz_records_games_add(&conversion->games, batch, &written, &ready, error));
    conversion->report->written += written;
    return write_ready(conversion, ready, error);
}

static kz_status end_games(struct conversion *conversion, kz_error *error) {
    KZ_TRY(kz_records_games_end(&conversion->games, error));
    KZ_TRY(write_ready(conversion, conversion->games.text.size, error));
    conversion->report->lost |= conversion->games.join.lost;
    conversion->report->missing |= conversion->games.join.missing;
    return KZ_OK;
}

static kz_status take_records(struct conversion *conversion, const kz_records_output *output, kz_error *error) {
    const kz_records_tally *tally = &conversion->tallies[output->worker];
    KZ_TRY(write_bytes(conversion, output->bytes, output->size, error));
    conversion->report->written += tally->written;
    conversion->report->lost |= tally->lost;
    conversion->report->missing |= tally->missing;
    conversion->report->cut_plies += tally->cut_plies;
    return KZ_OK;
}

static kz_status take(void *user, const kz_records_batch *batch, const kz_records_output *output, kz_error *error) {
    struct conversion *conversion = user;
    KZ_TRY(conversion->by_games ? take_games(conversion, batch, error) : take_records(conversion, output, error));
    bool is_place = conversion->resumable && batch->has_end;
    return is_place ? note_place(conversion, batch, output->worker, error) : KZ_OK;
}

static kz_status after(void *user, int worker, kz_error *error) {
    struct conversion *conversion = user;
    if (atomic_load(&conversion->saver) != worker) {
        return KZ_OK;
    }
    kz_status status = save_state(conversion, &conversion->to_save, &conversion->pending_to_save, error);
    conversion->saved = conversion->saved || status == KZ_OK;
    conversion->next_save = kz_seconds() + conversion->interval;
    atomic_store(&conversion->saver, NOBODY);
    return status;
}

/* ---- The whole --------------------------------------------------------------------------------------------------- */

static kz_status run(struct conversion *conversion, const kz_shogi_source *source, const kz_shogi_file_options *options,
                     const kz_progress *progress, kz_error *error) {
    conversion->tallies = calloc((size_t)kz_records_workers(options), sizeof *conversion->tallies);
    if (!conversion->tallies) {
        return kz_fail(error, KZ_ERR_MEMORY, "out of memory");
    }
    const kz_records_place start = conversion->state.place;
    const kz_records_job job = {
        .source = source,
        .options = options,
        .stage = "converting",
        .start = start.offset > 0 ? &start : NULL,
        .output_bytes = conversion->by_games ? 0 : kz_records_room(&conversion->encoder),
        .work = work,
        .take = take,
        .after = after,
        .user = conversion,
    };
    conversion->interval = options->checkpoint_seconds > 0 ? options->checkpoint_seconds : CHECKPOINT_SECONDS;
    conversion->next_save = kz_seconds() + conversion->interval;
    return kz_records_each(&job, progress, conversion->report, error);
}

kz_status kz_shogi_convert(const kz_shogi_source *source, const kz_shogi_target *target,
                           const kz_shogi_file_options *options, const kz_progress *progress,
                           kz_shogi_file_report *report, kz_error *error) {
    struct conversion conversion = {
        .report = report, .saver = NOBODY, .source = source, .by_games = kz_records_is_game(target->record)};
    memset(report, 0, sizeof *report);
    KZ_TRY(kz_refuse_packed_name(target->path, error));
    if (conversion.by_games) {
        kz_records_games_begin(&conversion.games, target->record, !options->skip_bad);
    } else {
        KZ_TRY(kz_records_encoder_for(&conversion.encoder, source, target, options, error));
    }
    KZ_TRY(kz_records_check_dialect(source, error));
    kz_status status;
    KZ_TRY_OR(end, open_target(&conversion, source, target, options, error));
    status = run(&conversion, source, options, progress, error);
    if (status == KZ_OK && conversion.by_games) {
        status = end_games(&conversion, error);
    }
    status = close_target(&conversion, status, error);
end:
    kz_hash_stream_end(&conversion.hash);
    kz_hash_stream_end(&conversion.source_hash);
    kz_records_games_free(&conversion.games);
    kz_buffer_free(&conversion.pending);
    kz_buffer_free(&conversion.pending_to_save);
    free(conversion.tallies);
    free(conversion.state_path);
    return status;
}
