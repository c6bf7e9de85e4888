/* SPDX-License-Identifier: MIT
 *
 * The two codecs of a path. The file that includes this, last, has defined
 *
 *     KZ_SSPF_INLINE bool pack_base(const kz_shogi_position *position, uint8_t *record, bool extended);
 *     KZ_SSPF_INLINE bool unpack_base(const uint8_t *record, kz_shogi_position *position, bool extended);
 *
 * which do what the base format can hold, and as much of the extension as they like, and say whether they did. Whatever
 * they refuse is rare: the reason for it, and the rest of the extension, are the same code in all paths.
 * KZ_SSPF_CODECS(avx2) then makes the codecs of the path avx2. */
#include "shogi/src/codec.h"
#include "shogi/src/sspf_fields.h"

KZ_SSPF_INLINE kz_shogi_defect pack_either(const kz_shogi_position *position, uint8_t *record, bool extended) {
    if (__builtin_expect(pack_base(position, record, extended), 1)) {
        return KZ_SHOGI_FINE;
    }
    return extended ? kz_sspfx_pack_general(position, record) : kz_sspf_pack_defect(position);
}

KZ_SSPF_INLINE kz_shogi_defect unpack_either(const uint8_t *record, kz_shogi_position *position, bool extended) {
    if (__builtin_expect(unpack_base(record, position, extended), 1)) {
        return KZ_SHOGI_FINE;
    }
    return extended ? kz_sspfx_unpack_general(record, position) : kz_sspf_defect(record, false);
}

/* The calls of one codec, and the codec. `defect` is written once: a store for each position would make the compiler
 * believe that positions change. */
#define KZ_SSPF_CODEC(form, form_id, extended, path)                                                                   \
    static kz_shogi_defect form##_pack(const kz_shogi_position *position, uint8_t *record) {                           \
        return pack_either(position, record, extended);                                                                \
    }                                                                                                                  \
    static kz_shogi_defect form##_unpack(const uint8_t *record, kz_shogi_position *position) {                         \
        return unpack_either(record, position, extended);                                                              \
    }                                                                                                                  \
    static size_t form##_pack_many(const kz_shogi_position *positions, size_t count, uint8_t *records, size_t stride,  \
                                   kz_shogi_defect *defect) {                                                          \
        kz_shogi_defect found = KZ_SHOGI_FINE;                                                                         \
        size_t done = 0;                                                                                               \
        while (done < count && (found = pack_either(&positions[done], records, extended)) == KZ_SHOGI_FINE) {          \
            done++;                                                                                                    \
            records += stride;                                                                                         \
        }                                                                                                              \
        *defect = found;                                                                                               \
        return done;                                                                                                   \
    }                                                                                                                  \
    static size_t form##_unpack_many(const uint8_t *records, size_t stride, size_t count,                              \
                                     kz_shogi_position *positions, kz_shogi_defect *defect) {                          \
        kz_shogi_defect found = KZ_SHOGI_FINE;                                                                         \
        size_t done = 0;                                                                                               \
        while (done < count && (found = unpack_either(records, &positions[done], extended)) == KZ_SHOGI_FINE) {        \
            done++;                                                                                                    \
            records += stride;                                                                                         \
        }                                                                                                              \
        *defect = found;                                                                                               \
        return done;                                                                                                   \
    }                                                                                                                  \
    const kz_shogi_codec kz_shogi_##form##_##path = {                                                                  \
        form_id, #form, #path, form##_pack, form##_unpack, form##_pack_many, form##_unpack_many};

#define KZ_SSPF_CODECS(path)                                                                                           \
    KZ_SSPF_CODEC(sspf, KZ_SHOGI_SSPF, false, path)                                                                    \
    KZ_SSPF_CODEC(sspfx, KZ_SHOGI_SSPFX, true, path)
