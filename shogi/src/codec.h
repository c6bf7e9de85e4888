/* SPDX-License-Identifier: MIT
 *
 * The codecs that there are: kz_shogi_FORMAT_PATH, one for each format and each kind of processor that has code of its
 * own for it. A path is a file (shogi/sspf_vbmi2.c), compiled for that kind of processor; the plain one is the twin
 * that all others are compared with. */
#ifndef KZ_SHOGI_CODEC_H
#define KZ_SHOGI_CODEC_H

#include <kanzen/shogi.h>

extern const kz_shogi_codec kz_shogi_sspf_plain;
extern const kz_shogi_codec kz_shogi_sspfx_plain;
extern const kz_shogi_codec kz_shogi_sspfc_plain;
extern const kz_shogi_codec kz_shogi_psfen_plain;
extern const kz_shogi_codec kz_shogi_hcp_plain;

#ifdef __x86_64__
extern const kz_shogi_codec kz_shogi_sspf_sse42;
extern const kz_shogi_codec kz_shogi_sspf_avx2;
extern const kz_shogi_codec kz_shogi_sspf_bmi2;
extern const kz_shogi_codec kz_shogi_sspf_vbmi2;
extern const kz_shogi_codec kz_shogi_sspfx_sse42;
extern const kz_shogi_codec kz_shogi_sspfx_avx2;
extern const kz_shogi_codec kz_shogi_sspfx_bmi2;
extern const kz_shogi_codec kz_shogi_sspfx_vbmi2;
extern const kz_shogi_codec kz_shogi_sspfc_bmi2;
extern const kz_shogi_codec kz_shogi_sspfc_vbmi2;
extern const kz_shogi_codec kz_shogi_psfen_avx2;
extern const kz_shogi_codec kz_shogi_psfen_bmi2;
extern const kz_shogi_codec kz_shogi_psfen_vbmi2;
extern const kz_shogi_codec kz_shogi_hcp_avx2;
extern const kz_shogi_codec kz_shogi_hcp_bmi2;
extern const kz_shogi_codec kz_shogi_hcp_vbmi2;
#endif
#ifdef __aarch64__
extern const kz_shogi_codec kz_shogi_sspf_neon;
extern const kz_shogi_codec kz_shogi_sspfx_neon;
#endif

#endif
