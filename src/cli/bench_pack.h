/* SPDX-License-Identifier: MIT
 *
 * kanzen bench pack: how long it takes to write and read shogi positions in 32 bytes. */
#ifndef CLI_BENCH_PACK_H
#define CLI_BENCH_PACK_H

#include "command.h"

/* `arguments` is what came after "pack". Returns the exit code. */
int bench_pack(struct arguments *arguments);

#endif
