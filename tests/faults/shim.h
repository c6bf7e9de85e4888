/* SPDX-License-Identifier: MIT
 *
 * The same for a program that is linked with the shim: faults while a test wants them. */
#ifndef TESTS_FAULTS_SHIM_H
#define TESTS_FAULTS_SHIM_H

#include <stdbool.h>

/* What FAULT would say; counting begins anew. NULL: no faults any more. */
void faults_set(const char *text);
/* How many calls of the kind there were since then, and whether one has failed. */
unsigned long faults_calls(void);
bool faults_hit(void);
/* How many pieces of memory are in use; 0 where the C library's calls are not seen (AddressSanitizer). */
long faults_memory(void);

#endif
