/* SPDX-License-Identifier: MIT
 *
 * What long work costs: time and memory of this process. */
#ifndef KANZEN_SYSTEM_H
#define KANZEN_SYSTEM_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Seconds on a clock that never jumps; only differences mean something. */
double kz_seconds(void);

/* The most physical memory that the process has held so far. */
uint64_t kz_peak_memory_bytes(void);

/* The number of processors that this process may use, at least 1. */
int kz_processor_count(void);

#ifdef __cplusplus
}
#endif
#endif
