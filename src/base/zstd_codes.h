/* SPDX-License-Identifier: MIT
 *
 * What unzstd.c reads from: pieces of bytes, bits from the end to the beginning, and FSE codes (finite states; a state
 * knows its symbol and how many bits lead to the next state). */
#ifndef KZ_BASE_ZSTD_CODES_H
#define KZ_BASE_ZSTD_CODES_H

#include "base/bits.h"

#include <stddef.h>

enum { FSE_BITS = 9, FSE_SYMBOLS = 64 };

typedef struct fse_cell {
    uint8_t symbol;
    uint8_t bits;
    uint16_t base;
} fse_cell;

typedef struct fse_table {
    unsigned bits; /* the table has 1 << bits cells */
    bool known;
    fse_cell cells[1 << FSE_BITS];
} fse_table;

static inline unsigned highest_bit(uint32_t bits) { return 31U - (unsigned)__builtin_clz(bits); }

/* ---- Bytes and bits ---------------------------------------------------------------------------------------------- */

/* Bytes that are yet to be read. */
typedef struct piece {
    const uint8_t *bytes;
    size_t size;
} piece;

/* Cuts off the first `size` bytes; false if there are not so many. */
static inline bool cut(piece *from, size_t size, piece *head) {
    if (size > from->size) {
        return false;
    }
    *head = (piece){from->bytes, size};
    *from = (piece){from->bytes + size, from->size - size};
    return true;
}

static inline bool cut_byte(piece *from, unsigned *byte) {
    piece head;
    bool there = cut(from, 1, &head);
    *byte = there ? head.bytes[0] : 0;
    return there;
}

/* A number of `size` bytes, 8 at most. */
static inline bool cut_number(piece *from, size_t size, uint64_t *number) {
    piece head;
    if (!cut(from, size, &head)) {
        return false;
    }
    *number = 0;
    for (size_t i = 0; i < size; i++) {
        *number |= (uint64_t)head.bytes[i] << 8 * i;
    }
    return true;
}

/* Bits that are read from the end to the beginning; `left` of them are still there. It may get negative: bits before
 * the beginning are 0, and whoever cares looks at the end. */
typedef struct back_bits {
    const uint8_t *bytes;
    size_t size;
    int64_t left;
} back_bits;

/* The highest bit set in the last byte says where the bits end. */
static inline bool back_open(back_bits *b, piece from) {
    if (from.size == 0 || from.bytes[from.size - 1] == 0) {
        return false;
    }
    *b = (back_bits){from.bytes, from.size, (int64_t)(from.size - 1) * 8 + highest_bit(from.bytes[from.size - 1])};
    return true;
}

/* The next `count` bits (32 at most), which stay where they are. */
static inline uint32_t back_peek(const back_bits *b, unsigned count) {
    int64_t at = b->left - (int64_t)count;
    unsigned missing = at < 0 ? (unsigned)-at : 0;
    if (missing >= count) {
        return 0;
    }
    size_t byte = at < 0 ? 0 : (size_t)at / 8;
    uint64_t window = 0;
    if (b->size - byte >= 8) {
        window = kz_load_le64(b->bytes + byte);
    } else {
        for (size_t i = 0; byte + i < b->size; i++) {
            window |= (uint64_t)b->bytes[byte + i] << 8 * i;
        }
    }
    window >>= at < 0 ? 0 : at % 8;
    window &= (1ULL << (count - missing)) - 1;
    return (uint32_t)(window << missing);
}

static inline uint32_t back_read(back_bits *b, unsigned count) {
    uint32_t bits = back_peek(b, count);
    b->left -= count;
    return bits;
}

/* ---- FSE codes --------------------------------------------------------------------------------------------------- */

/* How often each symbol occurs, in 1 << bits; -1: less than once. */
typedef struct frequencies {
    unsigned bits;
    unsigned count;
    int16_t of[FSE_SYMBOLS];
} frequencies;

/* Reads bits from the beginning on; those past the end are 0. */
static inline uint32_t front_bits(piece from, size_t at, unsigned count) {
    uint32_t bits = 0;
    for (unsigned i = 0; i < count; i++) {
        size_t bit = at + i;
        bits |= bit / 8 < from.size ? (uint32_t)(from.bytes[bit / 8] >> bit % 8 & 1) << i : 0;
    }
    return bits;
}

static inline bool read_frequencies(piece *from, unsigned most_bits, unsigned most_symbols, frequencies *f) {
    size_t at = 4;
    f->bits = front_bits(*from, 0, 4) + 5;
    f->count = 0;
    if (f->bits > most_bits) {
        return false;
    }
    int left = 1 << f->bits;
    while (left > 0 && f->count < most_symbols) {
        /* A number of 0 to left + 1: those that are small enough take one bit less. */
        unsigned width = highest_bit((uint32_t)left + 1) + 1;
        uint32_t low = (1U << (width - 1)) - 1;
        uint32_t short_ones = (1U << width) - 1 - ((uint32_t)left + 1);
        uint32_t number = front_bits(*from, at, width);
        if ((number & low) < short_ones) {
            number &= low;
            at += width - 1;
        } else {
            number -= number > low ? short_ones : 0;
            at += width;
        }
        int frequency = (int)number - 1;
        f->of[f->count++] = (int16_t)frequency;
        left -= frequency < 0 ? 1 : frequency;
        unsigned zeros = frequency == 0 ? 3 : 0; /* how many more symbols have none; 3: and that is not all */
        while (zeros == 3) {
            zeros = front_bits(*from, at, 2);
            at += 2;
            for (unsigned i = 0; i < zeros && f->count < most_symbols; i++) {
                f->of[f->count++] = 0;
            }
            if (at / 8 > from->size) {
                return false;
            }
        }
    }
    piece head;
    return left == 0 && cut(from, (at + 7) / 8, &head);
}

static inline void build_table(const frequencies *f, fse_table *table) {
    unsigned size = 1U << f->bits;
    unsigned end = size;
    unsigned next[FSE_SYMBOLS] = {0};
    for (unsigned symbol = 0; symbol < f->count; symbol++) {
        next[symbol] = f->of[symbol] < 0 ? 1 : (unsigned)f->of[symbol];
        if (f->of[symbol] < 0) {
            table->cells[--end].symbol = (uint8_t)symbol;
        }
    }
    unsigned step = (size >> 1) + (size >> 3) + 3;
    unsigned at = 0;
    for (unsigned symbol = 0; symbol < f->count; symbol++) {
        for (int i = 0; i < f->of[symbol]; i++) {
            table->cells[at].symbol = (uint8_t)symbol;
            do {
                at = (at + step) & (size - 1);
            } while (at >= end);
        }
    }
    for (unsigned i = 0; i < size; i++) {
        fse_cell *cell = &table->cells[i];
        unsigned state = next[cell->symbol]++;
        cell->bits = (uint8_t)(f->bits - highest_bit(state));
        cell->base = (uint16_t)((state << cell->bits) - size);
    }
    table->bits = f->bits;
    table->known = true;
}

static inline void step_state(const fse_table *table, back_bits *b, unsigned *state) {
    fse_cell cell = table->cells[*state];
    *state = cell.base + back_read(b, cell.bits);
}

#endif
