/* SPDX-License-Identifier: MIT
 *
 * A frame is a sequence of blocks. A block is raw, one byte over and over, or packed: then it has literals, mostly in a
 * Huffman code, and sequences "so many literals, then so many bytes from so far back", in three FSE codes. */
#include "base/packing.h"

#include "base/zstd_codes.h"

#include <stdlib.h>
#include <string.h>

enum { BLOCK_MOST = 128 << 10, HUFFMAN_BITS = 11, HUFFMAN_SYMBOLS = 256 };

typedef struct huffman_cell {
    uint8_t symbol;
    uint8_t bits;
} huffman_cell;

enum { LITERAL_LENGTHS, OFFSETS, MATCH_LENGTHS, CODES };

typedef struct unpacker {
    /* The content: all there is room for, and how much is there. */
    uint8_t *content;
    size_t room;
    size_t length;
    /* What blocks hand on to the next. */
    fse_table codes[CODES];
    unsigned huffman_bits; /* 0: there is no code yet */
    huffman_cell huffman[1 << HUFFMAN_BITS];
    uint64_t recent[3]; /* offsets */
    uint8_t literals[BLOCK_MOST];
} unpacker;

/* ---- Huffman code ------------------------------------------------------------------------------------------------ */

/* The weight of a symbol: 0 for one that does not occur, else the larger the shorter its code. */
typedef struct weights {
    unsigned count;
    uint8_t of[HUFFMAN_SYMBOLS];
} weights;

/* Two states take turns until the bits are used up. */
static bool read_fse_weights(piece from, weights *w) {
    enum { WEIGHT_BITS = 6, WEIGHT_SYMBOLS = HUFFMAN_BITS + 1 };
    frequencies f;
    fse_table table;
    back_bits b;
    if (!read_frequencies(&from, WEIGHT_BITS, WEIGHT_SYMBOLS, &f)) {
        return false;
    }
    build_table(&f, &table);
    if (!back_open(&b, from)) {
        return false;
    }
    unsigned states[2];
    states[0] = back_read(&b, table.bits);
    states[1] = back_read(&b, table.bits);
    if (b.left < 0) {
        return false;
    }
    unsigned turn = 0;
    while (b.left >= 0 && w->count < HUFFMAN_SYMBOLS - 2) {
        w->of[w->count++] = table.cells[states[turn]].symbol;
        step_state(&table, &b, &states[turn]);
        turn ^= 1;
    }
    w->of[w->count++] = table.cells[states[turn]].symbol;
    return b.left < 0;
}

static bool read_weights(piece *from, weights *w) {
    unsigned head;
    piece coded;
    w->count = 0;
    if (!cut_byte(from, &head)) {
        return false;
    }
    if (head < 128) {
        return cut(from, head, &coded) && read_fse_weights(coded, w);
    }
    unsigned count = head - 127;
    if (!cut(from, (count + 1) / 2, &coded)) {
        return false;
    }
    for (unsigned i = 0; i < count; i++) {
        w->of[w->count++] = i % 2 ? coded.bytes[i / 2] & 15 : coded.bytes[i / 2] >> 4;
    }
    return true;
}

static bool read_huffman(unpacker *u, piece *from) {
    weights w;
    u->huffman_bits = 0;
    if (!read_weights(from, &w)) {
        return false;
    }
    uint32_t sum = 0;
    for (unsigned i = 0; i < w.count; i++) {
        if (w.of[i] > HUFFMAN_BITS) {
            return false;
        }
        sum += w.of[i] ? 1U << (w.of[i] - 1) : 0;
    }
    if (sum == 0) {
        return false;
    }
    /* The last symbol's weight is what is missing to a power of 2. */
    unsigned bits = highest_bit(sum) + 1;
    uint32_t rest = (1U << bits) - sum;
    if (bits > HUFFMAN_BITS || (rest & (rest - 1)) != 0) {
        return false;
    }
    w.of[w.count++] = (uint8_t)(highest_bit(rest) + 1);
    unsigned at = 0;
    for (unsigned weight = 1; weight <= bits; weight++) {
        for (unsigned symbol = 0; symbol < w.count; symbol++) {
            for (unsigned i = 0; w.of[symbol] == weight && i < 1U << (weight - 1); i++) {
                u->huffman[at++] = (huffman_cell){(uint8_t)symbol, (uint8_t)(bits + 1 - weight)};
            }
        }
    }
    u->huffman_bits = bits;
    return true;
}

