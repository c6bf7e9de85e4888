/* SPDX-License-Identifier: MIT
 *
 * Pieces of files that came from web servers, kept on the disk for the next time. A cache never fails: what can't be
 * kept or read is not there. Every piece is a file of its own,
 *
 *     FOLDER/tables/KEY/NUMBER        "KZPIECE1", the number and the size of the piece (64 bits each, little-endian),
 *                                     XXH3 of these and the data, the data
 *
 * which takes its place as a whole, so any number of processes may use one folder. A piece that is damaged is removed.
 * When the folder holds more than it may, the pieces that were not used for the longest time go. */
#ifndef KZ_NET_PIECE_CACHE_H
#define KZ_NET_PIECE_CACHE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct kz_piece_cache kz_piece_cache;

enum { KZ_PIECE_KEY_BYTES = 16 };

/* `most`: bytes that the folder may hold, of all files. NULL: there is no cache; all calls take that. */
kz_piece_cache *kz_piece_cache_open(const char *folder, uint64_t most, const uint8_t key[KZ_PIECE_KEY_BYTES]);
/* Makes room, if too much is there. */
void kz_piece_cache_close(kz_piece_cache *cache);

/* False: it is not there, with this size and a checksum that matches. */
bool kz_piece_cache_get(kz_piece_cache *cache, uint64_t number, uint8_t *data, size_t size);
void kz_piece_cache_put(kz_piece_cache *cache, uint64_t number, const uint8_t *data, size_t size);
void kz_piece_cache_drop(kz_piece_cache *cache, uint64_t number);

#endif
