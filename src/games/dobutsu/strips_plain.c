/* SPDX-License-Identifier: MIT
 *
 * The sweeps over strips for any processor. */
#define KZ_DOBUTSU_GATHER_PIECES kz_dobutsu_gather_pieces_plain
#define KZ_DOBUTSU_GATHER_CHICKS kz_dobutsu_gather_chicks_plain
#include "games/dobutsu/strips_body.h"