static bool read_stream(const unpacker *u, piece from, uint8_t *literals, size_t count) {
    back_bits b;
    if (!back_open(&b, from)) {
        return false;
    }
    for (size_t i = 0; i < count && b.left >= 0; i++) {
        huffman_cell cell = u->huffman[back_peek(&b, u->huffman_bits)];
        literals[i] = cell.symbol;
        b.left -= cell.bits;
    }
    return b.left == 0;
}

static bool read_four_streams(const unpacker *u, piece from, uint8_t *literals, size_t count) {
    piece jumps;
    size_t part = (count + 3) / 4;
    if (!cut(&from, 6, &jumps) || 3 * part > count) {
        return false;
    }
    for (unsigned i = 0; i < 4; i++) {
        piece stream = from;
        if (i < 3 && !cut(&from, kz_load_le16(jumps.bytes + (size_t)2 * i), &stream)) {
            return false;
        }
        if (!read_stream(u, stream, literals + i * part, i < 3 ? part : count - 3 * part)) {
            return false;
        }
    }
    return true;
}

/* ---- Literals ---------------------------------------------------------------------------------------------------- */

enum { RAW, REPEATED, PACKED, PACKED_AS_BEFORE };

static bool read_literals(unpacker *u, piece *from, size_t *count) {
    if (from->size == 0) {
        return false;
    }
    unsigned kind = from->bytes[0] & 3;
    unsigned format = from->bytes[0] >> 2 & 3;
    uint64_t head;
    piece coded;
    if (kind == RAW || kind == REPEATED) {
        /* 5, 12 or 20 bits of size. */
        static const uint8_t head_bytes[4] = {1, 2, 1, 3};
        if (!cut_number(from, head_bytes[format], &head)) {
            return false;
        }
        *count = (size_t)(head >> (format % 2 ? 4 : 3));
        if (*count > BLOCK_MOST || !cut(from, kind == RAW ? *count : 1, &coded)) {
            return false;
        }
        if (kind == RAW) {
            memcpy(u->literals, coded.bytes, *count);
        } else {
            memset(u->literals, coded.bytes[0], *count);
        }
        return true;
    }
    /* Two sizes of 10, 14 or 18 bits: unpacked and packed. */
    static const uint8_t head_bytes[4] = {3, 3, 4, 5};
    static const uint8_t size_bits[4] = {10, 10, 14, 18};
    if (!cut_number(from, head_bytes[format], &head)) {
        return false;
    }
    size_t mask = (1U << size_bits[format]) - 1;
    *count = (size_t)(head >> 4) & mask;
    size_t size = (size_t)(head >> (4 + size_bits[format])) & mask;
    if (*count > BLOCK_MOST || !cut(from, size, &coded) || (kind == PACKED && !read_huffman(u, &coded)) ||
        u->huffman_bits == 0) {
        return false;
    }
    return format == 0 ? read_stream(u, coded, u->literals, *count) : read_four_streams(u, coded, u->literals, *count);
}

/* ---- Sequences --------------------------------------------------------------------------------------------------- */

/* A code's symbols stand for a number, plus as many bits as the symbol says. */
typedef struct code_kind {
    unsigned most_bits;
    unsigned symbols;
    frequencies usual;
} code_kind;

static const code_kind code_kinds[CODES] = {
    [LITERAL_LENGTHS] = {9, 36, {6, 36, {4, 3, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 1, 1,  1,  2,  2,
                                         2, 2, 2, 2, 2, 2, 2, 3, 2, 1, 1, 1, 1, 1, -1, -1, -1, -1}}},
    [OFFSETS] = {8, 32, {5, 29, {1, 1, 1, 1, 1, 1, 2, 2, 2, 1,  1,  1,  1,  1, 1,
                                 1, 1, 1, 1, 1, 1, 1, 1, 1, -1, -1, -1, -1, -1}}},
    [MATCH_LENGTHS] = {9, 53, {6, 53, {1, 4, 3, 2, 2, 2, 2, 2, 2, 1, 1,  1,  1,  1,  1,  1,  1, 1,
                                       1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,  1,  1,  1,  1,  1,  1, 1,
                                       1, 1, 1, 1, 1, 1, 1, 1, 1, 1, -1, -1, -1, -1, -1, -1, -1}}},
};

static const uint32_t literal_bases[36] = {0,  1,  2,   3,   4,   5,    6,    7,    8,    9,     10,    11,
                                           12, 13, 14,  15,  16,  18,   20,   22,   24,   28,    32,    40,
                                           48, 64, 128, 256, 512, 1024, 2048, 4096, 8192, 16384, 32768, 65536};
