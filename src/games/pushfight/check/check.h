/* SPDX-License-Identifier: MIT
 *
 * Verification of a table of all values by value sweeps.
 *
 * Why a table is right if every value follows from those of the successors: take the positions by value byte b. Byte 1
 * says that there is no legal turn, byte 2 that a push throws an enemy piece off the board or leaves the opponent
 * without a turn; the sweep sees that for itself. A byte 2k says that the best successor for the side to move is a loss
 * in k - 1 (byte 2k - 1), a byte 2k + 1 that all successors are wins for the opponent, of which the longest is one in k
 * (byte 2k). So if the table has the right positions with each of the bytes 1 to b - 1, the positions that it gives
 * byte b are just those whose value is b: by induction all wins and losses are right, and none is missing. What is left
 * has value 0, in the table and in truth. */
#ifndef KZ_PUSHFIGHT_CHECK_H
#define KZ_PUSHFIGHT_CHECK_H

#include "table/verify.h"

extern const kz_checker_ops kz_pushfight_checker;

#endif
