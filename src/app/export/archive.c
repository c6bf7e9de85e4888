/* SPDX-License-Identifier: MIT */
#include "app/export/archive.h"

#include "base/error.h"

#include <string.h>

/* ---- tar --------------------------------------------------------------------------------------------------------- */

/* Octal digits, filled up with zeros, and the NUL that is there already. */
static void put_octal(uint8_t *field, unsigned digits, uint64_t number) {
    for (unsigned i = digits; i-- > 0; number /= 8) {
        field[i] = (uint8_t)('0' + number % 8);
    }
}

void kz_tar_header(const char *name, uint64_t size, uint8_t header[KZ_TAR_BLOCK]) {
    enum { MODE = 100, USER = 108, GROUP = 116, SIZE = 124, TIME = 136, SUM = 148, KIND = 156, MAGIC = 257 };
    size_t length = strnlen(name, KZ_TAR_NAME_BYTES - 1);
    bool folder = length > 0 && name[length - 1] == '/';
    memset(header, 0, KZ_TAR_BLOCK);
    memcpy(header, name, length);
    put_octal(header + MODE, 7, folder ? 0755 : 0644);
    put_octal(header + USER, 7, 0);
    put_octal(header + GROUP, 7, 0);
    put_octal(header + SIZE, 11, size);
    put_octal(header + TIME, 11, 0);
    header[KIND] = folder ? '5' : '0';
    memcpy(header + MAGIC, "ustar\00000", 8);
    /* The sum of all bytes, those of the sum itself taken as spaces. */
    unsigned sum = 8 * ' ';
    for (unsigned i = 0; i < KZ_TAR_BLOCK; i++) {
        sum += header[i];
    }
    put_octal(header + SUM, 6, sum);
    header[SUM + 7] = ' ';
}

/* ---- xz ---------------------------------------------------------------------------------------------------------- */

bool kz_xz_is(const kz_mapping *file) {
    static const uint8_t magic[] = {0xfd, '7', 'z', 'X', 'Z', 0};
    return file->size >= sizeof magic && memcmp(file->data, magic, sizeof magic) == 0;
}

#ifndef KANZEN_LZMA

kz_status kz_xz_read(const kz_mapping *file, const char *name, size_t size, const kz_progress *progress, uint8_t **data,
                     kz_error *error) {
    (void)file;
    (void)size;
    (void)progress;
    *data = NULL;
    return kz_fail(error, KZ_ERR_UNSUPPORTED, "%s is packed, and this was built without liblzma: unpack it (xz -dk)",
                   name);
}

#else

#include <lzma.h>
#include <stdlib.h>

/* Input is handed over in parts, so that the progress can be told between them. */
enum { PART = 1 << 16 };
static const uint64_t memory_limit = UINT64_C(1) << 28;

static kz_status told(const kz_progress *progress, const kz_mapping *file, size_t left, kz_error *error) {
    if (progress && progress->report && !progress->report(progress->user, "unpacking", file->size - left, file->size)) {
        return kz_fail(error, KZ_ERR_CANCELLED, "interrupted");
    }
    return KZ_OK;
}

/* One more byte of room than there ought to be shows what is too long. */
static kz_status unpack(lzma_stream *stream, const kz_mapping *file, const char *name, size_t size,
                        const kz_progress *progress, kz_error *error) {
    size_t left = file->size;
    lzma_ret result = LZMA_OK;
    kz_status status = KZ_OK;
    stream->next_in = file->data;
    while (result == LZMA_OK && status == KZ_OK && stream->avail_out > 0) {
        if (stream->avail_in == 0) {
            status = told(progress, file, left, error);
            stream->avail_in = left < PART ? left : PART;
            left -= stream->avail_in;
        }
        result = lzma_code(stream, left == 0 ? LZMA_FINISH : LZMA_RUN);
    }
    if (status != KZ_OK) {
        return status;
    }
    if (result == LZMA_MEM_ERROR || result == LZMA_MEMLIMIT_ERROR) {
        return kz_fail(error, KZ_ERR_MEMORY, "no memory to unpack %s", name);
    }
    if (stream->avail_out == 0) {
        return kz_fail(error, KZ_ERR_CORRUPT, "%s has more than %zu bytes when unpacked", name, size);
    }
    if (result != LZMA_STREAM_END || left > 0 || stream->avail_in > 0) {
        return kz_fail(error, KZ_ERR_CORRUPT, "%s is damaged: it can't be unpacked", name);
    }
    if (stream->total_out != size) {
        return kz_fail(error, KZ_ERR_CORRUPT, "%s has %llu bytes when unpacked, and not %zu", name,
                       (unsigned long long)stream->total_out, size);
    }
    return KZ_OK;
}

kz_status kz_xz_read(const kz_mapping *file, const char *name, size_t size, const kz_progress *progress, uint8_t **data,
                     kz_error *error) {
    lzma_stream stream = LZMA_STREAM_INIT;
    *data = malloc(size + 1);
    if (!*data || lzma_stream_decoder(&stream, memory_limit, 0) != LZMA_OK) {
        free(*data);
        *data = NULL;
        return kz_fail(error, KZ_ERR_MEMORY, "no memory to unpack %s", name);
    }
    stream.next_out = *data;
    stream.avail_out = size + 1;
    kz_status status = unpack(&stream, file, name, size, progress, error);
    lzma_end(&stream);
    if (status != KZ_OK) {
        free(*data);
        *data = NULL;
    }
    return status;
}

#endif
