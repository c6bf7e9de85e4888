/* SPDX-License-Identifier: MIT
 *
 * How far a conversion is: a small file beside the part that is written, from which a later run goes on. */
#ifndef KZ_RECORDS_CONVERT_STATE_H
#define KZ_RECORDS_CONVERT_STATE_H

#include "base/list.h"
#include "shogi/src/records/games.h"
#include "shogi/src/records/stream.h"

#include <sys/stat.h>

enum { KZ_CONVERT_SETTINGS = 14 };

typedef struct kz_convert_state {
    uint64_t settings[KZ_CONVERT_SETTINGS]; /* what has to be the same in both runs */
    kz_records_place place;                 /* in the source */
    uint64_t bytes;                         /* of the target */
    uint64_t hash;                          /* of these bytes */
    uint64_t source_begin;                  /* the first byte of the source that was read */
    uint64_t source_hash;                   /* of the bytes from there to `place`; 0: the source is packed */
    kz_shogi_file_report report;
    kz_records_join join; /* the target has games: the one that is not over */
} kz_convert_state;

/* The state of a run that begins. `found` is what the system says about the source. */
void kz_convert_state_begin(kz_convert_state *state, const kz_shogi_source *source, const kz_shogi_target *target,
                            const kz_shogi_file_options *options, const struct stat *found);
/* `pending` are the bytes of a game that is not over, which follow the bytes of the target. */
kz_status kz_convert_state_save(const kz_convert_state *state, const kz_buffer *pending, const char *path,
                                kz_error *error);
/* Goes from the beginning of a run to where the file says that it was, and adds to `pending` what was saved of it.
 * Refuses a file that is damaged or of a run with other settings. `there` is whether there is such a file. */
kz_status kz_convert_state_load(kz_convert_state *state, kz_buffer *pending, const char *path, bool *there,
                                kz_error *error);

#endif
