/* SPDX-License-Identifier: MIT
 *
 * The slice kernels for any processor. */

#define KERNEL(name) kz_pf_plain_##name
#include "games/pushfight/reach_body.h"
#include "games/pushfight/slice_body.h"
