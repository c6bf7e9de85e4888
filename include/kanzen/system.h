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

/* Memory that this process could still take without the system having to kill something: what is free, what the system
 * only caches, and free swap space; less where a control group sets a lower limit. UINT64_MAX: nobody knows. */
uint64_t kz_available_memory_bytes(void);

/* The number of processors that this process may use, at least 1. */
int kz_processor_count(void);

#ifdef __cplusplus
}
#endif
#endif
