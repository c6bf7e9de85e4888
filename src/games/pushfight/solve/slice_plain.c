/* SPDX-License-Identifier: MIT
 *
 * The slice kernels for any processor. */

#define KERNEL(name) kz_pf_plain_##name
#include "games/pushfight/solve/reach_body.h"
#include "games/pushfight/solve/slice_body.h"
