/* SPDX-License-Identifier: MIT
 *
 * The way to retro.cu, which is in a module of its own. */
#include "base/module.h"
#include "games/dobutsu/cuda/dobutsu.h"
#include "games/dobutsu/solve/retro.h"

const kz_dobutsu_card_calls *kz_dobutsu_cuda(kz_error *error) {
    kz_module_function *solver = kz_module_find("cuda", "kz_module_dobutsu_solver", "graphics cards (CUDA)", error);
    return solver ? ((kz_dobutsu_cuda_function *)solver)() : NULL;
}

/* C++ does not know C's atomic types, so this is not in retro.cu. */
void kz_dobutsu_card_state_of(kz_dobutsu_retro *retro, kz_dobutsu_card_state *state) {
    *state = (kz_dobutsu_card_state){
        .space = retro->space,
        .unmoves = retro->unmoves,
        .cells = (uint8_t *)(void *)retro->cells,
        .odd_ones = (uint64_t *)(void *)retro->odd_ones,
        .frontier = {(const uint8_t *)(void *)retro->frontier[0], (const uint8_t *)(void *)retro->frontier[1]}};
}
