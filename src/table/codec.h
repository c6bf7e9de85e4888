/* SPDX-License-Identifier: MIT
 *
 * Blocks of a table as bytes and back, whichever kind of table it is: what the game knows about a block (game/plan.h)
 * and the table's probabilities, put together. */
#ifndef KZ_TABLE_CODEC_H
#define KZ_TABLE_CODEC_H

#include "base/lock.h"
#include "game/gamedef.h"
#include "table/any_coder.h"
#include "table/coder.h"
#include "table/excerpt.h"
#include "table/run_coder.h"
#include "table/run_views.h"

/* Read-only once it has its probabilities, so any number of threads may use it. */
typedef struct kz_codec {
    const kz_reader_ops *ops;
    void *reader;
    kz_shape shape;
    uint64_t blocks;
    kz_model *losses; /* for tables of losses */
    /* NULL where tables are read only: */
    kz_coder_list *list;
    kz_coder_counting *count;
    /* For tables of all values. */
    kz_run_layout layout;
    kz_run_model *runs;
    kz_run_look_many *look; /* NULL where tables are read only */
    /* For tables of any game, which need no reader. */
    bool of_any;
    kz_any_model *any;
    unsigned entry_bytes; /* of a decoded entry: 1, 2 for tables of any game, 8 for excerpts */
    kz_excerpt *excerpt;  /* NULL: the table has all positions */
} kz_codec;

/* Asks the game; there are no probabilities yet. Close it in any case. */
kz_status kz_codec_open(kz_codec *codec, const kz_game *game, int rules, kz_error *error);
/* The same for a table of any game (version 3), which only reads: table/any_writer.h writes. */
kz_status kz_codec_open_any(kz_codec *codec, const kz_game *game, int rules, kz_error *error);
/* The same for an excerpt of `stored` positions (version 4), which only reads, too. */
kz_status kz_codec_open_excerpt(kz_codec *codec, const kz_game *game, int rules, uint64_t stored, kz_error *error);
void kz_codec_close(kz_codec *codec);
/* For a table of losses (version 1) with blocks of another size. False: there are none of that size. */
bool kz_codec_set_block(kz_codec *codec, uint32_t positions);

/* Probabilities as the bytes of a table's model section (a buffer that the caller frees), and back. */
kz_status kz_codec_pack(const kz_codec *codec, uint8_t **bytes, size_t *size, kz_error *error);
kz_status kz_codec_unpack(kz_codec *codec, const uint8_t *bytes, size_t size, kz_error *error);

/* How many places a block has. */
unsigned kz_codec_places(const kz_codec *codec, uint64_t block);
/* The most bytes that a coded block can take. */
size_t kz_codec_bytes_most(const kz_codec *codec);

/* Memory for one block at a time; with `encodes` also what encoding takes. */
typedef struct kz_codec_memory kz_codec_memory;

/* NULL: no memory. */
kz_codec_memory *kz_codec_memory_new(const kz_codec *codec, bool encodes);
void kz_codec_memory_free(kz_codec_memory *memory);

/* Counts of what coding blocks would use: an array of numbers that can be added up. Several threads may count into
 * one. */
typedef struct kz_tally {
    kz_lock lock;
    uint32_t *counts;
    size_t size;
} kz_tally;

bool kz_tally_open(kz_tally *tally, const kz_codec *codec);
void kz_tally_close(kz_tally *tally);
void kz_tally_add(kz_tally *sum, const kz_tally *more);
/* False: no memory. */
bool kz_codec_learn(kz_codec *codec, const kz_tally *tally);

void kz_codec_count(const kz_codec *codec, kz_codec_memory *memory, uint64_t block, const uint8_t *numbers,
                    kz_tally *tally);
/* Returns how many bytes it wrote; 0 if the numbers are not such as a table of this game can hold. */
size_t kz_codec_encode(const kz_codec *codec, kz_codec_memory *memory, uint64_t block, const uint8_t *numbers,
                       uint8_t *bytes);

/* Two whole blocks of a table of losses that follow each other, which takes less time than one after the other. */
void kz_codec_encode_two(const kz_codec *codec, kz_codec_memory *memory, uint64_t block, const uint8_t *numbers,
                         uint8_t *const bytes[2], size_t sizes[2]);

/* The same for tables of all values whose open runs alone are known (kz_source.read_open); each takes the runs of its
 * block off the list. Counting compares what the source says is won at once with what the rules say; false if that
 * differs. */
bool kz_codec_count_open(const kz_codec *codec, kz_codec_memory *memory, uint64_t block, kz_open_runs *from,
                         kz_tally *tally);
size_t kz_codec_encode_open(const kz_codec *codec, kz_codec_memory *memory, uint64_t block, kz_open_runs *from,
                            uint8_t *bytes);
/* The same for two blocks at once, which takes less time. Both go to `bytes`, one after the other; a size is
 * 0 if the numbers of that block, or of the one before, are not such as a table can hold. */
void kz_codec_encode_open_two(const kz_codec *codec, kz_codec_memory *const memory[2], uint64_t block,
                              kz_open_runs *from, uint8_t *bytes, size_t sizes[2]);

/* False if the bytes are not what an encoder wrote for this block. `numbers` has entry_bytes for each place, and is
 * aligned for them. */
bool kz_codec_decode(const kz_codec *codec, kz_codec_memory *memory, uint64_t block, const uint8_t *bytes, size_t size,
                     uint8_t *numbers);
/* Has a coded block: its bytes, in `room` or elsewhere. False: it can't be had. */
typedef bool kz_get_coded(void *context, uint64_t block, uint8_t *room, const uint8_t **bytes, size_t *size);
/* The same for `count` whole blocks from `first` on, much faster for tables of all values. `order` has their numbers,
 * counted from `first`: in this order they are begun, and it takes least time if large ones come first. `coded_bytes`
 * is the size of a room: as much as the largest block takes. False if a block can't be had or decoded, for other
 * tables, for few blocks, and without memory: then they have to be decoded one by one. */
bool kz_codec_decode_many(const kz_codec *codec, uint64_t first, const uint32_t *order, uint64_t count,
                          size_t coded_bytes, kz_get_coded *get, void *context, uint8_t *numbers);
/* The first `places` of a block of a table of losses: fewer take less time. What comes after is not looked at. */
void kz_codec_decode_some(const kz_codec *codec, kz_codec_memory *memory, uint64_t block, const uint8_t *bytes,
                          size_t size, unsigned places, uint8_t *numbers);

#endif
