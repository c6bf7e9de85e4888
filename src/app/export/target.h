/* SPDX-License-Identifier: MIT
 *
 * Where lines go: a file, or a stream of the caller. */
#ifndef KZ_EXPORT_TARGET_H
#define KZ_EXPORT_TARGET_H

#include "base/file.h"

#include <kanzen/export.h>

static inline kz_status kz_export_open(kz_outfile *file, const char *path, const kz_export_options *options,
                                       kz_error *error) {
    return path ? kz_outfile_open(file, path, options->replace, error)
                : kz_outfile_open_stream(file, options->descriptor, "the stream", error);
}

#endif
