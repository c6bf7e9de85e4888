/* SPDX-License-Identifier: MIT
 *
 * The file is an image of the struct below and the bytes of a game that is not over. It never leaves the machine, so
 * numbers are as the machine has them; a state of another build has another size or another version, and is refused. */
#include "shogi/src/records/convert_state.h"

#include "base/error.h"
#include "base/file.h"
#include "base/hash.h"
#include "shogi/src/records/decode.h"
#include "shogi/src/records/rawfile.h"

#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <string.h>
#include <unistd.h>

static const char MAGIC[8] = "KZCONV6"; /* with the version; another layout gets another number */

struct image {
    char magic[sizeof MAGIC];
    uint64_t size; /* of the image alone */
    kz_convert_state state;
    uint64_t pending;      /* bytes that follow */
    uint64_t pending_hash; /* of these */
    uint64_t checksum;     /* of everything before it */
};

static uint64_t checksum_of(const struct image *image) { return kz_hash64(image, offsetof(struct image, checksum)); }
static uint64_t hash_of(const kz_buffer *pending) {
    return pending->size > 0 ? kz_hash64(pending->bytes, pending->size) : 0;
}

/* The settings by number, and what they are to a person. */
static const char *const setting_names[KZ_CONVERT_SETTINGS] = {
    "the source had another size",
    "the source has been changed since",
    "the source has been changed since",
    "the source had other records",
    "the source had another dialect",
    "it began with another record",
    "it was for another number of records",
    "the target had other records",
    "the target had another dialect",
    "it had other rules about bad records",
    "it had other rules about positions that are not legal",
    "it had another rule about the box",
    "it had another rule about positions that nobody searched",
    "it had another filter",
};

void kz_convert_state_begin(kz_convert_state *state, const kz_shogi_source *source, const kz_shogi_target *target,
                            const kz_shogi_file_options *options, const struct stat *found) {
    const uint64_t settings[KZ_CONVERT_SETTINGS] = {
        (uint64_t)found->st_size,
        (uint64_t)found->st_mtim.tv_sec,
        (uint64_t)found->st_mtim.tv_nsec,
        source->record,
        kz_records_dialect(source->record, source->dialect),
        source->first,
        source->count,
        target->record,
        kz_records_dialect(target->record, target->dialect),
        options->skip_bad,
        options->legal,
        options->without_box,
        options->unsearched,
        kz_records_filter_hash(options->filter),
    };
    memset(state, 0, sizeof *state); /* bytes between members included: they are part of the checksum */
    memcpy(state->settings, settings, sizeof settings);
}

kz_status kz_convert_state_save(const kz_convert_state *state, const kz_buffer *pending, const char *path,
                                kz_error *error) {
    struct image image;
    memset(&image, 0, sizeof image);
    memcpy(image.magic, MAGIC, sizeof MAGIC);
    image.size = sizeof image;
    memcpy(&image.state, state, sizeof *state);
    image.pending = pending->size;
    image.pending_hash = hash_of(pending);
    image.checksum = checksum_of(&image);
    /* Always the same temporary file: a run that is killed again and again does not litter. */
    kz_outfile file;
    KZ_TRY(kz_outfile_open_part(&file, path, true, false, error));
    kz_status status = kz_outfile_write(&file, &image, sizeof image, error);
    if (status == KZ_OK && pending->size > 0) {
        status = kz_outfile_write(&file, pending->bytes, pending->size, error);
    }
    if (status != KZ_OK) {
        kz_outfile_discard(&file);
        return status;
    }
    return kz_outfile_commit(&file, error);
}

static kz_status compare(const struct image *image, const kz_convert_state *begin, const char *path, kz_error *error) {
    if (memcmp(image->magic, MAGIC, sizeof MAGIC) != 0 || image->size != sizeof *image) {
        return kz_fail(error, KZ_ERR_CORRUPT, "%s was not written by this version of kanzen", path);
    }
    if (image->checksum != checksum_of(image)) {
        return kz_fail(error, KZ_ERR_CORRUPT, "%s is damaged", path);
    }
    for (int i = 0; i < KZ_CONVERT_SETTINGS; i++) {
        if (image->state.settings[i] != begin->settings[i]) {
            return kz_fail(error, KZ_ERR_INPUT, "can't go on with the run of %s: %s", path, setting_names[i]);
        }
    }
    return KZ_OK;
}

static kz_status load_pending(int descriptor, const struct image *image, kz_buffer *pending, const char *path,
                              kz_error *error) {
    struct stat found;
    if (fstat(descriptor, &found) != 0 || (uint64_t)found.st_size != sizeof *image + image->pending) {
        return kz_fail(error, KZ_ERR_CORRUPT, "%s is damaged", path);
    }
    pending->size = 0;
    uint8_t *room = image->pending > 0 ? kz_buffer_add(pending, (size_t)image->pending) : NULL;
    if (image->pending > 0 && !room) {
        return kz_fail(error, KZ_ERR_MEMORY, "out of memory for a game");
    }
    const kz_place place = {.descriptor = descriptor, .offset = sizeof *image, .name = path};
    KZ_TRY(image->pending > 0 ? kz_place_read(place, room, (size_t)image->pending, error) : KZ_OK);
    return hash_of(pending) != image->pending_hash ? kz_fail(error, KZ_ERR_CORRUPT, "%s is damaged", path) : KZ_OK;
}

kz_status kz_convert_state_load(kz_convert_state *state, kz_buffer *pending, const char *path, bool *there,
                                kz_error *error) {
    int descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    *there = descriptor >= 0;
    if (descriptor < 0) {
        return errno == ENOENT ? KZ_OK : kz_fail_errno(error, KZ_ERR_IO, errno, "can't read %s", path);
    }
    struct image image;
    memset(&image, 0, sizeof image);
    ssize_t got = read(descriptor, &image, sizeof image);
    kz_status status =
        got < 0 ? kz_fail_errno(error, KZ_ERR_IO, errno, "can't read %s", path) : compare(&image, state, path, error);
    if (status == KZ_OK) {
        status = load_pending(descriptor, &image, pending, path, error);
    }
    close(descriptor);
    if (status == KZ_OK) {
        *state = image.state;
    }
    return status;
}
