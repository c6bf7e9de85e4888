/* SPDX-License-Identifier: MIT
 *
 * A record in a partition: 40 bytes.
 *
 *     0   the position in sspfx, which is the same for the same position whatever it was read from
 *     32  the move, in the dialect of YaneuraOu
 *     34  the score       36  the ply       38  the extra byte of psv
 *     39  bits 0-2: there is a score, a move, a ply; bits 3-4: the result; bits 5-7: how the game ended
 *
 * Where nothing counts as a duplicate, two bytes follow: how many records of the run came since the last one of this
 * partition. So the number of the record in the run is known, and with it the random number that is its place. */
#ifndef KZ_PIPELINE_ITEM_H
#define KZ_PIPELINE_ITEM_H

#include "base/bits.h"
#include "base/hash.h"

#define XXH_INLINE_ALL
#include <kanzen/shogi_pipeline.h>
#include <xxhash.h>

/* kz_hash64_seeded of a few bytes: where the size is known, what is left of it is a few multiplications. */
static inline uint64_t kz_hash64_short(const void *data, size_t size, uint64_t seed) {
    return XXH3_64bits_withSeed(data, size, seed);
}

enum {
    KZ_ITEM_BYTES = 40,
    KZ_ITEM_GAP_BYTES = 2,
    KZ_ITEM_MOST_GAP = UINT16_MAX,
    KZ_ITEM_MOVE_AT = 32,
    KZ_ITEM_SCORE_AT = 34,
    KZ_ITEM_PLY_AT = 36,
    KZ_ITEM_EXTRA_AT = 38,
    KZ_ITEM_FLAGS_AT = 39
};

enum {
    KZ_ITEM_SCORED = 1,
    KZ_ITEM_MOVED = 2,
    KZ_ITEM_PLIED = 4,
    KZ_ITEM_RESULT_SHIFT = 3, /* 0 none, 1 lost, 2 drawn, 3 won */
    KZ_ITEM_RESULT = 3 << KZ_ITEM_RESULT_SHIFT,
    KZ_ITEM_ENDING_SHIFT = 5,
    /* An ending without a result means that the item is no record. */
    KZ_ITEM_REFERENCE = 7 << KZ_ITEM_ENDING_SHIFT, /* the position of a reference */
    KZ_ITEM_FILLER = 6 << KZ_ITEM_ENDING_SHIFT     /* nothing but a gap */
};

/* Everything after the position. */
static inline void kz_item_put_note(uint8_t *item, const kz_shogi_note *note) {
    unsigned flags = ((note->has & KZ_SHOGI_HAS_SCORE) != 0 ? KZ_ITEM_SCORED : 0U) |
                     ((note->has & KZ_SHOGI_HAS_MOVE) != 0 ? KZ_ITEM_MOVED : 0U) |
                     ((note->has & KZ_SHOGI_HAS_PLY) != 0 ? KZ_ITEM_PLIED : 0U);
    if ((note->has & KZ_SHOGI_HAS_RESULT) != 0) {
        flags |= (unsigned)(note->result + 2) << KZ_ITEM_RESULT_SHIFT;
        flags |= (note->has & KZ_SHOGI_HAS_ENDING) != 0 ? (unsigned)(note->ending & 7) << KZ_ITEM_ENDING_SHIFT : 0;
    }
    bool moves = (note->has & KZ_SHOGI_HAS_MOVE) != 0;
    kz_store_le16(item + KZ_ITEM_MOVE_AT, moves ? kz_shogi_write_move(KZ_SHOGI_YANEURAOU, note->move) : 0);
    kz_store_le16(item + KZ_ITEM_SCORE_AT, flags & KZ_ITEM_SCORED ? (uint16_t)note->score : 0);
    kz_store_le16(item + KZ_ITEM_PLY_AT, flags & KZ_ITEM_PLIED ? note->ply : 0);
    item[KZ_ITEM_EXTRA_AT] = (note->has & KZ_SHOGI_HAS_EXTRA) != 0 ? note->extra : 0;
    item[KZ_ITEM_FLAGS_AT] = (uint8_t)flags;
}

static inline kz_shogi_note kz_item_note(const uint8_t *item) {
    unsigned flags = item[KZ_ITEM_FLAGS_AT];
    unsigned result = flags >> KZ_ITEM_RESULT_SHIFT & 3;
    kz_shogi_note note = {
        .score = (int16_t)kz_load_le16(item + KZ_ITEM_SCORE_AT),
        .ply = kz_load_le16(item + KZ_ITEM_PLY_AT),
        .move = {.special = KZ_SHOGI_NONE},
        .extra = item[KZ_ITEM_EXTRA_AT],
        .has = KZ_SHOGI_HAS_EXTRA,
    };
    note.has |= (flags & KZ_ITEM_SCORED) != 0 ? KZ_SHOGI_HAS_SCORE : 0;
    note.has |= (flags & KZ_ITEM_PLIED) != 0 ? KZ_SHOGI_HAS_PLY : 0;
    if ((flags & KZ_ITEM_MOVED) != 0) {
        note.has |= KZ_SHOGI_HAS_MOVE;
        (void)kz_shogi_read_move(KZ_SHOGI_YANEURAOU, kz_load_le16(item + KZ_ITEM_MOVE_AT), &note.move);
    }
    if (result != 0) {
        note.result = (int8_t)((int)result - 2);
        note.ending = (uint8_t)(flags >> KZ_ITEM_ENDING_SHIFT);
        note.has |= KZ_SHOGI_HAS_RESULT | KZ_SHOGI_HAS_ENDING;
    }
    return note;
}

