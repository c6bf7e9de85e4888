/* SPDX-License-Identifier: MIT
 *
 * Memory for reading the blocks of a table. A thread takes a block reader, reads with it and gives it back. The readers
 * that nobody uses are kept, so a lookup allocates memory only while more threads read at the same time than ever
 * before. */
#ifndef KZ_TABLE_BLOCK_READER_H
#define KZ_TABLE_BLOCK_READER_H

#include "base/lock.h"
#include "table/codec.h"

typedef struct kz_block_reader {
    struct kz_block_reader *next; /* of those that nobody uses */
    kz_codec_memory *memory;
    uint8_t *numbers; /* room for the numbers of a block */
    uint8_t *coded;   /* room for the bytes of the largest block, copied from the file */
} kz_block_reader;

typedef struct kz_block_readers {
    kz_lock lock;
    const kz_codec *codec;
    size_t coded_bytes; /* of the largest block */
    kz_block_reader *unused;
} kz_block_readers;

/* The codec must have its shape, and outlive the readers. */
void kz_block_readers_open(kz_block_readers *readers, const kz_codec *codec, size_t coded_bytes);
/* Frees all readers; each must have been given back. */
void kz_block_readers_close(kz_block_readers *readers);

/* From any thread. NULL: no memory. */
kz_block_reader *kz_block_reader_take(kz_block_readers *readers);
/* NULL does nothing. */
void kz_block_reader_give_back(kz_block_readers *readers, kz_block_reader *reader);

#endif
