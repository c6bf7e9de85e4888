/* SPDX-License-Identifier: MIT
 *
 * kanzen/system.h in the browser. */
#include "app/wasm/imports.h"

#include <kanzen/system.h>

double kz_seconds(void) { return kz_import_seconds(); }

int kz_processor_count(void) { return 1; }

/* A browser does not tell. */
uint64_t kz_available_memory_bytes(void) { return UINT64_MAX; }
