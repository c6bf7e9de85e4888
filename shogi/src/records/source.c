/* SPDX-License-Identifier: MIT
 *
 * Records of fixed size in a regular file need no reading to be cut: a piece is handed out as an offset, and the thread
 * that gets it reads it. Everything else is read in order, by whoever asks for a piece, and cut behind its last whole
 * record; the rest is carried over to the next piece. */
#include "shogi/src/records/source.h"

#include "base/error.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    TEXT_PIECE = 96 << 10,  /* about a batch of SFENs */
    GAME_PIECE = 24 << 10,  /* about a batch of positions of hcpe3 with one candidate each */
    PIECE_MOST = 256 << 20, /* a line, an entry or a game may not be longer */
    POLL_MS = 100
};

/* ---- Opening ----------------------------------------------------------------------------------------------------- */

static kz_status examine(kz_records_input *input, kz_error *error) {
    struct stat found;
    if (fstat(input->descriptor, &found) != 0) {
        return kz_fail_errno(error, KZ_ERR_IO, errno, "can't read %s", input->name);
    }
    if (S_ISDIR(found.st_mode)) {
        return kz_fail(error, KZ_ERR_IO, "can't read %s: it is a folder", input->name);
    }
    off_t at = S_ISREG(found.st_mode) ? lseek(input->descriptor, 0, SEEK_CUR) : -1;
    input->repeatable = at >= 0;
    input->seekable = at >= 0 && !input->unpacker;
    if (input->seekable) {
        /* The standard input may be a file of which somebody has read a part. */
        input->offset = (uint64_t)at;
        input->size = found.st_size > at ? (uint64_t)found.st_size : (uint64_t)at;
        (void)posix_fadvise(input->descriptor, 0, 0, POSIX_FADV_SEQUENTIAL);
    }
    return KZ_OK;
}

/* Unpacks what comes before `offset` once more. */
static kz_status pass_over(kz_records_input *input, uint64_t offset, kz_error *error) {
    uint8_t bytes[16384];
    while (offset > 0) {
        size_t wanted = offset < sizeof bytes ? (size_t)offset : sizeof bytes;
        size_t got;
        KZ_TRY(kz_unpacker_read(input->unpacker, bytes, wanted, &got, error));
        if (got < wanted) {
            return kz_fail(error, KZ_ERR_INPUT, "can't go on in the middle of %s: it is shorter now", input->name);
        }
        offset -= got;
    }
    return KZ_OK;
}

/* Goes to the first record that is wanted. Where records have no fixed size, that is left to who decodes them. */
static kz_status find_start(kz_records_input *input, const kz_shogi_source *source, const kz_records_place *start,
                            kz_error *error) {
    size_t bytes = input->info->bytes;
    input->left = source->count != 0 ? source->count : UINT64_MAX;
    if (start && input->unpacker) {
        KZ_TRY(pass_over(input, start->offset, error));
        input->offset = start->offset;
        input->next = start->record;
        if (bytes != 0 && source->count != 0) {
            input->left -= start->record - source->first;
        }
        return KZ_OK;
    }
    if (start) {
        if (!input->seekable || start->offset > input->size) {
            return kz_fail(error, KZ_ERR_INPUT, "can't go on in the middle of %s", input->name);
        }
        input->offset = start->offset;
        input->next = start->record;
        if (bytes != 0 && source->count != 0) {
            input->left -= start->record - source->first;
        }
        return KZ_OK;
    }
    if (bytes == 0) {
        return KZ_OK;
    }
    input->next = source->first;
    if (!input->seekable) {
        input->pass = source->first;
    } else if (source->first > (input->size - input->offset) / bytes) {
        input->offset = input->size;
    } else {
        input->offset += source->first * bytes;
    }
    return KZ_OK;
}

/* Opens a file for reading. A pipe without a writer is waited for in a way that a signal ends, unlike open(). -1 with
 * errno: it can't be done. */
