/* SPDX-License-Identifier: MIT */
#include "app/picture/canvas.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

typedef struct output {
    uint8_t *bytes;
    size_t length;
    size_t room;
    bool failed;
    uint32_t bits; /* that have not made a byte yet */
    int bit_count;
} output;

static void put(output *out, uint8_t byte) {
    if (out->length == out->room && !out->failed) {
        size_t room = out->room ? 2 * out->room : 1 << 15;
        uint8_t *bytes = realloc(out->bytes, room);
        out->failed = !bytes;
        out->bytes = bytes ? bytes : out->bytes;
        out->room = bytes ? room : out->room;
    }
    if (!out->failed) {
        out->bytes[out->length++] = byte;
    }
}

static void put_bytes(output *out, const char *bytes, size_t count) {
    for (size_t i = 0; i < count; i++) {
        put(out, (uint8_t)bytes[i]);
    }
}

static void put_number(output *out, uint32_t number) {
    for (int shift = 24; shift >= 0; shift -= 8) {
        put(out, (uint8_t)(number >> shift));
    }
}

/* ---- Deflate --------------------------------------------------------------------------------------------------- */

/* The lowest bit first. */
static void put_bits(output *out, uint32_t bits, int count) {
    out->bits |= bits << out->bit_count;
    for (out->bit_count += count; out->bit_count >= 8; out->bit_count -= 8) {
        put(out, (uint8_t)out->bits);
        out->bits >>= 8;
    }
}

/* Codes go out with their highest bit first. */
static void put_code(output *out, uint32_t code, int count) {
    for (int i = count - 1; i >= 0; i--) {
        put_bits(out, code >> i & 1, 1);
    }
}

/* A byte, the end of the block (256) or a length (257 and up), in the fixed code. */
static void put_symbol(output *out, uint32_t symbol) {
    if (symbol < 144) {
        put_code(out, 0x30 + symbol, 8);
    } else if (symbol < 256) {
        put_code(out, 0x190 + symbol - 144, 9);
    } else if (symbol < 280) {
        put_code(out, symbol - 256, 7);
    } else {
        put_code(out, 0xc0 + symbol - 280, 8);
    }
}

enum { SHORTEST = 3, LONGEST = 258 };

/* Lengths 3 to 10 have a symbol each; from 11 on, four symbols share each number of further bits. */
static void put_length(output *out, uint32_t length) {
    uint32_t above = length - SHORTEST;
    if (length == LONGEST) {
        put_symbol(out, 285);
    } else if (above < 8) {
        put_symbol(out, 257 + above);
    } else {
        int extra = 1;
        while (above >> (extra + 3) > 0) {
            extra++;
        }
        put_symbol(out, 257 + 4 * (uint32_t)extra + (above >> extra));
        put_bits(out, above & ((1U << extra) - 1), extra);
    }
}

/* Distances 1 to 4 have a symbol each; from 5 on, two symbols share each number of further bits. */
static void put_distance(output *out, uint32_t distance) {
    uint32_t above = distance - 1;
    if (above < 4) {
        put_code(out, above, 5);
    } else {
        int extra = 1;
        while (above >> (extra + 2) > 0) {
            extra++;
        }
        put_code(out, 2 * (uint32_t)extra + (above >> extra), 5);
        put_bits(out, above & ((1U << extra) - 1), extra);
    }
}

/* How many bytes at `at` are the same as those `back` bytes before. */
static uint32_t repeated(const uint8_t *bytes, size_t size, size_t at, size_t back) {
    uint32_t length = 0;
    while (back <= at && length < LONGEST && at + length < size && bytes[at + length] == bytes[at + length - back]) {
        length++;
    }
    return length;
}