static inline bool kz_item_is_reference(const uint8_t *item) { return item[KZ_ITEM_FLAGS_AT] == KZ_ITEM_REFERENCE; }
static inline bool kz_item_is_filler(const uint8_t *item) { return item[KZ_ITEM_FLAGS_AT] == KZ_ITEM_FILLER; }

/* The same for a record of psv or sspv with moves in the dialect of YaneuraOu, without a detour: all but the position.
 * The record has no defect. */
static inline void kz_item_put_psv(uint8_t *item, const uint8_t *record) {
    uint64_t tail = kz_load_le64(record + KZ_ITEM_MOVE_AT); /* score, move, ply, result, extra */
    unsigned result = ((unsigned)(tail >> 48) + 2) & 3;
    unsigned flags = KZ_ITEM_SCORED | KZ_ITEM_MOVED | KZ_ITEM_PLIED | result << KZ_ITEM_RESULT_SHIFT;
    kz_store_le64(item + KZ_ITEM_MOVE_AT, (tail >> 16 & 0xFFFF) | (tail & 0xFFFF) << 16 |
                                              (tail & UINT64_C(0xFFFF00000000)) | tail >> 56 << 48 |
                                              (uint64_t)flags << 56);
}

/* And back. What the item does not have is 0 in it, and in the record. */
static inline void kz_item_write_psv(const uint8_t *item, uint8_t *record) {
    uint64_t tail = kz_load_le64(item + KZ_ITEM_MOVE_AT); /* move, score, ply, extra, flags */
    unsigned found = (unsigned)(tail >> (56 + KZ_ITEM_RESULT_SHIFT)) & 3;
    uint8_t result = (uint8_t)(found != 0 ? found - 2 : 0);
    kz_store_le64(record + KZ_ITEM_MOVE_AT, (tail >> 16 & 0xFFFF) | (tail & 0xFFFF) << 16 |
                                                (tail & UINT64_C(0xFFFF00000000)) | (uint64_t)result << 48 |
                                                tail >> 48 << 56);
}

/* The bytes of an item that duplicates have in common. */
static inline size_t kz_item_key_bytes(kz_shogi_same same) {
    return same == KZ_SHOGI_SAME_MOVE ? KZ_ITEM_SCORE_AT : KZ_ITEM_MOVE_AT;
}

/* Where the item belongs, from 0 to 2^64 - 1: its partition and its place in the output follow from this. */
static inline uint64_t kz_item_place(const uint8_t *item, size_t key_bytes, uint64_t seed) {
    return key_bytes == KZ_ITEM_MOVE_AT ? kz_hash64_short(item, KZ_ITEM_MOVE_AT, seed)
                                        : kz_hash64_short(item, KZ_ITEM_SCORE_AT, seed);
}

static inline uint64_t kz_item_salt(uint64_t seed) { return kz_hash64_seeded("places", 6, seed); }

/* The same for record `number` of a run in which nothing counts as a duplicate: splitmix64, in which different numbers
 * have different places. The salt is kz_item_salt of the seed. */
static inline uint64_t kz_item_place_of_number(uint64_t number, uint64_t salt) {
    uint64_t bits = (number + 1) * UINT64_C(0x9E3779B97F4A7C15) + salt;
    bits = (bits ^ bits >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
    bits = (bits ^ bits >> 27) * UINT64_C(0x94D049BB133111EB);
    return bits ^ bits >> 31;
}

/* Whether a position is held out. */
static inline bool kz_item_is_held(const uint8_t *item, uint64_t seed, uint64_t limit) {
    return limit != 0 && kz_hash64_seeded(item, KZ_ITEM_MOVE_AT, seed ^ UINT64_C(0xC2B2AE3D27D4EB4F)) < limit;
}

/* Cuts all places into `parts` of equal size: returns the part, and leaves where in it the place is. Places stay in
 * order, so parts can be cut again. */
static inline uint32_t kz_item_part(uint64_t *place, uint32_t parts) {
    __extension__ typedef unsigned __int128 wide;
    wide product = (wide)*place * parts;
    *place = (uint64_t)product;
    return (uint32_t)(product >> 64);
}

#endif
