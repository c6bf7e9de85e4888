/* SPDX-License-Identifier: MIT
 *
 * Files that xz has packed. */
#ifndef KZ_EXPORT_XZ_H
#define KZ_EXPORT_XZ_H

#include "base/file.h"

#include <kanzen/progress.h>

/* Whether the file begins as such files do. */
bool kz_xz_is(const kz_mapping *file);

/* Unpacks a file that has to have `size` bytes then: KZ_ERR_CORRUPT if it has not, or if it is damaged. `name` is for
 * messages. The caller frees. KZ_ERR_UNSUPPORTED if the library was built without liblzma. */
kz_status kz_xz_read(const kz_mapping *file, const char *name, size_t size, const kz_progress *progress, uint8_t **data,
                     kz_error *error);

#endif
