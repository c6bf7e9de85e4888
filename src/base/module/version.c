/* SPDX-License-Identifier: MIT
 *
 * A part of each module, not of the library: the version that it was built from. */
#include <kanzen/error.h>

const char *kz_module_version(void);

const char *kz_module_version(void) { return kz_version(); }
