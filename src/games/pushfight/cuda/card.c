/* SPDX-License-Identifier: MIT
 *
 * The way to solver.cu, which is in a module of its own. */
#include "base/module.h"
#include "games/pushfight/cuda/card.h"

const kz_sweep_ops *kz_pushfight_cuda_sweep(kz_error *error) {
    kz_module_function *sweep = kz_module_find("cuda", "kz_module_pushfight_sweep", "graphics cards (CUDA)", error);
    return sweep ? ((kz_pushfight_cuda_function *)sweep)() : NULL;
}
