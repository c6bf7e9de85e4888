/* SPDX-License-Identifier: MIT
 *
 * The fields of sspfc, which the plain path (sspfc.c) and the fast ones (sspfc_pext.h) share. */
#ifndef KZ_SHOGI_SSPFC_FIELDS_H
#define KZ_SHOGI_SSPFC_FIELDS_H

/* First bit, number of bits. The six spare bits are the last ones. */
enum {
    KZ_SSPFC_OCCUPIED_BITS = 75,
    KZ_SSPFC_KINGS_AT = 75,
    KZ_SSPFC_KINGS_BITS = 13,
    KZ_SSPFC_BISHOPS_AT = 88,
    KZ_SSPFC_ROOKS_AT = 100,
    KZ_SSPFC_PAIR_BITS = 12,
    KZ_SSPFC_PROMOTED_AT = 112,
    KZ_SSPFC_PROMOTED_BITS = 34,
    KZ_SSPFC_KIND0_AT = 146,
    KZ_SSPFC_KIND0_BITS = 34,
    KZ_SSPFC_KIND1_AT = 180,
    KZ_SSPFC_KIND2_AT = 196,
    KZ_SSPFC_KIND12_BITS = 16,
    KZ_SSPFC_COLOUR_AT = 212,
    KZ_SSPFC_COLOUR_BITS = 38,
    KZ_SSPFC_SPARE_AT = 250,
    KZ_SSPFC_SPARE_BITS = 6
};

/* Indexes of a piece that is held by its square: 0..80 a square; from these on the borrowed bit is added. */
enum {
    KZ_SSPFC_KING_ABSENT = 81,
    KZ_SSPFC_KING_INDEXES = 83,
    KZ_SSPFC_IN_HAND = 81,
    KZ_SSPFC_ABSENT = 83,
    KZ_SSPFC_PAIR_INDEXES = 85
};

/* Pairs that can't occur, two pieces on one square, stand for those that would not be in order. */
enum { KZ_SSPFC_HANDS_REVERSED = 0, KZ_SSPFC_ABSENT_REVERSED = 1 };

enum { KZ_SSPFC_MOST_SMALL = 34 }; /* small: no king, bishop or rook */

#endif
