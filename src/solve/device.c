/* SPDX-License-Identifier: MIT */
#include "solve/device.h"

#include "base/error.h"

#include <string.h>

kz_status kz_device_is_card(const char *device, bool *card, kz_error *error) {
    *card = device && strcmp(device, "cuda") == 0;
    return !device || *card || strcmp(device, "cpu") == 0
               ? KZ_OK
               : kz_fail(error, KZ_ERR_INPUT, "there is no device '%s' (devices: cpu, cuda)", device);
}
