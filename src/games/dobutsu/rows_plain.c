/* SPDX-License-Identifier: MIT
 *
 * The sweeps over rows for any processor. */
#define KZ_DOBUTSU_GATHER kz_dobutsu_gather_plain
#include "games/dobutsu/rows_body.h"
