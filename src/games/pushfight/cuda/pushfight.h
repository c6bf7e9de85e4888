/* SPDX-License-Identifier: MIT
 *
 * The sweeps of Push Fight on a graphics card: an optional backend. Nothing else depends on CUDA. */
#ifndef KZ_CUDA_PUSHFIGHT_H
#define KZ_CUDA_PUSHFIGHT_H

#include "core/sweep_ops.h"

/* NULL if the library was built without CUDA. Whether there is a card is found out when a solver is opened. */
const kz_sweep_ops *kz_pushfight_cuda_sweep(void);

#endif
