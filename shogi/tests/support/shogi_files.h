/* SPDX-License-Identifier: MIT
 *
 * For tests of conversions: samples, files, and records put together one by one with the calls for a single one. */
#ifndef TESTS_SHOGI_FILES_H
#define TESTS_SHOGI_FILES_H

#include "shogi/tests/support/shogi_bytes.h"
#include "shogi/tests/support/shogi_random.h"

enum { SAMPLES = 7000 }; /* more than three batches */

struct sample {
    kz_shogi_position position;
    kz_shogi_note note;
};

extern struct sample samples[SAMPLES];

void assert_nothing_left(const char *path);

size_t write_record(kz_shogi_record record, const struct sample *sample, uint8_t *bytes);

/* The records of samples `begin` to `end` - 1, of whose notes only `kept` is left. */
struct buffer records_of(kz_shogi_record record, size_t begin, size_t end, unsigned kept);

unsigned holds(kz_shogi_record record);

int make_samples(void **state);

extern kz_shogi_file_report report;

extern kz_error error;

kz_status convert_as(const kz_shogi_source *source, const kz_shogi_target *target,
                     const kz_shogi_file_options *options);

kz_status convert(const char *in, kz_shogi_record from, const char *out, kz_shogi_record to,
                  kz_shogi_file_options options);

void assert_message(const char *part);

#endif
