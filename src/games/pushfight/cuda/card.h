/* SPDX-License-Identifier: MIT
 *
 * The sweeps of Push Fight on a graphics card: an optional backend. Nothing else depends on CUDA. */
#ifndef KZ_CUDA_PUSHFIGHT_H
#define KZ_CUDA_PUSHFIGHT_H

#include "games/pushfight/solve/sweep_ops.h"

/* CUDA is in a module (base/module.h). NULL with a reason if it can't be loaded. Whether there is a card shows when a
 * solver is opened. */
const kz_sweep_ops *kz_pushfight_cuda_sweep(kz_error *error);

/* What the module has. */
typedef const kz_sweep_ops *kz_pushfight_cuda_function(void);
const kz_sweep_ops *kz_module_pushfight_sweep(void);

#endif
