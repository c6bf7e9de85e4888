/* SPDX-License-Identifier: MIT
 *
 * Which device a solve is to use. */
#ifndef KZ_SOLVE_DEVICE_H
#define KZ_SOLVE_DEVICE_H

#include <kanzen/error.h>
#include <stdbool.h>

/* Whether a name of kz_solve_options means a graphics card: NULL and "cpu" don't, "cuda" does, and others are
 * KZ_ERR_INPUT. */
kz_status kz_device_is_card(const char *device, bool *card, kz_error *error);

#endif