static void deflate(output *out, const uint8_t *bytes, size_t size, size_t row) {
    enum { PIXEL = 3, FARTHEST = 32768 };
    put_bits(out, 3, 3); /* the last block, with the fixed code */
    for (size_t at = 0; at < size;) {
        size_t back = PIXEL;
        uint32_t length = repeated(bytes, size, at, back);
        uint32_t above = row <= FARTHEST && length < LONGEST ? repeated(bytes, size, at, row) : 0;
        if (above > length) {
            length = above;
            back = row;
        }
        if (length >= SHORTEST) {
            put_length(out, length);
            put_distance(out, (uint32_t)back);
            at += length;
        } else {
            put_symbol(out, bytes[at++]); /* NOLINT(clang-analyzer-core.CallAndMessage): all of them are set */
        }
    }
    put_symbol(out, 256);
    put_bits(out, 0, 7); /* the rest of the last byte */
    out->bits = 0;
    out->bit_count = 0;
}

static uint32_t adler32(const uint8_t *bytes, size_t size) {
    uint32_t low = 1, high = 0;
    for (size_t i = 0; i < size; i++) {
        low = (low + bytes[i]) % 65521;
        high = (high + low) % 65521;
    }
    return high << 16 | low;
}

/* ---- PNG ------------------------------------------------------------------------------------------------------- */

static uint32_t crc32(const uint8_t *bytes, size_t size) {
    uint32_t crc = UINT32_MAX;
    for (size_t i = 0; i < size; i++) {
        crc ^= bytes[i];
        for (int bit = 0; bit < 8; bit++) {
            crc = crc >> 1 ^ (crc & 1 ? 0xedb88320 : 0);
        }
    }
    return ~crc;
}

/* A chunk has its length before its name. `end_chunk` writes that, and the checksum of name and content. */
static size_t begin_chunk(output *out, const char name[4]) {
    put_number(out, 0);
    put_bytes(out, name, 4);
    return out->length - 4;
}

static void end_chunk(output *out, size_t begin) {
    if (!out->failed) {
        uint32_t length = (uint32_t)(out->length - begin - 4);
        for (int i = 0; i < 4; i++) {
            out->bytes[begin - 4 + (size_t)i] = (uint8_t)(length >> (24 - 8 * i));
        }
        put_number(out, crc32(out->bytes + begin, out->length - begin));
    }
}

/* The pixels with a byte before each row that says that the row is not filtered. */
static uint8_t *with_filters(const uint8_t *pixels, size_t row, int height) {
    uint8_t *bytes = malloc((row + 1) * (size_t)height);
    for (int y = 0; bytes && y < height; y++) {
        bytes[(size_t)y * (row + 1)] = 0;
        memcpy(bytes + (size_t)y * (row + 1) + 1, pixels + (size_t)y * row, row);
    }
    return bytes;
}

char *kz_png(const kz_canvas *canvas, size_t *size) {
    static const char signature[8] = "\x89PNG\r\n\x1a\n", depth_and_kind[5] = {8, 2, 0, 0, 0};
    size_t row = 3 * (size_t)canvas->width;
    size_t whole = (row + 1) * (size_t)canvas->height;
    uint8_t *bytes = with_filters(canvas->pixels, row, canvas->height);
    if (!bytes) {
        return NULL;
    }
    output out = {.bytes = NULL};
    put_bytes(&out, signature, sizeof signature);
    size_t chunk = begin_chunk(&out, "IHDR");
    put_number(&out, (uint32_t)canvas->width);
    put_number(&out, (uint32_t)canvas->height);
    put_bytes(&out, depth_and_kind, sizeof depth_and_kind);
    end_chunk(&out, chunk);
    chunk = begin_chunk(&out, "IDAT");
    put(&out, 0x78); /* deflate with a window of 32 KiB; the next byte makes the two a multiple of 31 */
    put(&out, 0x01);
    deflate(&out, bytes, whole, row + 1);
    put_number(&out, adler32(bytes, whole));
    end_chunk(&out, chunk);
    end_chunk(&out, begin_chunk(&out, "IEND"));
    free(bytes);
    if (out.failed) {
        free(out.bytes);
        return NULL;
    }
    *size = out.length;
    return (char *)out.bytes;
}
