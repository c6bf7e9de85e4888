/* SPDX-License-Identifier: MIT */
#ifndef KZ_SHOGI_BITBOARDS_H
#define KZ_SHOGI_BITBOARDS_H

#include <kanzen/shogi.h>

kz_shogi_bitboards_fn kz_shogi_bitboards_plain;
#ifdef __x86_64__
kz_shogi_bitboards_fn kz_shogi_bitboards_vbmi2;
#endif

#endif
