/* SPDX-License-Identifier: MIT
 *
 * kanzen/system.h in the browser. */
#include "wasm/imports.h"

#include <kanzen/system.h>

double kz_seconds(void) { return kz_import_seconds(); }

int kz_processor_count(void) { return 1; }