static int open_file(const char *path) {
    struct stat found;
    int descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (descriptor < 0) {
        return -1;
    }
    struct pollfd waiting = {.fd = descriptor, .events = POLLIN};
    if ((fstat(descriptor, &found) == 0 && S_ISFIFO(found.st_mode) && poll(&waiting, 1, -1) < 0) ||
        fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) & ~O_NONBLOCK) != 0) {
        int code = errno;
        close(descriptor);
        errno = code;
        return -1;
    }
    return descriptor;
}

kz_status kz_records_open(kz_records_input *input, const kz_shogi_source *source, const kz_records_place *start,
                          kz_error *error) {
    bool standard = strcmp(source->path, "-") == 0;
    *input = (kz_records_input){
        .info = kz_shogi_record_at(source->record),
        .record = source->record,
        .name = standard ? "the standard input" : source->path,
        .descriptor = standard ? dup(STDIN_FILENO) : open_file(source->path),
    };
    if (input->descriptor < 0) {
        return errno == EINTR ? kz_fail(error, KZ_ERR_CANCELLED, "interrupted")
                              : kz_fail_errno(error, KZ_ERR_IO, errno, "can't read %s", input->name);
    }
    kz_status status = KZ_OK;
    if (!standard && kz_is_packed_name(source->path)) {
        input->unpacker = kz_unpacker_new(input->descriptor, source->path, error);
        status = input->unpacker ? KZ_OK : error ? error->status : KZ_ERR_MEMORY;
    }
    if (status == KZ_OK) {
        status = examine(input, error);
    }
    if (status == KZ_OK) {
        status = find_start(input, source, start, error);
    }
    if (status != KZ_OK) {
        kz_records_close(input);
    }
    return status;
}

void kz_records_close(kz_records_input *input) {
    if (input->descriptor >= 0) {
        close(input->descriptor);
    }
    free(input->carry);
    kz_unpacker_free(input->unpacker);
    input->unpacker = NULL;
    input->descriptor = -1;
    input->carry = NULL;
}

uint64_t kz_records_total(const kz_records_input *input) {
    if (!input->seekable) {
        return 0;
    }
    uint64_t there = input->size - input->offset;
    if (input->info->bytes == 0) {
        return there;
    }
    there /= input->info->bytes;
    return there < input->left ? there : input->left;
}

/* ---- Where records end ------------------------------------------------------------------------------------------- */

static size_t whole_lines(const uint8_t *bytes, size_t size) {
    const uint8_t *end = memrchr(bytes, '\n', size);
    return !end ? 0 : (size_t)(end - bytes) + 1;
}

/* An entry of a plain file ends with a line "e". */
static size_t whole_entries(const uint8_t *bytes, size_t size) {
    size_t end = whole_lines(bytes, size);
    while (end > 0) {
        size_t begin = whole_lines(bytes, end - 1);
        size_t length = end - 1 - begin;
        if ((length == 1 || (length == 2 && bytes[begin + 1] == '\r')) && bytes[begin] == 'e') {
            return end;
        }
        end = begin;
    }
    return 0;
}

static bool look_no_further(void *user, const kz_shogi_position *position, const kz_shogi_note *note) {
    (void)user;
    (void)position;
    (void)note;
    return false;
}

/* Games of hcpe3 and pack say themselves how long they are; whether they are any good is for the decoder to find out.
 */
static size_t whole_games(kz_shogi_record record, const uint8_t *bytes, size_t size) {
    size_t end = 0;
    size_t game = 0;
    do {
        end += game;
        game = 0;
        if (record == KZ_SHOGI_RECORD_HCPE3) {
            (void)kz_shogi_read_hcpe3(bytes + end, size - end, &game, look_no_further, NULL, NULL);
        } else if (end < size) {
            (void)kz_shogi_read_pack(bytes + end, size - end, &game, look_no_further, NULL, NULL);
        }
    } while (game != 0);
    return end;
}

