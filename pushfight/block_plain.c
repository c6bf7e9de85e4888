/* SPDX-License-Identifier: MIT
 *
 * The block kernels for any processor. */

#define KERNEL(name) kz_pf_plain_##name
#include "pushfight/block_body.h"
#include "pushfight/reach_body.h"
