/* SPDX-License-Identifier: MIT
 *
 * Which codecs there are, and what can be asked of the records of any format. */
#include "shogi/src/codec.h"

#include "base/cpu.h"
#include "shogi/src/sspf_fields.h"
#include <string.h>

/* A codec and the processor that it needs. */
typedef struct way {
    const kz_shogi_codec *codec;
    kz_cpu level;
} way;

/* The paths of each format, best first. The plain one is the last and always there. */
#ifdef __x86_64__
static const way sspf_paths[] = {{&kz_shogi_sspf_vbmi2, KZ_CPU_VBMI2},
                                 {&kz_shogi_sspf_bmi2, KZ_CPU_BMI2},
                                 {&kz_shogi_sspf_avx2, KZ_CPU_AVX2},
                                 {&kz_shogi_sspf_sse42, KZ_CPU_SSE42},
                                 {&kz_shogi_sspf_plain, KZ_CPU_PLAIN}};
static const way sspfx_paths[] = {{&kz_shogi_sspfx_vbmi2, KZ_CPU_VBMI2},
                                  {&kz_shogi_sspfx_bmi2, KZ_CPU_BMI2},
                                  {&kz_shogi_sspfx_avx2, KZ_CPU_AVX2},
                                  {&kz_shogi_sspfx_sse42, KZ_CPU_SSE42},
                                  {&kz_shogi_sspfx_plain, KZ_CPU_PLAIN}};
#elif defined(__aarch64__)
static const way sspf_paths[] = {{&kz_shogi_sspf_neon, KZ_CPU_PLAIN}, {&kz_shogi_sspf_plain, KZ_CPU_PLAIN}};
static const way sspfx_paths[] = {{&kz_shogi_sspfx_neon, KZ_CPU_PLAIN}, {&kz_shogi_sspfx_plain, KZ_CPU_PLAIN}};
#else
static const way sspf_paths[] = {{&kz_shogi_sspf_plain, KZ_CPU_PLAIN}};
static const way sspfx_paths[] = {{&kz_shogi_sspfx_plain, KZ_CPU_PLAIN}};
#endif
#ifdef __x86_64__
static const way sspfc_paths[] = {
    {&kz_shogi_sspfc_vbmi2, KZ_CPU_VBMI2}, {&kz_shogi_sspfc_bmi2, KZ_CPU_BMI2}, {&kz_shogi_sspfc_plain, KZ_CPU_PLAIN}};
static const way psfen_paths[] = {{&kz_shogi_psfen_vbmi2, KZ_CPU_VBMI2},
                                  {&kz_shogi_psfen_bmi2, KZ_CPU_BMI2},
                                  {&kz_shogi_psfen_avx2, KZ_CPU_AVX2},
                                  {&kz_shogi_psfen_plain, KZ_CPU_PLAIN}};
static const way hcp_paths[] = {{&kz_shogi_hcp_vbmi2, KZ_CPU_VBMI2},
                                {&kz_shogi_hcp_bmi2, KZ_CPU_BMI2},
                                {&kz_shogi_hcp_avx2, KZ_CPU_AVX2},
                                {&kz_shogi_hcp_plain, KZ_CPU_PLAIN}};
#else
static const way sspfc_paths[] = {{&kz_shogi_sspfc_plain, KZ_CPU_PLAIN}};
static const way psfen_paths[] = {{&kz_shogi_psfen_plain, KZ_CPU_PLAIN}};
static const way hcp_paths[] = {{&kz_shogi_hcp_plain, KZ_CPU_PLAIN}};
#endif

#define ALL_OF(list) list, sizeof(list) / sizeof(list)[0]
static const struct {
    const way *paths;
    size_t count;
} formats[KZ_SHOGI_FORMATS] = {
    [KZ_SHOGI_SSPF] = {ALL_OF(sspf_paths)},   [KZ_SHOGI_SSPFX] = {ALL_OF(sspfx_paths)},
    [KZ_SHOGI_SSPFC] = {ALL_OF(sspfc_paths)}, [KZ_SHOGI_PSFEN] = {ALL_OF(psfen_paths)},
    [KZ_SHOGI_HCP] = {ALL_OF(hcp_paths)},
};

static const kz_shogi_codec *plain_codec(kz_shogi_format format) {
    return formats[format].paths[formats[format].count - 1].codec;
}

const kz_shogi_codec *kz_shogi_codec_for(kz_shogi_format format, const char *path) {
    kz_cpu level = path ? kz_cpu_available() : kz_cpu_level();
    for (size_t i = 0; i < formats[format].count; i++) {
        const kz_shogi_codec *codec = formats[format].paths[i].codec;
        if (formats[format].paths[i].level <= level && (!path || strcmp(codec->path, path) == 0)) {
            return codec;
        }
    }
    return NULL;
}

const char *kz_shogi_format_name(kz_shogi_format format) { return plain_codec(format)->name; }

static bool is_sspf(kz_shogi_format format) { return format == KZ_SHOGI_SSPF || format == KZ_SHOGI_SSPFX; }

/* Writes into `canonical` what `pack` makes of the position of a record, with its spare bits. */
static kz_shogi_defect repack(kz_shogi_format format, const uint8_t *record, uint8_t *canonical) {
    if (is_sspf(format)) {
        memcpy(canonical, record, KZ_SHOGI_RECORD_BYTES);
        return kz_sspf_sort_tail(canonical, format == KZ_SHOGI_SSPFX);
    }
    kz_shogi_position position;
    kz_shogi_defect defect = plain_codec(format)->unpack(record, &position);
    if (defect == KZ_SHOGI_FINE) {
        defect = plain_codec(format)->pack(&position, canonical);
    }
    if (defect == KZ_SHOGI_FINE && format == KZ_SHOGI_SSPFC) {
        kz_shogi_sspfc_set_spare(canonical, kz_shogi_sspfc_spare(record));
    }
    return defect;
}

kz_shogi_defect kz_shogi_check_record(kz_shogi_format format, const uint8_t *record) {
    if (is_sspf(format)) {
        return kz_sspf_defect(record, format == KZ_SHOGI_SSPFX);
    }
    kz_shogi_position position;
    return plain_codec(format)->unpack(record, &position);
}

kz_shogi_defect kz_shogi_check_canonical(kz_shogi_format format, const uint8_t *record) {
    uint8_t canonical[KZ_SHOGI_RECORD_BYTES];
    kz_shogi_defect defect = repack(format, record, canonical);
    if (defect != KZ_SHOGI_FINE) {
        return defect;
    }
    return memcmp(canonical, record, sizeof canonical) == 0 ? KZ_SHOGI_FINE : KZ_SHOGI_NOT_CANONICAL;
}

kz_shogi_defect kz_shogi_canonicalise(kz_shogi_format format, uint8_t *record) {
    uint8_t canonical[KZ_SHOGI_RECORD_BYTES];
    kz_shogi_defect defect = repack(format, record, canonical);
    if (defect == KZ_SHOGI_FINE) {
        memcpy(record, canonical, sizeof canonical);
    }
    return defect;
}
