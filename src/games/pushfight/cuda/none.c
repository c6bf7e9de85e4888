/* SPDX-License-Identifier: MIT
 *
 * Stands for the CUDA backend in builds that have none. */
#include "games/pushfight/cuda/pushfight.h"

const kz_sweep_ops *kz_pushfight_cuda_sweep(void) { return NULL; }
