/* SPDX-License-Identifier: MIT
 *
 * Positions and moves as text. docs/rules-dobutsu.md describes the notations. */
#ifndef KZ_DOBUTSU_NOTATION_H
#define KZ_DOBUTSU_NOTATION_H

#include "game/gamedef.h"

#include <kanzen/dobutsu.h>

enum {
    KZ_DOBUTSU_SFEN,
    KZ_DOBUTSU_LISHOGI,
    KZ_DOBUTSU_FAIRY,
    KZ_DOBUTSU_CLAUSECKER,
    KZ_DOBUTSU_STATE40,
    KZ_DOBUTSU_INDEX18,
    KZ_DOBUTSU_NOTATIONS
};

/* Their names, NULL-terminated. */
extern const char *const kz_dobutsu_notations[KZ_DOBUTSU_NOTATIONS + 1];

/* Lower-case letters of the pieces by kind. `hen` is a letter of its own that is read for one; 0 if there is none. A
 * hen is written as that letter if `plain` is set, and as "+" and the chick's letter otherwise. Then, too, empty
 * squares are counted ("1c1") and not shown one by one ("-c-"), and equal pieces in hand are counted. */
typedef struct kz_dobutsu_letters {
    char piece[KZ_DOBUTSU_LION + 1];
    char hen;
    bool plain;
} kz_dobutsu_letters;

/* For the notations before KZ_DOBUTSU_STATE40. */
extern const kz_dobutsu_letters kz_dobutsu_letters_of[KZ_DOBUTSU_STATE40];

/* The order in which hands are written. */
extern const int kz_dobutsu_hand_order[4];

/* What the calls of kanzen/game.h promise. */
kz_status kz_dobutsu_parse(const char *text, size_t length, kz_dobutsu *position, kz_error *error);
kz_status kz_dobutsu_format(const kz_dobutsu *position, int notation, char *text, size_t size, kz_error *error);
kz_status kz_dobutsu_move_parse(int rules, const kz_dobutsu *position, const char *text, size_t length, kz_move *move,
                                kz_error *error);
kz_status kz_dobutsu_move_format(const kz_dobutsu *position, kz_move move, char *text, size_t size, kz_error *error);

/* Moves as Fairy-Stockfish writes them, for UCI (notation_uci.c). */
extern const kz_uci_moves kz_dobutsu_uci;

/* The words of KIF (kif.c). */
extern const kz_kif kz_dobutsu_kif;

#endif