static const uint8_t literal_bits[36] = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,  0,  0,  0,  0,  1,  1,
                                         1, 1, 2, 2, 3, 3, 4, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16};
/* From the symbol 32 on; those before stand for 3 to 34. */
static const uint32_t match_bases[21] = {35,  37,  39,  41,   43,   47,   51,   59,    67,    83,   99,
                                         131, 259, 515, 1027, 2051, 4099, 8195, 16387, 32771, 65539};
static const uint8_t match_bits[21] = {1, 1, 1, 1, 2, 2, 3, 3, 4, 4, 5, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16};

enum { USUAL, ONE_SYMBOL, DESCRIBED, AS_BEFORE };

static bool read_code(piece *from, unsigned mode, const code_kind *kind, fse_table *table) {
    unsigned symbol;
    frequencies f;
    switch (mode) {
    case USUAL:
        build_table(&kind->usual, table);
        return true;
    case ONE_SYMBOL:
        if (!cut_byte(from, &symbol) || symbol >= kind->symbols) {
            return false;
        }
        table->bits = 0;
        table->known = true;
        table->cells[0] = (fse_cell){(uint8_t)symbol, 0, 0};
        return true;
    case DESCRIBED:
        if (!read_frequencies(from, kind->most_bits, kind->symbols, &f)) {
            return false;
        }
        build_table(&f, table);
        return true;
    default:
        return table->known;
    }
}

typedef struct sequence {
    size_t literals;
    size_t match;
    uint64_t offset;
} sequence;

/* Small numbers mean one of the recent offsets; a real one becomes the most recent. */
static uint64_t settle_offset(uint64_t recent[3], uint64_t number, bool no_literals) {
    uint64_t offset = number - 3;
    unsigned used = 3; /* which of the recent ones it replaces */
    if (number <= 3) {
        used = (unsigned)number - 1 + no_literals;
        offset = used < 3 ? recent[used] : recent[0] - 1;
    }
    if (used >= 2) {
        recent[2] = recent[1];
    }
    if (used >= 1) {
        recent[1] = recent[0];
    }
    recent[0] = offset;
    return offset;
}

static sequence read_sequence(unpacker *u, back_bits *b, const unsigned states[CODES]) {
    unsigned literal = u->codes[LITERAL_LENGTHS].cells[states[LITERAL_LENGTHS]].symbol;
    unsigned offset = u->codes[OFFSETS].cells[states[OFFSETS]].symbol;
    unsigned match = u->codes[MATCH_LENGTHS].cells[states[MATCH_LENGTHS]].symbol;
    sequence s;
    uint64_t number = (1ULL << offset) + back_read(b, offset);
    s.match = match < 32 ? match + 3 : match_bases[match - 32] + back_read(b, match_bits[match - 32]);
    s.literals = literal_bases[literal] + back_read(b, literal_bits[literal]);
    s.offset = settle_offset(u->recent, number, s.literals == 0);
    return s;
}

static bool append_literals(unpacker *u, const uint8_t *literals, size_t count) {
    if (count > u->room - u->length) {
        return false;
    }
    memcpy(u->content + u->length, literals, count);
    u->length += count;
    return true;
}

static bool append_match(unpacker *u, uint64_t offset, size_t count) {
    if (offset == 0 || offset > u->length || count > u->room - u->length) {
        return false;
    }
    uint8_t *to = u->content + u->length;
    for (size_t i = 0; i < count; i++) { /* byte by byte: it may reach into what it writes */
        to[i] = to[(ptrdiff_t)i - (ptrdiff_t)offset];
    }
    u->length += count;
    return true;
}

static bool read_sequence_count(piece *from, unsigned *count) {
    unsigned more = 0;
    unsigned high = 0;
    if (!cut_byte(from, count)) {
        return false;
    }
    if (*count < 128) {
        return true;
    }
    if (!cut_byte(from, &more)) {
        return false;
    }
    if (*count < 255) {
        *count = ((*count - 128) << 8) + more;
        return true;
    }
    bool there = cut_byte(from, &high);
    *count = more + (high << 8) + 0x7F00;
    return there;
}