/* The size of the whole records at the beginning of `bytes`; `last` if nothing comes after them. */
static size_t whole_records(const kz_records_input *input, const uint8_t *bytes, size_t size, bool last) {
    switch ((int)input->record) {
    case KZ_SHOGI_RECORD_SFEN:
    case KZ_SHOGI_RECORD_USI:
        return last ? size : whole_lines(bytes, size);
    case KZ_SHOGI_RECORD_PLAIN:
        return last ? size : whole_entries(bytes, size);
    case KZ_SHOGI_RECORD_HCPE3:
    case KZ_SHOGI_RECORD_PACK:
        return whole_games(input->record, bytes, size);
    case KZ_SHOGI_RECORD_NSHOGI:
        return size - size % KZ_SHOGI_NSHOGI_BYTES;
    case KZ_SHOGI_RECORD_CSA:
    case KZ_SHOGI_RECORD_KIF:
    case KZ_SHOGI_RECORD_KI2:
        return last ? size : 0;
    default:
        return input->info->bytes != 0 ? size - size % input->info->bytes : size;
    }
}

/* ---- Reading in order -------------------------------------------------------------------------------------------- */

static kz_status make_room(uint8_t **bytes, size_t *room, size_t wanted, kz_error *error) {
    if (*room >= wanted) {
        return KZ_OK;
    }
    uint8_t *larger = realloc(*bytes, wanted);
    if (!larger) {
        return kz_fail(error, KZ_ERR_MEMORY, "out of memory for %zu bytes of a file", wanted);
    }
    *bytes = larger;
    *room = wanted;
    return KZ_OK;
}

/* Waits for a pipe to have something. False when told to give up. */
static bool wait_for_pipe(const kz_records_input *input, int worker) {
    struct pollfd wanted = {.fd = input->descriptor, .events = POLLIN};
    for (;;) {
        int ready = poll(&wanted, 1, POLL_MS);
        if (ready > 0 || (ready < 0 && errno != EINTR)) {
            return true; /* an error is for `read` to find */
        }
        if (!input->patience(input->user, worker)) {
            return false;
        }
    }
}

/* Reads up to `size` bytes that come at `offset`; `got` is less at the end only. */
static kz_status read_bytes(const kz_records_input *input, int worker, uint64_t offset, uint8_t *bytes, size_t size,
                            size_t *got, kz_error *error) {
    *got = 0;
    if (input->unpacker) {
        return kz_unpacker_read(input->unpacker, bytes, size, got, error);
    }
    while (*got < size) {
        if (!input->seekable && !wait_for_pipe(input, worker)) {
            return kz_fail(error, KZ_ERR_CANCELLED, "interrupted");
        }
        ssize_t more = input->seekable ? pread(input->descriptor, bytes + *got, size - *got, (off_t)(offset + *got))
                                       : read(input->descriptor, bytes + *got, size - *got);
        if (more < 0 && errno != EINTR) {
            return kz_fail_errno(error, KZ_ERR_IO, errno, "can't read %s", input->name);
        }
        if (more == 0) {
            break;
        }
        *got += more > 0 ? (size_t)more : 0;
    }
    return KZ_OK;
}

static size_t usual_piece(const kz_records_input *input) {
    if (input->info->bytes != 0) {
        return KZ_RECORDS_BATCH * input->info->bytes;
    }
    bool games = input->record == KZ_SHOGI_RECORD_HCPE3 || input->record == KZ_SHOGI_RECORD_PACK;
    return games ? GAME_PIECE : TEXT_PIECE;
}

/* Reads on from what was carried over until there is a whole record. Sets the piece's size to that of its whole
 * records, and `got` to that of all that is there. */
