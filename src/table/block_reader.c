/* SPDX-License-Identifier: MIT */
#include "table/block_reader.h"

#include <stdlib.h>

void kz_block_readers_open(kz_block_readers *readers, const kz_codec *codec, size_t coded_bytes) {
    *readers = (kz_block_readers){.codec = codec, .coded_bytes = coded_bytes};
    kz_lock_open(&readers->lock);
}

static void free_reader(kz_block_reader *reader) {
    kz_codec_memory_free(reader->memory);
    free(reader);
}

void kz_block_readers_close(kz_block_readers *readers) {
    if (readers->codec) {
        kz_lock_close(&readers->lock);
    }
    while (readers->unused) {
        kz_block_reader *next = readers->unused->next;
        free_reader(readers->unused);
        readers->unused = next;
    }
}

/* The two buffers lie behind the struct. */
static kz_block_reader *new_reader(const kz_block_readers *readers) {
    size_t places = (size_t)readers->codec->shape.block * readers->codec->entry_bytes;
    kz_block_reader *reader = malloc(sizeof *reader + places + readers->coded_bytes);
    if (!reader) {
        return NULL;
    }
    *reader =
        (kz_block_reader){.memory = kz_codec_memory_new(readers->codec, false), .numbers = (uint8_t *)(reader + 1)};
    reader->coded = reader->numbers + places;
    if (!reader->memory) {
        free_reader(reader);
        return NULL;
    }
    return reader;
}

kz_block_reader *kz_block_reader_take(kz_block_readers *readers) {
    kz_lock_take(&readers->lock);
    kz_block_reader *reader = readers->unused;
    if (reader) {
        readers->unused = reader->next;
    }
    kz_lock_release(&readers->lock);
    return reader ? reader : new_reader(readers);
}

void kz_block_reader_give_back(kz_block_readers *readers, kz_block_reader *reader) {
    if (reader) {
        kz_lock_take(&readers->lock);
        reader->next = readers->unused;
        readers->unused = reader;
        kz_lock_release(&readers->lock);
    }
}
