/* SPDX-License-Identifier: MIT
 *
 * The block kernels for any processor. */

#define KERNEL(name) kz_pf_plain_##name
#include "games/pushfight/block_body.h"
#include "games/pushfight/reach_body.h"