static kz_status read_piece(kz_records_input *input, int worker, kz_records_piece *piece, size_t *got,
                            kz_error *error) {
    size_t wanted = usual_piece(input);
    *got = input->carried;
    KZ_TRY(make_room(&piece->bytes, &piece->room, wanted > *got ? wanted : *got, error));
    if (*got > 0) {
        memcpy(piece->bytes, input->carry, *got);
    }
    for (;;) {
        if (*got < wanted) {
            size_t more;
            KZ_TRY(read_bytes(input, worker, input->offset + *got, piece->bytes + *got, wanted - *got, &more, error));
            *got += more;
            input->ended = *got < wanted;
        }
        piece->size = whole_records(input, piece->bytes, *got, input->ended);
        if (piece->size > 0 || input->ended) {
            return KZ_OK;
        }
        if (wanted >= PIECE_MOST) {
            return kz_fail(error, KZ_ERR_CORRUPT, "%s has no end of a record in the %zu bytes after byte %llu",
                           input->name, *got, (unsigned long long)input->offset);
        }
        wanted *= 2;
        KZ_TRY(make_room(&piece->bytes, &piece->room, wanted, error));
    }
}

static kz_status next_in_order(kz_records_input *input, int worker, kz_records_piece *piece, kz_error *error) {
    size_t got;
    KZ_TRY(read_piece(input, worker, piece, &got, error));
    size_t rest = got - piece->size;
    if (input->ended) {
        input->trailing = rest;
    } else {
        KZ_TRY(make_room(&input->carry, &input->carry_room, rest, error));
        if (rest > 0) {
            memcpy(input->carry, piece->bytes + piece->size, rest);
        }
        input->carried = rest;
    }
    piece->offset = input->offset;
    input->offset += piece->size;
    return KZ_OK;
}

/* ---- Pieces ------------------------------------------------------------------------------------------------------ */

/* Cuts the part of a piece that is wanted. */
static void count_fixed(kz_records_input *input, kz_records_piece *piece) {
    uint64_t count = piece->size / input->info->bytes;
    piece->first = input->next;
    if (count >= input->left) {
        count = input->left;
        input->ended = true;
        input->trailing = 0; /* whatever comes there, nobody asked for it */
    }
    piece->size = (size_t)count * input->info->bytes;
    input->next += count;
    input->left -= count;
}

static void next_by_offset(kz_records_input *input, kz_records_piece *piece) {
    uint64_t there = input->size - input->offset;
    size_t usual = usual_piece(input);
    piece->offset = input->offset;
    piece->size = there < usual ? (size_t)(there - there % input->info->bytes) : usual;
    if (there < usual) {
        input->ended = true;
        input->trailing = (size_t)there - piece->size;
    }
    count_fixed(input, piece);
    input->offset += piece->size;
}

kz_status kz_records_next(kz_records_input *input, int worker, kz_records_piece *piece, kz_error *error) {
    piece->size = 0;
    if (input->ended) {
        return KZ_OK;
    }
    bool fixed = input->info->bytes != 0;
    if (fixed && input->seekable) {
        next_by_offset(input, piece);
        return KZ_OK;
    }
    kz_status status = KZ_OK;
    do {
        status = next_in_order(input, worker, piece, error);
        if (status != KZ_OK || !fixed) {
            break;
        }
        uint64_t count = piece->size / input->info->bytes;
        uint64_t passed = count < input->pass ? count : input->pass;
        input->pass -= passed;
        piece->size -= (size_t)passed * input->info->bytes;
        if (passed > 0 && piece->size > 0) {
            memmove(piece->bytes, piece->bytes + passed * input->info->bytes, piece->size);
        }
        count_fixed(input, piece);
    } while (piece->size == 0 && !input->ended);
    if (status != KZ_OK) {
        piece->size = 0;
        input->ended = true;
    }
    return status;
}

kz_status kz_records_fetch(const kz_records_input *input, kz_records_piece *piece, kz_error *error) {
    if (!input->seekable || input->info->bytes == 0) {
        return KZ_OK;
    }
    kz_status status = make_room(&piece->bytes, &piece->room, usual_piece(input), error);
    size_t got = 0;
    if (status == KZ_OK) {
        status = read_bytes(input, 0, piece->offset, piece->bytes, piece->size, &got, error);
    }
    if (status == KZ_OK && got < piece->size) {
        return kz_fail(error, KZ_ERR_IO, "%s became shorter while it was read", input->name);
    }
    return status;
}

void kz_records_free_piece(kz_records_piece *piece) {
    free(piece->bytes);
    *piece = (kz_records_piece){0};
}