static bool run_sequences(unpacker *u, piece from, unsigned count, size_t *used, size_t literals) {
    back_bits b;
    unsigned states[CODES];
    if (!back_open(&b, from)) {
        return false;
    }
    for (int code = 0; code < CODES; code++) {
        states[code] = back_read(&b, u->codes[code].bits);
    }
    for (unsigned i = 0; i < count; i++) {
        sequence s = read_sequence(u, &b, states);
        if (b.left < 0 || s.literals > literals - *used || !append_literals(u, u->literals + *used, s.literals) ||
            !append_match(u, s.offset, s.match)) {
            return false;
        }
        *used += s.literals;
        if (i + 1 < count) {
            step_state(&u->codes[LITERAL_LENGTHS], &b, &states[LITERAL_LENGTHS]);
            step_state(&u->codes[MATCH_LENGTHS], &b, &states[MATCH_LENGTHS]);
            step_state(&u->codes[OFFSETS], &b, &states[OFFSETS]);
        }
    }
    return b.left == 0;
}

static bool unpack_block(unpacker *u, piece from) {
    size_t literals = 0;
    size_t used = 0;
    unsigned count;
    if (!read_literals(u, &from, &literals) || !read_sequence_count(&from, &count)) {
        return false;
    }
    if (count > 0) {
        unsigned modes;
        if (!cut_byte(&from, &modes) || (modes & 3) != 0 ||
            !read_code(&from, modes >> 6 & 3, &code_kinds[LITERAL_LENGTHS], &u->codes[LITERAL_LENGTHS]) ||
            !read_code(&from, modes >> 4 & 3, &code_kinds[OFFSETS], &u->codes[OFFSETS]) ||
            !read_code(&from, modes >> 2 & 3, &code_kinds[MATCH_LENGTHS], &u->codes[MATCH_LENGTHS]) ||
            !run_sequences(u, from, count, &used, literals)) {
            return false;
        }
    } else if (from.size != 0) {
        return false;
    }
    return append_literals(u, u->literals + used, literals - used);
}

/* ---- Frames ------------------------------------------------------------------------------------------------------ */

static bool read_frame_head(piece *from, bool *has_check, uint64_t *content_size) {
    uint64_t magic;
    unsigned head;
    unsigned window;
    if (!cut_number(from, 4, &magic) || magic != 0xFD2FB528 || !cut_byte(from, &head)) {
        return false;
    }
    bool single = head >> 5 & 1;
    *has_check = head >> 2 & 1;
    if ((head & 3) != 0 || (head >> 3 & 1) != 0 || (!single && !cut_byte(from, &window))) {
        return false; /* a dictionary, or a bit that means nothing yet */
    }
    unsigned size_kind = head >> 6;
    if (size_kind == 0 && !single) {
        return false; /* states no size */
    }
    bool there = cut_number(from, (size_t)1 << size_kind, content_size);
    *content_size += size_kind == 1 ? 256 : 0;
    return there;
}

static bool unpack_blocks(unpacker *u, piece *from) {
    bool last = false;
    while (!last) {
        uint64_t head;
        piece body;
        if (!cut_number(from, 3, &head)) {
            return false;
        }
        last = head & 1;
        unsigned kind = head >> 1 & 3;
        size_t size = (size_t)(head >> 3);
        if (size > BLOCK_MOST || !cut(from, kind == REPEATED ? 1 : size, &body)) {
            return false;
        }
        bool fine = false;
        if (kind == RAW) {
            fine = append_literals(u, body.bytes, size);
        } else if (kind == REPEATED && size <= u->room - u->length) {
            memset(u->content + u->length, body.bytes[0], size);
            u->length += size;
            fine = true;
        } else if (kind == PACKED) {
            fine = unpack_block(u, body);
        }
        if (!fine) {
            return false;
        }
    }
    return true;
}

bool kz_unzstd_size(const uint8_t *frame, size_t size, uint64_t *content_size) {
    piece from = {frame, size};
    bool has_check;
    return read_frame_head(&from, &has_check, content_size);
}

bool kz_unzstd(const uint8_t *frame, size_t size, uint8_t *content, size_t content_size) {
    piece from = {frame, size};
    bool has_check;
    uint64_t stated;
    if (!read_frame_head(&from, &has_check, &stated) || stated != content_size) {
        return false;
    }
    unpacker *u = calloc(1, sizeof *u);
    if (!u) {
        return false;
    }
    u->content = content;
    u->room = content_size;
    u->recent[0] = 1;
    u->recent[1] = 4;
    u->recent[2] = 8;
    bool fine = unpack_blocks(u, &from) && u->length == content_size && from.size == (has_check ? 4U : 0U);
    free(u);
    return fine;
}
